import { defined } from '../../base/defined.ts';
import { ObkError } from '../../base/errors.ts';
import type { CreditTransfer } from '../../standard/formats/payments/credit-transfer.ts';
import { readCsv } from '../../standard/formats/payments/csv.ts';
import type { CsvFinding } from '../../standard/formats/payments/csv-row.ts';
import { checkBic, checkIban } from '../../standard/xs2a/check.ts';
import { checkLei, readCreditorReference } from '../../standard/xs2a/creditor-reference.ts';
import { allowsEndToEndIdentification, isXmlProduct } from '../../standard/xs2a/products.ts';
import { transliterate } from '../../standard/xs2a/transliteration.ts';
import { wireNames } from '../../standard/xs2a/variants.ts';
import type { Framework } from '../../standard/xs2a/variants.ts';
import type { BulkEntry, BulkPaymentInitiation } from '../../standard/xs2a/wire.ts';
import { faultsOf } from './bulk-columns.ts';
import type { Change } from './characters.ts';
import { madeIdStem } from './identical-payments.ts';
import { readOrder } from './read-order.ts';
import type { PaymentOrder } from './read-order.ts';
import type { BankDescriptor } from '../../settings/records/bank-descriptor.ts';
import { canonicalIban, checkFields, fieldFlags, neededFields, notSendable } from './payment-fields.ts';
import type { PaymentFields } from './payment-fields.ts';

/** The fields that stand before all payments of a bulk. */
export interface BulkHead extends Pick<
  PaymentFields,
  'debtor' | 'debtorName' | 'initiatingParty' | 'executionDate' | 'debtorLei' | 'instructionPriority'
> {
  batchBooking?: boolean;
}

const shownFindings = 1000;

/** Terms under which the rows are read. */
export interface CsvTerms {
  product: string;
  framework: Framework;
  intentHash: string;
  /** Takes each text that was written with other characters; without it all stay as they are. */
  changed?: (change: Change) => void;
  /** How amounts are written, and the characters of the file. */
  decimal?: 'dot' | 'comma';
  charset?: string;
  /** The version of the pain.001 that is written; pain.001.001.03 where it is absent. */
  version?: string;
  /** What the bank says of its payments. */
  forms?: BankDescriptor['payments'];
}

/**
 * Reads the payments of a CSV file and reports every fault together, with its line. A payment without an identification
 * gets one from the intent and its position, so that the bank's report on it can be matched with the file.
 */
export async function readBulkCsv(bytes: Uint8Array, terms: CsvTerms): Promise<CreditTransfer[]> {
  const { product, framework, intentHash, forms, version, changed, decimal, charset } = terms;
  const payments: CreditTransfer[] = [];
  const findings: CsvFinding[] = [];
  const hasId = isXmlProduct(product) || allowsEndToEndIdentification(product);
  const outside = faultsOf(product, forms?.members, version);
  const stem = madeIdStem(intentHash);
  let line = 1;
  for await (const row of readCsv(bytes, {
    checks: { iban: checkIban, bic: checkBic, lei: checkLei, reference: readCreditorReference },
    ...defined({ decimal, charset }),
    ...(changed !== undefined && {
      write(from, { line: at, column }) {
        const to = transliterate(from);
        if (to !== from) changed({ place: `line ${String(at)}, ${column}`, from, to });
        return to;
      },
    }),
  })) {
    line = row.line;
    const further = row.payment === undefined ? [] : outside(row.payment);
    // A cell that is wrong by itself says more than what its product has.
    const told = row.findings.map(({ column }) => column);
    const faults = [
      ...row.findings,
      ...further
        .filter(({ column }) => !told.includes(column))
        .map((fault) => ({ line: row.line, ...fault })),
    ];
    if (faults.length > 0) findings.push(...faults);
    else if (row.payment !== undefined) {
      const payment = withNames(row.payment, framework);
      const id = `${stem}${String(payments.length + 1)}`;
      payments.push(hasId ? { endToEndIdentification: id, ...payment } : payment);
    }
  }
  if (findings.length === 0 && payments.length === 0)
    findings.push({ line, column: undefined, text: 'there is no payment below the header' });
  if (findings.length > 0) throw wrongCsv(findings);
  return payments;
}

/** The parts of an address have other names in framework 1.3.2. */
function withNames(payment: CreditTransfer, framework: Framework): CreditTransfer {
  const { creditorAddress } = payment;
  if (creditorAddress === undefined) return payment;
  const { streetName, townName, postCode, ...rest } = creditorAddress;
  const { addressStreet, addressTown, addressPostCode } = wireNames[framework];
  return {
    ...payment,
    creditorAddress: {
      ...defined({ [addressStreet]: streetName, [addressTown]: townName, [addressPostCode]: postCode }),
      ...rest,
    },
  };
}

const shown = (value: string): string =>
  JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}...` : value);

const hasComma = ({ column, value = '' }: CsvFinding): boolean =>
  column === 'amount' && /^[0-9. ]*[0-9],[0-9]{1,2}$/.test(value);

function wrongCsv(findings: readonly CsvFinding[]): ObkError {
  const lines = findings
    .slice(0, shownFindings)
    .map(
      ({ line, column, value, text }) =>
        `line ${String(line)}${column === undefined ? '' : `, ${column}`}${value === undefined ? '' : ` ${shown(value)}`}: ${text}`,
    );
  const more = findings.length - lines.length;
  return new ObkError({
    code: 'INPUT_INVALID',
    title: 'The CSV file has errors.',
    detail: [...lines, ...(more > 0 ? [`and ${String(more)} more`] : [])].join('\n'),
    ...(findings.some(hasComma) && { hint: ['--decimal comma   # for amounts such as 1.234,56'] }),
  });
}

/** Builds the JSON body of a bulk. */
export function buildBulk(
  product: string,
  payments: readonly CreditTransfer[],
  head: BulkHead,
  { remittanceStructured }: NonNullable<BankDescriptor['payments']> = {},
): PaymentOrder {
  checkHead(head, product);
  const { batchBooking, executionDate } = head;
  const body: BulkPaymentInitiation = {
    ...defined({ batchBookingPreferred: batchBooking, requestedExecutionDate: executionDate }),
    debtorAccount: { iban: canonicalIban(head.debtor) },
    payments: remittanceStructured === 'string' ? payments.map(withTextReference) : [...payments],
  };
  return readOrder({ service: 'bulk-payments', product }, Buffer.from(JSON.stringify(body), 'utf8'));
}

function withTextReference({ remittanceInformationStructured: one, ...payment }: CreditTransfer): BulkEntry {
  return { ...payment, ...(one !== undefined && { remittanceInformationStructured: one.reference }) };
}

function checkHead({ batchBooking: _, ...fields }: BulkHead, product: string): void {
  checkFields(fields, neededFields('bulk-payments'));
  const outside = (['debtorName', 'initiatingParty', 'debtorLei', 'instructionPriority'] as const).filter(
    (name) => fields[name] !== undefined,
  );
  if (outside.length > 0)
    throw notSendable(outside.map((name) => `${fieldFlags[name]}: ${product} has no ${name}`));
}
