import { defined } from '../../base/defined.ts';
import { TransportFailure, ObkError, SealedElsewhere } from '../../base/errors.ts';
import type { HttpAnswer } from '../ports/http.ts';
import { headerOf } from '../../standard/xs2a/answer.ts';
import type { Tolerated } from '../../standard/xs2a/tolerated.ts';
import { watched } from './answer-stream.ts';
import { aheadOf } from './bank-time.ts';
import { guardConnection } from './call-guard.ts';
import type { Judge } from './judge.ts';
import type { Prepared } from './prepared.ts';
import type { ReportEnd } from './report-end.ts';
import type { Target } from './target.ts';
import { toldTolerated, journalOutcome } from './verdict.ts';
import type { Verdict, EndedExchange } from './verdict.ts';
import { alteration } from './whole-answer.ts';
import type { JournalRecord } from '../../settings/records/journal.ts';
import { accountsIn, maskAccounts } from '../redaction/masking.ts';
import { redactText, redactUrl, redactHeaders } from '../redaction/redact.ts';
import { shownHeaders, shownSigningString, shownAnswer } from './exchange-view.ts';
import { beforeSending, tellUnrecorded, tellUnwritable } from './unwritable.ts';

/** Why the bytes of an answer are not to be believed; undefined where they are, or where the operator believes them. */
export function believed({ profile, ports }: Target, answer: HttpAnswer): string | undefined {
  const how = profile.answers?.digest ?? 'verify';
  const why = how === 'off' ? undefined : alteration(answer);
  if (why === undefined || how === 'verify') return why;
  ports.notices.warn(`The answer of the bank is accepted because of the setting answers.digest: ${why}.`);
  return undefined;
}

/** Sends a prepared request exactly once, journals it before and after, and returns the verdict. */
export async function transmit<A>(
  target: Target,
  prepared: Prepared,
  judgeOf: (exchange: string) => Judge<A>,
): Promise<Verdict<A>> {
  const { ports } = target;
  guardConnection(target, prepared);
  const exchange = ports.ids.uuid();
  const judge = judgeOf(exchange);
  const journal = journalOf(target, prepared.write);
  const startedAt = ports.clock.now();
  const started = ports.clock.monotonic();
  const isRecorded = prepared.write || ports.journal.onlyWrites !== true;
  if (isRecorded) await journal(preparedRecord(target, prepared, exchange));

  let answer: HttpAnswer | undefined;
  let failure: TransportFailure | undefined;
  let verdict: Verdict<A>;
  let read: readonly Tolerated[] | undefined;
  const close = async () => {
    const tookMs = ports.clock.monotonic() - started;
    const durationMs = Math.round(tookMs);
    const tolerated = toldTolerated([...(prepared.input.tolerated ?? []), ...(read ?? [])], target.name);
    if (isRecorded)
      await recordEnd(target, journal, {
        exchange,
        prepared,
        verdict,
        answer,
        failure,
        durationMs,
        tolerated,
      });
    target.run.onExchange?.({
      prepared,
      startedAt,
      durationMs,
      tookMs,
      tolerated,
      verdict,
      ...defined({ answer, failure }),
    });
  };
  try {
    const { stream } = prepared.input;
    target.state.happened += 1;
    answer = await ports.http.send(prepared.request, {
      limits: target.limits,
      connection: await target.connection(),
      fresh: prepared.request.method !== 'GET',
      ...defined({ stream }),
      ...(prepared.write
        ? { onSending: () => journal({ type: 'sending', at: isoNow(target), exchange }) }
        : {}),
      ...defined({ signal: target.run.signal }),
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
    ({ verdict, end, tolerated: read } = await judge.answer(answer));
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
  const ahead = aheadOf(headerOf(answer?.headers ?? [], 'date'), ports.clock.now());
  if (ahead !== undefined) target.state.aheadMs = ahead;
  if (answer?.rest === undefined) await close();
  // The rest of an unusable answer is not read.
  else if (verdict.outcome !== 'DONE') await answer.rest.return(undefined);
  return verdict;
}

function checkEcho(target: Target, prepared: Prepared, answer: HttpAnswer | undefined): void {
  const echoed = answer?.headers.find(([name]) => name.toLowerCase() === 'x-request-id')?.[1];
  if (echoed === undefined || echoed.toLowerCase() === prepared.requestId.toLowerCase()) return;
  target.ports.notices.warn(`The bank answered with another X-Request-ID than ours (${prepared.requestId}).`);
}

/** Bodies of reads beyond this many characters are cut in the journal; those of writes never are. */
const journalledBody = 64 * 1024;

/** How an exchange ended: with an answer or with a failure, never with neither. */
type Ended = Pick<EndedExchange, 'prepared' | 'verdict' | 'durationMs' | 'tolerated'> & {
  exchange: string;
  answer: HttpAnswer | undefined;
  failure: TransportFailure | undefined;
};

/**
 * Records how an exchange ended. The bank has acted by now, so a failing journal causes a warning and never hides the
 * answer.
 */
async function recordEnd(target: Target, journal: JournalWriter, end: Ended): Promise<void> {
  try {
    await journal(endRecord(isoNow(target), end));
  } catch (error) {
    if (!(error instanceof ObkError)) throw error;
    tellUnrecorded(target.ports, error);
  }
}

type JournalWriter = (record: JournalRecord) => Promise<void>;

/**
 * Writes must be recorded before they leave; a read goes on without a record, with a warning, unless this run does not have the key of
 * the state: that is a mistake in the settings.
 */
function journalOf(target: Target, write: boolean): JournalWriter {
  const { journal, notices } = target.ports;
  return async (record) => {
    try {
      await journal.append(record);
    } catch (error) {
      const leaves = record.type === 'prepared' || record.type === 'sending';
      const isSealed = error instanceof SealedElsewhere;
      if ((write && leaves) || isSealed) return beforeSending(() => Promise.reject(error as Error));
      if (write || !(error instanceof ObkError)) throw error;
      notices.trace(1, `journal: ${error.title}`);
      tellUnwritable({ notices }, error);
    }
  };
}

function preparedRecord(target: Target, prepared: Prepared, exchange: string): JournalRecord {
  const { request, input, write } = prepared;
  const headers = shownHeaders(prepared);
  const signingString = shownSigningString(prepared);
  const body = redactText(prepared.shownBody);
  const accounts = accountsIn(body);
  return {
    type: 'prepared',
    at: isoNow(target),
    exchange,
    operation: prepared.operation.id,
    method: request.method,
    url: redactUrl(request.url),
    headers,
    body: maskAccounts(body),
    ...(accounts.length === 0 ? {} : { accounts }),
    bodySha256: prepared.bodySha256,
    requestId: prepared.requestId,
    write,
    ...defined({ signingString, intent: input.intent, resource: input.resource }),
    ...(write ? { exact: { headers, body } } : {}),
  };
}

function endRecord(at: string, end: Ended): JournalRecord {
  const { exchange, prepared, verdict, answer, failure, durationMs, tolerated } = end;
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
    ...defined({ tls: answer.tls }),
    ...('body' in verdict && { messages: verdict.error.messages }),
    ...(tolerated.length === 0 ? {} : { tolerated }),
    ...(verdict.outcome === 'UNKNOWN' && verdict.answer && { doubt: redactText(verdict.error.detail ?? '') }),
  };
}

function isoNow(target: Target): string {
  return target.ports.clock.now().toISOString();
}
