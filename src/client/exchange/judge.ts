import { defined } from '../../base/defined.ts';
import { line } from '../../base/command-line.ts';
import { cleanLine } from '../../base/clean.ts';
import { BankRefusal, ObkError, OutcomeUnknown, exitCodes } from '../../base/errors.ts';
import type { BankMessage, ErrorCode, ErrorParts, ExitCode, TransportFailure } from '../../base/errors.ts';
import type { HttpAnswer } from '../ports/http.ts';
import { headerOf, readAnswer } from '../../standard/xs2a/answer.ts';
import { decisiveCode, hasExit, isError } from '../../standard/xs2a/bank-messages.ts';
import { messageCode } from '../../standard/xs2a/codes.ts';
import type { AnswerDialect } from '../../standard/xs2a/answer-dialect.ts';
import type { Operation } from '../../standard/xs2a/operations.ts';
import { saidOf } from '../../standard/xs2a/refused.ts';
import { readErrorBody, refusalInSuccess, withOauthCode } from '../../standard/xs2a/tpp-messages.ts';
import type { ErrorBody } from '../../standard/xs2a/tpp-messages.ts';
import type { Variant } from '../../standard/xs2a/variants.ts';
import type { Tolerated } from '../../standard/xs2a/tolerated.ts';
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
  if (meaning === 'done') return judgeSuccess(request, asDone(request, answer), variant);
  const isSuccess = meaning === undefined && status >= 200 && status < 300;
  const refusal = refusalOf(request, answer, isSuccess);
  if (refusal === undefined) return judgeSuccess(request, answer, variant);
  if (meaning !== 'refused' && request.write && isUnclear(request, answer, refusal)) {
    const said = saidIn(refusal, request.dialect);
    const words = said === undefined ? '' : `: ${said.replace(/\.$/, '')}`;
    const detail = withTrace(
      request,
      answer,
      `The bank answered ${String(status)}${words}${locationOf(answer)}.`,
    );
    return { ...unknown(request, { detail, status, messages: refusal.messages }), body: refusal };
  }
  if (!isSuccess && status < 400 && meaning !== 'refused') {
    const detail = `The bank redirects the call elsewhere; obk does not follow.${locationOf(answer)}`;
    return failed(request, 'REDIRECTED', { detail, status });
  }
  return { outcome: 'REJECTED', error: refused(request, answer, refusal), body: refusal };
}

/** What an answer refuses; undefined where it succeeds, in more than its status. */
function refusalOf(
  { dialect = {} }: Judged,
  { headers, body, rest }: HttpAnswer,
  isSuccess: boolean,
): ErrorBody | undefined {
  const { aliases, errorShapes = [] } = dialect;
  const said = {
    contentType: headerOf(headers, 'content-type'),
    wwwAuthenticate: headerOf(headers, 'www-authenticate'),
  };
  if (isSuccess) {
    const read = rest === undefined ? refusalInSuccess(body, said) : undefined;
    if (read === undefined) return undefined;
    const noted = { at: '/tppMessages', what: 'a refusal has a status of success' };
    return withoutSecrets({ ...read, tolerated: [noted, ...(read.tolerated ?? [])] });
  }
  const read = readErrorBody(body, said, aliases);
  const tolerated = (read.tolerated ?? []).filter(
    ({ setting }) => setting?.[0] !== 'errors.shapes' || !errorShapes.includes(setting[1]),
  );
  return withoutSecrets({ ...(errorShapes.includes('oauth') ? withOauthCode(read) : read), tolerated });
}

/** The error of a complete refusal: the code that decides says what it means, whatever stands beside it. */
function refused(request: Judged, answer: HttpAnswer, refusal: ErrorBody): BankRefusal {
  const { status, headers } = answer;
  const { messages } = refusal;
  const bankCode = decisiveCode(messages);
  const exit = refusalExit(status, messages);
  const said = wordsOf(refusal, request.dialect);
  const meaning = messageCode(bankCode ?? '')?.meaning ?? (status === 501 ? notOffered : undefined);
  const words = [meaning, said].filter((part) => part !== undefined && part !== '');
  const isCoded = messages.some(({ code }) => code !== undefined);
  return new BankRefusal({
    code: codeOfExit[exit] ?? 'REFUSED',
    exit,
    ...saidOf(request.operation, { status, exit, code: bankCode }),
    detail: withTrace(
      request,
      answer,
      words.length > 0 ? words.join('\n') : isCoded ? undefined : withoutCode(status),
    ),
    httpStatus: status,
    requestId: request.requestId,
    operation: request.operation.id,
    method: request.operation.method,
    path: request.path,
    messages,
    ...defined({ bankCode }),
    retryAfter: headerOf(headers, 'retry-after'),
    resource: request.resource,
    // A path that the server does not have looks like a resource that the bank does not know.
    hint:
      status === 404 && bankCode === undefined ? ['obk doctor   # whether address and prefix are right'] : [],
  });
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
function wordsOf({ shape, text }: ErrorBody, dialect: AnswerDialect = {}): string | undefined {
  if (shape === 'json' && /^[{[]\s*[}\]]$/.test(text ?? '')) return undefined;
  if (shape !== 'html' || dialect.errorShapes?.includes('html') === true) return text;
  const said = text === undefined || text === '' ? '' : `: ${text}`;
  return `The answer is HTML, so it comes from a gateway or a web server before the interface${said}`;
}

/** An answer whose status the bank means as done, with the status that the standard has for it. */
function asDone({ operation }: Judged, answer: HttpAnswer): HttpAnswer {
  if (answer.status >= 200 && answer.status < 300) return answer;
  return { ...answer, status: operation.success[0]?.status ?? 200 };
}

/** The words of an answer that leaves the outcome open: code and text of its errors, and what stands beside them. */
function saidIn(refusal: ErrorBody, dialect?: AnswerDialect): string | undefined {
  const told = refusal.messages
    .filter(isError)
    .slice(0, 3)
    .map(({ code, text }) => [code, text].filter((part) => part !== undefined).join(': '));
  const words = [...told, wordsOf(refusal, dialect)].filter((part) => part !== undefined && part !== '');
  return words.length === 0 ? undefined : words.join('; ');
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

/**
 * 5xx, 408 and 425 may follow a commit, but for 501: the server does not implement it. So may a 409 on the payment POST unless the
 * bank says which conflict it is, and an error with a status of success, unless its code says what was refused.
 */
function isUnclear(request: Judged, { status, headers }: HttpAnswer, { messages }: ErrorBody): boolean {
  if (status === 501) return false;
  const isKnown = messages.some((message) => isError(message) && hasExit(message.code ?? ''));
  if (status >= 200 && status < 300)
    return !isKnown || status === 201 || headerOf(headers, 'location') !== undefined;
  if (status >= 500 || status < 400 || status === 408 || status === 425) return true;
  return status === 409 && request.operation.id === 'initiatePayment' && !isKnown;
}

interface Why {
  detail: string;
  status: number | undefined;
  cause?: unknown;
  hint?: readonly string[];
  messages?: readonly BankMessage[];
}

function unknown(
  request: Judged,
  { detail, status, cause, messages = [] }: Why,
): Extract<Verdict, { outcome: 'UNKNOWN' }> {
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
      messages,
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

const notOffered = 'The bank does not offer this (501 Not Implemented).';

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

/**
 * Returns the exit code of a complete error answer: the first known code in the body decides, else the HTTP status. Source:
 * the exit codes of `errors.ts`.
 */
export function refusalExit(status: number, messages: readonly BankMessage[]): ExitCode {
  const fact = messageCode(decisiveCode(messages) ?? '');
  if (fact !== undefined && fact.exit !== exitCodes.ok) return fact.exit;
  if (status === 401) return exitCodes.authNeeded;
  if (status === 429) return exitCodes.throttled;
  // What a server does not implement, it has not done either; what succeeded by its status was refused in its body.
  const isRefusal = (status >= 200 && status < 300) || (status >= 400 && status < 500) || status === 501;
  return isRefusal ? exitCodes.rejected : exitCodes.bankError;
}
