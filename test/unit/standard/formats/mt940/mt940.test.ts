import { describe, expect, it } from 'vitest';
import { addsUp, reading, rowsOf } from '../reports/reading.ts';

const message = (...fields: readonly string[]) =>
  [':20:STARTUMSE', ':25:DE89370400440532013000', ':28C:00001/001', ...fields, '-', ''].join('\r\n');
const open = ':60F:C251229EUR1000,00';
const base = { account: 'DE89370400440532013000', bookingStatus: 'booked', currency: 'EUR' };

describe('an MT940 file', () => {
  it('is read with the German structure of field 86 and SWIFT blocks', async () => {
    const { items, error } = await reading(
      [
        '{1:F01COBADEFFAXXX0000000000}{2:I940COBADEFFXXXXN}{4:',
        ':20:STARTUMSE',
        ':25:37040044/0532013000EUR',
        ':28C:00049/001',
        open,
        ':61:2512310102DR100,5NTRFNONREF//B123',
        ':86:166?00SEPA-UEBERWEISUNG?109310?20EREF+E2E-0815-ABCDEFGHIJKLMN',
        '?21OPQRST?22KREF+K-1?23SVWZ+Rechnung 4711 vom 1. No?24vember?25danke?30GENODEF1S04?31DE02120300000000202051?',
        '32Muster und Söhne Grosshande?33ls GmbH',
        ':62F:C260102EUR899,50',
        ':64:C260102EUR899,50',
        ':65:C260103EUR899,50',
        '-}',
      ].join('\r\n'),
    );
    expect(error).toBeUndefined();
    const account = '37040044/0532013000';
    const closing = { account, amount: '899.50', currency: 'EUR' };
    expect(items).toEqual([
      { kind: 'account', account: { account, currency: 'EUR' } },
      {
        kind: 'balance',
        balance: { ...closing, balanceType: 'openingBooked', amount: '1000.00', referenceDate: '2025-12-29' },
      },
      {
        kind: 'row',
        row: {
          ...base,
          account,
          position: 1,
          bookingDate: '2026-01-02',
          valueDate: '2025-12-31',
          amount: '-100.50',
          proprietaryBankTransactionCode: 'NTRF+166+9310',
          bankTransactionText: 'SEPA Credit Transfer, credit',
          transactionId: 'B123',
          entryReference: 'K-1',
          additionalInformation: 'SEPA-UEBERWEISUNG',
          counterpartyAgent: 'GENODEF1S04',
          counterpartyAccount: 'DE02120300000000202051',
          counterpartyName: 'Muster und Söhne Grosshandels GmbH',
          endToEndId: 'E2E-0815-ABCDEFGHIJKLMNOPQRST',
          remittanceInformationUnstructured: 'Rechnung 4711 vom 1. November danke',
        },
      },
      { kind: 'balance', balance: { ...closing, balanceType: 'closingBooked', referenceDate: '2026-01-02' } },
      {
        kind: 'balance',
        balance: { ...closing, balanceType: 'closingAvailable', referenceDate: '2026-01-02' },
      },
      {
        kind: 'balance',
        balance: { ...closing, balanceType: 'forwardAvailable', referenceDate: '2026-01-03' },
      },
      {
        kind: 'statement',
        statement: {
          account,
          values: {
            '{1:}': 'F01COBADEFFAXXX0000000000',
            '{2:}': 'I940COBADEFFXXXXN',
            ':20:': 'STARTUMSE',
            ':25:': '37040044/0532013000EUR',
            ':28C:': '00049/001',
          },
        },
      },
    ]);
    expect(addsUp(items)).toBe(true);
  });

  it('is read with words between slashes, as Dutch banks write them', async () => {
    const rows = await rowsOf(
      message(
        open,
        ':61:260102D5,NTRFEREF//26002',
        ':86:/TRTP/SEPA OVERBOEKING/IBAN/NL76RABO0359400371/BIC/RABONL2U/NAME/P. Jan',
        'ssen/REMI/Factuur 12/EREF/E2E-9/MARF/M-1/CSID/NL01ZZZ',
        ':61:260102C6,NTRFEREF',
        ':86:/CNTP/NL20INGB0001234567/INGBNL2A/C. de Vries//REMI/USTD//tekst/PURP/CD/SALA/',
        ':62F:C260102EUR1001,',
      ),
    );
    expect(rows).toEqual([
      {
        ...base,
        position: 1,
        valueDate: '2026-01-02',
        amount: '-5.00',
        proprietaryBankTransactionCode: 'NTRF',
        entryReference: 'EREF',
        transactionId: '26002',
        counterpartyAccount: 'NL76RABO0359400371',
        counterpartyAgent: 'RABONL2U',
        counterpartyName: 'P. Janssen',
        remittanceInformationUnstructured: 'Factuur 12',
        endToEndId: 'E2E-9',
        mandateId: 'M-1',
        creditorId: 'NL01ZZZ',
        additionalInformation: 'SEPA OVERBOEKING',
      },
      {
        ...base,
        position: 2,
        valueDate: '2026-01-02',
        amount: '6.00',
        proprietaryBankTransactionCode: 'NTRF',
        entryReference: 'EREF',
        counterpartyAccount: 'NL20INGB0001234567',
        counterpartyAgent: 'INGBNL2A',
        counterpartyName: 'C. de Vries',
        remittanceInformationUnstructured: 'tekst',
        purposeCode: 'SALA',
      },
    ]);
  });

  it('is read with plain lines, original amounts and charges', async () => {
    const [row] = await rowsOf(
      message(
        open,
        ':61:260102C9,10FMSCNONREF',
        '/OCMT/USD10,00/CHGS/EUR0,90/',
        ':86:line one',
        'line two',
        ':62F:C260102EUR1009,10',
      ),
    );
    expect(row).toEqual({
      ...base,
      position: 1,
      valueDate: '2026-01-02',
      amount: '9.10',
      proprietaryBankTransactionCode: 'FMSC',
      originalAmount: '10.00',
      originalCurrency: 'USD',
      chargesAmount: '0.90',
      chargesCurrency: 'EUR',
      remittanceInformationUnstructured: 'line one line two',
    });
  });

  it.each([
    ['D', '-1.00', undefined],
    ['C', '1.00', undefined],
    ['RC', '-1.00', true],
    ['RD', '1.00', true],
    ['DR', '-1.00', undefined],
    ['CR', '1.00', undefined],
  ])('has the mark %s read', async (mark, amount, reversal) => {
    const [row] = await rowsOf(message(open, `:61:260102${mark}1,00NTRFX`, ':62F:C260102EUR1000,'));
    expect([row?.amount, row?.reversal]).toEqual([amount, reversal]);
  });

  it.each([
    ['2512310102', '2026-01-02', '2025-12-31'],
    ['2601021230', '2025-12-30', '2026-01-02'],
    ['2401310229', '2024-02-29', '2024-01-31'],
    ['2601310229', undefined, '2026-01-31'],
  ])('has the year of %s turned', async (days, bookingDate, valueDate) => {
    const [row] = await rowsOf(message(open, `:61:${days}C1,00NTRFX`, ':62F:C260102EUR1001,'));
    expect([row?.bookingDate, row?.valueDate]).toEqual([bookingDate, valueDate]);
    expect(row?.marks).toEqual(bookingDate === undefined ? ['date-malformed'] : undefined);
  });

  it.each(['x,00', '1,005', '12345678901234567,00'])('has no amount where it is %s', async (amount) => {
    const [row] = await rowsOf(message(open, `:61:260102C${amount}NTRFX`, ':62F:C260102EUR1001,'));
    expect(row).not.toHaveProperty('amount');
    expect(row).toMatchObject({ marks: ['amount-malformed'], amountAsSent: `${amount} EUR` });
  });

  it('has currencies without decimals, and pages with interim balances', async () => {
    const { items } = await reading(
      message(':60M:D260101JPY500,', ':61:260102C1200,NTRFX', ':62M:C260102JPY700,'),
    );
    expect(items).toMatchObject([
      { kind: 'account' },
      { balance: { balanceType: 'interimBooked', amount: '-500', currency: 'JPY' } },
      { row: { amount: '1200' } },
      { balance: { balanceType: 'interimBooked', amount: '700' } },
      { kind: 'statement' },
    ]);
  });

  it('is reported where the entries do not lead to the closing balance', async () => {
    const { items } = await reading(message(open, ':61:260102C1,NTRFX', ':62F:C260102EUR1001,01'));
    expect(items.at(-1)).toMatchObject({ kind: 'problem', problem: { code: 'sum-differs' } });
  });

  it('is windows-1252 where it is not UTF-8, line by line, or what the Content-Type states', async () => {
    const text = message(open, ':61:260102C1,NTRFX', ':86:Käufer', ':62F:C260102EUR1001,');
    for (const bytes of [Buffer.from(text), Buffer.from(text, 'latin1')]) {
      expect((await rowsOf(bytes))[0]?.remittanceInformationUnstructured).toBe('Käufer');
    }
    const hints = { contentType: 'text/plain; charset=ISO-8859-15' };
    const euro = Buffer.from(text.replace('ä', '\u00a4'), 'latin1');
    expect((await rowsOf(euro, hints))[0]?.remittanceInformationUnstructured).toBe('K€ufer');
  });
});

describe('an MT942 file', () => {
  const interim = (...sums: readonly string[]) =>
    [
      ':20:1',
      ':25:DE89370400440532013000',
      ':28C:1/1',
      ':34F:EURD0,',
      ':34F:EURC0,',
      ':13D:2601021200+0100',
      ':61:260102D3,00NTRFX',
      ':61:260102RC2,00NTRFX',
      ':61:260102C4,00NTRFX',
      ...sums,
      '-',
    ].join('\n');

  it('has pending rows, and sums that agree', async () => {
    const { items, rows, error } = await reading(interim(':90D:2EUR5,00', ':90C:1EUR4,00'));
    expect(error).toBeUndefined();
    expect(rows.map(({ amount, bookingStatus, currency }) => [amount, bookingStatus, currency])).toEqual([
      ['-3.00', 'pending', 'EUR'],
      ['-2.00', 'pending', 'EUR'],
      ['4.00', 'pending', 'EUR'],
    ]);
    expect(items.filter(({ kind }) => kind === 'problem')).toEqual([]);
  });

  it.each([':90D:2EUR5,01', ':90D:1EUR5,00', ':90C:1EUR40,00'])(
    'is reported where %s is not what it contains',
    async (sum) => {
      const { items } = await reading(interim(sum));
      const problems = items.flatMap((item) => (item.kind === 'problem' ? [item.problem.code] : []));
      expect(problems).toEqual(['count-differs']);
    },
  );
});

describe('MT940 that cannot be read', () => {
  it.each([
    ['no statement', ':25:X\n:28:1', 0, 'neither a field :20: nor an opening balance'],
    [
      'an endless field',
      message(
        open,
        `:61:260102C1,NTRFX`,
        ':62F:C260102EUR1001,',
        ':86:',
        ...Array<string>(2000).fill('x'.repeat(65)),
      ),
      1,
      'a field is longer',
    ],
    [
      'an endless line',
      `${message(open, ':61:260102C1,NTRFX', ':62F:C260102EUR1001,')}:20:${'x'.repeat(200_000)}`,
      1,
      'a line is longer',
    ],
  ])('yields the whole rows first: %s', async (_, text, rows, why) => {
    const read = await reading(text);
    expect(read.error).toMatchObject({
      code: 'ANSWER_UNREADABLE',
      detail: expect.stringContaining(why) as string,
    });
    expect((read.error as { detail: string }).detail).toMatch(/^Line [0-9]+: /);
    expect(read.rows).toHaveLength(rows);
  });

  it('is reported as cut off, or with text that is not of a field', async () => {
    const cut = await reading([':20:1', ':25:X', open, ':61:260102C1,NTRFX'].join('\n'));
    expect([cut.error, cut.rows.length]).toEqual([undefined, 1]);
    expect(cut.items.at(-1)).toMatchObject({
      problem: { code: 'cut-off', detail: expect.stringMatching(/^line 1: /) as string },
    });
    const whole = message(open, ':61:260102C1,NTRFX', ':62F:C260102EUR1001,');
    const after = await reading(`${whole}hello`);
    expect([after.error, after.rows.length]).toEqual([undefined, 1]);
    expect(after.items.at(-1)).toMatchObject({
      problem: { code: 'text-skipped', detail: expect.stringMatching(/^line 8: "hello"/) as string },
    });
  });

  it('yields what an unreadable entry has', async () => {
    const [row] = await rowsOf(message(open, ':61:nonsense', ':62F:C260102EUR1000,'));
    expect(row).toMatchObject({ amountAsSent: 'nonsense', marks: ['no-date', 'amount-malformed'] });
  });
});
