import { randomUUID, X509Certificate } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { Refusal } from '../../../../src/bank/rules/refusal.ts';
import { signatureRules } from '../../../../src/referee/signature/signature-rules.ts';
import { operation } from '../../../../src/standard/xs2a/operations.ts';
import { TppCertificates } from '../../../../src/referee/signature/tpp-certificate.ts';
import { verifyRequest } from '../../../../src/bank/trust/caller.ts';
import { createTestCa, createTestCertificate } from '../../../../src/signing/certificate.ts';
import { localMaterial } from '../../../../src/signing/material.ts';
import type { SigningMaterial } from '../../../../src/signing/material.ts';
import { guidelines, signingPresets } from '../../../../src/signing/presets.ts';
import { signRequest } from '../../../../src/signing/sign-request.ts';
import type { SigningOptions } from '../../../../src/signing/signing-options.ts';

const now = new Date('2026-06-01T12:00:00Z');
const minute = 60_000;
let certificates: TppCertificates;
const material: Record<'eseal' | 'web', SigningMaterial> = {} as never;

beforeAll(async () => {
  const valid = {
    notBefore: new Date(now.getTime() - minute),
    notAfter: new Date(now.getTime() + 60 * minute),
  };
  const ca = await createTestCa(valid);
  certificates = new TppCertificates([new X509Certificate(ca.certificatePem)]);
  const tpp = {
    ...valid,
    ca,
    roles: ['PSP_PI'],
    organizationIdentifier: 'PSDDE-BAFIN-1',
    organizationName: 'A TPP',
    ncaName: 'BaFin',
    ncaId: 'DE-BAFIN',
  } as const;
  material.eseal = localMaterial({ ...(await createTestCertificate({ ...tpp, type: 'qsealc' })), now });
  material.web = localMaterial({ ...(await createTestCertificate({ ...tpp, type: 'qwac' })), now });
});

type Switches = Parameters<typeof signatureRules>[0];
const standard: Switches = {
  signature: 'required',
  signatureProfile: 'guidelines',
  keyId: 'parsed',
  dateHeader: 'ignored',
};

interface Wish {
  date?: string;
  body?: string;
  role?: 'PSP_PI' | 'PSP_AI';
  by?: 'eseal' | 'web';
  without?: string;
}

/** How a bank with these switches answers a request that was signed with these options. */
async function answer(
  switches: Partial<Switches>,
  options: SigningOptions,
  wish: Wish = {},
): Promise<string> {
  const { body = '', role = 'PSP_AI', by = 'eseal', without } = wish;
  const plain: [string, string][] = [
    ['X-Request-ID', randomUUID()],
    ['Date', wish.date ?? now.toUTCString()],
  ];
  const input = { method: 'GET', path: '/', headers: plain, body: Buffer.from(body) };
  const signed = await signRequest(input, options, material[by]);
  const headers = new Headers([...plain, ...(signed?.headers ?? [])]);
  if (without !== undefined) headers.delete(without);
  const rules = signatureRules(
    { ...standard, ...switches },
    operation(role === 'PSP_AI' ? 'getAccountList' : 'initiatePayment'),
    '1.3.6',
  );
  try {
    return verifyRequest({ headers, body: input.body }, certificates, now, rules).tpp;
  } catch (error) {
    if (error instanceof Refusal) return `${String(error.status)} ${error.code}`;
    throw error;
  }
}

const taken = 'PSDDE-BAFIN-1';
const { adorsys, wso2 } = signingPresets;
const at = (minutes: number) => new Date(now.getTime() + minutes * minute).toUTCString();

describe('a bank with a signature profile', () => {
  it.each<[string, Partial<Switches>, SigningOptions, Wish, string]>([
    ['adorsys: its own way', { signatureProfile: 'adorsys' }, adorsys.options, {}, taken],
    ['adorsys: a body', { signatureProfile: 'adorsys' }, adorsys.options, { body: '{}' }, taken],
    ['adorsys: the guidelines', { signatureProfile: 'adorsys' }, guidelines, {}, '401 CERTIFICATE_INVALID'],
    [
      'adorsys: Date that is not signed',
      { signatureProfile: 'adorsys' },
      { ...guidelines, certificateHeader: 'pemOneLine' },
      {},
      '401 SIGNATURE_INVALID',
    ],
    [
      'adorsys: an issuer with blanks',
      { signatureProfile: 'adorsys' },
      { ...adorsys.options, keyId: wso2.options.keyId },
      {},
      '401 SIGNATURE_INVALID',
    ],
    [
      'adorsys: no Date',
      { signatureProfile: 'adorsys' },
      adorsys.options,
      { without: 'Date' },
      '400 FORMAT_ERROR',
    ],
    [
      'adorsys: no certificate',
      { signatureProfile: 'adorsys' },
      adorsys.options,
      { without: 'TPP-Signature-Certificate' },
      '400 FORMAT_ERROR',
    ],
    [
      'adorsys: no Digest',
      { signatureProfile: 'adorsys' },
      adorsys.options,
      { without: 'Digest' },
      '400 FORMAT_ERROR',
    ],
    ['WSO2: its own way', { signatureProfile: 'wso2' }, wso2.options, {}, taken],
    ['WSO2: a body', { signatureProfile: 'wso2' }, wso2.options, { body: '{"a":1}' }, taken],
    [
      'WSO2: the digest of nothing',
      { signatureProfile: 'wso2' },
      { ...wso2.options, digest: guidelines.digest },
      {},
      '401 SIGNATURE_INVALID',
    ],
    [
      'WSO2: an issuer without blanks',
      { signatureProfile: 'wso2' },
      { ...wso2.options, keyId: guidelines.keyId },
      {},
      '401 SIGNATURE_INVALID',
    ],
    [
      'WSO2: a payment without Date',
      { signatureProfile: 'wso2' },
      wso2.options,
      { role: 'PSP_PI', without: 'Date' },
      '400 FORMAT_ERROR',
    ],
    ['WSO2: a read without Date', { signatureProfile: 'wso2' }, wso2.options, { without: 'Date' }, taken],
    ['the guidelines: adorsys', {}, adorsys.options, {}, '401 SIGNATURE_INVALID'],
    ['the guidelines: WSO2', {}, wso2.options, {}, '401 SIGNATURE_INVALID'],
    ['the guidelines: WSO2 with a body', {}, wso2.options, { body: '{}' }, taken],
    ['exact: the spelling of X', { keyId: 'exact' }, guidelines, {}, taken],
    [
      'exact: capitals',
      { keyId: 'exact' },
      { ...guidelines, keyId: { ...guidelines.keyId, serial: 'HEX' } },
      {},
      '401 SIGNATURE_INVALID',
    ],
    ['strict: to the letter', { signature: 'strict' }, guidelines, {}, taken],
    [
      'strict: PEM',
      { signature: 'strict' },
      { ...guidelines, certificateHeader: 'pemOneLine' },
      {},
      '401 CERTIFICATE_INVALID',
    ],
    [
      'strict: ieee-p1363',
      { signature: 'strict' },
      { ...guidelines, signatureEncoding: 'ieee-p1363' },
      {},
      '401 SIGNATURE_INVALID',
    ],
    ['strict: a QWAC', { signature: 'strict' }, guidelines, { by: 'web' }, '401 CERTIFICATE_INVALID'],
    ['required: a QWAC', {}, guidelines, { by: 'web' }, taken],
  ])('judges %s', async (_what, switches, options, wish, expected) => {
    expect(await answer(switches, options, wish)).toBe(expected);
  });

  it.each<[string, string, string]>([
    ['now', at(0), taken],
    ['five minutes ago', at(-5), taken],
    ['more than five minutes ago', at(-6), '400 TIMESTAMP_INVALID'],
    ['to come', at(6), '400 TIMESTAMP_INVALID'],
    ['that is none of HTTP', now.toISOString(), '400 FORMAT_ERROR'],
    ['with a short day', 'Mon, 1 Jun 2026 12:00:00 GMT', '400 FORMAT_ERROR'],
  ])('judges before the errata: Date %s', async (_what, date, expected) => {
    const signed = { ...guidelines, date: { sign: true } };
    expect(await answer({ dateHeader: 'required' }, signed, { date })).toBe(expected);
  });
});
