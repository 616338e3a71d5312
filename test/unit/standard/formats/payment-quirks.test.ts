// Files of spreadsheets with what these do to them: what each says, or the column that is at fault, typed from the formats' standards.
import { describe, expect, it } from 'vitest';
import { ObkError } from '../../../../src/base/errors.ts';
import { readCsv } from '../../../../src/standard/formats/payments/csv.ts';
import { checkLei, readCreditorReference } from '../../../../src/standard/xs2a/creditor-reference.ts';
import { checks as painChecks } from './messages.ts';

const checks = { ...painChecks, lei: checkLei, reference: readCreditorReference };
const iban = 'DE89370400440532013000';
const qrIban = 'CH4431999123000889012';
type Options = Parameters<typeof readCsv>[1];

/** Each payment as name, amount, currency, text; each finding as line and column; a file that cannot be read as its detail. */
async function read(source: Uint8Array | string, more: Partial<Options> = {}): Promise<string[]> {
  const found: string[] = [];
  try {
    const bytes = typeof source === 'string' ? Buffer.from(source) : source;
    for await (const { payment, findings } of readCsv(bytes, { checks, ...more })) {
      for (const { line, column } of findings) found.push(`${String(line)} ${column ?? '-'}`);
      if (payment === undefined || findings.length > 0) continue;
      const { creditorName, instructedAmount, remittanceInformationUnstructured: text } = payment;
      const { amount, currency } = instructedAmount;
      const reference = payment.remittanceInformationStructured?.reference;
      found.push([creditorName, amount, currency, text ?? reference].filter(Boolean).join('|'));
    }
  } catch (error) {
    if (!(error instanceof ObkError)) throw error;
    found.push(`refused ${error.code}`);
  }
  return found;
}

const head = 'creditor_name,creditor_iban,amount';
const semi = (text: string) => text.replaceAll(',', ';');
const row = `Shop,${iban},12.50`;
const plain = `${head}\n${row}\n`;
const one = ['Shop|12.50|EUR'];
const utf16 = (text: string, big: boolean, marked: boolean): Buffer => {
  const bytes = Buffer.from((marked ? '\ufeff' : '') + text, 'utf16le');
  return big ? bytes.swap16() : bytes;
};
const latin = (text: string) => Buffer.from(text, 'latin1');
const withText = (text: string, sign = ',') =>
  `${head},remittance\nShop,${iban},12.50,${text}\n`.replaceAll(',', sign);
const withAmount = (amount: string, currency = '') =>
  `creditor_name;creditor_iban;amount;currency\nShop;${iban};${amount};${currency}\n`;
const withIban = (account: string) => `${head}\nShop,${account},12.50\n`;
const withReference = (reference: string, account = iban) =>
  `${head},creditor_reference\nShop,${account},12.50,${reference}\n`;

describe('a file of payments with a quirk', () => {
  it.each<[string, Uint8Array | string, string[], Partial<Options>?]>([
    ['commas', plain, one],
    ['semicolons', semi(plain), one],
    ['tabs', plain.replaceAll(',', '\t'), one],
    ['sep= comma', `sep=,\n${plain}`, one],
    ['sep= semicolon', `sep=;\r\n${semi(plain)}`, one],
    ['sep= tab', `sep=\t\n${plain.replaceAll(',', '\t')}`, one],
    ['sep= bar', `sep=|\n${plain.replaceAll(',', '|')}`, one],
    ['SEP= in capitals', `SEP=;\n${semi(plain)}`, one],
    ['sep= behind a mark', `\ufeffsep=;\n${semi(plain)}`, one],
    ['CRLF', plain.replaceAll('\n', '\r\n'), one],
    ['CR', plain.replaceAll('\n', '\r'), one],
    ['no last line end', plain.trimEnd(), one],
    ['empty lines between', plain.replaceAll('\n', '\n\n'), one],
    ['empty rows of a spreadsheet behind', `${plain},,\n,,\n`, one],
    ['a mark of UTF-8', `\ufeff${plain}`, one],
    ['UTF-16LE with a mark', utf16(plain, false, true), one],
    ['UTF-16BE with a mark', utf16(plain, true, true), one],
    [
      'UTF-16LE with a mark, sep= and tabs',
      utf16(`sep=\t\n${plain.replaceAll(',', '\t')}`, false, true),
      one,
    ],
    ['UTF-16LE without a mark, by name', utf16(plain, false, false), one, { charset: 'utf-16le' }],
    ['UTF-16BE without a mark, by name', utf16(plain, true, false), one, { charset: 'utf-16be' }],
    [
      'windows-1252',
      latin(plain.replace('Shop', 'Caf\u00e9')),
      ['Café|12.50|EUR'],
      { charset: 'windows-1252' },
    ],
    [
      'windows-1252 with its euro and dash',
      latin(withText('5 \u0080 \u0096 ok')),
      ['Shop|12.50|EUR|5 € – ok'],
      { charset: 'windows-1252' },
    ],
    ['ISO-8859-15', latin(withText('5 \u00a4')), ['Shop|12.50|EUR|5 €'], { charset: 'iso-8859-15' }],
    ['a header in capitals', plain.replace(head, head.toUpperCase()), one],
    ['a header in quotes', plain.replace(head, '"creditor_name","creditor_iban","amount"'), one],
    ['columns in another order', `amount,creditor_iban,creditor_name\n12.50,${iban},Shop\n`, one],
    ['blanks around cells', `${head}\n Shop , ${iban} , 12.50 \n`, one],
    ['quotes around cells', `${head}\n"Shop","${iban}","12.50"\n`, one],
    ['a comma in quotes', `${head}\n"Shop, Inc",${iban},12.50\n`, ['Shop, Inc|12.50|EUR']],
    ['a quote in quotes', withText('"say ""yes"""'), ['Shop|12.50|EUR|say "yes"']],
    ['an empty cell in quotes', withText('""'), one],
    ['="..." of exports for Excel', `${head}\nShop,"=""${iban}""","=""12.50"""\n`, one],
    ['an IBAN in groups', withIban('DE89 3704 0044 0532 0130 00'), one],
    ['an IBAN in small letters', withIban(iban.toLowerCase()), one],
    ['whole units', withAmount('12'), ['Shop|12.00|EUR']],
    ['one decimal', withAmount('12.5'), ['Shop|12.50|EUR']],
    ['yen', withAmount('1250', 'JPY'), ['Shop|1250|JPY']],
    ['dinars with three decimals', withAmount('1.250', 'KWD'), ['Shop|1.250|KWD']],
    ['a currency in small letters', withAmount('12.50', 'usd'), ['Shop|12.50|USD']],
    ['a decimal comma', withAmount('12,50'), one, { decimal: 'comma' }],
    ['thousands with dots', withAmount('1.234.567,89'), ['Shop|1234567.89|EUR'], { decimal: 'comma' }],
    ['thousands with blanks', withAmount('1 234,56'), ['Shop|1234.56|EUR'], { decimal: 'comma' }],
    ['thousands with narrow blanks', withAmount('1\u202f234,56'), ['Shop|1234.56|EUR'], { decimal: 'comma' }],
    [
      'thousands with blanks that do not break',
      withAmount('1\u00a0234,56'),
      ['Shop|1234.56|EUR'],
      { decimal: 'comma' },
    ],
    ['thousands with apostrophes', withAmount("1'234,56"), ['Shop|1234.56|EUR'], { decimal: 'comma' }],
    ['a comma and no thousands', withAmount('1234,5'), ['Shop|1234.50|EUR'], { decimal: 'comma' }],
    ['RF', withReference('RF18539007547034'), ['Shop|12.50|EUR|RF18539007547034']],
    ['RF in groups of four', withReference('RF18 5390 0754 7034'), ['Shop|12.50|EUR|RF18539007547034']],
    ['RF in small letters', withReference('rf18539007547034'), ['Shop|12.50|EUR|RF18539007547034']],
    [
      'QRR',
      withReference('210000000003139471430009017', qrIban),
      ['Shop|12.50|EUR|210000000003139471430009017'],
    ],
    [
      'QRR in groups',
      withReference('21 00000 00003 13947 14300 09017', qrIban),
      ['Shop|12.50|EUR|210000000003139471430009017'],
    ],
    ['a national reference', withReference('+++090/9337/55493+++'), ['Shop|12.50|EUR|+++090/9337/55493+++']],
    ['a text of 140', withText('x'.repeat(140)), [`Shop|12.50|EUR|${'x'.repeat(140)}`]],
    ['a name of 70', plain.replace('Shop', 'x'.repeat(70)), [`${'x'.repeat(70)}|12.50|EUR`]],
    ['letters of many countries', withText('Łódź Ærø'), ['Shop|12.50|EUR|Łódź Ærø']],
    ['a letter beyond 16 bits, cut anywhere', withText('a😀b'), ['Shop|12.50|EUR|a😀b']],
    ['a column without a name at the end', `${head},\nShop,${iban},12.50,\n`, one],
    ['the smallest amount', withAmount('0.01'), ['Shop|0.01|EUR']],
    ['a BBAN', withIban('bban:12345678'), one],
    ['a semicolon within a cell of commas', withText('a;b'), ['Shop|12.50|EUR|a;b']],
  ])('is right: %s', async (_what, source, expected, more) => {
    expect(await read(source, more)).toEqual(expected);
  });
});

describe('a file of payments with a mistake', () => {
  it.each<[string, Uint8Array | string, string[], Partial<Options>?]>([
    ['nothing', '', ['1 -']],
    ['blank lines alone', '\n\n\n', ['1 -']],
    ['sep= alone', 'sep=;\n', ['1 -']],
    [
      'sep= that is not used',
      `sep=|\n${plain}`,
      ['2 creditor_name,creditor_iban,amount', '2 creditor_name', '2 creditor_iban', '2 amount'],
    ],
    ['a column that is not known', `${head},vat\n${row},1\n`, ['1 vat']],
    ['a column twice', `${head},amount\n${row},1\n`, ['1 amount']],
    ['a column that is missing', 'creditor_name,amount\nShop,1\n', ['1 creditor_iban']],
    ['a cell too many', `${head}\n${row},x\n`, ['2 -']],
    ['a cell too few', `${head}\nShop,${iban}\n`, ['2 -']],
    ['a decimal comma where commas divide', `${head}\nShop,${iban},12,50\n`, ['2 -']],
    ['a decimal comma without --decimal', withAmount('12,50'), ['2 amount']],
    ['a decimal dot with --decimal comma', withAmount('12.50'), ['2 amount'], { decimal: 'comma' }],
    ['thousands with a comma', withAmount('1,234.56'), ['2 amount']],
    [
      'thousands with a comma, and --decimal comma',
      withAmount('1,234.56'),
      ['2 amount'],
      { decimal: 'comma' },
    ],
    ['thousands in groups of two', withAmount('12.34.567,89'), ['2 amount'], { decimal: 'comma' }],
    ['thousands with two kinds of signs', withAmount("1.234'567,89"), ['2 amount'], { decimal: 'comma' }],
    ['two commas', withAmount('1,234,56'), ['2 amount'], { decimal: 'comma' }],
    ['a comma at the end', withAmount('12,'), ['2 amount'], { decimal: 'comma' }],
    ['a comma at the beginning', withAmount(',50'), ['2 amount'], { decimal: 'comma' }],
    ['thousands with a blank, and a dot', withAmount('1 234.56'), ['2 amount']],
    ['an amount of Excel in scientific notation', withAmount('1.25E+01'), ['2 amount']],
    ['the same with a comma', withAmount('1,25E+01'), ['2 amount'], { decimal: 'comma' }],
    ['an amount with its currency', withAmount('12.50 EUR'), ['2 amount']],
    ['an amount with a sign of a currency', withAmount('€12.50'), ['2 amount']],
    ['an amount below nothing', withAmount('-12.50'), ['2 amount']],
    ['an amount with a plus', withAmount('+12.50'), ['2 amount']],
    ['an amount in brackets', withAmount('(12.50)'), ['2 amount']],
    ['nothing to pay', withAmount('0.00'), ['2 amount']],
    ['no amount', withAmount(''), ['2 amount']],
    ['three decimals', withAmount('12.505'), ['2 amount']],
    ['decimals of yen', withAmount('12.50', 'JPY'), ['2 amount']],
    ['digits of another script', withAmount('١٢'), ['2 amount']],
    ['a hash of Excel', withAmount('####'), ['2 amount']],
    ['an error of Excel', withAmount('#VALUE!'), ['2 amount']],
    ['a currency of two letters', withAmount('12.50', 'EU'), ['2 amount']],
    ['an IBAN in scientific notation', withIban('8.93704E+21'), ['2 creditor_iban']],
    ['a number of an account in scientific notation', withIban('bban:1.23457E+15'), ['2 creditor_iban']],
    ['an IBAN whose noughts are lost', withIban('DE8937040044532013000'), ['2 creditor_iban']],
    ['an IBAN with two digits turned', withIban('DE89370400440532013003'), ['2 creditor_iban']],
    ['an IBAN of no country', withIban('XX89370400440532013000'), ['2 creditor_iban']],
    ['an IBAN that is too short', withIban('DE893704004405320130'), ['2 creditor_iban']],
    ['no IBAN', withIban(''), ['2 creditor_iban']],
    ['no name', `${head}\n,${iban},12.50\n`, ['2 creditor_name']],
    ['a name of 71', plain.replace('Shop', 'x'.repeat(71)), ['2 creditor_name']],
    ['a text of 141', withText('x'.repeat(141)), ['2 remittance']],
    ['two faults in a row', `${head}\n,${iban},0\n`, ['2 amount', '2 creditor_name']],
    ['faults in two rows', `${head}\n,${iban},1\nShop,x,1\n`, ['2 creditor_name', '3 creditor_iban']],
    [
      'a fault behind quoted line ends',
      `${head},remittance\n"Sh\nop",${iban},1,\nShop,x,1,\n`,
      ['2 creditor_name', '4 creditor_iban'],
    ],
    ['RF with wrong check digits', withReference('RF19539007547034'), ['2 creditor_reference']],
    ['RF that is too long', withReference(`RF18${'1'.repeat(22)}`), ['2 creditor_reference']],
    ['RF without anything behind', withReference('RF18'), ['2 creditor_reference']],
    ['RF for a QR-IBAN', withReference('RF18539007547034', qrIban), ['2 creditor_reference']],
    [
      'QRR with a wrong digit',
      withReference('210000000003139471430009018', qrIban),
      ['2 creditor_reference'],
    ],
    ['QRR that is too short', withReference('21000000000313947143000901', qrIban), ['2 creditor_reference']],
    [
      'QRR for a plain IBAN of Switzerland',
      withReference('210000000003139471430009017', 'CH9300762011623852957'),
      ['2 creditor_reference'],
    ],
    ['QRR in scientific notation', withReference('2.1E+26', qrIban), ['2 creditor_reference']],
    ['windows-1252 that nobody names', latin(plain.replace('Shop', 'Caf\u00e9')), ['refused INPUT_INVALID']],
    [
      'half a letter at the end',
      Buffer.concat([Buffer.from(plain), Buffer.from([0xc3])]),
      ['refused INPUT_INVALID'],
    ],
    ['a spreadsheet', Buffer.from('PK\u0003\u0004xl/workbook.xml'), ['refused INPUT_INVALID']],
    ['a quote that is not closed', `${head}\nShop,${iban},"12.50\n`, ['2 amount']],
    ['="..." without quotes around it', `${head}\nShop,="${iban}",12.50\n`, ['2 -']],
    ['a text behind a quote', `${head}\n"Shop"s,${iban},12.50\n`, ['2 -']],
  ])('is wrong: %s', async (_what, source, expected, more) => {
    const found = await read(source, more);
    expect(found.toSorted()).toEqual(expected.toSorted());
  });
});
