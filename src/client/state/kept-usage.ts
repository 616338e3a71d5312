import { ObkError } from '../../base/errors.ts';
import type { Codec, Engine, Place, Row } from '../ports/engine.ts';
import type { Usage, Use } from '../ports/usage.ts';
import { commit } from './commit.ts';
import { hasShape } from './kept-shape.ts';
import { read, select, uses } from './tables.ts';

/** The calls that count against a limit, by what is limited. */
export function keptUsage({ engine, codec }: { engine: Engine; codec: Codec }): Usage {
  // A key may hold an account: the hash finds it and tells nothing of it. Sealed beside the uses, it can be moved to another key.
  const keyOf = (key: string) => codec.tags('usage', key)[0];

  function usesOf(found: Row | undefined): readonly Use[] {
    if (found === undefined) return [];
    const row = read(uses, found);
    const record = row && (codec.open(placeOf(row.key), row.record) as { uses?: unknown } | undefined);
    const its = record?.uses;
    if (!Array.isArray(its) || !its.every(isUse)) throw damaged();
    return its;
  }

  return {
    read: async (name) => {
      const [row] = await engine.rows(select(uses, 'WHERE key = ?1', [keyOf(name)]));
      return usesOf(row);
    },

    update: async (name, change) => {
      const key = keyOf(name);
      let after: readonly Use[] = [];
      await commit(engine, [
        {
          of: uses,
          where: 'key = ?1',
          values: [key],
          next: (rows) => {
            const before = usesOf(rows[0]);
            after = change(before);
            if (after === before) return rows;
            return [{ key, record: codec.seal(placeOf(key), { name, uses: after }) }];
          },
        },
      ]);
      return after;
    },
  };
}

const isUse = (one: unknown): one is Use => hasShape(one, { at: 'number', what: 'text' });

const placeOf = (key: Uint8Array): Place => ({
  profile: '',
  kind: 'usage',
  row: Buffer.from(key).toString('hex'),
});

function damaged(): ObkError {
  return new ObkError({
    code: 'STATE_UNREADABLE',
    title: 'The count of calls cannot be read.',
    detail: 'A row of it does not hold what obk wrote.',
    hint: ['obk doctor --offline'],
  });
}
