/** One entry of a camt report as rows. Source: ISO 20022 camt.052, .053, .054 versions 01 to 13, Ntry. */
import { setMoney } from './camt-money.ts';
import { all, at, child, currencyOf, textAt } from './camt-node.ts';
import { dayAt, transactionDayAt } from './camt-dates.ts';
import { keepOthers } from './camt-others.ts';
import { setParties } from './camt-parties.ts';
import { setText, setTexts } from './camt-texts.ts';
import { addUp } from '../rows/batch.ts';
import { newRow } from '../rows/transaction-row.ts';
import type { ReportProblem } from '../rows/report-reader.ts';
import { keepSent, mark, negated, reportAmount, setAmount } from '../rows/report-values.ts';
import { checkDays, setDay } from '../rows/report-dates.ts';
import type { RowStatus, TransactionRow } from '../rows/transaction-row.ts';
import type { XmlNode } from '../xml/xml-scan.ts';

const statuses = new Map<string, RowStatus>([
  ['BOOK', 'booked'],
  ['PDNG', 'pending'],
  ['FUTR', 'pending'],
  ['INFO', 'information'],
]);

/** Where an entry stands: the account, the kind of report, and its number in the report. */
export interface EntryPlace {
  readonly account: string | undefined;
  /** The bank that keeps the account, where the report names it. */
  readonly owner: string | undefined;
  /** The currency of the account, for an amount that names none. */
  readonly currency: string | undefined;
  /** In a statement (camt.053) everything is booked. */
  readonly statement: boolean;
  readonly position: number;
  /** Takes what a batch says of itself and does not hold. */
  readonly tell: (problem: ReportProblem) => void;
}

/** One transaction of an entry, and what its group says of all of them together. */
interface Part {
  readonly detail: XmlNode;
  readonly batch: XmlNode | undefined;
}

/**
 * Makes the rows of an entry: one for each of its transactions where their amounts add up to that of the entry, else
 * one for all. The sign is that of CdtDbtInd: in a reversal too it says which way this entry goes.
 */
export function entryRows(entry: XmlNode, place: EntryPlace): TransactionRow[] {
  const single = singleDetail(entry);
  if (single !== undefined) return [rowOf(entry, single, place)];
  // Version 01 has the details without a group around them.
  const groups = [entry, ...all(entry, 'NtryDtls')];
  const parts = groups.flatMap((group): Part[] => {
    const batch = at(group, 'Btch');
    return all(group, 'TxDtls').map((detail) => ({ detail, batch }));
  });
  const batches = groups.flatMap((group) => all(group, 'Btch'));
  return parts.length <= 1
    ? [singleRow(entry, parts[0]?.detail, batches, place)]
    : partRows(entry, parts, batches, place);
}

/** The transaction of an entry that has one and no batch, as nearly all have. */
function singleDetail(entry: XmlNode): XmlNode | undefined {
  let group: XmlNode | undefined;
  for (let one = entry.first; one !== undefined; one = one.next) {
    if (one.name === 'Btch' || one.name === 'TxDtls' || (one.name === 'NtryDtls' && group !== undefined))
      return undefined;
    if (one.name === 'NtryDtls') group = one;
  }
  const detail = group?.first;
  return detail?.name === 'TxDtls' && detail.next === undefined ? detail : undefined;
}

function singleRow(
  entry: XmlNode,
  detail: XmlNode | undefined,
  batches: readonly XmlNode[],
  place: EntryPlace,
): TransactionRow {
  const told = toldSize(batches) ?? 0;
  const several = told > 1;
  const oneOfThem = several && detail !== undefined && !isWhole(entry, partAmount(entry, detail));
  const row = rowOf(entry, oneOfThem ? undefined : detail, place);
  if (several) row.batchSize = told;
  if (oneOfThem) mark(row, 'batch-not-split');
  setBatch(row, batches[0]);
  const [sum, ...others] = batches;
  if (sum !== undefined && others.length === 0) setText(row, 'batchAmount', signedSum(entry, sum));
  return row;
}

function partRows(
  entry: XmlNode,
  parts: readonly Part[],
  batches: readonly XmlNode[],
  place: EntryPlace,
): TransactionRow[] {
  const whole = rowOf(entry, undefined, place);
  const told = toldSize(batches);
  whole.batchSize = parts.length;
  setBatch(whole, batches[0]);
  whole.batchReference ??= whole.transactionId ?? '';
  if (whole.batchReference === '') delete whole.batchReference;
  const rows = parts.map(({ detail, batch }) => {
    const row = rowOf(entry, detail, place, partAmount(entry, detail));
    setBatch(row, batch);
    return row;
  });
  const name = whole.batchReference === undefined ? '' : ` ${JSON.stringify(whole.batchReference)}`;
  if (told !== undefined && told !== parts.length) {
    const detail = `the batch${name} announces ${String(told)} transactions and has ${String(parts.length)}`;
    place.tell({ code: 'count-differs', detail });
    whole.batchSize = Math.max(told, parts.length);
  }
  const sum = batches.length === 1 && batches[0] !== undefined ? signedSum(entry, batches[0]) : undefined;
  if (sum !== undefined && !addUp(rows, { ...whole, amount: sum })) {
    const detail = `the batch${name} announces ${sum} ${whole.currency ?? ''}, to which its transactions do not add up`;
    place.tell({ code: 'sum-differs', detail });
  }
  if (!addUp(rows, whole)) {
    mark(whole, 'batch-not-split');
    setText(whole, 'batchAmount', sum);
    return [whole];
  }
  for (const [index, row] of rows.entries()) {
    row.batchSize = whole.batchSize;
    row.batchPosition = index + 1;
    if (whole.amount !== undefined) row.batchAmount = whole.amount;
    if (row.batchReference === undefined) setText(row, 'batchReference', whole.batchReference);
  }
  return rows;
}

/** How many transactions the groups announce together; undefined where one of them does not say it. */
function toldSize(batches: readonly XmlNode[]): number | undefined {
  let size = 0;
  for (const batch of batches) {
    const told = textAt(batch, 'NbOfTxs');
    if (told === undefined || !/^[0-9]{1,15}$/.test(told)) return undefined;
    size += Number(told);
  }
  return batches.length === 0 ? undefined : size;
}

function setBatch(row: TransactionRow, batch: XmlNode | undefined): void {
  if (batch === undefined) return;
  const message = textAt(batch, 'MsgId');
  setText(row, 'batchReference', textAt(batch, 'PmtInfId') ?? message);
  setText(row, 'batchMessageId', message);
}

/** The sum that a batch announces, in the currency of its entry and with its direction. */
function signedSum(entry: XmlNode, batch: XmlNode): string | undefined {
  const sent = at(batch, 'TtlAmt');
  const currency = currencyOf(sent);
  if (sent === undefined || currency !== currencyOf(at(entry, 'Amt'))) return undefined;
  const amount = reportAmount(sent.text.trim(), currency);
  if (amount === undefined || amount.startsWith('-')) return undefined;
  const direction = textAt(batch, 'CdtDbtInd') ?? textAt(entry, 'CdtDbtInd');
  return direction === 'DBIT' ? negated(amount) : amount;
}

/** The amount of one transaction of several: its own, else that of its details. */
function partAmount(entry: XmlNode, detail: XmlNode): XmlNode | undefined {
  const currency = currencyOf(at(entry, 'Amt'));
  const candidates = [
    at(detail, 'Amt'),
    at(detail, 'AmtDtls', 'TxAmt', 'Amt'),
    at(detail, 'AmtDtls', 'InstdAmt', 'Amt'),
  ];
  return candidates.find((amount) => amount !== undefined && currencyOf(amount) === currency);
}

/** Whether a part is the whole amount of the entry; one without an amount of its own is taken for it. */
function isWhole(entry: XmlNode, part: XmlNode | undefined): boolean {
  const currency = currencyOf(at(entry, 'Amt'));
  return (
    part === undefined ||
    reportAmount(part.text.trim(), currency) === reportAmount(textAt(entry, 'Amt') ?? '', currency)
  );
}

function rowOf(
  entry: XmlNode,
  detail: XmlNode | undefined,
  place: EntryPlace,
  amount = at(entry, 'Amt'),
): TransactionRow {
  const row = newRow(place.position);
  if (place.account !== undefined) row.account = place.account;
  const stated = textAt(entry, 'Sts') ?? textAt(entry, 'Sts', 'Cd');
  // A status of the bank's own is not silently taken for the one that a statement has.
  const sent = stated ?? (place.statement && at(entry, 'Sts', 'Prtry') === undefined ? 'BOOK' : '');
  const status = statuses.get(sent);
  if (status === undefined) {
    mark(row, 'status-unknown');
    const own = sent === '' ? textAt(entry, 'Sts', 'Prtry') : sent;
    if (own !== undefined) keepSent(row, `bookingStatus ${own}`);
  } else row.bookingStatus = status;
  setDay(row, 'bookingDate', dayAt(at(entry, 'BookgDt')));
  setDay(row, 'valueDate', dayAt(at(entry, 'ValDt')));
  setDay(row, 'transactionDate', transactionDayAt(child(detail, 'RltdDts')));
  checkDays(row);
  // The word beside the amount counts: a detail may say which way the original went that its entry takes back.
  const isPart = amount !== at(entry, 'Amt');
  const [first, second] = isPart ? [detail, entry] : [entry, detail];
  const told = textAt(first, 'CdtDbtInd') ?? textAt(second, 'CdtDbtInd');
  const direction = told?.toUpperCase();
  const currency = currencyOf(amount) || (place.currency ?? '');
  setAmount(row, amount?.text.trim(), currency, direction === 'DBIT' ? 'debit' : 'credit');
  if (direction !== 'DBIT' && direction !== 'CRDT') {
    mark(row, 'sign-unknown');
    delete row.direction;
    if (told !== undefined) keepSent(row, `direction ${told}`);
  }
  if (/^(true|1)$/.test(textAt(entry, 'RvslInd') ?? '')) row.reversal = true;
  // A reversal names the parties as the original had them, so it is the other one that matters.
  setParties(row, detail, place.owner, (direction === 'DBIT') !== (row.reversal === true));
  setTexts(row, entry, detail);
  const whole = isPart ? undefined : entry;
  setMoney(row, whole, detail);
  keepOthers(row, whole, detail);
  return row;
}
