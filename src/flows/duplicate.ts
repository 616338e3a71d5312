import { line } from '../command-line.ts';
import { ObkError } from '../errors.ts';
import type { Intent, Ports, SavedResource } from '../ports.ts';
import { isJsonObject, readJson, stringMember } from '../xs2a/json.ts';
import { inProgress, intentState, shortHash } from './intent-state.ts';
import type { IntentState } from './intent-state.ts';

/** Reads at the bank where the payment of an intent stands. */
export type ReadStatus = (intent: Intent, paymentId: string) => Promise<string | undefined>;

const day = 24 * 60 * 60 * 1000;

/**
 * Refuses the same content where an earlier payment of it stands in the way: one of which nobody knows what became of it, and
 * in production one of the last 24 hours unless it is proved that it was not authorised.
 */
export async function refuseDuplicate(
  ports: Ports,
  intent: Intent,
  how: { production: boolean; readStatus?: ReadStatus | undefined },
): Promise<void> {
  for (const { alive, ...other } of await ports.journal.intentsLike(intent.profile, intent.fingerprint)) {
    if (other.hash === intent.hash || (other.chosen && intent.chosen)) continue;
    const state = await intentState(ports.journal, other);
    const doubt = state.kind === 'unknown' ? state : state.kind === 'resolved' ? state.doubt : undefined;
    if (doubt !== undefined) {
      throw duplicate(
        other,
        `Nobody knows yet what became of it: ${doubt.detail}.`,
        line`obk pending show ${shortHash(other)}`,
      );
    }
    const recent = ports.clock.now().getTime() - Date.parse(other.createdAt) < day;
    if (!how.production || !recent) continue;
    if (state.kind === 'not-sent' && alive) throw inProgress(other);
    const made = madeBy(other, state);
    if (made !== undefined) await refuseAuthorised(ports, other, made, { ...how, alive });
  }
}

/** What the bank said that it made; undefined where it made nothing. */
function madeBy(intent: Intent, state: IntentState): { id?: string; status?: string } | undefined {
  if (state.kind === 'resolved' && state.created) {
    const id = state.paymentId ?? intent.resourceId;
    return id === undefined ? {} : { id };
  }
  if (state.kind !== 'answered' || state.record.outcome !== 'DONE') return undefined;
  const id = intent.resourceId ?? memberOf(state.record.body, 'paymentId');
  const status = memberOf(state.record.body, 'transactionStatus');
  return { ...(id === undefined ? {} : { id }), ...(status === undefined ? {} : { status }) };
}

async function refuseAuthorised(
  ports: Ports,
  other: Intent,
  { id, status: answered }: { id?: string; status?: string },
  { readStatus, alive }: { readStatus?: ReadStatus | undefined; alive: boolean },
): Promise<void> {
  const status = (id === undefined ? undefined : await savedStatus(ports, other, id)) ?? answered;
  if (isAuthorised(status)) throw authorised(other, id);
  if (status !== undefined && isOver(status)) return;
  if (alive) throw inProgress(other);
  // It may have been authorised since, by the PSU or in the moment before its run was killed.
  if (id === undefined || readStatus === undefined) {
    if (status === undefined) throw unread(other, id);
    return;
  }
  let now: string | undefined;
  try {
    now = await readStatus(other, id);
  } catch (error) {
    if (error instanceof ObkError) throw unread(other, id);
    throw error;
  }
  if (now === undefined) throw unread(other, id);
  if (isAuthorised(now)) throw authorised(other, id);
}

async function savedStatus(ports: Ports, { profile }: Intent, id: string): Promise<string | undefined> {
  let saved: SavedResource | undefined;
  try {
    saved = await ports.store.resource(profile, 'payment', id);
  } catch (error) {
    if (!(error instanceof ObkError)) throw error;
  }
  return saved?.status;
}

function isAuthorised(status: string | undefined): boolean {
  return status !== undefined && !isOver(status) && !['RCVD', 'PDNG', 'PATC'].includes(status);
}

function isOver(status: string): boolean {
  return status === 'RJCT' || status === 'CANC';
}

function memberOf(body: string, name: string): string | undefined {
  try {
    const json = readJson(body);
    return isJsonObject(json) ? stringMember(json, name) : undefined;
  } catch {
    return undefined;
  }
}

function authorised(other: Intent, id: string | undefined): ObkError {
  const which = id === undefined ? 'It' : `Payment ${id}`;
  return duplicate(other, `${which} was authorised within the last 24 hours.`, statusOf(other, id));
}

function unread(other: Intent, id: string | undefined): ObkError {
  const which = id === undefined ? 'It' : `Payment ${id}`;
  return duplicate(
    other,
    `${which} may have been authorised since; the bank does not tell now.`,
    statusOf(other, id),
  );
}

function statusOf({ service, product, hash }: Intent, id: string | undefined): string {
  if (id === undefined) return line`obk pending show ${shortHash({ hash })}`;
  return line`obk payment status ${id} --service ${service} --product ${product}`;
}

function duplicate(other: Intent, why: string, next: string): ObkError {
  return new ObkError({
    code: 'DUPLICATE_PAYMENT',
    title: `The same payment was started on ${other.createdAt}.`,
    detail: why,
    hint: [next, '--allow-duplicate   # to send it all the same'],
  });
}
