import { describe, expect, it } from 'vitest';
import { accountReference, referenceText } from '../../../../src/client/orders/account-reference.ts';
import { buildConsent } from '../../../../src/client/consents/consent-body.ts';
import { accessText } from '../../../../src/client/consents/explain-consent.ts';
import type { AccessOptions } from '../../../../src/client/consents/consent-body.ts';
import { ObkError } from '../../../../src/base/errors.ts';

const now = new Date('2026-11-21T23:59:59.000Z');
const one = 'DE89370400440532013000';
const two = 'FR1420041010050500013M02606';
const build = (wish: AccessOptions, framework: '1.3.2' | '1.3.6' = '1.3.2') =>
  buildConsent(wish, framework, now);

const failure = (work: () => unknown): ObkError => {
  try {
    work();
  } catch (error) {
    if (error instanceof ObkError) return error;
    throw error;
  }
  throw new Error('it should have failed');
};

describe('the access of a consent', () => {
  const first = { iban: one };
  it.each<[string, AccessOptions, object, object?]>([
    ['all of one account', { iban: [one] }, { accounts: [first], balances: [first], transactions: [first] }],
    [
      'an account as people write it, with the currency of a sub-account',
      { balances: [' de89 3704 0044 0532 0130 00:usd'] },
      { balances: [{ iban: one, currency: 'USD' }] },
    ],
    [
      'different rights on different accounts, as lists and repeated',
      { accounts: [`${one},${two}`], transactions: [one, two] },
      { accounts: [first, { iban: two }], transactions: [first, { iban: two }] },
    ],
    [
      'the same account once',
      { iban: [one], balances: [one] },
      {
        accounts: [first],
        balances: [first],
        transactions: [first],
      },
    ],
    [
      'cards',
      { accounts: ['masked-pan:541000xxxxxx1234', 'pan:5410001234561234'] },
      {
        accounts: [{ maskedPan: '541000xxxxxx1234' }, { pan: '5410001234561234' }],
      },
    ],
    ['the list of all', { availableAccounts: true }, { availableAccounts: 'allAccounts' }],
    [
      'the list with balances, spelt by framework',
      { availableAccountsWithBalance: true },
      { availableAccounts: 'allAccountsWithBalances' },
      { availableAccountsWithBalance: 'allAccounts' },
    ],
    ['everything', { allPsd2: true }, { allPsd2: 'allAccounts' }],
    ['what the PSU chooses', { bankOffered: true }, { accounts: [], balances: [], transactions: [] }],
  ])('is written from the flags: %s', (_, wish, v1, v136 = v1) => {
    expect(build(wish).access).toEqual(v1);
    expect(build(wish, '1.3.6').access).toEqual(v136);
  });

  it.each<[string, AccessOptions, object]>([
    ['all', { allPsd2: true }, { allPsd2: 'allAccountsWithOwnerName' }],
    [
      'the list with balances',
      { availableAccountsWithBalance: true },
      { availableAccountsWithBalance: 'allAccountsWithOwnerName' },
    ],
    [
      'each account that is named',
      { accounts: [one], balances: [two] },
      {
        accounts: [{ iban: one }],
        balances: [{ iban: two }],
        additionalInformation: { ownerName: [{ iban: one }, { iban: two }] },
      },
    ],
    [
      'what the PSU chooses',
      { bankOffered: true },
      { accounts: [], balances: [], transactions: [], additionalInformation: { ownerName: [] } },
    ],
  ])('may include owner names: %s', (_, wish, access) => {
    expect(build({ ...wish, ownerName: true }, '1.3.6').access).toEqual(access);
    expect(failure(() => build({ ...wish, ownerName: true })).title).toContain('1.3.6');
  });
});

describe('the body of a consent', () => {
  it('is one-off for 180 days unless asked otherwise', () => {
    expect(build({ iban: [one] })).toMatchObject({
      recurringIndicator: false,
      validUntil: '2027-05-19',
      frequencyPerDay: 1,
      combinedServiceIndicator: false,
    });
    const ofDays = (wish: AccessOptions) => buildConsent(wish, '1.3.6', now, { days: 90 }).validUntil;
    expect(ofDays({ iban: [one] })).toBe('2027-02-18');
    expect(ofDays({ iban: [one], validUntil: '2027-12-31' })).toBe('2027-12-31');
    expect(build({ iban: [one], recurring: true })).toMatchObject({
      recurringIndicator: true,
      frequencyPerDay: 4,
    });
    expect(
      build({ iban: [one], recurring: true, frequency: 2, combined: true, validUntil: '9999-12-31' }),
    ).toMatchObject({ frequencyPerDay: 2, combinedServiceIndicator: true, validUntil: '9999-12-31' });
  });
});

it("the access of an older consent is sent again in the form of today's framework", () => {
  const older = { availableAccountsWithBalances: 'allAccounts' } as const;
  expect(buildConsent({}, '1.3.6', now, { older }).access).toEqual({
    availableAccountsWithBalance: 'allAccounts',
  });
  const value = { availableAccounts: 'allAccountsWithBalances' } as const;
  expect(buildConsent({}, '1.3.6', now, { older: value }).access).toEqual({
    availableAccountsWithBalance: 'allAccounts',
  });
  expect(buildConsent({}, '1.3.2', now, { older }).access).toEqual(value);
  expect(buildConsent({}, '1.3.2', now, { older: value, withBalances: 'plural' }).access).toEqual(older);
  expect(buildConsent({}, '1.3.2', now, { older: value, withBalances: 'singular' }).access).toEqual({
    availableAccountsWithBalance: 'allAccounts',
  });
  expect(accessText(value)).toBe(accessText(older));
  const named = { accounts: [{ iban: one }], additionalInformation: { ownerName: [{ iban: one }] } };
  expect(buildConsent({}, '1.3.6', now, { older: named }).access).toEqual(named);
});

describe('a consent that cannot be requested', () => {
  it.each<[string, AccessOptions, string]>([
    ['nothing', {}, 'A consent needs an account or a form'],
    [
      'two forms',
      { allPsd2: true, bankOffered: true },
      '--all-psd2, --bank-offered cannot be given together',
    ],
    [
      'a form and an account',
      { availableAccounts: true, iban: [one] },
      '--iban, --available-accounts cannot',
    ],
    [
      'a mistyped IBAN',
      { iban: ['DE89370400440532013001'] },
      '--iban "DE89370400440532013001" is not an account',
    ],
    ['a strange prefix', { accounts: ['bic:COBADEFF'] }, '--accounts "bic:COBADEFF" is not an account'],
    ['a strange currency', { balances: [`${one}:EURO`] }, '--balances'],
    ['a frequency of a one-off', { iban: [one], frequency: 4 }, '--frequency goes with --recurring'],
    ['yesterday', { iban: [one], validUntil: '2026-11-20' }, '--valid-until "2026-11-20"'],
    ['no day', { iban: [one], validUntil: '2026-02-30' }, '--valid-until "2026-02-30"'],
  ])('ends in one clear error: %s', (_, wish, text) => {
    const error = failure(() => build(wish));
    expect(error.exit).toBe(2);
    expect(error.title).toContain(text);
  });
});

it('an account is shown as it was typed', () => {
  for (const text of [one, `${one}:EUR`]) expect(referenceText(accountReference('--iban', text))).toBe(text);
  expect(referenceText(accountReference('--iban', 'msisdn:+49170123456:EUR'))).toBe('+49170123456:EUR');
});
