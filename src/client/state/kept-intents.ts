import { defined } from '../../base/defined.ts';
import { IntentHeld } from '../../base/errors.ts';
import type { Intent, IntentEnd } from '../../settings/records/journal.ts';
import type { Codec, Engine, Row } from '../ports/engine.ts';
import type { Intents } from '../ports/intents.ts';
import { claimCount } from './claim-count.ts';
import type { Part } from './commit.ts';
import { brokenIntent, checkMayLeave, ended, mayBeTaken } from './intent-rules.ts';
import type { Owners } from './owners.ts';
import { isLeftOut, unopened, openIn, sealIn } from './sealed-rows.ts';
import type { Stage } from './stage.ts';
import { contentTags, intents as table, read, records, select, intents } from './tables.ts';
import type { RowOf } from './tables.ts';

/** The payments that were begun, each once. */
export function keptIntents(options: {
  stage: Stage;
  /** Where it is seen how many payments were begun. */
  log: Engine;
  codec: Codec;
  owners: Owners;
}): Intents {
  const { stage, log, codec, owners } = options;
  const engine = stage.state;
  const count = claimCount({ state: stage.isOne ? log : engine, log, codec });
  const whole = (found: Row) => wholeOf(codec, found);
  const find = async (where: string, values: Parameters<typeof select>[2]) =>
    (await engine.rows(select(table, where, values))).map(whole);
  // A run that has given a payment back has nothing to do with it any more.
  const alive = ({ row }: { row: IntentRow }, run?: string) =>
    row.run !== run && row.state !== 'returned' && owners.mayLive(row.run, row.owner, row.created_at);
  // Of a process elsewhere nothing else is known: a run that has ended does nothing more.
  const goesOn = async (one: { row: IntentRow }, run?: string) =>
    alive(one, run) && !(await hasEnded(log, one.row.run));

  /** What is in the way of an intent, and nothing where there is none; found in two places that one bit cannot change together. */
  async function earlier(intent: Intent): Promise<{ row: IntentRow; intent: Intent } | undefined> {
    const [own] = await find('WHERE hash = ?1', [intent.hash]);
    if (own !== undefined) return own;
    for (const tag of tagsOf(intent)) {
      const values = [intent.profile, tag];
      const names = await engine.rows({
        sql: 'SELECT hash FROM intent WHERE profile = ?1 AND content = ?2',
        values,
      });
      if (names.some((row) => row['hash'] === intent.hash)) {
        // Another run may have begun it between the two.
        const [late] = await find('WHERE hash = ?1', [intent.hash]);
        if (late !== undefined) return late;
        throw brokenIntent('intent', 'its index is damaged', intent.hash);
      }
      // One of them whose hash has changed may be this one.
      await find(ofContent, values);
    }
    return undefined;
  }

  /** Claims what `mine` makes of the rows of its hash, if there is no other of its content than those that were seen. */
  function claimOf(intent: Intent, mine: Part['next'], seen: readonly Intent[] | undefined): Part[] {
    const known = new Set(seen?.map(nameOf));
    const isNew = (one: Intent) =>
      one.hash !== intent.hash &&
      !(one.chosen && intent.chosen) &&
      seen !== undefined &&
      !known.has(nameOf(one));
    const alike = tagsOf(intent).map((tag): Part => ({
      ...{ of: table, where: 'profile = ?1 AND content = ?2', values: [intent.profile, tag] },
      next: (rows) => {
        if (rows.some((row) => isNew(whole(row).intent))) throw new IntentHeld();
        return rows;
      },
    }));
    return [...alike, about(intent.hash, mine)];
  }

  return {
    claim: async (intent, seen) => {
      for (;;) {
        const before = await earlier(intent);
        if (before !== undefined)
          return { claimed: false, intent: before.intent, ownerAlive: await goesOn(before, intent.run) };
        const { counted, seen: beside } = count.oneMore();
        const mine: Part['next'] = (rows) => {
          if (rows.length > 0) throw new IntentHeld();
          return [rowOfIntent(codec, intent, owners.own, 1)];
        };
        try {
          const parts = { state: [...claimOf(intent, mine, seen), ...counted], log: beside };
          return { claimed: true, wish: await stage.claim(parts) };
        } catch (error) {
          if (!(error instanceof IntentHeld) || (await earlier(intent)) === undefined) throw error;
        }
      }
    },

    missing: () => count.missing(),

    takeOver: async (intent, previousRun, seen) => {
      const [found] = await find('WHERE hash = ?1', [intent.hash]);
      const isOver = await hasEnded(log, previousRun);
      if (found === undefined || !isFree(found)) return undefined;
      const mine: Part['next'] = (rows) => {
        const now = rows[0] && whole(rows[0]);
        if (now === undefined || now.row.fence !== found.row.fence || !isFree(now)) throw new IntentHeld();
        return [rowOfIntent(codec, intent, owners.own, now.row.fence + 1)];
      };
      try {
        return await stage.claim({ state: claimOf(intent, mine, seen) });
      } catch (error) {
        if (error instanceof IntentHeld) return undefined;
        throw error;
      }

      function isFree(one: { row: IntentRow; intent: Intent }): boolean {
        const isLeft = one.row.run === previousRun && (isOver || !alive(one, intent.run));
        return isLeft && mayBeTaken(one.intent, one.row.state === 'returned');
      }
    },

    noteResource: (hash, resourceId) => stage.keep({ state: [notes(codec, hash, resourceId)] }),

    settle: (hash, end, of = {}) =>
      stage.keep({ state: [changed(codec, hash, (intent) => ended(intent, end, of))] }),

    find: async (hash) => (await find('WHERE hash = ?1', [hash]))[0]?.intent,

    like: async (profile, fingerprint) => {
      const tags = contentTags(codec, profile, fingerprint);
      const found = await Promise.all(
        tags.flatMap((tag) => [find(ofContent, [profile, tag]), find('WHERE content = ?1', [tag])]),
      );
      // Sorted here: asked for that order, SQLite would go through all of the profile.
      const rows = [...new Map(found.flat().map((one) => [one.row.hash, one])).values()];
      rows.sort((one, other) => other.row.created_at - one.row.created_at);
      return Promise.all(rows.map(async (one) => ({ ...one.intent, alive: await goesOn(one) })));
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
            ...defined({ createdAt }),
          };
        }),
        ...lost.map((one) => ({ ...one, path: `intent ${one.hash}` })),
      ];
    },

    repair: async ({ hash }, intent) => {
      const isLost = (await count.lost()).some((one) => one.hash === hash);
      const { counted } = count.oneMore();
      let isNew = false;
      const mended = about(hash, (rows) => {
        const [before] = rows;
        isNew = before === undefined;
        if (before === undefined ? !isLost : intentOf(codec, before) !== undefined) return rows;
        const foreign = before && codec.foreign?.(before['record'] as Uint8Array);
        if (foreign !== undefined) throw foreign;
        const fence = Number(before?.['fence'] ?? 0) + 1;
        const state = intent.sent === false ? 'claimed' : 'sending';
        // One that is damaged is no number to count on from.
        const next = Number.isSafeInteger(fence) ? fence : 1;
        return [{ ...rowOfIntent(codec, intent, owners.own, next), state }];
      });
      const ifNew = counted.map((part): Part => ({
        ...part,
        next: (rows) => (isNew ? part.next(rows) : rows),
      }));
      await stage.keep({ state: isLost ? [mended, ...ifNew] : [mended] });
    },

    newest: async (profile) =>
      (await find('WHERE profile = ?1 ORDER BY created_at DESC LIMIT 1', [profile]))[0]?.intent,

    runs: async () => {
      // If a run has several intents, one that is not settled counts.
      const all = await find('ORDER BY ending IS NULL', []);
      return new Map(all.map(({ intent }) => [intent.run, intent]));
    },
  };

  function tagsOf({ profile, fingerprint }: Intent): readonly Uint8Array[] {
    return contentTags(codec, profile, fingerprint);
  }

  async function beginning(prefix: string): Promise<readonly Row[]> {
    const rows = await engine.rows(
      select(table, 'WHERE hash >= ?1 AND hash < ?2', [prefix, `${prefix}\u{10ffff}`]),
    );
    return rows.filter((found) => !isLeftOut(codec, table, found));
  }
}

/** Whether a run has recorded its end. */
async function hasEnded(log: Engine, run: string): Promise<boolean> {
  const ends = await log.rows(select(records, "WHERE run = ?1 AND type = 'ended'", [run]));
  return ends.some((row) => read(records, row) !== undefined);
}

const ofContent = 'WHERE profile = ?1 AND content = ?2';

/** Who carries an intent out: that changes when another run takes it over. */
const nameOf = ({ hash, run }: Intent): string => `${hash} ${run}`;

function about(hash: string, next: Part['next']): Part {
  return { of: table, where: 'hash = ?1', values: [hash], next };
}

/** What becomes of an intent that is there; undefined changes nothing. */
function changed(codec: Codec, hash: string, next: (intent: Intent) => Intent | undefined): Part {
  return about(hash, (rows) => {
    const [before] = rows;
    if (before === undefined) return rows;
    const { row, intent } = wholeOf(codec, before);
    const after = next(intent);
    return after === undefined ? rows : [rowAfter(codec, row, after)];
  });
}

/** An intent learns the id of what was made for it. */
export const notes = (codec: Codec, hash: string, resourceId: string): Part =>
  changed(codec, hash, (intent) => ({ ...intent, resourceId }));

function wholeOf(codec: Codec, found: Row): { row: IntentRow; intent: Intent } {
  const one = intentOf(codec, found);
  if (one === undefined)
    throw unopened(codec, table, found, () =>
      brokenIntent('intent', 'it does not hold what obk wrote', String(found['hash'])),
    );
  return one;
}

/** The request of an intent leaves now, in the commit of its record. */
export function leaves(codec: Codec, hash: string, run: string): Part {
  return about(hash, ([before]) => {
    const found = before === undefined ? undefined : intentOf(codec, before);
    const missing = () => brokenIntent('intent', 'it is missing', hash);
    if (before === undefined || found === undefined)
      throw before === undefined ? missing() : unopened(codec, table, before, missing);
    checkMayLeave(found.intent, run, found.row.state === 'returned');
    return [{ ...found.row, state: 'sending', fence: found.row.fence + 1 }];
  });
}

/** The request of a run came to nothing, or to something, as that run itself has recorded. */
export function comes(codec: Codec, hash: string, run: string, to: 'returned' | 'made'): Part {
  return about(hash, (rows) =>
    rows.map((found) => {
      // What is damaged stays so: a new sum would make it whole.
      const row = intentOf(codec, found)?.row;
      return row?.run === run && row.state === 'sending' && row.ending === null
        ? { ...row, state: to, fence: row.fence + 1 }
        : found;
    }),
  );
}

/** ISO 8601, UTC; undefined where a number is no time. */
function instantOf(ms: number): string | undefined {
  const at = new Date(ms);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

type IntentRow = RowOf<typeof intents>;

/**
 * What an intent says of its request: `claimed` did not leave; `sending` left, and what became of it is not known; `returned` came to
 * nothing and `made` to something, as its own run has recorded.
 */
type IntentRowState = 'claimed' | 'sending' | 'returned' | 'made';

/** The row of an intent that a run begins. */
function rowOfIntent(codec: Codec, intent: Intent, owner: string, fence: number): IntentRow {
  const { hash, profile, run, createdAt, resourceId, settled } = intent;
  return {
    ...{ hash, profile, run, owner, fence, state: 'claimed' satisfies IntentRowState },
    content: contentTags(codec, profile, intent.fingerprint)[0],
    created_at: Date.parse(createdAt),
    resource_id: resourceId === undefined ? null : Buffer.from(resourceId),
    record: sealed(codec, intent),
    ending: settled === undefined ? null : sealIn(codec, intents, 'ending', { hash, profile }, settled),
  };
}

// Columns of their own have these: a change of one of them writes nothing else anew.
function sealed(codec: Codec, intent: Intent): Uint8Array {
  const { resourceId: _, sent: __, settled: ___, run: ____, nothing: _____, ...record } = intent;
  const { hash, profile } = intent;
  return sealIn(codec, intents, 'record', { hash, profile }, record);
}

/** The row of an intent that has changed, at its next fence. */
function rowAfter(codec: Codec, before: IntentRow, after: Intent): IntentRow {
  return { ...rowOfIntent(codec, after, before.owner, before.fence + 1), state: before.state };
}

/** The intent of a row; undefined where a bit of it is not as it was written. */
function intentOf(codec: Codec, found: Row): { row: IntentRow; intent: Intent } | undefined {
  const row = read(intents, found);
  const record = row && (openIn(codec, intents, 'record', row) as Intent | undefined);
  if (row === undefined || record === undefined) return undefined;
  const settled =
    row.ending === null ? null : (openIn(codec, intents, 'ending', row) as IntentEnd | undefined);
  if (settled === undefined) return undefined;
  return {
    row,
    intent: {
      ...record,
      run: row.run,
      sent: row.state !== 'claimed',
      ...(row.state === 'returned' && { nothing: true as const }),
      ...(row.resource_id !== null && { resourceId: Buffer.from(row.resource_id).toString() }),
      ...(settled !== null && { settled }),
    },
  };
}
