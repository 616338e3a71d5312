import { describe, expect, it } from 'vitest';
import { balanceAccessForm } from '../../../../src/standard/xs2a/balance-access.ts';
import { hasMember } from '../../../../src/standard/xs2a/member-changes.ts';
import { isOperationId, operation, operations } from '../../../../src/standard/xs2a/operations.ts';
import {
  absence,
  declaredBody,
  frameworkFacts,
  frameworkNames,
  inVariant,
  operationsOf,
  pathTemplate,
  presets,
  wireNames,
} from '../../../../src/standard/xs2a/variants.ts';
import type { Variant } from '../../../../src/standard/xs2a/variants.ts';

const { v1, v136 } = presets;
const framework132: Variant = { framework: '1.3.2', prefix: '/v1', surface: 'framework' };
const framework136: Variant = { framework: '1.3.6', prefix: '/v1', surface: 'framework' };

describe('the operations of the standard', () => {
  it('have 38 ids and no two on the same method and path', () => {
    expect(operations).toHaveLength(38);
    expect(new Set(operations.map(({ id }) => id)).size).toBe(38);
    expect(new Set(operations.map(({ method, path }) => `${method} ${path}`)).size).toBe(38);
  });

  it('are found by id, and only by id', () => {
    expect(operation('initiatePayment').method).toBe('POST');
    expect(isOperationId('ReadCardAccount')).toBe(true);
    expect(isOperationId('readCardAccount')).toBe(false);
    expect(() => operation('nope' as 'initiatePayment')).toThrow('no operation nope');
  });

  it('are data: no cell is a function', () => {
    expect(JSON.parse(JSON.stringify(operations))).toEqual(operations);
  });
});

describe('a variant of the standard', () => {
  it.each([
    ['v1', v1, 27],
    ['v136', v136, 25],
    ['framework 1.3.2', framework132, 38],
    ['framework 1.3.6', framework136, 38],
  ])('offers its operations: %s', (_, variant, count) => {
    expect(operationsOf(variant)).toHaveLength(count);
  });

  it.each([
    [v1, 'createSigningBasket', /baskets/],
    [v1, 'ReadCardAccount', /card/],
    [v136, 'checkAvailabilityOfFunds', /funds/],
    [v136, 'getCardAccount', /card/],
    [v1, 'checkAvailabilityOfFunds', undefined],
    [v1, 'getCardAccount', undefined],
    [framework136, 'checkAvailabilityOfFunds', undefined],
    [framework132, 'createSigningBasket', undefined],
  ] as const)('states why an operation is absent (%#)', (variant, id, why) => {
    if (why === undefined) expect(absence(variant, id)).toBeUndefined();
    else expect(absence(variant, id)).toMatch(why);
  });

  it.each([
    [v1, 'getTransactionDetails', '/v1/accounts/{account-id}/transactions/{resourceId}'],
    [v136, 'getTransactionDetails', '/v136/accounts/{account-id}/transactions/{transactionId}'],
    [framework132, 'getTransactionDetails', '/v1/accounts/{account-id}/transactions/{transactionId}'],
    [v1, 'getConsentScaStatus', '/v1/consents/{consentId}/authorisations/{authorisationId}'],
    [
      v136,
      'getPaymentCancellationScaStatus',
      '/v136/{payment-service}/{payment-product}/{paymentId}/cancellation-authorisations/{cancellationId}',
    ],
    [
      framework136,
      'getPaymentCancellationScaStatus',
      '/v1/{payment-service}/{payment-product}/{paymentId}/cancellation-authorisations/{authorisationId}',
    ],
  ] as const)('names path parameters as printed (%#)', (variant, id, path) => {
    expect(pathTemplate(variant, operation(id))).toBe(path);
  });

  it.each([
    ['cancelPayment', 'EXPLICIT'],
    ['initiatePayment', 'BRAND'],
    ['createConsent', 'BRAND'],
    ['createConsent', 'IPm'],
    ['cancelPayment', 'RED'],
    ['checkAvailabilityOfFunds', 'TOKEN'],
  ] as const)('adds in 1.3.6 to %s the headers %s', (id, set) => {
    expect(inVariant(v1, operation(id)).headers).not.toContain(set);
    expect(inVariant(v136, operation(id)).headers).toContain(set);
  });

  it('has Consent-ID on confirmations of funds, by the guidelines', () => {
    for (const variant of [v1, v136])
      expect(inVariant(variant, operation('checkAvailabilityOfFunds')).headers).toContain('CIDc');
  });

  it('makes in 1.3.6 PSU-IP-Address mandatory for a consent, and no framework numbers pages', () => {
    expect(inVariant(v136, operation('createConsent')).headers).not.toContain('IPc');
    for (const variant of [v1, v136]) {
      const { query } = inVariant(variant, operation('getTransactionList'));
      expect(query.map(({ name }) => name)).toEqual([
        ...['dateFrom', 'dateTo', 'entryReferenceFrom', 'bookingStatus', 'deltaList', 'withBalance'],
      ]);
    }
  });

  it('declares in 1.3.2 no body for a cancellation authorisation', () => {
    const op = operation('startPaymentInitiationCancellationAuthorisation');
    expect(declaredBody(v1, op)).toBe('none');
    expect(declaredBody(v136, op)).toBe('authorisation');
  });

  it('renames what 1.3.6 renamed', () => {
    expect(wireNames['1.3.2'].cancellationList).toBe('cancellationIds');
    expect(wireNames['1.3.6'].cancellationList).toBe('authorisationIds');
    expect(balanceAccessForm('1.3.2')).toBe('file');
    expect(balanceAccessForm('1.3.6')).toBe('singular');
  });
});

describe('the facts of a framework', () => {
  it.each(frameworkNames)('agree with the tables: %s', (framework) => {
    const { balanceAccessForms, feesInAnswers } = frameworkFacts[framework];
    expect(balanceAccessForms[0]).toBe(balanceAccessForm(framework));
    expect(feesInAnswers).toBe(hasMember(framework, 'answer to a password', 'estimatedTotalAmount'));
  });
});
