import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runInside } from '../../../../helpers/inside.ts';
import { shop } from '../../../../helpers/obk.ts';

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
    expect(JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      error: { code: 'POLICY' },
    });
  });
});

describe('with unmasked: false', () => {
  const iban = 'DE89370400440532013000';
  const shown = 'DE89…3000';
  let bank: Server;
  let env: NodeJS.ProcessEnv;
  beforeAll(async () => {
    bank = createServer((request, answer) => {
      answer
        .setHeader('Content-Type', 'application/json')
        .setHeader('X-Request-ID', String(request.headers['x-request-id']));
      answer.end(`{"accounts":[{"iban":"${iban}","pan":"4111111111111111","resourceId":"r-1"}]}`);
    });
    await new Promise<void>((done) => bank.listen(0, '127.0.0.1', done));
    env = { OBK_CONFIG_DIR: join(home, 'c'), OBK_STATE_DIR: join(home, 's'), OBK_PROFILE: 'acme' };
    const base = `http://127.0.0.1:${String((bank.address() as AddressInfo).port)}`;
    const made = await bounded(
      {},
      ['profile', 'create', 'acme', '--base-url', base, '--signing', 'none'],
      env,
    );
    expect(made.code, made.stderr).toBe(0);
  });
  afterAll(() => bank.close());

  const call = ['api', 'GET', `v1/accounts?about=${iban}`, '-H', 'Consent-ID: c', '--psu-ip', '192.0.2.1'];
  const pays = [...pay.slice(0, -3), '--debtor', iban, '--psu-ip', '192.0.2.1', '--dry-run', '--curl'];

  it.each([true, false])('%s: what shows a call has account numbers only where it may', async (unmasked) => {
    const trace = join(home, `${String(unmasked)}.har`);
    const ran = await bounded({ unmasked }, [...call, '-vvv', '--curl', '--trace', trace], env);
    expect(ran.code, ran.stderr).toBe(0);
    // What was asked for is whole.
    expect(ran.stdout).toContain(iban);
    const seen: [string, string][] = [
      ['-vvv', ran.stderr],
      ['--trace', readFileSync(trace, 'utf8')],
    ];
    for (const args of [
      ['log', 'show', '@last', '-vvv'],
      ['log', 'har', '@last'],
      ['log', 'curl', '@last'],
    ])
      seen.push([args.join(' '), (await bounded({ unmasked }, args, env)).stdout]);
    const dry = await bounded({ unmasked }, pays, env);
    seen.push(['--dry-run', dry.stdout + dry.stderr]);
    for (const [what, text] of seen) {
      expect(text.includes(iban) || text.includes('4111111111111111'), `${what}\n${text}`).toBe(unmasked);
      if (!unmasked) expect(text, what).toContain(shown);
    }
  });
});
