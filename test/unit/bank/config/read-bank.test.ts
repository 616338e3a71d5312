import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { accountsOf, cardsOf, factsOf } from '../../../../src/bank/books/accounts.ts';
import { bankClock } from '../../../../src/bank/books/clock.ts';
import { openLedger, resetLedger } from '../../../../src/bank/books/ledger.ts';
import type { Ledger } from '../../../../src/bank/books/ledger.ts';
import { allPeople, findPerson } from '../../../../src/bank/books/people.ts';
import { readBank } from '../../../../src/bank/config/read-bank.ts';
import { allFaults } from '../../../../src/bank/rules/faults.ts';
import { scenarioOf } from '../../../../src/bank/rules/scenario.ts';
import { failedWith } from '../../../helpers/failed-with.ts';

const folder = mkdtempSync(join(tmpdir(), 'obk-config-'));
const now = new Date('2026-06-01T12:00:00Z');

function fileOf(text: string, name = 'bank.yaml'): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

async function bankOf(text: string, name?: string): Promise<Ledger> {
  const { filling } = await readBank(fileOf(text, name));
  return openLedger(':memory:', now, filling);
}

/** What is wrong with a file: `line:column path: why`. */
async function faultsOf(text: string, name?: string): Promise<string[]> {
  const path = fileOf(text, name);
  const error = await failedWith(readBank(path));
  expect(error).toMatchObject({ code: 'CONFIG_UNREADABLE', exit: 3 });
  return (error.detail ?? '').split('\n').map((line) => line.replace(`${path}:`, ''));
}

describe('the file of a bank', () => {
  it('may have every scalar as it is written', async () => {
    const ledger = await bankOf(`
people:
  - psuId: 0123
    otp: 012345
    password: 1.10
  - psuId: "no"
    password: yes
  - psuId: Zoë O'Brien <zoe@example.com>
    otp: 1e3
`);
    expect(allPeople(ledger.main).map(({ psuId, otp, password }) => [psuId, otp, password])).toEqual([
      ['0123', '012345', '1.10'],
      ['no', expect.stringMatching(/^[0-9]{6}$/), 'yes'],
      ["Zoë O'Brien <zoe@example.com>", '1e3', expect.any(String)],
    ]);
    ledger.close();
  });

  it.each(['EMBEDDED', 'embedded', 'Embedded'])(
    'may write the approach %s in upper or lower case',
    async (approach) => {
      const ledger = await bankOf(`
policy: { approach: ${approach} }
people: [{ psuId: a, approach: ${approach} }, { psuId: b, approaches: [redirect, ${approach}] }]
`);
      expect(scenarioOf(ledger.main)).toMatchObject({ approach: 'embedded' });
      expect(allPeople(ledger.main).map(({ approaches }) => approaches)).toEqual([
        ['EMBEDDED'],
        ['REDIRECT', 'EMBEDDED'],
      ]);
    },
  );

  it('may have a policy whose lists are lists of the file', async () => {
    const ledger = await bankOf(`
policy:
  approach: embedded
  attempts: 3
  bookingStatuses: [booked, pending]
  reportFormats: camt.053,json
  multilevel: from-1000.00
people: [{ psuId: a }]
`);
    expect(scenarioOf(ledger.main)).toMatchObject({
      approach: 'embedded',
      attempts: '3',
      bookingStatuses: 'booked,pending',
      reportFormats: 'camt.053,json',
      multilevel: 'from-1000.00',
    });
    ledger.close();
    expect(
      await faultsOf(`
policy:
  attempts: 0
  bookingStatuses: [pending]
  reportFormats: [json, xml]
people: [{ psuId: a }]
`),
    ).toEqual([
      '3:13: policy.attempts: it takes by-person, a whole number from 1 to 99',
      '4:20: policy.bookingStatuses: it takes every, a list of booked, pending, both, information, divided by commas and with booked',
      '5:25: policy.reportFormats[1]: must be one of: json, camt.052, camt.053, text',
    ]);
  });

  it('may be JSON, whose numbers are never rounded', async () => {
    const ledger = await bankOf(
      '{"people": [{"psuId": "a", "otp": 123456789012345678901234567890, "accounts": [{"currency": "KWD", "balance": 1.2345}]}]}'.replace(
        '1.2345',
        '12345678901234.567',
      ),
      'bank.json',
    );
    expect(findPerson(ledger.main, 'a')?.otp).toBe('123456789012345678901234567890');
    expect(accountsOf(ledger.main, 'a')[0]).toMatchObject({
      balance: 12_345_678_901_234_567n,
      currency: 'KWD',
    });
    ledger.close();
  });

  it('may have every detail of a person and an account', async () => {
    const ledger = await bankOf(
      `
clock: { at: 2026-03-01T08:00:00+01:00, stands: true }
scenario: { rateLimit: off }
policy: { pages: of-20 }
faults: [{ operation: getAccountList, kind: status, status: 503, count: 2 }]
people:
  - psuId: anna
    name: Anna Example
    approaches: [REDIRECT, EMBEDDED]
    methods: [{ id: app, type: PUSH_OTP, turns: DECOUPLED }]
    limits: { attempts: 3, locks: true }
    booking: next-day
    cancellation: impossible
    fundsConfirmation: false
    authorisers: [anna, ben]
    accounts:
      - iban: FR76 3000 6000 0112 3456 7890 189
        owner: Anna & Ben
        product: Girokonto
        cashAccountType: SVGS
        usage: ORGA
        bic: AGRIFRPP
        balance: 100.50
      - bban: 12 34-5
        currency: JPY
        balance: 1000
  - psuId: ben
    locked: true
    accounts:
      - { msisdn: +49 151 12345678, currency: ISK }
      - { pan: 4711471147114711, creditLimit: 500.00, name: Card }
      - { maskedPan: 123456******1234 }
      - {}
`.replace('12 34-5', '12 345'),
    );
    const { main } = ledger;
    expect(findPerson(main, 'anna')).toMatchObject({
      approaches: ['REDIRECT', 'EMBEDDED'],
      start: 'implicit',
      attempts: 3,
      locks: true,
      booking: 'next-day',
      cancellation: 'impossible',
      noFundsConfirmation: true,
      authorisers: ['anna', 'ben'],
      methods: [{ id: 'app', name: 'app', turns: 'DECOUPLED' }],
    });
    expect(findPerson(main, 'ben')?.locked).toBe(true);
    const [french, japanese] = accountsOf(main, 'anna');
    expect(french).toMatchObject({ iban: 'FR7630006000011234567890189', balance: 10_050n });
    expect(factsOf(french!)).toMatchObject({ ownerName: 'Anna & Ben', usage: 'ORGA', bic: 'AGRIFRPP' });
    expect(japanese).toMatchObject({ iban: null, bban: '12345', currency: 'JPY', balance: 1000n });
    const [mobile, made] = accountsOf(main, 'ben');
    expect(mobile).toMatchObject({ msisdn: '+4915112345678', currency: 'ISK' });
    expect(made?.iban).toMatch(/^DE[0-9]{20}$/);
    expect(cardsOf(main, 'ben').map(({ maskedPan, creditLimit }) => [maskedPan, creditLimit])).toEqual([
      ['471147******4711', 50_000n],
      ['123456******1234', null],
    ]);
    expect(scenarioOf(main)).toMatchObject({ rateLimit: 'off', pages: 'of-20' });
    expect(allFaults(ledger.log)).toEqual([
      { operation: 'getAccountList', kind: 'status', status: 503, count: 2 },
    ]);
    expect(
      bankClock(main, { now: () => now })
        .now()
        .toISOString(),
    ).toBe('2026-03-01T07:00:00.000Z');
    ledger.close();
  });

  it('gives the same ids and secrets each time, and after a reset', async () => {
    const text =
      'people: [{ psuId: a, accounts: [{}, { currency: USD }] }, { psuId: b, additionalPassword: x }]';
    const told = (ledger: Ledger) => [
      ledger.pageKey,
      allPeople(ledger.main),
      accountsOf(ledger.main, 'a').map(({ iban }) => iban),
    ];
    const [one, two] = [await bankOf(text), await bankOf(text)];
    const first = told(one);
    expect(told(two)).toEqual(first);
    one.main.run("UPDATE people SET otp = '1', locked = 1");
    resetLedger(one, now);
    expect(told(one)).toEqual(first);
    const other = await bankOf(`seed: another\n${text}`);
    expect(told(other)).not.toEqual(first);
    expect(one.id).not.toBe(two.id);
    for (const ledger of [one, two, other]) ledger.close();
  });
});

describe('a wrong bank file', () => {
  it('is reported with every mistake, by line, column and path', async () => {
    expect(
      await faultsOf(`people:
  - psuId: a
    aproach: EMBEDDED
    approaches: [REDIRECTED]
    otp: env:OTP
    authorisers: [a, nobody]
    accounts:
      - iban: DE00370400440532013000
      - { currency: EUX, balance: 1.234 }
      - { balance: "1,00" }
      - { currency: JPY, balance: 1.50 }
  - psuId: a
  - name: Nobody
scenario: { rateLimit: none, rateLimits: off }
polcy: {}
`),
    ).toEqual([
      '3:5: people[0].aproach: there is no such key; did you mean approach?',
      '4:18: people[0].approaches[0]: must be one of: REDIRECT, OAUTH, EMBEDDED, DECOUPLED; did you mean REDIRECT?',
      '5:10: people[0].otp: a reference is not resolved here; this is test data, so write the secret itself',
      '6:18: people[0].authorisers: no customer has the PSU-ID "nobody"',
      '8:15: people[0].accounts[0].iban: its check digits are wrong, so at least one character is mistyped',
      expect.stringMatching(
        /^9:21: people\[0\]\.accounts\[1\]\.currency: must be one of: .*, \.\.\.; did you mean EUR/,
      ),
      '10:20: people[0].accounts[2].balance: it is not an amount such as 12.50, with a dot and without blanks',
      '11:35: people[0].accounts[3].balance: JPY has no decimals',
      '13:5: people[2]: psuId is missing: The PSU-ID by which the customer is chosen.',
      expect.stringMatching(/^14:24: scenario\.rateLimit: /),
      '14:30: scenario.rateLimits: there is no such key; did you mean rateLimit?',
      '15:1: polcy: there is no such key; did you mean policy?',
    ]);
  });

  it.each([
    ['', '1:1: the file is empty; it needs people'],
    ['people: [', /^1:10: /],
    ['a: 1\n--- \nb: 1', '2:1: a second document begins here; a file has one'],
    ['people: [{ psuId: a, psuId: b }]', '1:22: people[0].psuId: it is there twice'],
    ['people: a', '1:9: people: it is one value, and a list is due here'],
    ['- a', '1:1: it is a list, and a map of keys and values is due here'],
    ['people: [{ psuId: !!int 5 }]', /^1:19: .*tag/],
    ['people: [{ psuId: a, password: "" }]', '1:32: people[0].password: a secret has 1 to 140 characters'],
    ['people: [{ psuId: "a\\nb" }]', '1:19: people[0].psuId: it has control characters'],
    [
      'people: [{ psuId: a, authorisers: [b] }]',
      '1:35: people[0].authorisers: no customer has the PSU-ID "b"',
    ],
    [
      'people: [{ psuId: a }, { psuId: a }]',
      '1:33: people[1].psuId: another customer has it already (line 1)',
    ],
    [
      'people: [{ psuId: a, accounts: [{ bban: 1 }] }, { psuId: b, accounts: [{ bban: 1 }] }]',
      '1:80: people[1].accounts[0].bban: another account in EUR has it already (line 1)',
    ],
    ['people: &a [*a]', /^1:9: people: it holds more than 64 levels$|levels/],
    [`people: ${'['.repeat(20_000)}`, /levels/],
    [
      `a: &a [x, x, x, x, x, x, x, x, x]\n${Array.from('bcdefghi')
        .map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[at]!}`).join(', ')}]`)
        .join('\n')}`,
      /too many values/,
    ],
  ])('is refused: %j', async (text, fault) => {
    const [first] = await faultsOf(text);
    if (typeof fault === 'string') expect(first).toBe(fault);
    else expect(first).toMatch(fault);
  });

  it.each([
    ['{"people": [{"psuId": "a",}]}', /^1:27: it is not JSON: /],
    ['{"people": [{"psuId": null}]}', '1:23: people[0].psuId: null is no value; leave the member out'],
    ['people: []', /^1:1: it is not JSON: /],
  ])('is refused as JSON: %j', async (text, fault) => {
    const [first] = await faultsOf(text, 'bank.json');
    if (typeof fault === 'string') expect(first).toBe(fault);
    else expect(first).toMatch(fault);
  });
});

describe('the ledger of a bank file', () => {
  it('goes on with the file it was made from, and with no other', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'obk-kept-')), 'ledger.db');
    const open = async (text: string) => openLedger(path, now, (await readBank(fileOf(text))).filling);
    const text = 'people: [{ psuId: a, accounts: [{}] }]';
    const first = await open(text);
    first.main.run("UPDATE people SET locked = 1 WHERE psuId = 'a'");
    first.close();
    const again = await open(text);
    expect(findPerson(again.main, 'a')?.locked).toBe(true);
    resetLedger(again, now);
    expect(findPerson(again.main, 'a')?.locked).toBe(false);
    again.close();
    expect(await failedWith(open('people: [{ psuId: b }]'))).toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
      exit: 3,
    });
  });
});
