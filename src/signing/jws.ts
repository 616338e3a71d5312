import { constants, createHash, verify } from 'node:crypto';
import { ObkError } from '../base/errors.ts';
import { hashNames } from './digest.ts';
import type { SigningMaterial } from './material.ts';
import { headerValue } from './header-value.ts';
import type { HeaderPairs } from './header-value.ts';
import type { JwsOptions } from './signing-options.ts';

/** A detached JWS with what was signed, for those who must explain it. */
export interface DetachedJws {
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
export async function detachedJws(
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

function failed(title: string, detail: string): ObkError {
  return new ObkError({ code: 'SIGNING_FAILED', title, detail });
}
