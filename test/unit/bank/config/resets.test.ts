import { existsSync, mkdtempSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { openLedger, resetLedger } from '../../../../src/bank/books/ledger.ts';
import type { Ledger } from '../../../../src/bank/books/ledger.ts';
import { readBank } from '../../../../src/bank/config/read-bank.ts';

import { trials } from '../../../helpers/trials.ts';

const example = resolve(import.meta.dirname, '../../../../docs/bank/bank.yaml');
const now = new Date('2026-06-01T12:00:00Z');
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const handles = () => process.getActiveResourcesInfo().length;
const descriptors = () => (existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd').length : 0);
const heap = () => {
  collect();
  return process.memoryUsage().heapUsed;
};
const pages = ({ main }: Ledger) => Number(main.one<{ page_count: bigint }>('PRAGMA page_count')?.page_count);
const tables = ({ main }: Ledger) => main.all('SELECT name FROM sqlite_master').length;

const resets = trials('resets', 200);

/** What a reset could leave behind, after so many of them. */
function after(ledger: Ledger, times: number, size = () => 0): Record<string, number> {
  for (let count = 0; count < times; count += 1) {
    resetLedger(ledger, now);
    // What happened stays over a reset, at most 10,000 events of it.
    ledger.main.run('DELETE FROM events');
  }
  return {
    tables: tables(ledger),
    pages: pages(ledger),
    handles: handles(),
    descriptors: descriptors(),
    size: size(),
  };
}

/** A page more or less, or a handle of the test's own process, is no leak: that grows with each reset. */
function expectNoMore(now: Record<string, number>, before: Record<string, number>): void {
  for (const [what, count] of Object.entries(now))
    expect(count, what).toBeLessThanOrEqual((before[what] ?? 0) * 1.1 + 5);
}

describe('a reset of a bank from a file', () => {
  it(
    'leaks nothing, however often it is done',
    async () => {
      const { filling } = await readBank(example);
      const ledger = openLedger(':memory:', now, filling);
      const before = after(ledger, 20);
      const heapBefore = heap();
      expectNoMore(after(ledger, resets.count), before);
      const grown = heap() - heapBefore;
      // What Node itself makes in that time, and less than a kilobyte for each.
      expect(grown).toBeLessThan(200_000 + resets.count * 1000);
      ledger.close();
      resets.report(`the heap grew by ${String(Math.round(grown / 1000))} kB`);
    },
    resets.timeout(60_000),
  );

  it('leaves the files of a ledger as large as they were', async () => {
    const { filling } = await readBank(example);
    const folder = mkdtempSync(join(tmpdir(), 'obk-resets-'));
    const ledger = openLedger(join(folder, 'ledger.db'), now, filling);
    const size = () => readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    const before = after(ledger, 30, size);
    expectNoMore(after(ledger, 60, size), before);
    expect(readdirSync(folder).sort()).toEqual(['ledger.db', 'ledger.db-shm', 'ledger.db-wal']);
    ledger.close();
  }, 60_000);
});
