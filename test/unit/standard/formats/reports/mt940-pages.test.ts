import { describe, expect, it } from 'vitest';
import { firstRow, problemsOf, reading, statementsOf } from './reading.ts';

const account = 'DE89370400440532013000';
const head = `:20:START\n:25:${account}\n:28C:1/1\n`;
const entry = (text: string) => `:61:2501060106CR1,00N062NONREF\n:86:${text}\n`;
const first = `${head}:60F:C250101EUR1,00\n${entry('FIRST')}`;
const second = `${entry('SECOND')}:62F:C250106EUR3,00\n-\n`;

describe('a page of MT940 behind :62M:', () => {
  it.each([
    ['a dash before and behind :60M:', ':62M:C250106EUR2,00\n-\n:60M:C250106EUR2,00\n-\n'],
    ['a dash before :60M:', ':62M:C250106EUR2,00\n-\n:60M:C250106EUR2,00\n'],
    ['no dash', ':62M:C250106EUR2,00\n:60M:C250106EUR2,00\n'],
    ['a number of its own', ':62M:C250106EUR2,00\n-\n:20:START\n:28C:1/2\n:60M:C250106EUR2,00\n'],
  ])('is of the same account where it names none: %s', async (_, between) => {
    const { items, rows } = await reading(first + between + second);
    expect(rows.map((row) => [row.account, row.remittanceInformationUnstructured])).toEqual([
      [account, 'FIRST'],
      [account, 'SECOND'],
    ]);
    const balances = items.flatMap((item) => (item.kind === 'balance' ? [item.balance] : []));
    expect(balances.map((balance) => balance.account)).toEqual([account, account, account, account]);
    expect(await problemsOf(first + between + second)).toEqual([]);
  });

  it.each([
    [
      ':62M:C250106EUR2,00\n-\n:20:X\n:25:DE02120300000000202051\n:60M:C250106EUR2,00\n',
      'DE02120300000000202051',
    ],
    [':62F:C250106EUR2,00\n-\n:20:X\n:60F:C250106EUR2,00\n', undefined],
    [':62F:C250106EUR2,00\n-\n:20:X\n:60M:C250106EUR2,00\n', undefined],
  ])('is of its own account, and of none behind a finished statement: %j', async (between, own) => {
    const { rows } = await reading(first + between + second);
    expect(rows.map((row) => row.account)).toEqual([account, own]);
  });
});

describe('a sum of field 90', () => {
  const interim = (sum: string) =>
    `${head}:34F:EUR0,00\n:13D:2501021200+0100\n:61:250105D5,00NDDTNONREF\n:86:FUTURE DEBIT\n${sum}:90C:0EUR0,00\n-\n`;

  it.each([':90D:EUR,00\n', ':90D:EUR0,00\n', ':90D:EUR,\n', ':90D: EUR ,00\n'])(
    'announces nothing without a number, and is shown as sent: %j',
    async (sum) => {
      expect(await problemsOf(interim(sum))).toEqual([]);
      const [statement] = await statementsOf(interim(sum));
      expect(statement?.values[':90D:']).toBe(sum.slice(':90D:'.length).trim());
    },
  );

  it.each([
    [':90D:0EUR0,00\n', 'count-differs'],
    [':90D:EUR5,00\n', 'sum-malformed'],
  ])('is compared where it has a number, and has money with one only: %j', async (sum, code) => {
    expect((await problemsOf(interim(sum))).map((problem) => problem.code)).toEqual([code]);
  });
});

describe('a word of field 86 across a break', () => {
  const row = (text: string) => firstRow(`${first.replace('FIRST', text)}:62F:C250106EUR2,00\n-\n`);

  it.each([
    '177?00X?20SVWZ: Miete IBAN: DE0212?210300000000202051 BIC: COBADEFFXX?22X',
    '177?00X?20SVWZ: Miete IBAN: DE021203000000?2100202051 BIC: ?22COBADEFFXXX',
    '177?00X?20SVWZ+Miete?21IBAN+DE02120?223000000?2300202051 BIC+COBADEFFXXX',
    '177?00X?20SVWZ: Miete IBAN: ?21DE02120300000000202051 BIC: ?22COBADEFFXXX',
  ])('is joined: %s', async (text) => {
    expect(await row(text)).toMatchObject({
      counterpartyAccount: 'DE02120300000000202051',
      counterpartyAgent: 'COBADEFFXXX',
      remittanceInformationUnstructured: 'Miete',
    });
  });

  it('is not joined with the text behind it', async () => {
    expect(await row('177?00X?20SVWZ: Miete IBAN: DE02120300000000202051?21MAI 2025')).toMatchObject({
      counterpartyAccount: 'DE02120300000000202051',
      remittanceInformationUnstructured: 'Miete MAI 2025',
    });
  });
});
