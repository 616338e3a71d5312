import type { BankDescriptor } from '../../../settings/records/bank-descriptor.ts';
import { nearest } from '../../../base/nearest.ts';
import { isPaymentService, paymentServices, products } from '../../../standard/xs2a/products.ts';
import { usageError } from './flag-values.ts';

/** Throws for a service that the interface does not know; a near miss is named. */
export function checkService(service: string): void {
  if (!isPaymentService(service)) throw unknown('payment service', '--service', service, paymentServices);
}

/** The products of a service: those of the interface, unless the bank has described its own. */
export type ProductMatrix = NonNullable<NonNullable<BankDescriptor['payments']>['matrix']>;

/** Returns the products of a service at a bank. */
export function productsOf(service: string, matrix: ProductMatrix = {}): readonly string[] {
  return Object.hasOwn(matrix, service) ? Object.keys(matrix[service] ?? {}) : products;
}

/** Throws for a service or product that the interface, or the bank, does not know; a near miss is named. */
export function checkProduct(service: string, product: string, matrix?: ProductMatrix): void {
  checkService(service);
  const known = productsOf(service, matrix);
  if (!known.includes(product)) throw unknown('payment product', '--product', product, known);
}

function unknown(what: string, flag: string, value: string, known: readonly string[]): Error {
  const near = nearest(value, known);
  return usageError(
    `There is no ${what} ${JSON.stringify(value)}.`,
    ...(near.length > 0 ? near : known).map((name) => `${flag} ${name}`),
  );
}
