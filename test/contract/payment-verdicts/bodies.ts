/**
 * Bodies of payments and the one verdict on each, typed from the guidelines (5.3, 11, 14) and the official files and not from
 * a table of src. A row is a lawful body with a change; its verdict is `lawful`, or the JSON pointer of what is wrong.
 */
import type { JsonProduct, PaymentService } from '../../../src/standard/xs2a/products.ts';

type Verdict = string;
/** Of one framework where the other has a second fault in the same body. */
type Verdicts = Verdict | { readonly '1.3.2'?: Verdict; readonly '1.3.6'?: Verdict };

/** A body, and what each judge must say of it. */
export interface Row {
  readonly service: PaymentService;
  readonly product: JsonProduct;
  /** What the body has other than a lawful one. */
  readonly change: unknown;
  readonly body: unknown;
  readonly verdict: Verdicts;
}

export const lawful = 'lawful';
export const sepa = 'sepa-credit-transfers';
export const instant = 'instant-sepa-credit-transfers';
export const target2 = 'target-2-payments';
export const abroad = 'cross-border-credit-transfers';

export const debtorAccount = { iban: 'DE89370400440532013000' };
export const transfer = {
  instructedAmount: { currency: 'EUR', amount: '123.50' },
  creditorAccount: { iban: 'FR1420041010050500013M02606' },
  creditorName: 'Marchand',
};

const row = (
  service: PaymentService,
  product: JsonProduct,
  change: unknown,
  body: unknown,
  verdict: Verdicts,
): Row => ({ service, product, change, body, verdict });

/** A single payment. */
export const one = (product: JsonProduct, change: object, verdict: Verdicts): Row =>
  row('payments', product, change, { debtorAccount, ...transfer, ...change }, verdict);
/** A bulk: its members in front of the payments. */
export const front = (product: JsonProduct, change: object, verdict: Verdicts): Row =>
  row('bulk-payments', product, change, { debtorAccount, payments: [transfer], ...change }, verdict);
/** A bulk of two: the second one has the change. */
export const second = (product: JsonProduct, change: object, verdict: Verdicts): Row => {
  const payments = [transfer, { ...transfer, creditorName: 'Boulanger', ...change }];
  return row('bulk-payments', product, change, { debtorAccount, payments }, verdict);
};
/** A standing order. */
export const standing = (product: JsonProduct, change: object, verdict: Verdicts): Row => {
  const days = { startDate: '2026-12-01', frequency: 'Monthly' };
  return row(
    'periodic-payments',
    product,
    change,
    { debtorAccount, ...transfer, ...days, ...change },
    verdict,
  );
};
/** A body that is no object. */
export const whole = (service: PaymentService, body: unknown): Row => row(service, sepa, body, body, '');

export const x = (length: number): string => 'x'.repeat(length);
