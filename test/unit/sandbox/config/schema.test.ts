import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { openLedger } from '../../../../src/sandbox/books/ledger.ts';
import { accountsOf, cardsOf } from '../../../../src/sandbox/books/accounts.ts';
import { bankSchema } from '../../../../src/sandbox/config/config.ts';
import { readBank } from '../../../../src/sandbox/config/read-bank.ts';

const root = resolve(import.meta.dirname, '../../../..');
const example = join(root, 'docs/bank/bank.yaml');

const ajv = new Ajv2020.default({ strict: false, allErrors: true });
addFormats.default(ajv);
const fits = ajv.compile(bankSchema);

describe('the schema of a bank file', () => {
  it('is the one in the repository', () => {
    const file: unknown = JSON.parse(readFileSync(join(root, 'docs/bank/bank.schema.json'), 'utf8'));
    expect(file, 'npm run completions').toEqual(bankSchema);
  });

  it('says of every key what it is', () => {
    const silent: string[] = [];
    const look = (schema: Record<string, unknown>, path: string) => {
      for (const [name, member] of Object.entries(
        (schema['properties'] ?? {}) as Record<string, Record<string, unknown>>,
      )) {
        if (typeof member['description'] !== 'string' || member['description'] === '')
          silent.push(`${path}.${name}`);
        look(member, `${path}.${name}`);
      }
      if (schema['items'] !== undefined) look(schema['items'] as Record<string, unknown>, `${path}[]`);
    };
    look(bankSchema, '');
    expect(silent).toEqual([]);
  });

  it('takes the example as an editor reads it, and not a misspelt key', () => {
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
});
