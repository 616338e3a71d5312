import { defined } from '../../base/defined.ts';
import type { TransportFailure } from '../../base/errors.ts';
import type { HttpAnswer } from '../ports/http.ts';
import type { ExchangeView, NamedValue } from '../../settings/records/exchange.ts';
import type { JournalRecord } from '../../settings/records/journal.ts';
import type { Header } from '../../settings/records/wire.ts';
import { headerOf } from '../../standard/xs2a/answer.ts';
import { inUtf8 } from '../../standard/xs2a/json-charset.ts';
import { madeBySigning, revealsBody } from '../redaction/made-by-signing.ts';
import { maskedView, unmasked } from '../redaction/masking.ts';
import { redactGrant, redactHeaders, redactText, redactUrl } from '../redaction/redact.ts';
import type { Prepared } from './prepared.ts';
import type { EndedExchange } from './verdict.ts';

type Ended = Extract<JournalRecord, { type: 'answered' | 'failed' }>;
type PreparedRecord = Extract<JournalRecord, { type: 'prepared' }>;

/**
 * The headers as sent, without what is secret or tells a secret of the body. What signing made stays whole: a certificate is
 * public, and an OTP may be equal to a number or a date in it.
 */
export function shownHeaders({ request, signed, hasSecret }: Prepared): Header[] {
  const made = new Map(signed?.headers);
  const shown = redactHeaders(request.headers);
  return request.headers.map(([name, value], at): Header => {
    if (hasSecret && revealsBody.test(name)) return [name, '[secret]'];
    const isMade = madeBySigning.test(name) && typeof value === 'string' && made.get(name) === value;
    return [name, isMade ? value : (shown[at]?.[1] ?? '')];
  });
}

/** The signing string with the same left out; undefined where the request is not signed. */
export function shownSigningString({ signed, hasSecret }: Prepared): string | undefined {
  if (signed === undefined) return undefined;
  // The head of a JWS has the certificate in it.
  const [head = ''] = /^(?:eyJ[\w-]+\.)?/.exec(signed.signingString) ?? [];
  const text = redactText(signed.signingString.slice(head.length));
  return head + (hasSecret ? text.replace(/^digest: .*$/m, 'digest: [secret]') : text);
}

/** The body of an answer without its secrets; of one that streamed its beginning, with a mark that there was more. */
export function shownAnswer({ body, headers, rest }: HttpAnswer, operation: string): string {
  const whole = Buffer.from(inUtf8(body, headerOf(headers, 'content-type'))).toString('utf8');
  const text = /^oauth(Token|Revocation)$/.test(operation) ? redactGrant(whole) : redactText(whole);
  return rest === undefined ? text : `${text.slice(0, shownOfStream)}…`;
}

// Less than there is of it, so that no secret is cut in two before it is found.
const shownOfStream = 64 * 1024;

/** A request that is not sent yet, or never. */
export function viewOfPrepared(prepared: Prepared): ExchangeView {
  const { request } = prepared;
  return maskedView({
    operation: prepared.operation.id,
    method: request.method,
    url: redactUrl(request.url),
    requestId: prepared.requestId,
    request: requestView(
      shownHeaders(prepared),
      redactText(prepared.shownBody),
      prepared.bodySha256,
      shownSigningString(prepared),
    ),
  });
}

/** An exchange that just ended. */
export function viewOfExchange(exchange: EndedExchange): ExchangeView {
  const { prepared, startedAt, durationMs, answer, failure, verdict, tolerated } = exchange;
  return maskedView({
    at: startedAt.toISOString(),
    ...viewOfPrepared(prepared),
    outcome: verdict.outcome,
    durationMs,
    ...(answer === undefined
      ? {}
      : {
          answer: {
            status: answer.status,
            headers: named(redactHeaders(answer.headers)),
            body: shownAnswer(answer, prepared.operation.id),
            messages: 'body' in verdict ? verdict.error.messages : [],
            ...defined({ tls: answer.tls }),
          },
          tolerated,
        }),
    ...(failure === undefined
      ? {}
      : {
          failure: {
            left: failure.sent,
            why: failureText(failure),
            ...(failure.partial === undefined
              ? {}
              : { status: failure.partial.status, headers: named(redactHeaders(failure.partial.headers)) }),
          },
        }),
  });
}

/**
 * The exchanges of a run as its journal has them, in their order; the records are redacted already. With `whole`, account numbers
 * stand in the bodies as they were sent.
 */
export function viewsOfRecords(records: readonly JournalRecord[], whole = false): ExchangeView[] {
  return records
    .filter((record) => record.type === 'prepared')
    .map((prepared) => {
      const own = records.filter((record) => 'exchange' in record && record.exchange === prepared.exchange);
      const end = own.findLast((record) => record.type === 'answered' || record.type === 'failed');
      const resolved = own.findLast((record) => record.type === 'resolved');
      const left = own.some((record) => record.type === 'sending');
      const body = whole ? unmasked(prepared.body, prepared.accounts ?? []) : prepared.body;
      return maskedView({
        at: prepared.at,
        operation: prepared.operation,
        method: prepared.method,
        url: prepared.url,
        requestId: prepared.requestId,
        request: requestView(prepared.headers, body, prepared.bodySha256, prepared.signingString),
        ...(end === undefined ? brokenOff(prepared, left) : endView(prepared, end)),
        ...(resolved === undefined
          ? {}
          : {
              resolution: [`${resolved.resolution} (${resolved.by})`, resolved.reason]
                .filter((part) => part !== undefined)
                .join(': '),
            }),
      });
    });
}

/** Why a request has no complete answer, in one line. */
function failureText({ reason, message }: TransportFailure): string {
  return `${reason}: ${redactText(message)}`;
}

function requestView(
  headers: readonly Header[],
  body: string,
  bodySha256: string,
  signingString: string | undefined,
): ExchangeView['request'] {
  return {
    headers: named(headers),
    body,
    bodySha256,
    digest: headerOf(headers, 'digest') ?? null,
    signingString: signingString ?? null,
    signature: /[",]signature="([^"]*)"/.exec(headerOf(headers, 'signature') ?? '')?.[1] ?? null,
  };
}

function endView(prepared: PreparedRecord, end: Ended): Partial<ExchangeView> {
  const { durationMs } = end;
  const outcome = outcomeOf(prepared, end);
  if (end.type === 'answered') {
    const { status, headers, body, messages = [], tls, tolerated = [] } = end;
    const answer = { status, headers: named(headers), body, messages, ...defined({ tls }) };
    return { outcome, durationMs, answer, tolerated };
  }
  const { partial } = end;
  return {
    outcome,
    durationMs,
    failure: {
      left: end.outcome !== 'NOT_SENT',
      why: `${end.reason}: ${end.detail}`,
      ...(partial === undefined ? {} : { status: partial.status, headers: named(partial.headers) }),
    },
  };
}

/** The outcome to show: the journal knows four, and a read without a usable answer becomes FAILED. */
function outcomeOf(prepared: PreparedRecord, end: Ended): NonNullable<ExchangeView['outcome']> {
  const unusable = end.type === 'answered' && end.outcome === 'REJECTED' && end.status < 400;
  return !prepared.write && (end.outcome === 'UNKNOWN' || unusable) ? 'FAILED' : end.outcome;
}

/** The process ended, or still runs, between a request and its answer. */
function brokenOff(prepared: PreparedRecord, left: boolean): Partial<ExchangeView> {
  const outcome = !left ? 'NOT_SENT' : prepared.write ? 'UNKNOWN' : 'FAILED';
  return { outcome, failure: { left, why: 'the journal does not record its end' } };
}

function named(headers: readonly Header[]): NamedValue[] {
  return headers.map(([name, value]) => ({ name, value }));
}
