import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accountsOf } from '../../../../src/bank/books/accounts.ts';
import { bankClock } from '../../../../src/bank/books/clock.ts';
import { openLedger } from '../../../../src/bank/books/ledger.ts';
import type { Ledger } from '../../../../src/bank/books/ledger.ts';
import { exportBank } from '../../../../src/bank/config/export.ts';
import { readBank } from '../../../../src/bank/config/read-bank.ts';
import { ensurePast } from '../../../../src/bank/statements/seeded-entries.ts';
import { commanded } from '../../../../src/bank/control/by-command.ts';
import { startBank } from '../../../helpers/bank.ts';
import { findPerson } from '../../../../src/bank/books/people.ts';
import { removeAccount, removePerson } from '../../../../src/bank/steering/leave.ts';
import { allConsents } from '../../../../src/bank/stores/consent-store.ts';
import { allPayments } from '../../../../src/bank/stores/payment-store.ts';
import { failedWith } from '../../../helpers/failed-with.ts';
import { judgedTpp, payment } from '../tpp.ts';

const folder = mkdtempSync(join(tmpdir(), 'obk-export-'));
const now = new Date('2026-06-01T12:00:00Z');
const clock = { now: () => now };

async function bankOf(text: string): Promise<Ledger> {
  const path = join(folder, 'bank.yaml');
  writeFileSync(path, text);
  const { filling } = await readBank(path);
  return openLedger(':memory:', now, filling);
}

/** All that a file keeps of a ledger, row by row. */
function told({ main, pageKey }: Ledger): unknown {
  const all = (sql: string) => main.all<Record<string, unknown>>(sql);
  return {
    pageKey,
    people: all('SELECT * FROM people ORDER BY position').map(({ definition, ...row }) => ({
      ...row,
      // In a bank of its own all secrets are given.
      definition: { ...(JSON.parse(definition as string) as object), accounts: [], given: undefined },
    })),
    accounts: all('SELECT * FROM accounts WHERE psuId IS NOT NULL ORDER BY accountId').map(
      ({ position: _position, ...row }) => row,
    ),
    entries: all(
      `SELECT entryId, accountId, day, minor, bookedAt, currency, remittance, endToEndId, instructed,
       iif(minor < 0, creditorName, debtorName) AS name, iif(minor < 0, creditorIban, debtorIban) AS other, details,
       iif(minor < 0, paymentId, NULL) AS paymentId FROM entries JOIN bookings USING (bookingId)
       WHERE accountId IN (SELECT accountId FROM accounts WHERE psuId IS NOT NULL) ORDER BY entryId`,
    ).map(({ details, ...row }) => ({ ...row, details: sorted(details as string | null) })),
    consents: all('SELECT * FROM consents ORDER BY rowid'),
    payments: all('SELECT * FROM payments ORDER BY rowid').map(({ body, ...row }) => ({
      ...row,
      body: Buffer.from(body as ArrayBuffer).toString(),
    })),
    history: all('SELECT * FROM history ORDER BY rowid'),
    scenario: all('SELECT * FROM scenario ORDER BY key'),
    faults: all('SELECT * FROM faults ORDER BY faultId'),
    clients: all('SELECT * FROM oauthClients ORDER BY clientId, redirectUri'),
    now: bankClock(main, clock).now(),
  };
}

const sorted = (details: string | null): unknown =>
  details === null ? null : Object.entries(JSON.parse(details) as object).sort();

const word = fc.stringMatching(/^[A-Za-z0-9äöß'":#&*!?|>%@`, -]{0,20}[a-z]$/);
const optional = { requiredKeys: [] as [] };
const amount = fc.integer({ min: -9_999_999, max: 9_999_999 }).map((minor) => (minor / 100).toFixed(2));
const day = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2026-05-31'), noInvalidDate: true })
  .map((one) => one.toISOString().slice(0, 10));
const entry = fc.record(
  {
    bookingDate: day,
    amount,
    counterpartyName: word,
    counterpartyAccount: fc.constant('DE89370400440532013000'),
    remittanceInformationUnstructured: word,
    endToEndId: word,
    purposeCode: fc.constant('SALA'),
    valueDate: day,
    more: fc.constant('{"checkId":"1","currencyExchange":[{"exchangeRate":"1.10"}]}'),
  },
  { requiredKeys: ['bookingDate', 'amount'] },
);
const account = fc.record(
  {
    name: word,
    owner: word,
    product: fc.constantFrom('Giro', '007'),
    cashAccountType: fc.constantFrom('CACC', 'SVGS'),
    usage: fc.constantFrom('PRIV', 'ORGA'),
    balance: amount,
    balances: fc.constant([{ balanceType: 'interimAvailable', amount: '12.00' }]),
    transactions: fc.array(entry, { maxLength: 5 }),
    generated: fc.constant({ perDay: '3', from: '2026-05-01', to: '2026-05-03' }),
  },
  optional,
);
const person = fc.record(
  {
    name: word,
    password: fc.stringMatching(/^[0-9]{1,8}$/),
    otp: fc.stringMatching(/^0[0-9]{5}$/),
    approach: fc.constantFrom('REDIRECT', 'OAUTH', 'EMBEDDED', 'DECOUPLED'),
    limits: fc.constant({ attempts: '2', locks: 'true' }),
    locked: fc.constantFrom('true', 'false'),
    booking: fc.constantFrom('at-once', 'next-day', 'stepwise'),
    fees: fc.constantFrom('with-method'),
    fundsConfirmation: fc.constantFrom('true', 'false'),
    additionalPassword: word,
    accounts: fc.array(account, { maxLength: 3 }),
  },
  optional,
);
const numbers = ['iban', 'bban', 'msisdn', 'pan'] as const;

describe('an export of a bank', () => {
  it('starts the same bank, whatever the bank is', async () => {
    const bank = fc.record(
      {
        seed: word,
        clock: fc.constant({ at: '2026-02-03T04:05:06Z', stands: 'true' }),
        scenario: fc.constant({ rateLimit: 'off', links: 'none' }),
        faults: fc.constant([{ operation: '*', kind: 'delay', delayMs: '5' }]),
        tpps: fc.constant([
          { id: 'PSDDE-BAFIN-1', redirectUris: ['https://tpp.example/cb'] },
          { id: 'PSDDE-BAFIN-2' },
        ]),
        people: fc.array(person, { minLength: 1, maxLength: 4 }),
      },
      { requiredKeys: ['people'] },
    );
    await fc.assert(
      fc.asyncProperty(bank, fc.array(fc.constantFrom(...numbers, undefined)), async (wish, kinds) => {
        let count = 0;
        const number = (): object => {
          count += 1;
          const kind = kinds[count];
          const digits = String(count).padStart(12, '1');
          return kind === undefined || kind === 'iban' ? {} : { [kind]: digits };
        };
        const people = wish.people.map((one, index) => ({
          psuId: `p ${String(index)}`,
          ...one,
          accounts: one.accounts?.map((own) => ({ ...own, ...number() })),
        }));
        const first = await bankOf(JSON.stringify({ ...wish, people }));
        const text = exportBank(first, bankClock(first.main, clock).now());
        const second = await bankOf(text);
        expect(told(second)).toEqual(told(first));
        expect(exportBank(second, bankClock(second.main, clock).now())).toBe(text);
        first.close();
        second.close();
      }),
      { numRuns: 40, seed: 7 },
    );
  });

  it('starts again after customers and accounts have left, with what ended with them', async () => {
    const body = (number: string) => ({
      debtorAccount: { bban: number },
      instructedAmount: { currency: 'EUR', amount: '1.00' },
      creditorAccount: { iban: 'DE89370400440532013000' },
      creditorName: 'Shop',
    });
    const people = ['anna', 'ben', 'cleo'].map((psuId, index) => ({
      psuId,
      authorisers: index === 2 ? ['cleo', 'ben'] : undefined,
      accounts: [{ bban: `${String(index)}1` }, { bban: `${String(index)}2` }],
    }));
    const reads = (psuId: string, bban: string, more: object = {}) => ({
      psuId,
      access: { accounts: [{ bban }] },
      ...more,
    });
    const ledger = await bankOf(
      JSON.stringify({
        people,
        consents: [
          reads('anna', '01'),
          reads('anna', '02'),
          reads('ben', '11', { status: 'received' }),
          reads('cleo', '21', { authorisedBy: ['cleo', 'ben'] }),
        ],
        payments: [
          { psuId: 'anna', body: body('01') },
          { psuId: 'anna', status: 'ACSC', body: body('01') },
          { psuId: 'ben', body: body('11') },
          { psuId: 'ben', body: body('21') },
        ],
      }),
    );
    removeAccount(ledger.main, accountsOf(ledger.main, 'anna')[0]!, now);
    removePerson(ledger.main, 'ben', now);
    expect(findPerson(ledger.main, 'cleo')?.authorisers).toEqual(['cleo']);
    const text = exportBank(ledger, now);
    const again = await bankOf(text);
    expect(exportBank(again, now)).toBe(text);
    const statuses = (all: readonly { status: string }[]) => all.map(({ status }) => status);
    expect(statuses(allConsents(again.main))).toEqual(['revokedByPsu', 'valid', 'rejected', 'valid']);
    expect(statuses(allPayments(again.main))).toEqual(['RJCT', 'ACSC', 'RJCT', 'RCVD']);
    ledger.close();
    again.close();
  });

  it('does not report of anything that goes on that its customer has left', async () => {
    const failed = await failedWith(
      bankOf(
        'people: [{ psuId: a }]\nconsents: [{ psuId: b, former: true, access: { allPsd2: allAccounts } }]\n',
      ),
    );
    expect(failed.detail).toMatch(/:2:.*consents\[0\]\.former: what has not ended concerns/);
  });

  it('keeps what was created by the interface', async () => {
    const bank = await startBank({ clock });
    const call = judgedTpp(bank);
    const { iban } = bank.person('embedded-one').accounts[0]!;
    const created = await call('POST', '/v136/payments/sepa-credit-transfers', {
      body: payment(iban, '12.34'),
      headers: { 'PSU-ID': 'embedded-one' },
    });
    expect(created.status).toBe(201);
    const other = bank.person('redirect').accounts[0]!.iban;
    const consent = await call('POST', '/v136/consents', {
      body: {
        access: { accounts: [{ iban: other }], balances: [{ iban: other }] },
        recurringIndicator: true,
        validUntil: '2026-12-31',
        frequencyPerDay: 4,
        combinedServiceIndicator: false,
      },
      headers: { 'PSU-ID': 'redirect', 'TPP-Redirect-URI': 'http://127.0.0.1:9/back' },
    });
    expect(consent.status).toBe(201);
    const ledger = openLedger(join(bank.stateDir, 'sandbox', 'ledger.db'), now);
    ensurePast(ledger.main, accountsOf(ledger.main, 'embedded-one')[0]!);
    await commanded('moveClock', { body: { move: '+1d' } }).here({ ledger, clock });
    const text = exportBank(ledger, bankClock(ledger.main, clock).now());
    const again = await bankOf(text);
    const [before, after] = [told(ledger), told(again)] as Record<string, unknown>[];
    for (const part of ['people', 'accounts', 'payments', 'consents', 'history', 'pageKey', 'now'])
      expect(strip(after![part]), part).toEqual(strip(before![part]));
    again.close();
    ledger.close();
    await bank.close();
  });
});

/** The addresses of a TPP to which nobody is led any more are not kept. */
function strip(rows: unknown): unknown {
  if (!Array.isArray(rows)) return rows;
  return (rows as Record<string, unknown>[]).map(
    ({
      redirectUri: _uri,
      nokRedirectUri: _nok,
      redirectPreferred: _one,
      explicitPreferred: _two,
      dueAt: _due,
      ...row
    }) => row,
  );
}
