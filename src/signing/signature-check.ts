import { verify } from 'node:crypto';
import { hashNames, verifyDigest } from './digest.ts';
import { nameSpellings } from './distinguished-name.ts';
import type { NameSpelling } from './distinguished-name.ts';
import { keyId, serialSpellings } from './key-id.ts';
import type { KeyIdFacts, SerialSpelling } from './key-id.ts';
import type { SigningCertificate } from './material.ts';
import { headerValue } from './header-value.ts';
import type { SigningInput } from './signature.ts';
import type { SignatureEncoding } from './signing-options.ts';

/** The parameters of a Signature header; a missing one is empty (draft-cavage-http-signatures-10, section 2.1). */
export interface SignatureParameters {
  keyId: string;
  algorithm: string;
  /** In lower case, in the order of the signing string. */
  headers: readonly string[];
  signature: string;
}

/** One thing that was checked: `text` says what was found; only what is `needed` decides whether the request verifies. */
export interface SignatureCheck {
  name: 'digest' | 'headers' | 'key-id' | 'algorithm' | 'signature' | 'certificate';
  ok: boolean;
  needed: boolean;
  text: string;
}

/** Reads a Signature header, or an Authorization header of the scheme Signature. */
export function readSignature(header: string): SignatureParameters {
  const found = new Map<string, string>();
  for (const [, name = '', value = ''] of header.matchAll(/([A-Za-z]+)\s*=\s*"((?:[^"\\]|\\.)*)"/g))
    if (!found.has(name)) found.set(name, value.replace(/\\"/g, '"'));
  const get = (name: string) => found.get(name) ?? '';
  // The draft lets a client leave the list out: then only Date is signed.
  const headers = (found.get('headers') ?? 'date')
    .toLowerCase()
    .split(/\s+/)
    .filter((name) => name !== '');
  return { keyId: get('keyId'), algorithm: get('algorithm'), headers, signature: get('signature') };
}

/** The value of each header that can be signed, by its name in lower case, with `(request-target)`. */
export function signableValues({ method, path, headers }: SigningInput): ReadonlyMap<string, string> {
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  const values = [...names].map((name): [string, string] => [name, headerValue(name, headers) ?? '']);
  return new Map([...values, ['(request-target)', `${method.toLowerCase()} ${path}`]]);
}

/** The signing string as the list of the signature says; a header that was not sent stands as empty. */
export function receivedString(names: readonly string[], values: ReadonlyMap<string, string>): string {
  return names.map((name) => `${name}: ${values.get(name) ?? ''}`).join('\n');
}

/** The form of the keyId, as settings of a profile, or undefined where it is none that obk knows. */
function keyIdSpelling(
  text: string,
  facts: KeyIdFacts,
): { serial: SerialSpelling; issuer: NameSpelling } | undefined {
  for (const issuer of nameSpellings) {
    for (const serial of serialSpellings) {
      if (keyId(facts, { template: 'SN={serial},CA={issuer}', serial, issuer }) === text)
        return { serial, issuer };
    }
  }
  return undefined;
}

const must = ['digest', 'x-request-id'];
const ifSent = ['psu-id', 'psu-corporate-id', 'tpp-redirect-uri'];

/** Checks a request that carries a signature, as a bank would (guidelines 1.3.6, section 12). */
export function checkSignature(
  input: SigningInput,
  parameters: SignatureParameters,
  certificate: SigningCertificate,
  now: Date,
): SignatureCheck[] {
  const values = signableValues(input);
  const digest = values.get('digest');
  const matches = digest !== undefined && verifyDigest(digest, input.body);
  const spelling = keyIdSpelling(parameters.keyId, certificate);
  const valid = now >= certificate.notBefore && now <= certificate.notAfter;
  const validity = `valid from ${certificate.notBefore.toISOString()} to ${certificate.notAfter.toISOString()}`;
  return [
    {
      name: 'digest',
      ok: matches,
      needed: true,
      text:
        digest === undefined
          ? 'There is no Digest.'
          : matches
            ? 'Digest matches the body.'
            : 'Digest does not match the body.',
    },
    headerCheck(parameters.headers, values),
    {
      name: 'key-id',
      ok: spelling !== undefined,
      needed: false,
      text:
        spelling === undefined
          ? 'keyId names another certificate, or spells this one in a way that obk does not know.'
          : `keyId names the certificate: signing.keyId.serial=${spelling.serial}, signing.keyId.issuer=${spelling.issuer}.`,
    },
    ...algorithmChecks(parameters, certificate, values),
    {
      name: 'certificate',
      ok: valid,
      needed: false,
      text: `The certificate is ${valid ? '' : 'not '}valid now: ${validity}.`,
    },
  ];
}

function headerCheck(names: readonly string[], values: ReadonlyMap<string, string>): SignatureCheck {
  const absent = names.filter((name) => !values.has(name));
  const wanted = [...must, ...ifSent.filter((name) => values.has(name))].filter(
    (name) => !names.includes(name),
  );
  const more = names.filter((name) => ![...must, ...ifSent].includes(name));
  const parts = [
    ...(absent.length === 0 ? [] : [`signed but not sent: ${absent.join(', ')}`]),
    ...(wanted.length === 0 ? [] : [`not signed, though the guidelines want it: ${wanted.join(', ')}`]),
    ...(more.length === 0 ? [] : [`signed beyond the guidelines: ${more.join(', ')}`]),
  ];
  return {
    name: 'headers',
    ok: parts.length === 0,
    needed: absent.length > 0,
    text:
      parts.length === 0 ? 'The list of signed headers is that of the guidelines.' : `${parts.join('; ')}.`,
  };
}

function algorithmChecks(
  { algorithm, headers, signature }: SignatureParameters,
  { publicKey, keyType }: SigningCertificate,
  values: ReadonlyMap<string, string>,
): SignatureCheck[] {
  const label = algorithm.toLowerCase();
  const ours =
    keyType === 'rsa' ? /^(rsa-sha|sha)(256|512)(withrsa)?$/ : /^(ecdsa-sha|sha)(256|512)(withecdsa)?$/;
  const hash = hashNames[label.includes('512') ? 'SHA-512' : 'SHA-256'];
  const known = ours.test(label);
  const text = Buffer.from(receivedString(headers, values), 'latin1');
  const bytes = Buffer.from(signature, 'base64');
  const encodings: SignatureEncoding[] = ['der', 'ieee-p1363'];
  const encoding = encodings.find((dsaEncoding) =>
    verify(hash, text, { key: publicKey, dsaEncoding }, bytes),
  );
  const form =
    keyType === 'ec' && encoding === 'ieee-p1363' ? ' (r and s side by side: some banks take DER only)' : '';
  return [
    {
      name: 'algorithm',
      ok: known,
      needed: false,
      text: known
        ? `The algorithm ${algorithm} fits the key.`
        : `The algorithm ${JSON.stringify(algorithm)} is not one that the standard has for a key of type ${keyType}.`,
    },
    {
      name: 'signature',
      ok: encoding !== undefined,
      needed: true,
      text:
        encoding === undefined
          ? 'The signature does not fit the signing string and the key of the certificate.'
          : `The signature fits the signing string and the key of the certificate${form}.`,
    },
  ];
}
