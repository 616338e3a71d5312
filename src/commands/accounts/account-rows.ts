import type { Column, Row, RowsOutcome } from '../../outcome.ts';
import { isJsonObject, member, stringMember } from '../../xs2a/json.ts';
import type { JsonObject, JsonValue } from '../../xs2a/json.ts';

const text = (row: Row, ...names: string[]) =>
  names.map((name) => stringMember(row as JsonObject, name)).find((found) => found !== undefined) ?? null;

const amountIn = (value: JsonValue | undefined, name: string) =>
  stringMember(member(value, 'balanceAmount'), name) ?? null;

const shown: readonly string[] = ['interimAvailable', 'expected', 'interimBooked', 'closingBooked'];

/** The balance that a person means: what is available, else what is booked. */
function balanceIn(row: Row): JsonValue | undefined {
  const list = member(row as JsonObject, 'balances');
  const all = Array.isArray(list) ? list.filter(isJsonObject) : [];
  const byType = shown.map((type) => all.find((one) => stringMember(one, 'balanceType') === type));
  return byType.find((one) => one !== undefined) ?? all[0];
}

const columns: readonly Column[] = [
  { key: 'resourceId', title: 'ACCOUNT' },
  { key: 'iban', title: 'NUMBER', cell: (row) => text(row, 'iban', 'bban', 'maskedPan', 'msisdn') },
  // XXX is how the interface writes that an account holds several currencies.
  { key: 'currency', title: 'CURRENCY' },
  { key: 'name', title: 'NAME', cell: (row) => text(row, 'displayName', 'name') },
  { key: 'product', title: 'PRODUCT' },
  { key: 'ownerName', title: 'OWNER', wide: true },
  { key: 'cashAccountType', title: 'TYPE', wide: true },
  { key: 'usage', title: 'USAGE', wide: true },
  { key: 'status', title: 'STATUS', wide: true },
  { key: 'bic', title: 'BIC', wide: true },
];

const balance: readonly Column[] = [
  { key: 'balance', title: 'BALANCE', align: 'right', cell: (row) => amountIn(balanceIn(row), 'amount') },
  { key: 'balanceCurrency', title: '', cell: (row) => amountIn(balanceIn(row), 'currency') },
];

/** Accounts (or card accounts) as rows; JSON shows each object as the bank sent it. */
export function accountRows(
  accounts: readonly JsonObject[],
  options: { withBalance: boolean; next: readonly string[] },
): RowsOutcome {
  return {
    kind: 'rows',
    columns: options.withBalance ? [...columns, ...balance] : columns,
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
