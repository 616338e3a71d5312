import { TransportFailure } from '../../errors.ts';
import type { Ports } from '../../ports.ts';
import type { HttpConnection } from '../../ports/http.ts';
import type { Profile } from '../../records/profile.ts';
import { Secret } from '../../secret.ts';
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
    ...(proxy === undefined ? {} : { proxy }),
  };
}

/** The call itself says so. */
function unusable(error: unknown): undefined {
  if (!(error instanceof TransportFailure)) throw error;
}

export async function readConnection(
  ports: Ports,
  profile: Profile,
  run: RunOptions,
): Promise<HttpConnection> {
  const { caCertificates, tlsCertificate, tlsKey, tlsKeyPassphraseFrom, tls = {} } = profile;
  if (tls.ciphers !== undefined) await needSafeCiphers(ports, tls.ciphers);
  const passphrase = tlsKey === undefined ? undefined : await readPassphrase(ports, tlsKeyPassphraseFrom);
  if (tlsKey !== undefined) await warnOfReaders(ports, tlsKey);
  return {
    ...(caCertificates === undefined
      ? {}
      : { ca: await readProfileFile(ports, caCertificates, 'CERTIFICATE_FILE', 'CA certificate') }),
    ...(tlsCertificate === undefined
      ? {}
      : { certificate: await readProfileFile(ports, tlsCertificate, 'CERTIFICATE_FILE', 'TLS certificate') }),
    ...(tlsKey === undefined
      ? {}
      : { key: new Secret(await readProfileFile(ports, tlsKey, 'KEY_FILE', 'TLS key')) }),
    ...(passphrase === undefined ? {} : { passphrase }),
    ...tls,
    ...(run.insecure === true ? { insecure: true } : {}),
    ...(profile.allowHttp === true ? { plain: true } : {}),
  };
}
