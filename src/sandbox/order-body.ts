import { periodicDocuments, readMultipart } from '../formats/multipart.ts';
import { readJson } from '../xs2a/json.ts';
import { isJsonProduct, isPaymentService, isXmlProduct } from '../xs2a/products.ts';
import type { Call } from './call.ts';
import { isoDay } from './life-cycle.ts';
import { requireObject } from './order-fields.ts';
import { readJsonOrder, readStandingOrder } from './order-json.ts';
import type { Terms } from './order-json.ts';
import { readXmlOrder } from './order-xml.ts';
import type { Order } from './order.ts';
import { formatError } from './refusal.ts';

/** Reads the body of a payment of any service and product; throws FORMAT_ERROR or EXECUTION_DATE_INVALID. */
export async function readOrder(call: Call): Promise<Order> {
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
  };
  if (!isXmlProduct(named)) return readJsonOrder(parse(call.body), terms);
  return service === 'periodic-payments' ? readPeriodic(call, terms) : readXmlOrder(call.body, terms);
}

async function readPeriodic({ headers, body }: Call, terms: Terms): Promise<Order> {
  const { xml, json } = documentsOf(headers.get('content-type') ?? '', body);
  const order = await readXmlOrder(xml, terms);
  return { ...order, standing: readStandingOrder(requireObject(parse(json), ''), terms) };
}

function documentsOf(contentType: string, body: Uint8Array) {
  let found: ReturnType<typeof periodicDocuments>;
  try {
    found = periodicDocuments(readMultipart(contentType, body, 'INPUT_INVALID'));
  } catch {
    throw formatError('The multipart body cannot be read.');
  }
  if (found === undefined) throw formatError('The form has not an XML part and a JSON part.');
  return found;
}

function parse(body: Uint8Array): unknown {
  try {
    return readJson(body, { code: 'INPUT_INVALID', maxBytes: body.length });
  } catch {
    throw formatError('The body is not JSON.');
  }
}
