import { line } from '../../command-line.ts';
import { cleanLine } from '../../clean.ts';
import { BankRefusal, ObkError, OutcomeUnknown } from '../../errors.ts';
import type { BankMessage, ErrorCode, ErrorParts, ExitCode, TransportFailure } from '../../errors.ts';
import type { HttpAnswer } from '../../ports/http.ts';
import { headerOf, readAnswer } from '../../xs2a/answer.ts';
import { messageCode } from '../../xs2a/codes.ts';
import type { AnswerDialect } from '../../xs2a/answer-dialect.ts';
import type { Operation } from '../../xs2a/operations.ts';
import { saidOf } from '../../xs2a/refused.ts';
import { readErrorBody, refusalExit, withOauthCode } from '../../xs2a/tpp-messages.ts';
import type { ErrorBody } from '../../xs2a/tpp-messages.ts';
import type { Variant } from '../../xs2a/variants.ts';
import type { Tolerated } from '../../xs2a/tolerated.ts';
import { redactMessage, redactText, redactUrl } from '../redaction/redact.ts';
import type { Prepared } from './prepared.ts';

import type { ReportEnd } from './report-end.ts';
import type { Verdict } from './verdict.ts';
import { missingEnd } from './whole-answer.ts';

/** Makes a verdict of an answer, or of its absence. */
export interface Judge<A> {
  /** With the verdict what is to see the rest of an answer that streams, and what was tolerated in it. */
  answer(
    answer: HttpAnswer,
  ): Promise<{ verdict: Verdict<A>; end?: ReportEnd; tolerated?: readonly Tolerated[] }>;
  failure(failure: TransportFailure): Verdict<A>;
  /** Called after the last byte of a streamed answer; `cut` says why the answer is incomplete. */
  ended?(answer: HttpAnswer, verdict: Verdict<A>, cut: string | undefined): Verdict<A>;
}

/** The facts about a request that a judge needs, from a live call or from a journal record. */
export type Judged = Pick<Prepared, 'path' | 'requestId' | 'write'> & {
  operation: Operation;
  intent: string;
  resource?: ErrorParts['resource'];
  /** The run says how long an answer may be. */
  streams?: boolean;
  /** How this bank writes its answers. */
  dialect?: AnswerDialect | undefined;
};

/** Judges a complete answer without any network: the same for a live call and for one read from the journal. */
export function judgeAnswer(request: Judged, answer: HttpAnswer, variant: Variant): Verdict {
  const { status } = answer;
  const meaning = request.dialect?.meaning?.[String(status)];
  if (meaning === 'unknown' && request.write)
    return unknown(request, {
      detail: `The bank answered ${String(status)}, which says nothing here.`,
      status,
    });
  if (meaning === 'done' || (meaning === undefined && status >= 200 && status < 300))
    return judgeSuccess(request, asDone(request, answer), variant);
  const contentType = headerOf(answer.headers, 'content-type');
  const { aliases, errorShapes = [] } = request.dialect ?? {};
  const read = readErrorBody(answer.body, contentType, aliases);
  const refusal = withoutSecrets(errorShapes.includes('oauth') ? withOauthCode(read) : read);
  if (meaning !== 'refused' && request.write && isUnclear(request, status, refusal)) {
    const said = saidIn(refusal, errorShapes);
    const words = said === undefined ? '' : `: ${said.replace(/\.$/, '')}`;
    return unknown(request, {
      detail: withTrace(request, answer, `The bank answered ${String(status)}${words}${locationOf(answer)}.`),
      status,
    });
  }
  if (status < 400 && meaning !== 'refused') {
    const detail = `The bank redirects the call elsewhere; obk does not follow.${locationOf(answer)}`;
    return failed(request, 'REDIRECTED', { detail, status });
  }
  const [first] = refusal.messages.filter(isError);
  const exit = refusalExit(status, refusal.messages);
  const deciding = refusal.messages.find((one) => isError(one) && messageCode(one.code)?.exit === exit);
  const error = new BankRefusal({
    code: codeOfExit[exit] ?? 'REFUSED',
    exit,
    ...saidOf(request.operation, { status, exit, code: deciding?.code }),
    detail: withTrace(
      request,
      answer,
      (first && messageCode(first.code))?.meaning ?? wordsOf(refusal, errorShapes) ?? withoutCode(status),
    ),
    httpStatus: status,
    requestId: request.requestId,
    operation: request.operation.id,
    method: request.operation.method,
    path: request.path,
    messages: refusal.messages,
    retryAfter: headerOf(answer.headers, 'retry-after'),
    resource: request.resource,
    // A path that the server does not have looks like a resource that the bank does not know.
    hint:
      status === 404 && first === undefined ? ['obk doctor   # whether address and prefix are right'] : [],
  });
  return { outcome: 'REJECTED', error, body: refusal };
}

/** Judges a call that ended without a complete answer: the marker decides, not the error code. */
export function judgeFailure(request: Judged, failure: TransportFailure): Verdict {
  if (!failure.sent) {
    const error = new ObkError({
      code: failure.code ?? notSentCodes[failure.reason] ?? 'NOT_SENT',
      title: 'The request was not sent.',
      detail: `${failure.message} (${request.operation.method} ${request.path})`,
      hint: [
        ...(mayRepeat(request, failure) ? [safe] : []),
        ...(failure.hint ?? notSentHints[failure.reason] ?? []),
      ],
      cause: failure,
      resource: request.resource,
    });
    return { outcome: 'NOT_SENT', error };
  }
  const { message, partial } = failure;
  const status = partial?.status;
  if (request.write) {
    const location = partial === undefined ? '' : locationOf(partial);
    return unknown(request, { detail: message + location, status, cause: failure });
  }
  if (failure.reason !== 'too-large')
    return failed(request, 'ANSWER_LOST', { detail: message, status, cause: failure });
  const hint = request.streams === true ? ['--max-size 4G   # more of one answer'] : [];
  return failed(request, 'ANSWER_TOO_LARGE', { detail: message, status, cause: failure, hint });
}

/** The verdict for an answer that was altered on the way: nothing in it is believed, and nothing in it is lost. */
export function judgeAltered(request: Judged, verdict: Verdict, heard: HttpAnswer, why: string): Verdict {
  const { status } = heard;
  if (!request.write)
    return failed(request, 'ANSWER_UNREADABLE', { detail: `${sentence(why)}.`, status, hint: altered });
  const doubted = unknown(request, { detail: `${sentence(why)}${locationOf(heard)}.`, status });
  return verdict.outcome === 'DONE' ? { ...doubted, answer: verdict.answer } : doubted;
}

const altered = ['obk config set answers.digest warn   # where a gateway before the bank writes bodies anew'];
const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A bank may repeat in its words what it was sent. */
function withoutSecrets(refusal: ErrorBody): ErrorBody {
  return {
    ...refusal,
    messages: refusal.messages.map(redactMessage),
    ...(refusal.text === undefined ? {} : { text: redactText(refusal.text) }),
  };
}

/** The words of a refusal without a code. HTML is written by the interface itself at the few banks that say so. */
function wordsOf({ shape, text }: ErrorBody, shapes: readonly string[]): string | undefined {
  if (shape !== 'html' || shapes.includes('html')) return text;
  const said = text === undefined || text === '' ? '' : `: ${text}`;
  return `The answer is HTML, so it comes from a gateway or a web server before the interface${said}`;
}

/** An answer whose status the bank means as done, with the status that the standard has for it. */
function asDone({ operation }: Judged, answer: HttpAnswer): HttpAnswer {
  if (answer.status >= 200 && answer.status < 300) return answer;
  return { ...answer, status: operation.success[0]?.status ?? 200 };
}

/** The words of an answer that leaves the outcome open: code and text of its first error, else what stands in its place. */
function saidIn(refusal: ErrorBody, shapes: readonly string[]): string | undefined {
  const first = refusal.messages.find(isError);
  if (first === undefined) return wordsOf(refusal, shapes);
  return [first.code, first.text].filter((part) => part !== undefined).join(', ');
}

/** Adds what a bank's support asks for first. */
function withTrace<Detail extends string | undefined>(
  { dialect }: Judged,
  { headers }: HttpAnswer,
  detail: Detail,
): string | Detail {
  const found = (dialect?.traceHeaders ?? []).flatMap((name) => {
    const value = headerOf(headers, name);
    return value === undefined ? [] : [`${name}: ${redactText(cleanLine(value, 100))}`];
  });
  return found.length === 0 ? detail : `${detail ?? 'The bank gave no words.'} (${found.join(', ')})`;
}

function judgeSuccess(request: Judged, answer: HttpAnswer, variant: Variant): Verdict {
  try {
    const read = readAnswer(request.operation, variant, answer, request.dialect);
    const missing = missingEnd(answer, read);
    if (missing !== undefined)
      return judgeAltered(request, { outcome: 'DONE', answer: read }, answer, missing);
    return { outcome: 'DONE', answer: read };
  } catch (cause) {
    if (!(cause instanceof ObkError)) throw cause;
    const detail = redactText(cause.detail ?? cause.title);
    const { status } = answer;
    if (request.write) return unknown(request, { detail: detail + locationOf(answer), status, cause });
    return failed(request, 'ANSWER_UNREADABLE', { detail, status, cause });
  }
}

/** 5xx, 408 and 425 may follow a commit; so may a 409 on the payment POST unless the bank says which conflict it is. */
function isUnclear(request: Judged, status: number, refusal: ErrorBody): boolean {
  if (status >= 500 || status < 400 || status === 408 || status === 425) return true;
  if (status !== 409 || request.operation.id !== 'initiatePayment') return false;
  return !refusal.messages.some((message) => isError(message) && messageCode(message.code) !== undefined);
}

function isError({ category }: BankMessage): boolean {
  return category !== 'WARNING';
}

interface Why {
  detail: string;
  status: number | undefined;
  cause?: unknown;
  hint?: readonly string[];
}

function unknown(request: Judged, { detail, status, cause }: Why): Extract<Verdict, { outcome: 'UNKNOWN' }> {
  return {
    outcome: 'UNKNOWN',
    error: new OutcomeUnknown({
      code: 'OUTCOME_UNKNOWN',
      title: `The request was sent; its outcome at the bank is unknown (${request.operation.id}).`,
      detail,
      hint: ['Do not run this command again.', line`obk pending show ${request.intent.slice(0, 12)}`],
      intent: request.intent,
      requestId: request.requestId,
      operation: request.operation.id,
      cause,
      httpStatus: status,
      resource: request.resource,
    }),
  };
}

function failed(request: Judged, code: ErrorCode, { detail, status, cause, hint = [] }: Why): Verdict {
  const seen = status === undefined ? '' : ` (${String(status)})`;
  const error = new ObkError({
    code,
    title: `The bank's answer to ${request.operation.id} is not usable${seen}.`,
    detail,
    hint: [...hint, 'obk log show @last -vvv'],
    cause,
    resource: request.resource,
  });
  return { outcome: 'FAILED', error };
}

const codeOfExit: Partial<Record<ExitCode, ErrorCode>> = {
  3: 'BANK_CONFIG',
  4: 'AUTH_NEEDED',
  6: 'BANK_FAILED',
  9: 'DECLINED',
  11: 'THROTTLED',
};

function withoutCode(status: number): string | undefined {
  if (status === 401)
    return 'The bank gave no code: the certificate, the signature or the token may be at fault.';
  if (status === 404 || status === 405) return 'The bank gave no code: it seems not to offer this here.';
  if (status === 429) return 'Too many calls; this limit is not the one of the consent.';
  return undefined;
}

const notSentCodes: Partial<Record<TransportFailure['reason'], ErrorCode>> = {
  journal: 'STATE_NOT_WRITTEN',
  invalid: 'INPUT_INVALID',
};

const notSentHints: Partial<Record<TransportFailure['reason'], readonly string[]>> = {
  dns: ['obk profile show   # is the base URL right?'],
  connect: ['obk profile show   # is the base URL right?'],
  tls: ['obk profile edit NAME --ca FILE   # a CA of the bank'],
};
const safe = 'Nothing was sent: it is safe to run this again.';

/** Whether the run has done nothing: a call about a resource may follow the one that has made it. */
function mayRepeat({ resource }: Judged, { code, reason }: TransportFailure): boolean {
  return (
    code === undefined &&
    resource === undefined &&
    ['dns', 'connect', 'proxy', 'tls', 'timeout'].includes(reason)
  );
}

/** Where a lost resource may be found. */
function locationOf(answer: Pick<HttpAnswer, 'headers'>): string {
  const location = headerOf(answer.headers, 'location');
  return location === undefined ? '' : ` (Location ${redactUrl(location)})`;
}
