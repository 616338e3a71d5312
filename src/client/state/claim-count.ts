import type { JournalRecord } from '../../settings/records/journal.ts';
import type { Change, Codec, Engine, Row, Statement } from '../ports/engine.ts';
import { openIn } from './sealed-rows.ts';
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
 * seen, it is an older copy, or was lost. Where both are one database nothing is counted: it would prove nothing.
 */
export function claimCount({ state, log, codec }: { state: Engine; log: Engine; codec: Codec }) {
  const numberIn = ([row]: readonly Row[]): number => Number(row?.['number'] ?? 0);
  const isCounted = log !== state;
  const counted: Statement = select(claimCounts, 'WHERE id = 1');
  const seenBeside: Statement = select(claimsSeen, 'WHERE id = 1');

  /** Notes beside the state what it has counted. */
  async function see(number: number): Promise<void> {
    await log.change([seenBeside], ([rows = []]) => ({
      changes: numberIn(rows) < number ? [put(claimsSeen, { id: 1, number })] : [],
      result: undefined,
    }));
  }

  async function missing(): Promise<number> {
    if (!isCounted) return 0;
    // First what was seen: what is begun meanwhile only adds to the other.
    const seen = numberIn(await log.rows(seenBeside));
    return Math.max(0, seen - numberIn(await state.rows(counted)));
  }

  /** Those that the journal still names; it is gone through for that, which is seldom asked. */
  async function lost(): Promise<LostClaim[]> {
    if ((await missing()) === 0) return [];
    const found = new Map<string, LostClaim>();
    for (const row of await log.rows(select(records, "WHERE type = 'prepared'"))) {
      const whole = read(records, row);
      const record = whole && (openIn(codec, records, 'record', whole) as JournalRecord | undefined);
      if (whole === undefined || record?.type !== 'prepared' || record.intent === undefined) continue;
      found.set(record.intent, { hash: record.intent, profile: whole.profile, createdAt: record.at });
    }
    for (const { hash } of await state.rows({ sql: `SELECT hash FROM ${intents.name}`, values: [] }))
      found.delete(String(hash));
    return [...found.values()];
  }

  return {
    scope: isCounted ? [counted] : [],
    /** One more than these rows of the scope say. */
    next: (rows: readonly Row[] = []): { changes: readonly Change[]; number?: number } => {
      if (!isCounted) return { changes: [] };
      const number = numberIn(rows) + 1;
      return { changes: [put(claimCounts, { id: 1, number })], number };
    },
    see,
    missing,
    lost,
  };
}
