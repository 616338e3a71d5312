import { ObkError } from '../../base/errors.ts';
import type { Clock } from '../../client/ports/clock.ts';
import type { Usage, Use } from '../../client/ports/usage.ts';
import type { Database } from './database.ts';
import { places, tagged } from './places.ts';
import type { Vault } from './vault.ts';

interface Row {
  key: Buffer;
  record: Buffer;
}

/**
 * One row for each key, counted by all machines: it is locked while a use is added. The times in it are those of the server, since
 * the clocks of machines differ; whoever asks gets them by its own clock.
 */
export function postgresUsage(options: { database: Database; vault: Vault; clock: Clock }): Usage {
  const { database, vault, clock } = options;
  let ahead: Promise<number> | undefined;

  /** By how many milliseconds the clock of this machine is ahead of the server's. */
  async function measure(): Promise<number> {
    const [row] = await database.rows<{ at: number }>(
      'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS at',
    );
    return Math.round(clock.now().getTime() - (row?.at ?? 0));
  }

  // A key may hold an account: the tag finds it and tells nothing of it. The name is sealed with the uses,
  // so that a row can be moved between files and the database, and sealed by another key.
  const tagsOf = (key: string) => vault.tags(...tagged.usage(key)) as [Buffer, ...Buffer[]];

  async function find(tags: readonly Buffer[], lock = ''): Promise<Row | undefined> {
    const [row] = await database.rows<Row>(`SELECT key, record FROM usage WHERE key = ANY($1) ${lock}`, [
      tags,
    ]);
    return row;
  }

  function usesOf(row: Row | undefined, by: number): readonly Use[] {
    if (row === undefined) return [];
    const found = vault.open(places.usage(row.key), row.record) as { uses: readonly Use[] } | undefined;
    if (found === undefined)
      throw new ObkError({
        code: 'STATE_UNREADABLE',
        title: 'The count of calls cannot be read.',
        detail: 'A row of obk.usage does not hold what obk wrote, or its key is another.',
      });
    return found.uses.map(({ at, what }) => ({ at: at + by, what }));
  }

  const seal = (tag: Buffer, key: string, uses: readonly Use[], by: number) =>
    vault.seal(places.usage(tag), {
      name: key,
      uses: uses.map(({ at, what }) => ({ at: at - by, what })),
    });

  const offset = () =>
    (ahead ??= measure().catch((error: unknown) => {
      ahead = undefined;
      throw error;
    }));

  return {
    read: (key) =>
      database.again(async () => {
        const by = await offset();
        return usesOf(await find(tagsOf(key)), by);
      }),

    // Where the connection is lost at COMMIT a use may be counted twice: a budget is rather left over than exceeded.
    update: (key, change) =>
      database.again(async () => {
        const by = await offset();
        return database.transaction(async () => {
          const tags = tagsOf(key);
          // While two keys are in use, whoever has both waits here, and then takes the row that there is by one of them.
          for (const tag of tags.length === 1 ? [] : tags.map(numberOf).sort())
            await database.rows('SELECT pg_advisory_xact_lock($1)', [tag]);
          if (tags.length === 1 || (await find(tags)) === undefined)
            // Who comes second waits here for the first, whether there is a row or not.
            await database.rows(
              'INSERT INTO usage (key, record) VALUES ($1, $2) ON CONFLICT (key) DO NOTHING',
              [tags[0], seal(tags[0], key, [], by)],
            );
          const row = await find(tags, 'FOR UPDATE');
          const before = usesOf(row, by);
          const after = change(before);
          if (after !== before && row !== undefined)
            await database.rows('UPDATE usage SET record = $2 WHERE key = $1', [
              row.key,
              seal(row.key, key, after, by),
            ]);
          return after;
        });
      }),
  };
}

/** The 64 bits that stand for a tag among the locks. */
const numberOf = (tag: Buffer): string => tag.readBigInt64BE().toString();
