import { isJsonProduct, isPaymentService, isXmlProduct } from '../../standard/xs2a/products.ts';
import type { Call, RunningBank } from '../trust/call.ts';
import { isoDay } from '../books/life-cycle.ts';
import type { Order } from '../books/order.ts';
import { readJsonOrder, parseJson } from './order-json.ts';
import type { Terms } from './order-json.ts';

/** Reads the body of a payment of any service and product; throws FORMAT_ERROR or EXECUTION_DATE_INVALID. */
export async function readOrder({ dialect }: Pick<RunningBank, 'dialect'>, call: Call): Promise<Order> {
  const service = call.params['payment-service'] ?? '';
  const named = call.params['payment-product'] ?? '';
  const product = named.replace(/^pain\.001-/, '');
  if (!isPaymentService(service) || !isJsonProduct(product))
    throw new Error(`no product ${service}/${named}`);
  const terms: Terms = {
    framework: call.variant.framework,
    service,
    product,
    today: isoDay(call.now),
    scenario: call.scenario,
    forms: dialect?.settings.payments,
  };
  if (!isXmlProduct(named)) return readJsonOrder(parseJson(call.body), terms);
  // Loaded when needed: the readers of XML are heavy, and most runs never see any.
  const { readXmlOrder, readXmlStandingOrder } = await import('./order-xml.ts');
  const contentType = call.headers.get('content-type') ?? '';
  return service === 'periodic-payments'
    ? readXmlStandingOrder(contentType, call.body, terms)
    : readXmlOrder(call.body, terms);
}
