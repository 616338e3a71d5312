import { describe, expect, it } from 'vitest';
import { BankRefusal } from '../../../../src/base/errors.ts';
import { endOf, isGone } from '../../../../src/client/resources/parent-status.ts';
import type { Parent } from '../../../../src/standard/sca/state.ts';

const refusal = (httpStatus: number, code?: string) =>
  new BankRefusal({
    ...{ code: 'REFUSED', title: 'The bank refused the payment.', httpStatus, requestId: 'r1' },
    ...{ operation: 'getPaymentInitiationStatus', method: 'GET', path: '/v1/x' },
    messages: code === undefined ? [] : [{ category: 'ERROR', code }],
  });

describe('a refusal that means the resource is gone', () => {
  it.each<[number, string | undefined, Parent['kind'], boolean]>([
    [404, undefined, 'cancellation', true],
    [404, 'RESOURCE_UNKNOWN', 'cancellation', true],
    [403, undefined, 'cancellation', true],
    [403, 'RESOURCE_UNKNOWN', 'cancellation', true],
    [403, 'RESOURCE_EXPIRED', 'payment', true],
    [400, 'RESOURCE_EXPIRED', 'payment', false],
    [401, undefined, 'payment', false],
    [500, undefined, 'payment', false],
    [403, 'SERVICE_BLOCKED', 'cancellation', false],
    [404, 'PRODUCT_UNKNOWN', 'payment', false],
    [403, 'CONSENT_UNKNOWN', 'deletion', true],
    [403, 'CONSENT_UNKNOWN', 'cancellation', false],
    [403, 'CONSENT_UNKNOWN', 'payment', false],
  ])('is recognised: %s %s for a %s: %s', (status, code, kind, gone) => {
    expect(isGone(refusal(status, code), kind)).toBe(gone);
  });

  it('is not seen in any other error', () => {
    expect(isGone(new Error('404'), 'payment')).toBe(false);
  });
});

describe('a status that ends the authorisations', () => {
  it.each<[Parent['kind'], string | undefined, boolean | undefined]>([
    ['payment', undefined, undefined],
    ['payment', 'RCVD', undefined],
    ['payment', 'PATC', undefined],
    ['payment', 'ACSC', true],
    ['payment', 'RJCT', false],
    ['payment', 'CANC', false],
    ['basket', 'ACTC', true],
    ['basket', 'RJCT', false],
    ['cancellation', 'CANC', true],
    ['cancellation', 'ACSC', undefined],
    ['consent', 'received', undefined],
    ['consent', 'partiallyAuthorised', undefined],
    ['consent', 'valid', true],
    ['consent', 'rejected', false],
    ['consent', 'expired', false],
    ['deletion', 'valid', undefined],
    ['deletion', 'terminatedByTpp', true],
  ])('is recognised for a %s: %s', (kind, status, end) => {
    expect(endOf(kind, status)).toBe(end);
  });
});
