import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { ObkError } from '../../../../src/base/errors.ts';
import { openLedger } from '../../../../src/bank/books/ledger.ts';
import { accountsOf, cardsOf } from '../../../../src/bank/books/accounts.ts';
import type { Schema } from '../../../../src/base/schema.ts';
import { bankSchema } from '../../../../src/bank/config/config.ts';
import { readBank } from '../../../../src/bank/config/read-bank.ts';

const root = resolve(import.meta.dirname, '../../../..');
const example = join(root, 'docs/bank/bank.yaml');

const ajv = new Ajv2020.default({ strict: false, allErrors: true });
addFormats.default(ajv);
const fits = ajv.compile(bankSchema);

describe('the schema of a bank file', () => {
  it('is the file in the repository', () => {
    const file: unknown = JSON.parse(readFileSync(join(root, 'docs/bank/bank.schema.json'), 'utf8'));
    expect(file, 'npm run completions').toEqual(bankSchema);
  });

  it('describes every key', () => {
    const silent: string[] = [];
    const look = ({ properties = {}, items }: Schema, path: string) => {
      for (const [name, member] of Object.entries(properties)) {
        if (member.description === undefined || member.description === '') silent.push(`${path}.${name}`);
        look(member, `${path}.${name}`);
      }
      if (items !== undefined) look(items, `${path}[]`);
    };
    look(bankSchema, '');
    expect(silent).toEqual([]);
  });

  it('accepts the example as an editor reads it, and not a misspelt key', () => {
    // An editor has the core schema: there a PSU-ID of digits is a number.
    const value = parse(readFileSync(example, 'utf8')) as Record<string, unknown>;
    expect(fits(value), JSON.stringify(fits.errors)).toBe(true);
    expect(fits({ ...value, peple: [] })).toBe(false);
    expect(fits({ people: [{ psuId: 1, otp: 12_345, accounts: [{ balance: 1.5 }] }] })).toBe(true);
    expect(fits({ people: [{ psuId: 'a', approach: 'embeded' }] })).toBe(false);
  });

  it('is that of the example, which starts', async () => {
    const { filling } = await readBank(example);
    const ledger = openLedger(':memory:', new Date(), filling);
    const { main } = ledger;
    const told = ({ iban, bban, currency, balance }: ReturnType<typeof accountsOf>[number]) => [
      iban ?? bban,
      currency,
      balance,
    ];
    expect(accountsOf(main, 'anna').map(told)).toEqual([
      ['SE4550000000058398257466', 'SEK', 2_500_000n],
      ['DE02120300000000202051', 'EUR', 120_000n],
      ['539007547034', 'EUR', 350n],
    ]);
    expect(cardsOf(main, 'Ben Example <ben@example.com>')).toMatchObject([
      { maskedPan: '411111******1111', balance: -15_025n },
    ]);
    const unbalanced = main.all('SELECT bookingId FROM entries GROUP BY bookingId HAVING sum(minor) <> 0');
    expect(unbalanced).toEqual([]);
    const differs = main.all(
      'SELECT iban FROM accounts a WHERE balance <> (SELECT coalesce(sum(minor), 0) FROM entries e WHERE e.accountId = a.accountId)',
    );
    expect(differs).toEqual([]);
    ledger.close();
  });

  const inPerson = (text: string) => `people: [{ psuId: a, ${text} }]`;
  const inAccount = (text: string) => inPerson(`accounts: [{ ${text} }]`);
  const inBank = (text: string) => `people: [{ psuId: a, accounts: [{ bban: 1 }] }]\n${text}`;
  const entry = (text: string) =>
    inAccount(`transactions: [{ bookingDate: 2026-01-01, amount: 1, ${text} }]`);

  it.each([
    inPerson('otp: 012345, limits: { attempts: "3", locks: "true" }, locked: "false"'),
    inPerson('name: 5, description: 2026-01-01, methods: [], authorisers: [a]'),
    inAccount('iban: "de89 3704 0044 0532 0130 00", bic: cobadeff'),
    inAccount(
      'bban: 5390 0754 7034, msisdn: "+49 151 12345678", pan: 5409 0500 0000 1234, maskedPan: 540905******1234',
    ),
    inAccount('pan: 5409050000001234, currency: KWD, balance: -1.123'),
    entry('bookedAt: 2026-01-01T10:00Z, transactionId: E7, counterpartyAccount: "pan:5409050000001234"'),
    inBank(
      'policy: { attempts: 3, feeAmount: 2, pages: of-5, bookingStatuses: [booked, both], multilevel: from-1000 }',
    ),
    inBank(
      'doors: { open: yes, port: "0", rate: 12, listen: ["::1"], basePath: /bank/, tenants: "header:X-T" }',
    ),
    inBank('doors: { listen: "::1", host: bank.test, cors: "*" }'),
    inBank(
      'doors: { listen: ["::1", 0.0.0.0], host: [bank.test], cors: ["https://a.test", "https://b.test"] }',
    ),
    inBank('doors: { trust: /etc/hostname }'),
    inBank('doors: { trust: [/etc/hostname, /etc/passwd] }'),
    inBank('consents: [{ psuId: a, access: { accounts: [{ bban: 1 }] } }]'),
    inBank('tpps: [{ id: X, redirectUris: ["https://bücher.example/cb"] }]'),
  ])('accepts what the bank accepts: %s', async (text) => {
    expect(await judged(text)).toEqual([true, '']);
  });

  it.each([
    [inPerson('name: " "'), 'people[0].name: it is empty'],
    [inPerson('description: "x\\ny"'), 'people[0].description: it has control'],
    [inPerson('otp: ""'), 'people[0].otp: a secret has 1'],
    [inPerson('password: env:X'), 'people[0].password: a reference'],
    [inPerson('limits: { attempts: 100 }'), 'people[0].limits.attempts: it is not a whole number'],
    [inPerson('approach: redirected'), 'people[0].approach: must be one of: REDIRECT, OAUTH'],
    [inPerson('aproach: REDIRECT'), 'people[0].aproach: there is no such key'],
    [inPerson('phone: { decision: approve }'), 'people[0].phone: afterMs is missing'],
    [inPerson('accounts: {}'), 'people[0].accounts: it is a map'],
    [inPerson('reports: []'), 'people[0].reports: the list is empty'],
    [inAccount('iban: DE00'), 'people[0].accounts[0].iban: it has 4'],
    [inAccount('bban: ä'), 'people[0].accounts[0].bban: it is not'],
    [inAccount('msisdn: 12'), 'people[0].accounts[0].msisdn: it is not'],
    [inAccount('pan: 1'), 'people[0].accounts[0].pan: it is not'],
    [inAccount('maskedPan: 5'), 'people[0].accounts[0].maskedPan: it is not'],
    [inAccount('bic: X'), 'people[0].accounts[0].bic: it is not'],
    [inAccount('currency: eur'), 'people[0].accounts[0].currency: must be one of'],
    [inAccount('balance: "1,5"'), 'people[0].accounts[0].balance: it is not'],
    [inAccount('balances: []'), 'people[0].accounts[0].balances: the list is empty'],
    [inAccount('generated: { perDay: 0, from: 2026-01-01, to: 2026-01-02 }'), 'generated.perDay: it is not'],
    [entry('transactionId: E01'), 'transactions[0].transactionId: it is not an id'],
    [entry('valueDate: 2026-02-30'), 'transactions[0].valueDate: there is no such day'],
    [entry('bookedAt: 2026-01-01T10:00:00+0100'), 'transactions[0].bookedAt: it is not a date'],
    [entry('counterpartyAccount: "foo:1"'), 'transactions[0].counterpartyAccount: foo: is no kind'],
    [inBank('clock: { at: now }'), 'clock.at: it is not a date'],
    [inBank('clock: 2026-03-02T09:00:00Z'), 'clock: it is one value'],
    [inBank('scenario: { rateLimit: false }'), 'scenario.rateLimit: it takes'],
    [inBank('policy: { attempts: 0 }'), 'policy.attempts: it takes'],
    [inBank('policy: { feeAmount: 0 }'), 'policy.feeAmount: it takes'],
    [inBank('policy: { bookingStatuses: [pending] }'), 'policy.bookingStatuses: it takes'],
    [inBank('policy: { redirectLink: 10 }'), 'policy.redirectLink: it takes'],
    [inBank('policy: { multilevel: 1000 }'), 'policy.multilevel: it takes'],
    [inBank('doors: { port: 70000 }'), 'doors.port: it takes'],
    [inBank('doors: { open: maybe }'), 'doors.open: it takes'],
    [inBank('doors: { rate: 0 }'), 'doors.rate: it takes'],
    [inBank('doors: { basePath: bank }'), 'doors.basePath: it takes'],
    [inBank('doors: { publicUrl: x }'), 'doors.publicUrl: it takes'],
    [inBank('doors: { accessKeyFrom: hunter2 }'), 'doors.accessKeyFrom: it takes a reference'],
    [inBank('doors: { tenants: x }'), 'doors.tenants: it takes'],
    [inBank('doors: { host: a/b }'), 'doors.host: it takes'],
    [inBank('doors: { host: [a/b] }'), 'doors.host[0]: it takes'],
    [inBank('doors: { cors: [] }'), 'doors.cors: the list is empty'],
    [inBank('doors: { listen: { a: b } }'), 'doors.listen: it is a map, and one value or a list is due here'],
    [
      inBank('tpps: [{ id: X, redirectUris: ["myapp://cb"] }]'),
      'tpps[0].redirectUris[0]: it is no web address',
    ],
    [inBank('faults: [{ operation: "*", kind: status, status: 100 }]'), 'faults[0].status: it is not'],
    [inBank('consents: [{ access: {} }]'), 'consents[0].access: it gives access to nothing'],
    [
      inBank('consents: [{ access: { accounts: [{}] } }]'),
      'consents[0].access.accounts[0]: it names not exactly',
    ],
  ])('refuses what the bank refuses with line and path: %s', async (text, told) => {
    const [fitting, detail] = await judged(text);
    expect(fitting).toBe(false);
    expect(detail).toMatch(/^:[12]:[0-9]+: /);
    expect(detail).toContain(told);
    expect(detail).not.toContain('hunter2');
  });
});

const written = join(mkdtempSync(join(tmpdir(), 'obk-schema-')), 'bank.yaml');

/** Whether an editor takes a file, and what the bank says of it. */
async function judged(text: string): Promise<[boolean, string]> {
  writeFileSync(written, text);
  const detail = await readBank(written).then(
    () => '',
    (error: unknown) => (error as ObkError).detail?.replaceAll(written, '') ?? 'refused',
  );
  return [fits(parse(text)), detail];
}
