import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startExemptingBank } from '../helpers/exempting-bank.ts';
import type { ExemptingBank } from '../helpers/exempting-bank.ts';
import { payArgs, payingHome } from '../helpers/paying-home.ts';
import type { PayingHome } from '../helpers/paying-home.ts';
import { createClock } from '../../src/adapters/system/system-clock.ts';
import { stateAtHome } from '../helpers/file-store.ts';
import { part, ranTable } from '../helpers/trials.ts';

const bin = resolve(import.meta.dirname, '../../bin/obk.js');
const preload = resolve(import.meta.dirname, '../helpers/fault-at.cjs');
const acme = ['--profile', 'acme', '--no-input'];

let bank: ExemptingBank;
let home: PayingHome;
let paymentId: string;

beforeAll(async () => {
  bank = await startExemptingBank();
  home = await payingHome(bank);
  const { stdout } = await home.pay('1.00', 'k');
  paymentId = (JSON.parse(stdout) as { paymentId: string }).paymentId;
  // As after a run in a process of its own, which leaves nothing in the log of the engine.
  const state = stateAtHome({ stateDir: `${home.folder}/state`, clock: createClock() });
  await state.journal.scrub();
  await state.close();
}, 30_000);
afterAll(async () => {
  ranTable('commands in a home that cannot be written');
  home.close();
  await bank.close();
});

/** obk in a home that takes no change; the bank is in this process, so that only what calls none is run. */
function run(args: readonly string[], folder = home.folder) {
  const env = {
    ...home.env,
    ...{ HOME: folder, OBK_CONFIG_DIR: `${folder}/config`, OBK_STATE_DIR: `${folder}/state` },
    ...{ FAULT_KIND: 'read-only', FAULT_FOLDER: folder },
  };
  return spawnSync(process.execPath, ['--require', preload, bin, ...args], { env, encoding: 'utf8' });
}

describe('in a home that cannot be written', () => {
  it.each(
    part(
      [
        ['whoami'],
        ['doctor', '--offline'],
        ['payment', 'list'],
        ['pending', 'list'],
        ['log', 'list'],
        ['log', 'show', '@last'],
        ['log', 'prune', '--keep', '0', '--dry-run'],
        ['profile', 'show'],
        ['profile', 'list'],
        ['config', 'list'],
        ['consent', 'list'],
        ['auth', 'status'],
      ],
      3,
      0,
    ).map((words) => [words.join(' '), words] as const),
  )('%s works', (_, words) => {
    const { status, stderr } = run([...words, ...acme]);
    expect(stderr).not.toMatch(/✗/);
    expect(status, stderr).toBe(0);
  });

  it('a dry run of a payment works', () => {
    const { status, stdout, stderr } = run([...payArgs('5.00', 'dry'), '--dry-run']);
    expect(status, stderr).toBe(0);
    expect(stdout).toContain('/v1/payments/sepa-credit-transfers');
  });

  it('works where there is no home at all', () => {
    const before = readdirSync(home.folder);
    for (const words of [['whoami'], ['doctor', '--offline'], ['payment', 'list'], ['pending', 'list']]) {
      const { status, stderr } = run([...words, '--no-input', '--profile', 'sandbox'], `${home.folder}/none`);
      expect(status, `${words.join(' ')}: ${stderr}`).toBe(0);
    }
    expect(readdirSync(home.folder)).toEqual(before);
  });

  it.each([
    ['a payment', () => payArgs('6.00', 'new')],
    [
      'a profile',
      () => [
        'profile',
        'create',
        'other',
        '--base-url',
        'https://bank.example',
        '--environment',
        'test',
        '--signing',
        'none',
        '--variant',
        'v1',
      ],
    ],
    ['a setting', () => ['config', 'set', 'debtor', 'DE02100100109307118603', ...acme]],
    ['the profile to use', () => ['profile', 'use', 'acme']],
  ] as const)('%s is exit 3, which names both variables', (_, args) => {
    const { status, stderr } = run(args());
    expect(status, stderr).toBe(3);
    expect(stderr).toContain('OBK_CONFIG_DIR');
    expect(stderr).toContain('OBK_STATE_DIR');
    expect(bank.made('6.00')).toBe(0);
  });
});

it('the bank inside is exit 3, which names the folder', () => {
  const folder = `${home.folder}/none`;
  const { status, stderr } = run(['sandbox', 'people', '--profile', 'sandbox', '--no-input'], folder);
  expect(status, stderr).toBe(3);
  expect(stderr).toContain(`${folder}/state`);
});

describe('a read of the bank in a home that cannot be written', () => {
  it('works, with one warning that names both variables', async () => {
    const { spawn } = await import('node:child_process');
    const env = { ...home.env, FAULT_KIND: 'read-only', FAULT_FOLDER: home.folder };
    const args = ['--require', preload, bin, 'payment', 'status', paymentId, ...acme];
    const child = spawn(process.execPath, args, { env });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const code = await new Promise((ended) => child.on('close', ended));
    expect(code, stderr).toBe(0);
    expect(stderr.split('\n').filter((line) => line.includes('OBK_STATE_DIR'))).toHaveLength(1);
    expect(stderr).toContain('OBK_CONFIG_DIR');
  });
});
