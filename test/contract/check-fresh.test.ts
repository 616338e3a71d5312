// `obk check` in a home in which nothing is saved yet.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runInside } from '../helpers/inside.ts';

it(
  'check asks for nothing that was given, and states what its verdict covers',
  { timeout: 30_000 },
  async () => {
    const fresh = mkdtempSync(join(tmpdir(), 'obk-check-fresh-'));
    const env = {
      ...process.env,
      OBK_CONFIG_DIR: join(fresh, 'config'),
      OBK_STATE_DIR: join(fresh, 'state'),
    };
    const flags = ['--profile', 'sandbox', '--no-input'];
    const run = (...more: string[]) =>
      runInside(['check', ...flags, ...more], { env, cwd: fresh, input: '', bound: 60_000 });
    const both = ['--debtor', 'DE89370400440532013000', '--creditor', 'DE02120300000000202051'];
    const given = await run('--writes', ...both);
    expect(given.stderr).toContain('no payment is saved: obk payment init\n');
    expect(given.stderr).not.toMatch(/--debtor|--creditor|--writes/);
    expect(given.stdout).toMatch(/(pass|fail|inconclusive): \d+ of \d+ tried \(/);
    const without = await run('--writes', '--only', 'initiatePayment');
    expect(without.stderr).toContain('not tested: without --debtor and --creditor');
    const missing = await run('--only', 'another digest');
    expect([missing.code, missing.stderr]).toEqual([
      2,
      expect.stringContaining("--wrong-requests --only 'another digest'"),
    ]);
    rmSync(fresh, { recursive: true, force: true });
  },
);
