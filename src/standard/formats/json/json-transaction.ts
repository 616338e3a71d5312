/** One transaction of a JSON list as a row (guidelines 14.26 and 14.27, TransactionDetails and CardTransaction). */
import { JsonNumber } from '../../xs2a/json.ts';
import { addUp } from '../rows/batch.ts';
import { bankTransactionWords } from '../rows/bank-transaction-codes.ts';
import { keepOthers, pendingOf } from './json-others.ts';
import { accountOf, agentOf, hrefOf, joinedText, membersOf, numbersOf, text } from './json-members.ts';
import type { Members } from './json-members.ts';
import { accountIdentity } from '../rows/account-identity.ts';
import type { ListState } from '../rows/report-reader.ts';
import { keep, keepAmount, keepSent, mark, negated, reportAmount, setAmount } from '../rows/report-values.ts';
import { checkDays, setDay } from '../rows/report-dates.ts';
import { newRow } from '../rows/transaction-row.ts';
import type { RowStatus, TransactionRow } from '../rows/transaction-row.ts';

/**
 * Makes the rows of an entry: one for each of its details where their amounts add up to that of the entry, else one for all.
 * What is wrong with it is marked, nothing is thrown.
 */
export function reportRows(
  value: unknown,
  status: RowStatus | undefined,
  list: ListState,
): readonly TransactionRow[] {
  const entry = membersOf(value);
  const { entryDetails } = entry;
  if (!Array.isArray(entryDetails) || entryDetails.length === 0) return [rowOf(entry, status, list)];
  const told = Number(text(entry.batchNumberOfTransactions) ?? entryDetails.length);
  const details = (entryDetails as unknown[]).map(membersOf);
  const whole = rowOf(entry, status, list);
  // A part without a sign goes the way of the whole.
  const way = whole.marks?.includes('sign-unknown') === true ? {} : { creditDebitIndicator: wayOf(whole) };
  const parts = details.map((detail) =>
    rowOf({ ...way, ...unlessIn(entry, detail), ...detail }, status, list),
  );
  if (told === details.length && addUp(parts, whole)) {
    if (parts.length > 1)
      for (const [at, part] of parts.entries()) {
        part.batchSize = parts.length;
        part.batchPosition = at + 1;
        if (whole.amount !== undefined) part.batchAmount = whole.amount;
      }
    return parts;
  }
  const size = Math.max(details.length, Number.isSafeInteger(told) ? told : 0);
  if (size > 1) {
    whole.batchSize = size;
    mark(whole, 'batch-not-split');
  }
  return [whole];
}

const wayOf = ({ amount = '' }: TransactionRow): string => (amount.startsWith('-') ? 'DBIT' : 'CRDT');

/** The members of an entry that a detail has not itself; the charges and the balance of the whole belong to none of its parts. */
function unlessIn(entry: Members, detail: Members): Members {
  const mine = Object.entries(entry).filter(
    ([name]) =>
      !(name in detail) &&
      !['entryDetails', 'batchNumberOfTransactions', 'markupFee', 'balanceAfterTransaction'].includes(name),
  );
  return Object.fromEntries(mine);
}

function rowOf(entry: Members, status: RowStatus | undefined, list: ListState): TransactionRow {
  const row = newRow(list.position);
  if (list.account !== undefined) row.account = list.account;
  // A bare list does not say it; an entry may.
  const stated = status ?? statedIn(entry);
  if (stated === undefined) {
    mark(row, 'status-unknown');
    const sent = text(entry.bookingStatus);
    if (sent !== undefined) keepSent(row, `bookingStatus ${sent}`);
  } else row.bookingStatus = stated;
  setDay(row, 'bookingDate', text(entry.bookingDate));
  setDay(row, 'valueDate', text(entry.valueDate));
  setDay(row, 'transactionDate', text(entry.transactionDate) ?? text(entry.acceptorTransactionDateTime));
  checkDays(row);
  const { amount, currency, creditDebitIndicator } = membersOf(entry.transactionAmount);
  if (amount instanceof JsonNumber) mark(row, 'amount-as-number');
  const sent = text(amount)?.trim();
  setAmount(row, sent, text(currency) ?? '');
  const parties = partiesOf(entry, list);
  const told = text(entry.creditDebitIndicator) ?? text(creditDebitIndicator);
  const isPaid = directionOf(row, { sent, told, parties, list });
  setCounterparty(row, entry, parties, isPaid);
  setReferences(row, entry);
  setMore(row, entry);
  keepOthers(row, entry);
  return row;
}

const statuses: ReadonlyMap<string, RowStatus> = new Map([
  ['BOOKED', 'booked'],
  ['BOOK', 'booked'],
  ['PENDING', 'pending'],
  ['PDNG', 'pending'],
  ['INFORMATION', 'information'],
  ['INFO', 'information'],
]);

/** The status that an entry of a bare list tells: in a word, or by a truth value beside it. */
function statedIn({ bookingStatus, pending }: Members): RowStatus | undefined {
  const word = text(bookingStatus);
  if (word !== undefined) return statuses.get(word.toUpperCase());
  return pendingOf(pending);
}

/** Words that banks have for a debit, and those for a credit. */
const directions: ReadonlyMap<string, boolean> = new Map([
  ['DBIT', true],
  ['DEBIT', true],
  ['CRDT', false],
  ['CREDIT', false],
]);

/** What tells which way the money of an entry went. */
interface Told {
  /** The amount as it was sent. */
  readonly sent: string | undefined;
  /** The word beside it. */
  readonly told: string | undefined;
  readonly parties: Parties;
  readonly list: ListState;
}

/** Sets the sign of the amount and returns whether the entry is a debit; undefined where that is unknown. */
function directionOf(row: TransactionRow, { sent = '', told, parties, list }: Told): boolean | undefined {
  const { amount } = row;
  if (amount === undefined) return undefined;
  const word = directions.get(told?.toUpperCase() ?? '');
  if (word === undefined) {
    if (told !== undefined) keepSent(row, `direction ${told}`);
    return isDebit(row, sent, parties, list);
  }
  const sign = /^[+-]/.exec(sent)?.[0];
  const isSigned = sign !== undefined && /[1-9]/.test(amount);
  // In a list of `debitAccounting` a credit has the minus.
  if (isSigned && (sign === '-') !== (word !== (list.debitsPositive === true))) {
    mark(row, 'sign-unknown');
    keepSent(row, `direction ${told ?? ''}`);
    return undefined;
  }
  if (amount.startsWith('-') !== word) row.amount = negated(amount);
  if (sign === '-' && list.debitsPositive !== true) list.signed = row.bookingStatus;
  return word;
}

/** The parties named in an entry, by side. */
interface Parties {
  readonly creditorName: string | undefined;
  readonly creditorAccount: string | undefined;
  readonly debtorName: string | undefined;
  readonly debtorAccount: string | undefined;
  readonly creditorId: unknown;
  /** Whether a side is the account that is reported on. */
  readonly ownIsCreditor: boolean;
  readonly ownIsDebtor: boolean;
}

function partiesOf(entry: Members, list: ListState): Parties {
  return {
    creditorName:
      text(entry.creditorName) ?? text(membersOf(entry.creditor).name) ?? text(entry.ultimateCreditor),
    creditorAccount: accountOf(entry.creditorAccount),
    debtorName: text(entry.debtorName) ?? text(membersOf(entry.debtor).name) ?? text(entry.ultimateDebtor),
    debtorAccount: accountOf(entry.debtorAccount),
    creditorId: text(entry.creditorId),
    ownIsCreditor: isOwn(entry.creditorAccount, list),
    ownIsDebtor: isOwn(entry.debtorAccount, list),
  };
}

const isOwn = (reference: unknown, { own }: ListState): boolean =>
  reference !== undefined &&
  own.size > 0 &&
  numbersOf(reference).some((number) => own.has(accountIdentity(number)));

/**
 * Sets the sign of the amount and returns whether the entry is a debit. A written minus or plus decides, and in a list where
 * a debit had its minus one without it is a credit (a returned debit names the creditor, too); without one,
 * the account if it is one of the parties; else the parties: if only a creditor is named, the account paid (official
 * example 1 writes such a debit as 256.67). If nobody is named, or both parties and neither is the account, the
 * amount stays as sent and the row is marked; in the second case the result is undefined.
 */
function isDebit(row: TransactionRow, sent: string, parties: Parties, list: ListState): boolean | undefined {
  const { amount = '' } = row;
  if (list.debitsPositive === true) {
    row.amount = negated(amount);
    return !amount.startsWith('-');
  }
  if (amount.startsWith('-')) {
    list.signed = row.bookingStatus;
    return true;
  }
  if (row.bookingStatus !== undefined && list.signed === row.bookingStatus) return false;
  if (sent.startsWith('+') || list.debitsPositive === false) return false;
  return isDebitByParties(row, amount, parties);
}

function isDebitByParties(row: TransactionRow, amount: string, parties: Parties): boolean | undefined {
  const { creditorName, creditorAccount, debtorName, debtorAccount, creditorId } = parties;
  const { ownIsCreditor, ownIsDebtor } = parties;
  const isCreditorNamed = (creditorName ?? creditorAccount) !== undefined;
  const isDebtorNamed = (debtorName ?? debtorAccount) !== undefined;
  // Of a transfer between two spellings of the account itself no side can be told either.
  if (isDebtorNamed && isCreditorNamed && ownIsCreditor === ownIsDebtor) {
    mark(row, 'sign-unknown');
    return undefined;
  }
  if (ownIsCreditor) return false;
  if (!ownIsDebtor && isDebtorNamed) return false;
  if (ownIsDebtor || isCreditorNamed || creditorId !== undefined) {
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
  const creditor = (creditorAccount ?? creditorName) !== undefined && !parties.ownIsCreditor;
  const debtor = (debtorAccount ?? debtorName) !== undefined && !parties.ownIsDebtor;
  if (!creditor && !debtor) return;
  if (debit === undefined && creditor && debtor) {
    const sides = { creditorName, creditorAccount, debtorName, debtorAccount };
    for (const [side, told] of Object.entries(sides)) if (told !== undefined) keep(row, `${side} ${told}`);
    return;
  }
  const useCreditor = creditor && (debit === true || !debtor);
  const name = useCreditor ? creditorName : debtorName;
  const account = useCreditor ? creditorAccount : debtorAccount;
  const agent = agentOf(useCreditor ? entry.creditorAgent : entry.debtorAgent);
  if (name !== undefined) row.counterpartyName = name;
  if (account !== undefined) row.counterpartyAccount = account;
  if (agent !== undefined) row.counterpartyAgent = agent;
}

function setReferences(row: TransactionRow, entry: Members): void {
  const unstructured =
    together(
      joinedText(entry.remittanceInformationUnstructured),
      joinedText(entry.remittanceInformationUnstructuredArray),
    ) ?? text(entry.transactionDetails);
  if (unstructured !== undefined) row.remittanceInformationUnstructured = unstructured;
  const structured =
    joinedText(entry.remittanceInformationStructured) ??
    joinedText(entry.remittanceInformationStructuredArray);
  if (structured !== undefined) row.remittanceInformationStructured = structured;
  const type = typesOf(entry.remittanceInformationStructured ?? entry.remittanceInformationStructuredArray);
  if (type !== undefined) row.creditorReferenceType = type;
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

/** A text and a list of texts, of which one mostly holds the other. */
function together(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined || one === other) return one ?? other;
  if (one.includes(other)) return one;
  return other.includes(one) ? other : `${one} ${other}`;
}

/** The types of structured references, such as SCOR. */
function typesOf(value: unknown): string | undefined {
  if (value === undefined || typeof value === 'string') return undefined;
  const references: unknown[] = Array.isArray(value) ? value : [value];
  return joinedText(references.map((each) => text(membersOf(each).referenceType)));
}

function setMore(row: TransactionRow, entry: Members): void {
  const [forDebtor, forCreditor] = [text(entry.ultimateDebtor), text(entry.ultimateCreditor)];
  if (forDebtor !== undefined) row.ultimateDebtor = forDebtor;
  if (forCreditor !== undefined) row.ultimateCreditor = forCreditor;
  setFurtherAmounts(row, entry, setExchange(row, entry.currencyExchange ?? entry.exchangeRate));
  const maskedPan = text(entry.maskedPAN) ?? text(entry.maskedPan);
  if (maskedPan !== undefined) row.maskedPan = maskedPan;
  const category = text(entry.merchantCategoryCode);
  if (category !== undefined) row.merchantCategoryCode = category;
  const size = Number(text(entry.batchNumberOfTransactions) ?? 0);
  if (Number.isSafeInteger(size) && size > 1) row.batchSize = size;
}

function setFurtherAmounts(row: TransactionRow, entry: Members, exchange: Members): void {
  const original =
    money(row, 'originalAmount', entry.originalAmount) ??
    money(row, 'instructedAmount', exchange.instructedAmount);
  if (original !== undefined) [row.originalAmount, row.originalCurrency] = original;
  const fee = money(row, 'markupFee', entry.markupFee);
  if (fee !== undefined) [row.chargesAmount, row.chargesCurrency] = fee;
  const after = entry.balanceAfterTransaction;
  const balance =
    after === undefined
      ? undefined
      : money(row, 'balanceAfterTransaction', membersOf(after).balanceAmount ?? after);
  if (balance !== undefined) [row.balanceAfter, row.balanceAfterCurrency] = balance;
}

/** Sets the first exchange of an amount, keeps the further ones, and returns the first. */
function setExchange(row: TransactionRow, sent: unknown): Members {
  if (sent === undefined) return {};
  const [first, ...more] = (Array.isArray(sent) ? (sent as unknown[]) : [sent]).map(exchangeOf);
  if (first === undefined) return {};
  const { rate, source, target, unit } = first;
  if (rate !== undefined) row.exchangeRate = rate;
  if (source !== undefined) row.exchangeSourceCurrency = source;
  if (target !== undefined) row.exchangeTargetCurrency = target;
  if (unit !== undefined) row.exchangeUnitCurrency = unit;
  const others = joinedText(more.flatMap((each) => [each.source, each.rate, each.target]));
  if (others !== undefined) keep(row, others);
  return first.members;
}

/** One exchange, whose members the first releases name otherwise. */
function exchangeOf(value: unknown) {
  const members = membersOf(value);
  return {
    members,
    rate: text(members.exchangeRate) ?? text(members.rate) ?? text(members.rateFrom),
    source: text(members.sourceCurrency) ?? text(members.currencyFrom),
    target: text(members.targetCurrency) ?? text(members.currencyTo),
    unit: text(members.unitCurrency),
  };
}

/** Returns an amount and its currency; one that cannot be read is marked and kept. */
function money(row: TransactionRow, name: string, value: unknown): [string, string] | undefined {
  if (value === undefined || value === null) return undefined;
  const { amount, currency } = membersOf(value);
  const unit = text(currency) ?? '';
  const sent = text(amount) ?? text(value) ?? '';
  const found = reportAmount(sent, unit);
  if (found !== undefined && unit !== '') return [found, unit];
  mark(row, 'other-amount-malformed');
  keepAmount(row, [name, sent, unit].filter(Boolean).join(' '));
  return undefined;
}
