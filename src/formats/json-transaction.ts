/** One transaction of a JSON list as a row (guidelines 14.26 and 14.27, TransactionDetails and CardTransaction). */
import { JsonNumber } from '../xs2a/json.ts';
import { accountOf, at, joinedText, textAt } from './json-members.ts';
import type { ListState } from './report-json.ts';
import { checkDays, mark, negated, reportAmount, setAmount, setDay } from './report-values.ts';
import type { RowStatus, TransactionRow } from './transaction-row.ts';

/** Makes the row of an entry; what is wrong with it is marked, nothing is thrown. */
export function reportRow(value: unknown, status: RowStatus | undefined, list: ListState): TransactionRow {
  const row: TransactionRow = { position: list.position };
  if (list.account !== undefined) row.account = list.account;
  if (status === undefined) mark(row, 'status-unknown');
  else row.bookingStatus = status;
  setDay(row, 'bookingDate', textAt(value, 'bookingDate'));
  setDay(row, 'valueDate', textAt(value, 'valueDate'));
  setDay(
    row,
    'transactionDate',
    textAt(value, 'transactionDate') ?? textAt(value, 'acceptorTransactionDateTime'),
  );
  checkDays(row);
  amountOf(row, value);
  const debit = direction(row, value, list);
  counterpartyOf(row, value, debit);
  referencesOf(row, value);
  moreOf(row, value);
  return row;
}

function amountOf(row: TransactionRow, value: unknown): void {
  const amount = at(value, 'transactionAmount');
  if (at(amount, 'amount') instanceof JsonNumber) mark(row, 'amount-as-number');
  setAmount(row, textAt(amount, 'amount'), textAt(amount, 'currency') ?? '');
}

const creditorMembers = ['creditorName', 'creditorAccount', 'ultimateCreditor', 'creditorId'] as const;
const debtorMembers = ['debtorName', 'debtorAccount', 'ultimateDebtor'] as const;

/**
 * Settles the sign and tells whether the entry is a debit. A written minus or plus decides. Without one the account
 * itself does where it is one of the parties, then the parties: only a creditor means that the account paid (official
 * example 1 writes such a debit as 256.67). Where nobody is named the amount stands as sent and is marked.
 */
function direction(row: TransactionRow, value: unknown, list: ListState): boolean {
  const { amount } = row;
  if (amount === undefined) return false;
  if (list.debitsPositive === true) {
    row.amount = negated(amount);
    return !amount.startsWith('-');
  }
  if (amount.startsWith('-')) return true;
  if (textAt(at(value, 'transactionAmount'), 'amount')?.startsWith('+') === true) return false;
  if (list.debitsPositive === false) return false;
  const creditor = creditorMembers.some((name) => isThere(at(value, name)));
  const debtor = debtorMembers.some((name) => isThere(at(value, name)));
  const own = list.account;
  const ownPays = own !== undefined && accountOf(at(value, 'debtorAccount')) === own;
  const ownGets = own !== undefined && accountOf(at(value, 'creditorAccount')) === own;
  if (ownGets || (debtor && !ownPays)) return false;
  if (ownPays || creditor) {
    if (!/[1-9]/.test(amount)) return true;
    row.amount = negated(amount);
    mark(row, 'sign-from-parties');
    return true;
  }
  mark(row, 'sign-unknown');
  return false;
}

const isThere = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

function counterpartyOf(row: TransactionRow, value: unknown, debit: boolean): void {
  const creditorAccount = accountOf(at(value, 'creditorAccount'));
  const debtorAccount = accountOf(at(value, 'debtorAccount'));
  const creditorName = textAt(value, 'creditorName') ?? textAt(value, 'ultimateCreditor');
  const debtorName = textAt(value, 'debtorName') ?? textAt(value, 'ultimateDebtor');
  // Where the report does not say whose it is, a name alone still tells.
  const isOther = (account: string | undefined, name: string | undefined) =>
    account === undefined ? name !== undefined : account !== row.account;
  const creditor = isOther(creditorAccount, creditorName);
  const debtor = isOther(debtorAccount, debtorName);
  // Of two strangers the one on the other side; where only one is named, that one (a return keeps the roles).
  const useCreditor = creditor && (debit || !debtor);
  put(row, 'counterpartyName', useCreditor ? creditorName : debtor ? debtorName : undefined);
  put(row, 'counterpartyAccount', useCreditor ? creditorAccount : debtor ? debtorAccount : undefined);
  const agent = useCreditor ? 'creditorAgent' : 'debtorAgent';
  if (creditor || debtor) put(row, 'counterpartyAgent', textAt(value, agent));
}

type TextMember = {
  [K in keyof TransactionRow]-?: TransactionRow[K] extends string | undefined ? K : never;
}[keyof TransactionRow];

function put(
  row: TransactionRow,
  name: Exclude<TextMember, 'bookingStatus'>,
  text: string | undefined,
): void {
  if (text !== undefined) row[name] = text;
}

const sameNames = [
  'endToEndId',
  'mandateId',
  'creditorId',
  'checkId',
  'entryReference',
  'bankTransactionCode',
  'proprietaryBankTransactionCode',
  'purposeCode',
] as const;

function referencesOf(row: TransactionRow, value: unknown): void {
  put(
    row,
    'remittanceInformationUnstructured',
    textAt(value, 'remittanceInformationUnstructured') ??
      joinedText(at(value, 'remittanceInformationUnstructuredArray')) ??
      textAt(value, 'transactionDetails'),
  );
  put(
    row,
    'remittanceInformationStructured',
    joinedText(at(value, 'remittanceInformationStructured')) ??
      joinedText(at(value, 'remittanceInformationStructuredArray')),
  );
  put(row, 'additionalInformation', textAt(value, 'additionalInformation'));
  for (const name of sameNames) put(row, name, textAt(value, name));
  put(row, 'transactionId', textAt(value, 'transactionId') ?? textAt(value, 'cardTransactionId'));
  const link = at(at(value, '_links'), 'transactionDetails');
  put(row, 'details', typeof link === 'string' ? link : textAt(link, 'href'));
  put(row, 'resourceId', textAt(value, 'resourceId') ?? row.transactionId);
}

function moreOf(row: TransactionRow, value: unknown): void {
  const exchanges = at(value, 'currencyExchange') ?? at(value, 'exchangeRate');
  const exchange: unknown = Array.isArray(exchanges) ? exchanges[0] : exchanges;
  put(row, 'exchangeRate', textAt(exchange, 'exchangeRate') ?? textAt(exchange, 'rate'));
  const original = at(value, 'originalAmount') ?? at(exchange, 'instructedAmount');
  money(row, original, 'originalAmount', 'originalCurrency');
  money(row, at(value, 'markupFee'), 'chargesAmount', 'chargesCurrency');
  money(
    row,
    at(at(value, 'balanceAfterTransaction'), 'balanceAmount'),
    'balanceAfter',
    'balanceAfterCurrency',
  );
  put(row, 'maskedPan', textAt(value, 'maskedPAN') ?? textAt(value, 'maskedPan'));
  put(row, 'merchantCategoryCode', textAt(value, 'merchantCategoryCode'));
  const parts = at(value, 'entryDetails');
  const size = Array.isArray(parts) ? parts.length : Number(textAt(value, 'batchNumberOfTransactions') ?? 0);
  if (Number.isSafeInteger(size) && size > 1) row.batchSize = size;
}

function money(
  row: TransactionRow,
  value: unknown,
  amountName: 'originalAmount' | 'chargesAmount' | 'balanceAfter',
  currencyName: 'originalCurrency' | 'chargesCurrency' | 'balanceAfterCurrency',
): void {
  const currency = textAt(value, 'currency');
  const amount = reportAmount(textAt(value, 'amount') ?? '', currency ?? '');
  if (amount === undefined || currency === undefined) return;
  row[amountName] = amount;
  row[currencyName] = currency;
}
