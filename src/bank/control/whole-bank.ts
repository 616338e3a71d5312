import { act } from './control-call.ts';
import type { ControlHandler } from './control-call.ts';
import { document } from './document.ts';
import { Problem } from './problem.ts';

/** The bank as a whole. */
export const wholeBank = {
  getHealth: () => ({ status: 200, body: { status: 'up' } }),
  getReadiness({ books }) {
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
  getDocument: () => ({ status: 200, body: document }),
  async exportConfig(call) {
    const config = await act(call, { do: 'export' });
    return new Response(String(config), {
      headers: { 'Content-Type': 'application/yaml; charset=utf-8', 'Cache-Control': 'no-store' },
    });
  },
  async reset(call) {
    await act(call, { do: 'reset' });
    return { status: 204 };
  },
} as const satisfies Readonly<Record<string, ControlHandler>>;
