import type { JournalRecord } from '../../settings/records/journal.ts';
import type { Change, Codec, Engine, Row, Statement } from '../ports/engine.ts';
import { asKept } from './shapes.ts';
import { claimCounts, claimsSeen, intents, put, read, records, select } from './tables.ts';

/** A payment that was begun and is not in the state any more, as the journal knows it. */
export interface LostClaim {
  hash: string;
  profile: string;
  /** ISO 8601, UTC. */
  createdAt: string;
}

/**
 * How many payments were ever begun: counted in the state, and seen beside it, in the log. Where the state has counted fewer than were
 * seen, it is an older copy, or was lost.
 */
export function claimCount({ state, log, codec }: { state: Engine; log: Engine; codec: Codec }) {
  const numberIn = ([row]: readonly Row[]): number => Number(row?.['number'] ?? 0);
  const scope: Statement = select(claimCounts, 'WHERE id = 1');
  const seenBeside: Statement = select(claimsSeen, 'WHERE id = 1');

  /** Notes beside the state what it has counted. */
  async function see(number: number): Promise<void> {
    await log.change([seenBeside], ([rows = []]) => ({
      changes: numberIn(rows) < number ? [put(claimsSeen, { id: 1, number })] : [],
      result: undefined,
    }));
  }

  async function missing(): Promise<number> {
    // First what was seen: what is begun meanwhile only adds to the other.
    const seen = numberIn(await log.rows(seenBeside));
    return Math.max(0, seen - numberIn(await state.rows(scope)));
  }

  /** Those that the journal still names; it is gone through for that, which is seldom asked. */
  async function lost(): Promise<LostClaim[]> {
    if ((await missing()) === 0) return [];
    const found = new Map<string, LostClaim>();
    for (const row of await log.rows(select(records, "WHERE type = 'prepared'"))) {
      const { run, number, profile } = row;
      const sealed = read(records, row)?.record;
      const place = { profile: String(profile), kind: 'record', row: `${String(run)} ${String(number)}` };
      const record = asKept('record', sealed && codec.open(place, sealed)) as JournalRecord | undefined;
      if (record?.type !== 'prepared' || record.intent === undefined) continue;
      found.set(record.intent, { hash: record.intent, profile: String(profile), createdAt: record.at });
    }
    for (const { hash } of await state.rows({ sql: `SELECT hash FROM ${intents.name}`, values: [] }))
      found.delete(String(hash));
    return [...found.values()];
  }

  return {
    scope,
    /** One more than these rows of the scope say. */
    next: (rows: readonly Row[]): { change: Change; number: number } => {
      const number = numberIn(rows) + 1;
      return { change: put(claimCounts, { id: 1, number }), number };
    },
    see,
    /** In a log that was begun anew, what the state has counted was seen; a state that cannot be read is refused where it is needed. */
    goOn: async (): Promise<void> => {
      await see(numberIn(await state.rows(scope).catch(() => [])));
    },
    missing,
    lost,
  };
}
