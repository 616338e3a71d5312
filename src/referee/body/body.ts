import { ObkError } from '../../base/errors.ts';
import { periodicDocuments, readMultipart } from '../../standard/formats/text/multipart.ts';
import { readJson } from '../../standard/xs2a/json.ts';
import type { JsonValue } from '../../standard/xs2a/json.ts';
import { isPaymentService } from '../../standard/xs2a/products.ts';
import type { Findings } from '../finding.ts';
import { judgeContentType, mediaOf } from '../media.ts';
import type { JudgedCall } from '../request.ts';
import type { Check } from './members.ts';
import { authorisationBody, basketBody, consentBody, fundsBody, saysNothing } from './others.ts';
import { paymentBody, standingBody } from './payment.ts';
import type { PaymentTerms } from './payment.ts';

/** A body that is longer is not judged: nothing but a bulk is, and the bank reads it anyway. */
export const longestBody = 1024 * 1024;

/** Judges the body of a request; XML is judged where it is asked for, since its reader is heavy. */
export async function judgeBody(found: Findings, call: JudgedCall, body: Uint8Array): Promise<void> {
  const { operation, headers } = call;
  if (operation.body === 'none') {
    // A bank need not read the body of a GET to know that there is one.
    const announced =
      /^0*[1-9]/.test(headers.get('content-length') ?? '') || headers.has('transfer-encoding');
    if (body.length > 0 || announced)
      found.at('body').add('body-unexpected', `${operation.id} comes with a body.`);
    return;
  }
  if (body.length === 0) {
    if (operation.body === 'authorisation') judgeNoBody(found, call);
    else found.at('body').add('body-missing', 'The request has no body.');
    return;
  }
  if (!judgeContentType(found, call) || body.length > longestBody) return;
  if (mediaOf(call) === 'application/json') judgeJson(found, call, body);
  else await judgeFile(found, call, body);
}

function judgeJson(found: Findings, call: JudgedCall, body: Uint8Array): void {
  const json = jsonOf(found, body);
  if (json === undefined) return;
  checkOf(call)?.(json, found.at('body'));
  if (call.operation.body === 'authorisation' && saysNothing(json)) judgeNoBody(found, call);
}

/** An authorisation without data is an identification where it is an update, and a plain start otherwise. */
function judgeNoBody(found: Findings, { operation, headers }: JudgedCall): void {
  const named = ['psu-id', 'psu-corporate-id', 'authorization'].some((name) => headers.has(name));
  if (operation.method === 'PUT' && !named)
    found
      .at('header', 'PSU-ID')
      .add('psu-id-missing', 'The update has neither a body nor PSU-ID: nothing is updated.');
}

const todayOf = ({ terms }: JudgedCall): string => terms.now.toISOString().slice(0, 10);

function checkOf(call: JudgedCall): Check | undefined {
  const { operation, terms } = call;
  const { framework } = terms.variant;
  switch (operation.body) {
    case 'payment': {
      const payment = paymentTerms(call);
      return payment && paymentBody(payment);
    }
    case 'consent':
      return consentBody(framework, todayOf(call));
    case 'funds':
      return fundsBody(framework);
    case 'basket':
      return basketBody;
    case 'authorisation':
      return authorisationBody(framework, operation.method === 'POST');
    case 'none':
      return undefined;
  }
}

function paymentTerms(call: JudgedCall): PaymentTerms | undefined {
  const { terms, params } = call;
  const service = params['payment-service'] ?? '';
  if (!isPaymentService(service)) return undefined;
  const product = params['payment-product'] ?? '';
  return { framework: terms.variant.framework, service, product, today: todayOf(call) };
}

function jsonOf(found: Findings, body: Uint8Array): JsonValue | undefined {
  // A reader may forgive it (RFC 8259, 8.1); many do not.
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf)
    found
      .at('body')
      .add('body-unreadable', 'The body begins with a byte order mark.', { severity: 'warning' });
  try {
    return readJson(body, { code: 'INPUT_INVALID', maxBytes: longestBody });
  } catch (error) {
    if (!(error instanceof ObkError)) throw error;
    found.at('body').add('body-unreadable', error.detail ?? error.title);
    return undefined;
  }
}

/** A payment in XML: pain.001, alone or in a form with the JSON of a standing order. */
async function judgeFile(found: Findings, call: JudgedCall, body: Uint8Array): Promise<void> {
  const terms = paymentTerms(call);
  if (terms === undefined) return;
  const { judgePain } = await import('./pain.ts');
  if (terms.service !== 'periodic-payments') {
    await judgePain(found, terms, body);
    return;
  }
  const documents = documentsOf(call.headers.get('content-type') ?? '', body);
  if (documents === undefined) {
    found.at('body').add('body-unreadable', 'The form does not hold one XML part and one JSON part.');
    return;
  }
  await judgePain(found, terms, documents.xml);
  const json = jsonOf(found, documents.json);
  if (json !== undefined) standingBody(terms)(json, found.at('body'));
}

function documentsOf(contentType: string, body: Uint8Array) {
  try {
    return periodicDocuments(readMultipart(contentType, body, 'INPUT_INVALID'));
  } catch (error) {
    if (!(error instanceof ObkError)) throw error;
    return undefined;
  }
}
