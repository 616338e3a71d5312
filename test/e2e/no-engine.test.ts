// A machine for which there is no SQLite: what reads at a bank goes on, and nothing is sent that could not be kept.
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startExemptingBank } from '../helpers/exempting-bank.ts';
import type { ExemptingBank } from '../helpers/exempting-bank.ts';
import { payArgs, payingHome } from '../helpers/paying-home.ts';
import type { PayingHome } from '../helpers/paying-home.ts';

const bin = resolve(import.meta.dirname, '../../bin/obk.js');
const preload = resolve(import.meta.dirname, '../helpers/no-engine.cjs');
const acme = ['--profile', 'acme', '--no-input'];

let bank: ExemptingBank;
let home: PayingHome;
let paymentId: string;

beforeAll(async () => {
  bank = await startExemptingBank();
  home = await payingHome(bank);
  const { stdout } = await home.pay('1.00', 'k');
  paymentId = (JSON.parse(stdout) as { paymentId: string }).paymentId;
}, 30_000);
afterAll(async () => {
  home.close();
  await bank.close();
});

async function run(
  args: readonly string[],
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, ['--require', preload, bin, ...args], {
    env: home.env,
    cwd: home.folder,
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const code = await new Promise<number | null>((ended) => child.on('close', ended));
  return { code, stdout, stderr };
}

describe('without an engine', () => {
  it('a read at a bank works, and says once that nothing of it is kept', async () => {
    const { code, stdout, stderr } = await run([
      ...['payment', 'status', paymentId, '--service', 'payments', '--product', 'sepa-credit-transfers'],
      ...acme,
    ]);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('ACSC');
    expect(stderr.match(/Nothing of this run is kept/g), stderr).toHaveLength(1);
  });

  it.each([
    ['a payment', () => payArgs('6.00', 'new')],
    ['going on with a payment', () => ['pending', 'resume', 'abcdef123456', ...acme]],
    [
      'the cancellation of a payment',
      () => [
        'payment',
        'cancel',
        paymentId,
        '--product',
        'sepa-credit-transfers',
        '--confirm',
        'acme',
        ...acme,
      ],
    ],
    ['the list of payments', () => ['payment', 'list', ...acme]],
    ['the log', () => ['log', 'list', ...acme]],
    ['what is pending', () => ['pending', 'list', ...acme]],
    ['the status of the state', () => ['state', 'status']],
    ['a copy of the state', () => ['state', 'backup', 'copy.db']],
  ] as const)('%s is exit 3 with the line that mends it', async (_, args) => {
    const { code, stderr } = await run(args());
    expect(code, stderr).toBe(3);
    expect(stderr).toContain('npm install --include=optional');
    expect(bank.made('6.00')).toBe(0);
  });

  it('obk state doctor names what is missing', async () => {
    const { code, stdout } = await run(['state', 'doctor']);
    expect(code).toBe(10);
    expect(stdout).toMatch(/fail {2}engine/);
  });
});
