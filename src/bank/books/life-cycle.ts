import { defined } from '../../base/defined.ts';
import type { TransactionStatus } from '../../standard/xs2a/codes.ts';

/** The further life of a payment once it is authorised. */
export type LifeCycle =
  | 'at-once'
  | 'instant'
  | 'next-day'
  | 'batch-actc'
  | 'batch-accp'
  | 'stepwise'
  | 'with-change'
  | 'rejected-later';

/** One thing that happens to an accepted payment by itself; `book` moves the money, or rejects. */
export interface Stage {
  /** ISO 8601, UTC. */
  at: string;
  status?: TransactionStatus;
  book?: true;
}

/** Milliseconds after the acceptance, or the beginning of the next day. */
type When = number | 'tomorrow';
type StageRow = readonly [after: When, status: TransactionStatus | undefined, book?: 'book'];

/** Every life cycle: what it is in words, and its stages in order. */
export const lifeCycles: Readonly<Record<LifeCycle, { about: string; rows: readonly StageRow[] }>> = {
  'at-once': {
    about: 'booked at once: ACTC, ACSC',
    rows: [
      [0, 'ACTC'],
      [0, 'ACSC', 'book'],
    ],
  },
  instant: {
    about: 'booked at once on both sides: ACTC, ACSC, ACCC',
    rows: [
      [0, 'ACTC'],
      [0, 'ACSC', 'book'],
      [0, 'ACCC'],
    ],
  },
  'next-day': {
    about: 'booked on the next day: ACTC, then ACSC',
    rows: [
      [0, 'ACTC'],
      ['tomorrow', 'ACSC', 'book'],
    ],
  },
  'batch-actc': {
    about: 'a batch bank of type A: ends in ACTC, booked on the next day without a status of its own',
    rows: [
      [0, 'ACTC'],
      ['tomorrow', undefined, 'book'],
    ],
  },
  'batch-accp': {
    about: 'a batch bank of type B: ends in ACCP, booked on the next day without a status of its own',
    rows: [
      [0, 'ACTC'],
      [0, 'ACCP'],
      ['tomorrow', undefined, 'book'],
    ],
  },
  stepwise: {
    about: 'one step each second: ACTC, PDNG, ACCP, ACFC, ACSP, ACSC',
    rows: [
      [0, 'ACTC'],
      [1000, 'PDNG'],
      [2000, 'ACCP'],
      [3000, 'ACFC'],
      [4000, 'ACSP'],
      [5000, 'ACSC', 'book'],
    ],
  },
  'with-change': {
    about: 'the bank moves the date: ACWC, booked on the next day (ACSC)',
    rows: [
      [0, 'ACWC'],
      ['tomorrow', 'ACSC', 'book'],
    ],
  },
  'rejected-later': {
    about: 'ACTC, then RJCT on the next day',
    rows: [
      [0, 'ACTC'],
      ['tomorrow', 'RJCT'],
    ],
  },
};

const dayMs = 86_400_000;

/** The civil day of the bank, which is that of UTC. */
export function isoDay(now: Date): string {
  return now.toISOString().slice(0, 10);
}

/** Until when (ISO 8601) the other PSUs may authorise what one of them has authorised now. */
export const othersUntil = (now: Date) => new Date(now.getTime() + 7 * dayMs).toISOString();

/**
 * The stages of a payment that is accepted now. With `startAt` (a future date) the booking and what follows it wait until
 * then, and the steps between acceptance and booking fall away.
 */
export function stagesOf(cycle: LifeCycle, now: Date, startAt: string | undefined): Stage[] {
  const { rows } = lifeCycles[cycle];
  const later = startAt !== undefined && startAt > now.toISOString() ? startAt : undefined;
  const decided = rows.findIndex(([, status, book]) => book === 'book' || status === 'RJCT');
  return rows
    .filter(([after], index) => later === undefined || index >= decided || after === 0)
    .map(([after, status, book]): Stage => ({
      at: later !== undefined && (book === 'book' || after !== 0) ? later : moment(after, now),
      ...defined({ status }),
      ...(book === 'book' && { book: true as const }),
    }))
    .map((stage, index, all) => ({ ...stage, at: latest(all.slice(0, index + 1)) }));
}

function moment(after: When, now: Date): string {
  if (after === 'tomorrow') return `${isoDay(new Date(now.getTime() + dayMs))}T00:00:00.000Z`;
  return new Date(now.getTime() + after).toISOString();
}

/** No stage comes before the one in front of it. */
function latest(stages: readonly Stage[]): string {
  return stages.reduce((found, { at }) => (at > found ? at : found), '');
}
