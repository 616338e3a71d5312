// A home of obk with a production profile at a bank that exempts from SCA, run inside this process.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExemptingBank } from './exempting-bank.ts';
import { runInside } from './inside.ts';
import type { InsideOptions } from './inside.ts';
import type { Ran } from './obk.ts';

export interface PayingHome {
  folder: string;
  env: NodeJS.ProcessEnv;
  run(args: readonly string[], more?: Partial<InsideOptions>): Promise<Ran>;
  /** The command of a payment; with a key or without one. */
  pay(amount: string, key?: string, more?: Partial<InsideOptions>): Promise<Ran>;
  copy(): PayingHome;
  close(): void;
}

export async function payingHome(bank: ExemptingBank): Promise<PayingHome> {
  const home = homeIn(mkdtempSync(join(tmpdir(), 'obk-paying-')));
  const { code, stderr } = await home.run([
    ...['profile', 'create', 'acme', '--base-url', bank.baseUrl, '--environment', 'production'],
    ...['--signing', 'none', '--variant', 'v1', '--debtor', 'DE40100100103307118608'],
  ]);
  if (code !== 0) throw new Error(stderr);
  return home;
}

/** What a payment is started with; the last line of the words is the amount. */
export const payArgs = (amount: string, key?: string): string[] => [
  ...['payment', 'init', '--product', 'sepa-credit-transfers', '--profile', 'acme', '--confirm', 'acme'],
  ...['--creditor-account', 'DE89370400440532013000', '--creditor-name', 'Shop', '--psu-ip', '192.0.2.7'],
  ...(key === undefined ? [] : ['--intent-key', key]),
  // Many of these tests pay more often within a minute than a bank takes.
  ...['--rate', '5000/1s', '--no-input', '--json', '--amount', amount],
];

export function homeIn(folder: string): PayingHome {
  const env: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'],
    HOME: folder,
    OBK_CONFIG_DIR: join(folder, 'config'),
    OBK_STATE_DIR: join(folder, 'state'),
    CI: 'true',
  };
  const run: PayingHome['run'] = (args, more) => runInside(args, { env, cwd: folder, input: '', ...more });
  return {
    folder,
    env,
    run,
    pay: (amount, key, more) => run(payArgs(amount, key), more),
    copy() {
      const other = mkdtempSync(join(tmpdir(), 'obk-paying-'));
      cpSync(folder, other, { recursive: true });
      return homeIn(other);
    },
    close: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
