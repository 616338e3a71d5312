import { defined } from '../../base/defined.ts';
import { ObkError, SealedElsewhere } from '../../base/errors.ts';
import type { TransportFailure } from '../../base/errors.ts';
import type { HttpAnswer } from '../ports/http.ts';
import type { JournalRecord } from '../../settings/records/journal.ts';
import { accountsIn, maskAccounts } from '../redaction/masking.ts';
import { redactText, redactUrl, redactHeaders } from '../redaction/redact.ts';
import { shownHeaders, shownSigningString, shownAnswer } from './exchange-view.ts';
import type { Prepared } from './prepared.ts';
import type { Target } from './target.ts';
import { beforeSending, tellUnrecorded, tellUnwritable } from './unwritable.ts';
import { journalOutcome } from './verdict.ts';
import type { EndedExchange } from './verdict.ts';

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
export async function recordEnd(target: Target, journal: JournalWriter, end: Ended): Promise<void> {
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
export function journalOf(target: Target, write: boolean): JournalWriter {
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

export function preparedRecord(target: Target, prepared: Prepared, exchange: string): JournalRecord {
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

export function isoNow(target: Target): string {
  return target.ports.clock.now().toISOString();
}
