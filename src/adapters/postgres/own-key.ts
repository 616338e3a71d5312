import { randomBytes } from 'node:crypto';
import { ObkError } from '../../base/errors.ts';
import type { Database } from './database.ts';
import { places } from './places.ts';
import { keyIdOf } from './sealed-columns.ts';
import type { Vault } from './vault.ts';

/** The statement that makes the key of this state that no machine chooses, unless there is one. */
export async function makeSharedKey(database: Database, vault: Vault): Promise<void> {
  const place = places.sharedKey('sent');
  await database.rows('INSERT INTO shared_key (name, record) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING', [
    place.row,
    vault.seal(place, { key: randomBytes(32).toString('hex') }),
  ]);
}

/**
 * Returns what throws STATE_UNREADABLE where the state was sealed with a key that this run has not got: what it would add, no other
 * machine could read, and it would send what another has sent. It asks once; the first who writes decides which key the state has.
 */
export function ownKey({ database, vault }: { database: Database; vault: Vault }): () => Promise<void> {
  let isOwn: Promise<void> | undefined;

  async function look(): Promise<void> {
    // Of a state from before there was such a row, any intent or resource tells.
    const used = () =>
      database.rows<{ key: string }>(
        `(SELECT ${keyIdOf('record')} AS key FROM shared_key LIMIT 1)
         UNION ALL (SELECT ${keyIdOf('record')} FROM intent LIMIT 1)
         UNION ALL (SELECT ${keyIdOf('record')} FROM resource LIMIT 1)`,
      );
    const keys = await database.again(async () => {
      const found = await used();
      if (found.length > 0) return found;
      await makeSharedKey(database, vault);
      return used();
    });
    const foreign = keys.find(({ key }) => !vault.keyIds.includes(key));
    if (foreign === undefined) return;
    throw new ObkError({
      code: 'STATE_UNREADABLE',
      title: 'The shared state is sealed with another key than that of this run.',
      detail: `It has values of key ${foreign.key}, and this run has key ${vault.keyIds.join(' and ')}.`,
      hint: [
        'obk state doctor   # what each key has sealed',
        'obk config set state.oldKeyFrom env:OBK_STATE_OLD_KEY   # where the key was changed',
      ],
    });
  }

  return () =>
    (isOwn ??= look().catch((error: unknown) => {
      isOwn = undefined;
      throw error;
    }));
}
