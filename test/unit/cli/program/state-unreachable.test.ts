import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runInside } from '../../../helpers/inside.ts';

/** A home whose state is in a database that is not there. */
function home(more: Record<string, string> = {}) {
  const folder = mkdtempSync(join(process.env['HOME'] ?? tmpdir(), 'state-'));
  const env = {
    HOME: folder,
    OBK_STATE_URL_FROM: 'env:STATE_URL',
    OBK_STATE_KEY_FROM: 'env:STATE_KEY',
    STATE_URL: 'postgres://obk:geheim-0123456789@/obk?host=/nowhere',
    STATE_KEY: '5a'.repeat(32),
    OBK_SANDBOX_IDLE: '3s',
    ...more,
  };
  const run = (...args: string[]) => runInside(args, { env, cwd: folder, input: '' });
  return { folder, run };
}

const payment = [
  ...['payment', 'init', '--product', 'sepa-credit-transfers', '--creditor-name', 'Shop', '--amount', '1.00'],
  ...[
    '--creditor-account',
    'DE75512108001245126199',
    '--debtor',
    'DE40100100103307118608',
    '--yes',
    '--json',
  ],
];

describe('a database with the state that cannot be reached', () => {
  // A bank inside makes its keys once in a home, which takes a second.
  const { folder, run } = home();

  it('keeps a payment from being sent, and says so; no file is used instead', async () => {
    const ran = await run(...payment);
    expect(ran.code).toBe(3);
    expect(ran.stdout).toBe('');
    expect(ran.stderr).toContain('"code":"STATE_UNREACHABLE"');
    expect(ran.stderr).toContain('/nowhere/obk: there is no socket. Nothing was sent.');
    expect(ran.stderr).not.toContain('geheim');
    const state = join(folder, '.local', 'state', 'obk');
    // The bank inside has its ledger there, and nothing else is there.
    expect(readdirSync(state)).toEqual(['sandbox']);
  });

  it.each([
    'payment authorise p-1',
    'payment cancel p-1 --yes',
    'consent authorise c-1',
    'consent delete c-1 --yes',
    'payment status p-1',
  ])('ends %s before anything is sent, and says so', async (words) => {
    const ran = await run(...words.split(' '), '--no-input', '--json');
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain('"code":"STATE_UNREACHABLE"');
    expect(ran.stderr).toMatch(/there is no socket\. Nothing was sent\./);
  });

  it('lets a read go on with one warning', async () => {
    const ran = await run('api', 'GET', '/v1/accounts', '-H', 'Consent-ID: x', '--json');
    expect(ran.stderr.match(/reads go on without what was kept before/g)).toHaveLength(1);
    expect(ran.stderr).toContain('CONSENT_UNKNOWN');
    expect(ran.code).toBe(4);
  });

  it.each([
    ['a URL that no variable holds', { STATE_URL: '' }],
    ['no key', { OBK_STATE_KEY_FROM: '' }],
    ['a key that is none', { STATE_KEY: 'short' }],
  ])('ends a payment and its authorisation with %s before anything is sent, and says so', async (_, env) => {
    const there = home(env);
    for (const args of [payment, 'payment authorise p-1 --no-input --json'.split(' ')]) {
      const { code, stderr } = await there.run(...args);
      expect([code, stderr]).toEqual([3, expect.stringContaining('Nothing was sent.')]);
    }
  });

  it.each([
    ['a URL that no variable holds', { STATE_URL: '' }, 'SECRET_REFERENCE'],
    ['no key', { OBK_STATE_KEY_FROM: '' }, 'PROFILE_INVALID'],
    ['a key that is none', { STATE_KEY: 'short' }, 'SECRET_REFERENCE'],
  ])('is not replaced by files for %s', async (_, env, code) => {
    const there = home(env);
    for (const args of [payment, ['pending', 'list', '--json'], ['log', 'list', '--json']]) {
      const ran = await there.run(...args);
      expect([ran.code, ran.stderr]).toEqual([3, expect.stringContaining(code)]);
    }
  });
});
