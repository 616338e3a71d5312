/** The references, texts and codes of an entry of camt as columns of its row. */
import { bankTransactionWords } from '../rows/bank-transaction-codes.ts';
import { all, at, child, childText, codeAt, currencyOf, joined, textAt, textOf } from './camt-node.ts';
import { setBusinessCode } from '../rows/german-codes.ts';
import type { TransactionRow } from '../rows/transaction-row.ts';
import type { XmlNode } from '../xml/xml-scan.ts';

type Texts = {
  [K in keyof TransactionRow]-?: string extends NonNullable<TransactionRow[K]> ? K : never;
}[keyof TransactionRow];

/** Puts a text into a column where there is one. */
export function setText(row: TransactionRow, name: Texts, text: string | undefined): void {
  if (text !== undefined) row[name] = text;
}

/** Keeps what has no column of its own. */
function keep(row: TransactionRow, ...texts: readonly (string | undefined)[]): void {
  setText(row, 'otherInformation', joined([row.otherInformation, ...texts]));
}

/** Sets the references, what is paid, the texts and the codes. */
export function setTexts(row: TransactionRow, entry: XmlNode, detail: XmlNode | undefined): void {
  const references = child(detail, 'Refs');
  setRemittance(row, child(detail, 'RmtInf'));
  const [ofEntry, ofDetail] = [childText(entry, 'AddtlNtryInf'), childText(detail, 'AddtlTxInf')];
  setText(row, 'additionalInformation', ofDetail === undefined ? ofEntry : joined([ofEntry, ofDetail]));
  const endToEndId = childText(references, 'EndToEndId');
  if (endToEndId !== undefined) row.endToEndId = endToEndId;
  const mandateId = childText(references, 'MndtId');
  if (mandateId !== undefined) row.mandateId = mandateId;
  const entryReference = childText(entry, 'NtryRef');
  if (entryReference !== undefined) row.entryReference = entryReference;
  const ofBank = childText(entry, 'AcctSvcrRef');
  const transactionId = childText(references, 'AcctSvcrRef') ?? ofBank ?? childText(references, 'TxId');
  if (transactionId !== undefined) row.transactionId = transactionId;
  setText(row, 'checkId', childText(references, 'ChqNb'));
  setText(row, 'purposeCode', codeAt(child(detail, 'Purp')));
  const returned = child(detail, 'RtrInf');
  if (returned !== undefined) {
    setText(row, 'returnReason', codeAt(child(returned, 'Rsn')));
    keep(row, ...all(returned, 'AddtlInf').map(({ text }) => text.trim()));
  }
  // That of the entry, which its transactions have beside their own.
  if (ofBank !== undefined && ofBank !== transactionId) keep(row, `AcctSvcrRef ${ofBank}`);
  const elsewhere = child(entry, 'AddtlInfInd');
  if (elsewhere !== undefined) keep(row, childText(elsewhere, 'MsgNmId'), childText(elsewhere, 'MsgId'));
  setFurtherReferences(row, references);
  setCodes(row, child(detail, 'BkTxCd') ?? child(entry, 'BkTxCd'));
  const card = at(entry, 'CardTx', 'Card') ?? at(detail, 'CardTx', 'Card');
  setText(row, 'maskedPan', textAt(card, 'MskdPAN'));
}

/** The references that have a column. */
const inColumns: ReadonlySet<string> = new Set(['EndToEndId', 'MndtId', 'AcctSvcrRef', 'ChqNb']);

/** Keeps the references that have no column under their names; those of the bank's own under their types. */
function setFurtherReferences(row: TransactionRow, references: XmlNode | undefined): void {
  let found: (string | undefined)[] | undefined;
  for (let one = references?.first; one !== undefined; one = one.next) {
    if (inColumns.has(one.name)) continue;
    const text = textOf(one);
    if (one.name === 'Prtry') (found ??= []).push(joined([textAt(one, 'Tp'), textAt(one, 'Ref')]));
    else if (
      text !== undefined &&
      text !== 'NOTPROVIDED' &&
      (one.name !== 'TxId' || text !== row.transactionId)
    )
      (found ??= []).push(`${one.name} ${text}`);
  }
  if (found !== undefined) keep(row, ...found);
}

function setCodes(row: TransactionRow, code: XmlNode | undefined): void {
  const domain = child(code, 'Domn');
  const family = child(domain, 'Fmly');
  const [first, second, third] = [
    childText(domain, 'Cd'),
    childText(family, 'Cd'),
    childText(family, 'SubFmlyCd'),
  ];
  // A bank that has no further word writes NTAV or nothing.
  if (first !== undefined) {
    const rest = second === undefined ? '' : third === undefined ? `-${second}` : `-${second}-${third}`;
    row.bankTransactionCode = first + rest;
    setText(row, 'bankTransactionText', bankTransactionWords(row.bankTransactionCode));
  }
  const own = child(code, 'Prtry');
  setText(row, 'proprietaryBankTransactionCode', childText(own, 'Cd'));
  const issuer = childText(own, 'Issr');
  setText(row, 'proprietaryBankTransactionCodeIssuer', issuer);
  const business = /^(?:[A-Z0-9]{4}\+)?([0-9]{3})(?:\+|$)/.exec(row.proprietaryBankTransactionCode ?? '');
  setBusinessCode(row, business?.[1], issuer === 'DK' || issuer === 'ZKA');
}

/** What is paid. Version 01 names the parts of the structured form otherwise. */
function setRemittance(row: TransactionRow, information: XmlNode | undefined): void {
  if (information === undefined) return;
  const lines = all(information, 'Ustrd');
  const text = lines.length === 1 ? textOf(lines[0]) : joined(lines.map((line) => line.text.trim()));
  if (text !== undefined) row.remittanceInformationUnstructured = text;
  const structured = all(information, 'Strd');
  if (structured.length === 0) return;
  const creditors = structured.map((part) => at(part, 'CdtrRefInf'));
  const references = creditors.map((part) => textAt(part, 'Ref') ?? textAt(part, 'CdtrRef'));
  setText(row, 'remittanceInformationStructured', joined(references));
  setText(row, 'creditorReferenceType', joined(creditors.map(referenceType)));
  setText(row, 'referredDocuments', joined(structured.flatMap(documentsOf), ', '));
  const more = structured.flatMap((part) => all(part, 'AddtlRmtInf').map(({ text }) => text.trim()));
  setText(row, 'additionalRemittanceInformation', joined(more));
}

/** The type of a reference: SCOR of ISO 11649, or the bank's own, such as QRR. */
const referenceType = (part: XmlNode | undefined): string | undefined =>
  codeAt(at(part, 'Tp', 'CdOrPrtry')) ?? codeAt(at(part, 'Tp')) ?? codeAt(at(part, 'CdtrRefTp'));

/** The documents that are paid, each with its type, number and day, and their amounts. */
function documentsOf(part: XmlNode): (string | undefined)[] {
  const documents = all(part, 'RfrdDocInf').map((one) =>
    joined([
      codeAt(at(one, 'Tp', 'CdOrPrtry')) ?? codeAt(at(one, 'Tp')) ?? codeAt(at(one, 'RfrdDocTp')),
      textAt(one, 'Nb') ?? textAt(one, 'RfrdDocNb'),
      textAt(one, 'RltdDt', 'Dt') ?? textAt(one, 'RltdDt'),
    ]),
  );
  const day = textAt(part, 'RfrdDocRltdDt');
  const amounts = all(at(part, 'RfrdDocAmt')).map((one) => {
    const amount = at(one, 'Amt') ?? one;
    const why = [
      codeAt(at(one, 'Tp')),
      textAt(one, 'CdtDbtInd'),
      textAt(one, 'Rsn'),
      textAt(one, 'AddtlInf'),
    ];
    return joined([one.name, amount.text.trim(), currencyOf(amount), ...why]);
  });
  return [...documents, day, ...amounts];
}
