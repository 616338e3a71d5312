import { defined } from '../../base/defined.ts';
import { BankRefusal } from '../../base/errors.ts';
import type { ObkError } from '../../base/errors.ts';
import type { HttpAnswer } from '../ports/http.ts';
import { idNames } from '../../standard/sca/operations.ts';
import type { Answer } from '../../standard/xs2a/answer.ts';
import { operation } from '../../standard/xs2a/operations.ts';
import type { Operation } from '../../standard/xs2a/operations.ts';
import type { ErrorBody } from '../../standard/xs2a/tpp-messages.ts';
import { judgeAltered, judgeAnswer, judgeFailure } from '../exchange/judge.ts';
import type { Judge, Judged } from '../exchange/judge.ts';
import { DryRun } from '../exchange/prepared.ts';
import type { CallInput, Prepared } from '../exchange/prepared.ts';
import { readAttempts, retryPause } from '../exchange/retry.ts';
import type { Target } from '../exchange/target.ts';
import { believed, transmit } from '../exchange/transmit.ts';
import { toleratedIn } from '../exchange/verdict.ts';
import type { Verdict } from '../exchange/verdict.ts';
import { endOfReport } from '../exchange/whole-answer.ts';
import { afterRefresh, freshen, refreshAfterRefusal, withLogin } from '../oauth/refresh.ts';
import { saidWithoutSecrets } from '../redaction/kept-without-secrets.ts';
import { dialectOf, tellDepartures, tellErrorShape, tellLimit } from './bank-answers.ts';
import { tellWarnings } from './bank-warnings.ts';
import { waitOver } from './patience.ts';
import { prepare } from './prepare.ts';
import { admit } from './rate-limit.ts';
import { waitsOf } from './patience.ts';
import type { Waits } from './patience.ts';

/** An answer or refusal with the links that came with it. */
export type Called =
  | { ok: true; answer: Answer }
  /** `seen` is what the bank seems to have said of a write whose outcome is unknown. */
  | { ok: false; error: ObkError; refusal: ErrorBody | undefined; seen?: Answer };

/** Calls the bank and returns its answer; throws the error of the verdict. */
export async function call(target: Target, input: CallInput): Promise<Answer> {
  const called = await tryCall(target, input);
  if (called.ok) return called.answer;
  throw called.error;
}

/** As `call`, but returns a refusal with its links instead of throwing it: the links of an error body may lead on. */
export async function tryCall(target: Target, input: CallInput): Promise<Called> {
  if (target.run.dryRun) return showUnsent(target, input);
  let refreshed = false;
  const waits = waitsOf(target);
  for (let attempt = 1; ; attempt += 1) {
    const { prepared, verdict } = await sendOnce(target, input, waits);
    if (verdict.outcome === 'DONE')
      return { ok: true, answer: saidWithoutSecrets(accepted(target, input, verdict.answer)) };
    if (verdict.outcome === 'NOT_SENT' || verdict.outcome === 'FAILED') target.run.signal?.throwIfAborted();
    if (isExpired(verdict) && !refreshed) {
      refreshed = true;
      const result = await refreshAfterRefusal(target, input);
      if (result !== undefined) {
        // Only reads are retried here; repeating a write is the caller's decision.
        if ('token' in result && prepared.request.method === 'GET') continue;
        return { ok: false, error: afterRefresh(verdict.error, result), refusal: undefined };
      }
    }
    const pause = pauseBefore(target, prepared, verdict, attempt);
    if (pause === undefined) return failed(target, input, verdict);
    if (!waits.take(pause)) {
      if (waits.isOver(pause)) throw waitOver(pause);
      return failed(target, input, verdict);
    }
    tellPause(target, verdict, pause);
    await target.ports.clock.sleep(pause, target.run.signal);
  }
}

/** A dry run ends with the request that it would send. */
async function showUnsent(target: Target, input: CallInput): Promise<never> {
  const unsent = await prepare(target, input, takeRequestId(target));
  target.run.onDryRun?.(unsent);
  throw new DryRun(unsent);
}

type Failure = Exclude<Verdict, { outcome: 'DONE' }>;

/** Prepares the request anew, since the token may be another one by now, and sends it when it is its turn. */
async function sendOnce(target: Target, input: CallInput, waits: Waits) {
  await freshen(target, input);
  const settle = await admit(target, input.operation, waits);
  let verdict: Verdict | undefined;
  try {
    const prepared = await prepare(target, input, takeRequestId(target));
    target.run.onPrepared?.(prepared);
    verdict = await sendPrepared(target, prepared, operation(input.operation));
    return { prepared, verdict };
  } finally {
    await settle(verdict !== undefined && verdict.outcome !== 'NOT_SENT');
  }
}

/** Tells what came with an answer, and notes what it proves. */
function accepted(target: Target, input: CallInput, answer: Answer): Answer {
  // A status may be read again and again; its command says what came with the last.
  tellDepartures(target, answer);
  if (!answer.kind.endsWith('status')) tellWarnings(target, answer);
  noteProved(target, input, answer);
  if (answer.notified === true) target.state.notified = true;
  return answer;
}

/** How long to wait before a call is sent once more; undefined where it is not. */
function pauseBefore(
  target: Target,
  prepared: Prepared,
  verdict: Failure,
  attempt: number,
): number | undefined {
  const isLast =
    prepared.request.method !== 'GET' ||
    attempt >= readAttempts ||
    (prepared.input.once === true && verdict.error instanceof BankRefusal) ||
    target.run.load !== undefined;
  return isLast ? undefined : retryPause(target, verdict, attempt);
}

async function failed(target: Target, input: CallInput, verdict: Failure): Promise<Called> {
  if (verdict.outcome === 'REJECTED') {
    tellErrorShape(target, input.operation, verdict.body);
    const error = await withLogin(target, input, verdict.error, verdict.body.links);
    return { ok: false, error, refusal: verdict.body };
  }
  const seen = verdict.outcome === 'UNKNOWN' ? verdict.answer : undefined;
  return { ok: false, error: verdict.error, refusal: undefined, ...defined({ seen }) };
}

/** What an answer is about exists; a write may have changed a status that was seen before. */
function noteProved(
  { state: { proved } }: Target,
  { operation: id, resource = {} }: CallInput,
  answer: Answer,
): void {
  const { method, parent } = operation(id);
  const { transactionStatus, consentStatus = transactionStatus } = answer;
  for (const name of Object.values(idNames)) {
    const found = resource[name] ?? (method === 'GET' ? undefined : answer.ids[name]);
    if (found === undefined) continue;
    const status = consentStatus ?? (method === 'GET' ? proved.get(found)?.status : undefined);
    proved.set(found, status === undefined ? {} : { status });
    if (method === 'DELETE' && parent !== 'payment' && answer.status === 204) proved.delete(found);
  }
}

/** Announces a wait that the bank asks for, unless it is too short to be noticed. */
function tellPause({ ports }: Target, { error }: Failure, pause: number): void {
  if (!(error instanceof BankRefusal) || pause < 1_000) return;
  const why = error.retryAfter === undefined ? '' : ' and asks for it (Retry-After)';
  const seconds = String(Math.ceil(pause / 1000));
  ports.notices.say(`Waiting ${seconds} s: the bank answered ${String(error.httpStatus)}${why}.`);
}

function isExpired(verdict: Verdict): verdict is Extract<Verdict, { outcome: 'REJECTED' }> {
  return verdict.outcome === 'REJECTED' && verdict.error.bankCode === 'TOKEN_EXPIRED';
}

/** Sends a request that is ready, once, and judges the answer as one of this bank. */
export function sendPrepared(target: Target, prepared: Prepared, op: Operation): Promise<Verdict> {
  const judgeOf = (exchange: string): Judge<Answer> => {
    const { input, path, requestId, write } = prepared;
    const judged: Judged = {
      ...{ operation: op, path, requestId, write, intent: input.intent ?? exchange },
      ...defined({ resource: input.resource }),
      streams: input.stream !== undefined,
      dialect: dialectOf(target, op, input),
    };
    const unaltered = (answer: HttpAnswer, verdict: Verdict, cut?: string): Verdict => {
      const why = believed(target, answer) ?? cut;
      return why === undefined ? verdict : judgeAltered(judged, verdict, answer, why);
    };
    return {
      async answer(answer) {
        tellLimit(target, answer.headers);
        const verdict = judgeAnswer(judged, answer, target.variant);
        const end = verdict.outcome === 'DONE' ? endOfReport(answer, verdict.answer) : undefined;
        const tolerated = toleratedIn(verdict);
        await end?.take(answer.body);
        return answer.rest === undefined
          ? { verdict: unaltered(answer, verdict, await end?.end()), tolerated }
          : { verdict, tolerated, ...defined({ end }) };
      },
      ended: unaltered,
      failure: (failure) => judgeFailure(judged, failure),
    };
  };
  return transmit(target, prepared, judgeOf);
}

/** `--request-id` belongs to the first call of a run; every later one gets its own. */
function takeRequestId(target: Target): string {
  const wished = target.state.requestId;
  delete target.state.requestId;
  return wished ?? target.ports.ids.uuid();
}
