import { describe, expect, it } from 'vitest';
import { headerRows, headerSets } from '../../../../src/standard/xs2a/header-rows.ts';
import {
  answerHeadersOf,
  checkHeaderValue,
  declaredHeaders,
  headerName,
  headersOf,
} from '../../../../src/standard/xs2a/headers.ts';
import { operation, operations } from '../../../../src/standard/xs2a/operations.ts';
import { presets } from '../../../../src/standard/xs2a/variants.ts';

const { v1, v136 } = presets;

describe('a header set', () => {
  it.each([
    ['S', 4],
    ['CTX', 9],
    ['PSU4c', 4],
    ['PSU4o', 4],
    ['RED', 3],
    ['NOT', 2],
    ['IPm', 1],
  ] as const)('is complete: %s has %i headers', (set, count) => {
    expect(headerSets[set]).toHaveLength(count);
  });

  it('has no header twice in an operation, and X-Request-ID as mandatory in each', () => {
    for (const variant of [v1, v136]) {
      for (const op of operations) {
        const rules = headersOf(variant, op);
        expect(new Set(rules.map(({ name }) => name)).size, op.id).toBe(rules.length);
        expect(rules).toContainEqual({ name: 'X-Request-ID', need: 'm' });
      }
    }
  });

  it('has no PSU context for funds confirmation only', () => {
    const without = operations.filter(
      (op) => !declaredHeaders(v1, op).some(({ name }) => name === 'PSU-User-Agent'),
    );
    expect(without.map(({ id }) => id)).toEqual(['checkAvailabilityOfFunds']);
  });

  it.each([
    ['initiatePayment', 'Content-Type', 'm'],
    ['startPaymentInitiationCancellationAuthorisation', 'Content-Type', 'c'],
    ['getPaymentInformation', 'Content-Type', undefined],
    ['initiatePayment', 'PSU-IP-Address', 'm'],
    ['createConsent', 'PSU-IP-Address', 'c'],
    ['getAccountList', 'Consent-ID', 'm'],
    ['initiatePayment', 'Consent-ID', 'o'],
    ['updatePaymentPsuData', 'TPP-Redirect-URI', undefined],
    ['updatePaymentPsuData', 'Date', 'o'],
  ] as const)('has in v1 %s %s as %s', (id, name, need) => {
    expect(headersOf(v1, operation(id)).find((rule) => rule.name === name)?.need).toBe(need);
  });

  it('has reduced the request id, signing and token, and no PSU-ID', () => {
    const names = headersOf(v1, operation('updatePaymentPsuData'), true).map(({ name }) => name);
    expect(names).toEqual([
      'X-Request-ID',
      'Digest',
      'Signature',
      'TPP-Signature-Certificate',
      'Date',
      'Authorization',
      'Accept',
      'Content-Type',
    ]);
  });

  it('names the headers of success answers', () => {
    const names = (variant: typeof v1 | typeof v136, id: 'initiatePayment' | 'getBalances', status: number) =>
      answerHeadersOf(variant, operation(id), status).map(({ name }) => name);
    expect(names(v1, 'initiatePayment', 201)).toEqual(['X-Request-ID', 'Location', 'ASPSP-SCA-Approach']);
    expect(names(v136, 'initiatePayment', 201)).toContain('ASPSP-Notification-Support');
    expect(names(v1, 'getBalances', 200)).toEqual(['X-Request-ID']);
  });

  it('finds a header in any case', () => {
    expect(headerName('consent-id')).toBe('Consent-ID');
    expect(headerName('TPP-REDIRECT-URI')).toBe('TPP-Redirect-URI');
    expect(headerName('consentId')).toBeUndefined();
    expect(Object.keys(headerRows).every((name) => headerName(name) === name)).toBe(true);
  });
});

describe('checkHeaderValue', () => {
  it.each([
    ['X-Request-ID', '99391c7e-ad88-49ec-a2ad-99ddcb1f7721'],
    ['Date', 'Sat, 21 Nov 2026 08:00:00 GMT'],
    ['TPP-Redirect-Preferred', 'true'],
    ['PSU-Geo-Location', 'GEO:52.506931;13.144558'],
    ['PSU-Geo-Location', 'GEO:-5.000000;-113.144558'],
    ['PSU-IP-Address', '192.168.8.78'],
    ['PSU-IP-Address', '2001:db8::1'],
    ['PSU-Http-Method', 'PATCH'],
    ['TPP-Redirect-URI', 'https://tpp.example.com/cb?state=1'],
    ['TPP-Notification-Content-Preferred', 'status=SCA, PROCESS, LAST'],
    ['Digest', 'SHA-256=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='],
    ['Authorization', 'Bearer abc.def-ghi'],
    ['X-Custom', 'anything printable'],
    ['PSU-ID', 'a'.repeat(4096)],
    ['TPP-Signature-Certificate', 'A'.repeat(8192)],
  ])('accepts %s: %s', (name, value) => {
    expect(checkHeaderValue(name, value)).toEqual({ ok: true, value });
  });

  it.each([
    ['X-Request-ID', 'not-a-uuid', /UUID/],
    ['Date', '2026-11-21', /HTTP date/],
    ['TPP-Redirect-Preferred', 'yes', /true/],
    ['PSU-Geo-Location', 'GEO:52.5;13.1', /six decimals/],
    ['PSU-Geo-Location', 'GEO:52.506931,13.144558', /six decimals/],
    ['PSU-IP-Address', '256.1.1.1', /IPv4/],
    ['PSU-IP-Address', '1.2.3', /IPv4/],
    ['PSU-IP-Address', 'fe80::1%eth0', /IPv4/],
    ['PSU-IP-Address', '::1]@evil', /IPv4/],
    ['TPP-Redirect-URI', '/relative', /URI/],
    ['TPP-Notification-Content-Preferred', 'status=SCA, SCA', /status=/],
    ['Digest', 'MD5=abc', /SHA-256/],
    ['TPP-Signature-Certificate', '-----BEGIN', /base64/],
    ['PSU-ID', '', /empty/],
    ['PSU-ID', ' x', /blank/],
    ['PSU-ID', 'x ', /blank/],
    ['PSU-ID', 'a\r\nX-Evil: 1', /control/],
    ['PSU-User-Agent', 'Zoë', /non-ASCII/],
    ['PSU-ID', 'a'.repeat(4097), /longer/],
    ['x-whatever', 'a\u0000b', /control/],
  ])('refuses %s: %j', (name, value, why) => {
    const result = checkHeaderValue(name, value);
    expect(result.ok).toBe(false);
    expect(result.ok ? '' : result.why).toMatch(why);
  });
});
