import { readJson } from '../xs2a/json.ts';
import type { JsonProduct, PaymentService } from '../xs2a/products.ts';
import type { Call } from './call.ts';
import { isoDay } from './life-cycle.ts';
import { readJsonOrder } from './order-json.ts';
import type { Terms } from './order-json.ts';
import type { Order } from './order.ts';
import { formatError } from './refusal.ts';

/** Reads the body of a payment of any service and product; throws FORMAT_ERROR or EXECUTION_DATE_INVALID. */
export function readOrder(call: Call): Promise<Order> {
  const terms: Terms = {
    framework: call.variant.framework,
    service: call.params['payment-service'] as PaymentService,
    product: call.params['payment-product'] as JsonProduct,
    today: isoDay(call.now),
    scenario: call.scenario,
  };
  return Promise.resolve(readJsonOrder(parse(call.body), terms));
}

function parse(body: Uint8Array): unknown {
  try {
    return readJson(body, { code: 'INPUT_INVALID', maxBytes: body.length });
  } catch {
    throw formatError('The body is not JSON.');
  }
}
