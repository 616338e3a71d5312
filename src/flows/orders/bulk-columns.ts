import type { CreditTransfer } from '../../formats/credit-transfer.ts';
import { csvColumns } from '../../formats/csv-row.ts';
import type { CsvColumn, CsvFinding } from '../../formats/csv-row.ts';
import { fieldsOf, isJsonProduct, isXmlProduct } from '../../xs2a/products.ts';

const memberColumns = {
  endToEndIdentification: ['end_to_end_id'],
  creditorAgent: ['creditor_bic'],
  creditorAddress: [
    'creditor_country',
    'creditor_street',
    'creditor_number',
    'creditor_postcode',
    'creditor_city',
  ],
  chargeBearer: ['charge_bearer'],
  remittanceInformationStructured: ['creditor_reference'],
} as const satisfies Partial<Record<keyof CreditTransfer, readonly (typeof csvColumns)[number]['name'][]>>;

type MemberWithColumn = keyof typeof memberColumns;

const inEveryPain: readonly MemberWithColumn[] = [
  'endToEndIdentification',
  'remittanceInformationStructured',
];

const coreOf = (product: string): string => product.replace(/^pain\.001-/, '');

/** The members with columns that a product has not, and that the bank has not opened. */
function membersOutside(product: string, opened: readonly string[]): MemberWithColumn[] {
  const core = coreOf(product);
  if (!isJsonProduct(core)) return [];
  const needs = fieldsOf(core);
  return (Object.keys(memberColumns) as MemberWithColumn[]).filter(
    (name) =>
      needs[name] === 'n' && !opened.includes(name) && !(isXmlProduct(product) && inEveryPain.includes(name)),
  );
}

/** The columns that a file of payments may have: those of a product, or all. */
export function columnsOf(product: string | undefined, opened: readonly string[] = []): CsvColumn[] {
  if (product === undefined) return [...csvColumns];
  const outside = membersOutside(product, opened).flatMap((name): readonly string[] => memberColumns[name]);
  return csvColumns.filter(({ name }) => !outside.includes(name));
}

type Fault = Omit<CsvFinding, 'line'>;

/** Tells of each payment what its product does not have. */
export function faultsOf(
  product: string,
  opened: readonly string[] = [],
): (payment: CreditTransfer) => Fault[] {
  const lacks = membersOutside(product, opened);
  const isPain = isXmlProduct(product);
  const isSepaPain = isPain && coreOf(product).endsWith('sepa-credit-transfers');
  return (payment) => [
    ...lacks
      // All SEPA payments in pain.001 have shared charges, and may say so.
      .filter((name) => payment[name] !== undefined && !(isPain && payment[name] === 'SLEV'))
      .map((name): Fault => {
        const value = payment[name];
        const [column] = memberColumns[name];
        return { column, ...(typeof value === 'string' && { value }), text: `${product} has no ${name}` };
      }),
    ...(payment.creditorAccount.bban !== undefined && coreOf(product) !== 'cross-border-credit-transfers'
      ? [{ column: 'creditor_iban', value: payment.creditorAccount.bban, text: `${product} go to an IBAN` }]
      : []),
    ...(isSepaPain ? sepaFaults(payment) : []),
  ];
}

/** What the writer of a SEPA message would refuse without a line. */
function* sepaFaults({
  instructedAmount: { currency },
  remittanceInformationUnstructured: text,
  remittanceInformationStructured: structured,
}: CreditTransfer): Generator<Fault> {
  if (currency !== 'EUR')
    yield { column: 'currency', value: currency, text: 'SEPA credit transfers are in EUR' };
  if (structured === undefined) return;
  const { reference: value, referenceType = 'SCOR' } = structured;
  if (text !== undefined)
    yield {
      column: 'creditor_reference',
      value,
      text: 'SEPA has a remittance text or a reference, not both',
    };
  if (referenceType !== 'SCOR')
    yield {
      column: 'creditor_reference',
      value,
      text: `SEPA has no references of the type ${referenceType}`,
    };
}
