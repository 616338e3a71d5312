import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runInside } from '../../helpers/inside.ts';
import { shop } from '../../helpers/obk.ts';

let home: string;
let at: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'obk-policy-'));
  mkdirSync(join(home, 'etc'));
  at = join(home, 'etc/policy.json');
});
afterAll(() => {
  rmSync(home, { recursive: true, force: true });
});

const bounded = (bounds: object, args: readonly string[], env: NodeJS.ProcessEnv = {}) => {
  writeFileSync(at, JSON.stringify(bounds));
  chmodSync(at, 0o600);
  return runInside([...args, '--json'], {
    env: { HOME: home, ...env },
    cwd: home,
    policy: { path: at, owner: process.getuid?.() ?? 0 },
  });
};
const pay = ['payment', 'init', ...shop, '--amount', '10.01', '--profile', 'sandbox', '--no-input'];

describe('the policy of the machine', () => {
  it('is shown by whoami and doctor', async () => {
    const bounds = { environments: ['sandbox'], maxAmount: { EUR: '10.00' } };
    const who = await bounded(bounds, ['whoami']);
    expect(JSON.parse(who.stdout)).toMatchObject({ policy: { path: at, ...bounds } });
    const doctor = await bounded(bounds, ['doctor', '--offline', '--profile', 'sandbox']);
    expect(doctor.stdout).toContain('bounds what is done on this machine');
  });

  it.each<[string, object, readonly string[], NodeJS.ProcessEnv]>([
    ['an amount', { maxAmount: { EUR: '10.00' } }, pay, {}],
    ['an environment', { environments: ['production'] }, pay, {}],
    [
      'an environment, whatever a variable says',
      { environments: ['test'] },
      pay,
      { OBK_POLICY: '/dev/null' },
    ],
    [
      'a raw call',
      { maxAmount: { EUR: '10.00' } },
      [
        'api',
        'POST',
        '/v1/payments/sepa-credit-transfers',
        '--input',
        'body.json',
        '--profile',
        'sandbox',
        '--psu-ip',
        '192.0.2.1',
      ],
      {},
    ],
    ['anything that it does not understand', { maximum: 1 }, ['whoami'], {}],
  ])('refuses %s: exit 3', async (_, bounds, args, env) => {
    writeFileSync(join(home, 'body.json'), '{"instructedAmount":{"currency":"EUR","amount":"10.01"}}');
    const { code, stdout, stderr } = await bounded(bounds, args, env);
    expect(code, stderr + stdout).toBe(3);
    expect(JSON.parse(stderr.slice(stderr.indexOf('{')))).toMatchObject({ error: { code: 'POLICY' } });
  });
});
