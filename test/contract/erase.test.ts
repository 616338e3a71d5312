import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startExemptingBank } from '../helpers/exempting-bank.ts';
import type { ExemptingBank } from '../helpers/exempting-bank.ts';
import { payArgs, payingHome } from '../helpers/paying-home.ts';
import type { PayingHome } from '../helpers/paying-home.ts';

let bank: ExemptingBank;
let home: PayingHome;
beforeEach(async () => {
  bank = await startExemptingBank();
  home = await payingHome(bank);
});
afterEach(async () => {
  home.close();
  await bank.close();
});

const pay = (amount: string, psuId: string, key?: string) =>
  home.run([...payArgs(amount, key), '--psu-id', psuId]);

/** Everything that stands in the folders of obk, names of files included. */
function everything(): string {
  return readdirSync(home.folder, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return entry.isFile() ? `${path} ${readFileSync(path, 'utf8')}` : path;
    })
    .join('\n');
}

async function erase(...more: string[]): Promise<Record<string, unknown>> {
  const args = ['log', 'erase', '--psu-id', 'anna-4711', '--profile', 'acme', '--json', ...more];
  const { code, stdout, stderr } = await home.run(args);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as Record<string, unknown>;
}

it('erase clears a customer and keeps what guards against duplicates', async () => {
  await pay('1.00', 'anna-4711', 'k');
  await pay('101.00', 'anna-4711', 'open');
  await pay('2.00', 'anna-4711');
  await pay('3.00', 'berta-0815', 'other');
  expect(everything()).toContain('anna-4711');
  const planned = await erase('--dry-run');
  expect(everything()).toContain('anna-4711');
  const done = await erase();
  expect(done).toMatchObject({ conversations: 3, resources: 3, unsettled: [] });
  expect(done['runs']).toHaveLength(3);
  expect({ ...done, dryRun: true }).toEqual(planned);
  expect(everything()).not.toContain('anna-4711');
  // Berta's payment names the same payee; of Anna's nobody does any more.
  expect(everything()).toContain('berta-0815');
  expect((everything().match(/"Shop"/g) ?? []).length).toBeGreaterThan(0);

  for (const [amount, key] of [
    ['1.00', 'k'],
    ['101.00', 'open'],
    ['2.00', undefined],
  ] as const) {
    await pay(amount, 'anna-4711', key);
    expect(bank.made(amount)).toBe(1);
  }
});

it('erase leaves what is not resolved, and reports it', async () => {
  await pay('201.00', 'anna-4711', 'lost');
  const done = await erase();
  expect(done['runs']).toEqual([]);
  expect(done['unsettled']).toHaveLength(1);
  expect((await pay('201.00', 'anna-4711', 'lost')).code).toBe(12);
  expect(bank.made('201.00')).toBe(1);
});
