/** Writes pain.001.001.03 (ISO 20022 CustomerCreditTransferInitiation), streaming, in constant memory. */
import { ObkError } from '../../../base/errors.ts';
import type { StructuredRemittance } from '../../xs2a/wire.ts';
import { addDecimals, TotalsCounter } from './credit-transfer.ts';
import type {
  CreditTransfer,
  TransferAccount,
  TransferAddress,
  TransferInPain,
  TransferTotals,
} from './credit-transfer.ts';
import { checkHead, checkTransfer, isSepa, refuse } from './pain001-input.ts';
import type { Pain001Head, TransferScheme } from './pain001-input.ts';
import { xml, xmlBytes } from '../xml/xml-writer.ts';
import type { XmlPiece } from '../xml/xml-writer.ts';

export { transferSchemes } from './pain001-input.ts';

/** The namespace of the version that is written where no other is wanted. */
export const pain001Namespace = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.03';

/** What differs in the message of a bank: its version (pain.001.001.03 to .11), its namespace, and where its schema is. */
export interface Pain001Form {
  readonly version?: string;
  readonly namespace?: string;
  readonly schemaLocation?: string;
}

/** A message to write: what stands in front, and the payments. */
export interface Pain001Message extends Pain001Head {
  /** How the bank wants the message written, where it is not plain pain.001.001.03. */
  readonly form?: Pain001Form;
  /** Returns the payments from the beginning each time it is called: they are read twice. */
  readonly payments: () => Iterable<CreditTransfer> | AsyncIterable<CreditTransfer>;
}

/**
 * Writes a message as UTF-8 in chunks, in two passes over the payments: the first for count and control sum, the second
 * to write. Throws ObkError INPUT_INVALID, naming the payment, where one does not fit the scheme or the message, and
 * where the second pass yields other payments than the first. The bytes are a valid message only once all of them have
 * come.
 */
export function writePain001(message: Pain001Message): AsyncGenerator<Uint8Array> {
  return xmlBytes(pieces(message));
}

/** Checks a message and every payment in it, and returns count and sums; throws as `writePain001`. */
export async function checkPain001(message: Pain001Message): Promise<TransferTotals> {
  checkHead(message);
  const counter = new TotalsCounter();
  let number = 0;
  try {
    for await (const batch of inBatches(message.payments())) {
      for (const payment of batch) {
        number += 1;
        checkTransfer(payment, message.scheme);
        if (message.instructionPriority !== undefined && payment.inPain?.instructionPriority !== undefined)
          refuse('instructionPriority is given for all payments and for this one.');
        counter.add(payment.instructedAmount);
      }
    }
  } catch (error) {
    if (!(error instanceof ObkError)) throw error;
    refuse(`Payment ${String(number)}: ${error.detail ?? error.title}`);
  }
  if (number === 0) refuse('There is no payment.');
  return counter.totals;
}

async function* pieces(message: Pain001Message): AsyncGenerator<XmlPiece> {
  const totals = await checkPain001(message);
  yield head(message, totals);
  const sepa = isSepa(message.scheme);
  const written = new TotalsCounter();
  for await (const batch of inBatches(message.payments())) {
    const parts = batch.map((payment) =>
      transaction(payment, written.add(payment.instructedAmount), sepa, versionOf(message)),
    );
    yield xml`${parts}`;
  }
  if (JSON.stringify(written.totals) !== JSON.stringify(totals)) {
    refuse('The payments changed while the message was written.');
  }
  // No newline at the end: some banks verify the digest of the bytes without it.
  yield xml`</PmtInf>
</CstmrCdtTrfInitn></Document>`;
}

// Waiting once for many payments instead of once for each halves the time.
async function* inBatches<T>(source: Iterable<T> | AsyncIterable<T>): AsyncGenerator<readonly T[]> {
  const size = 64;
  let batch: T[] = [];
  if (Symbol.iterator in source) {
    for (const item of source) {
      batch.push(item);
      if (batch.length < size) continue;
      yield batch;
      batch = [];
    }
  } else {
    for await (const item of source) {
      batch.push(item);
      if (batch.length < size) continue;
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

// SEPA and TARGET2 name their service level; the EPC wants shared charges (SLEV) once for all payments.
const paymentTypes: Readonly<Record<TransferScheme, XmlPiece | undefined>> = {
  'sepa-credit-transfers': xml`<SvcLvl><Cd>SEPA</Cd></SvcLvl>`,
  'instant-sepa-credit-transfers': xml`<SvcLvl><Cd>SEPA</Cd></SvcLvl><LclInstrm><Cd>INST</Cd></LclInstrm>`,
  'target-2-payments': xml`<SvcLvl><Cd>URGP</Cd></SvcLvl>`,
  'cross-border-credit-transfers': undefined,
};
const notProvided = 'NOTPROVIDED';

function paymentType({ scheme, instructionPriority }: Pain001Head): XmlPiece | undefined {
  const type = paymentTypes[scheme];
  if (type === undefined && instructionPriority === undefined) return undefined;
  return xml`<PmtTpInf>${instructionPriority && xml`<InstrPrty>${instructionPriority}</InstrPrty>`}${type}</PmtTpInf>`;
}

const lei = (text: string | undefined): XmlPiece | undefined =>
  text === undefined ? undefined : xml`<Id><OrgId><LEI>${text}</LEI></OrgId></Id>`;

function head(message: Pain001Message, { count, sums }: TransferTotals): XmlPiece {
  const { scheme, messageId, createdAt, initiatingParty, debtorName, debtorAgent } = message;
  const controlSum = addDecimals(sums.map(({ amount }) => amount));
  const totals = xml`<NbOfTxs>${String(count)}</NbOfTxs><CtrlSum>${controlSum}</CtrlSum>`;
  const batching = message.batchBookingPreferred?.toString();
  const booking = batching && xml`<BtchBookg>${batching}</BtchBookg>`;
  const batchId = message.paymentInformationId ?? messageId;
  const date = message.requestedExecutionDate ?? createdAt.slice(0, 'YYYY-MM-DD'.length);
  const version = versionOf(message);
  const agent =
    debtorAgent === undefined ? xml`<Othr><Id>${notProvided}</Id></Othr>` : bic(debtorAgent, version);
  // A choice of day and time since pain.001.001.08.
  const day = version >= 8 ? xml`<Dt>${date}</Dt>` : xml`${date}`;
  const {
    namespace = pain001Namespace.slice(0, -2) + (message.form?.version?.slice(-2) ?? '03'),
    schemaLocation,
  } = message.form ?? {};
  const location =
    schemaLocation === undefined
      ? undefined
      : xml` xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="${schemaLocation}"`;
  return xml`<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="${namespace}"${location}><CstmrCdtTrfInitn>
<GrpHdr><MsgId>${messageId}</MsgId><CreDtTm>${createdAt}</CreDtTm>${totals}
<InitgPty><Nm>${initiatingParty}</Nm></InitgPty></GrpHdr>
<PmtInf><PmtInfId>${batchId}</PmtInfId><PmtMtd>TRF</PmtMtd>${booking}${totals}
${paymentType(message)}<ReqdExctnDt>${day}</ReqdExctnDt>
<Dbtr><Nm>${debtorName}</Nm>${lei(message.debtorLei)}</Dbtr><DbtrAcct>${account(message.debtorAccount)}</DbtrAcct>
<DbtrAgt><FinInstnId>${agent}</FinInstnId></DbtrAgt>${isSepa(scheme) ? xml`<ChrgBr>SLEV</ChrgBr>` : undefined}
`;
}

function transaction(payment: CreditTransfer, amount: string, sepa: boolean, version: number): XmlPiece {
  const endToEnd = payment.endToEndIdentification ?? notProvided;
  const { instructionIdentification, chargeBearer, creditorAgent, creditorAddress } = payment;
  const instruction = instructionIdentification && xml`<InstrId>${instructionIdentification}</InstrId>`;
  const charges = sepa ? undefined : chargeBearer && xml`<ChrgBr>${chargeBearer}</ChrgBr>`;
  const agent =
    creditorAgent && xml`<CdtrAgt><FinInstnId>${bic(creditorAgent, version)}</FinInstnId></CdtrAgt>`;
  const place = creditorAddress && address(creditorAddress);
  const { uetr, creditorLei, instructionPriority } = payment.inPain ?? {};
  const priority =
    instructionPriority && xml`<PmtTpInf><InstrPrty>${instructionPriority}</InstrPrty></PmtTpInf>`;
  return xml`<CdtTrfTxInf><PmtId>${instruction}<EndToEndId>${endToEnd}</EndToEndId>${uetr && xml`<UETR>${uetr}</UETR>`}</PmtId>${priority}
<Amt><InstdAmt Ccy="${payment.instructedAmount.currency}">${amount}</InstdAmt></Amt>${charges}${agent}
<Cdtr><Nm>${payment.creditorName}</Nm>${place}${lei(creditorLei)}</Cdtr><CdtrAcct>${account(payment.creditorAccount)}</CdtrAcct>${reporting(payment.inPain)}${remittance(payment)}</CdtTrfTxInf>
`;
}

function reporting({ regulatoryReporting }: TransferInPain = {}): XmlPiece | undefined {
  if (regulatoryReporting === undefined) return undefined;
  const { country, code, information } = regulatoryReporting;
  const details = [
    country && xml`<Ctry>${country}</Ctry>`,
    code && xml`<Cd>${code}</Cd>`,
    information && xml`<Inf>${information}</Inf>`,
  ];
  return xml`<RgltryRptg><Dtls>${details}</Dtls></RgltryRptg>`;
}

function remittance(payment: CreditTransfer): XmlPiece | undefined {
  const { remittanceInformationUnstructured: text, remittanceInformationStructured: structured } = payment;
  if (text === undefined && structured === undefined) return undefined;
  if (structured === undefined) return xml`<RmtInf><Ustrd>${text}</Ustrd></RmtInf>`;
  return xml`<RmtInf>${text && xml`<Ustrd>${text}</Ustrd>`}${creditorReference(structured)}</RmtInf>`;
}

// Codes of ISO 20022 (DocumentType3Code); another type, such as that of a Swiss QR reference, is proprietary.
const referenceTypes: ReadonlySet<string> = new Set(['RADM', 'RPIN', 'FXDR', 'DISP', 'PUOR', 'SCOR']);

function creditorReference({
  reference,
  referenceType = 'SCOR',
  referenceIssuer,
}: StructuredRemittance): XmlPiece {
  const type = referenceTypes.has(referenceType)
    ? xml`<Cd>${referenceType}</Cd>`
    : xml`<Prtry>${referenceType}</Prtry>`;
  const issuer = referenceIssuer && xml`<Issr>${referenceIssuer}</Issr>`;
  return xml`<Strd><CdtrRefInf><Tp><CdOrPrtry>${type}</CdOrPrtry>${issuer}</Tp><Ref>${reference}</Ref></CdtrRefInf></Strd>`;
}

/** The number of the version that is written: 3 where nobody says another. */
const versionOf = ({ form }: Pick<Pain001Message, 'form'>): number => Number(form?.version?.slice(-2) ?? '3');

/** BIC was renamed in pain.001.001.04. */
const bic = (text: string, version: number): XmlPiece =>
  version >= 4 ? xml`<BICFI>${text}</BICFI>` : xml`<BIC>${text}</BIC>`;

function account({ iban, bban, currency }: TransferAccount): XmlPiece {
  const unit = currency && xml`<Ccy>${currency}</Ccy>`;
  return iban === undefined
    ? xml`<Id><Othr><Id>${bban}</Id></Othr></Id>${unit}`
    : xml`<Id><IBAN>${iban}</IBAN></Id>${unit}`;
}

function address(parts: TransferAddress): XmlPiece {
  const street = parts.streetName ?? parts.street;
  const postCode = parts.postCode ?? parts.postalCode;
  const town = parts.townName ?? parts.city;
  const lines = [
    street && xml`<StrtNm>${street}</StrtNm>`,
    parts.buildingNumber && xml`<BldgNb>${parts.buildingNumber}</BldgNb>`,
    postCode && xml`<PstCd>${postCode}</PstCd>`,
    town && xml`<TwnNm>${town}</TwnNm>`,
    xml`<Ctry>${parts.country}</Ctry>`,
    ...(parts.lines ?? []).map((line) => xml`<AdrLine>${line}</AdrLine>`),
  ];
  return xml`<PstlAdr>${lines}</PstlAdr>`;
}
