import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ObkError } from '../../../../../src/base/errors.ts';
import { csvColumns } from '../../../../../src/standard/formats/payments/csv-columns.ts';
import type { CsvFinding } from '../../../../../src/standard/formats/payments/csv-row.ts';
import { readCsv } from '../../../../../src/standard/formats/payments/csv.ts';
import type { CreditTransfer } from '../../../../../src/standard/formats/payments/credit-transfer.ts';
import { checkLei, readCreditorReference } from '../../../../../src/standard/xs2a/creditor-reference.ts';
import { checks as painChecks } from '../messages.ts';
import { runs } from '../../../../helpers/trials.ts';

const checks = { ...painChecks, lei: checkLei, reference: readCreditorReference };
const options: Parameters<typeof readCsv>[1] = { checks };
const iban = 'DE89370400440532013000';
const head = 'creditor_name,creditor_iban,amount,currency,remittance,end_to_end_id,creditor_bic';

type Source = Parameters<typeof readCsv>[0];
/** The findings of a whole file, and how many payments it has. */
async function survey(source: Source, given = options) {
  const findings: CsvFinding[] = [];
  let count = 0;
  for await (const row of readCsv(source, given)) {
    if (row.findings.length === 0) count += 1;
    else findings.push(...row.findings);
  }
  return { findings, count };
}
async function paymentsOf(
  text: string | Iterable<Uint8Array>,
  more: Partial<typeof options> = {},
): Promise<CreditTransfer[]> {
  const found: CreditTransfer[] = [];
  const source = typeof text === 'string' ? Buffer.from(text) : text;
  for await (const { payment, findings } of readCsv(source, { ...options, ...more })) {
    if (payment === undefined || findings.length > 0)
      throw new Error(findings.map(({ text: why }) => why).join('\n'));
    found.push(payment);
  }
  return found;
}
/** `line column text` of each finding. */
const told = async (text: string) =>
  (await survey(Buffer.from(text))).findings.map(
    ({ line, column, text: why }) => `${String(line)} ${column ?? '-'} ${why}`,
  );

const shop: CreditTransfer = {
  instructedAmount: { currency: 'EUR', amount: '12.50' },
  creditorAccount: { iban },
  creditorName: 'Shop',
};

describe('readCsv', () => {
  it('reads all columns', async () => {
    expect(await paymentsOf(`${head}\nShop,${iban},12.5,EUR,Invoice 1,E-1,DEUTDEFF\n`)).toEqual([
      {
        ...shop,
        remittanceInformationUnstructured: 'Invoice 1',
        endToEndIdentification: 'E-1',
        creditorAgent: 'DEUTDEFF',
      },
    ]);
  });

  it.each<[string, string]>([
    ['in another order, with three columns', `amount,creditor_iban,creditor_name\n12.50,${iban},Shop`],
    ['with tabs', `creditor_name\tcreditor_iban\tamount\nShop\t${iban}\t12.50\n`],
    ['that says its sign', `sep=|\r\ncreditor_name|creditor_iban|amount\r\nShop|${iban}|12.50\r\n`],
    ['that says its sign in quotes', `"sep=;"\ncreditor_name;creditor_iban;amount\nShop;${iban};12.50\n`],
    ['that says a tab', `\ufeffSEP=\t\ncreditor_name\tcreditor_iban\tamount\nShop\t${iban}\t12.50\n`],
    ['with numbers of Excel', `creditor_name,creditor_iban,amount\nShop,"=""${iban}""",12.50\n`],
    ['with semicolons', `creditor_name;creditor_iban;amount\nShop;${iban};12.50\n`],
    ['with a byte order mark', `\ufeffcreditor_name,creditor_iban,amount\nShop,${iban},12.50\n`],
    ['with CRLF', `creditor_name,creditor_iban,amount\r\nShop,${iban},12.50\r\n`],
    ['with CR', `creditor_name,creditor_iban,amount\rShop,${iban},12.50\r`],
    ['with mixed line ends', `creditor_name,creditor_iban,amount\r\nShop,${iban},12.50\n`],
    ['in capitals and blanks', ` Creditor_Name , CREDITOR_IBAN ,Amount\n Shop , ${iban} , 12.50 \n`],
    ['in quotes', `"creditor_name","creditor_iban","amount"\n"Shop","${iban}","12.50"\n`],
    ['with empty lines', `\n\ncreditor_name;creditor_iban;amount\n\nShop;${iban};12.50\n\n\n`],
    ['with empty rows below', `creditor_name;creditor_iban;amount\nShop;${iban};12.50\n;;\n;;\n`],
    ['with empty cells', `${head}\nShop,${iban},12.50,,,,\n`],
    [
      'with an IBAN in groups',
      `creditor_name,creditor_iban,amount\nShop,DE89 3704 0044 0532 0130 00,12.50\n`,
    ],
    [
      'with a currency in small letters',
      `creditor_name,creditor_iban,amount,currency\nShop,${iban},12.50,eur\n`,
    ],
  ])('reads a file %s', async (_, text) => {
    expect(await paymentsOf(text)).toEqual([shop]);
    const bytes = Buffer.from(text);
    const single = Array.from(bytes, (_byte, at) => bytes.subarray(at, at + 1));
    expect(await paymentsOf(single)).toEqual([shop]);
  });

  it('reads quotes, delimiters and other letters in a cell', async () => {
    const [payment] = await paymentsOf(
      `creditor_name,creditor_iban,amount,remittance\n"Müller, ""Söhne""; & Co",${iban},1,=1+1\n`,
    );
    expect(payment).toMatchObject({
      creditorName: 'Müller, "Söhne"; & Co',
      remittanceInformationUnstructured: '=1+1',
    });
  });

  const inPain =
    'creditor_name,creditor_iban,amount,creditor_city,creditor_country,creditor_line_1,creditor_line_2,uetr,creditor_lei,instruction_priority,reporting_country,reporting_code,reporting_information';
  const uetr = 'eb6305c9-1f7f-49de-aed0-16487c27b42d';

  it('reads the columns of pain.001', async () => {
    const cells = `Leeds,gb,Block 4,Floor 2,${uetr.toUpperCase()},529900t8bm49aursdo55,high,fr,150,Goods`;
    expect(
      await paymentsOf(`${inPain}\nShop,${iban},12.50,${cells}\nShop,${iban},12.50,,,,,,,,,,\n`),
    ).toEqual([
      {
        ...shop,
        creditorAddress: { townName: 'Leeds', country: 'GB', lines: ['Block 4', 'Floor 2'] },
        inPain: {
          uetr,
          creditorLei: '529900T8BM49AURSDO55',
          instructionPriority: 'HIGH',
          regulatoryReporting: { country: 'FR', code: '150', information: 'Goods' },
        },
      },
      shop,
    ]);
  });

  it('reports what is wrong in them', async () => {
    const cells = `,,Block 4,,${uetr.slice(1)},529900T8BM49AURSDO56,FAST,FRA,12345678901,`;
    expect(await told(`${inPain}\nShop,${iban},12.50,${cells}\nShop,${iban},12.50,,,,,,,,DE,,\n`)).toEqual([
      '2 creditor_city it is empty',
      '2 creditor_country an address needs a country of two letters, such as DE',
      `2 uetr a UETR is a UUID of version 4, such as ${uetr}`,
      '2 creditor_lei its check digits are 56, and 55 would be right',
      '2 instruction_priority it is HIGH or NORM',
      '2 reporting_country it is two letters, such as FR',
      '2 reporting_code it has 11 characters, at most 10 are allowed',
      '3 reporting_code it needs a code or an information',
    ]);
  });

  it('reports every error with its line and column, and goes on', async () => {
    const text = [
      head,
      `Shop,${iban},"12,50",EUR,,,`,
      '',
      `Shop,DE00,1.00,EUR,,,DEUT`,
      `Shop,${iban},1.00,EUR,,,`,
      `,${iban},0,EURO,,,`,
      `Shop,${iban},1.00`,
      `Shop,${iban},1.005,EUR,${'x'.repeat(141)},${'x'.repeat(36)},`,
      `"Sh`,
      `op",${iban},-1,EUR,,,`,
      `Shop,${iban},,EUR,,,`,
    ].join('\r\n');
    expect(await told(text)).toEqual([
      '2 amount the decimal separator is a dot, and there are no others',
      expect.stringMatching(/^4 creditor_iban it has 4 characters/),
      expect.stringMatching(/^4 creditor_bic it is not a BIC/),
      '6 amount a currency is three capital letters, such as EUR',
      '6 creditor_name it is empty',
      '7 - it has 3 cells, the header has 7',
      '8 amount EUR has at most 2 decimals',
      '8 remittance it has 141 characters, at most 140 are allowed',
      '8 end_to_end_id it has 36 characters, at most 35 are allowed',
      '9 amount it is negative',
      '9 creditor_name it has control characters or line breaks',
      '11 amount it is empty',
    ]);
    const bytes = Buffer.from(text);
    const single = Array.from(bytes, (_byte, at) => bytes.subarray(at, at + 1));
    const whole = await survey(bytes);
    expect(await survey(single)).toEqual(whole);
    expect(whole).toMatchObject({ count: 1, findings: { length: 12 } });
  });

  it.each<[string, string, string[]]>([
    ['nothing', '', ['1 - the file is empty']],
    ['blank lines', '\n\n', ['1 - the file is empty']],
    [
      'a misspelt column',
      `creditor_name,creditor_iban,amount,creditor_bci\n`,
      [
        `1 creditor_bci there is no column "creditor_bci"; the columns are ${csvColumns.map(({ name }) => name).join(', ')}`,
      ],
    ],
    [
      'a column twice',
      `creditor_name,creditor_iban,amount,amount\n`,
      ['1 amount the column amount occurs twice'],
    ],
    [
      'a column that lacks',
      `creditor_name,amount\n`,
      ['1 creditor_iban the column creditor_iban is missing'],
    ],
  ])('refuses %s', async (_, text, expected) => {
    expect(await told(text)).toEqual(expected);
  });

  it.each<[string, string, number]>([
    ['a quote that does not end', `${head}\nShop,${iban},1,,,,\n"Shop,${iban},1,,,,\n`, 3],
    ['text after a quote', `${head}\n"Shop"x,${iban},1,,,,\n`, 2],
    ['a quote inside', `${head}\nSh"op,${iban},1,,,,\n`, 2],
    ['a row without an end', `${head}\n"${'x'.repeat(70_000)}`, 2],
    ['a quote that ends with the file', `${head}\n\n"Shop,${iban},1,,,,\nShop,${iban},1,,,,\n`, 3],
    ['a quote that ends at the next one', `${head}\n"Shop,${iban},1,,,,\n\nShop,${iban},1,"paid",,,\n`, 2],
    ['a long row behind others', `${head}\nShop,${iban},1,,,,\n\n"${'x\n'.repeat(40_000)}`, 4],
  ])('ends at %s', async (_, text, line) => {
    const { findings } = await survey(Buffer.from(text));
    expect(findings).toHaveLength(1);
    expect(findings[0]!.line).toBe(line);
    expect(findings[0]!.text.length).toBeLessThan(300);
  });

  it('names the cell in which a quote was opened that is never closed', async () => {
    const text = `${head}\n"Shop\nof two lines",${iban},1,"for\nrent,,,\nShop,${iban},1,,,,\n`;
    const { findings } = await survey(Buffer.from(text));
    const why = 'the quote that begins the cell is not closed before the file ends';
    expect(findings).toEqual([{ line: 2, column: head.split(',')[3], text: why }]);
    const short = await survey(Buffer.from(`"creditor_name,creditor_iban,amount\n`));
    expect(short.findings).toMatchObject([{ line: 1, text: expect.stringContaining('not closed') }]);
  });

  it('refuses bytes that are not UTF-8, and too many', async () => {
    await expect(survey(Buffer.from(`${head}\nMüller`, 'latin1'))).rejects.toMatchObject({
      code: 'INPUT_INVALID',
    });
    await expect(survey(Buffer.from(head, 'utf16le'))).resolves.toMatchObject({ count: expect.any(Number) });
    await expect(survey(Buffer.from(head), { checks, maxBytes: 10 })).rejects.toThrow(ObkError);
  });

  it('recognises the file of a spreadsheet', async () => {
    await expect(survey(Buffer.from('PK\u0003\u0004\u0014\u0000\u0006\u0000'))).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      detail: expect.stringMatching(/archive.*Excel.*save the sheet as CSV/),
    });
  });

  it('accepts empty columns at the end, as spreadsheets leave them, unless they have content', async () => {
    const text = (cells: string) =>
      `creditor_name,creditor_iban,amount,,\nShop,${iban},12.50,${cells}\n,,,,\n`;
    expect(await paymentsOf(text(','))).toEqual([shop]);
    // A cell more than the header may be a comma before decimals.
    const split = `creditor_name,creditor_iban,amount,remittance\nShop,${iban},1,50,\n`;
    expect(await told(split)).toEqual(['2 - it has 5 cells, the header has 4']);
    expect(await told(text(',,'))).toEqual(['2 - it has 6 cells, the header has 3']);
    expect(await told(text(',note'))).toEqual(['2 - it has 5 cells, the header has 3']);
    expect(await told(text(',').replace('amount,,', 'amount,,currency'))).toEqual([
      expect.stringMatching(/^1 +there is no column ""/),
    ]);
  });

  const cafe = `creditor_name;creditor_iban;amount\nCafé;${iban};12.50\n`;
  it.each<[string, Uint8Array, string | undefined]>([
    ['UTF-16 with its mark', Buffer.from(`\ufeff${cafe}`, 'utf16le'), undefined],
    ['UTF-16 without a mark', Buffer.from(cafe, 'utf16le'), undefined],
    ['UTF-16 in the other order', Buffer.from(`\ufeff${cafe}`, 'utf16le').swap16(), undefined],
    ['UTF-16 in the other order without a mark', Buffer.from(cafe, 'utf16le').swap16(), undefined],
    ['UTF-16 that is named', Buffer.from(cafe, 'utf16le'), 'utf-16'],
    ['windows-1252 that is named', Buffer.from(cafe, 'latin1'), 'windows-1252'],
    ['cp850 that is named', Buffer.from(cafe.replace('é', '\u0082'), 'latin1'), 'cp850'],
    ['a mark, whatever is named', Buffer.from(`\ufeff${cafe}`), 'windows-1252'],
  ])('reads %s, whole and in pieces', async (_, bytes, charset) => {
    const more = charset === undefined ? {} : { charset };
    const want = [{ ...shop, creditorName: 'Café' }];
    expect(await paymentsOf([bytes], more)).toEqual(want);
    expect(await paymentsOf([bytes.subarray(0, 39), bytes.subarray(39)], more)).toEqual(want);
  });

  it('names the line of bytes that are of another set, and what may read them', async () => {
    await expect(survey(Buffer.from(cafe, 'latin1'))).rejects.toMatchObject({
      detail: 'Line 2: its bytes are not UTF-8.',
      hint: [expect.stringContaining('--charset windows-1252')],
    });
  });

  it.each([
    ['1.234,56', '1234.56'],
    ['1 234,56', '1234.56'],
    ['1\u00a0234,5', '1234.50'],
    ['1\u202f234\u202f567,89', '1234567.89'],
    ["1'234,56", '1234.56'],
    ['1.234', '1234.00'],
    ['12,50', '12.50'],
    ['12', '12.00'],
    ['0,5', '0.50'],
  ])('reads %s with --decimal comma', async (written, amount) => {
    const text = `creditor_name;creditor_iban;amount\nShop;${iban};${written}\n`;
    const [payment] = await paymentsOf(text, { decimal: 'comma' });
    expect(payment?.instructedAmount).toEqual({ currency: 'EUR', amount });
  });

  it.each([
    ...['12.50', '1.23,45', '1,234.56', '1.234.56', '12,345', '-1,00', '1,', ',50', '1.2345,00'],
    ...['EUR 1,00', ''],
  ])('refuses %s with --decimal comma', async (written) => {
    const text = `creditor_name;creditor_iban;amount\nShop;${iban};${written}\n`;
    const { findings } = await survey(Buffer.from(text), { checks, decimal: 'comma' });
    if (written === '1.234.56') expect(findings).toHaveLength(1);
    expect(findings).toMatchObject([{ line: 2, column: 'amount', value: written }]);
  });

  it('counts lines as an editor does, with a line that names the sign and cells of several lines', async () => {
    const text =
      `sep=,\r\n${head}\r\nShop,${iban},1.00,,"a\r\nb",,\r\n` +
      `Shop,${iban},1,00,,,,\r\nShop,x,1.00,,,,\r\n`;
    expect((await survey(Buffer.from(text))).findings.map(({ line, column }) => [line, column])).toEqual([
      [3, 'remittance'],
      [5, undefined],
      [6, 'creditor_iban'],
    ]);
  });

  it('yields rows before the file has ended', async () => {
    let made = 0;
    function* source() {
      yield Buffer.from(`${head}\n`);
      for (; made < 2000; made += 1) yield Buffer.from(`Shop,${iban},1.00,,,,\n`.repeat(50));
    }
    for await (const row of readCsv(source(), options)) {
      expect(row).toHaveProperty('payment');
      break;
    }
    expect(made).toBeLessThan(2000);
  });

  it('reads what was written, for any cells, delimiter and line end', async () => {
    const cell = (max: number) =>
      fc
        .string({
          unit: fc.constantFrom(...['a', 'é', '"', ',', ';', "'", ' ', '=', '😀']),
          minLength: 1,
          maxLength: max,
        })
        .filter((text) => text.trim() !== '');
    const row = fc.record({ name: cell(70), text: cell(140), cents: fc.integer({ min: 1, max: 1e9 }) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 5 }),
        fc.constantFrom(',', ';'),
        fc.constantFrom('\n', '\r\n'),
        async (rows, delimiter, end) => {
          const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
          const amount = (cents: number) =>
            `${String(Math.floor(cents / 100))}.${String(cents % 100).padStart(2, '0')}`;
          const lines = [
            ['creditor_name', 'remittance', 'creditor_iban', 'amount'],
            ...rows.map(({ name, text, cents }) => [quoted(name), quoted(text), iban, amount(cents)]),
          ];
          const file = lines.map((cells) => cells.join(delimiter)).join(end);
          expect(await paymentsOf(file)).toEqual(
            rows.map(({ name, text, cents }) => ({
              instructedAmount: { currency: 'EUR', amount: amount(cents) },
              creditorAccount: { iban },
              creditorName: name,
              remittanceInformationUnstructured: text,
            })),
          );
        },
      ),
      { numRuns: runs(300) },
    );
  });

  it.each([
    ['bban:', 'creditor_iban', 'a BBAN has 1 to 30 letters and digits'],
    ['bban:1 2', 'creditor_iban', 'a BBAN has 1 to 30 letters and digits'],
    ['ALL', 'charge_bearer', 'it is not one of DEBT, CRED, SHAR, SLEV'],
    ['Germany', 'creditor_country', 'an address needs a country of two letters, such as DE'],
    ['x'.repeat(71), 'creditor_street', 'it has 71 characters, at most 70 are allowed'],
    ['x'.repeat(17), 'creditor_number', 'it has 17 characters, at most 16 are allowed'],
    ['x'.repeat(17), 'creditor_postcode', 'it has 17 characters, at most 16 are allowed'],
    ['x'.repeat(36), 'creditor_city', 'it has 36 characters, at most 35 are allowed'],
  ])('refuses %s as %s', async (value, column, why) => {
    const row = ['Shop', iban, '1.00', '', '', '', 'EUR', 'E', '', 'DE'];
    const names =
      'creditor_name,creditor_iban,amount,creditor_street,creditor_number,creditor_city,currency,end_to_end_id';
    const all = [...names.split(','), 'creditor_postcode', 'creditor_country', 'charge_bearer'];
    const cells = [...row, ''].map((cell, at) => (all[at] === column ? value : cell));
    expect(await told(`${all.join(',')}\n${cells.join(',')}\n`)).toEqual([`2 ${column} ${why}`]);
  });

  it('requires a country for every address', async () => {
    expect(await told(`creditor_name,creditor_iban,amount,creditor_city\nShop,${iban},1,Leeds`)).toEqual([
      '2 creditor_country an address needs a country of two letters, such as DE',
    ]);
  });

  it('documents each column once', () => {
    const more =
      'creditor_street,creditor_number,creditor_postcode,creditor_city,creditor_country,charge_bearer,creditor_reference';
    const ofPain = inPain.slice(inPain.indexOf('creditor_line_1'));
    expect(csvColumns.map(({ name }) => name).join(',')).toBe(`${head},${more},${ofPain}`);
  });
});
