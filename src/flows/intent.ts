import { line } from '../command-line.ts';
import { ObkError, OutcomeUnknown } from '../errors.ts';
import type { Header, Intent, Journal, JournalRecord, Ports, SavedResource } from '../ports.ts';
import { headerOf } from '../xs2a/answer.ts';
import { fingerprintOf, sha256 } from './payment-body.ts';
import type { PaymentOrder } from './payment-body.ts';
import { amountText, payeeText } from './payment-summary.ts';

type Answered = Extract<JournalRecord, { type: 'answered' }>;

/** Where an intent stands, as its journal says. */
export type IntentState =
  | { kind: 'not-sent' }
  | { kind: 'unknown'; exchange: string; requestId: string; status?: number; detail: string }
  | { kind: 'answered'; record: Answered; requestId: string }
  | { kind: 'resolved'; created: boolean; paymentId?: string };

/** SHA-256 over profile and key: the name of the intent's file. */
export function intentHash(profile: string, key: string): string {
  return sha256([profile, key]);
}

/** Reads where an intent stands from the journal of the run that carried it out. */
export async function intentState(journal: Journal, intent: Intent): Promise<IntentState> {
  return stateIn(await journal.read(intent.run), (record) => record.intent === intent.hash);
}

/** Finds the last exchange that `mine` picks and says how it ended. */
export function stateIn(
  records: readonly JournalRecord[],
  mine: (record: Extract<JournalRecord, { type: 'prepared' }>) => boolean,
): IntentState {
  const prepared = records.findLast((record) => record.type === 'prepared' && mine(record));
  if (prepared?.type !== 'prepared') return { kind: 'not-sent' };
  const { exchange, requestId } = prepared;
  const own = records.filter((record) => 'exchange' in record && record.exchange === exchange);
  for (const record of own.toReversed()) {
    if (record.type === 'resolved') {
      const created = record.resolution === 'created' || record.resolution === 'done';
      const paymentId = record.resource?.paymentId;
      return { kind: 'resolved', created, ...(paymentId === undefined ? {} : { paymentId }) };
    }
    if (record.type === 'answered') {
      if (record.outcome !== 'UNKNOWN') return { kind: 'answered', record, requestId };
      return {
        kind: 'unknown',
        exchange,
        requestId,
        status: record.status,
        detail: `the bank answered ${String(record.status)}${locationIn(record.headers)}`,
      };
    }
    if (record.type === 'failed') {
      if (record.outcome === 'NOT_SENT') return { kind: 'not-sent' };
      const detail = record.detail + locationIn(record.partial?.headers ?? []);
      return { kind: 'unknown', exchange, requestId, detail };
    }
    if (record.type === 'sending') {
      return {
        kind: 'unknown',
        exchange,
        requestId,
        detail: 'the run that sent it ended before the answer came',
      };
    }
  }
  return { kind: 'not-sent' };
}

/** Where what was made may be found, if at least the head of the answer came. */
function locationIn(headers: readonly Header[]): string {
  const location = headerOf(headers, 'location');
  return location === undefined ? '' : ` (Location ${location})`;
}

/** What a claim leads to: the right to send, or an earlier answer of the same intent. */
export type Claimed =
  { kind: 'send'; intent: Intent } | { kind: 'earlier'; intent: Intent; state: IntentState };

/** What the caller wants of the intent. */
export interface IntentWish {
  hash: string;
  key: string;
  chosen: boolean;
  allowDuplicate: boolean;
}

/**
 * Claims the right to send a payment. Throws where an earlier attempt stands in the way: outcome unknown (12), still in
 * progress in a living process (8), same key with another body (2), same content unresolved (2).
 */
export async function claimIntent(
  ports: Ports,
  profile: { name: string; production: boolean },
  order: PaymentOrder,
  wish: IntentWish,
): Promise<Claimed> {
  const { journal } = ports;
  const intent: Intent = {
    schemaVersion: 1,
    hash: wish.hash,
    profile: profile.name,
    key: wish.key,
    bodyHash: order.bodyHash,
    fingerprint: fingerprintOf(order),
    chosen: wish.chosen,
    run: journal.run,
    createdAt: ports.clock.now().toISOString(),
    summary: order.summary,
    service: order.service,
    product: order.product,
    ...(order.endToEndIdentification === undefined
      ? {}
      : { endToEndIdentification: order.endToEndIdentification }),
  };
  if (!wish.allowDuplicate) await refuseDuplicate(ports, intent, profile.production);
  // Each round either ends or has lost a race to another process, whose claim the next round then sees.
  for (;;) {
    const claim = await journal.claim(intent);
    if (claim.claimed) return { kind: 'send', intent };
    const earlier = claim.intent;
    if (earlier.bodyHash !== intent.bodyHash) throw keyReused(earlier);
    const state = await intentState(journal, earlier);
    if (claim.ownerAlive && state.kind !== 'resolved') throw inProgress(earlier);
    if (state.kind === 'unknown') throw unknownOutcome(earlier, state);
    const free =
      state.kind === 'not-sent' || (state.kind === 'resolved' && !state.created) || mayRepeat(state);
    if (!free) return { kind: 'earlier', intent: earlier, state };
    if (await journal.takeOver(intent, earlier.run)) return { kind: 'send', intent };
  }
}

/** A refusal that never reached the payment (set-up, token, rate) says nothing about it: the next run may send again. */
function mayRepeat(state: IntentState): boolean {
  return (
    state.kind === 'answered' &&
    state.record.outcome === 'REJECTED' &&
    [401, 429].includes(state.record.status)
  );
}

const day = 24 * 60 * 60 * 1000;

async function refuseDuplicate(ports: Ports, intent: Intent, production: boolean): Promise<void> {
  for (const other of await ports.journal.intentsLike(intent.profile, intent.fingerprint)) {
    if (other.hash === intent.hash || (other.chosen && intent.chosen)) continue;
    const state = await intentState(ports.journal, other);
    if (state.kind === 'unknown') {
      throw duplicate(
        other,
        `Nobody knows yet what became of it: ${state.detail}.`,
        line`obk pending show ${shortHash(other)}`,
      );
    }
    const recent = ports.clock.now().getTime() - Date.parse(other.createdAt) < day;
    if (!production || !recent || other.resourceId === undefined) continue;
    const saved = await ports.store.resource(intent.profile, 'payment', other.resourceId);
    if (saved !== undefined && isAuthorised(saved)) {
      throw duplicate(
        other,
        `Payment ${saved.id} was authorised within the last 24 hours.`,
        line`obk payment status ${saved.id}`,
      );
    }
  }
}

function isAuthorised(saved: SavedResource): boolean {
  return saved.status !== undefined && !['RCVD', 'RJCT', 'CANC', 'PDNG', 'PATC'].includes(saved.status);
}

function duplicate(other: Intent, why: string, next: string): ObkError {
  return new ObkError({
    code: 'DUPLICATE_PAYMENT',
    title: `The same payment was started on ${other.createdAt}.`,
    detail: why,
    hint: [next, '--allow-duplicate   # to send it all the same'],
  });
}

function keyReused(earlier: Intent): ObkError {
  return new ObkError({
    code: 'INTENT_KEY_REUSED',
    title: `The intent key ${JSON.stringify(earlier.key)} belongs to another payment.`,
    detail: `It was used on ${earlier.createdAt} for ${describe(earlier)}.`,
    hint: ['Use a new --intent-key for a new payment.'],
  });
}

function inProgress(earlier: Intent): ObkError {
  return new ObkError({
    code: 'INTENT_IN_PROGRESS',
    title: 'Another process is carrying out this payment.',
    detail: `It began on ${earlier.createdAt} (${describe(earlier)}).`,
    hint: ['Wait for it, then run this again with the same --intent-key.'],
    ...(earlier.resourceId === undefined ? {} : { resource: { paymentId: earlier.resourceId } }),
  });
}

/** The error of an intent whose outcome nobody knows (exit 12). */
export function unknownOutcome(
  intent: Intent,
  state: Extract<IntentState, { kind: 'unknown' }>,
): OutcomeUnknown {
  return new OutcomeUnknown({
    code: 'OUTCOME_UNKNOWN',
    title: 'This payment left before, and what the bank did with it is not known.',
    detail: `${describe(intent)}, sent on ${intent.createdAt}: ${state.detail}.`,
    hint: ['Do not send it again.', line`obk pending show ${shortHash(intent)}`],
    intent: intent.hash,
    requestId: state.requestId,
    operation: 'initiatePayment',
    ...(state.status === undefined ? {} : { httpStatus: state.status }),
  });
}

/** The part of an intent's hash that people type. */
export function shortHash(intent: Pick<Intent, 'hash'>): string {
  return intent.hash.slice(0, 12);
}

/** What a person recognises the payment by, on one line. */
export function describe({ summary }: Pick<Intent, 'summary'>): string {
  return `${amountText(summary)} to ${payeeText(summary)}`;
}
