import { line } from '../../base/command-line.ts';
import { isFailure, ObkError } from '../../base/errors.ts';
import type { Ports } from '../ports.ts';
import type { Resources } from '../ports/resources.ts';
import type { Intent } from '../../settings/records/journal.ts';
import { sha256Hex } from '../../signing/digest.ts';
import { doubtOf, inProgress, intentState, madeBy, shortHash } from './intent-state.ts';
import type { MadePayment } from './intent-state.ts';
import { unknownWrites } from './unknown-writes.ts';

/** Reads at the bank where the payment of an intent stands. */
export type ReadStatus = (intent: Intent, paymentId: string) => Promise<string | undefined>;

const override = '--allow-duplicate   # to send it all the same';
const waitOr = ['Wait for it to end, then run this again.', override];
const day = 24 * 60 * 60 * 1000;

/**
 * Refuses a payment if an earlier one of the same content stands in the way: one whose outcome is unknown or, where either was begun in
 * production, one of the last 24 hours that is not proved to be unauthorised. Returns those that it has looked at: no other may come
 * in between.
 */
export async function refuseDuplicate(
  ports: Pick<Ports, 'journal' | 'intents' | 'resources' | 'clock'>,
  intent: Intent,
  how: { production: boolean; readStatus: ReadStatus },
): Promise<readonly Intent[]> {
  const seen = await ports.intents.like(intent.profile, intent.fingerprint);
  for (const { alive: mayLive, ...other } of seen) {
    if (other.hash === intent.hash || (other.chosen && intent.chosen)) continue;
    const alive = mayLive && other.run !== intent.run;
    const state = await intentState(ports.journal, other);
    const doubt = doubtOf(state);
    if (doubt !== undefined) {
      // Its process may be about to have the answer.
      if (alive && doubt.open === true) throw inProgress(other, waitOr);
      throw duplicate(
        other,
        `Its outcome is still unknown: ${doubt.detail}.`,
        line`obk pending show ${shortHash(other)}`,
      );
    }
    const recent = ports.clock.now().getTime() - Date.parse(other.createdAt) < day;
    if (!(how.production || other.production === true) || !recent) continue;
    if (state.kind === 'not-sent' && alive) throw inProgress(other, waitOr);
    const made = madeBy(other, state);
    if (made !== undefined) await refuseAuthorised(ports, other, made, { ...how, alive });
  }
  return seen;
}

/** Refuses a payment whose intent is not known, where some that were begun are not known any more: it may be one of them. */
export async function refuseMissing({ intents }: Pick<Ports, 'intents'>, hash: string): Promise<void> {
  const missing = await intents.missing();
  if (missing === 0 || (await intents.find(hash)) !== undefined) return;
  const known = (await intents.broken('')).map((one) => line`obk pending show ${shortHash(one)}`);
  throw new ObkError({
    code: 'DUPLICATE_PAYMENT',
    title: 'This payment may have been started before.',
    detail: `${missing === 1 ? '1 payment that was' : `${String(missing)} payments that were`} started here ${missing === 1 ? 'is' : 'are'} missing: the state was lost, or is an older copy.`,
    hint: [...(known.length > 0 ? known.slice(0, 3) : ['obk log list   # what was sent']), override],
  });
}

/** Refuses a payment put together by hand whose very bytes were sent before, with an outcome that is still unknown. */
export async function refuseSameBytes(ports: Ports, profile: string, bytes: Uint8Array): Promise<void> {
  const hash = sha256Hex(bytes);
  const writes = await unknownWrites(ports, profile);
  const same = writes.find((one) => one.operation === 'initiatePayment' && one.bodySha256 === hash);
  if (same === undefined) return;
  const why = `Its outcome is still unknown: ${same.detail}.`;
  throw duplicate({ createdAt: same.at }, why, line`obk pending show ${same.id}`);
}

async function refuseAuthorised(
  { resources }: Pick<Ports, 'resources'>,
  other: Intent,
  { id, status: answered }: MadePayment,
  { readStatus, alive }: { readStatus: ReadStatus; alive: boolean },
): Promise<void> {
  const known = id === undefined ? undefined : await told(savedStatus(resources, other, id));
  const status = known ?? answered;
  if (isAuthorised(status)) throw authorised(other, id);
  if (isOver(status)) return;
  if (alive) throw inProgress(other, waitOr);
  // It may have been authorised since, by the PSU or in the moment before its run was killed.
  const now = id === undefined ? undefined : await told(readStatus(other, id));
  if (now === undefined) throw unread(other, id);
  if (isAuthorised(now)) throw authorised(other, id);
}

async function savedStatus(
  resources: Resources,
  { profile }: Intent,
  id: string,
): Promise<string | undefined> {
  return (await resources.find(profile, 'payment', id))?.status;
}

/** A status that cannot be read is no reason to refuse. */
async function told(status: Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await status;
  } catch (error) {
    if (isFailure(error)) return undefined;
    throw error;
  }
}

function isAuthorised(status: string | undefined): boolean {
  return status !== undefined && !isOver(status) && !['RCVD', 'PDNG', 'PATC'].includes(status);
}

function isOver(status: string | undefined): boolean {
  return status === 'RJCT' || status === 'CANC';
}

function authorised(other: Intent, id: string | undefined): ObkError {
  return duplicate(other, `${nameOf(id)} was authorised within the last 24 hours.`, statusOf(other, id));
}

function unread(other: Intent, id: string | undefined): ObkError {
  return duplicate(
    other,
    `${nameOf(id)} may have been authorised since; the bank does not tell now.`,
    statusOf(other, id),
  );
}

function nameOf(id: string | undefined): string {
  return id === undefined ? 'It' : `Payment ${id}`;
}

function statusOf(intent: Intent, id: string | undefined): string {
  if (id === undefined) return line`obk pending show ${shortHash(intent)}`;
  const { service, product } = intent;
  return line`obk payment status ${id} --service ${service} --product ${product}`;
}

function duplicate(other: Pick<Intent, 'createdAt'>, why: string, next: string): ObkError {
  return new ObkError({
    code: 'DUPLICATE_PAYMENT',
    title: `The same payment was started on ${other.createdAt}.`,
    detail: why,
    hint: [next, override],
  });
}
