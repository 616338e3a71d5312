import { addDecimals } from '../../formats/credit-transfer.ts';
import { periodicDocuments, readMultipart } from '../../formats/multipart.ts';
import { readPain001 } from '../../formats/pain001-read.ts';
import type { Pain001Batch, Pain001Group } from '../../formats/pain001-read.ts';
import { XmlFault } from '../../formats/xml-fault.ts';
import type { Order, Transfer } from '../books/order.ts';
import { checkDay, readTransfer, requireIban, requireObject } from './order-fields.ts';
import type { Fields } from './order-fields.ts';
import { readStandingOrder, parseJson } from './order-json.ts';
import type { Terms } from './order-json.ts';
import { formatError } from '../rules/refusal.ts';

/** The date that some banks require in a pain.001 without a date of its own; it means at once. */
const noDate = '1999-01-01';

/** Reads a pain.001; throws FORMAT_ERROR naming the payment and its member by the names of the JSON payment. */
export async function readXmlOrder(body: Uint8Array, terms: Terms): Promise<Order> {
  const read: OrderRead = { group: {}, batches: [], transfers: [], written: [] };
  try {
    for await (const part of readPain001(body, { code: 'INPUT_INVALID', maxBytes: body.length })) {
      if (part.kind === 'group') read.group = part.group;
      else if (part.kind === 'batch') takeBatch(read, part.batch);
      else takePayment(read, { ...part.payment }, terms);
    }
  } catch (error) {
    if (error instanceof XmlFault)
      throw formatError(`The XML cannot be read: ${error.detail ?? error.title}.`);
    throw error;
  }
  return toOrder(read, terms);
}

interface OrderRead {
  group: Pain001Group;
  batches: Pain001Batch[];
  transfers: Transfer[];
  /** The amounts as written, for the control sums. */
  written: string[];
}

function takeBatch({ batches }: OrderRead, batch: Pain001Batch): void {
  const iban = requireIban(batch.debtorAccount, 'debtorAccount');
  const first = batches[0]?.debtorAccount?.iban;
  if (first !== undefined && first !== iban)
    throw formatError('All payments must be from one account.', 'PmtInf');
  batches.push(batch);
}

function takePayment({ transfers, written }: OrderRead, fields: Fields, terms: Terms): void {
  const at = `CdtTrfTxInf[${String(transfers.length)}].`;
  const transfer = readTransfer(fields, at, { ...terms, also: [] });
  transfers.push(transfer);
  written.push(transfer.amount);
}

function toOrder({ group, batches, transfers, written }: OrderRead, terms: Terms): Order {
  const [first, ...rest] = transfers;
  const [batch] = batches;
  if (first === undefined || batch === undefined)
    throw formatError('The message has no payment.', 'CdtTrfTxInf');
  if (terms.service !== 'bulk-payments' && rest.length > 0)
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
    ...(batch.paymentInformationId !== undefined && { paymentInformationId: batch.paymentInformationId }),
    ...(batch.batchBookingPreferred === true && { batch: true }),
    ...(executeAt !== undefined && { executeAt }),
  };
}

const plain = (decimal: string) => (decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal);

/** A standing order has its dates in the other part. */
function executionOf(
  { requestedExecutionDate }: Pain001Batch,
  { service, today }: Terms,
): string | undefined {
  if (service === 'periodic-payments' || requestedExecutionDate === noDate) return undefined;
  const day = checkDay(requestedExecutionDate?.slice(0, 10), 'ReqdExctnDt', today);
  return day > today ? `${day}T00:00:00.000Z` : undefined;
}

/** Reads a standing order as pain.001: a form of an XML part and a JSON part; throws FORMAT_ERROR or EXECUTION_DATE_INVALID. */
export async function readXmlStandingOrder(
  contentType: string,
  body: Uint8Array,
  terms: Terms,
): Promise<Order> {
  const { xml, json } = documentsOf(contentType, body);
  const order = await readXmlOrder(xml, terms);
  return { ...order, standing: readStandingOrder(requireObject(parseJson(json), ''), terms) };
}

function documentsOf(contentType: string, body: Uint8Array) {
  let found: ReturnType<typeof periodicDocuments>;
  try {
    found = periodicDocuments(readMultipart(contentType, body, 'INPUT_INVALID'));
  } catch {
    throw formatError('The multipart body cannot be read.');
  }
  if (found === undefined) throw formatError('The form must contain one XML part and one JSON part.');
  return found;
}
