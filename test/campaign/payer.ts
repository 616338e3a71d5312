import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInside } from '../helpers/inside.ts';
import { shop } from '../helpers/obk.ts';
import type { Ran } from '../helpers/obk.ts';

/** obk within this process, in a home of its own, with a profile `plain` for a bank that was typed by hand. */
export interface Payer {
  home: string;
  run(...args: string[]): Promise<Ran>;
  close(): void;
}

/** Makes the profile; the PSU's password and code come from the environment. */
export async function payerAt(baseUrl: string, ...more: string[]): Promise<Payer> {
  const home = mkdtempSync(join(tmpdir(), 'obk-plain-'));
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_STATE_HOME: join(home, 'state'),
    XDG_CACHE_HOME: join(home, 'cache'),
    PLAIN_PASSWORD: 'c4n-pass-7Qz',
    PLAIN_CODE: '480071',
  };
  const run = (...args: string[]) => runInside(args, { env, cwd: home, input: '' });
  const made = await run(
    ...['profile', 'create', 'plain', '--base-url', baseUrl, '--environment', 'test', '--variant', 'v1'],
    ...[
      '--signing',
      'none',
      '--timeout',
      '700ms',
      '--rate',
      'off',
      '--psu-ip',
      '192.0.2.7',
      '--psu-id',
      'anna',
      ...more,
    ],
  );
  if (made.code !== 0) throw new Error(made.stderr);
  return {
    home,
    run,
    close: () => {
      rmSync(home, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Where the secrets of the PSU come from. */
export const secrets = ['--psu-password-from', 'env:PLAIN_PASSWORD', '--otp-from', 'env:PLAIN_CODE'];

/** A payment with its authorisation, all in one run, as JSON. */
export const pay = (amount: string, ...more: string[]): string[] => [
  ...[
    'payment',
    'init',
    ...shop,
    '--amount',
    amount,
    '--debtor',
    'DE65990010000000002443',
    '--no-input',
    '--json',
    '--allow-duplicate',
  ],
  ...more,
];
