import type { JournalRecord } from '../../settings/records/journal.ts';
import type { Codec, Engine, Row, Statement } from '../ports/engine.ts';
import type { Part } from './commit.ts';
import { openIn } from './sealed-rows.ts';
import { claimCounts, claimsSeen, intents, put, read, records, select } from './tables.ts';
import type { Table } from './tables.ts';

/** A payment that was begun and is not in the state any more, as the journal knows it. */
export interface LostClaim {
  hash: string;
  profile: string;
  /** ISO 8601, UTC. */
  createdAt: string;
}

/**
 * How many payments were ever begun: counted in the state, and seen beside it, in the log. Where the state has counted fewer than were
 * seen, it is an older copy, or was lost. Nothing is counted where both are one database, since it would prove nothing.
 */
export function claimCount({ state, log, codec }: { state: Engine; log: Engine; codec: Codec }) {
  const numberIn = ([row]: readonly Row[]): number => Number(row?.['number'] ?? 0);
  const isCounted = log !== state;
  const countedHere: Statement = select(claimCounts, 'WHERE id = 1');
  // Of a state from which a payment was removed, a second row has how many there were.
  const begunHere: Statement = select(claimCounts, 'ORDER BY number DESC LIMIT 1');
  const seenBeside: Statement = select(claimsSeen, 'WHERE id = 1');

  async function missing(): Promise<number> {
    if (!isCounted) return 0;
    // First what was seen: what is begun meanwhile only adds to the other.
    const seen = numberIn(await log.rows(seenBeside));
    return Math.max(0, seen - numberIn(await state.rows(countedHere)));
  }

  /** Those that the journal still names; it is gone through for that, which is seldom asked. */
  async function lost(): Promise<LostClaim[]> {
    if ((await missing()) === 0) return [];
    const found = new Map<string, LostClaim>();
    const rows = await log.rows(select(records, "WHERE type IN ('prepared', 'sending')"));
    const left = new Set<string>();
    const nameOf = (run: unknown, exchange: string) => `${String(run)} ${exchange}`;
    for (const row of rows.filter(({ type }) => type === 'sending')) {
      const whole = read(records, row);
      const record = whole && (openIn(codec, records, 'record', whole) as JournalRecord | undefined);
      if (record?.type === 'sending') left.add(nameOf(whole?.run, record.exchange));
    }
    for (const row of rows) {
      const whole = read(records, row);
      const record = whole && (openIn(codec, records, 'record', whole) as JournalRecord | undefined);
      if (whole === undefined || record?.type !== 'prepared' || record.intent === undefined) continue;
      // What never left was never begun.
      if (!left.has(nameOf(whole.run, record.exchange))) continue;
      found.set(record.intent, { hash: record.intent, profile: whole.profile, createdAt: record.at });
    }
    for (const { hash } of await state.rows({ sql: `SELECT hash FROM ${intents.name}`, values: [] }))
      found.delete(String(hash));
    return [...found.values()];
  }

  /** One payment more, and what is seen of that beside the state, once it is counted there. */
  function oneMore(): { counted: readonly Part[]; seen: readonly Part[] } {
    if (!isCounted) return { counted: [], seen: [] };
    let number = 0;
    const part = (of: Table, next: Part['next']): Part => ({ of, where: 'id = 1', values: [], next });
    return {
      counted: [
        part(claimCounts, (rows) => {
          number = numberIn(rows) + 1;
          return [{ id: 1, number }];
        }),
      ],
      seen: [part(claimsSeen, (rows) => (numberIn(rows) < number ? [{ id: 1, number }] : rows))],
    };
  }

  /** Brings a count up to a number, and makes its table where there is none. */
  const raise = (engine: Engine, of: typeof claimCounts | typeof claimsSeen, number: number) =>
    engine.change([select(of, 'WHERE id = 1')], ([rows = []]) => ({
      changes: rows.length === 0 || numberIn(rows) < number ? [put(of, { id: 1, number })] : [],
      result: undefined,
    }));

  return {
    oneMore,
    /** Brings both counts up to these numbers, as of payments that came from elsewhere; makes the tables where there are none. */
    atLeast: async (counted: number, seen: number): Promise<void> => {
      await raise(state, claimCounts, counted);
      await raise(log, claimsSeen, seen);
    },
    /** In a log that was begun anew, what the state has counted was seen; a state that cannot be read is refused where it is needed. */
    goOn: async (): Promise<void> =>
      raise(log, claimsSeen, numberIn(await state.rows(begunHere).catch(() => []))),
    missing,
    lost,
  };
}
