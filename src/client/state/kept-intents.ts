import type { Claim, Intent } from '../../settings/records/journal.ts';
import type { Codec, Decision, Engine, Row, Statement } from '../ports/engine.ts';
import type { Intents } from '../ports/intents.ts';
import { claimCount } from './claim-count.ts';
import { commit } from './commit.ts';
import type { Part } from './commit.ts';
import { brokenIntent, checkMayLeave, ended, mayBeTaken } from './intent-rules.ts';
import { intentOf, rowAfter, rowOfIntent } from './intent-rows.ts';
import type { IntentRow } from './intent-rows.ts';
import type { Owners } from './owners.ts';
import { isLeftOut, unopened } from './sealed-rows.ts';
import { contentTags, insert, intents as table, put, select } from './tables.ts';

/** The payments that were begun, each once. */
export function keptIntents(options: {
  engine: Engine;
  /** Where it is seen how many payments were begun. */
  log: Engine;
  codec: Codec;
  owners: Owners;
}): Intents {
  const { engine, log, codec, owners } = options;
  const count = claimCount({ state: engine, log, codec });
  const whole = (found: Row): { row: IntentRow; intent: Intent } => {
    const one = intentOf(codec, found);
    if (one === undefined)
      throw unopened(codec, table, found, () =>
        brokenIntent('intent', 'it does not hold what obk wrote', String(found['hash'])),
      );
    return one;
  };
  const find = async (where: string, values: Parameters<typeof select>[2]) =>
    (await engine.rows(select(table, where, values))).map(whole);
  // A run that has given a payment back has nothing to do with it any more.
  const alive = ({ row }: { row: IntentRow }, run?: string) =>
    row.run !== run && row.state !== 'returned' && owners.mayLive(row.run, row.owner, row.created_at);

  return {
    claim: async (intent) => {
      const { claim, number } = await engine.change(
        [byHash(intent.hash), ...sameContent(intent), ...count.scope],
        ([own = [], ...rest]): Decision<{ claim: Claim; number?: number }> => {
          const [before] = own;
          if (before !== undefined) {
            const found = whole(before);
            const ownerAlive = alive(found, intent.run);
            return { changes: [], result: { claim: { claimed: false, intent: found.intent, ownerAlive } } };
          }
          const tags = contentTags(codec, intent.profile, intent.fingerprint).length;
          const [names, rows] = [rest.slice(0, tags), rest.slice(tags, 2 * tags)];
          if (names.flat().some((row) => row['hash'] === intent.hash))
            throw brokenIntent('intent', 'its index is damaged', intent.hash);
          // One of them whose hash has changed may be this one.
          rows.flat().forEach(whole);
          const { changes, ...seen } = count.next(rest[2 * tags]);
          const row = rowOfIntent(codec, intent, owners.own, 1);
          return { changes: [insert(table, row), ...changes], result: { claim: { claimed: true }, ...seen } };
        },
      );
      if (number !== undefined) await count.see(number);
      return claim;
    },

    missing: () => count.missing(),

    takeOver: async (intent, previousRun) => {
      let taken = false;
      await commit(engine, [
        about(intent.hash, (rows) => {
          taken = false;
          const [before] = rows;
          if (before === undefined) return rows;
          const found = whole(before);
          if (found.row.run !== previousRun || alive(found, intent.run)) return rows;
          if (!mayBeTaken(found.intent, found.row.state === 'returned')) return rows;
          taken = true;
          return [rowOfIntent(codec, intent, owners.own, found.row.fence + 1)];
        }),
      ]);
      return taken;
    },

    noteResource: (hash, resourceId) =>
      commit(engine, [changed(hash, (intent) => ({ ...intent, resourceId }))]),

    settle: (hash, end, of = {}) => commit(engine, [changed(hash, (intent) => ended(intent, end, of))]),

    find: async (hash) => (await find('WHERE hash = ?1', [hash]))[0]?.intent,

    like: async (profile, fingerprint) => {
      const tags = contentTags(codec, profile, fingerprint);
      const found = await Promise.all(
        tags.map((tag) =>
          find('WHERE profile = ?1 AND content = ?2 ORDER BY created_at DESC', [profile, tag]),
        ),
      );
      return found.flat().map((one) => ({ ...one.intent, alive: alive(one) }));
    },

    named: async (prefix) =>
      (await beginning(prefix)).flatMap((found) => intentOf(codec, found)?.intent ?? []),

    broken: async (prefix) => {
      const damaged = (await beginning(prefix)).filter((found) => intentOf(codec, found) === undefined);
      const lost = (await count.lost()).filter(({ hash }) => hash.startsWith(prefix));
      return [
        ...damaged.map(({ hash, profile, created_at: at }) => {
          const createdAt = instantOf(Number(at));
          return {
            ...{ hash: String(hash), profile: String(profile), path: `intent ${String(hash)}` },
            ...(createdAt !== undefined && { createdAt }),
          };
        }),
        ...lost.map((one) => ({ ...one, path: `intent ${one.hash}` })),
      ];
    },

    repair: async ({ hash }, intent) => {
      const isLost = (await count.lost()).some((one) => one.hash === hash);
      await engine.change([byHash(hash), ...count.scope], ([own = [], counted]) => {
        const [before] = own;
        const after = (fence: number): IntentRow => ({
          ...rowOfIntent(codec, intent, owners.own, fence),
          state: intent.sent === false ? 'claimed' : 'sending',
        });
        if (before === undefined)
          return {
            changes: isLost ? [insert(table, after(1)), ...count.next(counted).changes] : [],
            result: undefined,
          };
        if (intentOf(codec, before) !== undefined) return { changes: [], result: undefined };
        const foreign = codec.foreign?.(before['record'] as Uint8Array);
        if (foreign !== undefined) throw foreign;
        const fence = Number(before['fence']) + 1;
        // One that is damaged is no number to count on from.
        return { changes: [put(table, after(Number.isSafeInteger(fence) ? fence : 1))], result: undefined };
      });
    },

    newest: async (profile) =>
      (await find('WHERE profile = ?1 ORDER BY created_at DESC LIMIT 1', [profile]))[0]?.intent,

    runs: async () => {
      // If a run has several intents, one that is not settled counts.
      const all = await find('ORDER BY ending IS NULL', []);
      return new Map(all.map(({ intent }) => [intent.run, intent]));
    },
  };

  function byHash(hash: string): Statement {
    return select(table, 'WHERE hash = ?1', [hash]);
  }

  /** Those with the same content: first their hashes, out of an index that holds them a second time, then their rows. */
  function sameContent({ profile, fingerprint }: Intent): Statement[] {
    const tags = contentTags(codec, profile, fingerprint);
    return [
      ...tags.map((tag) => ({
        sql: 'SELECT hash FROM intent WHERE profile = ?1 AND content = ?2',
        values: [profile, tag],
      })),
      ...tags.map((tag) => select(table, 'WHERE profile = ?1 AND content = ?2', [profile, tag])),
    ];
  }

  function about(hash: string, next: Part['next']): Part {
    return { of: table, where: 'hash = ?1', values: [hash], next };
  }

  /** What becomes of an intent that is there; undefined changes nothing. */
  function changed(hash: string, next: (intent: Intent) => Intent | undefined): Part {
    return about(hash, (rows) => {
      const [before] = rows;
      if (before === undefined) return rows;
      const { row, intent } = whole(before);
      const after = next(intent);
      return after === undefined ? rows : [rowAfter(codec, row, after)];
    });
  }

  async function beginning(prefix: string): Promise<readonly Row[]> {
    const rows = await engine.rows(
      select(table, 'WHERE hash >= ?1 AND hash < ?2', [prefix, `${prefix}\u{10ffff}`]),
    );
    return rows.filter((found) => !isLeftOut(codec, table, found));
  }
}

/** The request of an intent leaves now, in the commit of its record. */
export function leaves(codec: Codec, hash: string, run: string): Part {
  return {
    of: table,
    where: 'hash = ?1',
    values: [hash],
    next: ([before]) => {
      const found = before === undefined ? undefined : intentOf(codec, before);
      const missing = () => brokenIntent('intent', 'it is missing', hash);
      if (before === undefined || found === undefined)
        throw before === undefined ? missing() : unopened(codec, table, before, missing);
      checkMayLeave(found.intent, run, found.row.state === 'returned');
      return [{ ...found.row, state: 'sending', fence: found.row.fence + 1 }];
    },
  };
}

/** The request of a run came to nothing, or to something, as that run itself has recorded. */
export function comes(codec: Codec, hash: string, run: string, to: 'returned' | 'made'): Part {
  return {
    of: table,
    where: 'hash = ?1',
    values: [hash],
    next: (rows) =>
      rows.map((found) => {
        // What is damaged stays so: a new sum would make it whole.
        const row = intentOf(codec, found)?.row;
        return row?.run === run && row.state === 'sending' && row.ending === null
          ? { ...row, state: to, fence: row.fence + 1 }
          : found;
      }),
  };
}

/** ISO 8601, UTC; undefined where a number is no time. */
function instantOf(ms: number): string | undefined {
  const at = new Date(ms);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
