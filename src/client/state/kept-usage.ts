import { ObkError } from '../../base/errors.ts';
import type { Codec, Engine, Row, Statement } from '../ports/engine.ts';
import type { Usage, Use } from '../ports/usage.ts';
import { openIn, sealIn, unopened } from './sealed-rows.ts';
import { insert, read, replace, select, usageTags, uses as table } from './tables.ts';
import type { RowOf } from './tables.ts';

type UsageRow = RowOf<typeof table>;

/** The calls that count against a limit, by what is limited. While two keys are in use there is one row all the same. */
export function keptUsage({ engine, codec }: { engine: Engine; codec: Codec }): Usage {
  const byTag = (name: string): Statement[] =>
    usageTags(codec, name).map((tag) => select(table, 'WHERE key = ?1', [tag]));

  function whole(found: Row): { row: UsageRow; uses: readonly Use[] } {
    const row = read(table, found);
    const opened = row && (openIn(codec, table, 'record', row) as { uses: readonly Use[] } | undefined);
    if (row === undefined || opened === undefined) throw unopened(codec, table, found, damaged);
    return { row, uses: opened.uses };
  }

  return {
    read: async (name) => {
      const found = await Promise.all(byTag(name).map((one) => engine.rows(one)));
      return found.flat().map(whole)[0]?.uses ?? [];
    },

    update: (name, change) =>
      engine.change(byTag(name), (found) => {
        const [before] = found.flat().map(whole);
        const uses = before?.uses ?? [];
        const after = change(uses);
        if (after === uses) return { changes: [], result: after };
        const key = before?.row.key ?? usageTags(codec, name)[0];
        const row = { key, record: sealIn(codec, table, 'record', { key }, { name, uses: after }) };
        return {
          changes: [before === undefined ? insert(table, row) : replace(table, before.row, row)],
          result: after,
        };
      }),
  };
}

function damaged(): ObkError {
  return new ObkError({
    code: 'STATE_UNREADABLE',
    title: 'The count of calls cannot be read.',
    detail: 'A row of it does not hold what obk wrote.',
    hint: ['obk doctor --offline'],
  });
}
