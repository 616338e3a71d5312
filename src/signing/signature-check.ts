import { verify } from 'node:crypto';
import { purposeOf } from './certificate-lint.ts';
import type { CertificateReport } from './certificate-report.ts';
import { hashNames, verifyDigest } from './digest.ts';
import { readBase64 } from './base64-text.ts';
import { nameSpellings, spellName } from './distinguished-name.ts';
import type { NameSpelling } from './distinguished-name.ts';
import { namesSame } from './distinguished-name.ts';
import { keyId, serialSpellings, spellSerial } from './key-id.ts';
import type { KeyIdFacts, KeyIdOptions, SerialSpelling } from './key-id.ts';
import type { SigningCertificate } from './material.ts';
import { headerValue } from './sign-request.ts';
import type { SigningInput } from './sign-request.ts';
import type { CertificateHeader, SignatureEncoding } from './signing-options.ts';

/** The parameters of a Signature header; a missing one is empty (draft-cavage-http-signatures-10, section 2.1). */
export interface SignatureParameters {
  keyId: string;
  algorithm: string;
  /** In lower case, in the order of the signing string. */
  headers: readonly string[];
  /** The same as they were written; undefined where there is no list. */
  list: string | undefined;
  signature: string;
  /** What is wrong with the form of the header, in words. */
  faults: readonly string[];
}

/**
 * One thing that was checked: `text` says what was found, `hint` what mends it; only what is `needed` decides whether the
 * request verifies.
 */
export interface SignatureCheck {
  name: 'parameters' | 'digest' | 'headers' | 'key-id' | 'algorithm' | 'signature' | 'certificate';
  ok: boolean;
  needed: boolean;
  text: string;
  hint?: string;
}

const wanted = ['keyId', 'signature'] as const;
const quotedOnes = ['keyId', 'algorithm', 'headers', 'signature'];

/**
 * Reads the value of a Signature header, or of an Authorization header behind its scheme; what has no quotes is read as far as it
 * goes.
 */
export function readSignature(header: string): SignatureParameters {
  const found = new Map<string, string>();
  const faults: string[] = [];
  const [scheme = ''] = /^\s*Signature\s+(?=[A-Za-z]+\s*=)/i.exec(header) ?? [];
  if (scheme !== '')
    faults.push('it begins with Signature, which belongs into an Authorization header alone');
  let rest = header.slice(scheme.length);
  for (;;) {
    const [head, name = ''] = /^[\s,]*([A-Za-z]+)\s*=\s*/.exec(rest) ?? [];
    if (head === undefined) break;
    rest = rest.slice(head.length);
    const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(rest);
    const bare = quoted === null ? bareValue.exec(rest) : null;
    const value = quoted?.[1]?.replace(/\\"/g, '"') ?? bare?.[1]?.trim().replace(/^["']|["']$/g, '') ?? '';
    rest = rest.slice((quoted ?? bare)?.[0].length ?? 0);
    if (quoted === null && quotedOnes.includes(name)) faults.push(`${name}= is not in double quotes`);
    if (found.has(name)) faults.push(`${name}= is there more than once`);
    else found.set(name, value);
  }
  if (rest.trim() !== '') faults.push(`what follows the parameters is none: ${rest.trim().slice(0, 40)}`);
  const get = (name: string) => found.get(name) ?? '';
  faults.push(...wanted.filter((name) => get(name) === '').map((name) => `there is no ${name}="..."`));
  const list = found.get('headers');
  // The draft lets a client leave the list out: then only Date is signed.
  const headers = (list ?? 'date')
    .toLowerCase()
    .split(/\s+/)
    .filter((name) => name !== '');
  return {
    keyId: get('keyId'),
    algorithm: get('algorithm'),
    headers,
    list,
    signature: get('signature'),
    faults,
  };
}

/** A value without quotes, with the blanks behind it: up to the next parameter, since a name in keyId has commas of its own. */
const bareValue = /^(.*?)(?=,\s*(?:keyId|algorithm|headers|signature|created|expires)\s*=|$)/s;

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

/** How a bank wants the keyId; `only` where that of the guidelines is wrong for it. */
type KeyIdForm = KeyIdOptions & { only: boolean };

const must = ['digest', 'x-request-id'];
const ifSent = ['psu-id', 'psu-corporate-id', 'tpp-redirect-uri'];

/** The facts that a bank checks a signature with. */
interface SignatureFacts {
  certificate: SigningCertificate;
  now: Date;
  /** The keyId of a bank with a form of its own. */
  form?: KeyIdForm | undefined;
}

/** Checks a request that carries a signature, as a bank would (guidelines 1.3.6, section 12). */
export function checkSignature(
  input: SigningInput,
  parameters: SignatureParameters,
  { certificate, now, form }: SignatureFacts,
): SignatureCheck[] {
  const values = signableValues(input);
  return [
    ...parameterChecks(parameters),
    digestCheck(values.get('digest'), input.body),
    headerCheck(parameters, values),
    keyIdCheck(parameters.keyId, certificate, form),
    algorithmCheck(parameters.algorithm, certificate),
    signatureCheck(parameters, certificate, values),
    validityCheck(certificate, now),
  ];
}

function parameterChecks({ faults }: SignatureParameters): SignatureCheck[] {
  return faults.length === 0
    ? []
    : [
        {
          name: 'parameters',
          ok: false,
          needed: true,
          text: `The Signature header is not as it must be: ${faults.join('; ')}.`,
          hint: 'Write keyId="...",algorithm="...",headers="...",signature="...".',
        },
      ];
}

function digestCheck(digest: string | undefined, body: Uint8Array): SignatureCheck {
  const check = { name: 'digest', needed: true } as const;
  const hint =
    'Send Digest: SHA-256= and the base64 of the hash of the body as it is sent, of no bytes where there is none.';
  if (digest === undefined) return { ...check, ok: false, text: 'There is no Digest.', hint };
  if (verifyDigest(digest, body)) return { ...check, ok: true, text: 'Digest matches the body.' };
  const isKnown = /(^|,)\s*sha-(256|512)=/i.test(digest);
  return {
    ...check,
    ok: false,
    text: isKnown ? 'Digest does not match the body.' : 'Digest has neither SHA-256 nor SHA-512.',
    hint,
  };
}

function headerCheck(
  { headers, list }: SignatureParameters,
  values: ReadonlyMap<string, string>,
): SignatureCheck {
  const absent = headers.filter((name) => !values.has(name));
  const right = [...must, ...ifSent.filter((name) => values.has(name))];
  const missing = right.filter((name) => !headers.includes(name));
  const more = headers.filter((name) => ![...must, ...ifSent].includes(name));
  const errors = [
    ...(list === undefined ? ['there is no list headers=, so only date is signed'] : []),
    ...(list !== undefined && /[A-Z]/.test(list) ? ['the names must be in lower case'] : []),
    ...(absent.length === 0 ? [] : [`signed but not sent: ${absent.join(', ')}`]),
    ...(missing.length === 0 ? [] : [`not signed, though the guidelines want it: ${missing.join(', ')}`]),
  ];
  const parts = [
    ...errors,
    ...(more.length === 0 || list === undefined ? [] : [`signed beyond the guidelines: ${more.join(', ')}`]),
  ];
  if (parts.length === 0)
    return {
      name: 'headers',
      ok: true,
      needed: false,
      text: 'The list of signed headers is that of the guidelines.',
    };
  return {
    name: 'headers',
    ok: false,
    needed: errors.length > 0,
    text: `The list of signed headers is not that of the guidelines: ${parts.join('; ')}.`,
    hint: `Sign headers="${right.join(' ')}".`,
  };
}

function keyIdCheck(text: string, certificate: SigningCertificate, form?: KeyIdForm): SignatureCheck {
  const check = { name: 'key-id', needed: true } as const;
  if (form !== undefined) {
    const own = keyId(certificate, form);
    if (own === text)
      return { ...check, ok: true, text: `keyId is as the profile writes it: ${form.template}.` };
    const other = `keyId is not as the profile writes it: ${form.template}.`;
    if (form.only) return { ...check, ok: false, text: other, hint: `Write keyId="${own}".` };
  }
  const standard = { template: 'SN={serial},CA={issuer}', serial: 'hex', issuer: 'rfc2253-%20' } as const;
  const hint = `Write keyId="${keyId(certificate, standard)}".`;
  const spelling = keyIdSpelling(text, certificate);
  if (spelling !== undefined) {
    const settings = `signing.keyId.serial=${spelling.serial}, signing.keyId.issuer=${spelling.issuer}`;
    if (spelling.serial !== 'dec')
      return { ...check, ok: true, text: `keyId names the certificate: ${settings}.` };
    const decimal = `keyId has the serial number in decimal, and the guidelines want it in hex: ${settings}.`;
    return { ...check, ok: false, needed: false, text: decimal, hint };
  }
  const wrong = (what: string): SignatureCheck => ({ ...check, ok: false, text: what, hint });
  const [, serial, issuer] = /^\s*SN=([^,]*?)\s*,\s*CA=(.+)$/is.exec(text) ?? [];
  if (serial === undefined || issuer === undefined) return wrong('keyId is not SN=...,CA=...');
  const faults = [
    ...(isSerial(serial, certificate)
      ? []
      : [`the serial number ${serial}, and the certificate has ${spellSerial(certificate.serial, 'hex')}`]),
    ...(namesSame(issuer, certificate.issuer)
      ? []
      : [`another issuer (CA) than the certificate, which has ${spellName(certificate.issuer, 'rfc2253')}`]),
  ];
  if (faults.length > 0) return wrong(`keyId names ${faults.join(', and ')}.`);
  return {
    ...check,
    ok: false,
    needed: false,
    text: 'keyId names the certificate in a spelling that obk does not know.',
    hint,
  };
}

/** Takes a serial number in hex or decimal, with colons, blanks or 0x too. */
function isSerial(text: string, { serial }: SigningCertificate): boolean {
  const digits = text.replace(/^0x|[:\s]/gi, '');
  const own = BigInt(spellSerial(serial, 'dec'));
  return (
    (/^[0-9a-f]+$/i.test(digits) && BigInt(`0x${digits}`) === own) ||
    (/^\d+$/.test(digits) && BigInt(digits) === own)
  );
}

const labels = {
  rsa: /^(rsa-sha|sha)(256|512)(withrsa)?$/,
  ec: /^(ecdsa-sha|sha)(256|512)(withecdsa)?$/,
} as const;

function algorithmCheck(algorithm: string, { keyType }: SigningCertificate): SignatureCheck {
  const check = { name: 'algorithm', needed: true } as const;
  const label = algorithm.toLowerCase();
  if (labels[keyType].test(label))
    return { ...check, ok: true, text: `The algorithm ${algorithm} fits the key.` };
  const key = keyType === 'rsa' ? 'RSA' : 'EC';
  const other = labels[keyType === 'rsa' ? 'ec' : 'rsa'].test(label);
  return {
    ...check,
    ok: false,
    text:
      algorithm === ''
        ? 'There is no algorithm="...", which the guidelines want.'
        : other
          ? `The algorithm ${JSON.stringify(algorithm)} is for another kind of key: that of the certificate is ${key}.`
          : `The algorithm ${JSON.stringify(algorithm)} is not one that the guidelines have for an ${key} key.`,
    hint: `Write algorithm="${keyType === 'rsa' ? 'rsa' : 'ecdsa'}-sha256".`,
  };
}

function signatureCheck(
  { algorithm, headers, signature }: SignatureParameters,
  { publicKey, keyType }: SigningCertificate,
  values: ReadonlyMap<string, string>,
): SignatureCheck {
  const check = { name: 'signature', needed: true } as const;
  if (signature === '')
    return {
      ...check,
      ok: false,
      text: 'There is no signature="..." to verify.',
      hint: 'Write the signature in base64.',
    };
  const read = readBase64(signature);
  if (read === undefined || read.mends.length > 0)
    return {
      ...check,
      ok: false,
      text: 'The signature is not base64.',
      hint: 'Write it in base64 (RFC 4648, section 4): neither in hex nor with - and _, and on one line.',
    };
  const hash = hashNames[algorithm.includes('512') ? 'SHA-512' : 'SHA-256'];
  const text = Buffer.from(receivedString(headers, values), 'latin1');
  const { bytes } = read;
  const encodings: SignatureEncoding[] = ['der', 'ieee-p1363'];
  const encoding = encodings.find((dsaEncoding) =>
    verify(hash, text, { key: publicKey, dsaEncoding }, bytes),
  );
  if (encoding === undefined)
    return {
      ...check,
      ok: false,
      text: 'The signature does not fit the signing string and the key of the certificate.',
      hint: 'Compare the signing string of obk sign explain with yours, byte by byte.',
    };
  const form =
    keyType === 'ec' && encoding === 'ieee-p1363' ? ' (r and s side by side: some banks take DER only)' : '';
  return {
    ...check,
    ok: true,
    text: `The signature fits the signing string and the key of the certificate${form}.`,
  };
}

/** Whether the certificate is one for seals: a bank may take a QWAC, and another refuses it. */
export function useCheck(report: CertificateReport): SignatureCheck[] {
  if (report.qcStatements === undefined || purposeOf(report) === 'qsealc') return [];
  return [
    {
      name: 'certificate',
      ok: false,
      needed: false,
      text: 'The certificate is one for TLS (QWAC), and the guidelines want one for seals (QSealC) here.',
      hint: 'Sign with the QSealC, and show this one to the TLS of the bank.',
    },
  ];
}

/** Whether TPP-Signature-Certificate is written as the profile says, or else as the guidelines do: base64 alone. */
export function certificateFormCheck(header: string | undefined, form: CertificateHeader): SignatureCheck[] {
  if (header === undefined || form !== 'bare' || !/^\s*(?:-|%2D|LS0tLS1C)/i.test(header)) return [];
  const setting: CertificateHeader = /^\s*LS0t/.test(header)
    ? 'base64-of-pem'
    : header.includes('%')
      ? 'pemUrlEncoded'
      : 'pemOneLine';
  return [
    {
      name: 'certificate',
      ok: false,
      needed: false,
      text: `TPP-Signature-Certificate is PEM, and the guidelines want its base64 alone: signing.certificateHeader=${setting}.`,
      hint: 'Leave out the lines BEGIN CERTIFICATE and END CERTIFICATE.',
    },
  ];
}

function validityCheck({ notBefore, notAfter }: SigningCertificate, now: Date): SignatureCheck {
  const ok = now >= notBefore && now <= notAfter;
  const validity = `valid from ${notBefore.toISOString()} to ${notAfter.toISOString()}`;
  return {
    name: 'certificate',
    ok,
    needed: false,
    text: `The certificate is ${ok ? '' : 'not '}valid now: ${validity}.`,
    ...(ok ? {} : { hint: 'Sign with a certificate that is valid.' }),
  };
}
