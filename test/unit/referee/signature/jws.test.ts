// Detached JWS made by hand, right and wrong in one thing each.
import { createHash, createPrivateKey, sign, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { headersOf } from '../../../../src/referee/request-headers.ts';
import { verifyJws } from '../../../../src/referee/signature/jws.ts';
import { signatureRules } from '../../../../src/referee/signature/signature-rules.ts';
import { operation } from '../../../../src/standard/xs2a/operations.ts';
import { TppCertificates } from '../../../../src/referee/signature/tpp-certificate.ts';
import { startBank } from '../../../helpers/bank.ts';
import type { TestBank } from '../../../helpers/bank.ts';

let bank: TestBank;
beforeAll(async () => {
  bank = await startBank();
});
afterAll(() => bank.close());

const now = new Date('2027-01-01T12:00:00Z');
const body = Buffer.from('{"a":1}');
const digestOf = (bytes: Buffer) => `SHA-256=${createHash('sha256').update(bytes).digest('base64')}`;
interface Odd {
  claims?: object;
  pars?: string[];
  end?: string;
  sent?: Buffer;
  target?: string;
  value?: (jws: string) => string | undefined;
  without?: string;
}

function verdict({
  claims = {},
  pars = ['(request-target)', 'digest', 'x-request-id'],
  ...odd
}: Odd): string {
  const certificate = new X509Certificate(readFileSync(bank.certificatePath));
  const head = Buffer.from(
    JSON.stringify({
      alg: 'ES256',
      x5c: [certificate.raw.toString('base64')],
      crit: ['sigT', 'sigD', 'b64'],
      b64: false,
      sigT: '2027-01-01T11:59:30Z',
      sigD: { pars, mId: 'http://uri.etsi.org/19182/HttpHeaders' },
      ...claims,
    }),
  ).toString('base64url');
  const values: Record<string, string> = {
    '(request-target)': 'post /v1/consents?a=b',
    digest: digestOf(body),
    'x-request-id': '99391c7e-ad88-49ec-a2ad-99ddcb1f7721',
  };
  const text = `${head}.${pars.map((name) => `${name}: ${values[name] ?? ''}`).join('\n')}${odd.end ?? '\n'}`;
  const key = createPrivateKey(readFileSync(bank.keyPath));
  const made = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url');
  const jws = (odd.value ?? ((whole: string) => whole))(`${head}..${made}`);
  const headers = { ...values, ...(jws !== undefined && { 'x-jws-signature': jws }) };
  const rawHeaders = Object.entries(headers)
    .filter(([name]) => !name.startsWith('(') && name !== odd.without)
    .flat();
  const found = verifyJws(
    {
      method: 'POST',
      target: odd.target ?? '/v1/consents?a=b',
      headers: headersOf({ rawHeaders }),
      body: odd.sent ?? body,
    },
    new TppCertificates([certificate]),
    now,
    {
      jws: { trailingNewline: true, maxAgeS: 60 },
      rules: signatureRules(
        { signature: 'required', signatureProfile: 'guidelines', keyId: 'parsed', dateHeader: 'ignored' },
        operation('getAccountList'),
        '1.3.6',
      ),
    },
  );
  return 'certificate' in found ? `taken of ${found.certificate.tpp}` : `${found.code} ${found.text}`;
}

it('a right JWS is accepted, of the TPP in its certificate', () => {
  expect(verdict({})).toMatch(/^taken of PSD/);
});

it.each<[string, Odd, RegExp]>([
  ['none', { value: () => undefined }, /^SIGNATURE_MISSING/],
  ['one that is not detached', { value: (jws) => jws.replace('..', '.e30.') }, /no detached JWS/],
  ['one that is no JWS', { value: () => 'x' }, /no detached JWS/],
  ['an encoded payload', { claims: { b64: true } }, /b64 false/],
  ['sigD that is not critical', { claims: { crit: ['b64'] } }, /b64 false/],
  ['another body', { sent: Buffer.from('{"a":2}') }, /Digest is not that/],
  ['another path', { target: '/v1/consents?a=c' }, /does not fit the headers/],
  ['no newline after the last line', { end: '' }, /does not fit the headers/],
  ['a body that is not signed', { pars: ['x-request-id'] }, /does not sign digest/],
  ['a header that is not there', { without: 'x-request-id' }, /which is not there/],
  ['one that is too old', { claims: { sigT: '2027-01-01T11:58:59Z' } }, /^TIMESTAMP_INVALID/],
  ['one without a time', { claims: { sigT: undefined } }, /^TIMESTAMP_INVALID/],
  ['an algorithm of another key', { claims: { alg: 'RS256' } }, /alg does not fit/],
  ['no algorithm', { claims: { alg: 'none' } }, /alg does not fit/],
  ['no certificate', { claims: { x5c: undefined } }, /^CERTIFICATE_MISSING/],
  ['a certificate that is none', { claims: { x5c: ['AAAA'] } }, /^CERTIFICATE_MISSING/],
])('a JWS is refused for %s', (_what, odd, told) => {
  expect(verdict(odd)).toMatch(told);
});
