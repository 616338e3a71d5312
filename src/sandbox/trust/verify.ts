import { verify as verifySignature } from 'node:crypto';
import { checkDigest, rightDigest } from './digest.ts';
import { checkKeyId } from './key-id.ts';
import { unauthorised } from '../rules/refusal.ts';
import { withHeader } from './request-headers.ts';
import type { RequestHeaders } from './request-headers.ts';
import type { SignatureRules } from './signature-rules.ts';
import type { TppCertificate, TppCertificates } from './tpp-certificate.ts';

/** The headers that the list of a signature must hold if and only if they were sent. */
const signedIfSent = ['psu-id', 'psu-corporate-id', 'tpp-redirect-uri'] as const;
const algorithms: Readonly<Record<string, { key: string; hash: string }>> = {
  'rsa-sha256': { key: 'rsa', hash: 'sha256' },
  'rsa-sha512': { key: 'rsa', hash: 'sha512' },
  'ecdsa-sha256': { key: 'ec', hash: 'sha256' },
  'ecdsa-sha512': { key: 'ec', hash: 'sha512' },
};
/** How far Date may be from the bank's time. */
const dateWindowMs = 5 * 60_000;

const invalid = (text: string) => unauthorised('SIGNATURE_INVALID', text);

/** Checks Digest, Signature and certificate of a request (guidelines, chapter 12); throws Refusal 401 or 400. */
export function verifyRequest(
  headers: RequestHeaders,
  body: Uint8Array,
  certificates: TppCertificates,
  now: Date,
  rules: SignatureRules,
): TppCertificate {
  const signature = headers.get('signature');
  if (signature === null) throw unauthorised('SIGNATURE_MISSING', 'The request has no Signature.');
  const header = headers.get('tpp-signature-certificate');
  if (header === null) throw rules.refuse('certificate-missing', 'There is no TPP-Signature-Certificate.');
  checkForm(header, rules);
  const certificate = certificates.read(header, now);
  if (rules.mode === 'strict' && !certificate.types.has('eseal'))
    throw unauthorised('CERTIFICATE_INVALID', 'The certificate is not one for seals (QSealC).');
  checkDate(headers.get('date'), now, rules);
  checkDigest(headers.get('digest'), body, rules);
  const parameters = parseSignature(signature);
  checkKeyId(parameters.keyId, certificate, rules.keyId);
  const names = parameters.headers.split(' ');
  checkNames(names, headers, rules);
  checkSignature(parameters, signingString(names, headers), certificate, rules);
  return certificate;
}

/** The values that a correct request would have: the digest of the received body, and the string to sign with it. */
export interface Expected {
  digest: string;
  signingString: string;
}

/** Tells what the bank expects of a signature; the order of the list is the one sent if that is right. Without `body` Digest is right. */
export function expectedOf(
  headers: RequestHeaders,
  body: Uint8Array | undefined,
  rules: SignatureRules,
): Expected {
  const digest =
    body === undefined ? (headers.get('digest') ?? '') : rightDigest(headers.get('digest'), body, rules);
  const sent = /(?:^|,)\s*headers="([^"]*)"/.exec(headers.get('signature') ?? '')?.[1]?.split(' ') ?? [];
  const wanted = mandatory(headers, rules);
  const right = sent.length === wanted.length && wanted.every((name) => sent.includes(name));
  const values = withHeader(headers, 'digest', digest);
  return { digest, signingString: signingString(right ? sent : wanted, values) };
}

function checkForm(header: string, { certificate }: SignatureRules): void {
  if (
    certificate === 'pem-line' &&
    !/^-----BEGIN CERTIFICATE-----[^-%]+-----END CERTIFICATE-----$/.test(header)
  )
    throw unauthorised('CERTIFICATE_INVALID', 'TPP-Signature-Certificate is not PEM in one line.');
  if (certificate === 'bare' && !/^[A-Za-z0-9+/]+={0,2}$/.test(header))
    throw unauthorised('CERTIFICATE_INVALID', 'TPP-Signature-Certificate is not base64 of DER alone.');
}

/** RFC 9110 5.6.7, the form that senders have to use. */
const httpDate =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;

function checkDate(date: string | null, now: Date, rules: SignatureRules): void {
  if (rules.date === 'ignored') return;
  if (date === null) throw rules.refuse('date-missing', 'The request has no Date.');
  const sent = httpDate.test(date) ? Date.parse(date) : Number.NaN;
  if (Number.isNaN(sent)) throw rules.refuse('date-missing', 'Date is not a date of HTTP.');
  if (Math.abs(sent - now.getTime()) > dateWindowMs)
    throw rules.refuse('date-window', `Date is more than 5 minutes from ${now.toUTCString()}.`);
}

interface Parameters {
  keyId: string;
  algorithm: string;
  headers: string;
  signature: string;
}

/** Reads `name="value"` pairs; each of the four once, in any order. */
function parseSignature(header: string): Parameters {
  const found = new Map<string, string>();
  let rest = header.trim();
  while (rest !== '') {
    const match = /^([A-Za-z]+)="([^"]*)"\s*(?:,\s*|$)/.exec(rest);
    if (match?.[1] === undefined || match[2] === undefined || found.has(match[1])) {
      throw invalid('The Signature header cannot be read.');
    }
    found.set(match[1], match[2]);
    rest = rest.slice(match[0].length);
  }
  const take = (name: string) => {
    const value = found.get(name);
    if (value === undefined || value === '') throw invalid(`The Signature header has no ${name}.`);
    return value;
  };
  return {
    keyId: take('keyId'),
    algorithm: take('algorithm'),
    headers: take('headers'),
    signature: take('signature'),
  };
}

/** The names that the list of signed headers must contain; any other is refused. */
function mandatory(headers: RequestHeaders, { date }: SignatureRules): string[] {
  return [
    'digest',
    'x-request-id',
    ...signedIfSent.filter((optional) => headers.has(optional)),
    ...(date === 'signed' ? ['date'] : []),
  ];
}

function checkNames(names: readonly string[], headers: RequestHeaders, rules: SignatureRules): void {
  const listed = new Set(names);
  if (listed.size !== names.length) throw invalid('The list of signed headers repeats a name.');
  for (const name of mandatory(headers, rules)) {
    if (!listed.delete(name)) throw invalid(`The list of signed headers lacks ${name}.`);
  }
  const [other] = listed;
  if (other !== undefined) throw invalid(`The list of signed headers may not hold ${JSON.stringify(other)}.`);
}

function signingString(names: readonly string[], headers: RequestHeaders): string {
  return names.map((name) => `${name}: ${headers.get(name)?.trim() ?? ''}`).join('\n');
}

function checkSignature(
  parameters: Parameters,
  signed: string,
  certificate: TppCertificate,
  { mode }: SignatureRules,
): void {
  const algorithm = algorithms[parameters.algorithm];
  if (algorithm === undefined) throw invalid('The algorithm of the signature is not known here.');
  const { publicKey } = certificate;
  if (publicKey.asymmetricKeyType !== algorithm.key) throw invalid('The algorithm does not fit the key.');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(parameters.signature)) throw invalid('The signature is not base64.');
  const signature = Buffer.from(parameters.signature, 'base64');
  const bytes = Buffer.from(signed, 'latin1');
  const good =
    verifySignature(algorithm.hash, bytes, publicKey, signature) ||
    (algorithm.key === 'ec' &&
      mode !== 'strict' &&
      verifySignature(algorithm.hash, bytes, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature));
  if (!good) throw invalid('The signature is not that of these headers and this key.');
}
