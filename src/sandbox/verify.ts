import { createHash, timingSafeEqual, verify as verifySignature } from 'node:crypto';
import { parseName } from './names.ts';
import { unauthorised } from './refusal.ts';
import type { TppCertificate, TppCertificates } from './tpp-certificate.ts';

/** The headers that the list of a signature must hold if and only if they were sent. */
const signedIfSent = ['psu-id', 'psu-corporate-id', 'tpp-redirect-uri'] as const;
const hashes: Readonly<Record<string, string>> = { 'SHA-256': 'sha256', 'SHA-512': 'sha512' };
const algorithms: Readonly<Record<string, { key: string; hash: string }>> = {
  'rsa-sha256': { key: 'rsa', hash: 'sha256' },
  'rsa-sha512': { key: 'rsa', hash: 'sha512' },
  'ecdsa-sha256': { key: 'ec', hash: 'sha256' },
  'ecdsa-sha512': { key: 'ec', hash: 'sha512' },
};

const invalid = (text: string) => unauthorised('SIGNATURE_INVALID', text);

/** Checks Digest, Signature and certificate of a request (guidelines, chapter 12); throws Refusal 401. */
export function verifyRequest(
  headers: Headers,
  body: Uint8Array,
  certificates: TppCertificates,
  now: Date,
): TppCertificate {
  const signature = headers.get('signature');
  if (signature === null) throw unauthorised('SIGNATURE_MISSING', 'The request has no Signature.');
  const header = headers.get('tpp-signature-certificate');
  if (header === null) throw unauthorised('CERTIFICATE_MISSING', 'There is no TPP-Signature-Certificate.');
  const certificate = certificates.read(header, now);
  checkDigest(headers.get('digest'), body);
  const parameters = parseSignature(signature);
  checkKeyId(parameters.keyId, certificate);
  const names = parameters.headers.split(' ');
  checkNames(names, headers);
  checkSignature(parameters, signingString(names, headers), certificate);
  return certificate;
}

function checkDigest(digest: string | null, body: Uint8Array): void {
  if (digest === null) throw invalid('The request has no Digest.');
  const match = /^(SHA-256|SHA-512)=([A-Za-z0-9+/]+={0,2})$/i.exec(digest.trim());
  const hash = hashes[match?.[1]?.toUpperCase() ?? ''];
  if (match?.[2] === undefined || hash === undefined)
    throw invalid('Digest is not SHA-256=... or SHA-512=...');
  const sent = Buffer.from(match[2], 'base64');
  const right = createHash(hash).update(body).digest();
  if (sent.length !== right.length || !timingSafeEqual(sent, right)) {
    throw invalid('Digest is not that of the body received.');
  }
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

/** The serial compares as a number and the issuer as a set of attributes: spellings of keyId differ (by DN, by case). */
function checkKeyId(keyId: string, certificate: TppCertificate): void {
  if (certificate.keyIds.has(keyId)) return;
  const match = /^SN=([0-9a-fA-F]+)\s*,\s*CA=(.+)$/i.exec(keyId);
  if (match?.[1] === undefined || match[2] === undefined) throw invalid('keyId is not SN=...,CA=...');
  if (BigInt(`0x${match[1]}`) !== certificate.serial) throw invalid('keyId names another serial number.');
  const issuer = parseName(decode(match[2]));
  if (issuer?.join('\n') !== certificate.issuer.join('\n')) throw invalid('keyId names another issuer.');
  if (certificate.keyIds.size < 10) certificate.keyIds.add(keyId);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function checkNames(names: readonly string[], headers: Headers): void {
  const listed = new Set(names);
  if (listed.size !== names.length) throw invalid('The list of signed headers repeats a name.');
  for (const name of [
    'digest',
    'x-request-id',
    ...signedIfSent.filter((optional) => headers.has(optional)),
  ]) {
    if (!listed.delete(name)) throw invalid(`The list of signed headers lacks ${name}.`);
  }
  const [other] = listed;
  if (other !== undefined) throw invalid(`The list of signed headers may not hold ${JSON.stringify(other)}.`);
}

function signingString(names: readonly string[], headers: Headers): string {
  return names.map((name) => `${name}: ${headers.get(name)?.trim() ?? ''}`).join('\n');
}

function checkSignature(parameters: Parameters, signed: string, certificate: TppCertificate): void {
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
      verifySignature(algorithm.hash, bytes, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature));
  if (!good) throw invalid('The signature is not that of these headers and this key.');
}
