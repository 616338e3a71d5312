/** Reads pain.002 (ISO 20022 CustomerPaymentStatusReport): what became of a message and of each payment in it. */
import { xmlText } from '../text/charset.ts';
import { XmlFault } from '../xml/xml-fault.ts';
import { readXml } from '../xml/xml.ts';
import type { ReadXmlOptions } from '../xml/xml.ts';
import { childOf, childrenOf, elementAt, textAt as exactTextAt } from '../xml/xml-tree.ts';
import type { XmlElement } from '../xml/xml-tree.ts';

/** Why something has its status: an ISO code or a text of the bank's own, who decided it, and what the bank adds. */
export interface StatusReason {
  readonly code?: string;
  readonly proprietary?: string;
  /** The name of the party that decided it, or its BIC. */
  readonly originator?: string;
  readonly additional: readonly string[];
}

/** An amount as written. */
interface SentAmount {
  readonly currency: string;
  readonly amount: string;
}

/** How many payments have a status, and their sum. */
export interface StatusCount {
  readonly status: string;
  readonly number?: string;
  readonly sum?: string;
}

/** What the message, or a batch, was when it was sent. */
export interface OriginalCount {
  readonly numberOfTransactions?: string;
  readonly controlSum?: string;
  readonly counts?: readonly StatusCount[];
}

/** What the bank tells of a payment besides its status and the reasons. */
export interface PaymentFacts {
  readonly statusId?: string;
  readonly charges?: readonly (SentAmount & { readonly agent?: string })[];
  readonly acceptedAt?: string;
  /** The day on which the banks settle it. */
  readonly settlementDate?: string;
  readonly bankReference?: string;
  readonly clearingReference?: string;
  /** What the bank of the creditor confirmed: the day, and the amount. */
  readonly confirmedDate?: string;
  readonly confirmedAmount?: SentAmount;
  readonly requestedExecutionDate?: string;
  readonly creditorName?: string;
  readonly creditorAccount?: string;
  readonly remittance?: string;
}

/** The status of one payment; absent members were not there. */
export interface PaymentStatusEntry extends PaymentFacts {
  readonly originalInstructionId?: string;
  readonly originalEndToEndId?: string;
  readonly originalUetr?: string;
  readonly originalPaymentInformationId?: string;
  /** In which of the batches it stands, from 0; absent where it stands beside them. */
  readonly batch?: number;
  /** The code as written (ACCP, RJCT, PDNG ...); unknown ones are possible. */
  readonly status?: string;
  readonly reasons: readonly StatusReason[];
  readonly instructedAmount?: SentAmount;
}

/** The status of one PmtInf of the message. */
export interface BatchStatus extends OriginalCount {
  readonly originalPaymentInformationId?: string;
  readonly status?: string;
  readonly reasons: readonly StatusReason[];
}

/** A status report as read; codes are as written, nothing is interpreted. */
export interface StatusReport extends OriginalCount {
  readonly messageId?: string;
  readonly createdAt?: string;
  readonly originalMessageId?: string;
  /** Such as pain.001.001.03. */
  readonly originalMessageName?: string;
  readonly groupStatus?: string;
  readonly reasons: readonly StatusReason[];
  readonly batches: readonly BatchStatus[];
  readonly payments: readonly PaymentStatusEntry[];
}

const limit = 10 * 1024 * 1024;

/**
 * Reads a pain.002 of any version, in the characters that it declares; it is held in memory, at most 10 MiB of it.
 * Throws XmlFault where it is no XML or no pain.002, and ObkError where its characters cannot be read.
 */
export function readPain002(bytes: Uint8Array, options: ReadXmlOptions = {}): StatusReport {
  const { code = 'ANSWER_UNREADABLE', maxBytes = limit } = options;
  if (bytes.length > maxBytes) throw new XmlFault(code, `it is longer than ${String(maxBytes)} bytes`);
  const root = readXml(xmlText(bytes, code), { ...options, maxBytes });
  // A namespace says less than the structure: banks leave it out, or have one of their country; some put an envelope around it.
  const report = reportIn(root);
  if (report === undefined) {
    throw new XmlFault(code, 'it is not a pain.002 document');
  }
  const group = childOf(report, 'OrgnlGrpInfAndSts');
  const batches = childrenOf(report, 'OrgnlPmtInfAndSts');
  return {
    ...optional('messageId', textAt(report, 'GrpHdr/MsgId')),
    ...optional('createdAt', textAt(report, 'GrpHdr/CreDtTm')),
    ...optional('originalMessageId', group && textAt(group, 'OrgnlMsgId')),
    ...optional('originalMessageName', group && textAt(group, 'OrgnlMsgNmId')),
    ...optional('groupStatus', group && textAt(group, 'GrpSts')),
    ...countsOf(group),
    reasons: group === undefined ? [] : reasonsOf(group),
    batches: batches.map((batch) => ({
      ...optional('originalPaymentInformationId', textAt(batch, 'OrgnlPmtInfId')),
      ...optional('status', textAt(batch, 'PmtInfSts')),
      ...countsOf(batch),
      reasons: reasonsOf(batch),
    })),
    // Older versions have the payments beside the batches.
    payments: [report, ...batches].flatMap((place, index) =>
      childrenOf(place, 'TxInfAndSts').map((entry) => ({
        ...paymentOf(entry, textAt(place, 'OrgnlPmtInfId')),
        ...(index > 0 && { batch: index - 1 }),
      })),
    ),
  };
}

const otherMessage = /^urn:iso:std:iso:20022:tech:xsd:(?!pain\.002\.|head\.|nvlp\.)/;
/** The message below Document; the first versions have its number there. */
const message = /^(?:CstmrPmtStsRpt(?:V[0-9]{2})?|pain\.002\.001\.0[12])$/;
/** Elements around it: SOAP, a business envelope. */
const deepest = 6;

function reportIn(element: XmlElement, depth = 0): XmlElement | undefined {
  if (otherMessage.test(element.ns ?? '')) return undefined;
  if (message.test(element.name)) return element;
  const found = element.children.find(({ name }) => message.test(name));
  if (found !== undefined || depth > deepest || element.name === 'Document') return found;
  for (const child of element.children) {
    const within = reportIn(child, depth + 1);
    if (within !== undefined) return within;
  }
  return undefined;
}

/** The text at a path without blanks around it, which some banks write to lay out the file. */
function textAt(element: XmlElement, path: string): string | undefined {
  const text = exactTextAt(element, path)?.trim();
  return text === '' ? undefined : text;
}

/** How many payments there were, and how many have each status. */
function countsOf(level: XmlElement | undefined): OriginalCount {
  if (level === undefined) return {};
  const counts = childrenOf(level, 'NbOfTxsPerSts').flatMap((one) => {
    const status = textAt(one, 'DtldSts');
    const [number, sum] = [textAt(one, 'DtldNbOfTxs'), textAt(one, 'DtldCtrlSum')];
    return status === undefined ? [] : [{ status, ...optional('number', number), ...optional('sum', sum) }];
  });
  return {
    ...optional('numberOfTransactions', textAt(level, 'OrgnlNbOfTxs')),
    ...optional('controlSum', textAt(level, 'OrgnlCtrlSum')),
    ...(counts.length > 0 && { counts }),
  };
}

const amountAt = (element: XmlElement, ...paths: readonly string[]): SentAmount | undefined => {
  const found = paths.map((path) => elementAt(element, path)).find((amount) => amount !== undefined);
  return found && { currency: found.attributes.get('Ccy') ?? '', amount: found.text.trim() };
};

/** A day, which later versions have as a choice of day and time. */
const dayAt = (element: XmlElement, path: string): string | undefined =>
  textAt(element, `${path}/Dt`) ?? textAt(element, `${path}/DtTm`) ?? textAt(element, path);

/** The name of a party, which later versions have in a further element. */
const nameAt = (element: XmlElement, path: string): string | undefined =>
  textAt(element, `${path}/Nm`) ?? textAt(element, `${path}/Pty/Nm`);

const agents = ['BICFI', 'BIC', 'Nm', 'ClrSysMmbId/MmbId', 'Othr/Id', 'LEI'];

function factsOf(entry: XmlElement): PaymentFacts {
  const charges = childrenOf(entry, 'ChrgsInf').flatMap((one) => {
    const amount = amountAt(one, 'Amt');
    const paths = ['Agt', 'Pty'].flatMap((who) => agents.map((path) => `${who}/FinInstnId/${path}`));
    const agent = paths.map((path) => textAt(one, path)).find((text) => text !== undefined);
    return amount === undefined ? [] : [{ ...amount, ...optional('agent', agent) }];
  });
  const confirmedAmount = amountAt(entry, 'TrckrData/ConfdAmt');
  const account = 'OrgnlTxRef/CdtrAcct/Id';
  const remittance = childOf(entry, 'OrgnlTxRef') && elementAt(entry, 'OrgnlTxRef/RmtInf');
  const told = remittance && [
    ...childrenOf(remittance, 'Ustrd').map(({ text }) => text.trim()),
    ...childrenOf(remittance, 'Strd').flatMap((one) => textAt(one, 'CdtrRefInf/Ref') ?? []),
  ];
  return {
    ...optional('statusId', textAt(entry, 'StsId')),
    ...(charges.length > 0 && { charges }),
    ...optional('acceptedAt', textAt(entry, 'AccptncDtTm')),
    ...optional('settlementDate', dayAt(entry, 'FctvIntrBkSttlmDt')),
    ...optional('bankReference', textAt(entry, 'AcctSvcrRef')),
    ...optional('clearingReference', textAt(entry, 'ClrSysRef')),
    ...optional('confirmedDate', dayAt(entry, 'TrckrData/ConfdDt')),
    ...(confirmedAmount && { confirmedAmount }),
    ...optional('requestedExecutionDate', dayAt(entry, 'OrgnlTxRef/ReqdExctnDt')),
    ...optional('creditorName', nameAt(entry, 'OrgnlTxRef/Cdtr')),
    ...optional('creditorAccount', textAt(entry, `${account}/IBAN`) ?? textAt(entry, `${account}/Othr/Id`)),
    ...optional('remittance', told?.join(' ') || undefined),
  };
}

function paymentOf(entry: XmlElement, batchId: string | undefined): PaymentStatusEntry {
  const amount = amountAt(entry, 'OrgnlTxRef/Amt/InstdAmt', 'OrgnlTxRef/Amt/EqvtAmt/Amt');
  return {
    ...optional('originalInstructionId', textAt(entry, 'OrgnlInstrId')),
    ...optional('originalEndToEndId', textAt(entry, 'OrgnlEndToEndId')),
    ...optional('originalUetr', textAt(entry, 'OrgnlUETR')),
    ...optional('originalPaymentInformationId', batchId ?? textAt(entry, 'OrgnlPmtInfId')),
    ...optional('status', textAt(entry, 'TxSts')),
    reasons: reasonsOf(entry),
    ...(amount && { instructedAmount: amount }),
    ...factsOf(entry),
  };
}

/** All reasons of one level; the first versions have other names for their parts. */
function reasonsOf(element: XmlElement): StatusReason[] {
  return childrenOf(element, 'StsRsnInf').map((reason) => {
    const first = (...paths: readonly string[]): string | undefined =>
      paths.map((path) => textAt(reason, path)).find((text) => text !== undefined);
    return {
      ...optional('code', first('Rsn/Cd', 'StsRsn/Cd')),
      // Some banks leave out the element within the reason.
      ...optional('proprietary', first('Rsn/Prtry', 'StsRsn/Prtry', 'Rsn', 'StsRsn')),
      ...optional('originator', originatorOf(childOf(reason, 'Orgtr') ?? childOf(reason, 'StsOrgtr'))),
      additional: ['AddtlInf', 'AddtlStsRsnInf']
        .flatMap((name) => childrenOf(reason, name))
        .map(({ text }) => text.trim())
        .filter((text) => text !== ''),
    };
  });
}

function originatorOf(party: XmlElement | undefined): string | undefined {
  const paths = [
    'Nm',
    'Id/OrgId/AnyBIC',
    'Id/OrgId/BICOrBEI',
    'Id/OrgId/BIC',
    'Id/OrgId/LEI',
    'Id/OrgId/Othr/Id',
  ];
  return party && paths.map((path) => textAt(party, path)).find((text) => text !== undefined);
}

function optional<K extends string>(name: K, value: string | undefined): Partial<Record<K, string>> {
  return value === undefined ? {} : ({ [name]: value } as Record<K, string>);
}
