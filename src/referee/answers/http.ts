import { headerOf } from '../../standard/xs2a/answer.ts';
import { inUtf8 } from '../../standard/xs2a/json-charset.ts';
import { answerHeadersOf, checkHeaderValue } from '../../standard/xs2a/headers.ts';
import { tryJson } from '../../standard/xs2a/tpp-messages.ts';
import { mediaKind, parseMediaType } from '../../standard/xs2a/media.ts';
import type { MediaKind } from '../../standard/xs2a/media.ts';
import { codesAt } from '../../standard/xs2a/message-places.ts';
import { readJson, stringMember } from '../../standard/xs2a/json.ts';
import type { JsonValue } from '../../standard/xs2a/json.ts';
import type { AnswerKind } from '../../standard/xs2a/operations.ts';
import { isXmlProduct } from '../../standard/xs2a/products.ts';
import { noId } from '../../standard/xs2a/request.ts';
import type { AnsweredCall, AnswerTerms, JudgedAnswer } from './answer.ts';
import { quoted } from './finding.ts';
import type { AnswerFindings, AnswerPlace } from './finding.ts';

/** The statuses of errors that every operation declares. Source: files, responses of all operations. */
const declaredErrors: ReadonlySet<number> = new Set([
  400, 401, 403, 404, 405, 406, 408, 409, 415, 429, 500, 503,
]);
/** What stands before a bank answers with them in its place. */
const ofGateways: ReadonlySet<number> = new Set([413, 414, 431, 501, 502, 504]);

/** Judges the status of an answer. */
export function judgeStatus(found: AnswerFindings, { operation, answer }: AnsweredCall): void {
  const { method, path, success } = operation;
  const { status } = answer;
  if (declaredErrors.has(status) || success.some((row) => row.status === status)) return;
  const due = success.map((row) => String(row.status)).join(' or ');
  found
    .at('status')
    .add(
      'answer-status',
      `${String(status)} is not declared for ${method} ${path}, whose success is ${due}.`,
      ofGateways.has(status) ? 'should' : undefined,
    );
}

/** Judges the headers of an answer but Content-Type. */
export function judgeAnswerHeaders(
  found: AnswerFindings,
  { variant }: AnswerTerms,
  { operation, answer }: AnsweredCall,
): void {
  const { headers, status } = answer;
  judgeRequestId(found.at('header', 'X-Request-ID'), answer);
  const retry = headerOf(headers, 'retry-after');
  if (retry !== undefined && !/^\d{1,9}$/.test(retry) && !checkHeaderValue('Date', retry).ok)
    found.at('header', 'Retry-After').add('answer-retry-after', `Retry-After is ${quoted(retry)}.`);
  const approach = headerOf(headers, 'aspsp-sca-approach');
  if (approach !== undefined && !checkHeaderValue('ASPSP-SCA-Approach', approach).ok)
    found.at('header', 'ASPSP-SCA-Approach').add('answer-approach', `The approach is ${quoted(approach)}.`);
  const due = answerHeadersOf(variant, operation, status);
  if (
    due.some(({ name, need }) => name === 'Location' && need === 'm') &&
    headerOf(headers, 'location') === undefined
  )
    found.at('header', 'Location').add('answer-location', 'Location is missing.');
  judgeNotification(found, headers);
}

function judgeRequestId(at: AnswerPlace, { headers, requestHeaders }: JudgedAnswer): void {
  const sent = headerOf(requestHeaders, 'x-request-id');
  const echoed = headerOf(headers, 'x-request-id');
  if (echoed === undefined) {
    at.add('answer-request-id', 'X-Request-ID is missing.');
    return;
  }
  // What is no UUID cannot be given back.
  const isOwed = sent !== undefined && checkHeaderValue('X-Request-ID', sent).ok;
  if (isOwed && echoed.toLowerCase() !== sent.toLowerCase())
    at.add('answer-request-id', `It is ${quoted(echoed)}, and that of the request ${quoted(sent)}.`);
}

function judgeNotification(found: AnswerFindings, headers: JudgedAnswer['headers']): void {
  const names = ['ASPSP-Notification-Support', 'ASPSP-Notification-Content'] as const;
  for (const name of names) {
    const value = headerOf(headers, name);
    if (value !== undefined && !checkHeaderValue(name, value).ok)
      found.at('header', name).add('answer-notification', `${name} is ${quoted(value)}.`);
  }
  const [support, content] = names;
  if (headerOf(headers, support) === 'true' && headerOf(headers, content) === undefined)
    found.at('header', content).add('answer-notification', `${content} is missing, and ${support} is true.`);
}

/** Judges Location against the id of what was created. */
export function judgeLocation(
  found: AnswerFindings,
  { headers }: JudgedAnswer,
  id: string | undefined,
): void {
  const location = headerOf(headers, 'location');
  if (location === undefined || id === undefined) return;
  const last = (location.split(/[?#]/, 1)[0] ?? '').split('/').at(-1) ?? '';
  if (last !== id && last !== encodeURIComponent(id))
    found
      .at('header', 'Location')
      .add('answer-location', `Location is ${quoted(location)}, and the id ${quoted(id)}.`);
}

/** The formats of a success besides JSON. */
function otherMedia({ kind, params }: AnsweredCall): readonly MediaKind[] {
  if (kind === 'transactions') return ['xml', 'text', 'other'];
  if (!isXmlProduct(params['payment-product'] ?? '')) return [];
  return kind === 'payment' ? ['xml', 'multipart'] : kind === 'payment-status' ? ['xml'] : [];
}

/** Judges whether there is a body where one is due, and its format; returns its JSON, where it is to be judged. */
export function judgeBody(
  found: AnswerFindings,
  call: AnsweredCall,
  body: Uint8Array,
): JsonValue | undefined {
  const { operation, kind } = call;
  const { status } = call.answer;
  const at = found.at('body');
  const isError = status >= 400;
  const mayHaveBody = isError
    ? codesAt(found.framework, operation, status).length > 0
    : kind !== undefined && kind !== 'none';
  if (mayHaveBody && body.length > 0) return jsonOf(found, call, body);
  if (mayHaveBody && isError) at.add('answer-message-missing', `${String(status)} comes without a body.`);
  else if (mayHaveBody) at.add('answer-body-missing', 'The body is missing.');
  else if (body.length > 0 && kind === 'none')
    at.add('answer-body-unexpected', `${String(status)} comes with a body.`);
  // Of most statuses of errors the interface says nothing more.
  else if (body.length > 0 && declaredErrors.has(status))
    at.add('answer-body-unexpected', `No body is declared for ${String(status)}.`, 'may');
  return undefined;
}

/** Judges the format of a body; returns its JSON, where it is to be judged. */
function jsonOf(found: AnswerFindings, call: AnsweredCall, body: Uint8Array): JsonValue | undefined {
  const { headers, status } = call.answer;
  const type = headerOf(headers, 'content-type');
  const media = mediaKind(type);
  const at = found.at('header', 'Content-Type');
  if (otherMedia(call).includes(media)) {
    if (media === 'xml' && /^\s*\{/.test(Buffer.from(body.subarray(0, 100)).toString('latin1')))
      at.add('answer-media', `JSON comes as ${quoted(type ?? '')}.`);
    return undefined;
  }
  const isError = status >= 400;
  if (media !== 'json' && !(isError && media === 'problem')) {
    const named = type === undefined ? 'nothing that is named' : quoted(type);
    at.add('answer-media', `The body comes as ${named}.`);
    return isError ? tryJson(body) : undefined;
  }
  judgeJsonType(at, type ?? '', headerOf(call.answer.requestHeaders, 'accept'));
  const whole = found.at('body');
  if (isMarked(body)) whole.add('answer-json', 'The JSON begins with a byte order mark.');
  try {
    return readJson(inUtf8(body, type));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    whole.add('answer-json', `The JSON cannot be read: ${why}.`);
    return undefined;
  }
}

/** JSON comes under its own name or that which was asked for, and in UTF-8. */
function judgeJsonType(at: AnswerPlace, contentType: string, accept = ''): void {
  const { type, params } = parseMediaType(contentType);
  const asked = accept.split(',').map((one) => parseMediaType(one).type);
  if (mediaKind(contentType) === 'json' && type !== 'application/json' && !asked.includes(type))
    at.add('answer-media', `JSON comes as ${quoted(type)}.`);
  const charset = params.get('charset');
  if (charset !== undefined && !/^utf-?8$/i.test(charset))
    at.add('answer-media', `The charset of JSON is ${quoted(charset)}.`);
}

/** A byte order mark, which JSON on the wire must not have. */
const isMarked = (body: Uint8Array): boolean => body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;

/** The id of what an answer has created; undefined where it has created nothing. */
export function createdId(kind: AnswerKind | undefined, json: JsonValue): string | undefined {
  const name =
    kind === 'payment-initiation'
      ? 'paymentId'
      : kind === 'consent-creation'
        ? 'consentId'
        : kind === 'basket-creation'
          ? 'basketId'
          : undefined;
  const id = name === undefined ? undefined : stringMember(json, name);
  return id === undefined || noId(id) !== undefined ? undefined : id;
}
