import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ObkError } from '../../../../src/base/errors.ts';
import { operation, operations } from '../../../../src/standard/xs2a/operations.ts';
import { badId, buildPath, linkMethod, matchRequest } from '../../../../src/standard/xs2a/request.ts';
import { operationsOf, presets } from '../../../../src/standard/xs2a/variants.ts';
import type { Variant } from '../../../../src/standard/xs2a/variants.ts';
import { anyCharacter } from '../../../helpers/any-character.ts';
import { runs } from '../../../helpers/trials.ts';

const { v1, v136 } = presets;
const framework: Variant = { framework: '1.3.6', prefix: '/v1', surface: 'framework' };
const payment = { 'payment-service': 'payments', 'payment-product': 'sepa-credit-transfers' };

describe('buildPath', () => {
  it.each([
    ['initiatePayment', payment, {}, '/v1/payments/sepa-credit-transfers'],
    [
      'getPaymentInitiationStatus',
      { ...payment, paymentId: 'p-1' },
      {},
      '/v1/payments/sepa-credit-transfers/p-1/status',
    ],
    [
      'updatePaymentCancellationPsuData',
      { ...payment, paymentId: 'p/1', authorisationId: 'a%2' },
      {},
      '/v1/payments/sepa-credit-transfers/p%2F1/cancellation-authorisations/a%252',
    ],
    ['getBalances', { 'account-id': 'a b?c#d' }, {}, '/v1/accounts/a%20b%3Fc%23d/balances'],
    [
      'getTransactionList',
      { 'account-id': '1' },
      { dateFrom: '2026-01-01', withBalance: true, deltaList: undefined, x: 'a&b' },
      '/v1/accounts/1/transactions?dateFrom=2026-01-01&withBalance=true&x=a%26b',
    ],
  ] as const)('builds %s', (id, params, query, path) => {
    expect(buildPath(v1, operation(id), params, query)).toBe(path);
  });

  it.each([
    ['', /empty/],
    ['.', /dot segment/],
    ['..', /dot segment/],
    ['%2e', /dot segment/],
    ['%2E%2e', /dot segment/],
    ['.%2e', /dot segment/],
    ['%252e', /dot segment/],
    ['%25252e%2e', /dot segment/],
    ['a'.repeat(1025), /1024/],
    ['é', /non-ASCII/],
    ['a\nb', /control/],
    ['\u202e', /non-ASCII/],
  ])('refuses the id %j', (id, why) => {
    expect(badId(id)).toMatch(why);
    let caught: unknown;
    try {
      buildPath(v1, operation('getConsentStatus'), { consentId: id });
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(ObkError);
    expect(caught).toMatchObject({ code: 'USAGE', exit: 2, detail: expect.stringMatching(why) });
  });

  it('refuses a missing parameter and a broken query', () => {
    expect(() => buildPath(v1, operation('getConsentStatus'), {})).toThrow(ObkError);
    expect(() => buildPath(v1, operation('getAccountList'), {}, { x: '\ud800' })).toThrow(ObkError);
  });

  it('never changes the path: what a URL parser makes of it is the expansion, and the ids come back', () => {
    const id = fc.oneof(
      fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 30 }),
      fc
        .array(
          fc.constantFrom('.', '%2e', '%2E', '%25', '/', '%2f', '\\', '?', '#', ';', ':', '@', '..', 'a'),
          {
            minLength: 1,
            maxLength: 8,
          },
        )
        .map((parts) => parts.join('')),
      fc.string({ unit: anyCharacter, maxLength: 12 }),
    );
    fc.assert(
      fc.property(id, id, fc.constantFrom(...operations), (one, two, op) => {
        const params = {
          ...payment,
          paymentId: one,
          consentId: one,
          basketId: one,
          'account-id': one,
          transactionId: two,
          authorisationId: two,
        };
        let path: string;
        try {
          path = buildPath(framework, op, params);
        } catch (error) {
          expect(error).toBeInstanceOf(ObkError);
          return;
        }
        const url = new URL(`https://bank.example${path}`);
        expect(url.pathname + url.search).toBe(path);
        expect(path.split('/')).toHaveLength(op.path.split('/').length + 1);
        const match = matchRequest(framework, op.method, path);
        expect(match).toMatchObject({ operation: { id: op.id } });
        for (const [name, value] of Object.entries((match as { params: object }).params)) {
          expect(value).toBe(params[name as keyof typeof params]);
        }
      }),
      { numRuns: runs(3000) },
    );
  });
});

describe('matchRequest', () => {
  it('finds each operation of each variant by its own path', () => {
    for (const variant of [v1, v136, framework]) {
      for (const op of operationsOf(variant)) {
        const path = variant.prefix + op.path.replace('{payment-service}', 'payments').replace(/[{}]/g, '');
        expect(matchRequest(variant, op.method, path)).toMatchObject({ operation: { id: op.id } });
        expect(matchRequest(variant, op.method, `${path}/?x=1`)).toMatchObject({ operation: { id: op.id } });
      }
    }
  });

  it.each([
    [v1, 'GET', '/v1/nothing', { known: false }],
    [v1, 'GET', '/v136/accounts', { known: false }],
    [v1, 'GET', '/v1', { known: false }],
    [v1, 'GET', '/v1evil/accounts', { known: false }],
    [v1, 'GET', '/v1/accounts/a%zz', { known: false }],
    [v1, 'GET', '/v1/accounts//balances', { known: false }],
    [v1, 'GET', '/v1/payment/sepa-credit-transfers/1', { known: false }],
    [v1, 'PATCH', '/v1/accounts', { wrongMethod: ['GET'] }],
    [v1, 'PUT', '/v1/consents/1', { wrongMethod: ['GET', 'DELETE'] }],
    [v1, 'GET', '/v1/payments/sepa-credit-transfers', { wrongMethod: ['POST'] }],
    [v1, 'POST', '/v1/signing-baskets', { absent: 'the service has no signing baskets' }],
    [v1, 'PATCH', '/v1/signing-baskets', { absent: 'the service has no signing baskets' }],
    [v136, 'POST', '/v136/funds-confirmations', { absent: 'the v136 service has no funds confirmation' }],
    [v136, 'GET', '/v136/card-accounts', { absent: 'the v136 service has no card accounts' }],
  ] as const)('decides %#: %o %s %s', (variant, method, path, expected) => {
    expect(matchRequest(variant, method, path)).toEqual(expected);
  });

  it('decodes the parameters', () => {
    expect(matchRequest(v1, 'GET', '/v1/consents/a%2Fb%20c/status')).toMatchObject({
      params: { consentId: 'a/b c' },
    });
  });

  it('returns the operation as the variant has it', () => {
    expect(matchRequest(v136, 'POST', '/v136/consents')).toMatchObject({
      operation: { headers: expect.arrayContaining(['IPm', 'BRAND']) },
    });
  });
});

describe('linkMethod', () => {
  const base = '/v1/payments/sepa-credit-transfers/p1';

  it.each([
    // the name says POST, but the href names an authorisation that exists
    ['startAuthorisationWithPsuAuthentication', `${base}/authorisations/a1`, 'PUT'],
    ['startAuthorisationWithPsuAuthentication', `${base}/cancellation-authorisations/a1`, 'PUT'],
    ['startAuthorisationWithPsuAuthentication', `${base}/authorisations`, 'POST'],
    // the name says PUT, but the href starts one
    ['updatePsuAuthentication', `${base}/authorisations`, 'POST'],
    ['updatePsuAuthentication', `${base}/authorisations/a1?x=1`, 'PUT'],
    ['updatePsuAuthentication', `${base}/authorisations?next=/authorisations/a1`, 'POST'],
    ['startAuthorisation', `${base}/cancellation-authorisations`, 'POST'],
    ['selectAuthenticationMethod', `${base}/cancellation-authorisations/a1/`, 'PUT'],
    ['authoriseTransaction', '/v1/consents/c1/authorisations/a1', 'PUT'],
    ['confirmation', '/v1/consents/c1/authorisations/a1', 'PUT'],
    ['scaStatus', `${base}/authorisations/a1`, 'GET'],
    ['scaStatus', `${base}/authorisations`, 'GET'],
    ['self', base, 'GET'],
    ['status', `${base}/status`, 'GET'],
    ['next', '/v1/accounts/1/transactions?page=2', 'GET'],
    ['download', '/v1/accounts/1/transactions/download/7', 'GET'],
    ['startAuthorisation', '/other/authorisations', 'POST'],
    ['updatePsuAuthentication', '/other/place', 'PUT'],
    ['startAuthorisation', '/other/place', 'POST'],
  ] as const)('finds %s %s: %s', (link, path, method) => {
    expect(linkMethod(link, path)).toBe(method);
  });
});
