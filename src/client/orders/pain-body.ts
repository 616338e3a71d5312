import { defined } from '../../base/defined.ts';
import { ObkError } from '../../base/errors.ts';
import type { CreditTransfer } from '../../standard/formats/payments/credit-transfer.ts';
import {
  boundaryOf,
  buildMultipart,
  multipartType,
  periodicDocuments,
  periodicParts,
  readMultipart,
} from '../../standard/formats/text/multipart.ts';
import { transferSchemes, writePain001 } from '../../standard/formats/payments/pain001.ts';
import { readPain001 } from '../../standard/formats/payments/pain001-read.ts';
import type { BankDescriptor } from '../../settings/records/bank-descriptor.ts';
import { sha256Hex } from '../../signing/digest.ts';
import { readJson } from '../../standard/xs2a/json.ts';
import type { Framework } from '../../standard/xs2a/variants.ts';
import type { StandingOrder } from '../../standard/xs2a/wire.ts';
import type { BulkHead } from './bulk-body.ts';
import { bulkDetails, remittanceOf, sha256, standingDetails, summaryOf } from './read-order.ts';
import type { KnownEntry, PaymentKind, PaymentOrder } from './read-order.ts';
import { canonicalIban, checkFields, neededFields } from './payment-fields.ts';
import type { PaymentFields } from './payment-fields.ts';
import { linesOf } from './field-parts.ts';
import { painElements } from './pain-fields.ts';
import type { PainElements } from './pain-fields.ts';
import { madeId, referenceIn, singleBody } from './single-body.ts';
import { standingOrderOf } from './single-body.ts';

/** What a bank says of pain.001. */
type PainOfBank = NonNullable<NonNullable<BankDescriptor['payments']>['pain']>;

/** Facts needed for a pain.001 besides its payments. */
export interface PainTerms {
  framework: Framework;
  intentHash: string;
  /** An ISO date-time. */
  now: string;
  /** How the bank wants pain.001 (payments.pain). */
  form?: PainOfBank;
}

/** Builds the pain.001 of one payment, for a standing order as a form with its days in JSON. */
export async function buildPain(
  kind: PaymentKind,
  fields: PaymentFields,
  terms: PainTerms,
): Promise<PaymentOrder> {
  const { service, product } = kind;
  checkFields(fields, neededFields(service, true));
  const { creditorReference, creditorAccount } = fields;
  const endToEndId = fields.endToEndId ?? madeId(terms.intentHash);
  const {
    debtorAccount: _,
    debtorName: __,
    requestedExecutionDate: ___,
    ...single
  } = singleBody({ ...fields, endToEndId }, terms.framework);
  const { inPain, head: inHead } = painElements(fields, product, versionIn(terms));
  const lines = linesOf(fields.creditorAddress);
  const transfer: CreditTransfer = {
    ...single,
    ...(single.creditorAddress !== undefined &&
      lines.length > 0 && { creditorAddress: { ...single.creditorAddress, lines } }),
    ...defined({ inPain }),
    ...(creditorReference !== undefined && {
      remittanceInformationStructured: referenceIn(creditorReference, creditorAccount),
    }),
  };
  const standing = service === 'periodic-payments' ? standingOrderOf(fields, terms.framework) : undefined;
  const head = { ...fields, executionDate: standing?.startDate ?? fields.executionDate };
  return build(kind, [transfer], { head, inHead, standing }, terms);
}

/** Builds the pain.001 of a bulk. */
export function buildPainBulk(
  product: string,
  payments: readonly CreditTransfer[],
  { batchBooking, ...fields }: BulkHead,
  terms: PainTerms,
): Promise<PaymentOrder> {
  checkFields(fields, neededFields('bulk-payments', true));
  const { head: inHead } = painElements(fields, product, versionIn(terms));
  const kind = { service: 'bulk-payments', product };
  return build(kind, payments, { head: { ...fields, batchBooking }, inHead }, terms);
}

/** The number of the version that is written. */
const versionIn = ({ form }: PainTerms): number => Number(form?.version?.slice(-2) ?? '3');

/** The facts that all payments of a message share. */
interface Shared {
  head: { [K in keyof BulkHead]?: BulkHead[K] | undefined };
  inHead: PainElements['head'];
  standing?: StandingOrder | undefined;
}

async function build(
  kind: PaymentKind,
  payments: readonly CreditTransfer[],
  { head: given, inHead, standing }: Shared,
  { intentHash, now, form }: PainTerms,
): Promise<PaymentOrder> {
  const { service, product } = kind;
  const { debtor, debtorName = '', initiatingParty, executionDate, batchBooking } = given;
  // A product of the bank's own has no rules of SEPA.
  const scheme =
    transferSchemes.find((name) => product === `pain.001-${name}`) ?? 'cross-border-credit-transfers';
  const day = executionDate ?? form?.execDateSentinel;
  const head = {
    scheme,
    messageId: madeId(intentHash),
    initiatingParty: initiatingParty ?? debtorName,
    debtorName,
    debtorAccount: { iban: canonicalIban(debtor) },
    ...defined({ requestedExecutionDate: day, form }),
    ...inHead,
    ...defined({ batchBookingPreferred: batchBooking }),
  };
  const chunks: Uint8Array[] = [];
  for await (const chunk of writePain001({ ...head, createdAt: now, payments: () => payments }))
    chunks.push(chunk);
  const message = withStanding(Buffer.concat(chunks), standing, intentHash);
  return {
    ...orderOf(kind, message, {
      entries: payments.map(entryOf),
      debtor: head.debtorAccount.iban,
      endToEnd: payments[0]?.endToEndIdentification,
      ...(standing !== undefined && { standing: standingDetails({ ...standing }).details }),
    }),
    // The time of writing is in the bytes, and makes no other payment.
    bodyHash: sha256([service, product, JSON.stringify(head), JSON.stringify(standing), hashOf(payments)]),
  };
}

function entryOf(payment: CreditTransfer): KnownEntry {
  const { instructedAmount, creditorName, creditorAccount } = payment;
  return {
    amount: instructedAmount,
    creditorName,
    creditorAccount: creditorAccount.iban ?? creditorAccount.bban,
    remittance: remittanceOf(payment),
  };
}

/** Many payments are hashed one by one: their text as a whole would be as long as the message. */
function hashOf(payments: readonly CreditTransfer[]): string {
  return sha256(payments.map((payment) => sha256Hex(JSON.stringify(payment))));
}

/** The bytes to send, and their Content-Type. */
interface Message {
  bytes: Uint8Array;
  contentType: string;
}

function withStanding(xml: Uint8Array, standing: StandingOrder | undefined, intentHash: string): Message {
  if (standing === undefined) return { bytes: xml, contentType: 'application/xml' };
  const boundary = `obk-${intentHash.slice(0, 32)}`;
  const json = Buffer.from(JSON.stringify(standing), 'utf8');
  return {
    bytes: buildMultipart(periodicParts(xml, json), boundary),
    contentType: multipartType(boundary),
  };
}

/**
 * Takes a pain.001 as it is, its bytes untouched. A standing order is a whole form, or a pain.001 that becomes a part of one
 * with the days of `fields`.
 */
export async function readPainOrder(
  kind: PaymentKind,
  bytes: Uint8Array,
  fields: PaymentFields,
  { framework, intentHash, form }: Omit<PainTerms, 'now'>,
): Promise<PaymentOrder> {
  const { service } = kind;
  needForm(service, bytes, form);
  if (service !== 'periodic-payments') return readPain(kind, withStanding(bytes, undefined, ''), form);
  const boundary = boundaryOf(bytes);
  if (boundary === undefined)
    return readPain(kind, withStanding(bytes, standingOrderOf(fields, framework), intentHash));
  if (Object.keys(fields).length > 0) {
    throw new ObkError({
      code: 'USAGE',
      title: 'The form has the days of the standing order; no flag can change them.',
    });
  }
  return readPain(kind, { bytes, contentType: multipartType(boundary) });
}

/** Throws INPUT_INVALID for a message in another version or namespace than the bank takes. */
function needForm(service: string, bytes: Uint8Array, { version, namespace }: PainOfBank = {}): void {
  const text = Buffer.from(bytes.subarray(0, 4000)).toString('latin1');
  const own = /pain\.001\.001\.\d\d/.exec(text)?.[0];
  const wrong =
    version !== undefined && own !== undefined && own !== version
      ? `The bank takes ${version}, and this is ${own}`
      : namespace !== undefined && !text.includes(`"${namespace}"`) && !text.includes(`'${namespace}'`)
        ? `The bank takes the namespace ${namespace}`
        : undefined;
  if (wrong === undefined) return;
  throw new ObkError({
    code: 'INPUT_INVALID',
    title: `The message of ${service} cannot be sent.`,
    detail: `${wrong} (payments.pain); nothing was sent.`,
  });
}

/** Throws INPUT_INVALID for several payments under the service of single ones, where the bank takes one. */
function needOne(service: string, count: number, { bulkInSct }: PainOfBank = {}): void {
  if (service !== 'payments' || count < 2 || bulkInSct !== false) return;
  throw new ObkError({
    code: 'INPUT_INVALID',
    title: 'The message cannot be sent.',
    detail: `It has ${String(count)} payments, and the bank takes one (payments.pain.bulkInSct); nothing was sent.`,
    hint: ['--service bulk-payments'],
  });
}

async function readPain(kind: PaymentKind, message: Message, form?: PainOfBank): Promise<PaymentOrder> {
  const { xml, json } = documentsOf(message);
  const entries: KnownEntry[] = [];
  let debtor: string | undefined;
  let endToEnd: string | undefined;
  for await (const part of readPain001(xml, { code: 'INPUT_INVALID', maxBytes: xml.length })) {
    if (part.kind === 'batch') debtor ??= part.batch.debtorAccount?.iban ?? part.batch.debtorAccount?.bban;
    if (part.kind !== 'payment') continue;
    const { instructedAmount, creditorName, creditorAccount, endToEndIdentification } = part.payment;
    endToEnd ??= endToEndIdentification;
    entries.push({
      ...defined({ amount: instructedAmount }),
      creditorName,
      creditorAccount: creditorAccount?.iban ?? creditorAccount?.bban,
      remittance: remittanceOf(part.payment),
    });
  }
  needOne(kind.service, entries.length, form);
  return orderOf(kind, message, {
    entries,
    debtor,
    endToEnd,
    ...(json !== undefined && { standing: standingDetails(readJson(json)).details }),
  });
}

/** The known facts of the payments in a message. */
interface Known {
  entries: readonly KnownEntry[];
  debtor: string | undefined;
  endToEnd: string | undefined;
  standing?: string | undefined;
}

function orderOf(
  { service, product }: PaymentKind,
  message: Message,
  { entries, debtor, endToEnd, standing }: Known,
): PaymentOrder {
  const [one, other] = entries;
  if (one === undefined)
    throw new ObkError({ code: 'INPUT_INVALID', title: 'There is no payment in the pain.001.' });
  const isBulk = service === 'bulk-payments' || other !== undefined;
  const bulk = isBulk ? bulkDetails(entries) : undefined;
  const details = bulk === undefined ? standing : bulk.details;
  return {
    service,
    product,
    ...message,
    summary: {
      ...(bulk === undefined ? summaryOf(one) : bulk.summary),
      ...defined({ debtorAccount: debtor }),
    },
    ...(!isBulk && endToEnd !== undefined && { endToEndIdentification: endToEnd }),
    ...defined({ details }),
    remittance: isBulk ? '' : (one.remittance ?? ''),
    outside: [],
    bodyHash: sha256([service, product, sha256Hex(message.bytes)]),
  };
}

function documentsOf({ bytes, contentType }: Message): { xml: Uint8Array; json?: Uint8Array } {
  if (contentType === 'application/xml') return { xml: bytes };
  const documents = periodicDocuments(readMultipart(contentType, bytes, 'INPUT_INVALID'));
  if (documents !== undefined) return documents;
  throw new ObkError({
    code: 'INPUT_INVALID',
    title: 'The form must contain one XML part and one JSON part.',
  });
}
