import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJournal } from '../../src/adapters/file-journal.ts';
import { createClock, createIds } from '../../src/adapters/system-clock.ts';
import { startExemptingBank } from '../helpers/exempting-bank.ts';
import type { ExemptingBank } from '../helpers/exempting-bank.ts';
import { grow } from '../helpers/grown-home.ts';
import { payingHome } from '../helpers/paying-home.ts';
import type { PayingHome } from '../helpers/paying-home.ts';

let bank: ExemptingBank;
let home: PayingHome;
const count = 400;
const index = () => join(home.folder, 'state/journal/ended.index');

beforeAll(async () => {
  bank = await startExemptingBank();
  home = await payingHome(bank);
  await home.pay('1.00', 'k');
  grow(home, count);
  await home.run(['payment', 'status', 'payment-0001', '--profile', 'acme']);
}, 30_000);
afterAll(async () => {
  home.close();
  await bank.close();
});

async function json(...args: string[]): Promise<unknown> {
  const { code, stdout, stderr } = await home.run([...args, '--profile', 'acme', '--json']);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

/** How many runs a command has read, of those that are there. */
async function runsRead(
  what: (journal: ReturnType<typeof createJournal>) => Promise<unknown>,
): Promise<number> {
  const journal = createJournal({
    stateDir: join(home.folder, 'state'),
    clock: createClock(),
    ids: createIds(),
  });
  let reads = 0;
  await what({
    ...journal,
    read: (run) => {
      reads += 1;
      return journal.read(run);
    },
  });
  return reads;
}

const searches = [
  ['log', 'list', '--status', '2xx', '--limit', '1000'],
  ['log', 'list', '--status', '500'],
  ['log', 'list', '--operation', 'getPaymentInitiationStatus'],
  ['log', 'prune', '--keep', '0', '--dry-run'],
];

describe('an index of the runs that have ended', () => {
  it('changes nothing of what is found, whether it is whole, damaged, cut or gone', async () => {
    const results = async () => {
      const found: unknown[] = [];
      for (const words of searches) found.push(await json(...words));
      return found;
    };
    rmSync(index(), { force: true });
    const without = await results();
    expect(without[0]).toHaveLength(count + 2);
    expect(without[1]).toEqual([]);
    expect(without[3]).toMatchObject({ kept: { intent: count + 1 } });
    const whole = readFileSync(index());
    expect(await results()).toEqual(without);
    const damages: Buffer[] = [
      whole.subarray(0, whole.length >> 1),
      Buffer.alloc(whole.length),
      Buffer.from(whole.map((byte, at) => (at % 97 === 0 ? byte ^ 4 : byte))),
      Buffer.concat([whole, Buffer.from('x')]),
    ];
    for (const damage of damages) {
      writeFileSync(index(), damage);
      expect(await results()).toEqual(without);
    }
  });

  it('spares the reading of what cannot match', async () => {
    const { filterRuns } = await import('../../src/flows/log-filter.ts');
    const search = async (status: string) =>
      runsRead(async (journal) => {
        for await (const run of filterRuns(journal, { status })) expect(run.run).not.toBe('');
      });
    expect(await search('500')).toBe(0);
    expect(await search('2xx')).toBe(count + 2);
  });

  it('does not know a run any more that was settled since', async () => {
    const lost = await home.pay('201.00', 'lost');
    expect(lost.code).toBe(12);
    const { intent } = JSON.parse(lost.stdout) as { intent: string };
    await json('pending', 'resolve', intent.slice(0, 12), '--not-created', '--reason', 'asked');
    expect(await json('log', 'list', '--status', 'RESOLVED')).toHaveLength(1);
  });
});
