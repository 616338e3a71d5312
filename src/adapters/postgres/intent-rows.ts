import type { Intent, IntentEnd } from '../../settings/records/journal.ts';
import { hasShape } from '../../client/state/kept-shape.ts';
import { isIdentity, lifeOfRun } from '../system/process-identity.ts';
import type { ProcessIdentity } from '../system/process-identity.ts';
import { places } from './places.ts';
import type { Vault } from './vault.ts';

/** A row of obk.intent as `intentColumns` reads it. */
export interface IntentRow {
  hash: string;
  profile: string;
  run: string;
  fence: string;
  state: 'claimed' | 'sending' | 'returned' | 'legacy';
  transition: string;
  owner: unknown;
  created_at: Date;
  /** Whether the lease of its owner goes on, by the clock of the server. */
  leased: boolean;
  /** Bytes, since the id of a bank may hold what a text of PostgreSQL may not. */
  resource_id: Buffer | null;
  record: Buffer;
  ending: Buffer | null;
}

export const resourceIdBytes = (id: string | undefined): Buffer | null =>
  id === undefined ? null : Buffer.from(id, 'utf8');

export const intentColumns = `hash, profile, run, fence, state, transition, owner, created_at,
  leased_until > clock_timestamp() AS leased, resource_id, record, ending`;

export function sealIntent(vault: Vault, intent: Intent): Buffer {
  // Columns of their own have these: a transition changes nothing else.
  const { resourceId: _, sent: __, settled: ___, run: ____, ...record } = intent;
  return vault.seal(places.intent(intent.profile, intent.hash), record);
}

export function sealEnding(vault: Vault, row: Pick<IntentRow, 'hash' | 'profile'>, end: IntentEnd): Buffer {
  return vault.seal(places.ending(row.profile, row.hash), end);
}

/** The intent of a row; undefined where it does not hold what obk wrote, or its key is another. */
export function intentOf(vault: Vault, row: IntentRow): Intent | undefined {
  const record = vault.open(places.intent(row.profile, row.hash), row.record);
  const settled =
    row.ending === null ? undefined : vault.open(places.ending(row.profile, row.hash), row.ending);
  if (!hasShape(record, { bodyHash: 'text', fingerprint: 'text', summary: 'object' })) return undefined;
  if (row.ending !== null && !hasShape(settled, { created: 'flag', by: 'text' })) return undefined;
  return {
    ...(record as Intent),
    run: row.run,
    ...(row.state !== 'legacy' && { sent: row.state !== 'claimed' }),
    ...(row.resource_id !== null && { resourceId: row.resource_id.toString('utf8') }),
    ...(settled !== undefined && { settled: settled as IntentEnd }),
  };
}

/**
 * Whether the owner may still do what it began. A lease that is over is over for everybody: before the request left, the fence keeps the
 * owner from going on. On this machine a dead owner is known at once.
 */
export function mayGoOn({ leased, owner, run }: IntentRow, own: ProcessIdentity): boolean {
  return leased && (!isIdentity(owner) || lifeOfRun(run, owner, own) !== 'dead');
}
