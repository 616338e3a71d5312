import { headerOf } from '../../standard/xs2a/answer.ts';
import { inUtf8 } from '../../standard/xs2a/json-charset.ts';
import { answerHeadersOf, checkHeaderValue } from '../../standard/xs2a/headers.ts';
import { tryJson } from '../../standard/xs2a/tpp-messages.ts';
import { mediaKind, parseMediaType } from '../../standard/xs2a/media.ts';
import type { MediaKind } from '../../standard/xs2a/media.ts';
import { codesAt } from '../../standard/xs2a/message-places.ts';
import { readJson, stringMember } from '../../standard/xs2a/json.ts';
import type { JsonValue } from '../../standard/xs2a/json.ts';
import type { AnswerKind, Operation } from '../../standard/xs2a/operations.ts';
import { isXmlProduct } from '../../standard/xs2a/products.ts';
import { noId } from '../../standard/xs2a/request.ts';
import type { PathParams } from '../../standard/xs2a/request.ts';
import type { AnswerTerms, JudgedAnswer } from './answer.ts';
import { quoted } from './finding.ts';
import type { AnswerFindings } from './finding.ts';

/** The statuses of errors that every operation declares. Source: files, responses of all operations. */
const declaredErrors: ReadonlySet<number> = new Set([
  400, 401, 403, 404, 405, 406, 408, 409, 415, 429, 500, 503,
]);
/** What stands before a bank answers with them in its place. */
const ofGateways: ReadonlySet<number> = new Set([413, 414, 431, 501, 502, 504]);

/** Judges the status of an answer. */
export function judgeStatus(found: AnswerFindings, operation: Operation, status: number): void {
  if (declaredErrors.has(status) || operation.success.some((row) => row.status === status)) return;
  const { method, path, success } = operation;
  const due = success.map((row) => String(row.status)).join(' or ');
  found.add(
    'answer-status',
    'status',
    '',
    `${String(status)} is not declared for ${method} ${path}, whose success is ${due}.`,
    ofGateways.has(status) ? 'should' : undefined,
  );
}

/** Judges the headers of an answer but Content-Type. */
export function judgeAnswerHeaders(
  found: AnswerFindings,
  { variant }: AnswerTerms,
  operation: Operation,
  answer: JudgedAnswer,
): void {
  const { headers, status, requestHeaders } = answer;
  const sent = headerOf(requestHeaders, 'x-request-id');
  const echoed = headerOf(headers, 'x-request-id');
  // What is no UUID cannot be given back.
  const isOwed = sent !== undefined && checkHeaderValue('X-Request-ID', sent).ok;
  if (echoed === undefined)
    found.add('answer-request-id', 'header', 'X-Request-ID', 'X-Request-ID is missing.');
  else if (isOwed && echoed.toLowerCase() !== sent.toLowerCase())
    found.add(
      'answer-request-id',
      'header',
      'X-Request-ID',
      `It is ${quoted(echoed)}, and that of the request ${quoted(sent)}.`,
    );
  const retry = headerOf(headers, 'retry-after');
  if (retry !== undefined && !/^\d{1,9}$/.test(retry) && !checkHeaderValue('Date', retry).ok)
    found.add('answer-retry-after', 'header', 'Retry-After', `Retry-After is ${quoted(retry)}.`);
  const due = answerHeadersOf(variant, operation, status);
  const approach = headerOf(headers, 'aspsp-sca-approach');
  if (approach !== undefined && !checkHeaderValue('ASPSP-SCA-Approach', approach).ok)
    found.add('answer-approach', 'header', 'ASPSP-SCA-Approach', `The approach is ${quoted(approach)}.`);
  if (
    due.some(({ name, need }) => name === 'Location' && need === 'm') &&
    headerOf(headers, 'location') === undefined
  )
    found.add('answer-location', 'header', 'Location', 'Location is missing.');
  judgeNotification(found, headers);
}

function judgeNotification(found: AnswerFindings, headers: JudgedAnswer['headers']): void {
  const names = ['ASPSP-Notification-Support', 'ASPSP-Notification-Content'] as const;
  const [support, content] = names.map((name) => headerOf(headers, name));
  for (const [name, value] of [
    [names[0], support],
    [names[1], content],
  ] as const)
    if (value !== undefined && !checkHeaderValue(name, value).ok)
      found.add('answer-notification', 'header', name, `${name} is ${quoted(value)}.`);
  if (support === 'true' && content === undefined)
    found.add('answer-notification', 'header', names[1], `${names[1]} is missing, and ${names[0]} is true.`);
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
    found.add(
      'answer-location',
      'header',
      'Location',
      `Location is ${quoted(location)}, and the id ${quoted(id)}.`,
    );
}

/** The formats of a success besides JSON. */
function otherMedia(kind: AnswerKind, params: PathParams): readonly MediaKind[] {
  if (kind === 'transactions') return ['xml', 'text', 'other'];
  if (!isXmlProduct(params['payment-product'] ?? '')) return [];
  return kind === 'payment' ? ['xml', 'multipart'] : kind === 'payment-status' ? ['xml'] : [];
}

/** Judges whether there is a body where one is due, and its format; returns its JSON, where it is to be judged. */
export function judgeBody(
  found: AnswerFindings,
  { variant: { framework } }: AnswerTerms,
  operation: Operation,
  params: PathParams,
  { status, headers, requestHeaders, body }: JudgedAnswer & { body: Uint8Array },
): JsonValue | undefined {
  const type = headerOf(headers, 'content-type');
  const media = mediaKind(type);
  const kind = operation.success.find((row) => row.status === status)?.answer;
  const isError = status >= 400;
  const mayHaveBody = isError
    ? codesAt(framework, operation, status).length > 0
    : kind !== undefined && kind !== 'none';
  if (body.length === 0) {
    if (isError && mayHaveBody)
      found.add('answer-message-missing', 'body', '', `${String(status)} comes without a body.`);
    else if (mayHaveBody) found.add('answer-body-missing', 'body', '', 'The body is missing.');
    return undefined;
  }
  if (!mayHaveBody) {
    if (kind === 'none')
      found.add('answer-body-unexpected', 'body', '', `${String(status)} comes with a body.`);
    // Of most statuses of errors the interface says nothing more.
    else if (declaredErrors.has(status))
      found.add('answer-body-unexpected', 'body', '', `No body is declared for ${String(status)}.`, 'may');
    return undefined;
  }
  const isOther = kind !== undefined && otherMedia(kind, params).includes(media);
  if (isOther) {
    if (media === 'xml' && /^\s*\{/.test(Buffer.from(body.subarray(0, 100)).toString('latin1')))
      found.add('answer-media', 'header', 'Content-Type', `JSON comes as ${quoted(type ?? '')}.`);
    return undefined;
  }
  const isJson = media === 'json' || (isError && media === 'problem');
  if (!isJson) {
    found.add(
      'answer-media',
      'header',
      'Content-Type',
      `The body comes as ${type === undefined ? 'nothing that is named' : quoted(type)}.`,
    );
    return isError ? tryJson(body) : undefined;
  }
  const { type: name, params: given } = parseMediaType(type ?? '');
  const asked = (headerOf(requestHeaders, 'accept') ?? '').split(',').map((one) => parseMediaType(one).type);
  if (media === 'json' && name !== 'application/json' && !asked.includes(name))
    found.add('answer-media', 'header', 'Content-Type', `JSON comes as ${quoted(name)}.`);
  const charset = given.get('charset');
  if (charset !== undefined && !/^utf-?8$/i.test(charset))
    found.add('answer-media', 'header', 'Content-Type', `The charset of JSON is ${quoted(charset)}.`);
  if (isMarked(body)) found.add('answer-json', 'body', '', 'The JSON begins with a byte order mark.');
  try {
    return readJson(inUtf8(body, type));
  } catch (error) {
    found.add(
      'answer-json',
      'body',
      '',
      `The JSON cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
    );
    return undefined;
  }
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
