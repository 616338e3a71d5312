/** One entry of a camt report as rows. Source: ISO 20022 camt.052, .053, .054 versions 02 to 08, Ntry. */
import { formatMinor, parseAmount } from './amount.ts';
import { checkDays, mark, negated, reportAmount, setAmount, setDay } from './report-values.ts';
import type { RowStatus, TransactionRow } from './transaction-row.ts';
import type { XmlNode } from './xml-scan.ts';

/** Returns the first element at a path of local names. */
export function at(node: XmlNode | undefined, ...path: readonly string[]): XmlNode | undefined {
  let found = node;
  for (const name of path) {
    if (found === undefined) return undefined;
    found = childOf(found, name);
  }
  return found;
}

function childOf({ children }: XmlNode, name: string): XmlNode | undefined {
  for (const child of children) if (child.name === name) return child;
  return undefined;
}

/** Returns the text at a path without blanks around it; undefined where there is none. */
export function textAt(node: XmlNode | undefined, ...path: readonly string[]): string | undefined {
  const text = at(node, ...path)?.text.trim();
  return text === '' ? undefined : text;
}

const all = (node: XmlNode | undefined, name: string): XmlNode[] =>
  node?.children.filter((child) => child.name === name) ?? [];

/** Returns the number of an account: its IBAN, or another identification. */
export function accountAt(account: XmlNode | undefined): string | undefined {
  // Version 01 has the last three.
  return (
    textAt(account, 'Id', 'IBAN') ??
    textAt(account, 'Id', 'Othr', 'Id') ??
    textAt(account, 'Id', 'BBAN') ??
    textAt(account, 'Id', 'UPIC') ??
    textAt(account, 'Id', 'PrtryAcct', 'Id')
  );
}

/** Returns the day of a choice of Dt and DtTm. */
export const dayAt = (node: XmlNode | undefined): string | undefined =>
  textAt(node, 'Dt') ?? textAt(node, 'DtTm');

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
  /** In a statement (camt.053) everything is booked. */
  readonly statement: boolean;
  readonly position: number;
}

/**
 * Makes the rows of an entry: one for each of its transactions where their amounts add up to that of the entry, else
 * one for all. The sign is that of CdtDbtInd: in a reversal too it says which way this entry goes.
 */
export function entryRows(entry: XmlNode, place: EntryPlace): TransactionRow[] {
  // Version 01 has the details without a group around them.
  const details = [entry, ...all(entry, 'NtryDtls')].flatMap((part) => all(part, 'TxDtls'));
  const batch = at(entry, 'NtryDtls', 'Btch') ?? at(entry, 'Btch');
  if (details.length <= 1) {
    const told = Number(textAt(batch, 'NbOfTxs') ?? 0);
    const several = Number.isSafeInteger(told) && told > 1;
    const [detail] = details;
    const oneOfThem = several && detail !== undefined && !isWhole(entry, partAmount(entry, detail));
    const row = rowOf(entry, oneOfThem ? undefined : detail, place);
    if (several) row.batchSize = told;
    if (oneOfThem) mark(row, 'batch-not-split');
    if (batch !== undefined)
      setText(row, 'batchReference', textAt(batch, 'PmtInfId') ?? textAt(batch, 'MsgId'));
    return [row];
  }
  const whole = rowOf(entry, undefined, place);
  whole.batchSize = details.length;
  setText(
    whole,
    'batchReference',
    textAt(batch, 'PmtInfId') ?? textAt(batch, 'MsgId') ?? whole.transactionId,
  );
  const parts = details.map((detail) => rowOf(entry, detail, place, partAmount(entry, detail)));
  if (!addUp(parts, whole)) {
    mark(whole, 'batch-not-split');
    return [whole];
  }
  for (const [index, part] of parts.entries()) {
    part.batchSize = whole.batchSize;
    part.batchPosition = index + 1;
    if (whole.amount !== undefined) part.batchAmount = whole.amount;
    setText(part, 'batchReference', whole.batchReference);
  }
  return parts;
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

function addUp(parts: readonly TransactionRow[], { amount, currency }: TransactionRow): boolean {
  if (amount === undefined || currency === undefined) return false;
  const minors = [amount, ...parts.map((part) => part.amount ?? '')].map((text) =>
    parseAmount(text, currency),
  );
  let rest = 0n;
  for (const [index, minor] of minors.entries()) {
    if (!minor.ok) return false;
    rest += index === 0 ? minor.value.minor : -minor.value.minor;
  }
  return rest === 0n;
}

const currencyOf = (amount: XmlNode | undefined): string => amount?.attributes.get('Ccy') ?? '';

function rowOf(
  entry: XmlNode,
  detail: XmlNode | undefined,
  place: EntryPlace,
  amount = at(entry, 'Amt'),
): TransactionRow {
  const row: TransactionRow = { position: place.position };
  if (place.account !== undefined) row.account = place.account;
  const sent = textAt(entry, 'Sts') ?? textAt(entry, 'Sts', 'Cd') ?? (place.statement ? 'BOOK' : '');
  const status = statuses.get(sent);
  if (status === undefined) mark(row, 'status-unknown');
  else row.bookingStatus = status;
  setDay(row, 'bookingDate', dayAt(at(entry, 'BookgDt')));
  setDay(row, 'valueDate', dayAt(at(entry, 'ValDt')));
  setDay(
    row,
    'transactionDate',
    textAt(detail, 'RltdDts', 'TxDtTm') ?? textAt(detail, 'RltdDts', 'AccptncDtTm'),
  );
  checkDays(row);
  // The word beside the amount counts: a detail may say which way the original went that its entry takes back.
  const isPart = amount !== at(entry, 'Amt');
  const [first, second] = isPart ? [detail, entry] : [entry, detail];
  const direction = textAt(first, 'CdtDbtInd') ?? textAt(second, 'CdtDbtInd');
  setAmount(row, amount?.text.trim(), currencyOf(amount), direction === 'DBIT' ? 'debit' : 'credit');
  if (direction !== 'DBIT' && direction !== 'CRDT') mark(row, 'sign-unknown');
  if (/^(true|1)$/.test(textAt(entry, 'RvslInd') ?? '')) row.reversal = true;
  // A reversal names the parties as the original had them, so it is the other one that matters.
  partiesOf(row, detail, place.owner, (direction === 'DBIT') !== (row.reversal === true));
  referencesOf(row, entry, detail);
  moneyOf(row, isPart ? undefined : entry, detail);
  return row;
}

type Texts = {
  [K in keyof TransactionRow]-?: string extends NonNullable<TransactionRow[K]> ? K : never;
}[keyof TransactionRow];

function setText(row: TransactionRow, name: Texts, text: string | undefined): void {
  if (text !== undefined) row[name] = text;
}

/** The name of a party, or else its identification; later versions have a further element around them. */
function partyAt(node: XmlNode | undefined): string | undefined {
  const party = at(node, 'Pty') ?? node;
  const id = at(party, 'Id', 'OrgId') ?? at(party, 'Id', 'PrvtId');
  const codes = ['LEI', 'AnyBIC', 'BICOrBEI'].map((name) => textAt(id, name));
  return textAt(party, 'Nm') ?? codes.find((code) => code !== undefined) ?? textAt(id, 'Othr', 'Id');
}

/** Names the party on the other side: not the account itself, nor its owner by name where no account is given. */
function partiesOf(
  row: TransactionRow,
  detail: XmlNode | undefined,
  owner: string | undefined,
  toCreditor: boolean,
): void {
  const parties = at(detail, 'RltdPties');
  if (parties === undefined) return;
  setText(row, 'ultimateDebtor', partyAt(at(parties, 'UltmtDbtr')));
  setText(row, 'ultimateCreditor', partyAt(at(parties, 'UltmtCdtr')));
  const sides = toCreditor ? (['Cdtr', 'Dbtr'] as const) : (['Dbtr', 'Cdtr'] as const);
  const nameOf = (party: XmlNode | undefined): string | undefined =>
    textAt(party, 'Nm') ?? textAt(party, 'Pty', 'Nm');
  const side = sides.find((name) => {
    const account = accountAt(at(parties, `${name}Acct`));
    if (account !== undefined) return account !== row.account;
    const party = at(parties, name);
    return party !== undefined && (owner === undefined || nameOf(party) !== owner);
  });
  if (side === undefined) return;
  setText(row, 'counterpartyName', nameOf(at(parties, side)) ?? nameOf(at(parties, `Ultmt${side}`)));
  setText(row, 'counterpartyAccount', accountAt(at(parties, `${side}Acct`)));
  const agent = at(detail, 'RltdAgts', `${side}Agt`, 'FinInstnId');
  setText(row, 'counterpartyAgent', textAt(agent, 'BICFI') ?? textAt(agent, 'BIC'));
  const creditor = at(parties, 'Cdtr');
  const id = at(creditor, 'Id', 'PrvtId', 'Othr') ?? at(creditor, 'Pty', 'Id', 'PrvtId', 'Othr');
  setText(row, 'creditorId', textAt(id, 'Id'));
}

function referencesOf(row: TransactionRow, entry: XmlNode, detail: XmlNode | undefined): void {
  const references = at(detail, 'Refs');
  const information = at(detail, 'RmtInf');
  const lines = all(information, 'Ustrd').map(({ text }) => text.trim());
  const structured = all(information, 'Strd');
  setText(row, 'remittanceInformationUnstructured', joined(lines));
  const creditors = structured.map((part) => at(part, 'CdtrRefInf'));
  setText(row, 'remittanceInformationStructured', joined(creditors.map((part) => textAt(part, 'Ref'))));
  setText(row, 'creditorReferenceType', joined(creditors.map(referenceType)));
  setText(row, 'referredDocuments', joined(structured.flatMap(documentsOf), ', '));
  const more = structured.flatMap((part) => all(part, 'AddtlRmtInf').map(({ text }) => text.trim()));
  setText(row, 'additionalRemittanceInformation', joined(more));
  setText(
    row,
    'additionalInformation',
    joined([textAt(entry, 'AddtlNtryInf'), textAt(detail, 'AddtlTxInf')]),
  );
  setText(row, 'endToEndId', textAt(references, 'EndToEndId'));
  setText(row, 'mandateId', textAt(references, 'MndtId'));
  setText(row, 'checkId', textAt(references, 'ChqNb'));
  setText(row, 'entryReference', textAt(entry, 'NtryRef'));
  setText(
    row,
    'transactionId',
    textAt(references, 'AcctSvcrRef') ?? textAt(entry, 'AcctSvcrRef') ?? textAt(references, 'TxId'),
  );
  setText(row, 'purposeCode', textAt(detail, 'Purp', 'Cd') ?? textAt(detail, 'Purp', 'Prtry'));
  setText(
    row,
    'returnReason',
    textAt(detail, 'RtrInf', 'Rsn', 'Cd') ?? textAt(detail, 'RtrInf', 'Rsn', 'Prtry'),
  );
  const code = at(detail, 'BkTxCd') ?? at(entry, 'BkTxCd');
  const domain = at(code, 'Domn');
  const words = [textAt(domain, 'Cd'), textAt(domain, 'Fmly', 'Cd'), textAt(domain, 'Fmly', 'SubFmlyCd')];
  // A bank that has no further word writes NTAV or nothing.
  const known = words.indexOf(undefined);
  setText(row, 'bankTransactionCode', joined(known < 0 ? words : words.slice(0, known), '-'));
  setText(row, 'proprietaryBankTransactionCode', textAt(code, 'Prtry', 'Cd'));
  const card = at(entry, 'CardTx', 'Card') ?? at(detail, 'CardTx', 'Card');
  setText(row, 'maskedPan', textAt(card, 'MskdPAN'));
}

/** The type of a reference: SCOR of ISO 11649, or the bank's own, such as QRR. */
const referenceType = (part: XmlNode | undefined): string | undefined =>
  textAt(part, 'Tp', 'CdOrPrtry', 'Cd') ?? textAt(part, 'Tp', 'CdOrPrtry', 'Prtry');

/** The documents that are paid, each with its type, number, day and amounts. */
function documentsOf(part: XmlNode): (string | undefined)[] {
  const documents = all(part, 'RfrdDocInf').map((one) => {
    const type = at(one, 'Tp', 'CdOrPrtry') ?? at(one, 'Tp');
    return joined([
      textAt(type, 'Cd') ?? textAt(type, 'Prtry'),
      textAt(one, 'Nb'),
      textAt(one, 'RltdDt', 'Dt') ?? textAt(one, 'RltdDt'),
    ]);
  });
  const amounts = (at(part, 'RfrdDocAmt')?.children ?? []).map((one) => {
    const amount = one.name.endsWith('Amt') && at(one, 'Amt') !== undefined ? at(one, 'Amt') : one;
    return joined([one.name, amount?.text.trim(), currencyOf(amount)]);
  });
  return [...documents, ...amounts];
}

function joined(texts: readonly (string | undefined)[], by = ' '): string | undefined {
  const found = texts.filter((text) => text !== undefined && text !== '');
  return found.length === 0 ? undefined : found.join(by);
}

/** Amounts beside that of the row; those of a whole batch belong to none of its parts. */
function moneyOf(row: TransactionRow, entry: XmlNode | undefined, detail: XmlNode | undefined): void {
  const amounts = at(detail, 'AmtDtls') ?? at(entry, 'AmtDtls');
  for (const name of ['InstdAmt', 'CntrValAmt', 'TxAmt']) {
    const part = at(amounts, name);
    const currency = currencyOf(at(part, 'Amt'));
    const amount = reportAmount(textAt(part, 'Amt') ?? '', currency);
    row.exchangeRate ??= textAt(part, 'CcyXchg', 'XchgRate');
    if (amount === undefined || currency === row.currency || row.originalAmount !== undefined) continue;
    row.originalAmount = amount;
    row.originalCurrency = currency;
  }
  if (row.exchangeRate === undefined) delete row.exchangeRate;
  const charged = chargesOf(detail) ?? chargesOf(entry);
  if (charged === undefined) return;
  row.chargesAmount = charged.amount;
  row.chargesCurrency = charged.currency;
}

/** The charges of an entry or a detail: their total, else all of them together where they can be added. */
function chargesOf(node: XmlNode | undefined): { amount: string; currency: string } | undefined {
  const charges = all(node, 'Chrgs');
  const total = charges.length === 1 ? at(charges[0], 'TtlChrgsAndTaxAmt') : undefined;
  // Version 02 has an amount in each Chrgs, later ones have records.
  const records = charges.flatMap((one) => [one, ...all(one, 'Rcrd')]).filter((one) => at(one, 'Amt'));
  const amounts = total === undefined ? records.map((one) => at(one, 'Amt')) : [total];
  const currency = currencyOf(amounts[0]);
  const [first, ...others] = amounts.map((amount) =>
    currencyOf(amount) === currency ? reportAmount(amount?.text.trim() ?? '', currency) : undefined,
  );
  if (first === undefined) return undefined;
  if (others.length === 0) return { amount: first, currency };
  let minor = 0n;
  for (const amount of [first, ...others]) {
    const parsed = parseAmount(amount ?? '', currency);
    if (!parsed.ok) return undefined;
    minor += parsed.value.minor;
  }
  // In a sum without signs an amount paid back could not be told from one that was charged.
  const given = records.some((one) => textAt(one, 'CdtDbtInd') === 'CRDT');
  return given ? undefined : { amount: formatMinor(minor, currency), currency };
}

/** The amount of an element signed by its CdtDbtInd; without that it stands as it was sent. */
export interface SignedAmount {
  readonly amount: string;
  readonly currency: string;
  readonly signUnknown: boolean;
}

/** Returns the amount of an element and its currency; undefined where it is none. */
export function signedAmountAt(node: XmlNode): SignedAmount | undefined {
  const sent = at(node, 'Amt');
  const direction = textAt(node, 'CdtDbtInd');
  const currency = currencyOf(sent);
  const amount = reportAmount(sent?.text.trim() ?? '', currency);
  if (amount === undefined || amount.startsWith('-') || !/^[A-Z]{3}$/.test(currency)) return undefined;
  const signUnknown = direction !== 'DBIT' && direction !== 'CRDT';
  return { amount: direction === 'DBIT' ? negated(amount) : amount, currency, signUnknown };
}
