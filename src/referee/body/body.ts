import { ObkError } from '../../base/errors.ts';
import { periodicDocuments, readMultipart } from '../../standard/formats/text/multipart.ts';
import { readJson } from '../../standard/xs2a/json.ts';
import type { JsonValue } from '../../standard/xs2a/json.ts';
import { isPaymentService } from '../../standard/xs2a/products.ts';
import type { Findings } from '../finding.ts';
import { judgeContentType, mediaOf } from '../media.ts';
import type { Matched } from '../path.ts';
import type { RequestHeaders } from '../request-headers.ts';
import type { Terms } from '../request.ts';
import { tell } from './members.ts';
import type { Check } from './members.ts';
import { authorisationBody, basketBody, consentBody, fundsBody, saysNothing } from './others.ts';
import { paymentBody, standingBody } from './payment.ts';
import type { PaymentTerms } from './payment.ts';

/** A body that is longer is not judged: nothing but a bulk is, and the bank reads it anyway. */
export const longestBody = 1024 * 1024;

/** Judges the body of a request; XML is judged where it is asked for, since its reader is heavy. */
export async function judgeBody(
  found: Findings,
  terms: Terms,
  matched: Matched,
  headers: RequestHeaders,
  body: Uint8Array,
): Promise<void> {
  const { operation, params } = matched;
  if (operation.body === 'none') {
    // A bank need not read the body of a GET to know that there is one.
    const announced =
      /^0*[1-9]/.test(headers.get('content-length') ?? '') || headers.has('transfer-encoding');
    if (body.length > 0 || announced)
      found.add('body-unexpected', 'body', '', `${operation.id} comes with a body.`);
    return;
  }
  if (body.length === 0) {
    if (operation.body === 'authorisation') judgeNoBody(found, matched, headers);
    else tell(found, 'body-missing', '', 'The request has no body.');
    return;
  }
  if (!judgeContentType(found, operation, params, headers) || body.length > longestBody) return;
  const today = terms.now.toISOString().slice(0, 10);
  const media = mediaOf(operation, params);
  if (media === 'application/json') {
    const check = checkOf(terms, matched, today);
    const json = jsonOf(found, body);
    if (json === undefined) return;
    check?.(json, '', found);
    if (operation.body === 'authorisation' && saysNothing(json)) judgeNoBody(found, matched, headers);
  } else {
    await judgeFile(found, terms, matched, headers.get('content-type') ?? '', body, today);
  }
}

/** An authorisation without data is an identification where it is an update, and a plain start otherwise. */
function judgeNoBody(found: Findings, { operation }: Matched, headers: RequestHeaders): void {
  const named = ['psu-id', 'psu-corporate-id', 'authorization'].some((name) => headers.has(name));
  if (operation.method === 'PUT' && !named)
    found.add(
      'psu-id-missing',
      'header',
      'PSU-ID',
      'The update has neither a body nor PSU-ID: nothing is updated.',
    );
}

function checkOf({ variant: { framework } }: Terms, matched: Matched, today: string): Check | undefined {
  switch (matched.operation.body) {
    case 'payment': {
      const terms = paymentTerms(framework, matched, today);
      return terms && paymentBody(terms);
    }
    case 'consent':
      return consentBody(framework, today);
    case 'funds':
      return fundsBody(framework);
    case 'basket':
      return basketBody;
    case 'authorisation':
      return authorisationBody(framework, matched.operation.method === 'POST');
    case 'none':
      return undefined;
  }
}

function paymentTerms(
  framework: PaymentTerms['framework'],
  { params }: Matched,
  today: string,
): PaymentTerms | undefined {
  const service = params['payment-service'] ?? '';
  if (!isPaymentService(service)) return undefined;
  return { framework, service, product: params['payment-product'] ?? '', today };
}

function jsonOf(found: Findings, body: Uint8Array): JsonValue | undefined {
  // A reader may forgive it (RFC 8259, 8.1); many do not.
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf)
    tell(found, 'body-unreadable', '', 'The body begins with a byte order mark.', { severity: 'warning' });
  try {
    return readJson(body, { code: 'INPUT_INVALID', maxBytes: longestBody });
  } catch (error) {
    if (!(error instanceof ObkError)) throw error;
    tell(found, 'body-unreadable', '', error.detail ?? error.title);
    return undefined;
  }
}

/** A payment in XML: pain.001, alone or in a form with the JSON of a standing order. */
async function judgeFile(
  found: Findings,
  { variant: { framework } }: Terms,
  matched: Matched,
  contentType: string,
  body: Uint8Array,
  today: string,
): Promise<void> {
  const terms = paymentTerms(framework, matched, today);
  if (terms === undefined) return;
  const { judgePain } = await import('./pain.ts');
  if (terms.service !== 'periodic-payments') {
    await judgePain(found, terms, body);
    return;
  }
  const documents = documentsOf(contentType, body);
  if (documents === undefined) {
    tell(found, 'body-unreadable', '', 'The form does not hold one XML part and one JSON part.');
    return;
  }
  await judgePain(found, terms, documents.xml);
  const json = jsonOf(found, documents.json);
  if (json !== undefined) standingBody(terms)(json, '', found);
}

function documentsOf(contentType: string, body: Uint8Array) {
  try {
    return periodicDocuments(readMultipart(contentType, body, 'INPUT_INVALID'));
  } catch (error) {
    if (!(error instanceof ObkError)) throw error;
    return undefined;
  }
}
