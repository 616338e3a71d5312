import { aboveSepa, currenciesOf } from '../../standard/formats/money/amount.ts';
import type { CreditTransfer } from '../../standard/formats/payments/credit-transfer.ts';
import { csvColumns } from '../../standard/formats/payments/csv-columns.ts';
import type { ColumnName, CsvColumn } from '../../standard/formats/payments/csv-columns.ts';
import type { CsvFinding } from '../../standard/formats/payments/csv-row.ts';
import { fieldsOf, isJsonProduct, isXmlProduct } from '../../standard/xs2a/products.ts';

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

const painColumns = {
  creditor_line_1: ({ creditorAddress }) => creditorAddress?.lines?.[0],
  creditor_line_2: ({ creditorAddress }) => creditorAddress?.lines?.[1],
  uetr: ({ inPain }) => inPain?.uetr,
  creditor_lei: ({ inPain }) => inPain?.creditorLei,
  instruction_priority: ({ inPain }) => inPain?.instructionPriority,
  reporting_country: ({ inPain }) => inPain?.regulatoryReporting?.country,
  reporting_code: ({ inPain }) => inPain?.regulatoryReporting?.code,
  reporting_information: ({ inPain }) => inPain?.regulatoryReporting?.information,
} as const satisfies Partial<Record<ColumnName, (payment: CreditTransfer) => string | undefined>>;

type PainColumn = keyof typeof painColumns;

/** The columns of pain.001 that a product has no place for, or its version (absent where a product is JSON), and why. */
function painColumnsOutside(product: string, told: string | undefined): Map<PainColumn, string> {
  const version = told ?? 'pain.001.001.03';
  const outside = new Map<PainColumn, string>();
  const without = (why: string, names: readonly PainColumn[]) => {
    for (const name of names) if (!outside.has(name)) outside.set(name, why);
  };
  const all = Object.keys(painColumns) as PainColumn[];
  if (told === undefined && !isXmlProduct(product))
    without(`${product} has no place for it; pain.001 has`, all);
  if (coreOf(product).endsWith('sepa-credit-transfers'))
    without('SEPA credit transfers have no place for it', [
      ...(['uetr', 'reporting_country', 'reporting_code', 'reporting_information'] as const),
    ]);
  if (Number(version.slice(-2)) < 9)
    without(`${version} has no place for it; --schema pain.001.001.09 has`, ['uetr', 'creditor_lei']);
  // The type of payment stands once for all payments of these.
  if (/(?:sepa-credit-transfers|target-2-payments)$/.test(product))
    without('it is one for the whole file here: --instruction-priority', ['instruction_priority']);
  return outside;
}

/** The columns that a file of payments may have: those of a product, or all. */
export function columnsOf(
  product: string | undefined,
  opened: readonly string[] = [],
  version?: string,
): CsvColumn[] {
  if (product === undefined) return [...csvColumns];
  const outside = [
    ...membersOutside(product, opened).flatMap((name): readonly string[] => memberColumns[name]),
    ...painColumnsOutside(product, version).keys(),
  ];
  return csvColumns.filter(({ name }) => !outside.includes(name));
}

type Fault = Omit<CsvFinding, 'line'>;

/** Tells of each payment what its product does not have. */
export function faultsOf(
  product: string,
  opened: readonly string[] = [],
  version?: string,
): (payment: CreditTransfer) => Fault[] {
  const lacks = membersOutside(product, opened);
  const notInPain = [...painColumnsOutside(product, version)];
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
    ...notInPain.flatMap(([column, text]): Fault[] => {
      const value = painColumns[column](payment);
      return value === undefined ? [] : [{ column, value, text }];
    }),
    ...(isSepaPain ? sepaFaults(payment) : []),
  ];
}

/** What the writer of a SEPA message would refuse without a line. */
function* sepaFaults({
  instructedAmount: { amount, currency },
  remittanceInformationUnstructured: text,
  remittanceInformationStructured: structured,
}: CreditTransfer): Generator<Fault> {
  const own = currenciesOf('sepa-credit-transfers');
  if (own?.includes(currency) === false)
    yield { column: 'currency', value: currency, text: `SEPA credit transfers are in ${own.join(', ')}` };
  const above = aboveSepa(amount);
  if (above !== undefined) yield { column: 'amount', value: amount, text: above };
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
