import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBank } from '../../../helpers/bank.ts';
import type { TestBank } from '../../../helpers/bank.ts';
import { judgedTpp, testJudge } from '../tpp.ts';

const folder = mkdtempSync(join(tmpdir(), 'obk-own-'));
const config = join(folder, 'bank.yaml');
writeFileSync(
  config,
  `
clock: { at: 2026-03-02T09:00:00Z, stands: true }
scenario: { rateLimit: off, surface: framework }
people:
  - psuId: asa & co
    password: p
    otp: 012345
    approach: DECOUPLED
    start: implicit
    accounts:
      - bban: 5390 0754 7034
        currency: SEK
        balance: 10000.00
        owner: Åsa
        transactions:
          - { bookingDate: 2026-01-05, amount: -1.00, counterpartyAccount: 'pan:5409 0500 0000 0000' }
          - { bookingDate: 2026-01-04, amount: 2.00, counterpartyAccount: '+46701234567' }
          - { bookingDate: 2026-01-03, amount: -3.00, counterpartyAccount: 'bban:DE02100' }
          - { bookingDate: 2026-01-02, amount: -4.00, counterpartyAccount: 'msisdn:0701234567' }
          - { bookingDate: 2026-01-01, amount: -5.00, counterpartyAccount: DE89 3704 0044 0532 0130 00 }
      - { msisdn: +46 70 1234567, balance: 50.00 }
      - { iban: NO93 8601 1117 947, currency: NOK, pan: 5555444433331111, balance: 700.00, usage: ORGA, status: enabled }
      - { bban: JP1, currency: JPY, balance: 5000, balances: [{ balanceType: interimBooked, amount: 5000 }, { balanceType: forwardAvailable, amount: 4900 }] }
      - { maskedPan: 411111******1111, balance: -20.00, creditLimit: 500.00, product: Gold }
consents:
  - { consentId: all-of-asa, psuId: asa & co, access: { allPsd2: allAccounts } }
payments:
  - paymentId: waits
    psuId: asa & co
    status: ACTC
    body:
      debtorAccount: { bban: 539007547034 }
      instructedAmount: { currency: EUR, amount: 9.00 }
      creditorAccount: { iban: DE89370400440532013000 }
      creditorName: Shop
`,
);
const clock = { now: () => new Date('2026-06-01T12:00:00Z') };
const start = () =>
  startBank({ clock, config, database: join(mkdtempSync(join(folder, 'db-')), 'ledger.db') });
let bank: TestBank;
let call: ReturnType<typeof judgedTpp>;
beforeAll(async () => {
  bank = await start();
  call = judgedTpp(bank);
});
afterAll(() => bank.close());
testJudge(() => bank);

const asa = 'asa & co';

const pay = (debtorAccount: object, amount: string, currency = 'EUR') => ({
  path: `/v136/payments/${currency === 'EUR' ? 'sepa' : 'cross-border'}-credit-transfers`,
  body: {
    debtorAccount,
    instructedAmount: { currency, amount },
    creditorAccount: { iban: 'DE89370400440532013000' },
    creditorName: 'Shop',
  },
});

async function paid(debtorAccount: object, amount: string, currency?: string): Promise<string> {
  const { path, body } = pay(debtorAccount, amount, currency);
  const created = await call('POST', path, { body, headers: { 'PSU-ID': asa } });
  expect(created.status, created.text).toBe(201);
  const { paymentId } = created.json as { paymentId: string };
  bank.decide('approve', paymentId, 'asa & co');
  const status = await call('GET', `${path}/${paymentId}/status`);
  return `${paymentId} ${status.json.transactionStatus as string}`;
}

describe('a bank from a file', () => {
  it('shows accounts by whatever number they have', async () => {
    const list = await call('GET', '/v136/accounts?withBalance=true', {
      headers: { 'Consent-ID': 'all-of-asa' },
    });
    expect(list.status, list.text).toBe(200);
    const accounts = list.json.accounts as Record<string, unknown>[];
    expect(accounts).toMatchObject([
      { bban: '539007547034', currency: 'SEK' },
      { msisdn: '+46701234567', currency: 'EUR' },
      { iban: 'NO9386011117947', currency: 'NOK', usage: 'ORGA' },
      {
        bban: 'JP1',
        balances: [
          { balanceType: 'interimBooked', balanceAmount: { currency: 'JPY', amount: '5000' } },
          { balanceType: 'forwardAvailable', balanceAmount: { currency: 'JPY', amount: '4900' } },
        ],
      },
    ]);
    expect(accounts[0]).not.toHaveProperty('iban');
    const cards = await call('GET', '/v136/card-accounts', { headers: { 'Consent-ID': 'all-of-asa' } });
    expect(cards.json.cardAccounts).toMatchObject([
      { maskedPan: '411111******1111', product: 'Gold', creditLimit: { amount: '500.00' } },
    ]);
  });

  it('names those at other banks by whatever number they have', async () => {
    const read = { headers: { 'Consent-ID': 'all-of-asa' } };
    const { accounts } = (await call('GET', '/v136/accounts', read)).json as {
      accounts: { resourceId: string }[];
    };
    const report = await call(
      'GET',
      `/v136/accounts/${accounts[0]!.resourceId}/transactions?bookingStatus=booked&dateFrom=2026-01-01&dateTo=2026-01-05`,
      read,
    );
    const { booked } = (report.json as { transactions: { booked: Record<string, unknown>[] } }).transactions;
    expect(booked.map(({ creditorAccount, debtorAccount }) => creditorAccount ?? debtorAccount)).toEqual([
      { iban: 'DE89370400440532013000' },
      { msisdn: '0701234567' },
      { bban: 'DE02100' },
      { msisdn: '+46701234567' },
      { pan: '5409050000000000' },
    ]);
  });

  it.each([
    { bban: '539007547034' },
    { bban: '539007547034', currency: 'SEK' },
    { msisdn: '+46701234567' },
    { pan: '5555444433331111' },
    { maskedPan: '555544******1111' },
    { iban: 'NO9386011117947' },
  ])('accepts %j in consents and confirmations of funds', async (account) => {
    const consent = await call('POST', '/v136/consents', {
      body: {
        access: { balances: [account] },
        recurringIndicator: false,
        validUntil: '2026-12-31',
        frequencyPerDay: 1,
        combinedServiceIndicator: false,
      },
      headers: { 'PSU-ID': asa, 'TPP-Redirect-URI': 'http://127.0.0.1:9/back' },
    });
    expect(consent.status, consent.text).toBe(201);
    const funds = await call('POST', '/v136/funds-confirmations', {
      body: { account, instructedAmount: { currency: 'EUR', amount: '1.00' } },
      headers: { 'PSU-IP-Address': undefined },
    });
    expect(funds.json).toEqual({ fundsAvailable: true });
  });

  it('pays from any of them, in the minor units of its currency', async () => {
    expect(await paid({ bban: '539007547034' }, '9.00')).toMatch(/ ACSC$/);
    expect(await paid({ msisdn: '+46701234567', currency: 'EUR' }, '1.00')).toMatch(/ ACSC$/);
    expect(await paid({ maskedPan: '555544******1111' }, '8.50')).toMatch(/ ACSC$/);
    expect(await paid({ bban: 'JP1' }, '1000', 'JPY')).toMatch(/ ACSC$/);
    expect(await paid({ bban: 'JP1' }, '4001', 'JPY')).toMatch(/ RJCT$/);
    const list = await call('GET', '/v136/accounts?withBalance=true', {
      headers: { 'Consent-ID': 'all-of-asa' },
    });
    const booked = (
      list.json.accounts as { balances: { balanceType: string; balanceAmount: { amount: string } }[] }[]
    ).map(
      ({ balances }) =>
        balances.find(({ balanceType }) => /expected|interimBooked/.test(balanceType))?.balanceAmount.amount,
    );
    // 9.00 EUR are 100.00 SEK, and 100.00 more wait for tomorrow; 8.50 EUR are 100.00 NOK.
    expect(booked).toEqual(['9800.00', '49.00', '600.00', '4000']);
  });

  it.each([
    { bban: '1' },
    { msisdn: '+1' },
    { pan: '4111111111111111' },
    { bban: '539007547034', currency: 'EUR' },
  ])('has no account %j', async (account) => {
    const { path, body } = pay(account, '1.00');
    const answer = await call('POST', path, { body, headers: { 'PSU-ID': asa } });
    expect([answer.status, answer.json.tppMessages[0].code]).toEqual([400, 'FORMAT_ERROR']);
  });

  it('has the payments of the file, which go on', async () => {
    const path = '/v136/payments/sepa-credit-transfers/waits';
    expect((await call('GET', `${path}/status`)).json.transactionStatus).toBe('ACTC');
    expect((await call('GET', path)).json).toMatchObject({ debtorAccount: { bban: '539007547034' } });
    bank.clock('+1d');
    expect((await call('GET', `${path}/status`)).json.transactionStatus).toBe('ACSC');
  });

  it('has the same ids at each start and after each reset', async () => {
    const ids = async (one: TestBank) => {
      const tpp = judgedTpp(one);
      const { path, body } = pay({ bban: '539007547034' }, '1.00');
      const created = await tpp('POST', path, { body, headers: { 'PSU-ID': asa } });
      const list = await tpp('GET', '/v136/accounts', { headers: { 'Consent-ID': 'all-of-asa' } });
      const resourceIds = (list.json.accounts as { resourceId: string }[]).map(
        ({ resourceId }) => resourceId,
      );
      return [created.json.paymentId as string, ...resourceIds];
    };
    const [one, two] = [await start(), await start()];
    const first = await ids(one);
    expect(await ids(two)).toEqual(first);
    expect(await ids(two)).not.toEqual(first);
    await two.close();
    one.clock('+3d');
    await one.bank.reset();
    expect(one.clock()).toBe('2026-03-02T09:00:00.000Z');
    expect(await ids(one)).toEqual(first);
    await one.close();
  });
});
