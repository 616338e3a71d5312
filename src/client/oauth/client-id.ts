import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import { nameAttribute, readName } from '../../signing/distinguished-name.ts';
import { certificateText } from '../../signing/file-text.ts';
import { certificateBody } from '../../signing/key-id.ts';
import { readSigningCertificate } from '../../signing/material.ts';
import { organizationIdentifierOid } from '../../signing/organization-identifier.ts';
import type { Target } from '../exchange/target.ts';

/** tbsCertificate: serial, signature, issuer, validity, subject (RFC 5280 section 4.1). */
const subjectAt = 4;

/**
 * The client_id at the bank's OAuth server: the profile's, or the TPP's registration number in its certificate (guidelines 13.1);
 * the one that the bank says (auth.clientId) where it does. Throws PROFILE_INVALID where there is none.
 */
export async function clientIdOf({ profile, ports, name }: Target): Promise<string> {
  const kind = profile.auth?.clientId;
  const own = kind === 'orgId' ? undefined : profile.oauth?.clientId;
  if (own !== undefined) return own;
  if (kind === 'config') {
    throw new ObkError({
      code: 'PROFILE_INVALID',
      title: `The profile ${name} has no client_id, and the bank takes one that it has given.`,
      detail:
        'auth.clientId is config: the registration number in the certificate is not taken. The request was not sent.',
      hint: [line`obk profile edit ${name} --oauth-client-id ID`],
    });
  }
  // The server knows the client by the certificate of the connection.
  const path = profile.tlsCertificate ?? profile.certificate;
  const id = path === undefined ? undefined : organizationIn(await ports.files.read(path), path);
  if (id !== undefined) return id;
  throw new ObkError({
    code: 'PROFILE_INVALID',
    title: `The profile ${name} has no client_id for the OAuth server of the bank.`,
    detail:
      path === undefined
        ? 'It has no certificate whose organizationIdentifier could serve as client_id.'
        : `The certificate ${path} has no organizationIdentifier that could serve as client_id.`,
    hint: [line`obk profile edit ${name} --oauth-client-id ID`],
  });
}

function organizationIn(bytes: Uint8Array, path: string): string | undefined {
  const certificate = readSigningCertificate(certificateText(bytes), path);
  const subject = certificateBody(certificate.der)[subjectAt];
  return subject === undefined ? undefined : nameAttribute(readName(subject), organizationIdentifierOid);
}
