import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInside } from '../../../../helpers/inside.ts';

const home = mkdtempSync(join(tmpdir(), 'payments-'));
const env = {
  ...process.env,
  OBK_CONFIG_DIR: join(home, 'config'),
  OBK_STATE_DIR: join(home, 'state'),
  OBK_PSU_IP: '192.0.2.1',
};

/** Runs a line of obk in a home of its own. */
export const obk = (line: readonly string[], input: string | Uint8Array = '') =>
  runInside(line, { env, cwd: home, input: input.toString() });

/** A file in the folder of the run; returns its name. */
export function file(name: string, bytes: string | Uint8Array): string {
  writeFileSync(join(home, name), bytes);
  return name;
}

let made = 0;

/** Makes a profile of a bank that is never called. */
export async function profileWith(...flags: readonly string[]): Promise<string> {
  made += 1;
  const name = `p${String(made)}`;
  const usual = ['--base-url', 'https://acme.example', '--environment', 'test', '--signing', 'none'];
  const { code, stderr } = await obk([
    'profile',
    'create',
    name,
    '--no-check',
    ...usual,
    ...flags,
    '--no-input',
  ]);
  if (code !== 0) throw new Error(stderr);
  return name;
}

/** The body that a line would send, and what it says. */
export async function wouldSend(line: readonly string[], input?: string | Uint8Array) {
  const { code, stdout, stderr } = await obk([...line, '--dry-run', '--json'], input);
  if (code !== 0) throw new Error(`${String(code)} ${stderr}`);
  return { body: (JSON.parse(stdout) as { body: string }).body, stderr };
}

/** The flags of a payment that lacks nothing. */
export const paymentTo = (product: string, name = 'Shop') => [
  ...['payment', 'init', '--product', product, '--debtor', 'DE65990010000000002443'],
  ...['--creditor-name', name, '--creditor-account', 'DE89370400440532013000', '--amount', '1.00'],
];
