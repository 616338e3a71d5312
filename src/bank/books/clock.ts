import { ObkError } from '../../base/errors.ts';
import { checkIsoDate } from '../../standard/xs2a/check.ts';
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

const startKey = 'clockStart';

/** The time with which the bank began: it stands there, or goes on from there since a moment of the world. */
interface Start {
  at: string;
  since?: string;
}

/** Has the bank begin at a time of its own, which stands still or goes on. */
export function setClock(
  database: Database,
  { at, stands }: { at: string; stands: boolean },
  world: Date,
): void {
  const start: Start = stands ? { at } : { at, since: world.toISOString() };
  database.run('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', startKey, JSON.stringify(start));
}

/** The clock of the bank: that of the world or its own, moved as the ledger says. */
export function bankClock(database: Database, clock: BankClock): BankClock {
  return { now: () => new Date(startedMs(database, clock.now().getTime()) + movedMs(database)) };
}

/** Whether the bank has a time of its own that goes on or stands still; undefined where it has that of the world. */
export function hasOwnTime(database: Database): 'goes' | 'stands' | undefined {
  const start = startOf(database);
  if (start !== undefined) return start.since === undefined ? 'stands' : 'goes';
  return movedMs(database) === 0 ? undefined : 'goes';
}

function startOf(database: Database): Start | undefined {
  const row = database.one<{ value: string }>('SELECT value FROM meta WHERE key = ?', startKey);
  return row && (JSON.parse(row.value) as Start);
}

function startedMs(database: Database, worldMs: number): number {
  const start = startOf(database);
  if (start === undefined) return worldMs;
  const { at, since } = start;
  return Date.parse(at) + (since === undefined ? 0 : worldMs - Date.parse(since));
}

/**
 * Moves the clock by `+1d`, `+90m`, `+2w` and so on, to a time after `now`, which is its own, or back to the world's by
 * `reset`. Throws USAGE for anything else.
 */
export function moveClock(database: Database, move: string, now: Date): void {
  const until = instantOf(move);
  if (until !== undefined) {
    if (until <= now)
      throw new ObkError({
        code: 'USAGE',
        title: `The clock cannot be set to ${move}.`,
        detail: `It goes forward only, and has ${now.toISOString()}; reset takes it back to now.`,
      });
    setMoved(database, movedMs(database) + until.getTime() - now.getTime());
    return;
  }
  const [, count = '', unit = ''] = /^\+([0-9]{1,6})([smhdw])$/.exec(move) ?? [];
  const step = unitMs[unit];
  if (step === undefined && move !== 'reset') {
    throw noMove(move);
  }
  setMoved(database, step === undefined ? 0 : movedMs(database) + Number(count) * step);
}

/** The refusal of a text that is neither a move nor a time. */
export const noMove = (move: string): ObkError =>
  new ObkError({
    code: 'USAGE',
    title: `The clock cannot be moved by ${move}.`,
    detail:
      'It goes forward only, by a number of s, m, h, d or w such as +1d, or to a time such as 2030-01-31T09:00:00Z; reset takes it back to now.',
  });

/** Reads a time with its zone (ISO 8601); undefined where it is none. */
function instantOf(text: string): Date | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/.test(text)) return undefined;
  const at = new Date(text);
  return Number.isNaN(at.getTime()) || !checkIsoDate(text.slice(0, 10)).ok ? undefined : at;
}

function setMoved(database: Database, moved: number): void {
  if (moved > maxMs)
    throw new ObkError({ code: 'USAGE', title: 'The clock cannot be moved by more than 100 years.' });
  database.run('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', key, String(moved));
}

const maxMs = 36_525 * 86_400_000;
