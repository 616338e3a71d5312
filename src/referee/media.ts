import { mediaKind, parseMediaType } from '../standard/xs2a/media.ts';
import type { Operation } from '../standard/xs2a/operations.ts';
import { isPaymentService, isXmlProduct, paymentMedia } from '../standard/xs2a/products.ts';
import type { PathParams } from '../standard/xs2a/request.ts';
import type { Findings } from './finding.ts';
import { quality } from './request-headers.ts';
import type { RequestHeaders } from './request-headers.ts';

/** The media type of a request's body; undefined for an operation without one. */
export function mediaOf(
  operation: Operation,
  params: PathParams,
): 'application/json' | 'application/xml' | 'multipart/form-data' | undefined {
  if (operation.body === 'none') return undefined;
  const service = params['payment-service'] ?? '';
  if (operation.body !== 'payment' || !isPaymentService(service)) return 'application/json';
  return paymentMedia(service, params['payment-product'] ?? '');
}

/** Judges Content-Type; returns whether the body can be read by it. */
export function judgeContentType(
  found: Findings,
  operation: Operation,
  params: PathParams,
  headers: RequestHeaders,
): boolean {
  const media = mediaOf(operation, params);
  if (media === undefined) return false;
  const sent = headers.get('content-type');
  if (sent === null) {
    found.add(
      'content-type',
      'header',
      'Content-Type',
      `The body comes without Content-Type; it is ${media}.`,
    );
    return true;
  }
  const { type, params: given } = parseMediaType(sent);
  const right = media === 'multipart/form-data' ? type === media : mediaKind(sent) === mediaKind(media);
  if (!right) {
    found.add('content-type', 'header', 'Content-Type', `Content-Type is ${type}, and the body is ${media}.`);
    return false;
  }
  if (type !== media)
    found.add(
      'content-type',
      'header',
      'Content-Type',
      `Content-Type is ${type}: it is read as ${media}, which is the type of the interface.`,
      { severity: 'warning' },
    );
  const charset = given.get('charset');
  if (charset !== undefined && !/^"?utf-?8"?$/i.test(charset))
    found.add(
      'content-type',
      'header',
      'Content-Type',
      `The charset is ${charset}; texts of the interface are UTF-8.`,
      { severity: 'warning' },
    );
  if (media === 'multipart/form-data' && !given.has('boundary')) {
    found.add('content-type', 'header', 'Content-Type', 'multipart/form-data comes without its boundary.');
    return false;
  }
  return true;
}

/** Judges Accept: the formats in which the answer can come. */
export function judgeAccept(
  found: Findings,
  { id }: Operation,
  params: PathParams,
  headers: RequestHeaders,
): void {
  const accept = headers.get('accept');
  if (accept === null || accept.trim() === '' || quality(accept, 'json') > 0) return;
  const xml = quality(accept, 'xml') > 0;
  const ofXml = isXmlProduct(params['payment-product'] ?? '');
  if (id === 'getTransactionList' && (xml || quality(accept, 'plain') > 0)) return;
  if (id === 'getPaymentInformation' && ofXml) return;
  if (id === 'getPaymentInitiationStatus' && ofXml && xml) return;
  found.add('accept', 'header', 'Accept', `The answer comes in none of the formats of Accept: ${accept}.`);
}
