import { mediaKind, parseMediaType } from '../standard/xs2a/media.ts';
import { isPaymentService, isXmlProduct, paymentMedia } from '../standard/xs2a/products.ts';
import type { Findings } from './finding.ts';
import { quality } from './request-headers.ts';
import type { JudgedCall, Matched } from './request.ts';

/** The media type of a request's body; undefined for an operation without one. */
export function mediaOf({
  operation,
  params,
}: Matched): 'application/json' | 'application/xml' | 'multipart/form-data' | undefined {
  if (operation.body === 'none') return undefined;
  const service = params['payment-service'] ?? '';
  if (operation.body !== 'payment' || !isPaymentService(service)) return 'application/json';
  return paymentMedia(service, params['payment-product'] ?? '');
}

/** Judges Content-Type; returns whether the body can be read by it. */
export function judgeContentType(found: Findings, call: JudgedCall): boolean {
  const media = mediaOf(call);
  if (media === undefined) return false;
  const sent = call.headers.get('content-type');
  const at = found.at('header', 'Content-Type');
  if (sent === null) {
    at.add('content-type', `The body comes without Content-Type; it is ${media}.`);
    return true;
  }
  const { type, params: given } = parseMediaType(sent);
  const right = media === 'multipart/form-data' ? type === media : mediaKind(sent) === mediaKind(media);
  if (!right) {
    at.add('content-type', `Content-Type is ${type}, and the body is ${media}.`);
    return false;
  }
  if (type !== media)
    at.add(
      'content-type',
      `Content-Type is ${type}: it is read as ${media}, which is the type of the interface.`,
      { severity: 'warning' },
    );
  const charset = given.get('charset');
  if (charset !== undefined && !/^"?utf-?8"?$/i.test(charset))
    at.add('content-type', `The charset is ${charset}; texts of the interface are UTF-8.`, {
      severity: 'warning',
    });
  if (media === 'multipart/form-data' && !given.has('boundary')) {
    at.add('content-type', 'multipart/form-data comes without its boundary.');
    return false;
  }
  return true;
}

/** Judges Accept: the formats in which the answer can come. */
export function judgeAccept(found: Findings, { operation, params, headers }: JudgedCall): void {
  const { id } = operation;
  const accept = headers.get('accept');
  if (accept === null || accept.trim() === '' || quality(accept, 'json') > 0) return;
  const xml = quality(accept, 'xml') > 0;
  const ofXml = isXmlProduct(params['payment-product'] ?? '');
  if (id === 'getTransactionList' && (xml || quality(accept, 'plain') > 0)) return;
  if (id === 'getPaymentInformation' && ofXml) return;
  if (id === 'getPaymentInitiationStatus' && ofXml && xml) return;
  found.at('header', 'Accept').add('accept', `The answer comes in none of the formats of Accept: ${accept}.`);
}
