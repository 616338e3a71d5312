// A home in which five payments were started, and how one looks whether obk still tells the truth about it.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { startExemptingBank } from './exempting-bank.ts';
import type { ExemptingBank } from './exempting-bank.ts';
import type { Ran } from './obk.ts';
import { payingHome } from './paying-home.ts';
import type { PayingHome } from './paying-home.ts';

/** Each was started once, so that whatever is damaged it must not be started again. */
export const payments = [
  ['1.00', 'exempt'],
  ['101.00', 'authorised'],
  ['2.00', undefined],
  ['201.00', 'lost'],
  ['202.00', undefined],
] as const;

export interface PaidHome {
  bank: ExemptingBank;
  whole: PayingHome;
  /** The id of a payment that the home knows. */
  kept: string;
  close(): Promise<void>;
}

export async function paidHome(): Promise<PaidHome> {
  const bank = await startExemptingBank();
  const whole = await payingHome(bank);
  const ids: string[] = [];
  for (const [amount, key] of payments) {
    const { stdout } = await whole.pay(amount, key);
    ids.push(String((JSON.parse(stdout || '{}') as { paymentId?: unknown }).paymentId));
    if (bank.made(amount) !== 1) throw new Error(`${amount} was not paid`);
  }
  const kept = ids[0] ?? '';
  await whole.run(['consent', 'use', 'consent-0001', '--profile', 'acme']);
  await whole.run(['payment', 'status', kept, '--profile', 'acme']);
  return {
    bank,
    whole,
    kept,
    async close() {
      whole.close();
      await bank.close();
    },
  };
}

/** Every file below a folder, without locks and what a connection of this process has for itself. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !/\.lock$|\.db-(?:wal|shm)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Every command that reads what is kept. */
export const reads = (id: string): string[][] => [
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

/** What is wrong with how a run ended: a failure says what can be done, in a line that runs or in words with the path. */
export function faults(words: readonly string[], { code, stderr, stdout }: Ran): string[] {
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
