import { describe, expect, it } from 'vitest';
import { operations } from '../../../../src/standard/xs2a/operations.ts';
import { variantDifferences } from '../../../../src/standard/xs2a/variant-diff.ts';
import { operationsOf, presets } from '../../../../src/standard/xs2a/variants.ts';
import type { Variant } from '../../../../src/standard/xs2a/variants.ts';

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
      ['cancelPayment', 'TPP-Redirect-Preferred', null, 'optional'],
      ['cancelPayment', 'TPP-Redirect-URI', null, 'conditional'],
      ['cancelPayment', 'TPP-Nok-Redirect-URI', null, 'optional'],
      ['cancelPayment', 'TPP-Explicit-Authorisation-Preferred', null, 'optional'],
      ['createConsent', 'PSU-IP-Address', 'conditional', 'mandatory'],
      ['createConsent', 'TPP-Brand-Logging-Information', null, 'optional'],
      ['createConsent', 'ASPSP-Notification-Support of the answer', null, 'optional'],
      ['createConsent', 'ASPSP-Notification-Content of the answer', null, 'optional'],
      ['checkAvailabilityOfFunds', 'Authorization', null, 'optional'],
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
    expect(of('query')).toEqual([]);
    expect(plain('body')).toEqual([
      ['startPaymentInitiationCancellationAuthorisation', 'body of the request', null, 'authorisation'],
    ]);
  });

  const cancellations = 'list of cancellation authorisations';
  const valueForm = 'availableAccounts = allAccountsWithBalances';
  it.each([
    [
      'member',
      cancellations,
      'name of the list',
      'cancellationIds',
      'authorisationIds',
      'guidelines',
      '1.3.6',
    ],
    ['member', cancellations, 'form of the list', 'bare array', 'object', 'file', '1.3.6'],
    [
      ...['member', 'access of a consent', 'all accounts with balances', valueForm],
      ...['availableAccountsWithBalance', 'file', '1.3.4'],
    ],
    ['member', 'answer to a consent', 'text for the PSU', 'message', 'psuMessage', 'both', '1.3.5'],
    ['member', 'address', 'street', 'street', 'streetName', 'both', '1.3.3'],
    ['member', 'tppMessages, psuMessage', 'longest text', '512', '500', 'both', '1.3.5'],
    ['member', 'account, card account', 'longest name', '35', '70', 'both', '1.3.6'],
    ['member', 'account', 'longest details', '140', '500', 'both', '1.3.5'],
    ['member', 'card account', 'longest details', '140', '500', 'both', '1.3.5'],
    [
      'media',
      'list of transactions',
      'media type of plain text',
      'application/text',
      'text/plain',
      'both',
      '1.3.5',
    ],
    ['member', 'bulk payment as read', 'paymentInformationId', null, 'there', 'both', '1.3.6'],
    ['member', 'bulk payment as read', 'acceptorTransactionDateTime', null, 'there', 'both', '1.3.6'],
    ['member', 'payment', 'instructionIdentification', null, 'there', 'guidelines', '1.3.5'],
    ['member', 'periodic payment', 'debtorName', null, 'there', 'guidelines', '1.3.6'],
    [
      ...['member', 'entry of a bulk payment', 'remittanceInformationStructuredArray'],
      ...[null, 'there', 'guidelines', '1.3.6'],
    ],
    ['member', 'list of transactions', 'information', null, 'there', 'guidelines', '1.3.6'],
    ['member', 'status of a payment', 'psuMessage', null, 'there', 'both', '1.3.5'],
    ['header', 'cancelPayment', 'TPP-Redirect-URI', null, 'conditional', 'both', '1.3.4'],
    ['header', 'checkAvailabilityOfFunds', 'Authorization', null, 'optional', 'file', '1.3.4'],
    ['header', 'createConsent', 'PSU-IP-Address', 'conditional', 'mandatory', 'both', '1.3.5'],
    ['operation', 'getCardAccount', 'GET /card-accounts', 'offered', null, 'service', null],
    ['link', '_links', 'confirmation', null, 'there', 'both', '1.3.6'],
    ['code', 'scaStatus', 'unconfirmed', null, 'there', 'both', '1.3.6'],
    ['code', 'consentStatus', 'partiallyAuthorised', null, 'there', 'both', '1.3.6'],
    ['code', 'tppMessages', 'SCA_INVALID', null, 'there', 'both', '1.3.6'],
    ['code', 'tppMessages', 'ROLE_INVALID', null, 'there', 'both', '1.3.3'],
    ['code', 'bookingStatus', 'information', null, 'there', 'both', '1.3.6'],
    ['code', 'balanceType', 'authorised', 'there', null, 'both', '1.3.5'],
    ['code', 'availableAccounts', 'allAccountsWithBalances', 'there', null, 'file', '1.3.4'],
  ])('differ in the %s %s: %s', (kind, where, what, a, b, source, since) => {
    expect(differences).toContainEqual({ kind, where, what, a, b, source, since });
  });

  it.each([
    ...['pageIndex', 'itemsPerPage', 'fundsAvailable', 'creditLimitIncluded', 'scaMethods', 'tppMessages'],
    ...['chargeBearer', 'creditorId', 'additionalPassword', 'additionalEncryptedPassword', 'type of data'],
    ...['updateAdditionalPsuAuthentication', 'updateAdditionalEncryptedPsuAuthentication', 'Consent-ID'],
    ...['CERTIFICATE_REVOKE', 'CERTIFICATE_REVOKED', 'KID_MISSING', 'REQUIRED_KID_MISSING'],
    ...['REQUESTED_FORMATS_INVALID', 'FORBIDDEN'],
  ])('do not differ in %s', (name) => {
    expect(differences.filter(({ what }) => what === name)).toEqual([]);
  });

  it('contain nothing of what came after both', () => {
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

describe('the diff of later frameworks', () => {
  const whole = (framework: Variant['framework']): Variant => ({
    framework,
    prefix: '/v1',
    surface: 'framework',
  });
  const found = (a: Variant['framework'], b: Variant['framework']) =>
    variantDifferences(whole(a), whole(b))
      .filter(({ kind }) => kind !== 'variant')
      .map(({ kind, where, what, since }) => `${kind}: ${where}: ${what} (${String(since)})`);

  it('is for 1.3.11 to 1.3.12 as typed by hand, row by row', () => {
    expect(found('1.3.11', '1.3.12')).toEqual([
      'header: checkAvailabilityOfFunds: Authorization (1.3.12)',
      'member: status of a payment: ownerNames (1.3.12)',
      'member: status of a payment: psuName (1.3.12)',
      'member: scaStatus: psuName (1.3.12)',
      'member: account: ownerNames (1.3.12)',
      'member: account: psuName (1.3.12)',
    ]);
  });

  it('is for 1.3.6 to 1.3.8 as typed by hand, row by row', () => {
    expect(found('1.3.6', '1.3.8').sort()).toEqual(
      [
        'member: access of a consent: restrictedTo (1.3.8)',
        'member: balances of a card account: debitAccounting (1.3.8)',
        'member: card account: debitAccounting (1.3.8)',
        'member: reference to an account: cashAccountType (1.3.8)',
        'member: scaStatus: psuMessage (1.3.8)',
        'member: transaction: batchIndicator (1.3.8)',
        'member: transaction: batchNumberOfTransactions (1.3.8)',
        'member: transaction: entryDetails (1.3.8)',
        'member: transactions of a card account: debitAccounting (1.3.8)',
        'member: one transaction: wrappers of the schema (1.3.8)',
        'member: list of transactions of a card: link to the card account (1.3.8)',
        'code: authenticationType: SMTP_OTP (1.3.8)',
      ].sort(),
    );
  });

  it('is for 1.3.8 to 1.3.11 the header, the codes and names that were removed or added', () => {
    expect(found('1.3.8', '1.3.11')).toEqual(
      expect.arrayContaining([
        'header: initiatePayment: TPP-Decoupled-Preferred (1.3.9)',
        'header: cancelPayment: TPP-Decoupled-Preferred (1.3.9)',
        'header: createConsent: TPP-Decoupled-Preferred (1.3.9)',
        'query: getCardAccountTransactionList: withBalance (1.3.9)',
        'operation: getCardAccount: operationId (1.3.11)',
        'operation: ReadCardAccount: operationId (1.3.11)',
        'code: bookingStatus: all (1.3.9)',
        'code: bookingStatus of cards: information (1.3.9)',
        'code: tppMessages: KID_MISSING (1.3.11)',
        'code: tppMessages: REQUIRED_KID_MISSING (1.3.11)',
        'member: card account: longest details (1.3.9)',
      ]),
    );
  });
});
