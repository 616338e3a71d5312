import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { damages } from '../helpers/damage.ts';
import { seeded } from '../helpers/kill-cycles.ts';
import { faults, filesIn, paidHome, payments, reads } from '../helpers/paid-home.ts';
import type { PaidHome } from '../helpers/paid-home.ts';
import { part, ranTable } from '../helpers/trials.ts';

let paid: PaidHome;
beforeAll(async () => {
  paid = await paidHome();
}, 30_000);
afterAll(() => paid.close());

/** Damages one file in a copy of the home; gives what went wrong with what reads it, and with a second try to pay. */
async function tried(file: string, damage: string, random: () => number, turn: number): Promise<string[]> {
  const { bank, whole, kept } = paid;
  const home = whole.copy();
  try {
    const path = join(home.folder, file);
    // What a connection leaves behind goes with it, sooner or later.
    if (existsSync(path)) damages[damage]?.(path, random);
    const before = payments.map(([amount]) => bank.made(amount));
    const found: string[] = [];
    for (const words of part(reads(kept), 8, turn)) {
      const args = [...words, '--profile', 'acme', '--json', '--no-input'];
      found.push(...faults(words, await home.run(args)));
    }
    for (const [at, [amount, key]] of payments.entries()) {
      const ran = await home.pay(amount, key);
      found.push(...faults(['payment', 'init', amount], ran));
      if (bank.made(amount) !== before[at]) found.push(`${amount} was paid again: exit ${String(ran.code)}`);
    }
    return found.map((one) => `${file}, ${damage}: ${one}`);
  } finally {
    home.close();
  }
}

describe('a file of obk that is', () => {
  afterAll(() => {
    ranTable(`${String(Object.keys(damages).length)} damages of each file`);
  });
  it.each(Object.keys(damages).map((damage, turn) => [damage, turn] as const))(
    '%s never makes a payment twice, never ends in exit 1, and always leads to a hint',
    { timeout: 120_000 },
    async (damage, turn) => {
      const random = seeded(4711);
      const files = filesIn(paid.whole.folder).map((path) => relative(paid.whole.folder, path));
      expect(files.length).toBeGreaterThan(3);
      const found: string[] = [];
      for (const [at, file] of [...files.entries()])
        found.push(...(await tried(file, damage, random, at + turn)));
      expect(found).toEqual([]);
    },
  );
});

it.each([['log list'], ['payment status ID']])(
  'a damaged log does not stop %s, and is reported once',
  async (words) => {
    const home = paid.whole.copy();
    try {
      for (const end of ['', '-wal', '-shm'])
        rmSync(join(home.folder, 'state', `log.db${end}`), { force: true });
      writeFileSync(join(home.folder, 'state', 'log.db'), 'this is text\n'.repeat(1_000), { mode: 0o600 });
      const typed = words.replace('ID', paid.kept).split(' ');
      const ran = await home.run([...typed, '--profile', 'acme', '--no-input']);
      const again = await home.run(['log', 'list', '--profile', 'acme', '--no-input']);
      expect({ code: ran.code, again: again.code }, ran.stderr).toEqual({ code: 0, again: 0 });
      expect(
        (ran.stderr + again.stderr).match(/The log was damaged \(file is not a database\)/g),
      ).toHaveLength(1);
      const [amount, key] = payments[0];
      await home.pay(amount, key);
      expect(paid.bank.made(amount)).toBe(1);
    } finally {
      home.close();
    }
  },
);
