// Each bit of the rows that guard against a second payment, and of their keys in each index, flipped in the file.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { homeStore } from '../../../src/adapters/sqlite/home-store.ts';
import { fakeClock } from '../../helpers/fakes/index.ts';
import { intents, openWrites } from '../../../src/client/state/tables.ts';
import { cellsOf } from '../../helpers/cells-of.ts';
import type { Cell } from '../../helpers/cells-of.ts';
import { startExemptingBank } from '../../helpers/exempting-bank.ts';
import type { ExemptingBank } from '../../helpers/exempting-bank.ts';
import { faults } from '../../helpers/paid-home.ts';
import { payingHome } from '../../helpers/paying-home.ts';
import type { PayingHome } from '../../helpers/paying-home.ts';
import { copyOf, rowsIn } from '../../helpers/state-file.ts';
import { trials } from '../../helpers/trials.ts';

// A connection that was closed holds its file until its statements are collected.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const row = trials('bits', 160);
/** Two whose answer was lost, and one that was made: the second time by their key, and by what they say. */
const payments = [
  ['201.00', 'lost'],
  ['202.00', undefined],
  ['2.00', undefined],
] as const;

let bank: ExemptingBank;
let home: PayingHome;
let files: ReadonlyMap<string, Buffer>;
let cells: Cell[];
beforeAll(async () => {
  bank = await startExemptingBank();
  home = await payingHome(bank);
  for (const [amount, key] of payments) await home.pay(amount, key);
  const stateDir = join(home.folder, 'state');
  const copy = copyOf(stateDir, join(home.folder, 'copy'));
  files = new Map(['state.db', 'log.db'].map((name) => [name, readFileSync(join(copy, name))]));
  const trees = rowsIn(
    stateDir,
    'state',
    'SELECT name, rootpage FROM sqlite_schema WHERE tbl_name IN (?1, ?2) AND rootpage > 0 ORDER BY name',
    [intents.name, openWrites.name],
  );
  cells = cellsOf(
    files.get('state.db') ?? Buffer.alloc(0),
    trees.map(({ name, rootpage }) => ({ name: String(name), rootpage: Number(rootpage) })),
  );
}, 30_000);
afterAll(async () => {
  home.close();
  await bank.close();
});

/** Puts the files back as they were after the payments, one byte of the state with another value. */
function placed(at: number, bit: number): void {
  for (const [name, bytes] of files) {
    const path = join(home.folder, 'state', name);
    for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
    const changed = Buffer.from(bytes);
    if (name === 'state.db') changed[at] = (changed[at] ?? 0) ^ (1 << bit);
    writeFileSync(path, changed, { mode: 0o600 });
  }
}

/** What is wrong with what obk makes of a flipped bit. */
async function wrongWith(cell: Cell, at: number, bit: number): Promise<string[]> {
  placed(at, bit);
  const found: string[] = [];
  const store = homeStore({ stateDir: join(home.folder, 'state'), env: {}, clock: fakeClock() });
  if ((await store.verify()).ok) found.push('state verify does not see it');
  for (const [amount, key] of payments) {
    placed(at, bit);
    const before = bank.made(amount);
    const ran = await home.pay(amount, key);
    found.push(...faults(['payment', 'init', amount], ran));
    if (bank.made(amount) !== before) found.push(`${amount} was paid again`);
    if (ran.code === 0 && !ran.stdout.includes('"paymentId":"payment-'))
      found.push(`${amount} is said to be done`);
    if (ran.code === 7) found.push(`${amount}: says that nothing was sent`);
  }
  return found.map((one) => `${cell.of} byte ${String(at - cell.from)}.${String(bit)}: ${one}`);
}

it(
  'a flipped bit of an intent or an open write, or of a key of them, pays nothing again and is seen',
  { timeout: row.timeout(60_000) },
  async () => {
    const bits = cells.flatMap((cell) =>
      Array.from({ length: (cell.to - cell.from) * 8 }, (_, bit) => ({
        cell,
        at: cell.from + (bit >> 3),
        bit: bit & 7,
      })),
    );
    // Evenly over all of them; each place of a byte in its turn.
    const step = Math.max(1, bits.length / row.count);
    const chosen = Array.from(
      { length: Math.min(row.count, bits.length) },
      (_, turn) => bits[Math.floor(turn * step)],
    );
    const found: string[] = [];
    for (const [turn, one] of chosen.entries()) {
      if (one !== undefined) found.push(...(await wrongWith(one.cell, one.at, one.bit)));
      if (turn % 50 !== 49) continue;
      collect();
      await setTimeout(10);
    }
    row.report(
      `${String(bits.length)} bits of ${String(cells.length)} rows and keys in ${String(new Set(cells.map(({ of }) => of)).size)} trees`,
    );
    expect(found, found.join('\n')).toEqual([]);
  },
);
