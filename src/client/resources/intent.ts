import { defined } from '../../base/defined.ts';
import { ObkError } from '../../base/errors.ts';
import type { Ports } from '../ports.ts';
import type { Wish } from '../ports/intents.ts';
import type { Intent } from '../../settings/records/journal.ts';
import { fingerprintOf, sha256 } from '../orders/read-order.ts';
import type { PaymentOrder } from '../orders/read-order.ts';
import { refuseDuplicate, refuseMissing } from './duplicate.ts';
import type { ReadStatus } from './duplicate.ts';
import { describe, inProgress, intentState, unknownOutcome } from './intent-state.ts';
import type { IntentState } from './intent-state.ts';

/** SHA-256 over profile and key, and the ledger of a bank inside, which begins anew: the name of the intent's file. */
export function intentHash(profile: string, key: string, ledger?: string): string {
  return sha256([profile, key, ...(ledger === undefined ? [] : [ledger])]);
}

/** The result of a claim: the right to send, or an earlier answer of the same intent. */
export type Claimed =
  { kind: 'send'; intent: Intent; wish: Wish } | { kind: 'earlier'; intent: Intent; state: IntentState };

/** The caller's options for a claim. */
export interface ClaimOptions {
  hash: string;
  key: string;
  chosen: boolean;
  allowDuplicate: boolean;
}

/** The profile that a payment is sent for. */
export interface ClaimingProfile {
  name: string;
  production: boolean;
  ledger?: string | undefined;
  readStatus: ReadStatus;
}

/**
 * Claims the right to send a payment. Throws where an earlier attempt stands in the way: outcome unknown (12), still in
 * progress in a living process (8), same key with another body (2), same content unresolved (2).
 */
export async function claimIntent(
  ports: Pick<Ports, 'journal' | 'intents' | 'resources' | 'clock'>,
  profile: ClaimingProfile,
  order: PaymentOrder,
  wish: ClaimOptions,
): Promise<Claimed> {
  const intent: Intent = {
    schemaVersion: 1,
    hash: wish.hash,
    profile: profile.name,
    key: wish.key,
    bodyHash: order.bodyHash,
    fingerprint:
      profile.ledger === undefined ? fingerprintOf(order) : sha256([fingerprintOf(order), profile.ledger]),
    chosen: wish.chosen,
    ...(profile.production && { production: true as const }),
    run: ports.journal.run,
    createdAt: ports.clock.now().toISOString(),
    summary: order.summary,
    service: order.service,
    product: order.product,
    ...defined({ endToEndIdentification: order.endToEndIdentification }),
  };
  if (wish.allowDuplicate) return claimIt(ports, intent);
  await refuseMissing(ports, intent.hash);
  return claimIt(ports, intent, await refuseDuplicate(ports, intent, profile));
}

async function claimIt(
  { journal, intents }: Pick<Ports, 'journal' | 'intents'>,
  intent: Intent,
  seen?: readonly Intent[],
): Promise<Claimed> {
  // Each round either ends or has lost a race to another process, whose claim the next round then sees.
  for (let refusing: string | undefined; ;) {
    const claim = await intents.claim(intent, seen);
    if (claim.claimed) return { kind: 'send', intent, wish: claim.wish };
    const earlier = claim.intent;
    // If its record was damaged, the hash of its body is empty.
    if (earlier.bodyHash !== '' && earlier.bodyHash !== intent.bodyHash) throw keyReused(earlier);
    const state = await intentState(journal, earlier);
    const isResolved = state.kind === 'resolved' && state.noted !== true;
    if (claim.ownerAlive && !isResolved) throw inProgress(earlier);
    if (state.kind === 'unknown') throw unknownOutcome(earlier, state);
    const free =
      state.kind === 'not-sent' || (state.kind === 'resolved' && !state.created) || mayRepeat(state);
    if (!free) return { kind: 'earlier', intent: earlier, state };
    const wish = await intents.takeOver(intent, earlier.run, seen);
    if (wish !== undefined) return { kind: 'send', intent, wish };
    // No race: its process lives on, or the journal says that its request may still be on its way.
    if (refusing === earlier.run)
      throw claim.ownerAlive ? inProgress(earlier) : unknownOutcome(earlier, held);
    refusing = earlier.run;
  }
}

/** Why the outcome is unknown if the run that claimed the intent died before it recorded an end. */
const held = { detail: 'its journal does not record the end of the request' };

/** A refusal that never reached the payment (set-up, token, rate) says nothing about it: the next run may send again. */
function mayRepeat(state: IntentState): boolean {
  return state.kind === 'answered' && [401, 429].includes(state.record.status);
}

function keyReused(earlier: Intent): ObkError {
  return new ObkError({
    code: 'INTENT_KEY_REUSED',
    title: `The intent key ${JSON.stringify(earlier.key)} belongs to another payment.`,
    detail: `It was used on ${earlier.createdAt} for ${describe(earlier)}.`,
    hint: ['Use a new --intent-key for a new payment.'],
  });
}
