/** What a JSON list says of an entry beyond the columns of a row: each such value stands under the path of its member in `otherInformation`. */
import { eachText, membersOf, text } from './json-members.ts';
import type { Members } from './json-members.ts';
import { keep } from '../rows/report-values.ts';
import type { TransactionRow } from '../rows/transaction-row.ts';

const named = (names: string): ReadonlySet<string> => new Set(names.split(' '));

/** A member that is read whole, and one that is read unless another one is there in its place. */
const whole = named('');
const instead = named('instead');
const amount = named('amount currency creditDebitIndicator');
const account = named('iban bban maskedPan pan msisdn other');
const agent = named('bicfi bicFi bic');
const party = named('name');
const reference = named('reference referenceType');
const exchange = named(
  'exchangeRate rate rateFrom sourceCurrency currencyFrom targetCurrency currencyTo unitCurrency instructedAmount',
);

/** The members of an entry that are read elsewhere, and of those that hold others the ones that are. */
const read: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ...(
    'bookingDate valueDate transactionDate bookingStatus creditDebitIndicator creditorName ' +
    'ultimateCreditor debtorName ultimateDebtor creditorId remittanceInformationUnstructured ' +
    'remittanceInformationUnstructuredArray additionalInformation endToEndId mandateId checkId entryReference ' +
    'bankTransactionCode proprietaryBankTransactionCode purposeCode transactionId resourceId _links ' +
    'balanceAfterTransaction maskedPAN maskedPan merchantCategoryCode entryDetails'
  )
    .split(' ')
    .map((name) => [name, whole] as const),
  ...(
    'transactionDetails cardTransactionId acceptorTransactionDateTime batchIndicator batchNumberOfTransactions ' +
    'pending'
  )
    .split(' ')
    .map((name) => [name, instead] as const),
  ...(['transactionAmount', 'originalAmount', 'markupFee'] as const).map((name) => [name, amount] as const),
  ...(['creditor', 'debtor'] as const).map((name) => [name, party] as const),
  ...(['creditorAccount', 'debtorAccount'] as const).map((name) => [name, account] as const),
  ...(['creditorAgent', 'debtorAgent'] as const).map((name) => [name, agent] as const),
  ...(['remittanceInformationStructured', 'remittanceInformationStructuredArray'] as const).map(
    (name) => [name, reference] as const,
  ),
  ...(['currencyExchange', 'exchangeRate'] as const).map((name) => [name, exchange] as const),
]);

/** Keeps what has no column, and the one of two members for a column that is not in it. */
export function keepOthers(row: TransactionRow, entry: Members): void {
  for (const name in entry) {
    const known = read.get(name);
    if (known === whole) continue;
    if (known === instead ? !isTold(row, entry, name) : known === undefined)
      keepTexts(row, entry[name], name);
    else if (known !== undefined && known !== instead) keepBeside(row, entry[name], name, known);
  }
}

/** Returns the status that a truth value beside an entry tells: banks without lists of their own have it. */
export function pendingOf(pending: unknown): 'pending' | 'booked' | undefined {
  const told = String(pending);
  return told === 'true' ? 'pending' : told === 'false' ? 'booked' : undefined;
}

/** Whether a column holds a member that another one may stand for. */
function isTold(row: TransactionRow, entry: Members, name: string): boolean {
  if (name === 'transactionDetails') return row.remittanceInformationUnstructured === text(entry[name]);
  if (name === 'cardTransactionId') return row.transactionId === text(entry[name]);
  if (name === 'acceptorTransactionDateTime') return entry.transactionDate === undefined;
  if (name === 'pending')
    return row.bookingStatus !== undefined && row.bookingStatus === pendingOf(entry[name]);
  return row.batchSize !== undefined || text(entry[name]) === '1';
}

function keepTexts(row: TransactionRow, value: unknown, path: string): void {
  eachText(value, path, (at, told) => {
    keep(row, `${at} ${told}`);
  });
}

function keepBeside(row: TransactionRow, value: unknown, path: string, known: ReadonlySet<string>): void {
  if (typeof value !== 'object') return;
  if (Array.isArray(value)) {
    for (const one of value as unknown[]) keepBeside(row, one, path, known);
    return;
  }
  const members = membersOf(value);
  for (const name in members) {
    const isOwn = name === 'currency' && members[name] === row.currency;
    if (!known.has(name) && !isOwn) keepTexts(row, members[name], `${path}.${name}`);
  }
}
