import { ObkError } from '../../errors.ts';
import type { Database } from './database.ts';

/** The time in the form of the port Clock. */
export interface BankClock {
  now(): Date;
}

const key = 'clockMovedMs';
const unitMs: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** By how many milliseconds the clock of this ledger was moved. */
export function movedMs(database: Database): number {
  const row = database.one<{ value: string }>('SELECT value FROM meta WHERE key = ?', key);
  return row === undefined ? 0 : Number(row.value);
}

/** The clock of the bank: that of the world, moved as the ledger says. */
export function bankClock(database: Database, clock: BankClock): BankClock {
  return { now: () => new Date(clock.now().getTime() + movedMs(database)) };
}

/** Moves the clock by `+1d`, `+90m`, `+2w` and so on, or back to the world's by `reset`. Throws USAGE for anything else. */
export function moveClock(database: Database, move: string): void {
  const [, count = '', unit = ''] = /^\+([0-9]{1,6})([smhdw])$/.exec(move) ?? [];
  const step = unitMs[unit];
  if (step === undefined && move !== 'reset') {
    throw new ObkError({
      code: 'USAGE',
      title: `The clock cannot be moved by ${move}.`,
      detail: 'It goes forward only, by a number of s, m, h, d or w such as +1d; reset takes it back to now.',
    });
  }
  const moved = step === undefined ? 0 : movedMs(database) + Number(count) * step;
  if (moved > maxMs)
    throw new ObkError({ code: 'USAGE', title: 'The clock cannot be moved by more than 100 years.' });
  database.run('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', key, String(moved));
}

const maxMs = 36_525 * 86_400_000;
