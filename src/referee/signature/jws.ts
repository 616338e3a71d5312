import { constants, createHash, verify, X509Certificate } from 'node:crypto';
import { isJsonObject, readJson, stringMember } from '../../standard/xs2a/json.ts';
import type { JsonObject, JsonValue } from '../../standard/xs2a/json.ts';
import type { RequestHeaders } from '../request-headers.ts';
import { digestMistake } from './digest.ts';
import type { SignatureRules } from './signature-rules.ts';
import type { TppCertificate, TppCertificates } from './tpp-certificate.ts';

/** A request with a detached JWS: path and query as on the request line. */
export interface JwsRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: RequestHeaders;
  readonly body: Uint8Array;
}

/** What a bank wants of a JWS besides; what it does not say may be as it likes. */
export interface JwsDemands {
  readonly jws: {
    readonly trailingNewline?: boolean;
    readonly maxAgeS?: number;
    /** The one algorithm; `key` is RS256 or ES256, as the key is. */
    readonly alg?: 'key' | 'RS256' | 'PS256' | 'ES256';
    /** The headers that are signed; those with ? if they were sent. */
    readonly pars?: readonly string[];
    /** How it shows the certificate. */
    readonly certificate?: 'x5c' | 'x5t#S256';
  };
  readonly rules: SignatureRules;
}

/** The certificate of a JWS that fits, or what is wrong with it as a bank tells it. */
export type JwsVerdict = { certificate: TppCertificate } | { code: string; text: string };

const wrong = (text: string, code = 'SIGNATURE_INVALID') => ({ code, text });

/**
 * Verifies x-jws-signature: a detached JWS whose payload is the lines of the headers in sigD (RFC 7515 appendix F, RFC 7797,
 * ETSI TS 119 182-1 5.2.8.2), the header Digest among them for the body.
 */
export function verifyJws(
  request: JwsRequest,
  certificates: TppCertificates,
  now: Date,
  { jws: demands, rules }: JwsDemands,
): JwsVerdict {
  const { trailingNewline = false, maxAgeS = 60, alg: wantedAlg } = demands;
  const sent = request.headers.get('x-jws-signature');
  if (sent === null) return wrong('There is no x-jws-signature.', 'SIGNATURE_MISSING');
  const [head = '', payload, signature, more] = sent.split('.');
  const claims = claimsIn(head);
  if (claims === undefined || payload !== '' || signature === undefined || more !== undefined)
    return wrong('x-jws-signature is no detached JWS.');
  const pars = textsIn(isJsonObject(claims['sigD']) ? claims['sigD']['pars'] : undefined);
  if (claims['b64'] !== false || !textsIn(claims['crit']).includes('sigD') || pars.length === 0)
    return wrong(
      'The JWS must have b64 false, and sigD as a critical header with the headers that it signs.',
    );
  const age = (now.getTime() - Date.parse(stringMember(claims, 'sigT') ?? '')) / 1000;
  if (!(Math.abs(age) <= maxAgeS))
    return wrong(`sigT is not within ${String(maxAgeS)} seconds.`, 'TIMESTAMP_INVALID');
  const unsigned = parsMistake(
    pars.map((one) => one.toLowerCase()),
    request.headers,
    demands.pars,
  );
  if (unsigned !== undefined) return wrong(unsigned);
  const digest = digestMistake(request.headers.get('digest'), request.body, rules);
  if (digest !== undefined) return wrong(digest.text);
  const lines = linesOf(request, pars);
  if ('missing' in lines) return wrong(`The JWS signs ${lines.missing}, which is not there.`);
  if (demands.certificate !== undefined && (claims[demands.certificate] === undefined || isBoth(claims)))
    return wrong(`The JWS shows its certificate by ${demands.certificate} here.`);
  const shown = certificateIn(claims, request.headers);
  if (shown === undefined) return wrong('The JWS shows no certificate.', 'CERTIFICATE_MISSING');
  const { certificate, mistake } = certificates.read(shown.raw.toString('base64'), now);
  if (mistake !== undefined || certificate === undefined)
    return mistake ?? wrong('The certificate cannot be read.', 'CERTIFICATE_INVALID');
  const text = `${head}.${lines.text}${trailingNewline ? '\n' : ''}`;
  const alg = stringMember(claims, 'alg') ?? '';
  const right = wantedAlg === 'key' ? algOf(certificate) : wantedAlg;
  if (right !== undefined && alg !== right) return wrong(`alg is not ${right}.`);
  const key = keyFor(alg, certificate);
  if (key === undefined) return wrong('alg does not fit the key of the certificate.');
  return verify('sha256', Buffer.from(text, 'latin1'), key, Buffer.from(signature, 'base64url'))
    ? { certificate }
    : wrong('The JWS does not fit the headers.');
}

const isBoth = (claims: JsonObject) => claims['x5c'] !== undefined && claims['x5t#S256'] !== undefined;

const algOf = ({ publicKey }: TppCertificate) => (publicKey.asymmetricKeyType === 'rsa' ? 'RS256' : 'ES256');

/** What is wrong with the list of signed headers: a bank has one of its own, or wants two of them at least. */
function parsMistake(
  pars: readonly string[],
  headers: RequestHeaders,
  own: readonly string[] | undefined,
): string | undefined {
  const wanted = (own ?? ['digest', 'x-request-id']).flatMap((name) => {
    const bare = name.replace('?', '').toLowerCase();
    return bare !== name.toLowerCase() && !headers.has(bare) ? [] : [bare];
  });
  const missing = wanted.find((name) => !pars.includes(name));
  if (missing !== undefined) return `The JWS does not sign ${missing}.`;
  const other = own && pars.find((name) => !wanted.includes(name));
  return other === undefined ? undefined : `The JWS may not sign ${JSON.stringify(other)} here.`;
}

function claimsIn(head: string): JsonObject | undefined {
  try {
    const json: JsonValue = readJson(Buffer.from(head, 'base64url'));
    return isJsonObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

const textsIn = (value: JsonValue | undefined): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

function linesOf(
  { method, target, headers }: JwsRequest,
  pars: readonly string[],
): { text: string } | { missing: string } {
  const lines: string[] = [];
  for (const name of pars) {
    const value = name === '(request-target)' ? `${method.toLowerCase()} ${target}` : headers.get(name);
    if (value === null) return { missing: name };
    lines.push(`${name.toLowerCase()}: ${value.trim()}`);
  }
  return { text: lines.join('\n') };
}

/** The certificate in x5c, or the one of its header where x5t#S256 names that. */
function certificateIn(claims: JsonObject, headers: RequestHeaders): X509Certificate | undefined {
  const { x5c, 'x5t#S256': thumbprint } = claims;
  const [first] = Array.isArray(x5c) ? x5c : [headers.get('tpp-signature-certificate')];
  if (typeof first !== 'string') return undefined;
  try {
    const shown = new X509Certificate(Buffer.from(first, 'base64'));
    const own = createHash('sha256').update(shown.raw).digest('base64url');
    return thumbprint === undefined || thumbprint === own ? shown : undefined;
  } catch {
    return undefined;
  }
}

function keyFor(alg: string, { publicKey }: TppCertificate): Parameters<typeof verify>[2] | undefined {
  const isRsa = publicKey.asymmetricKeyType === 'rsa';
  if (alg === 'ES256') return isRsa ? undefined : { key: publicKey, dsaEncoding: 'ieee-p1363' };
  if (!isRsa) return undefined;
  if (alg === 'RS256') return publicKey;
  if (alg !== 'PS256') return undefined;
  return { key: publicKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
}
