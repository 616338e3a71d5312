/** One row of a CSV file of payments: its columns, what its cells say, and what is wrong with them. */
import { isBbanText } from '../../../base/values.ts';
import type { StructuredRemittance } from '../../xs2a/wire.ts';
import { checkPaymentAmount } from '../money/amount.ts';
import { countryOf, inPainOf, textUpTo } from './csv-pain.ts';
import type { Cell, Checker } from './csv-pain.ts';
import type { ColumnName } from './csv-columns.ts';
import type { CreditTransfer, TransferAccount, TransferAddress } from './credit-transfer.ts';
import { chargeBearers } from './pain001-input.ts';
import type { ValueCheck } from './pain001-values.ts';

/** The checks of values that this room does not own. */
export interface CsvChecks {
  readonly iban: ValueCheck;
  readonly bic: ValueCheck;
  readonly lei: ValueCheck;
  /** Reads a structured reference for the creditor with this IBAN. */
  readonly reference: (
    text: string,
    iban: string,
  ) =>
    | { readonly ok: true; readonly value: StructuredRemittance }
    | { readonly ok: false; readonly why: string };
}

/** How the cells of a file are read. */
export interface CsvTerms {
  readonly checks: CsvChecks;
  /** The sign before the decimals of an amount; a dot where it is absent. */
  readonly decimal?: 'dot' | 'comma';
  /** Writes the texts of people with other characters. */
  readonly write?: (text: string, at: { readonly line: number; readonly column: string }) => string;
}

// Exports for Excel write ="0012" so that it keeps the noughts of a number.
const numbers: ReadonlySet<string> = new Set<ColumnName>(['creditor_iban', 'amount', 'creditor_bic']);

// Columns with texts of people.
const free: ReadonlySet<string> = new Set<ColumnName>([
  'creditor_name',
  'remittance',
  'creditor_reference',
  'end_to_end_id',
  'creditor_street',
  'creditor_number',
  'creditor_postcode',
  'creditor_city',
  'creditor_line_1',
  'creditor_line_2',
  'reporting_information',
]);

/** An error in a file: the line (from 1) on which its row begins, the column and the value where there are, and why. */
export interface CsvFinding {
  readonly line: number;
  readonly column: string | undefined;
  readonly value?: string;
  readonly text: string;
}

/** A row of the file: what is wrong with it, and its payment, which can be sent where nothing is. */
export interface CsvRow {
  readonly line: number;
  readonly findings: readonly CsvFinding[];
  /** Absent where the row is none, such as one with too many cells. */
  readonly payment?: CreditTransfer;
}

/** Reads one record by the names of the header; `line` (from 1) is where it begins. */
export function readRow(
  record: readonly string[],
  names: readonly string[],
  line: number,
  { checks, decimal = 'dot', write = (text) => text }: CsvTerms,
): CsvRow {
  if (record.length !== names.length) {
    const text = `it has ${String(record.length)} cells, the header has ${String(names.length)}`;
    return { line, findings: [{ line, column: undefined, text }] };
  }
  const findings: CsvFinding[] = [];
  const cells = record.map((text, at) => {
    const column = names[at] ?? '';
    if (numbers.has(column)) return /^="([^"]+)"$/.exec(text)?.[1] ?? text;
    return free.has(column) ? write(text, { line, column }) : text;
  });
  const cell = (column: ColumnName): string => cells[names.indexOf(column)] ?? '';
  const wrong = (column: ColumnName, text: string): void =>
    void findings.push({ line, column, value: cell(column), text });
  const checked = (column: ColumnName, check: ValueCheck): string => {
    const result = check(cell(column));
    if (!result.ok) wrong(column, result.why);
    return result.ok ? result.value : '';
  };
  const currency = cell('currency') === '' ? 'EUR' : cell('currency').toUpperCase();
  const payment: CreditTransfer = {
    instructedAmount: { currency, amount: checked('amount', (text) => amountOf(text, currency, decimal)) },
    creditorAccount: accountIn(cell('creditor_iban'), (check) => checked('creditor_iban', check), checks),
    creditorName: checked('creditor_name', textUpTo(70)),
  };
  if (cell('remittance') !== '')
    payment.remittanceInformationUnstructured = checked('remittance', textUpTo(140));
  if (cell('creditor_reference') !== '') {
    const read = checks.reference(cell('creditor_reference'), payment.creditorAccount.iban ?? '');
    if (read.ok) payment.remittanceInformationStructured = read.value;
    else wrong('creditor_reference', read.why);
  }
  if (cell('end_to_end_id') !== '') payment.endToEndIdentification = checked('end_to_end_id', textUpTo(35));
  if (cell('creditor_bic') !== '') payment.creditorAgent = checked('creditor_bic', checks.bic);
  if (cell('charge_bearer') !== '') payment.chargeBearer = checked('charge_bearer', bearerOf);
  const address = addressIn(cell, checked);
  if (address !== undefined) payment.creditorAddress = address;
  const inPain = inPainOf(cell, checked, checks.lei);
  if (inPain !== undefined) payment.inPain = inPain;
  return { line, findings, payment };
}

const bbanPrefix = /^bban:/i;

function accountIn(text: string, checked: (check: ValueCheck) => string, checks: CsvChecks): TransferAccount {
  return bbanPrefix.test(text) ? { bban: checked(bbanOf) } : { iban: checked(checks.iban) };
}

function bbanOf(text: string): ReturnType<ValueCheck> {
  const value = text.replace(bbanPrefix, '');
  return isBbanText(value)
    ? { ok: true, value }
    : { ok: false, why: 'a BBAN has 1 to 30 letters and digits' };
}

function bearerOf(text: string): ReturnType<ValueCheck> {
  const value = text.toUpperCase();
  return chargeBearers.has(value)
    ? { ok: true, value }
    : { ok: false, why: `it is not one of ${[...chargeBearers].join(', ')}` };
}

const addressParts = [
  ['creditor_street', 'streetName', 70],
  ['creditor_number', 'buildingNumber', 16],
  ['creditor_postcode', 'postCode', 16],
  ['creditor_city', 'townName', 35],
] as const satisfies readonly (readonly [ColumnName, keyof TransferAddress, number])[];

const lineColumns = ['creditor_line_1', 'creditor_line_2'] as const satisfies readonly ColumnName[];

/** The address of a row, with the member names of framework 1.3.6; with lines it needs a town, too (hybrid). */
function addressIn(cell: Cell, checked: Checker): TransferAddress | undefined {
  const lines = lineColumns
    .filter((column) => cell(column) !== '')
    .map((column) => checked(column, textUpTo(70)));
  const given = addressParts.filter(
    ([column]) => cell(column) !== '' || (column === 'creditor_city' && lines.length > 0),
  );
  if (given.length === 0 && cell('creditor_country') === '') return undefined;
  const parts = given.map(([column, name, max]) => [name, checked(column, textUpTo(max))] as const);
  return {
    ...Object.fromEntries(parts),
    country: checked('creditor_country', countryOf),
    ...(lines.length > 0 && { lines }),
  };
}

// Thousands in groups of three, with a dot, a blank of any kind or an apostrophe before each, the same before all.
const withComma = /^(?:[0-9]+|[0-9]{1,3}([. '’\u00a0\u202f])[0-9]{3}(?:\1[0-9]{3})*)(?:,[0-9]+)?$/;

function amountOf(text: string, currency: string, decimal: 'dot' | 'comma'): ReturnType<ValueCheck> {
  if (decimal === 'comma' && !withComma.test(text))
    return { ok: false, why: 'an amount is written 1.234,56 here: a comma before the decimals' };
  const plain = decimal === 'comma' ? text.replace(/[^0-9,]/g, '').replace(',', '.') : text;
  const result = checkPaymentAmount(plain, currency);
  return result.ok ? { ok: true, value: result.value.amount } : result;
}
