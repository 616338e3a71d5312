/** One transaction of a JSON list as a row (guidelines 14.26 and 14.27, TransactionDetails and CardTransaction). */
import { JsonNumber } from '../../xs2a/json.ts';
import { bankTransactionWords } from '../rows/bank-transaction-codes.ts';
import { accountOf, hrefOf, joinedText, membersOf, text } from './json-members.ts';
import type { Members } from './json-members.ts';
import type { ListState } from '../rows/report-reader.ts';
import { checkDays, mark, negated, reportAmount, setAmount, setDay } from '../rows/report-values.ts';
import { newRow } from '../rows/transaction-row.ts';
import type { RowStatus, TransactionRow } from '../rows/transaction-row.ts';

/** Makes the row of an entry; what is wrong with it is marked, nothing is thrown. */
export function reportRow(value: unknown, status: RowStatus | undefined, list: ListState): TransactionRow {
  const entry = membersOf(value);
  const row = newRow(list.position);
  if (list.account !== undefined) row.account = list.account;
  if (status === undefined) mark(row, 'status-unknown');
  else row.bookingStatus = status;
  setDay(row, 'bookingDate', text(entry.bookingDate));
  setDay(row, 'valueDate', text(entry.valueDate));
  setDay(row, 'transactionDate', text(entry.transactionDate) ?? text(entry.acceptorTransactionDateTime));
  checkDays(row);
  const { amount, currency } = membersOf(entry.transactionAmount);
  if (amount instanceof JsonNumber) mark(row, 'amount-as-number');
  setAmount(row, text(amount), text(currency) ?? '');
  const parties = partiesOf(entry);
  setCounterparty(row, entry, parties, isDebit(row, text(amount), parties, list));
  setReferences(row, entry);
  setMore(row, entry);
  return row;
}

/** The parties named in an entry, by side. */
interface Parties {
  readonly creditorName: string | undefined;
  readonly creditorAccount: string | undefined;
  readonly debtorName: string | undefined;
  readonly debtorAccount: string | undefined;
  readonly creditorId: unknown;
}

function partiesOf(entry: Members): Parties {
  return {
    creditorName: text(entry.creditorName) ?? text(entry.ultimateCreditor),
    creditorAccount: accountOf(entry.creditorAccount),
    debtorName: text(entry.debtorName) ?? text(entry.ultimateDebtor),
    debtorAccount: accountOf(entry.debtorAccount),
    creditorId: text(entry.creditorId),
  };
}

/**
 * Sets the sign of the amount and returns whether the entry is a debit. A written minus or plus decides, and in a list where
 * a debit had its minus one without it is a credit (a returned debit names the creditor, too); without one,
 * the account if it is one of the parties; else the parties: if only a creditor is named, the account paid (official
 * example 1 writes such a debit as 256.67). If nobody is named, or both parties while the account is unknown, the
 * amount stays as sent and the row is marked; in the second case the result is undefined.
 */
function isDebit(
  row: TransactionRow,
  sent: string | undefined,
  parties: Parties,
  list: ListState,
): boolean | undefined {
  const { amount } = row;
  if (amount === undefined) return undefined;
  if (list.debitsPositive === true) {
    row.amount = negated(amount);
    return !amount.startsWith('-');
  }
  if (amount.startsWith('-')) {
    list.signed = row.bookingStatus;
    return true;
  }
  if (row.bookingStatus !== undefined && list.signed === row.bookingStatus) return false;
  if (sent?.startsWith('+') === true || list.debitsPositive === false) return false;
  const { creditorName, creditorAccount, debtorName, debtorAccount, creditorId } = parties;
  const own = list.account;
  const ownPays = own !== undefined && debtorAccount === own;
  if (own !== undefined && creditorAccount === own) return false;
  const isDebtorNamed = (debtorName ?? debtorAccount) !== undefined;
  if (own === undefined && isDebtorNamed && (creditorName ?? creditorAccount) !== undefined) {
    mark(row, 'sign-unknown');
    return undefined;
  }
  if (!ownPays && isDebtorNamed) return false;
  if (ownPays || (creditorName ?? creditorAccount ?? creditorId) !== undefined) {
    if (!/[1-9]/.test(amount)) return true;
    row.amount = negated(amount);
    mark(row, 'sign-from-parties');
    return true;
  }
  mark(row, 'sign-unknown');
  return false;
}

/**
 * Sets the counterparty. If neither party is the account itself, the direction decides which of the two it is, and none
 * is set if that is unknown. If only one is named, it is that one (a return keeps the roles).
 */
function setCounterparty(
  row: TransactionRow,
  entry: Members,
  parties: Parties,
  debit: boolean | undefined,
): void {
  const { creditorName, creditorAccount, debtorName, debtorAccount } = parties;
  const own = row.account;
  const creditor = creditorAccount === undefined ? creditorName !== undefined : creditorAccount !== own;
  const debtor = debtorAccount === undefined ? debtorName !== undefined : debtorAccount !== own;
  if (!creditor && !debtor) return;
  if (debit === undefined && creditor && debtor) return;
  const useCreditor = creditor && (debit === true || !debtor);
  const name = useCreditor ? creditorName : debtorName;
  const account = useCreditor ? creditorAccount : debtorAccount;
  const agent = text(useCreditor ? entry.creditorAgent : entry.debtorAgent);
  if (name !== undefined) row.counterpartyName = name;
  if (account !== undefined) row.counterpartyAccount = account;
  if (agent !== undefined) row.counterpartyAgent = agent;
}

function setReferences(row: TransactionRow, entry: Members): void {
  const unstructured =
    text(entry.remittanceInformationUnstructured) ??
    joinedText(entry.remittanceInformationUnstructuredArray) ??
    text(entry.transactionDetails);
  if (unstructured !== undefined) row.remittanceInformationUnstructured = unstructured;
  const structured =
    joinedText(entry.remittanceInformationStructured) ??
    joinedText(entry.remittanceInformationStructuredArray);
  if (structured !== undefined) row.remittanceInformationStructured = structured;
  const additional = text(entry.additionalInformation);
  if (additional !== undefined) row.additionalInformation = additional;
  const endToEndId = text(entry.endToEndId);
  if (endToEndId !== undefined) row.endToEndId = endToEndId;
  const mandateId = text(entry.mandateId);
  if (mandateId !== undefined) row.mandateId = mandateId;
  const creditorId = text(entry.creditorId);
  if (creditorId !== undefined) row.creditorId = creditorId;
  const checkId = text(entry.checkId);
  if (checkId !== undefined) row.checkId = checkId;
  const entryReference = text(entry.entryReference);
  if (entryReference !== undefined) row.entryReference = entryReference;
  const code = text(entry.bankTransactionCode);
  if (code !== undefined) row.bankTransactionCode = code;
  const codeText = bankTransactionWords(code);
  if (codeText !== undefined) row.bankTransactionText = codeText;
  const ownCode = text(entry.proprietaryBankTransactionCode);
  if (ownCode !== undefined) row.proprietaryBankTransactionCode = ownCode;
  const purposeCode = text(entry.purposeCode);
  if (purposeCode !== undefined) row.purposeCode = purposeCode;
  const transactionId = text(entry.transactionId) ?? text(entry.cardTransactionId);
  if (transactionId !== undefined) row.transactionId = transactionId;
  const resourceId = text(entry.resourceId) ?? transactionId;
  if (resourceId !== undefined) row.resourceId = resourceId;
  const details = entry._links === undefined ? undefined : hrefOf(membersOf(entry._links).transactionDetails);
  if (details !== undefined) row.details = details;
}

function setMore(row: TransactionRow, entry: Members): void {
  const [forDebtor, forCreditor] = [text(entry.ultimateDebtor), text(entry.ultimateCreditor)];
  if (forDebtor !== undefined) row.ultimateDebtor = forDebtor;
  if (forCreditor !== undefined) row.ultimateCreditor = forCreditor;
  const exchanges = entry.currencyExchange ?? entry.exchangeRate;
  const exchange = membersOf(Array.isArray(exchanges) ? exchanges[0] : exchanges);
  const rate = text(exchange.exchangeRate) ?? text(exchange.rate);
  if (rate !== undefined) row.exchangeRate = rate;
  const source = text(exchange.sourceCurrency);
  if (source !== undefined) row.exchangeSourceCurrency = source;
  const target = text(exchange.targetCurrency);
  if (target !== undefined) row.exchangeTargetCurrency = target;
  const unit = text(exchange.unitCurrency);
  if (unit !== undefined) row.exchangeUnitCurrency = unit;
  const original = money(entry.originalAmount ?? exchange.instructedAmount);
  if (original !== undefined) [row.originalAmount, row.originalCurrency] = original;
  const fee = money(entry.markupFee);
  if (fee !== undefined) [row.chargesAmount, row.chargesCurrency] = fee;
  const after = entry.balanceAfterTransaction;
  const balance = after === undefined ? undefined : money(membersOf(after).balanceAmount);
  if (balance !== undefined) [row.balanceAfter, row.balanceAfterCurrency] = balance;
  const maskedPan = text(entry.maskedPAN) ?? text(entry.maskedPan);
  if (maskedPan !== undefined) row.maskedPan = maskedPan;
  const category = text(entry.merchantCategoryCode);
  if (category !== undefined) row.merchantCategoryCode = category;
  const parts = entry.entryDetails;
  const size = Array.isArray(parts) ? parts.length : Number(text(entry.batchNumberOfTransactions) ?? 0);
  if (Number.isSafeInteger(size) && size > 1) row.batchSize = size;
}

function money(value: unknown): [string, string] | undefined {
  if (value === undefined) return undefined;
  const { amount, currency } = membersOf(value);
  const unit = text(currency) ?? '';
  const found = reportAmount(text(amount) ?? '', unit);
  return found === undefined || unit === '' ? undefined : [found, unit];
}
