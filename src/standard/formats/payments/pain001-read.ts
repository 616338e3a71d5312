import { defined } from '../../../base/defined.ts';
/** Reads pain.001 files of any size: group, batches and payments one by one, by the names of the JSON payment. */
import type { StructuredRemittance } from '../../xs2a/wire.ts';
import type { CreditTransfer, TransferAccount, TransferAddress } from './credit-transfer.ts';
import type { ByteSource } from '../text/text-source.ts';
import { XmlFault } from '../xml/xml-fault.ts';
import { walkXml } from '../xml/xml.ts';
import type { ReadXmlOptions } from '../xml/xml.ts';
import { childOf, elementAt, textAt } from '../xml/xml-tree.ts';
import type { XmlElement } from '../xml/xml-tree.ts';

/** The elements of a pain.001 that have no end of their own in memory. */
export const pain001Containers: ReadonlySet<string> = new Set(['Document', 'CstmrCdtTrfInitn', 'PmtInf']);

/** The group header of a message; counts and sums as written. */
export interface Pain001Group {
  readonly messageId?: string;
  readonly createdAt?: string;
  readonly numberOfTransactions?: string;
  readonly controlSum?: string;
  readonly initiatingParty?: string;
}

/** The elements before the payments of one PmtInf; members are absent where the file has none. */
export interface Pain001Batch {
  readonly paymentInformationId?: string;
  readonly batchBookingPreferred?: boolean;
  readonly numberOfTransactions?: string;
  readonly controlSum?: string;
  readonly serviceLevel?: string;
  readonly localInstrument?: string;
  readonly requestedExecutionDate?: string;
  readonly debtorName?: string;
  readonly debtorAccount?: TransferAccount;
  readonly debtorAgent?: string;
  readonly chargeBearer?: string;
}

/** A payment as read: whatever the file does not say is absent, and nothing in it is checked. */
export type ReadTransfer = Partial<CreditTransfer>;

/** The items of a pain.001, in the order of the file. */
export type Pain001Part =
  | { readonly kind: 'group'; readonly group: Pain001Group }
  | { readonly kind: 'batch'; readonly batch: Pain001Batch }
  | { readonly kind: 'payment'; readonly payment: ReadTransfer };

/**
 * Reads a pain.001 of any version by namespace, in constant memory. Throws XmlFault where it is no XML or no pain.001;
 * values are given as they stand (`lintPain001` checks them).
 */
export async function* readPain001(
  source: ByteSource,
  options: ReadXmlOptions = {},
): AsyncGenerator<Pain001Part> {
  const code = options.code ?? 'ANSWER_UNREADABLE';
  let front: XmlElement[] = [];
  let told = false;
  let root = true;
  for await (const { kind, element } of walkXml(source, pain001Containers, options)) {
    if (root && pain001Version(element) === undefined)
      throw new XmlFault(code, 'it is not a pain.001 document');
    root = false;
    if (element.name === 'PmtInf') {
      if (kind === 'close' && !told) yield { kind: 'batch', batch: batchOf(front) };
      [front, told] = [[], false];
    } else if (kind !== 'element') continue;
    else if (element.name === 'GrpHdr') yield { kind: 'group', group: groupOf(element) };
    else if (element.name === 'CdtTrfTxInf') {
      if (!told) yield { kind: 'batch', batch: batchOf(front) };
      told = true;
      yield { kind: 'payment', payment: transferOf(element) };
    } else front.push(element);
  }
}

/** Returns the version of a pain.001 by its root, such as `001.03` (variants of communities too), or undefined. */
export function pain001Version(root: XmlElement): string | undefined {
  if (root.name !== 'Document') return undefined;
  return /(?:^|:)pain\.001\.([0-9]{3}\.[0-9]{2})$/.exec(root.ns ?? '')?.[1];
}

/** Returns what a GrpHdr says. */
export function groupOf(element: XmlElement): Pain001Group {
  return defined({
    messageId: textAt(element, 'MsgId'),
    createdAt: textAt(element, 'CreDtTm'),
    numberOfTransactions: textAt(element, 'NbOfTxs'),
    controlSum: textAt(element, 'CtrlSum')?.trim(),
    initiatingParty: textAt(element, 'InitgPty/Nm'),
  });
}

/** Returns what the elements of a PmtInf before its payments say; both the date of 001.03 and the choice of 001.09 are read. */
export function batchOf(children: readonly XmlElement[]): Pain001Batch {
  const batch: XmlElement = { name: 'PmtInf', ns: undefined, attributes: new Map(), children, text: '' };
  const booking = textAt(batch, 'BtchBookg')?.trim();
  const date = elementAt(batch, 'ReqdExctnDt');
  return defined({
    paymentInformationId: textAt(batch, 'PmtInfId'),
    batchBookingPreferred: booking === undefined ? undefined : booking === 'true' || booking === '1',
    numberOfTransactions: textAt(batch, 'NbOfTxs'),
    controlSum: textAt(batch, 'CtrlSum')?.trim(),
    serviceLevel: textAt(batch, 'PmtTpInf/SvcLvl/Cd'),
    localInstrument: textAt(batch, 'PmtTpInf/LclInstrm/Cd'),
    requestedExecutionDate: date && (textAt(date, 'Dt') ?? textAt(date, 'DtTm') ?? date.text),
    debtorName: textAt(batch, 'Dbtr/Nm'),
    debtorAccount: accountOf(childOf(batch, 'DbtrAcct')),
    debtorAgent: bicOf(childOf(batch, 'DbtrAgt')),
    chargeBearer: textAt(batch, 'ChrgBr'),
  });
}

/** Returns what a CdtTrfTxInf says. */
export function transferOf(element: XmlElement): ReadTransfer {
  const amount = elementAt(element, 'Amt/InstdAmt');
  const endToEnd = textAt(element, 'PmtId/EndToEndId');
  return defined({
    endToEndIdentification: endToEnd === 'NOTPROVIDED' ? undefined : endToEnd,
    instructionIdentification: textAt(element, 'PmtId/InstrId'),
    instructedAmount: amount && { currency: amount.attributes.get('Ccy') ?? '', amount: amount.text },
    creditorAccount: accountOf(childOf(element, 'CdtrAcct')),
    creditorName: textAt(element, 'Cdtr/Nm'),
    creditorAgent: bicOf(childOf(element, 'CdtrAgt')),
    creditorAddress: addressOf(elementAt(element, 'Cdtr/PstlAdr')),
    chargeBearer: textAt(element, 'ChrgBr'),
    remittanceInformationUnstructured: textAt(element, 'RmtInf/Ustrd'),
    remittanceInformationStructured: referenceOf(elementAt(element, 'RmtInf/Strd/CdtrRefInf')),
  });
}

function referenceOf(element: XmlElement | undefined): StructuredRemittance | undefined {
  const reference = element && textAt(element, 'Ref');
  if (element === undefined || reference === undefined) return undefined;
  return defined({
    reference,
    referenceType: textAt(element, 'Tp/CdOrPrtry/Cd') ?? textAt(element, 'Tp/CdOrPrtry/Prtry'),
    referenceIssuer: textAt(element, 'Tp/Issr'),
  });
}

function accountOf(element: XmlElement | undefined): TransferAccount | undefined {
  if (element === undefined) return undefined;
  return defined({
    iban: textAt(element, 'Id/IBAN'),
    bban: textAt(element, 'Id/Othr/Id'),
    currency: textAt(element, 'Ccy'),
  });
}

function bicOf(element: XmlElement | undefined): string | undefined {
  if (element === undefined) return undefined;
  return textAt(element, 'FinInstnId/BIC') ?? textAt(element, 'FinInstnId/BICFI');
}

function addressOf(element: XmlElement | undefined): TransferAddress | undefined {
  if (element === undefined) return undefined;
  return defined({
    streetName: textAt(element, 'StrtNm'),
    buildingNumber: textAt(element, 'BldgNb'),
    postCode: textAt(element, 'PstCd'),
    townName: textAt(element, 'TwnNm'),
    country: textAt(element, 'Ctry') ?? '',
  });
}
