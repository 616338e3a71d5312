/** Reads pain.002 (ISO 20022 CustomerPaymentStatusReport): what became of a message and of each payment in it. */
import { XmlFault } from './xml-fault.ts';
import { readXml } from './xml.ts';
import type { ReadXmlOptions } from './xml.ts';
import { childOf, childrenOf, elementAt, textAt } from './xml-tree.ts';
import type { XmlElement } from './xml-tree.ts';

/** Why something has its status: an ISO code or a text of the bank's own, and what the bank adds. */
export interface StatusReason {
  readonly code?: string;
  readonly proprietary?: string;
  readonly additional: readonly string[];
}

/** The status of one payment; absent members were not there. */
export interface PaymentStatusEntry {
  readonly originalInstructionId?: string;
  readonly originalEndToEndId?: string;
  readonly originalPaymentInformationId?: string;
  /** In which of the batches it stands, from 0; absent where it stands beside them. */
  readonly batch?: number;
  /** The code as written (ACCP, RJCT, PDNG ...); unknown ones are possible. */
  readonly status?: string;
  readonly reasons: readonly StatusReason[];
  readonly instructedAmount?: { readonly currency: string; readonly amount: string };
}

/** The status of one PmtInf of the message. */
export interface BatchStatus {
  readonly originalPaymentInformationId?: string;
  readonly status?: string;
  readonly reasons: readonly StatusReason[];
}

/** A status report as read; codes are as written, nothing is interpreted. */
export interface StatusReport {
  readonly messageId?: string;
  readonly createdAt?: string;
  readonly originalMessageId?: string;
  readonly groupStatus?: string;
  readonly reasons: readonly StatusReason[];
  readonly batches: readonly BatchStatus[];
  readonly payments: readonly PaymentStatusEntry[];
}

/**
 * Reads a pain.002 of any version by namespace; it is held in memory, at most 10 MiB of it. Throws XmlFault where it is
 * no XML or no pain.002.
 */
export function readPain002(bytes: Uint8Array, options: ReadXmlOptions = {}): StatusReport {
  const root = readXml(bytes, { maxBytes: 10 * 1024 * 1024, ...options });
  // A namespace says less than the structure: banks leave it out, or have one of their country; some put an envelope around it.
  const report = reportIn(root);
  if (report === undefined) {
    throw new XmlFault(options.code ?? 'ANSWER_UNREADABLE', 'it is not a pain.002 document');
  }
  const group = childOf(report, 'OrgnlGrpInfAndSts');
  const batches = childrenOf(report, 'OrgnlPmtInfAndSts');
  return {
    ...optional('messageId', textAt(report, 'GrpHdr/MsgId')),
    ...optional('createdAt', textAt(report, 'GrpHdr/CreDtTm')),
    ...optional('originalMessageId', group && textAt(group, 'OrgnlMsgId')),
    ...optional('groupStatus', group && textAt(group, 'GrpSts')),
    reasons: group === undefined ? [] : reasonsOf(group),
    batches: batches.map((batch) => ({
      ...optional('originalPaymentInformationId', textAt(batch, 'OrgnlPmtInfId')),
      ...optional('status', textAt(batch, 'PmtInfSts')),
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

const otherMessage = /^urn:iso:std:iso:20022:tech:xsd:(?!pain\.002\.|head\.)/;

function reportIn(element: XmlElement, depth = 0): XmlElement | undefined {
  if (otherMessage.test(element.ns ?? '')) return undefined;
  const found = childOf(element, 'CstmrPmtStsRpt');
  if (found !== undefined || depth > 4 || element.name === 'Document') return found;
  for (const child of element.children) {
    const within = reportIn(child, depth + 1);
    if (within !== undefined) return within;
  }
  return undefined;
}

function paymentOf(entry: XmlElement, batchId: string | undefined): PaymentStatusEntry {
  const amount = elementAt(entry, 'OrgnlTxRef/Amt/InstdAmt');
  return {
    ...optional('originalInstructionId', textAt(entry, 'OrgnlInstrId')),
    ...optional('originalEndToEndId', textAt(entry, 'OrgnlEndToEndId')),
    ...optional('originalPaymentInformationId', batchId ?? textAt(entry, 'OrgnlPmtInfId')),
    ...optional('status', textAt(entry, 'TxSts')),
    reasons: reasonsOf(entry),
    ...(amount && {
      instructedAmount: { currency: amount.attributes.get('Ccy') ?? '', amount: amount.text },
    }),
  };
}

function reasonsOf(element: XmlElement): StatusReason[] {
  return childrenOf(element, 'StsRsnInf').map((reason) => ({
    ...optional('code', textAt(reason, 'Rsn/Cd')),
    ...optional('proprietary', textAt(reason, 'Rsn/Prtry')),
    additional: childrenOf(reason, 'AddtlInf').map(({ text }) => text),
  }));
}

function optional<K extends string>(name: K, value: string | undefined): Partial<Record<K, string>> {
  return value === undefined ? {} : ({ [name]: value } as Record<K, string>);
}
