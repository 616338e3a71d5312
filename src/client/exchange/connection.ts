import { defined } from '../../base/defined.ts';
import { ObkError, TransportFailure } from '../../base/errors.ts';
import type { Ports } from '../ports.ts';
import type { HttpConnection } from '../ports/http.ts';
import type { Profile } from '../../settings/records/profile.ts';
import { Secret } from '../../base/secret.ts';
import { certificatePem, certificatesIn, holdsKey } from '../../signing/pem.ts';
import { checkDates, readCertificate } from '../../signing/material.ts';
import { readProfileFile } from '../profile/profile-file.ts';
import { needSafeCiphers } from '../profile/weak-ciphers.ts';
import { readPassphrase, warnOfReaders } from './key-material.ts';
import type { ConnectionFacts } from './prepared.ts';
import type { Target, RunOptions } from './target.ts';

/** The settings with which a connection to an address differs from the system's defaults. */
export async function connectionFacts(
  { profile, run, ports }: Target,
  url: string,
): Promise<ConnectionFacts> {
  const proxy = run.showsProxy === true ? await ports.http.proxy(url).catch(unusable) : undefined;
  return {
    clientCertificate: profile.tlsCertificate !== undefined,
    caCertificates: profile.caCertificates !== undefined,
    ...(run.insecure === true ? { insecure: true } : {}),
    ...defined({ proxy }),
  };
}

/** The call itself says so. */
function unusable(error: unknown): undefined {
  if (!(error instanceof TransportFailure)) throw error;
}

/** The connection of a profile. Throws PROFILE_INVALID, CERTIFICATE_..., KEY_...: a handshake with them would fail for ever. */
export async function readConnection(
  ports: Ports,
  profile: Profile,
  run: RunOptions,
): Promise<HttpConnection> {
  const { caCertificates, tls = {} } = profile;
  if (tls.ciphers !== undefined) await needSafeCiphers(ports, tls.ciphers);
  return {
    ...(caCertificates === undefined ? {} : { ca: await authorities(ports, caCertificates) }),
    ...(profile.tlsCertificate === undefined
      ? {}
      : await clientCertificate(ports, profile, profile.tlsCertificate)),
    ...tls,
    ...(run.insecure === true ? { insecure: true } : {}),
    ...(profile.allowHttp === true ? { plain: true } : {}),
  };
}

/** OpenSSL passes over a file without certificates in silence. */
async function authorities(ports: Ports, path: string): Promise<string> {
  const text = await readProfileFile(ports, path, 'CERTIFICATE_FILE', 'CA certificate');
  return certificatesIn(text, path).map(certificatePem).join('');
}

/** A certificate without its key would not be offered, and one that is out of date is refused by every bank. */
async function clientCertificate(
  ports: Ports,
  { tlsKey, tlsKeyPassphraseFrom }: Profile,
  path: string,
): Promise<Pick<HttpConnection, 'certificate' | 'key' | 'passphrase'>> {
  const certificate = await readProfileFile(ports, path, 'CERTIFICATE_FILE', 'TLS certificate');
  checkDates(readCertificate(certificate, path), ports.clock.now(), path, 'TLS certificate');
  if (tlsKey === undefined && !holdsKey(certificate)) {
    throw new ObkError({
      code: 'PROFILE_INVALID',
      title: 'The profile has a TLS certificate and no key for it.',
      detail: `${path} is not offered to a bank without its private key.`,
      hint: ['obk profile edit NAME --tls-key FILE'],
    });
  }
  const passphrase = await readPassphrase(ports, tlsKeyPassphraseFrom, tlsKey ?? path);
  await warnOfReaders(ports, tlsKey ?? path);
  const key =
    tlsKey === undefined ? certificate : await readProfileFile(ports, tlsKey, 'KEY_FILE', 'TLS key');
  return { certificate, key: new Secret(key), ...defined({ passphrase }) };
}
