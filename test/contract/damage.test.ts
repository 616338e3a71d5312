import { appendFileSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startExemptingBank } from '../helpers/exempting-bank.ts';
import type { ExemptingBank } from '../helpers/exempting-bank.ts';
import type { Ran } from '../helpers/obk.ts';
import { payingHome } from '../helpers/paying-home.ts';
import type { PayingHome } from '../helpers/paying-home.ts';
import { seeded } from '../helpers/kill-cycles.ts';

let bank: ExemptingBank;
let whole: PayingHome;
let kept: string;

/** Each was started once, so that whatever is damaged it must not be started again. */
const payments = [
  ['1.00', 'exempt'],
  ['101.00', 'authorised'],
  ['2.00', undefined],
  ['201.00', 'lost'],
  ['202.00', undefined],
] as const;

beforeAll(async () => {
  bank = await startExemptingBank();
  whole = await payingHome(bank);
  const ids: string[] = [];
  for (const [amount, key] of payments) {
    const { stdout } = await whole.pay(amount, key);
    ids.push(String((JSON.parse(stdout || '{}') as { paymentId?: unknown }).paymentId));
    expect(bank.made(amount)).toBe(1);
  }
  kept = ids[0] ?? '';
  await whole.run(['consent', 'use', 'consent-0001', '--profile', 'acme']);
  await whole.run(['payment', 'status', kept, '--profile', 'acme']);
}, 30_000);
afterAll(async () => {
  whole.close();
  await bank.close();
});

/** What may happen to a file. */
const damages: Record<string, (path: string, random: () => number) => void> = {
  missing: (path) => {
    rmSync(path);
  },
  empty: (path) => {
    writeFileSync(path, '');
  },
  'cut in half': (path) => {
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.subarray(0, bytes.length >> 1));
  },
  'cut after its first line': (path) => {
    writeFileSync(path, `${readFileSync(path, 'utf8').split('\n')[0] ?? ''}\n`);
  },
  'full of zeros': (path) => {
    writeFileSync(path, Buffer.alloc(statSync(path).size));
  },
  'with one bit flipped': (path, random) => {
    const bytes = readFileSync(path);
    if (bytes.length === 0) return;
    // Never in the address of the bank: no test calls another machine.
    const address = bytes.indexOf('127.0.0.1');
    let at = Math.floor(random() * bytes.length);
    while (address >= 0 && at >= address - 8 && at < address + 16) at = Math.floor(random() * bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
    writeFileSync(path, bytes);
  },
  'one byte too long': (path) => {
    appendFileSync(path, 'x');
  },
  'of a newer version': (path) => {
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('"schemaVersion":', '"schemaVersion":9'));
  },
};

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.lock'))
    .map((entry) => join(entry.parentPath, entry.name));
}

const reads = (id: string): string[][] => [
  ['payment', 'list'],
  ['payment', 'status', id],
  ['payment', 'status', '@last'],
  ['pending', 'list'],
  ['log', 'list'],
  ['log', 'show', '@last'],
  ['log', 'prune', '--older-than', '1h', '--dry-run'],
  ['consent', 'list'],
  ['profile', 'show'],
  ['whoami'],
  ['doctor', '--offline'],
];

/** A failure says what can be done, in a line that runs or in words with the path. */
function faults(words: readonly string[], { code, stderr, stdout }: Ran): string[] {
  const what = words.join(' ');
  if (code === 1) return [`${what}: exit 1: ${stderr}`];
  if (code !== 3) return [];
  const { error } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '{}') as {
    error?: { code: string; hint: string[] };
  };
  if (error === undefined) return stdout === '' ? [`${what}: exit 3 without a word: ${stderr}`] : [];
  const runs = error.hint.some((one) => /^(obk|mv|cp|rm|ls|df) |^Use the newer obk/.test(one));
  return runs ? [] : [`${what}: ${error.code} without a way out: ${error.hint.join(' | ')}`];
}

/** Damages one file in a copy of the home; gives what went wrong with all that reads it. */
async function tried(file: string, damage: string, random: () => number): Promise<string[]> {
  const home = whole.copy();
  try {
    const path = join(home.folder, file);
    damages[damage]?.(path, random);
    const before = payments.map(([amount]) => bank.made(amount));
    const found: string[] = [];
    for (const words of reads(kept)) {
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
  it.each(Object.keys(damages))(
    '%s never makes a payment twice, never ends in exit 1, and always says what helps',
    { timeout: 120_000 },
    async (damage) => {
      const random = seeded(4711);
      const files = filesIn(whole.folder).map((path) => relative(whole.folder, path));
      expect(files.length).toBeGreaterThan(20);
      const found: string[] = [];
      for (const file of files) found.push(...(await tried(file, damage, random)));
      expect(found).toEqual([]);
    },
  );
});
