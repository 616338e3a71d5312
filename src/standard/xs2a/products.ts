/** Payment services, products, and which member of a JSON payment a product allows. */
import type { Need } from './header-rows.ts';
import type { BulkPaymentInitiation, PaymentInitiation, StandingOrder } from './wire.ts';

/** The three payment services. */
export const paymentServices = ['payments', 'bulk-payments', 'periodic-payments'] as const;
/** One of the three payment services. */
export type PaymentService = (typeof paymentServices)[number];

/** The four core products in JSON. */
export const jsonProducts = [
  'sepa-credit-transfers',
  'instant-sepa-credit-transfers',
  'target-2-payments',
  'cross-border-credit-transfers',
] as const;
/** A core product in JSON. */
export type JsonProduct = (typeof jsonProducts)[number];

/** The four core products as pain.001. */
export const xmlProducts = [
  'pain.001-sepa-credit-transfers',
  'pain.001-instant-sepa-credit-transfers',
  'pain.001-target-2-payments',
  'pain.001-cross-border-credit-transfers',
] as const;
/** A core product as pain.001. */
export type XmlProduct = (typeof xmlProducts)[number];

/** The eight products of the service. */
export const products: readonly (JsonProduct | XmlProduct)[] = [...jsonProducts, ...xmlProducts];

/** Tells whether a text names a payment service. */
export function isPaymentService(text: string): text is PaymentService {
  return (paymentServices as readonly string[]).includes(text);
}

/** Tells whether a text names a core product in JSON. */
export function isJsonProduct(text: string): text is JsonProduct {
  return (jsonProducts as readonly string[]).includes(text);
}

/** Tells whether the bodies of a product are pain.001; also for the products of a community. */
export function isXmlProduct(product: string): boolean {
  return product.startsWith('pain.001-');
}

/** The Content-Type of a payment body; a standing order as pain.001 is multipart. Source: guidelines 5.3.3. */
export function paymentMedia(
  service: PaymentService,
  product: string,
): 'application/json' | 'application/xml' | 'multipart/form-data' {
  if (!isXmlProduct(product)) return 'application/json';
  return service === 'periodic-payments' ? 'multipart/form-data' : 'application/xml';
}

/** A member's place in a core product; `n` is outside the product (a bank may still open it). */
export type FieldNeed = Need | 'n';

type Field = keyof PaymentInitiation;

/** The value of a member of a payment: a text of at most this many characters, or a kind of value with a check of its own. */
export type PaymentValue =
  | number
  | 'account'
  | 'account of the payee'
  | 'address'
  | 'amount'
  | 'BIC'
  | 'charge bearer'
  | 'code of ISO 20022'
  | 'currency'
  | 'day'
  | 'day of the month'
  | 'execution rule'
  | 'flag'
  | 'frequency'
  | 'last day'
  | 'moment'
  | 'months'
  | 'name of an agent'
  | 'payments'
  | 'reference'
  | 'references'
  | 'texts';

type MemberRow = readonly [
  value: PaymentValue,
  sepa: FieldNeed,
  instant: FieldNeed,
  target2: FieldNeed,
  crossBorder: FieldNeed,
];

const everywhere = (need: FieldNeed, value: PaymentValue): MemberRow => [value, need, need, need, need];

const matrix: Readonly<Record<Field, MemberRow>> = {
  endToEndIdentification: [35, 'o', 'o', 'o', 'n'],
  debtorAccount: everywhere('m', 'account'),
  instructedAmount: everywhere('m', 'amount'),
  creditorAccount: everywhere('m', 'account of the payee'),
  creditorName: everywhere('m', 70),
  creditorAgent: ['BIC', 'o', 'o', 'o', 'c'],
  creditorAddress: ['address', 'o', 'o', 'o', 'c'],
  chargeBearer: ['charge bearer', 'n', 'n', 'o', 'c'],
  remittanceInformationUnstructured: everywhere('o', 140),
  instructionIdentification: everywhere('n', 35),
  debtorName: everywhere('n', 70),
  debtorId: everywhere('n', 35),
  ultimateDebtor: everywhere('n', 70),
  currencyOfTransfer: everywhere('n', 'currency'),
  creditorAgentName: everywhere('n', 'name of an agent'),
  creditorId: everywhere('n', 35),
  creditorNameAndAddress: everywhere('n', 140),
  ultimateCreditor: everywhere('n', 70),
  purposeCode: everywhere('n', 'code of ISO 20022'),
  serviceLevel: everywhere('n', 'code of ISO 20022'),
  remittanceInformationUnstructuredArray: everywhere('n', 'texts'),
  remittanceInformationStructured: everywhere('n', 'reference'),
  remittanceInformationStructuredArray: everywhere('n', 'references'),
  requestedExecutionDate: everywhere('n', 'day'),
  requestedExecutionTime: everywhere('n', 'moment'),
};

/** The members of a single payment, those that no core product has included. Source: guidelines 11.1. */
export const paymentMembers = Object.keys(matrix) as readonly Field[];

/** Returns what the value of a member of a single payment is. Source: guidelines 11.1, official schemas. */
export const valueOf = (member: Field): PaymentValue => matrix[member][0];

/** Returns how each member of a single payment stands in a core product. Source: guidelines 11.1. */
export function fieldsOf(product: JsonProduct): Readonly<Record<Field, FieldNeed>> {
  const column = jsonProducts.indexOf(product);
  const needs = Object.fromEntries(
    Object.entries(matrix).map(([field, [, ...row]]) => [field, row[column] ?? 'n']),
  );
  // Those who ask may name any member, `constructor` too.
  return Object.assign(Object.create(null) as object, needs) as Record<Field, FieldNeed>;
}

/** Tells whether the product has an endToEndIdentification (all core products in JSON but cross-border). */
export function allowsEndToEndIdentification(product: string): boolean {
  return isJsonProduct(product) && fieldsOf(product).endToEndIdentification !== 'n';
}

type OtherRow = readonly [value: PaymentValue, need: 'm' | 'o'];

/** The members of a bulk payment in front of its payments, and these. Source: guidelines 5.3.4, 11.3. */
export const bulkMembers = {
  debtorAccount: ['account', 'm'],
  batchBookingPreferred: ['flag', 'o'],
  requestedExecutionDate: ['day', 'o'],
  requestedExecutionTime: ['moment', 'o'],
  paymentInformationId: [35, 'o'],
  payments: ['payments', 'm'],
} as const satisfies Readonly<Record<keyof BulkPaymentInitiation, OtherRow>>;

/** The members of a standing order beside those of its payment. Source: guidelines 5.3.3. */
export const standingMembers = {
  startDate: ['day', 'm'],
  frequency: ['frequency', 'm'],
  endDate: ['last day', 'o'],
  executionRule: ['execution rule', 'o'],
  dayOfExecution: ['day of the month', 'o'],
  monthsOfExecution: ['months', 'o'],
} as const satisfies Readonly<Record<keyof StandingOrder, OtherRow>>;

/** The identifications of an account, of which a reference has exactly one. Source: guidelines 14.2. */
export const accountIdentifiers = ['iban', 'bban', 'pan', 'maskedPan', 'msisdn'] as const;

/** The length limits of the members of an address, under the names of all frameworks. Source: guidelines 14.4. */
export const addressLimits: Readonly<Record<string, number>> = {
  street: 70,
  streetName: 70,
  buildingNumber: 16,
  city: 35,
  townName: 35,
  postalCode: 16,
  postCode: 16,
};
