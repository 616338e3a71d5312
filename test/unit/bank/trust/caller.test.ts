import { createPrivateKey, sign, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseName } from '../../../../src/referee/signature/x500-names.ts';
import { Refusal } from '../../../../src/bank/rules/refusal.ts';
import { signatureMistakes } from '../../../../src/referee/signature/verify.ts';
import { TppCertificates } from '../../../../src/referee/signature/tpp-certificate.ts';
import { verifyRequest } from '../../../../src/bank/trust/caller.ts';
import { createTestCa, createTestCertificate } from '../../../../src/signing/certificate.ts';
import type { IssuedCertificate } from '../../../../src/signing/certificate.ts';
import { signatureRules } from '../../../../src/referee/signature/signature-rules.ts';
import { operation } from '../../../../src/standard/xs2a/operations.ts';
import { signedHeaders } from '../tpp.ts';
import type { Keys } from '../tpp.ts';

const day = 86_400_000;
const now = new Date('2026-06-01T12:00:00Z');
const valid = { notBefore: new Date(now.getTime() - day), notAfter: new Date(now.getTime() + day) };
const folder = mkdtempSync(join(tmpdir(), 'obk-verify-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const body = Buffer.from('{"a":1}');
let ca: IssuedCertificate;
let certificates: TppCertificates;
let rsa: Keys;
let ec: Keys;
let named = 0;

function files(issued: IssuedCertificate): Keys {
  const certificatePath = join(folder, `${String(++named)}.pem`);
  const keyPath = join(folder, `${String(named)}.key`);
  writeFileSync(certificatePath, issued.certificatePem);
  writeFileSync(keyPath, issued.keyPem.reveal());
  return { certificatePath, keyPath };
}

const tppCertificate = (more: Partial<Parameters<typeof createTestCertificate>[0]> = {}) =>
  createTestCertificate({
    ...valid,
    keyType: 'ec',
    ca,
    type: 'qsealc',
    roles: ['PSP_PI'],
    organizationIdentifier: 'PSDDE-BAFIN-1',
    organizationName: 'A TPP, with a comma & more',
    ncaName: 'BaFin',
    ncaId: 'DE-BAFIN',
    ...more,
  });

beforeAll(async () => {
  ca = await createTestCa({ ...valid, keyType: 'ec' });
  certificates = new TppCertificates([new X509Certificate(ca.certificatePem)]);
  rsa = files(await tppCertificate({ keyType: 'rsa' }));
  ec = files(await tppCertificate());
});

const rules = signatureRules(
  { signature: 'required', signatureProfile: 'guidelines', keyId: 'parsed', dateHeader: 'ignored' },
  operation('initiatePayment'),
  '1.3.6',
);

/** The code with which the bank refuses, or the TPP that it recognises. */
function judge(headers: Record<string, string>, bytes: Uint8Array = body, at = now): string {
  try {
    return verifyRequest({ headers: new Headers(headers), body: bytes }, certificates, at, rules).tpp;
  } catch (error) {
    if (error instanceof Refusal) return `${String(error.status)} ${error.code}`;
    throw error;
  }
}

describe('a signed request', () => {
  it('is accepted with an RSA and with an EC key, with and without PSU-ID and body', () => {
    for (const keys of [rsa, ec]) {
      expect(judge(signedHeaders(keys, body))).toBe('PSDDE-BAFIN-1');
      expect(judge(signedHeaders(keys, Buffer.alloc(0)), Buffer.alloc(0))).toBe('PSDDE-BAFIN-1');
      const more = { 'PSU-ID': 'x', 'PSU-Corporate-ID': 'y', 'TPP-Redirect-URI': 'https://tpp.example/cb' };
      expect(judge(signedHeaders(keys, body, more))).toBe('PSDDE-BAFIN-1');
    }
  });

  it('is refused with a header too many in its list, and with the list that it should have', () => {
    const headers = signedHeaders(ec, body, { 'PSU-ID': 'x' });
    const more = (headers['Signature'] ?? '').replace(/headers="([^"]*)"/, 'headers="$1 date"');
    expect(() =>
      verifyRequest(
        { headers: new Headers({ ...headers, Signature: more }), body },
        certificates,
        now,
        rules,
      ),
    ).toThrow('may not hold "date"; in this request it is "digest x-request-id psu-id".');
  });

  it.each([
    ['initiatePayment', '1.3.2', 'REQUIRED_KID_MISSING'],
    ['initiatePayment', '1.3.8', 'REQUIRED_KID_MISSING'],
    ['cancelPayment', '1.3.11', 'KID_MISSING'],
    ['initiatePayment', '1.3.12', 'KID_MISSING'],
    ['createConsent', '1.3.12', 'SIGNATURE_INVALID'],
    ['createSigningBasket', '1.3.6', 'SIGNATURE_INVALID'],
  ] as const)('is refused without keyId at %s in %s with %s', (id, framework, code) => {
    const signed = signedHeaders(ec, body);
    const rulesHere = signatureRules(
      { signature: 'required', signatureProfile: 'guidelines', keyId: 'parsed', dateHeader: 'ignored' },
      operation(id),
      framework,
    );
    for (const keyId of ['', 'keyId="",']) {
      const Signature = (signed['Signature'] ?? '').replace(/keyId="[^"]*",/, keyId);
      const [first] = signatureMistakes(
        { headers: new Headers({ ...signed, Signature }), body },
        certificates,
        now,
        rulesHere,
      );
      expect(first).toMatchObject({ rule: 'key-id', status: 401, code });
    }
    const [other] = signatureMistakes(
      { headers: new Headers({ ...signed, Signature: 'headers="digest"' }), body },
      certificates,
      now,
      rulesHere,
    );
    expect(other).toMatchObject({ rule: 'signature-form', code: 'SIGNATURE_INVALID' });
  });

  it('reveals the roles of the certificate', () => {
    const { roles } = verifyRequest(
      { headers: new Headers(signedHeaders(ec, body)), body },
      certificates,
      now,
      rules,
    );
    expect([...roles]).toEqual(['PSP_PI']);
  });

  it.each<[string, (headers: Record<string, string>) => void, string]>([
    ['no Signature', (h) => void Reflect.deleteProperty(h, 'Signature'), '401 SIGNATURE_MISSING'],
    [
      'no certificate',
      (h) => void Reflect.deleteProperty(h, 'TPP-Signature-Certificate'),
      '401 CERTIFICATE_MISSING',
    ],
    ['no Digest', (h) => void Reflect.deleteProperty(h, 'Digest'), '401 SIGNATURE_INVALID'],
    [
      'no certificate in the header',
      (h) => void (h['TPP-Signature-Certificate'] = 'AAAA'),
      '401 CERTIFICATE_INVALID',
    ],
    ['another X-Request-ID', (h) => void (h['X-Request-ID'] = 'x'), '401 SIGNATURE_INVALID'],
    ['a PSU-ID that is not signed', (h) => void (h['PSU-ID'] = 'x'), '401 SIGNATURE_INVALID'],
    [
      'a TPP-Redirect-URI that is not signed',
      (h) => void (h['TPP-Redirect-URI'] = 'x'),
      '401 SIGNATURE_INVALID',
    ],
    ['MD5', (h) => void (h['Digest'] = 'MD5=AAAA'), '401 SIGNATURE_INVALID'],
    [
      'a digest in base64url',
      (h) => void (h['Digest'] = h['Digest']!.replace(/.$/, '_')),
      '401 SIGNATURE_INVALID',
    ],
    [
      'another serial',
      (h) => void (h['Signature'] = h['Signature']!.replace('SN=', 'SN=1')),
      '401 SIGNATURE_INVALID',
    ],
    [
      'another issuer',
      (h) => void (h['Signature'] = h['Signature']!.replace('CN=', 'CN=x')),
      '401 SIGNATURE_INVALID',
    ],
    [
      'another key type',
      (h) => void (h['Signature'] = h['Signature']!.replace('ecdsa-', 'rsa-')),
      '401 SIGNATURE_INVALID',
    ],
    [
      'an unknown algorithm',
      (h) => void (h['Signature'] = h['Signature']!.replace('ecdsa-sha256', 'none')),
      '401 SIGNATURE_INVALID',
    ],
    [
      'a header twice',
      (h) => void (h['Signature'] = h['Signature']!.replace('"digest', '"digest digest')),
      '401 SIGNATURE_INVALID',
    ],
    [
      'date in the list',
      (h) => void (h['Signature'] = h['Signature']!.replace('"digest', '"date digest')),
      '401 SIGNATURE_INVALID',
    ],
    [
      'a parameter twice',
      (h) => void (h['Signature'] = `${h['Signature']!},keyId="x"`),
      '401 SIGNATURE_INVALID',
    ],
    ['garbage', (h) => void (h['Signature'] = 'Signature'), '401 SIGNATURE_INVALID'],
    [
      'another signature',
      (h) => void (h['Signature'] = h['Signature']!.replace(/signature="./, 'signature="_')),
      '401 SIGNATURE_INVALID',
    ],
  ])('is refused for %s', (_what, tamper, expected) => {
    const headers = signedHeaders(ec, body);
    tamper(headers);
    expect(judge(headers)).toBe(expected);
  });

  it('is refused for another body, down to one bit', () => {
    for (let bit = 0; bit < body.length * 8; bit++) {
      const bytes = Buffer.from(body);
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      expect(judge(signedHeaders(ec, body), bytes)).toBe('401 SIGNATURE_INVALID');
    }
  });

  it('is refused with the key of another certificate', () => {
    expect(judge(signedHeaders({ certificatePath: ec.certificatePath, keyPath: rsa.keyPath }, body))).toBe(
      '401 SIGNATURE_INVALID',
    );
  });

  it('may list its headers in any order, and use ieee-p1363', () => {
    const headers = signedHeaders(ec, body);
    const text = `x-request-id: ${headers['X-Request-ID']!}\ndigest: ${headers['Digest']!}`;
    const key = createPrivateKey(readFileSync(ec.keyPath));
    const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString(
      'base64',
    );
    headers['Signature'] = headers['Signature']!.replace(
      '"digest x-request-id"',
      '"x-request-id digest"',
    ).replace(/signature="[^"]*"/, `signature="${signature}"`);
    expect(judge(headers)).toBe('PSDDE-BAFIN-1');
  });
});

describe('a TPP certificate', () => {
  it.each<[string, (pem: string) => string]>([
    ['one-line PEM', (pem) => pem.trim().replace(/\r?\n/g, '')],
    ['URL-encoded PEM', (pem) => encodeURIComponent(pem)],
  ])('is read as %s', (_form, write) => {
    const headers = signedHeaders(ec, body);
    const pem = new X509Certificate(Buffer.from(headers['TPP-Signature-Certificate']!, 'base64')).toString();
    headers['TPP-Signature-Certificate'] = write(pem);
    expect(judge(headers)).toBe('PSDDE-BAFIN-1');
  });

  it('is valid from its first to its last day', () => {
    const headers = signedHeaders(ec, body);
    expect(judge(headers, body, new Date(now.getTime() - 2 * day))).toBe('401 CERTIFICATE_INVALID');
    expect(judge(headers, body, new Date(now.getTime() + 2 * day))).toBe('401 CERTIFICATE_EXPIRED');
  });

  it('must come from an authority that the bank trusts, whatever its name says', async () => {
    const impostor = await createTestCa({ ...valid, keyType: 'ec' });
    const keys = files(await tppCertificate({ ca: impostor }));
    expect(judge(signedHeaders(keys, body))).toBe('401 CERTIFICATE_INVALID');
  });

  it('must be one of PSD2', () => {
    writeFileSync(join(folder, 'ca.pem'), ca.certificatePem);
    writeFileSync(join(folder, 'ca.key'), ca.keyPem.reveal());
    const keys = { certificatePath: join(folder, 'ca.pem'), keyPath: join(folder, 'ca.key') };
    expect(judge(signedHeaders(keys, body))).toBe('401 CERTIFICATE_INVALID');
  });
});

describe('the issuer in keyId', () => {
  const issuer = () => new X509Certificate(ca.certificatePem).subject.split('\n');
  const identifier = Buffer.from('VATDE-000000000');
  const hex = `#0c${identifier.length.toString(16).padStart(2, '0')}${identifier.toString('hex')}`;
  it.each<[string, () => string]>([
    ['certificate order', () => issuer().join(',')],
    ['reversed', () => issuer().reverse().join(',')],
    ['OpenSSL with blanks', () => issuer().join(', ').replaceAll('=', ' = ')],
    ['percent-encoded', () => issuer().join(',').replaceAll(' ', '%20')],
    [
      'OID and hex',
      () => issuer().join(',').replace('organizationIdentifier=VATDE-000000000', `2.5.4.97=${hex}`),
    ],
    ['OID prefix', () => issuer().join(',').replace('organizationIdentifier=', 'OID.2.5.4.97=')],
  ])('may be spelt in %s', (_form, write) => {
    const headers = signedHeaders(ec, body);
    headers['Signature'] = headers['Signature']!.replace(/,CA=[^"]*"/, `,CA=${write()}"`);
    expect(judge(headers)).toBe('PSDDE-BAFIN-1');
  });

  it.each([
    ['CN=a\\, b,O=c', ['2.5.4.10=c', '2.5.4.3=a, b']],
    ['CN="a, b"', ['2.5.4.3=a, b']],
    ['CN=M\\C3\\BCller', ['2.5.4.3=Müller']],
    ['CN=a+O=b', ['2.5.4.10=b', '2.5.4.3=a']],
    ['CN', undefined],
    ['XX=a', undefined],
    ['CN=#0c', undefined],
    ['', undefined],
  ])('is read as a set: %s', (text, expected) => {
    expect(parseName(text)).toEqual(expected);
  });
});
