import type { SavedResource } from '../../settings/records/resources.ts';
import { scaParams } from '../../standard/sca/operations.ts';
import type { Answer } from '../../standard/xs2a/answer.ts';
import { isXmlProduct } from '../../standard/xs2a/products.ts';
import { call } from '../call/call.ts';
import { parentOf } from './saved-resource.ts';
import type { Target } from '../exchange/target.ts';

/** Reads the payment itself. */
export async function readPayment(target: Target, resource: SavedResource): Promise<Answer> {
  return call(target, {
    operation: 'getPaymentInformation',
    params: scaParams(parentOf(resource)),
    usualAccept: usualPayment(resource),
    resource: { paymentId: resource.id },
  });
}

/** The formats in which a payment is asked for unless the bank says otherwise: its own, then JSON. */
export function usualPayment({ service, product = '' }: Pick<SavedResource, 'service' | 'product'>): string {
  if (!isXmlProduct(product)) return 'application/json';
  const own = service === 'periodic-payments' ? 'multipart/form-data' : 'application/xml';
  return `${own}, application/json;q=0.5`;
}
