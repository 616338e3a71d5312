import { randomBytes } from 'node:crypto';
import { SealedElsewhere } from '../../base/errors.ts';
import type { Database } from './database.ts';
import type { Codec } from '../../client/ports/engine.ts';
import { sealIn } from '../../client/state/sealed-rows.ts';
import { sharedKeys } from './schema.ts';
import type { Vault } from './vault.ts';

/** The id of the key that has sealed a value: it follows the byte of the format. */
export const keyIdOf = (column: string): string => `encode(substring(${column} FROM 2 FOR 8), 'hex')`;

/** The name of the key by which machines know what was sent. */
export const sentKey = 'sent';

/** The statement that makes the key of this state that no machine chooses, unless there is one. */
export async function makeSharedKey(database: Database, vault: Vault): Promise<void> {
  const key = { key: randomBytes(32).toString('hex') };
  await database.rows('INSERT INTO shared_key (name, record) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING', [
    sentKey,
    sealIn(vault, sharedKeys, 'record', { name: sentKey }, key),
  ]);
}

/**
 * Throws STATE_UNREADABLE where the state was sealed with a key that this run does not have: no other machine could read what it would
 * add, and it would send what another has sent. Returns whether anything is sealed there.
 */
export async function needOwnKey(database: Database, vault: Vault): Promise<boolean> {
  // Of a state from before there was a shared key, any intent or resource tells.
  const found = await database.rows<{ key: string }>(
    `(SELECT ${keyIdOf('record')} AS key FROM shared_key LIMIT 1)
     UNION ALL (SELECT ${keyIdOf('record')} FROM intent LIMIT 1)
     UNION ALL (SELECT ${keyIdOf('record')} FROM resource LIMIT 1)`,
  );
  const foreign = found.find(({ key }) => !vault.keyIds.includes(key));
  if (foreign !== undefined) throw sealedElsewhere(vault, foreign.key);
  return found.length > 0;
}

/** Returns `needOwnKey` that asks once; the first who writes decides which key the state has. */
export function ownKey({ database, vault }: { database: Database; vault: Vault }): () => Promise<void> {
  let isOwn: Promise<void> | undefined;

  const look = () =>
    database.again(async () => {
      if (await needOwnKey(database, vault)) return;
      await makeSharedKey(database, vault);
      await needOwnKey(database, vault);
    });

  return () =>
    (isOwn ??= look().catch((error: unknown) => {
      isOwn = undefined;
      throw error;
    }));
}

/** A vault that names the key of what it cannot open, and counts the rows that were left out for that, by the id of their key. */
export interface FleetCodec extends Codec {
  /** Each row is counted once, however often a run meets it. */
  counts(): ReadonlyMap<string, number>;
}

export function fleetCodec(vault: Vault): FleetCodec {
  const met = new Map<string, Set<string>>();
  return {
    ...vault,
    foreign: (sealed, leftOut) => {
      const keyId = vault.foreignKey(sealed);
      if (keyId === undefined) return undefined;
      if (leftOut !== undefined) met.set(keyId, (met.get(keyId) ?? new Set()).add(JSON.stringify(leftOut)));
      return sealedElsewhere(vault, keyId);
    },
    counts: () => new Map([...met].map(([keyId, rows]) => [keyId, rows.size])),
  };
}

function sealedElsewhere(vault: Vault, keyId: string): SealedElsewhere {
  return new SealedElsewhere({
    code: 'STATE_UNREADABLE',
    title: 'The shared state is sealed with another key than that of this run.',
    detail: `It has values of key ${keyId}, and this run has key ${vault.keyIds.join(' and ')}.`,
    hint: [
      'obk state doctor   # tells how many values this run cannot read',
      'obk config set state.oldKeyFrom env:OBK_STATE_OLD_KEY   # where the key was changed',
    ],
  });
}
