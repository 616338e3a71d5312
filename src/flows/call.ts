import { BankRefusal, ObkError, TransportFailure } from '../errors.ts';
import type { TransportReason } from '../errors.ts';
import type { HttpAnswer, JournalRecord, Made } from '../ports.ts';
import { headerOf } from '../xs2a/answer.ts';
import type { Answer } from '../xs2a/answer.ts';
import { operation } from '../xs2a/operations.ts';
import type { Operation } from '../xs2a/operations.ts';
import type { ErrorBody } from '../xs2a/tpp-messages.ts';
import { aheadOf } from './bank-time.ts';
import { tellWarnings } from './bank-warnings.ts';
import { journalOutcome, judgeAltered, judgeAnswer, judgeFailure } from './judge.ts';
import type { Judge, Judged, Verdict } from './judge.ts';
import { watched } from './answer-stream.ts';
import { guardConnection } from './connection-guard.ts';
import { saidWithoutSecrets } from './kept-without-secrets.ts';
import { admit } from './pace.ts';
import { waitOver } from './patience.ts';
import { prepare } from './prepare.ts';
import type { CallInput, Prepared } from './prepare.ts';
import { maskAccounts } from './masking.ts';
import { redactHeaders, redactText, redactUrl } from './redact.ts';
import { afterRefresh, freshen, refreshAfterRefusal, withLogin } from './refresh.ts';
import type { ReportEnd } from './report-end.ts';
import { retryAfterMs } from './retry-after.ts';
import type { Target } from './target.ts';
import { tellUnwritable } from './unwritable.ts';
import { waitsOf } from './waits.ts';
import { alteration, endOfReport } from './whole-answer.ts';
import { shownAnswer, shownHeaders, shownSigningString } from './trace.ts';

export type { CallInput, Prepared } from './prepare.ts';

/**
 * One exchange as it ended, for traces; nothing in it is redacted but bodies of requests. Of an answer that streamed there is
 * the beginning.
 */
export interface CallTrace {
  prepared: Prepared;
  startedAt: Date;
  durationMs: number;
  answer?: HttpAnswer;
  failure?: TransportFailure;
  verdict: Verdict<unknown>;
}

/** Thrown in place of sending when the run is a dry run. */
export class DryRun extends Error {
  readonly prepared: Prepared;

  constructor(prepared: Prepared) {
    super('dry run');
    this.prepared = prepared;
  }
}

/** An answer or refusal with the links that came with it. */
export type Called =
  | { ok: true; answer: Answer }
  /** `seen` is what the bank seems to have said of a write whose outcome is unknown. */
  | { ok: false; error: ObkError; refusal: ErrorBody | undefined; seen?: Answer };

/** Bodies of reads beyond this many characters are cut in the journal; those of writes never are. */
const journalledBody = 64 * 1024;
const readAttempts = 3;

/** Calls the bank and gives its answer; throws the error of the verdict. */
export async function call(target: Target, input: CallInput): Promise<Answer> {
  const called = await tryCall(target, input);
  if (called.ok) return called.answer;
  throw called.error;
}

/** As `call`, but gives a refusal with its links instead of throwing it: an error body steers too. */
export async function tryCall(target: Target, input: CallInput): Promise<Called> {
  let refreshed = false;
  const waits = waitsOf(target);
  for (let attempt = 1; ; attempt += 1) {
    if (target.run.dryRun) throw new DryRun(await prepare(target, input, takeRequestId(target)));
    await freshen(target, input);
    const settle = await admit(target, input.operation, waits);
    let verdict: Verdict | undefined;
    let prepared: Prepared;
    try {
      prepared = await prepare(target, input, takeRequestId(target));
      target.run.onPrepared?.(prepared);
      verdict = await send(target, prepared, operation(input.operation));
    } finally {
      await settle(verdict !== undefined && verdict.outcome !== 'NOT_SENT');
    }
    if (verdict.outcome === 'DONE') {
      // A status may be read again and again; its command says what came with the last.
      if (!verdict.answer.kind.endsWith('status')) tellWarnings(target, verdict.answer);
      return { ok: true, answer: saidWithoutSecrets(verdict.answer) };
    }
    if (verdict.outcome === 'NOT_SENT' || verdict.outcome === 'FAILED') target.run.signal?.throwIfAborted();
    if (isExpired(verdict) && !refreshed) {
      refreshed = true;
      const result = await refreshAfterRefusal(target, input);
      // What changes something is the caller's to repeat.
      if (result !== undefined && 'token' in result && prepared.request.method === 'GET') continue;
      if (result !== undefined)
        return { ok: false, error: afterRefresh(verdict.error, result), refusal: undefined };
    }
    const pause =
      prepared.request.method !== 'GET' || attempt >= readAttempts
        ? undefined
        : retryPause(target, verdict, attempt);
    if (pause === undefined || !waits.take(pause)) {
      if (pause !== undefined && waits.isOver(pause)) throw waitOver(pause);
      if (verdict.outcome !== 'REJECTED') {
        const seen = verdict.outcome === 'UNKNOWN' ? verdict.answer : undefined;
        return {
          ok: false,
          error: verdict.error,
          refusal: undefined,
          ...(seen === undefined ? {} : { seen }),
        };
      }
      const error = await withLogin(target, input, verdict.error, verdict.body.links);
      return { ok: false, error, refusal: verdict.body };
    }
    tellPause(target, verdict, pause);
    await target.ports.clock.sleep(pause, target.run.signal);
  }
}

/** A wait that the bank asks for is told, unless nobody would notice it. */
function tellPause({ ports }: Target, { error }: Exclude<Verdict, { outcome: 'DONE' }>, pause: number): void {
  if (!(error instanceof BankRefusal) || pause < 1_000) return;
  const why = error.retryAfter === undefined ? '' : ' and asks for it (Retry-After)';
  const seconds = String(Math.ceil(pause / 1000));
  ports.notices.say(`Waiting ${seconds} s: the bank answered ${String(error.httpStatus)}${why}.`);
}

function isExpired(verdict: Verdict): verdict is Extract<Verdict, { outcome: 'REJECTED' }> {
  return verdict.outcome === 'REJECTED' && verdict.error.bankCode === 'TOKEN_EXPIRED';
}

function send(target: Target, prepared: Prepared, op: Operation): Promise<Verdict> {
  const { made } = prepared.input;
  const keep = made && ((answer: Answer, exchange: string) => keepMade(target, exchange, made(answer)));
  const judgeOf = (exchange: string): Judge<Answer> => {
    const { input, path, requestId, write } = prepared;
    const judged: Judged = {
      ...{ operation: op, path, requestId, write, intent: input.intent ?? exchange },
      ...(input.resource === undefined ? {} : { resource: input.resource }),
      streams: input.stream !== undefined,
      aliases: target.profile.links?.aliases,
    };
    const unaltered = (answer: HttpAnswer, verdict: Verdict, cut?: string): Verdict => {
      const why = believed(target, answer) ?? cut;
      return why === undefined ? verdict : judgeAltered(judged, verdict, answer, why);
    };
    return {
      async answer(answer) {
        const verdict = judgeAnswer(judged, answer, target.variant);
        const end = verdict.outcome === 'DONE' ? endOfReport(answer, verdict.answer) : undefined;
        await end?.take(answer.body);
        return answer.rest === undefined
          ? { verdict: unaltered(answer, verdict, await end?.end()) }
          : { verdict, ...(end === undefined ? {} : { end }) };
      },
      ended: unaltered,
      failure: (failure) => judgeFailure(judged, failure),
    };
  };
  return transmit(target, prepared, judgeOf, keep);
}

/** Before anything else is told of the answer: from here on a kill loses nothing. The journal has it where the disk does not. */
async function keepMade(target: Target, exchange: string, made: Made): Promise<void> {
  try {
    await target.ports.journal.keep(exchange, made);
  } catch (error) {
    if (!(error instanceof ObkError)) throw error;
    target.ports.notices.trace(1, `journal: ${error.detail ?? error.title}`);
  }
}

/** Why the bytes of an answer are not to be believed; undefined where they are, or where the operator believes them. */
export function believed({ profile, ports }: Target, answer: HttpAnswer): string | undefined {
  const how = profile.answers?.digest ?? 'verify';
  const why = how === 'off' ? undefined : alteration(answer);
  if (why === undefined || how === 'verify') return why;
  ports.notices.warn(`The answer of the bank is believed as answers.digest says: ${why}.`);
  return undefined;
}

/** Sends what was prepared, exactly once, with the journal around it; gives the verdict. */
export async function transmit<A>(
  target: Target,
  prepared: Prepared,
  judgeOf: (exchange: string) => Judge<A>,
  keep?: (answer: A, exchange: string) => Promise<void>,
): Promise<Verdict<A>> {
  const { ports } = target;
  guardConnection(target, prepared);
  const exchange = ports.ids.uuid();
  const judge = judgeOf(exchange);
  const journal = journalOf(target, prepared.write);
  const startedAt = ports.clock.now();
  const started = ports.clock.monotonic();
  await journal(preparedRecord(target, prepared, exchange), true);

  let answer: HttpAnswer | undefined;
  let failure: TransportFailure | undefined;
  let verdict: Verdict<A>;
  const close = async () => {
    const durationMs = Math.round(ports.clock.monotonic() - started);
    if (verdict.outcome === 'DONE') await keep?.(verdict.answer, exchange);
    await recordEnd(target, journal, { exchange, prepared, verdict, answer, failure, durationMs });
    target.run.onTrace?.({
      prepared,
      startedAt,
      durationMs,
      verdict,
      ...(answer === undefined ? {} : { answer }),
      ...(failure === undefined ? {} : { failure }),
    });
  };
  try {
    const { stream } = prepared.input;
    answer = await ports.http.send(prepared.request, {
      limits: target.limits,
      connection: await target.connection(),
      fresh: prepared.request.method !== 'GET',
      ...(stream === undefined ? {} : { stream }),
      ...(prepared.write
        ? { onSending: () => journal({ type: 'sending', at: isoNow(target), exchange }, true) }
        : {}),
      ...(target.run.signal === undefined ? {} : { signal: target.run.signal }),
    });
    let end: ReportEnd | undefined;
    if (answer.rest !== undefined) {
      const streamed = answer;
      const seen = (piece: Uint8Array) => end?.take(piece);
      const rest = await watched(answer.rest, target, seen, async (broken, whole) => {
        const cut = whole ? await end?.end() : undefined;
        if (whole && verdict.outcome === 'DONE') verdict = judge.ended?.(streamed, verdict, cut) ?? verdict;
        if (broken !== undefined) {
          verdict = judge.failure(broken);
          failure = broken;
          answer = undefined;
        }
        await close();
        return verdict;
      });
      answer = { ...answer, rest };
    }
    ({ verdict, end } = await judge.answer(answer));
  } catch (error) {
    if (!(error instanceof TransportFailure)) throw error;
    failure = error;
    // A journal that could not take the mark stopped the request; its own error says more than ours.
    verdict =
      error.reason === 'journal' && error.cause instanceof ObkError
        ? { outcome: 'NOT_SENT', error: error.cause }
        : judge.failure(error);
  }
  checkEcho(target, prepared, answer);
  target.aheadMs = aheadOf(headerOf(answer?.headers ?? [], 'date'), ports.clock.now()) ?? target.aheadMs;
  if (answer?.rest === undefined) await close();
  // What is not usable is not read to its end.
  else if (verdict.outcome !== 'DONE') await answer.rest.return(undefined);
  return verdict;
}

/** How an exchange ended: with an answer or with a failure, never with neither. */
type Ended = Pick<CallTrace, 'prepared' | 'verdict' | 'durationMs'> & {
  exchange: string;
  answer: HttpAnswer | undefined;
  failure: TransportFailure | undefined;
};

/** The bank has acted by now: a journal that fails here is told, never thrown over the answer. */
async function recordEnd(target: Target, journal: JournalWriter, end: Ended): Promise<void> {
  try {
    await journal(endRecord(isoNow(target), end), true);
  } catch (error) {
    if (!(error instanceof ObkError)) throw error;
    const what = end.answer === undefined ? 'How the call ended' : 'The answer';
    target.ports.notices.warn(`${what} could not be written to the journal: ${error.detail ?? error.title}`);
  }
}

type JournalWriter = (record: JournalRecord, durable: boolean) => Promise<void>;

/** Writes must be recorded before they leave; a read goes on without a record, with a warning. */
function journalOf(target: Target, write: boolean): JournalWriter {
  const { journal, notices } = target.ports;
  return async (record, durable) => {
    try {
      await journal.append(record, { durable: durable && write });
    } catch (error) {
      if (write || !(error instanceof ObkError)) throw error;
      notices.trace(1, `journal: ${error.title}`);
      tellUnwritable({ notices }, error.detail ?? error.title);
    }
  };
}

function preparedRecord(target: Target, prepared: Prepared, exchange: string): JournalRecord {
  const { request, input, write } = prepared;
  const headers = shownHeaders(prepared);
  const signingString = shownSigningString(prepared);
  const body = redactText(prepared.shownBody);
  return {
    type: 'prepared',
    at: isoNow(target),
    exchange,
    operation: prepared.operation.id,
    method: request.method,
    url: redactUrl(request.url),
    headers,
    body: maskAccounts(body),
    bodySha256: prepared.bodySha256,
    requestId: prepared.requestId,
    write,
    ...(signingString === undefined ? {} : { signingString }),
    ...(input.intent === undefined ? {} : { intent: input.intent }),
    ...(input.resource === undefined ? {} : { resource: input.resource }),
    ...(write ? { exact: { headers, body } } : {}),
  };
}

function endRecord(at: string, end: Ended): JournalRecord {
  const { exchange, prepared, verdict, answer, failure, durationMs } = end;
  if (answer === undefined) {
    const partial = failure?.partial;
    return {
      type: 'failed',
      at,
      exchange,
      outcome: failure?.sent === true ? 'UNKNOWN' : 'NOT_SENT',
      reason: failure?.reason ?? 'aborted',
      detail: redactText(failure?.message ?? ''),
      durationMs,
      ...(partial === undefined
        ? {}
        : { partial: { status: partial.status, headers: redactHeaders(partial.headers) } }),
    };
  }
  const text = shownAnswer(answer, prepared.operation.id);
  const cut = !prepared.write && text.length > journalledBody;
  return {
    type: 'answered',
    at,
    exchange,
    outcome: journalOutcome(verdict),
    status: answer.status,
    headers: redactHeaders(answer.headers),
    body: cut ? `${text.slice(0, journalledBody)}…` : text,
    durationMs,
    ...(answer.tls === undefined ? {} : { tls: answer.tls }),
    ...(verdict.outcome === 'REJECTED' ? { messages: verdict.error.messages } : {}),
    ...(verdict.outcome === 'UNKNOWN' && verdict.answer && { doubt: redactText(verdict.error.detail ?? '') }),
  };
}

/** `--request-id` belongs to the first call of a run; every later one gets its own. */
function takeRequestId(target: Target): string {
  const wished = target.run.requestId;
  delete target.run.requestId;
  return wished ?? target.ports.ids.uuid();
}

/** Milliseconds until a read is tried again, or undefined where that would not help. */
function retryPause(
  target: Target,
  verdict: Exclude<Verdict, { outcome: 'DONE' }>,
  attempt: number,
): number | undefined {
  const { error } = verdict;
  if (!(error instanceof BankRefusal)) {
    return error.cause instanceof TransportFailure ? pauseAfterLoss(error.cause, attempt) : undefined;
  }
  // The day's accesses of a consent do not come back while a call waits.
  if (error.bankCode === 'ACCESS_EXCEEDED') return undefined;
  const bankNow = target.ports.clock.now().getTime() + target.aheadMs;
  const asked = retryAfterMs(error.retryAfter ?? '', bankNow);
  return asked ?? ([429, 503].includes(error.httpStatus) ? attempt * 1000 : undefined);
}

/** Milliseconds until a read that got no answer is tried again, or undefined where that would not help. */
export function pauseAfterLoss({ reason }: TransportFailure, attempt: number): number | undefined {
  return attempt < readAttempts && passing.includes(reason) ? 200 * attempt : undefined;
}

/** What may be gone a moment later; a timeout has used up the time of the call. */
const passing: readonly TransportReason[] = ['dns', 'connect', 'reset', 'truncated'];

function checkEcho(target: Target, prepared: Prepared, answer: HttpAnswer | undefined): void {
  const echoed = answer?.headers.find(([name]) => name.toLowerCase() === 'x-request-id')?.[1];
  if (echoed === undefined || echoed.toLowerCase() === prepared.requestId.toLowerCase()) return;
  target.ports.notices.warn(`The bank answered with another X-Request-ID than ours (${prepared.requestId}).`);
}

function isoNow(target: Target): string {
  return target.ports.clock.now().toISOString();
}
