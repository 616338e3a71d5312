import { describe, expect, it } from 'vitest';
import { operations } from '../../../src/xs2a/operations.ts';
import { variantDifferences } from '../../../src/xs2a/variant-diff.ts';
import { operationsOf, presets } from '../../../src/xs2a/variants.ts';
import type { Variant } from '../../../src/xs2a/variants.ts';

const { v1, v136 } = presets;
const differences = variantDifferences(v1, v136);
const of = (kind: string) => differences.filter((one) => one.kind === kind);
const plain = (kind: string) => of(kind).map(({ where, what, a, b }) => [where, what, a, b]);

describe('v1 and v136', () => {
  // Each line as the list of differences of the specifications has it, not as the tables do.
  it('differ in their prefix and framework', () => {
    expect(plain('variant')).toEqual([
      ['all', 'framework', '1.3.2', '1.3.6'],
      ['all', 'prefix of paths', '/v1', '/v136'],
    ]);
  });

  it('differ in two operations, which only the older one has', () => {
    expect(plain('operation')).toEqual([
      ['getCardAccount', 'GET /card-accounts', 'offered', null],
      ['checkAvailabilityOfFunds', 'POST /funds-confirmations', 'offered', null],
    ]);
    expect(operationsOf(v1)).toHaveLength(27);
    expect(operationsOf(v136)).toHaveLength(25);
  });

  it('differ in headers', () => {
    expect(plain('header')).toEqual([
      ['initiatePayment', 'TPP-Brand-Logging-Information', null, 'optional'],
      ['initiatePayment', 'ASPSP-Notification-Support of the answer', null, 'optional'],
      ['initiatePayment', 'ASPSP-Notification-Content of the answer', null, 'optional'],
      ['cancelPayment', 'TPP-Explicit-Authorisation-Preferred', null, 'optional'],
      ['createConsent', 'PSU-IP-Address', 'conditional', 'mandatory'],
      ['createConsent', 'TPP-Brand-Logging-Information', null, 'optional'],
      ['createConsent', 'ASPSP-Notification-Support of the answer', null, 'optional'],
      ['createConsent', 'ASPSP-Notification-Content of the answer', null, 'optional'],
    ]);
  });

  it('differ in paths, queries and bodies', () => {
    expect(plain('path')).toEqual([
      [
        'getTransactionDetails',
        'path',
        '/accounts/{account-id}/transactions/{resourceId}',
        '/accounts/{account-id}/transactions/{transactionId}',
      ],
    ]);
    expect(of('query').map(({ what }) => what)).toEqual(['pageIndex', 'itemsPerPage']);
    expect(plain('body')).toEqual([
      ['startPaymentInitiationCancellationAuthorisation', 'body of the request', null, 'authorisation'],
    ]);
  });

  it.each([
    [
      'member',
      'list of cancellation authorisations',
      'name of the list',
      'cancellationIds',
      'authorisationIds',
    ],
    ['member', 'answer to a consent', 'text for the PSU', 'message', 'psuMessage'],
    ['member', 'address', 'street', 'street', 'streetName'],
    ['member', 'challengeData', 'type of data', 'string', 'array'],
    ['member', 'tppMessages, psuMessage', 'longest text', '512', '500'],
    ['member', 'psuData', 'additionalPassword', null, 'there'],
    ['link', '_links', 'confirmation', null, 'there'],
    ['code', 'scaStatus', 'unconfirmed', null, 'there'],
    ['code', 'consentStatus', 'partiallyAuthorised', null, 'there'],
    ['code', 'tppMessages', 'SCA_INVALID', null, 'there'],
    ['code', 'bookingStatus', 'information', null, 'there'],
    ['code', 'balanceType', 'authorised', 'there', null],
  ])('differ in the %s %s: %s', (kind, where, what, a, b) => {
    expect(differences).toContainEqual({ kind, where, what, a, b });
  });

  it('have nothing of what came after both', () => {
    expect(differences.filter(({ what }) => what === 'SMTP_OTP' || what === 'all')).toEqual([]);
  });
});

it('a variant is the same as itself, and the other way round is the mirror', () => {
  expect(variantDifferences(v1, v1)).toEqual([]);
  const mirrored = variantDifferences(v136, v1).map((one) => ({ ...one, a: one.b, b: one.a }));
  expect(new Set(mirrored.map((one) => JSON.stringify(one)))).toEqual(
    new Set(differences.map((one) => JSON.stringify(one))),
  );
});

it('the frameworks have the same operations', () => {
  const whole = (framework: Variant['framework']): Variant => ({
    framework,
    prefix: '/v1',
    surface: 'framework',
  });
  const found = variantDifferences(whole('1.3.2'), whole('1.3.6'));
  expect(found.filter(({ kind }) => kind === 'operation')).toEqual([]);
  expect(operationsOf(whole('1.3.2'))).toHaveLength(operations.length);
});
