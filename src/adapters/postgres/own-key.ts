import { randomBytes } from 'node:crypto';
import { SealedElsewhere } from '../../base/errors.ts';
import type { ObkError } from '../../base/errors.ts';
import type { Database } from './database.ts';
import { places } from './places.ts';
import { keyIdOf } from './sealed-columns.ts';
import type { Place, Vault } from './vault.ts';

/** The statement that makes the key of this state that no machine chooses, unless there is one. */
export async function makeSharedKey(database: Database, vault: Vault): Promise<void> {
  const place = places.sharedKey('sent');
  await database.rows('INSERT INTO shared_key (name, record) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING', [
    place.row,
    vault.seal(place, { key: randomBytes(32).toString('hex') }),
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

/** The rows that cannot be read because a key has sealed them that this run does not have: lists leave them out. */
export interface ForeignRows {
  /** Whether a row is one of them. It is then counted, once however often a run meets it. */
  has(place: Place, sealed: Uint8Array): boolean;
  /** The number of rows that were met, by the id of their key. */
  counts(): ReadonlyMap<string, number>;
}

export function foreignRows(vault: Vault): ForeignRows {
  const met = new Map<string, Set<string>>();
  return {
    has: (place, sealed) => {
      const keyId = vault.foreignKey(sealed);
      if (keyId === undefined) return false;
      const rows = met.get(keyId) ?? new Set();
      met.set(keyId, rows.add(JSON.stringify(place)));
      return true;
    },
    counts: () => new Map([...met].map(([keyId, rows]) => [keyId, rows.size])),
  };
}

/** The error of a value that does not open: its key is missing here, or, where that is not so, what `damaged` returns. */
export function unopened(vault: Vault, sealed: Uint8Array, damaged: () => ObkError): ObkError {
  const keyId = vault.foreignKey(sealed);
  return keyId === undefined ? damaged() : sealedElsewhere(vault, keyId);
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
