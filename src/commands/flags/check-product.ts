import { nearest } from '../../nearest.ts';
import { isPaymentService, paymentServices, products } from '../../xs2a/products.ts';
import { usageError } from './flag-values.ts';

/** Throws for a service that the interface does not know; a near miss is named. */
export function checkService(service: string): void {
  if (!isPaymentService(service)) throw unknown('payment service', '--service', service, paymentServices);
}

/** Throws for a service or product that the interface does not know; a near miss is named. */
export function checkProduct(service: string, product: string): void {
  checkService(service);
  if (!(products as readonly string[]).includes(product)) {
    throw unknown('payment product', '--product', product, products);
  }
}

function unknown(what: string, flag: string, value: string, known: readonly string[]): Error {
  const near = nearest(value, known);
  return usageError(
    `There is no ${what} ${JSON.stringify(value)}.`,
    ...(near.length > 0 ? near : known).map((name) => `${flag} ${name}`),
  );
}
