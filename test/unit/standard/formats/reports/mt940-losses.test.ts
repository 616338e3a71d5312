import { describe, expect, it } from 'vitest';
import { addsUp, reading, rowsOf } from './reading.ts';
import type { ReportItem } from '../../../../../src/standard/formats/rows/report-reader.ts';

const head = [':20:STARTUMSE', ':25:DE89370400440532013000', ':28C:00001/001'];
const open = ':60F:C251229EUR1000,00';
const close = ':62F:C260102EUR990,00';
const message = (...fields: readonly string[]) => [...head, ...fields, '-', ''].join('\r\n');
const whole = message(open, ':61:260102D10,00NTRFNONREF', close);
const problems = (items: readonly ReportItem[]) =>
  items.flatMap((item) => (item.kind === 'problem' ? [item.problem] : []));

describe('the amount of an entry of MT940', () => {
  it.each([
    ['a type of three letters', 'D10,00NIT NONREF', 'NIT', undefined],
    ['such a type without a blank', 'D10,00NITNONREF', 'NIT', undefined],
    ['a blank within the type', 'D10,00N TRF NONREF', 'NTRF', undefined],
    ['blanks that fill up the type', 'D10,00NT  REF-7//B1', 'NT', 'REF-7'],
    ['a type without its first letter', 'D10,00TRF REF-7', 'TRF', 'REF-7'],
    ['no type', 'D10,00NONREF', undefined, undefined],
    ['no type, and a reference', 'D10,00//B1', undefined, undefined],
    ['nothing at all', 'D10,00', undefined, undefined],
    ['blanks around it', 'D 10,00 NTRF NONREF', 'NTRF', undefined],
    ['a letter of funds', 'DR10,00NTRFNONREF', 'NTRF', undefined],
    ['zeros in front', 'D0000000010,00NTRFREF-7', 'NTRF', 'REF-7'],
    ['a type of lower case', 'D10,00ntrf', undefined, 'ntrf'],
    ['a line separator of Unicode', 'D10,00NTRFREF\u20287', 'NTRF', 'REF\u20287'],
  ])('is read whatever follows it: %s', async (_, entry, type, reference) => {
    const { items, rows, error } = await reading(message(open, `:61:260102${entry}`, close));
    expect(error).toBeUndefined();
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ amount: '-10.00', currency: 'EUR', valueDate: '2026-01-02' });
    expect(rows[0]?.marks).toBeUndefined();
    expect(rows[0]?.proprietaryBankTransactionCode).toBe(type);
    expect(rows[0]?.entryReference).toBe(reference);
    expect(problems(items)).toEqual([]);
    expect(addsUp(items)).toBe(true);
  });

  it.each([
    ['no day', '', ['no-date']],
    ['a day of eight digits', '20260102', ['date-unusual']],
    ['an impossible day', '261332', ['date-malformed', 'no-date']],
    ['blanks around the day', ' 260102 0102 ', undefined],
  ])('is read whatever precedes it: %s', async (_, days, marks) => {
    const { rows } = await reading(message(open, `:61:${days}D10,00NTRFNONREF`, close));
    expect(rows[0]).toMatchObject({ amount: '-10.00' });
    expect(rows[0]?.marks).toEqual(marks);
  });

  it.each([
    ['1.000,50', '-1000.50'],
    ['1,000.50', '-1000.50'],
    ['1 000,50', '-1000.50'],
    ["1'000,50", '-1000.50'],
    ['10', '-10.00'],
    ['10.5', '-10.50'],
    ['10.50', '-10.50'],
    ['00000000000010,50', '-10.50'],
    [',50', '-0.50'],
    ['10,-', '-10.00'],
    ['10.--', '-10.00'],
  ])('is read where it differs from SWIFT, which is reported: %s', async (text, amount) => {
    const { rows } = await reading(message(open, `:61:260102D${text}NTRFNONREF`, close));
    expect(rows[0]).toMatchObject({ amount, amountAsSent: text, marks: ['amount-unusual'] });
  });

  it.each(['1.000', '1.00.00', '10,5,0', '-10,00', '**,**', 'x,00', '1,005', '10 ,50', '10, 50', '10 200'])(
    'is kept as it was sent, with its direction, where it is %s',
    async (amount) => {
      const { rows } = await reading(message(open, `:61:260102D${amount}NTRFNONREF`, close));
      expect(rows[0]).not.toHaveProperty('amount');
      expect(rows[0]).toMatchObject({
        amountAsSent: `${amount} EUR`,
        direction: 'debit',
        marks: ['amount-malformed'],
      });
    },
  );

  it('is read in the next line, too', async () => {
    const { rows } = await reading(message(open, ':61:260102D', '10,00NTRFNONREF', close));
    expect(rows[0]).toMatchObject({ amount: '-10.00', proprietaryBankTransactionCode: 'NTRF' });
    expect(rows[0]?.marks).toBeUndefined();
  });

  it.each([' ', '\u0001', '\ufeff', '\t', '\r'])('leaves the field behind %j readable', async (mark) => {
    const rows = await rowsOf(
      message(open, ':61:260102D4,00NTRFX', ':86:rent', `${mark}:61:260102D6,00NTRFX`, close),
    );
    expect(rows.map(({ amount }) => amount)).toEqual(['-4.00', '-6.00']);
  });

  it('is read beside an original amount that cannot be', async () => {
    const supplement = '/OCMT/USD10.00/CHGS/EUR0,90/';
    const [row] = await rowsOf(message(open, ':61:260102D10,00NTRFX', supplement, close));
    expect(row).toMatchObject({
      amount: '-10.00',
      chargesAmount: '0.90',
      otherAmountsAsSent: 'OCMT USD10.00',
      marks: ['other-amount-malformed'],
    });
  });
});

describe('a statement with an unreadable balance of MT940', () => {
  const entry = ':61:260102D10,00NTRFNONREF';
  it.each([
    [':60F:C251332EUR1000,00', 'whose day is not in the calendar', '1000.00'],
    [':60F:C2512EUR1000,00', 'whose day is not in the calendar', '1000.00'],
    [':60F:CEUR1000,00', 'whose day is not in the calendar', '1000.00'],
    [':60F:C251229EUR1.0.0,00', 'which is not an amount', undefined],
    [':60F:C251229EUR1234567890123456,00', 'which is not an amount', undefined],
    [':60F:251229EUR1000,00', 'which does not say whether it is a debit or a credit', '1000.00'],
  ])('loses no other amount: %s', async (balance, why, opening) => {
    const { items, rows, error } = await reading(message(balance, entry, close));
    expect(error).toBeUndefined();
    expect(rows[0]).toMatchObject({ amount: '-10.00', currency: 'EUR' });
    expect(problems(items)).toEqual([
      { code: 'balance-malformed', detail: expect.stringMatching(new RegExp(`^line 4: .*${why}`)) as string },
    ]);
    const first = items.find((item) => item.kind === 'balance');
    expect(first?.balance.amount).toBe(opening ?? '990.00');
    expect(first?.balance.marks).toEqual(balance.startsWith(':60F:2') ? ['sign-unknown'] : undefined);
    if (why.includes('calendar')) expect(first?.balance).not.toHaveProperty('referenceDate');
  });

  it('has the currency behind the account where no balance says one', async () => {
    const text = message(':60F:nonsense', entry, close).replace('013000', '013000EUR');
    expect((await rowsOf(text))[0]).toMatchObject({ amount: '-10.00', currency: 'EUR' });
  });

  it('has the currency of the closing balance where no other says it', async () => {
    const { items } = await reading(message(':60F:nonsense', entry, entry, close));
    expect(items.map((item) => (item.kind === 'row' ? item.row.amount : item.kind))).toEqual([
      'problem',
      'account',
      '-10.00',
      '-10.00',
      'balance',
      'statement',
    ]);
    const [row] = await rowsOf(message(entry, close));
    expect(row).toMatchObject({ amount: '-10.00', currency: 'EUR' });
  });

  it('keeps the amount without a currency where nothing says it', async () => {
    const [row] = await rowsOf(message(':60F:nonsense', entry, ':62F:nonsense'));
    expect(row).toMatchObject({ amount: '-10.00', direction: 'debit', marks: ['currency-unknown'] });
    expect(row).not.toHaveProperty('currency');
  });

  it('has an amount with a dot read, which is reported', async () => {
    const { items } = await reading(message(':60F:C251229EUR1000.00', entry, close));
    expect(problems(items)).toMatchObject([{ code: 'balance-unusual' }]);
    expect(addsUp(items)).toBe(true);
  });

  it('has a tag of lower case, or without its letter, read as what it is', async () => {
    for (const tag of [':60f:', ':60:'])
      expect((await rowsOf(message(open.replace(':60F:', tag), entry, close)))[0]).toMatchObject({
        amount: '-10.00',
      });
  });

  it('has a balance read that continues in the next line', async () => {
    const { items } = await reading(message(':60F:C251229', 'EUR1000,00', entry, close));
    expect(problems(items)).toEqual([]);
    expect(addsUp(items)).toBe(true);
  });

  it('is reported as the message without a closing balance', async () => {
    const { items, rows, error } = await reading(message(open, entry) + whole);
    expect([rows.length, error]).toEqual([2, undefined]);
    expect(problems(items)).toEqual([
      { code: 'balance-missing', detail: expect.stringMatching(/^line 1: /) as string },
    ]);
  });

  it.each([':90D:1EUR5.0.0', ':90C:xEUR4,00', ':34F:EU'])(
    'is reported where %s cannot be read',
    async (field) => {
      const text = [
        ':20:1',
        ':25:X',
        ':34F:EURD0,',
        ':13D:2601021200+0100',
        ':61:260102D5,00NTRFX',
        field,
        '-',
      ];
      const { items } = await reading(text.join('\n'));
      expect(problems(items)).toMatchObject([{ code: 'sum-malformed' }]);
    },
  );
});

describe('the wrapping that transport adds to MT940', () => {
  const block1 = '{1:F01COBADEFFAXXX0000000000}';
  it.each([
    ['a leading SOH', `\u0001${whole}`],
    ['a leading SOH and blocks', `\u0001${block1}{2:I940COBADEFFXXXXN}{4:\r\n${whole}}\u0003`],
    ['a leading -', `-\r\n${whole}`],
    ['a leading - and the field', `-${whole}`],
    ['{4: on a line of its own', `${block1}\r\n{2:I940COBADEFFXXXXN}\r\n{4:\r\n${whole}}`],
    ['{4: alone', `{4:\r\n${whole}}`],
    ['{4: before the field', `{4:${whole}}`],
    ['block 3 with blocks', `${block1}{2:I940X}{3:{108:REF}}{4:\r\n${whole}}{5:{CHK:1}}`],
    ['a byte order mark', `\ufeff${whole}`],
    ['old line ends', whole.replaceAll('\r\n', '\r')],
    ['an end between entries', message(open, ':61:260102D4,00NTRFX', '-', ':61:260102D6,00NTRFX', close)],
  ])('lets no statement be refused: %s', async (_, text) => {
    const { items, error } = await reading(text);
    expect(error).toBeUndefined();
    expect(addsUp(items)).toBe(true);
    expect(problems(items)).toEqual([]);
    expect(items.filter(({ kind }) => kind === 'row').length).toBeGreaterThan(0);
  });

  it('is reported by line, each once, with the number of the others', async () => {
    const detailOf = async (before: string) => problems((await reading(before + whole)).items)[0]?.detail;
    expect(await detailOf('')).toBeUndefined();
    expect(await detailOf('ABNANL2A\r\n940\r\nABNANL2A\r\n')).toBe(
      'line 1: "ABNANL2A" stands outside of a field and was skipped; so was line 2: "940"; so was a further line',
    );
    const many = Array.from({ length: 14 }, (_, at) => `SENT BY ${String(at)} ${'x'.repeat(300)}\r\n`);
    const told = (await detailOf(many.join(''))) ?? '';
    expect(told).toContain(`line 10: "SENT BY 9 ${'x'.repeat(190)}…"; so were 4 further lines`);
    expect(told).not.toContain('SENT BY 10');
  });

  it.each([
    ['ABN AMRO', 'ABNANL2A\r\n940\r\nABNANL2A'],
    ['Rabobank', ':940:'],
    ['ING', '0000 01INGBNL2AXXXX00001\r\n0000 01INGBNL2AXXXX00001\r\n940 00'],
    ['capitals', 'UNIVERSALBANK1'],
    ['more than the first two thousand characters', 'TRANSPORT LINE OF A BANK\r\n'.repeat(200).trim()],
  ])('is skipped where it comes first, which is reported: %s', async (_, before) => {
    const { items, error } = await reading(`${before}\r\n${whole}${before}\r\n${whole}`);
    expect(error).toBeUndefined();
    expect(addsUp(items)).toBe(true);
    expect(items.filter(({ kind }) => kind === 'row')).toHaveLength(2);
    expect(problems(items)).toMatchObject([
      { code: 'text-skipped', detail: expect.stringMatching(/^line 1: /) as string },
    ]);
  });

  it('reveals the MT942 behind an MT940 by its block', async () => {
    const pending = [':20:2', ':25:X', ':28C:1/1', ':60F:C260102EUR0,', ':61:260102C1,00NTRFX', '-}'];
    const text = `${block1}{2:I940X}{4:\r\n${whole}}${block1}{2:O9421200X}{4:\r\n${pending.join('\r\n')}`;
    const { rows, error } = await reading(text);
    expect(error).toBeUndefined();
    expect(rows.map(({ bookingStatus }) => bookingStatus)).toEqual(['booked', 'pending']);
  });

  it('does not make any text a statement', async () => {
    expect((await reading('Service unavailable\r\nsee :20:')).error).toMatchObject({
      code: 'ANSWER_UNREADABLE',
    });
  });
});
