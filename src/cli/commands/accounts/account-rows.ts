import type { Column, PrintedRow, RowsOutcome } from '../../outcome.ts';
import { grouped } from '../output/for-person.ts';
import { JsonNumber, isJsonObject, member, stringMember } from '../../../standard/xs2a/json.ts';
import type { JsonObject, JsonValue } from '../../../standard/xs2a/json.ts';

const text = (row: PrintedRow, ...names: string[]) =>
  names.map((name) => stringMember(row as JsonObject, name)).find((found) => found !== undefined) ?? null;

/** A member of an amount; some banks write the amount itself as a number. */
function amountIn(value: JsonValue | undefined, name: 'amount' | 'currency'): string | null {
  const found = member(member(value, 'balanceAmount'), name);
  if (found instanceof JsonNumber) return found.text;
  return typeof found === 'string' ? found : null;
}

const shown: readonly string[] = ['interimAvailable', 'expected', 'interimBooked', 'closingBooked'];

/**
 * The balance that a person means, in the currency of the account: what is available, else what is booked. Undefined where
 * there is none, or, of an aggregate (XXX), one in each of several currencies: no one of them is that of the account.
 */
function balanceIn(row: PrintedRow): JsonValue | undefined {
  const all = balancesOf(row);
  const own = all.filter((one) => amountIn(one, 'currency') === stringMember(row as JsonObject, 'currency'));
  const list = own.length > 0 ? own : all;
  if (currenciesOf(list) > 1) return undefined;
  const byType = shown.map((type) => list.find((one) => stringMember(one, 'balanceType') === type));
  return byType.find((one) => one !== undefined) ?? list[0];
}

function balancesOf(row: PrintedRow): readonly JsonObject[] {
  const list = member(row as JsonObject, 'balances');
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

const currenciesOf = (balances: readonly JsonObject[]): number =>
  new Set(balances.map((one) => amountIn(one, 'currency'))).size;

/** The currency of that balance; XXX where there are several, as the interface writes it. */
function balanceCurrency(row: PrintedRow): string | null {
  const found = balanceIn(row);
  return found === undefined && currenciesOf(balancesOf(row)) > 1 ? 'XXX' : amountIn(found, 'currency');
}

const numberIn = (row: PrintedRow) => text(row, 'iban', 'bban', 'maskedPan', 'msisdn');

const columns: readonly Column[] = [
  { key: 'resourceId', title: 'ACCOUNT' },
  { key: 'iban', title: 'NUMBER', cell: numberIn, forPerson: grouped, whole: true },
  // XXX is how the interface writes that an account holds several currencies.
  { key: 'currency', title: 'CURRENCY' },
  { key: 'name', title: 'NAME', cell: (row) => text(row, 'displayName', 'name') },
  { key: 'product', title: 'PRODUCT', spare: 2 },
  { key: 'ownerName', title: 'OWNER', wide: true },
  { key: 'cashAccountType', title: 'TYPE', wide: true },
  { key: 'usage', title: 'USAGE', wide: true },
  { key: 'status', title: 'STATUS', wide: true },
  { key: 'bic', title: 'BIC', wide: true },
];

const balance: readonly Column[] = [
  { key: 'balanceType', title: 'BALANCE TYPE', whole: true, cell: (row) => balanceTypeOf(balanceIn(row)) },
  { key: 'balance', title: 'BALANCE', align: 'right', cell: (row) => amountIn(balanceIn(row), 'amount') },
  { key: 'balanceCurrency', title: '', cell: balanceCurrency },
];

/** The type of the balance that is shown, and whether the customer's credit line is in its amount. */
function balanceTypeOf(one: JsonValue | undefined): string | null {
  const type = stringMember(one, 'balanceType') ?? null;
  const included = member(one, 'creditLimitIncluded');
  return included === true || included === 'true' ? `${type ?? ''} + credit line`.trim() : type;
}

/** Accounts (or card accounts) as rows; JSON shows each object as the bank sent it. */
export function accountRows(
  accounts: readonly JsonObject[],
  options: { withBalance: boolean; next: readonly string[] },
): RowsOutcome {
  // An IBAN names the account as well as its id does.
  const isNumbered = accounts.every((row) => stringMember(row, 'iban') !== undefined);
  return {
    kind: 'rows',
    columns: (options.withBalance ? [...columns, ...balance] : columns).map((column) => {
      if (column.key === 'resourceId' && isNumbered) return { ...column, spare: 1 };
      // Beside a balance its own currency stands, and 80 columns have no room for both.
      return column.key === 'currency' && options.withBalance ? { ...column, wide: true } : column;
    }),
    rows: accounts,
    nameKey: 'resourceId',
    empty: 'The consent shows no account.',
    next: options.next,
  };
}

/** The balances of an account as rows. */
export function balanceRows(balances: readonly JsonObject[]): RowsOutcome {
  return {
    kind: 'rows',
    columns: [
      { key: 'balanceType', title: 'BALANCE' },
      {
        key: 'amount',
        title: 'AMOUNT',
        align: 'right',
        cell: (row) => amountIn(row as JsonObject, 'amount'),
      },
      { key: 'currency', title: '', cell: (row) => amountIn(row as JsonObject, 'currency') },
      { key: 'referenceDate', title: 'DATE' },
      { key: 'lastChangeDateTime', title: 'CHANGED', wide: true },
      { key: 'creditLimitIncluded', title: 'CREDIT LIMIT', wide: true },
      { key: 'lastCommittedTransaction', title: 'LAST TRANSACTION', wide: true },
    ],
    rows: balances,
    nameKey: 'balanceType',
    empty: 'The bank tells no balance of this account.',
  };
}
