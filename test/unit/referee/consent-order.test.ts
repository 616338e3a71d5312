import { describe, expect, it } from 'vitest';
import { AnswerOrder } from '../../../src/referee/answers/order.ts';
import { presets } from '../../../src/standard/xs2a/variants.ts';

const mine = 'DE02120300000000202051';
const other = 'DE89370400440532013000';
const named = (...ibans: string[]) => ibans.map((iban) => ({ iban }));

/** Rule and place of what is found where a consent is read otherwise than it was asked for. */
function found(asked: object, read: object): string[] {
  const order = new AnswerOrder({ variant: presets.v136 });
  const common = { requestHeaders: [], headers: [['content-type', 'application/json']] as const };
  const bytes = (json: object) => Buffer.from(JSON.stringify(json));
  const made = { consentStatus: 'received', consentId: '1' };
  order.next({
    ...common,
    ...{ method: 'POST', target: '/v136/consents', status: 201 },
    requestBody: bytes({ recurringIndicator: false, ...asked }),
    body: bytes(made),
  });
  const answer = {
    ...common,
    method: 'GET',
    target: '/v136/consents/1',
    status: 200,
    requestBody: bytes({}),
  };
  return order
    .next({ ...answer, body: bytes({ consentStatus: 'valid', recurringIndicator: false, ...read }) })
    .map(({ rule, pointer }) => `${rule} ${pointer}`);
}

describe('a consent that is read', () => {
  it.each<[string, object, object, string]>([
    ['recurs', {}, { recurringIndicator: true }, '/recurringIndicator'],
    [
      'has an account more',
      { access: { accounts: named(mine) } },
      { access: { accounts: named(mine, other) } },
      '/access/accounts/1/iban',
    ],
    [
      'has another account',
      { access: { balances: named(mine) } },
      { access: { accounts: named(mine), balances: named(other) } },
      '/access/balances/0/iban',
    ],
    [
      'has all accounts',
      { access: { accounts: named(mine) } },
      { access: { accounts: named(mine), allPsd2: 'allAccounts' } },
      '/access/allPsd2',
    ],
    [
      'has the list of accounts',
      { access: { transactions: [] } },
      { access: { availableAccounts: 'allAccounts' } },
      '/access/availableAccounts',
    ],
  ])('is wider: %s', (_case, asked, read, pointer) => {
    expect(found(asked, read)).toEqual([`answer-order-consent-wider ${pointer}`]);
  });

  it.each<[string, object, object]>([
    ['as it was asked for', { access: { accounts: named(mine) } }, { access: { accounts: named(mine) } }],
    [
      'with blanks in the number',
      { access: { accounts: named(mine) } },
      { access: { accounts: named('DE02 1203 0000 0000 2020 51') } },
    ],
    [
      'with the accounts that the PSU has chosen',
      { access: { accounts: [], balances: [] } },
      { access: { accounts: named(mine, other) } },
    ],
    [
      'with the accounts of a global consent',
      { access: { allPsd2: 'allAccounts' } },
      { access: { accounts: named(mine) } },
    ],
    [
      'with another word for the same',
      { access: { availableAccounts: 'allAccounts' } },
      { access: { availableAccounts: 'allAccountsWithOwnerName' } },
    ],
    [
      'with fewer accounts',
      { access: { accounts: named(mine, other) } },
      { access: { accounts: named(other) } },
    ],
    [
      'with the accounts of all lists',
      { access: { balances: named(mine) } },
      { access: { accounts: named(mine), balances: named(mine) } },
    ],
    [
      'with card numbers',
      { access: { accounts: [{ maskedPan: '5***1' }] } },
      { access: { accounts: named(mine) } },
    ],
    ['without access', { access: { accounts: named(mine) } }, {}],
    ['for one access', { recurringIndicator: true }, { recurringIndicator: false }],
  ])('is not wider: %s', (_case, asked, read) => {
    expect(found(asked, read)).toEqual([]);
  });
});
