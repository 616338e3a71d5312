import { ObkError } from '../../base/errors.ts';
import { nameSpellings } from '../../signing/distinguished-name.ts';
import { serialSpellings } from '../../signing/key-id.ts';
import { signingOptions } from '../../signing/options.ts';
import type { SigningSettings } from '../../signing/options.ts';
import { signingPresetNames } from '../../signing/presets.ts';
import {
  algorithms,
  carriers,
  certificateHeaders,
  emptyBodies,
  encodings,
  jwsAlgorithms,
  jwsCertificates,
  modes,
  orders,
  targetEncodings,
} from '../../signing/signing-options.ts';
import { error, isObject } from './finding.ts';
import type { SettingFinding } from './finding.ts';
import { choice, count, group, list, said, text, yesNo } from './row.ts';
import type { RowOf } from './row.ts';
import { operationName } from './texts.ts';

/** The signing of requests. The signer checks the settings as a whole, since it fills in the missing ones. */
export const signing: RowOf<SigningSettings> = group(
  {
    preset: said('A known way to sign, from which the others differ.', choice(signingPresetNames)),
    mode: said(
      'The form of the signature: that of the guidelines (cavage), a detached JWS, or none.',
      choice(modes),
    ),
    headers: said(
      'The headers that are signed, in their order; a final ? means "if there is one".',
      list(text()),
    ),
    order: said('Whether that order is kept, or they are sorted.', choice(orders)),
    date: said('The header Date.', group({ sign: said('Whether it is signed.', yesNo()) })),
    requestTarget: said('Whether method and path are signed.', yesNo()),
    digest: said(
      'The header Digest.',
      group({
        algorithm: said('Its algorithm.', choice(algorithms)),
        emptyBody: said('What it is of where there is no body.', choice(emptyBodies)),
      }),
    ),
    keyId: said(
      'The name of the key.',
      group({
        template: said('Its form, with {serial} and {issuer}.', text()),
        serial: said('How the serial number is written.', choice(serialSpellings)),
        issuer: said('How the issuer is written.', choice(nameSpellings)),
      }),
    ),
    hash: said('The hash of the signature.', choice(algorithms)),
    algorithmLabel: said('The word for the algorithm in the signature.', text()),
    certificateHeader: said(
      'How TPP-Signature-Certificate is written; none: not sent, and keyId names a certificate that the bank has.',
      choice(certificateHeaders),
    ),
    signatureEncoding: said('How an ECDSA signature is written.', choice(encodings)),
    carrier: said('The header that holds the signature.', choice(carriers)),
    targetEncoding: said(
      'Whether the path is signed as it is sent, or with its escapes resolved.',
      choice(targetEncodings),
    ),
    requiredFor: said('The operations that are signed; all if not given.', list(text())),
    jws: said(
      'The detached JWS (x-jws-signature).',
      group({
        alg: said('Its algorithm; key is RS256 or ES256, as the key is.', choice(jwsAlgorithms)),
        pars: said('The headers that are signed (sigD.pars).', list(text())),
        certificate: said('How it shows the certificate.', choice(jwsCertificates)),
        trailingNewline: said('Whether the last line that is signed ends with a newline too.', yesNo()),
        maxAgeS: said('How long the bank takes a signature.', count(1, 86_400, 'seconds')),
      }),
    ),
  },
  [],
  { whole: judge },
);

function judge(value: unknown, at: string): readonly SettingFinding[] {
  try {
    signingOptions(value);
    const names = isObject(value) && Array.isArray(value['requiredFor']) ? value['requiredFor'] : [];
    return names.flatMap((name: unknown, index) => {
      const why = operationName(String(name));
      return why === undefined ? [] : [error(`${at}.requiredFor[${String(index)}]`, why)];
    });
  } catch (thrown) {
    if (!(thrown instanceof ObkError)) throw thrown;
    return [error(at, `${thrown.title} ${thrown.detail ?? ''}`)];
  }
}
