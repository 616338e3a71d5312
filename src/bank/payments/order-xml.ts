import { defined } from '../../base/defined.ts';
import { addDecimals } from '../../standard/formats/payments/credit-transfer.ts';
import { periodicDocuments, readMultipart } from '../../standard/formats/text/multipart.ts';
import { readPain001 } from '../../standard/formats/payments/pain001-read.ts';
import type {
  Pain001Batch,
  Pain001Group,
  ReadTransfer,
} from '../../standard/formats/payments/pain001-read.ts';
import { XmlFault } from '../../standard/formats/xml/xml-fault.ts';
import type { Order, Transfer } from '../books/order.ts';
import { must, object } from '../../referee/body/members.ts';
import type { Check } from '../../referee/body/members.ts';
import { entryBody, standingBody } from '../../referee/body/payment.ts';
import { account, dayFrom } from '../../referee/body/values.ts';
import type { PaymentInitiation, StandingOrder } from '../../standard/xs2a/wire.ts';
import { readTransfer, refuseFaults, parseJson, standingOf } from './order-json.ts';
import type { Terms } from './order-json.ts';
import { formatError, Refusal } from '../rules/refusal.ts';

/** The date that some banks require in a pain.001 without a date of its own; it means at once. */
const noDate = '1999-01-01';

/** Reads a pain.001; throws FORMAT_ERROR naming the payment and its member by the names of the JSON payment. */
export async function readXmlOrder(body: Uint8Array, terms: Terms): Promise<Order> {
  checkRoot(body, terms);
  const entry = entryBody(terms);
  const read: OrderRead = { group: {}, batches: [], transfers: [], written: [] };
  try {
    for await (const part of readPain001(body, { code: 'INPUT_INVALID', maxBytes: body.length })) {
      if (part.kind === 'group') read.group = part.group;
      else if (part.kind === 'batch') takeBatch(read, part.batch, terms);
      else takePayment(read, part.payment, entry, terms);
    }
  } catch (error) {
    if (error instanceof XmlFault)
      throw formatError(`The XML cannot be read: ${error.detail ?? error.title}.`);
    throw error;
  }
  return toOrder(read, terms);
}

/** Throws FORMAT_ERROR where the root of the document is not as this bank wants it. */
function checkRoot(body: Uint8Array, { forms }: Terms): void {
  const { version, namespace, schemaLocation } = forms?.pain ?? {};
  const head = Buffer.from(body.subarray(0, 4096)).toString('utf8');
  const root = /<(?:[\w.-]+:)?Document\b([^>]*)>/.exec(head)?.[1] ?? '';
  const wanted =
    namespace ?? (version === undefined ? undefined : `urn:iso:std:iso:20022:tech:xsd:${version}`);
  if (wanted !== undefined && !valuesIn(root, /\bxmlns(?::[\w.-]+)?/).includes(wanted))
    throw formatError(`The namespace of the document is ${wanted} at this bank.`, 'Document');
  if (schemaLocation !== undefined && !valuesIn(root, /\b[\w.-]+:schemaLocation/).includes(schemaLocation))
    throw formatError(`xsi:schemaLocation is ${schemaLocation} at this bank.`, 'Document');
}

const valuesIn = (attributes: string, name: RegExp): string[] =>
  [...attributes.matchAll(new RegExp(`${name.source}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'g'))].map(
    ([, double, single]) => double ?? single ?? '',
  );

interface OrderRead {
  group: Pain001Group;
  batches: Pain001Batch[];
  transfers: Transfer[];
  /** The amounts as written, for the control sums. */
  written: string[];
}

function takeBatch({ batches }: OrderRead, batch: Pain001Batch, terms: Terms): void {
  refuseFaults(batch, object({ debtorAccount: must(account(terms.framework)) }), terms);
  const iban = batch.debtorAccount?.iban;
  if (iban === undefined) throw formatError('debtorAccount.iban is missing.', 'debtorAccount.iban');
  const first = batches[0]?.debtorAccount?.iban;
  if (first !== undefined && first !== iban)
    throw formatError('All payments must be from one account.', 'PmtInf');
  batches.push(batch);
}

function takePayment(
  { transfers, written }: OrderRead,
  payment: ReadTransfer,
  entry: Check,
  terms: Terms,
): void {
  const at = `CdtTrfTxInf[${String(transfers.length)}].`;
  refuseFaults(payment, entry, terms, at);
  const transfer = readTransfer(payment as PaymentInitiation, at, {
    ...terms,
    also: ['remittanceInformationStructured'],
  });
  transfers.push(transfer);
  written.push(transfer.amount);
}

function toOrder({ group, batches, transfers, written }: OrderRead, terms: Terms): Order {
  const [first, ...rest] = transfers;
  const [batch] = batches;
  if (first === undefined || batch === undefined)
    throw formatError('The message has no payment.', 'CdtTrfTxInf');
  const takesSeveral = terms.service === 'bulk-payments' || terms.forms?.pain?.bulkInSct === true;
  if (!takesSeveral && rest.length > 0)
    throw formatError('The message has more than one payment.', 'CdtTrfTxInf[1]');
  if (group.messageId === undefined) throw formatError('MsgId is missing.', 'GrpHdr/MsgId');
  if (group.numberOfTransactions !== String(transfers.length))
    throw formatError(`NbOfTxs is not ${String(transfers.length)}.`, 'GrpHdr/NbOfTxs');
  const sum = group.controlSum;
  if (sum !== undefined && plain(sum) !== plain(addDecimals(written)))
    throw formatError('CtrlSum is not the sum of the amounts.', 'GrpHdr/CtrlSum');
  const executeAt = executionOf(batch, terms);
  return {
    debtor: batch.debtorAccount ?? {},
    transfers: [first, ...rest],
    messageId: group.messageId,
    ...defined({ paymentInformationId: batch.paymentInformationId }),
    ...(batch.batchBookingPreferred === true && { batch: true }),
    ...defined({ executeAt }),
  };
}

const plain = (decimal: string) => (decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal);

/** A standing order has its dates in the other part. */
function executionOf(
  { requestedExecutionDate }: Pain001Batch,
  { framework, service, today, forms }: Terms,
): string | undefined {
  const atOnce = forms?.pain?.execDateSentinel ?? noDate;
  if (service === 'periodic-payments' || requestedExecutionDate === atOnce) return undefined;
  if (forms?.pain?.execDateSentinel !== undefined && requestedExecutionDate?.startsWith(today) === true)
    throw new Refusal(400, 'EXECUTION_DATE_INVALID', `At once is the day ${atOnce} at this bank.`, {
      path: 'ReqdExctnDt',
    });
  const day = requestedExecutionDate?.slice(0, 10);
  const dated = day === undefined ? {} : { ReqdExctnDt: day };
  refuseFaults(dated, object({ ReqdExctnDt: must(dayFrom(today)) }), { framework });
  return day !== undefined && day > today ? `${day}T00:00:00.000Z` : undefined;
}

/** Reads a standing order as pain.001: a form of an XML part and a JSON part; throws FORMAT_ERROR or EXECUTION_DATE_INVALID. */
export async function readXmlStandingOrder(
  contentType: string,
  body: Uint8Array,
  terms: Terms,
): Promise<Order> {
  const { xml, json } = documentsOf(contentType, body, terms);
  const order = await readXmlOrder(xml, terms);
  const standing = parseJson(json);
  refuseFaults(standing, standingBody(terms), terms);
  return { ...order, standing: standingOf(standing as StandingOrder) };
}

function documentsOf(contentType: string, body: Uint8Array, { forms }: Terms) {
  let parts: ReturnType<typeof readMultipart>;
  try {
    parts = readMultipart(contentType, body, 'INPUT_INVALID');
  } catch {
    throw formatError('The multipart body cannot be read.');
  }
  const names = Object.values(forms?.multipartParts ?? {});
  const missing = names.find((name) => !parts.some((part) => part.name === name));
  if (missing !== undefined) throw formatError(`The form has no part ${missing}.`, missing);
  const found = periodicDocuments(parts);
  if (found === undefined) throw formatError('The form must contain one XML part and one JSON part.');
  return found;
}
