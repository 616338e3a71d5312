import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { damages, shapes } from '../../helpers/damage.ts';
import type { Random } from '../../helpers/damage.ts';
import { seeded } from '../../helpers/kill-cycles.ts';
import { faults, filesIn, paidHome, payments, reads } from '../../helpers/paid-home.ts';
import type { PaidHome } from '../../helpers/paid-home.ts';
import { trials } from '../../helpers/trials.ts';

const row = trials('33', 60);
const all = { ...damages, ...shapes };

let paid: PaidHome;
let files: string[];
beforeAll(async () => {
  paid = await paidHome();
  await paid.whole.run(creating('spare'));
  files = filesIn(paid.whole.folder)
    .map((path) => relative(paid.whole.folder, path))
    .sort();
}, 30_000);
afterAll(() => paid.close());

const creating = (name: string): string[] => [
  ...['profile', 'create', name, '--base-url', 'https://bank.example', '--environment', 'test'],
  ...['--signing', 'none', '--variant', 'v1', '--json', '--no-input'],
];
const pick = <T>(list: readonly T[], random: Random): T | undefined =>
  list[Math.floor(random() * list.length)];

/** Whether what a person has made no longer stands in the settings; where they cannot be read, all of it is there to be mended. */
function isReset(before: Buffer, after: Buffer): boolean {
  if (before.equals(after)) return false;
  const had = profilesIn(before);
  return had === undefined || had.some((name) => profilesIn(after)?.includes(name) !== true);
}

function profilesIn(bytes: Buffer): string[] | undefined {
  try {
    return Object.keys((JSON.parse(bytes.toString()) as { profiles: object }).profiles);
  } catch {
    return undefined;
  }
}

/** Damages a file of a copy of the home, and looks, writes and pays there. */
async function tried(index: number, random: Random): Promise<string[]> {
  const { bank, whole, kept } = paid;
  const home = whole.copy();
  const file = pick(files, random) ?? '';
  const damage = pick(Object.keys(all), random) ?? '';
  const found: string[] = [];
  try {
    const path = join(home.folder, file);
    all[damage]?.(path, random);
    const damaged = damage === 'missing' ? undefined : readFileSync(path);
    const words = pick(reads(kept), random) ?? [];
    const ran = await home.run([...words, '--profile', 'acme', '--json', '--no-input']);
    found.push(...faults(words, ran));
    if (damaged !== undefined && file.startsWith('config')) {
      found.push(...faults(['profile', 'create'], await home.run(creating('another'))));
      const after = readFileSync(path);
      if (/config\.json$/.test(file) && isReset(damaged, after)) found.push('it was reset');
    }
    const [amount, key] = pick(payments, random) ?? payments[0];
    const before = bank.made(amount);
    const again = await home.pay(amount, key);
    found.push(...faults(['payment', 'init', amount], again));
    if (bank.made(amount) !== before) found.push(`${amount} was paid again: exit ${String(again.code)}`);
    if (again.code === 7) found.push(`${amount}: says that nothing was sent: ${again.stderr}`);
    if (/\n +at .*:\d+:\d+/.test(ran.stderr + again.stderr)) found.push(`a stack trace: ${again.stderr}`);
  } catch (error) {
    found.push(String(error));
  } finally {
    home.close();
  }
  return found.map((one) => `trial ${String(index)}: ${file}, ${damage}: ${one}`);
}

it(
  'a damaged or newer file is recognised: nothing is reset, nothing crashes, nothing is paid again',
  { timeout: row.timeout(60_000) },
  async () => {
    const random = seeded(row.seed);
    const found: string[] = [];
    for (let index = 0; index < row.count; index += 1) found.push(...(await tried(index, random)));
    row.report(`${String(Object.keys(all).length)} damages of ${String(files.length)} files`);
    expect(found, found.join('\n')).toEqual([]);
  },
);
