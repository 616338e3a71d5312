import { verify, constants, createHash } from 'node:crypto';
import { ObkError } from '../base/errors.ts';
import { hashNames, requestDigest } from './digest.ts';
import { keyId } from './key-id.ts';
import type { SigningCertificate, SigningMaterial } from './material.ts';
import { certificatePem } from './pem.ts';
import type { CertificateHeader, SigningOptions, JwsOptions } from './signing-options.ts';

/** The request to sign: `path` is the request target as sent (with query), `body` the exact bytes. */
export interface SigningInput {
  method: string;
  path: string;
  headers: HeaderPairs;
  body: Uint8Array;
  /** The time of a JWS; that of the header Date if not given. */
  time?: Date;
}

/** The result of signing: the headers to add to the request, and each part of them for those who must explain it. */
export interface SignedRequest {
  headers: [name: string, value: string][];
  digest: string | undefined;
  signedHeaders: readonly string[];
  signingString: string;
  keyId: string;
  algorithm: string;
  signature: string;
}

const made = ['digest', 'signature', 'tpp-signature-certificate', 'x-jws-signature'];

function failed(title: string, detail: string, cause?: unknown): ObkError {
  return new ObkError({ code: 'SIGNING_FAILED', title, detail, cause });
}

/** The headers whose values are bytes in UTF-8. */
const namesPsu = /^psu-(corporate-)?id$/;

/**
 * Returns the text that is signed: `name: value` for each name (lower case), joined by newlines, none at the
 * end; the request target is the header `(request-target)`; throws SIGNING_FAILED for a header that is not
 * there or not plain ASCII (draft-cavage-http-signatures-10, section 2.3); a character of the PSU's name may also stand for a
 * byte beyond it, as it does on the wire.
 */
export function signingString(names: readonly string[], headers: HeaderPairs): string {
  return names
    .map((name) => {
      const value = headerValue(name, headers);
      if (value === undefined)
        throw failed(
          `The header ${name} is to be signed and is missing.`,
          'The profile lists it in signing.headers.',
        );
      const right = namesPsu.test(name) ? /^[\t\u0020-\u007e\u0080-\u00ff]*$/ : /^[\t\u0020-\u007e]*$/;
      if (!right.test(value))
        throw failed(
          `The header ${name} cannot be signed.`,
          'It has characters beyond ASCII, which bank and client would turn into different bytes.',
        );
      return `${name}: ${value}`;
    })
    .join('\n');
}

/** The path as it is signed: as it is sent, or with its escapes resolved. */
function targetOf(path: string, { targetEncoding }: SigningOptions): string {
  if (targetEncoding === 'encoded') return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Returns the names (lower case, in their order) of what the options sign in a request with these headers. */
export function namesToSign(options: SigningOptions, headers: HeaderPairs, hasDigest: boolean): string[] {
  const listed = options.headers.filter((name) => hasDigest || name !== 'digest');
  const names = listed
    .filter((name) => !name.endsWith('?') || headerValue(name.slice(0, -1), headers) !== undefined)
    .map((name) => name.replace('?', ''));
  if (options.requestTarget && !names.includes('(request-target)')) names.unshift('(request-target)');
  if (options.date.sign && !names.includes('date')) names.push('date');
  return options.order === 'sorted' ? names.sort() : names;
}

/**
 * Returns the value of TPP-Signature-Certificate in one form, or undefined for `none` (guidelines, section
 * 12.2).
 */
function certificateHeaderValue(der: Uint8Array, form: CertificateHeader): string | undefined {
  const base64 = Buffer.from(der).toString('base64');
  switch (form) {
    case 'bare':
      return base64;
    case 'pemOneLine':
      return `-----BEGIN CERTIFICATE-----${base64}-----END CERTIFICATE-----`;
    case 'pemUrlEncoded':
      return encodeURIComponent(certificatePem(der));
    case 'base64-of-pem':
      return Buffer.from(certificatePem(der)).toString('base64');
    case 'none':
      return undefined;
  }
}

/**
 * A quote that is not yet escaped would end the keyId; what is beyond ASCII cannot stand in a header at all.
 */
function quotable(value: string): string {
  if (!/^[\u0020-\u007e]*$/.test(value))
    throw failed(
      'The keyId cannot be written in a header.',
      'It has characters beyond ASCII: set signing.keyId.issuer to rfc2253-%20, rfc2253 or openssl.',
    );
  return value.replace(/\\.|"/g, (found) => (found === '"' ? '\\"' : found));
}

/** What signatures say of the certificate: the same for each request. */
interface Names {
  id: string;
  algorithm: string;
  certificateValue: string | undefined;
}

const lastNames = new WeakMap<SigningCertificate, { options: SigningOptions; names: Names }>();

function namesOf(certificate: SigningCertificate, options: SigningOptions): Names {
  const last = lastNames.get(certificate);
  if (last?.options === options) return last.names;
  const usual = `${certificate.keyType === 'rsa' ? 'rsa' : 'ecdsa'}-${hashNames[options.hash]}`;
  const names = {
    id: quotable(keyId(certificate, options.keyId)),
    algorithm: options.algorithmLabel ?? usual,
    certificateValue: certificateHeaderValue(certificate.der, options.certificateHeader),
  };
  lastNames.set(certificate, { options, names });
  return names;
}

async function signChecked(
  options: SigningOptions,
  material: SigningMaterial,
  bytes: Uint8Array,
): Promise<string> {
  const algorithm = { hash: options.hash, encoding: options.signatureEncoding };
  let signature: Uint8Array;
  try {
    signature = await material.sign(algorithm, bytes);
  } catch (cause) {
    if (cause instanceof ObkError) throw cause;
    throw failed('Signing failed.', 'The signer reported an error; the request was not sent.', cause);
  }
  const isProved = material.isLocal === true && proved.get(material) === options;
  if (!isProved && !isSignedBy(material.certificate, options, bytes, signature))
    throw failed(
      'The signature does not fit the certificate.',
      'The signer used another key or another algorithm than the certificate says; the request was not sent.',
    );
  proved.set(material, options);
  return Buffer.from(signature).toString('base64');
}

/** A key in memory that has signed rightly once signs rightly with the same options; a signer outside may change. */
const proved = new WeakMap<SigningMaterial, SigningOptions>();

function isSignedBy(
  { publicKey }: SigningCertificate,
  options: SigningOptions,
  bytes: Uint8Array,
  signature: Uint8Array,
): boolean {
  const key = { key: publicKey, dsaEncoding: options.signatureEncoding };
  return verify(hashNames[options.hash], bytes, key, signature);
}

/**
 * Signs a request: returns the headers Digest, Signature and TPP-Signature-Certificate to add to it; the signature was verified
 * with the certificate, that of a key in memory the first time; undefined where the profile does not sign; throws
 * SIGNING_FAILED before any byte is sent (guidelines 1.3.6 section 12, draft-cavage-http-signatures-10).
 */
export async function signRequest(
  input: SigningInput,
  options: SigningOptions,
  material: SigningMaterial,
): Promise<SignedRequest | undefined> {
  if (options.mode === 'none') return undefined;
  const taken = input.headers.find(([name]) => made.includes(name.toLowerCase()));
  if (taken !== undefined)
    throw failed(
      `The request already has the header ${taken[0]}.`,
      'It is made while signing; leave it out.',
    );

  const digest = requestDigest(input.body, options.digest);
  const all: [string, string][] = [
    ['(request-target)', `${input.method.toLowerCase()} ${targetOf(input.path, options)}`],
    ...added(['Digest', digest]),
    ...input.headers.map(([name, value]): [string, string] => [name, value]),
  ];
  if (options.mode === 'jws') return signedByJws({ ...input, headers: all }, digest, options, material);
  const signedHeaders = namesToSign(options, all, digest !== undefined);
  const text = signingString(signedHeaders, all);
  const { id, algorithm, certificateValue } = namesOf(material.certificate, options);
  const signature = await signChecked(options, material, Buffer.from(text, 'latin1'));
  const list = signedHeaders.join(' ');
  const value = `keyId="${id}",algorithm="${algorithm}",headers="${list}",signature="${signature}"`;
  return {
    headers: added(
      ['Digest', digest],
      options.carrier === 'Authorization' ? ['Authorization', `Signature ${value}`] : ['Signature', value],
      ['TPP-Signature-Certificate', certificateValue],
    ),
    digest,
    signedHeaders,
    signingString: text,
    keyId: id,
    algorithm,
    signature,
  };
}

/** Returns the headers that have a value. */
function added(...headers: readonly (readonly [name: string, value: string | undefined])[]) {
  return headers.flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]));
}

/** Signs the headers of `input`, among which the request target and the digest are. */
async function signedByJws(
  input: SigningInput,
  digest: string | undefined,
  options: SigningOptions,
  material: SigningMaterial,
): Promise<SignedRequest> {
  const at = input.time ?? new Date(headerValue('date', input.headers) ?? 0);
  const { value, ...jws } = await detachedJws(input.headers, options.jws, material, at);
  const certificate = certificateHeaderValue(material.certificate.der, options.certificateHeader);
  return {
    headers: added(
      ['Digest', digest],
      ['x-jws-signature', value],
      ['TPP-Signature-Certificate', certificate],
    ),
    digest,
    keyId: '',
    ...jws,
  };
}

/** Headers as name and value pairs, in wire order. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[];

/**
 * Returns the values of a header (name in lower case), joined as draft-cavage-http-signatures-10 section 2.3
 * says.
 */
export function headerValue(name: string, headers: HeaderPairs): string | undefined {
  let found: string | undefined;
  for (const [other, value] of headers)
    if (other.length === name.length && other.toLowerCase() === name)
      found = found === undefined ? value.trim() : `${found}, ${value.trim()}`;
  return found;
}

/** A detached JWS with what was signed, for those who must explain it. */
interface DetachedJws {
  /** The value of x-jws-signature. */
  value: string;
  signedHeaders: readonly string[];
  signingString: string;
  algorithm: string;
  signature: string;
}

/**
 * Returns a detached JWS over headers of a request: the payload is a line for each header of sigD, the claim b64 is false
 * (RFC 7797, ETSI TS 119 182-1 section 5.2.8.2, Open Banking Europe). `headers` has the request target too. The signature was
 * verified with the certificate; throws SIGNING_FAILED.
 */
async function detachedJws(
  headers: HeaderPairs,
  options: JwsOptions,
  material: SigningMaterial,
  at: Date,
): Promise<DetachedJws> {
  const pars = options.pars
    .filter((name) => !name.endsWith('?') || headerValue(name.slice(0, -1), headers) !== undefined)
    .map((name) => name.replace('?', ''));
  const lines = pars.map((name) => `${name}: ${required(name, headers)}`).join('\n');
  const payload = options.trailingNewline ? `${lines}\n` : lines;
  const { certificate } = material;
  const alg = algorithmOf(options, certificate.keyType);
  const head = base64url(
    JSON.stringify({
      alg,
      ...(options.certificate === 'x5c'
        ? { x5c: [Buffer.from(certificate.der).toString('base64')] }
        : { 'x5t#S256': createHash('sha256').update(certificate.der).digest('base64url') }),
      crit: ['sigT', 'sigD', 'b64'],
      b64: false,
      sigT: at.toISOString().replace(/\.\d+Z$/, 'Z'),
      sigD: { pars, mId: 'http://uri.etsi.org/19182/HttpHeaders' },
    }),
  );
  const signingString = `${head}.${payload}`;
  const bytes = Buffer.from(signingString, 'latin1');
  const hash = 'SHA-256';
  const padding = alg === 'PS256' ? ({ padding: 'pss' } as const) : {};
  const made = await material.sign({ hash, encoding: 'ieee-p1363', ...padding }, bytes);
  const key = {
    key: certificate.publicKey,
    dsaEncoding: 'ieee-p1363' as const,
    ...(alg === 'PS256' ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 } : {}),
  };
  if (!verify(hashNames[hash], bytes, key, made))
    throw failed(
      'The signature does not fit the certificate.',
      'The signer used another key or another algorithm than the certificate says; the request was not sent.',
    );
  const signature = Buffer.from(made).toString('base64url');
  return { value: `${head}..${signature}`, signedHeaders: pars, signingString, algorithm: alg, signature };
}

function algorithmOf({ alg }: JwsOptions, keyType: 'rsa' | 'ec'): string {
  const own = keyType === 'rsa' ? 'RS256' : 'ES256';
  if (alg === 'key' || alg === own) return own;
  if (alg === 'PS256' && keyType === 'rsa') return alg;
  throw failed(
    `The key cannot sign with ${alg}.`,
    `signing.jws.alg wants another kind of key than this ${keyType.toUpperCase()} key; the request was not sent.`,
  );
}

function required(name: string, headers: HeaderPairs): string {
  const value = headerValue(name, headers);
  if (value === undefined)
    throw failed(
      `The header ${name} is to be signed and is missing.`,
      'The profile lists it in signing.jws.pars.',
    );
  return value;
}

const base64url = (text: string): string => Buffer.from(text, 'utf8').toString('base64url');
