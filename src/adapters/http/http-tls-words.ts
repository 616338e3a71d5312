import { X509Certificate } from 'node:crypto';
import { line } from '../../base/command-line.ts';
import { TransportFailure } from '../../base/errors.ts';
import type { ErrorCode } from '../../base/errors.ts';
import type { HttpConnection } from '../../client/ports/http.ts';

/** The cause of a failure, and hints. */
type Words = readonly [why: string, ...hints: string[]];

const trustIt = 'obk profile edit NAME --ca FILE   # the CA of the bank, once you know that it is theirs';
const lookAtIt = (host: string) => line`obk cert inspect https://${host}   # what the server shows`;
const doctor = 'obk doctor --profile NAME   # which certificates the bank asks for';
const setOurs = 'obk profile edit NAME --tls-certificate FILE --tls-key FILE';

/** Verification of the server's certificate, by the names of OpenSSL (`X509_V_ERR_...`). */
export const faultsOfServer: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate, or one of the authorities behind it, has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet (is the clock of this machine right?)',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificates end in an authority that is not trusted here',
  UNABLE_TO_GET_ISSUER_CERT: 'its certificates end in an authority that is not trusted here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificates end in an authority that is not trusted here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is of an authority that is not trusted here',
  CERT_SIGNATURE_FAILURE: 'its certificate is not signed by the authority that it names',
  CERT_REVOKED: 'its certificate is revoked',
  INVALID_CA: 'an authority behind its certificate may not issue certificates',
  INVALID_PURPOSE: 'its certificate is not meant for a server',
};

/** Alerts that a server sends where our certificate, or its absence, is at fault (RFC 8446 section 6.2). */
const ofClient: Readonly<Record<string, string>> = {
  CERTIFICATE_REQUIRED: 'it wants a client certificate (QWAC)',
  BAD_CERTIFICATE: 'it finds the client certificate bad',
  UNSUPPORTED_CERTIFICATE: 'it does not take a client certificate of this kind',
  CERTIFICATE_REVOKED: 'it says that the client certificate is revoked',
  CERTIFICATE_EXPIRED: 'it says that the client certificate has expired',
  CERTIFICATE_UNKNOWN: 'it does not accept the client certificate',
  UNKNOWN_CA: 'it does not know the authority of the client certificate',
  ACCESS_DENIED: 'it knows the client certificate and denies access',
  DECRYPT_ERROR: 'it could not verify the signature of the client key',
};

/** A handshake that failed, in words: what the server or we found, and which client certificate was offered. */
export function tlsFailure(
  error: NodeJS.ErrnoException,
  host: string,
  connection: HttpConnection,
): TransportFailure {
  const [why, ...hint] = words(error, host, connection);
  return new TransportFailure({
    sent: false,
    reason: 'tls',
    message: `no TLS with ${host}: ${why}`,
    cause: error,
    ...(hint.length === 0 ? {} : { hint }),
  });
}

type TlsError = NodeJS.ErrnoException & { cert?: { subjectaltname?: unknown } };

const words = (error: TlsError, host: string, connection: HttpConnection): Words =>
  ofServer(error, host, connection) ?? ofUs(error, connection) ?? [error.message, lookAtIt(host)];

/** What is wrong with the certificates of the server, or with its TLS. */
function ofServer(
  { code = '', message, cert }: TlsError,
  host: string,
  connection: HttpConnection,
): Words | undefined {
  const verified = faultsOfServer[code];
  if (verified !== undefined) {
    // A CA mends what an authority is missing for, and neither a date nor a purpose.
    const mends = /not trusted here|by itself|that it names/.test(verified) ? [trustIt] : [];
    const own =
      connection.ca !== undefined && /authority that is/.test(verified) ? ', and --ca does not hold it' : '';
    return [verified + own, lookAtIt(host), ...mends];
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    const names = namesOf(cert);
    return [
      `its certificate is for another name${names.length === 0 ? '' : `: ${names.join(', ')}`}`,
      lookAtIt(host),
      'obk profile edit NAME --base-url URL   # is that its address?',
    ];
  }
  // OpenSSL's words for what our level of security refuses; Node has no code for them.
  if (/too (?:weak|small)/.test(message)) {
    const what = /MD|digest/.test(message)
      ? 'a signature by an outdated hash such as SHA-1'
      : 'a key that is too weak';
    return [`its certificates have ${what}`, lookAtIt(host)];
  }
  if (/UNSUPPORTED_PROTOCOL|PROTOCOL_VERSION/.test(code)) return ['it does not speak TLS 1.2 or 1.3'];
  if (/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST/.test(code))
    return [
      'it does not speak TLS on this port',
      'obk profile edit NAME --base-url URL   # is the port right?',
    ];
  return undefined;
}

/** What the server has against the certificate that it was shown, or against its absence. */
function ofUs({ code = '' }: TlsError, connection: HttpConnection): Words | undefined {
  const alert = /ALERT_(\w+)$/.exec(code)?.[1] ?? '';
  const refused = ofClient[alert];
  const offered = offeredText(connection);
  if (refused !== undefined) return [`${refused}; ${offered}`, doctor, setOurs];
  if (alert === 'HANDSHAKE_FAILURE') {
    return [
      `it ends the handshake: no cipher in common, or it wants ${connection.certificate === undefined ? 'a' : 'another'} client certificate; ${offered}`,
      doctor,
      setOurs,
    ];
  }
  if (code === '' || code === 'ECONNRESET' || code === 'EPIPE') {
    return [
      `it closed the connection during the handshake, as many do over a client certificate; ${offered}`,
      doctor,
      setOurs,
    ];
  }
  return undefined;
}

/** The names of a certificate of a server (subjectAltName as Node writes it), the first few. */
export function namesOf(cert: { subjectaltname?: unknown } | undefined): string[] {
  const told = typeof cert?.subjectaltname === 'string' ? cert.subjectaltname : '';
  return [...told.matchAll(/(?:^|, )(?:DNS|IP Address):([A-Za-z0-9*._:-]{1,253})(?=,|$)/g)]
    .map(([, name = '']) => name)
    .slice(0, 3);
}

/** The certificate that a server was shown, as its operator would look it up. */
function offeredText({ certificate }: HttpConnection): string {
  if (certificate === undefined) return 'none was offered';
  const { subject, serialNumber, validTo } = new X509Certificate(certificate);
  const name = subject.split('\n').reverse().join(', ');
  return `offered was ${name} (serial ${serialNumber}, valid until ${new Date(validTo).toISOString().slice(0, 10)})`;
}

/** Keys, certificates and ciphers of the profile that OpenSSL does not take: its code, our error, and the words. */
const unusable: readonly (readonly [of: RegExp, code: ErrorCode, why: string])[] = [
  [
    /BAD_DECRYPT|MAC_VERIFY|UNSUPPORTED$/,
    'KEY_PASSPHRASE',
    'the passphrase of the TLS key is wrong, or the key is damaged',
  ],
  [/INTERRUPTED|PASSPHRASE/, 'KEY_PASSPHRASE', 'the TLS key is encrypted, and there is no passphrase'],
  [
    /VALUES_MISMATCH|KEY_TYPE_MISMATCH|NO_PRIVATE_KEY/,
    'KEY_MISMATCH',
    'the TLS key does not belong to the first certificate of the TLS certificate file',
  ],
  [
    /TOO_SMALL|TOO_WEAK/,
    'CERTIFICATE_WEAK',
    'the client certificate is too weak: its key, or the hash of its signature',
  ],
  [
    /NO_CIPHER_MATCH/,
    'CONNECTION_INSECURE',
    'the list of ciphers (tls.ciphers) names none that is known here',
  ],
];

/** The failure of a connection that this machine cannot even begin, with the error of it; running it again changes nothing. */
export function materialFailure(cause: NodeJS.ErrnoException): TransportFailure {
  const { code: name = 'unknown' } = cause;
  const known = unusable.find(([of]) => of.test(name));
  const [, code, why] = known ?? [
    /./,
    'CERTIFICATE_FILE' as const,
    `the client certificate, its key or the CA certificates cannot be used (${name})`,
  ];
  const hint = ['obk doctor --profile NAME --offline   # which file it is', setOurs];
  return new TransportFailure({ sent: false, reason: 'tls', message: why, cause, hint, code });
}
