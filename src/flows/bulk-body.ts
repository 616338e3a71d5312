import { ObkError } from '../errors.ts';
import type { CreditTransfer } from '../formats/credit-transfer.ts';
import { csvColumns, readCsv } from '../formats/csv.ts';
import type { CsvFinding } from '../formats/csv.ts';
import { checkBic, checkIban } from '../xs2a/check.ts';
import { allowsEndToEndIdentification, isXmlProduct } from '../xs2a/products.ts';
import type { BulkPaymentInitiation } from '../xs2a/wire.ts';
import { readOrder } from './payment-body.ts';
import type { PaymentOrder } from './payment-body.ts';
import { canonicalIban, checkFields, neededFields, notSendable } from './payment-fields.ts';
import type { PaymentFields } from './payment-fields.ts';

export { csvColumns };

/** What stands in front of all payments of a bulk. */
export interface BulkHead extends Pick<PaymentFields, 'debtor' | 'debtorName' | 'executionDate'> {
  batchBooking?: boolean;
}

const shownFindings = 20;

/**
 * Reads the payments of a CSV file; every fault is told at once, with its line. A payment without an identification gets
 * one from the intent and its place, so that what the bank says of it can be found in the file.
 */
export async function readBulkCsv(
  bytes: Uint8Array,
  product: string,
  intentHash: string,
): Promise<CreditTransfer[]> {
  const payments: CreditTransfer[] = [];
  const findings: CsvFinding[] = [];
  const hasId = isXmlProduct(product) || allowsEndToEndIdentification(product);
  let line = 1;
  for await (const row of readCsv(bytes, { checks: { iban: checkIban, bic: checkBic } })) {
    line = row.line;
    if ('findings' in row) findings.push(...row.findings);
    else if (!hasId && row.payment.endToEndIdentification !== undefined)
      findings.push({ line, column: 'end_to_end_id', text: `${product} has no endToEndIdentification` });
    else {
      const id = `OBK${intentHash.slice(0, 20).toUpperCase()}-${String(payments.length + 1)}`;
      payments.push(hasId ? { endToEndIdentification: id, ...row.payment } : row.payment);
    }
  }
  if (findings.length === 0 && payments.length === 0)
    findings.push({ line, column: undefined, text: 'there is no payment below the header' });
  if (findings.length > 0) throw wrongCsv(findings);
  return payments;
}

function wrongCsv(findings: readonly CsvFinding[]): ObkError {
  const lines = findings
    .slice(0, shownFindings)
    .map(
      ({ line, column, text }) => `line ${String(line)}${column === undefined ? '' : `, ${column}`}: ${text}`,
    );
  const more = findings.length - lines.length;
  return new ObkError({
    code: 'INPUT_INVALID',
    title: 'The CSV file has errors.',
    detail: [...lines, ...(more > 0 ? [`and ${String(more)} more`] : [])].join('\n'),
  });
}

/** Builds the JSON body of a bulk. */
export function buildBulk(
  product: string,
  payments: readonly CreditTransfer[],
  head: BulkHead,
): PaymentOrder {
  checkHead(head, product);
  const { batchBooking, executionDate } = head;
  const body: BulkPaymentInitiation = {
    ...(batchBooking !== undefined && { batchBookingPreferred: batchBooking }),
    ...(executionDate !== undefined && { requestedExecutionDate: executionDate }),
    debtorAccount: { iban: canonicalIban(head.debtor) },
    payments: [...payments],
  };
  return readOrder('bulk-payments', product, Buffer.from(JSON.stringify(body), 'utf8'));
}

function checkHead({ batchBooking: _, ...fields }: BulkHead, product: string): void {
  checkFields(fields, neededFields('bulk-payments'));
  if (fields.debtorName !== undefined) throw notSendable([`--debtor-name: ${product} has no debtorName`]);
}
