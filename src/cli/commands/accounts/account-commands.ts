import { cleanLine } from '../../../base/clean.ts';
import type { Flags, OptionsOf, Page, Register, Run } from '../../command.ts';
import { line } from '../../../base/command-line.ts';
import { accountId, listAccounts, readAccount, readBalances } from '../../../client/accounts/accounts.ts';
import type { AccountKind } from '../../../client/accounts/accounts.ts';
import type { AccountRead } from '../../../client/accounts/counted-read.ts';
import type { Outcome, Column, PrintedRow, RowsOutcome } from '../../outcome.ts';
import { flatten } from '../../render/fields.ts';
import { cellText } from '../../render/table.ts';
import { definitions } from '../../render/wrap.ts';
import type { JsonObject, JsonValue } from '../../../standard/xs2a/json.ts';
import type { OperationId } from '../../../standard/xs2a/operations.ts';
import { flagsIf } from '../flags/flag-values.ts';
import { readOptions, withReading } from './read-options.ts';
import { grouped } from '../output/for-person.ts';
import { JsonNumber, isJsonObject, member, stringMember } from '../../../standard/xs2a/json.ts';

type Verb = 'list' | 'get' | 'balances';

/** The words in which accounts and card accounts differ, besides their paths. */
const words = {
  account: { noun: 'accounts', one: 'account', what: 'IBAN or id of the account; the only one if not given' },
  card: { noun: 'cards', one: 'card account', what: 'masked-pan:NUMBER or id of the card account' },
} as const satisfies Record<AccountKind, object>;

const cardReads = {
  list: 'getCardAccount',
  get: 'ReadCardAccount',
  balances: 'getCardAccountBalances',
} as const satisfies Record<Verb, OperationId>;

/** The verbs that accounts and card accounts share. */
export function accountCommand(
  kind: AccountKind,
  verb: Verb,
  page: Page,
): { register: Register; run: Run<Options> } {
  const run: Run<Options> = (context, options) =>
    withReading(
      context,
      options,
      async (reading) => {
        const { outcome, body } = await read(reading, kind, verb, options);
        if (options.raw !== true) return outcome;
        return { kind: 'data', data: null, text: () => '', raw: body };
      },
      kind === 'card' ? { read: cardReads[verb] } : {},
    );
  const register: Register = (command, start) => start(flags(command, kind, verb), page, run);
  return { register, run };
}

function flags(command: Flags, kind: AccountKind, verb: Verb) {
  const { one, what } = words[kind];
  const named = flagsIf(verb !== 'list', command, (all) => all.argument('[id]', what));
  const form = flagsIf(verb !== 'balances', named, (all) =>
    all.option('--with-balance', `with the balances of the ${one}`),
  );
  return readOptions(form.option('--raw', 'the exact bytes of the bank'));
}

type Options = OptionsOf<typeof flags>;

async function read(
  reading: AccountRead,
  kind: AccountKind,
  verb: Verb,
  options: Options,
): Promise<{ outcome: Outcome; body: Uint8Array }> {
  const withBalance = options.withBalance === true;
  const { noun } = words[kind];
  if (verb === 'list') {
    const { answer, accounts } = await listAccounts(reading, kind, withBalance);
    const first = kind === 'card' ? undefined : accounts.map(({ iban, resourceId }) => iban ?? resourceId)[0];
    const next = typeof first === 'string' ? [line`obk transactions list --account ${first}`] : [];
    return { outcome: accountRows(accounts, { withBalance, next }), body: answer.body };
  }
  const id = await accountId(reading, kind, options.id, (one) => line`obk ${noun} ${verb} ${one}`);
  if (verb === 'balances') {
    const { answer, balances } = await readBalances(reading, kind, id);
    return { outcome: balanceRows(balances), body: answer.body };
  }
  const { answer, account } = await readAccount(reading, kind, id, withBalance);
  return {
    body: answer.body,
    outcome: {
      kind: 'data',
      data: account,
      text: (style) => objectText(account, style.width),
      name: id,
      next: [line`obk ${noun} balances ${id}`],
    },
  };
}

/** An object of the bank for a person, member by member; its links say nothing to them. */
export function objectText(object: JsonObject, width: number): string {
  return definitions(
    flatten(object)
      .filter(([name]) => !name.includes('_links.'))
      .map(([name, value]) => [cleanLine(name), cleanLine(cellText(value))] as const),
    { indent: 0, width: Math.max(width, 40) },
  ).join('\n');
}

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
function accountRows(
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
function balanceRows(balances: readonly JsonObject[]): RowsOutcome {
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
