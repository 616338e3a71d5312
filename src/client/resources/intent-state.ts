import { line } from '../../base/command-line.ts';
import { ObkError, OutcomeUnknown } from '../../base/errors.ts';
import type { Journal } from '../ports/journal.ts';
import type { Intent, JournalRecord } from '../../settings/records/journal.ts';
import type { Header } from '../../settings/records/wire.ts';
import { headerOf } from '../../standard/xs2a/answer.ts';
import { readJson, stringMember } from '../../standard/xs2a/json.ts';
import type { JsonValue } from '../../standard/xs2a/json.ts';
import { amountText, payeeText } from '../orders/payment-summary.ts';

type Answered = Extract<JournalRecord, { type: 'answered' }>;

/** The outcome at the bank is unknown; `status` is set if it answered, `open` if no end of the request is recorded. */
export interface Unknown {
  kind: 'unknown';
  open?: true;
  exchange?: string;
  requestId?: string;
  status?: number;
  detail: string;
}

/** Where an intent stands, as its journal says. */
export type IntentState =
  | { kind: 'not-sent'; recorded?: true }
  | Unknown
  | { kind: 'answered'; record: Answered; requestId: string; url: string }
  /** `noted`: only the intent itself names its payment. `doubt`: the answer that named it could not be believed. */
  | {
      kind: 'resolved';
      created: boolean;
      paymentId?: string | undefined;
      noted?: true;
      doubt?: Unknown | undefined;
    };

/**
 * Where an intent stands, by itself and by the journal of the run that carried it out. Only a proof that nothing was sent
 * makes it `not-sent`; one that knows its payment is that payment, whatever became of the journal.
 */
export async function intentState(journal: Journal, intent: Intent): Promise<IntentState> {
  const { settled, sent, nothing, resourceId: paymentId } = intent;
  if (settled !== undefined) return { kind: 'resolved', created: settled.created, paymentId };
  if (sent === false) return { kind: 'not-sent' };
  const state = await stateInRun(journal, intent);
  // The intent outlives what its run has recorded.
  if (state.kind === 'unknown' && nothing === true) return { kind: 'not-sent', recorded: true };
  if (state.kind !== 'unknown' || paymentId === undefined) return state;
  // An answer that could not be believed (it has a status) may have named another one: the bank is to be asked.
  const doubt = state.status === undefined ? undefined : state;
  return { kind: 'resolved', created: true, paymentId, noted: true, doubt };
}

async function stateInRun(journal: Journal, { run, hash, sent }: Intent): Promise<IntentState> {
  let records: readonly JournalRecord[];
  try {
    records = await journal.read(run);
  } catch (error) {
    if (!(error instanceof ObkError)) throw error;
    return lost('is damaged');
  }
  if (records.length === 0) return lost('is missing');
  const state = stateIn(records, (record) => record.intent === hash);
  const cut = state.kind === 'not-sent' && state.recorded !== true && sent === true;
  return cut ? lost('ends before the request, which was sent') : state;
}

/** Why the outcome is unknown; undefined where it is known. */
export function doubtOf(state: IntentState): Unknown | undefined {
  if (state.kind === 'resolved') return state.doubt;
  return state.kind === 'unknown' ? state : undefined;
}

/** A payment that the bank made; `status` as its first answer had it. */
export interface MadePayment {
  id: string | undefined;
  status?: string | undefined;
}

/** The payment that the bank made for an intent; undefined if it made none or that is unknown. */
export function madeBy({ resourceId }: Intent, state: IntentState): MadePayment | undefined {
  if (state.kind === 'resolved') return state.created ? { id: state.paymentId ?? resourceId } : undefined;
  if (state.kind !== 'answered' || state.record.outcome !== 'DONE') return undefined;
  const { body } = state.record;
  return { id: resourceId ?? memberIn(body, 'paymentId'), status: memberIn(body, 'transactionStatus') };
}

/** A member of the JSON of an answer; undefined where it is none or has none. */
export function memberIn(body: string, name: string): string | undefined {
  let json: JsonValue | undefined;
  try {
    json = readJson(body);
  } catch {
    // A bank may answer in XML, and what was cut out of the journal may have been a part of the JSON.
  }
  return stringMember(json, name);
}

function lost(how: string): IntentState {
  return { kind: 'unknown', detail: `the journal of the run that sent it ${how}` };
}

/** Finds the last exchange that `mine` picks and says how it ended. */
export function stateIn(
  records: readonly JournalRecord[],
  mine: (record: Extract<JournalRecord, { type: 'prepared' }>) => boolean,
): IntentState {
  const prepared = records.findLast((record) => record.type === 'prepared' && mine(record));
  if (prepared?.type !== 'prepared') return { kind: 'not-sent' };
  const { exchange, requestId, url } = prepared;
  const own = records.filter((record) => 'exchange' in record && record.exchange === exchange);
  for (const record of own.toReversed()) {
    if (record.type === 'resolved') {
      const created = record.resolution === 'created' || record.resolution === 'done';
      return { kind: 'resolved', created, paymentId: record.resource?.paymentId };
    }
    if (record.type === 'answered') {
      if (record.outcome !== 'UNKNOWN') return { kind: 'answered', record, requestId, url };
      return {
        kind: 'unknown',
        exchange,
        requestId,
        status: record.status,
        detail:
          record.doubt?.replace(/\.$/, '') ??
          `the bank answered ${String(record.status)}${locationIn(record.headers)}`,
      };
    }
    if (record.type === 'failed') {
      if (record.outcome === 'NOT_SENT') return { kind: 'not-sent', recorded: true };
      const detail = record.detail + locationIn(record.partial?.headers);
      return { kind: 'unknown', exchange, requestId, detail };
    }
    if (record.type === 'sending') {
      return {
        kind: 'unknown',
        open: true,
        exchange,
        requestId,
        detail: 'the run that sent it ended before the answer came',
      };
    }
  }
  return { kind: 'not-sent' };
}

/** Where what was made may be found, if at least the head of the answer came. */
function locationIn(headers: readonly Header[] | undefined): string {
  const location = headers && headerOf(headers, 'location');
  return location === undefined ? '' : ` (Location ${location})`;
}

/** The error of an intent that a living process carries out (exit 8). */
export function inProgress(
  earlier: Intent,
  hint: readonly string[] = ['Wait for it, then run this again with the same --intent-key.'],
): ObkError {
  const { resourceId: paymentId } = earlier;
  return new ObkError({
    code: 'INTENT_IN_PROGRESS',
    title: 'Another process is carrying out this payment.',
    detail: `It began on ${earlier.createdAt} (${describe(earlier)}).`,
    hint,
    resource: paymentId === undefined ? undefined : { paymentId },
  });
}

/** The error of an intent whose outcome is unknown (exit 12). */
export function unknownOutcome(intent: Intent, state: Omit<Unknown, 'kind'>): OutcomeUnknown {
  return new OutcomeUnknown({
    code: 'OUTCOME_UNKNOWN',
    title: 'This payment was already sent; its outcome at the bank is unknown.',
    detail: `${describe(intent)}, sent on ${intent.createdAt}: ${state.detail}.`,
    hint: ['Do not send it again.', line`obk pending show ${shortHash(intent)}`],
    intent: intent.hash,
    requestId: state.requestId ?? '',
    operation: 'initiatePayment',
    httpStatus: state.status,
  });
}

/** The part of an intent's hash that people type. */
export function shortHash(intent: Pick<Intent, 'hash'>): string {
  return intent.hash.slice(0, 12);
}

/** A summary on one line by which a person recognises the payment. */
export function describe({ summary }: Pick<Intent, 'summary'>): string {
  return `${amountText(summary)} to ${payeeText(summary)}`;
}
