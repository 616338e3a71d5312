import { Problem } from './problem.ts';
import { resetLedger } from '../books/ledger.ts';
import { noteEvent } from '../rules/events.ts';
import { object, words } from '../openapi/schema.ts';
import type { Operations } from './control-call.ts';

/** Whether the bank runs. */
export const health = {
  getHealth: {
    at: 'GET /health',
    summary: 'Whether the bank runs',
    about: 'Needs no token and tells nothing about the bank.',
    isOpen: true,
    gives: {
      status: 200,
      about: 'It runs.',
      schema: object({ status: words(['up']) }),
      example: { status: 'up' },
    },
    run: () => ({ status: 200, body: { status: 'up' } }),
  },
  getReadiness: {
    at: 'GET /readiness',
    summary: 'Whether the bank can answer',
    about:
      'Needs no token. A bank is ready when its ledger answers; `obk sandbox start` prints its address only then.',
    isOpen: true,
    gives: {
      status: 200,
      about: 'The ledger answers.',
      schema: object({ status: words(['ready']) }),
      example: { status: 'ready' },
    },
    also: [503],
    run({ books }) {
      try {
        // What is asked of sqlite_master is never remembered.
        for (const database of [books.ledger.main, books.ledger.log])
          database.one('SELECT 1 FROM meta, sqlite_master LIMIT 1');
      } catch {
        throw new Problem(503, {
          title: 'The bank is not ready.',
          detail: 'Its ledger does not answer.',
          next: ['Try again in a second.'],
        });
      }
      return { status: 200, body: { status: 'ready' } };
    },
  },
} as const satisfies Operations;

/** The bank as a whole. */
export const wholeBank = {
  reset: {
    at: 'POST /reset',
    summary: 'Begin anew',
    about:
      'All PSUs, balances and switches are as on the first day; payments, consents, faults and calls are forgotten.',
    gives: { status: 204, about: 'The bank begins anew.' },
    run({ bank: { ledger, wallClock } }) {
      // A new ledger has a clock of its own, which nobody has moved.
      ledger.main.atomically(() => {
        resetLedger(ledger, wallClock.now());
        noteEvent(ledger.main, 'reset', {});
      });
      return { status: 204 };
    },
  },
} as const satisfies Operations;
