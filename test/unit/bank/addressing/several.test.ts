import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forBank, forProfile } from '../../../../src/base/command-line.ts';
import { doorsFromFlags } from '../../../../src/settings/doors/read-doors.ts';
import type { Target } from '../../../../src/client/exchange/target.ts';
import { hintSandbox } from '../../../../src/client/sca/sandbox-hint.ts';
import type { Step } from '../../../../src/standard/sca/next-step.ts';
import type { ServedBank } from '../../../../src/bank/door.ts';
import { createBank } from '../../../../src/bank/index.ts';
import { Secret } from '../../../../src/base/secret.ts';
import type { Conversation } from '../../../../src/standard/sca/state.ts';
import { runInside } from '../../../helpers/inside.ts';

const home = mkdtempSync(join(tmpdir(), 'obk-several-'));
const ends: (() => Promise<void>)[] = [];

/** A bank in a home, in memory. */
async function start(
  stateDir: string,
  name: string,
  doors: Readonly<Record<string, unknown>> = {},
  config?: string,
): Promise<ServedBank> {
  const stop = new AbortController();
  const bank = createBank({ stateDir, clock: { now: () => new Date() } });
  let served: Promise<void> = Promise.resolve();
  const address = await new Promise<ServedBank>((resolve, reject) => {
    served = bank.serve(
      {
        ...{ without: [], database: ':memory:', name },
        doors: [doorsFromFlags({ port: 0, open: true, ...doors })],
        secret: () => Promise.resolve(key),
        ...(config !== undefined && { config }),
      },
      resolve,
      stop.signal,
    );
    served.catch(reject);
  });
  ends.push(async () => {
    stop.abort();
    await served;
    await bank.close();
  });
  return address;
}
const key = new Secret('no-secret');

let far: ServedBank;
beforeAll(async () => {
  const state = join(home, 's');
  await start(state, 'a');
  await start(state, 'b');
  await start(state, 'shared', { tenants: 'header:X-Team' });
  far = await start(join(home, 'far'), 'far', {
    ...{ tenants: 'header:X-Tenant', accessKeyFrom: 'env:KEY', basePath: '/psd2' },
  });
});
afterAll(async () => {
  for (const end of ends) await end();
  rmSync(home, { recursive: true, force: true, maxRetries: 3 });
});

/** Runs obk in the one home. */
async function obk(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const all = { HOME: home, OBK_CONFIG_DIR: join(home, 'c'), OBK_STATE_DIR: join(home, 's'), ...env };
  return runInside([...args], { env: { PATH: process.env['PATH'], ...all }, cwd: home, input: '' });
}

const pay = (amount: string, psuId = 'decoupled') => [
  ...['payment', 'init', '--product', 'sepa-credit-transfers', '--creditor-name', 'Shop', '--no-input'],
  ...['--creditor-account', 'DE89370400440532013000', '--amount', amount, '--psu-id', psuId],
];

interface Paid {
  profile: string;
  paymentId: string;
  _obk: { next: readonly string[] };
}

/** The lines that a run prints run in a shell of their own, which knows of no bank. */
async function runs(lines: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<void> {
  expect(lines.length).toBeGreaterThan(0);
  for (const printed of lines) {
    const { code, stderr } = await obk(wordsOf(printed), env);
    expect({ printed, usage: code === 2, stderr: code === 2 ? stderr : '' }).toEqual({
      ...{ printed, usage: false, stderr: '' },
    });
  }
}
const wordsOf = (text: string): string[] =>
  (text.replace(/\s+#.*$/, '').match(/'[^']*'|\S+/g) ?? [])
    .slice(1)
    .map((word) => word.replace(/^'(.*)'$/, '$1'));

describe('one of several banks', () => {
  it.each<[string, NodeJS.ProcessEnv, string]>([
    ['a bank by name', { OBK_SANDBOX: 'b' }, 'sandbox@b'],
    [
      'the tenant of one',
      { OBK_SANDBOX: 'shared', OBK_SANDBOX_TENANT: 'team-a' },
      'sandbox@shared/tenant/team-a',
    ],
    [
      'a tenant with blanks',
      { OBK_SANDBOX: 'shared', OBK_SANDBOX_TENANT: 'Team B' },
      'sandbox@shared/tenant/_54eam_20_42',
    ],
  ])('is named in every line that is printed: %s', async (_what, env, profile) => {
    const { code, stdout, stderr } = await obk([...pay('3.00'), '--meta', '--json'], env);
    expect({ code, said: code === 0 ? '' : stderr }).toEqual({ code: 0, said: '' });
    const paid = JSON.parse(stdout) as Paid;
    expect(paid.profile).toBe(profile);
    const flags = flagsOf(env);
    expect(await obk(['sandbox', 'psu', 'approve', paid.paymentId, ...flags])).toMatchObject({ code: 0 });
    await runs(paid._obk.next);
    const refused = await obk(['sandbox', 'people', 'decoupld', '--json', ...flags]);
    expect(refused.code).toBe(2);
    const { hint } = (JSON.parse(refused.stderr) as { error: { hint: string[] } }).error;
    await runs(hint);
    const unoffered = await obk(['sandbox', 'scenario', 'set', 'bulk', 'odd', ...flags, '--json']);
    await runs((JSON.parse(unoffered.stderr) as { error: { hint: string[] } }).error.hint);
    // What is kept is kept by tenant.
    const listed = await obk(['payment', 'list', '--profile', profile, '--json']);
    expect((JSON.parse(listed.stdout) as Paid[]).map(({ paymentId }) => paymentId)).toEqual([paid.paymentId]);
  });

  it('must be named, and so must its tenant', async () => {
    expect(await obk(pay('4.00'))).toMatchObject({ code: 2 });
    const whose = await obk(pay('4.00'), { OBK_SANDBOX: 'shared' });
    expect(whose).toMatchObject({ code: 2, stderr: expect.stringContaining('none is named') as string });
    const none = await obk(pay('4.00'), { OBK_SANDBOX: 'a', OBK_SANDBOX_TENANT: 'team-a' });
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('has no tenants') as string });
  });

  it('is used elsewhere with its tenant and its access key, which no one sees', async () => {
    const env = {
      ...{
        OBK_SANDBOX: far.baseUrl,
        OBK_SANDBOX_TENANT: 'team-a',
        OBK_SANDBOX_TOKEN_FROM: `file:${far.tokenFile}`,
      },
      ...{ KEY: 'no-secret', OBK_SANDBOX_ACCESS_KEY_FROM: 'env:KEY' },
    };
    const { code, stdout, stderr } = await obk([...pay('5.00'), '--meta', '--json'], env);
    expect({ code, said: code === 0 ? '' : stderr }).toEqual({ code: 0, said: '' });
    const { profile, paymentId, _obk } = JSON.parse(stdout) as Paid;
    expect(await obk(['sandbox', 'psu', 'approve', paymentId], env)).toMatchObject({ code: 0 });
    expect(profile).toBe(`sandbox@${far.baseUrl}/tenant/team-a`);
    const { OBK_SANDBOX: _, OBK_SANDBOX_TENANT: __, ...secrets } = env;
    await runs(_obk.next, secrets);
    const shown = await obk([...pay('6.00'), '-vvv'], env);
    expect(shown).toMatchObject({ code: 0 });
    expect(shown.stderr).toContain('X-Tenant: team-a');
    expect(shown.stderr).toContain('X-Access-Key: ');
    expect(shown.stdout + shown.stderr).not.toContain('no-secret');
    // OAuth and the key of encrypted passwords are doors of the same bank.
    const login = await obk(['auth', 'login', '--psu-id', 'redirect', '--no-input', '--json'], env);
    expect([login.code, login.code === 0 ? '' : login.stderr]).toEqual([0, '']);
    const encrypted = await obk([...pay('7.00', 'embedded-encrypted')], {
      ...{ ...env, PASSWORD: far.open?.password, OTP: far.open?.otp },
      ...{ OBK_PSU_PASSWORD_FROM: 'env:PASSWORD', OBK_OTP_FROM: 'env:OTP' },
    });
    expect([encrypted.code, encrypted.code === 0 ? '' : encrypted.stderr]).toEqual([0, '']);
    const { OBK_SANDBOX_ACCESS_KEY_FROM: ___, ...keyless } = env;
    expect((await obk(pay('6.00'), keyless)).code).not.toBe(0);
  });
});

const flagsOf = ({ OBK_SANDBOX: at, OBK_SANDBOX_TENANT: tenant }: NodeJS.ProcessEnv): string[] => [
  ...(at === undefined ? [] : ['--at', at]),
  ...(tenant === undefined ? [] : ['--tenant', tenant]),
];

it('a consent of a fixed id has its whole budget again after a reset', async () => {
  const config = join(home, 'bank.yaml');
  writeFileSync(
    config,
    [
      'people: [{ psuId: anna, accounts: [{ iban: DE02 1203 0000 0000 2020 51, balance: 1.00 }] }]',
      'consents: [{ consentId: anna-reads, psuId: anna, access: { allPsd2: allAccounts }, frequencyPerDay: 1 }]',
    ].join('\n'),
  );
  await start(join(home, 's'), 'fixed', {}, config);
  const env = { OBK_SANDBOX: 'fixed' };
  const read = async () =>
    (await obk(['accounts', '--consent', 'anna-reads', '--psu-id', 'anna'], env)).stderr;
  expect(await read()).not.toMatch(/used up|allows 1/);
  expect(await read()).toMatch(/used up|allows 1/);
  expect(await obk(['sandbox', 'reset', '--yes'], env)).toMatchObject({ code: 0 });
  expect(await read()).not.toMatch(/used up|allows 1/);
});

it('a waiting run shows a person how to approve at the bank of the run', () => {
  const said: string[] = [];
  const target = {
    ...{ ownBank: {}, inLines: { at: 'b', tenant: 'team-a' }, psu: { id: 'redirect' } },
    ports: { person: { present: true }, notices: { say: (text: string) => said.push(text) } },
  } as unknown as Target;
  const conversation = { authorisationId: 'auth-1', parent: { id: 'pay-1' } } as Conversation;
  expect(hintSandbox(target, conversation, { kind: 'wait' })).toBe(true);
  expect(said).toEqual([
    'Passwords and codes of the built-in bank:  obk sandbox people redirect --at b --tenant team-a',
    'To approve from another terminal:  obk sandbox psu approve auth-1 --at b --tenant team-a',
  ]);
});

it.each<[string | undefined, string]>([
  ['redirect', 'log in as redirect; PSU-ID, password and code:  obk sandbox people redirect --at b'],
  [undefined, 'log in as the owner of the account; PSU-ID, password and code:  obk sandbox people --at b'],
])('the redirect of %s says who logs in on the page of the built-in bank, and how', (id, line) => {
  const said: string[] = [];
  const target = {
    ...{ ownBank: {}, inLines: { at: 'b' }, psu: { id } },
    ports: { person: { present: true }, notices: { say: (text: string) => said.push(text) } },
  } as unknown as Target;
  const conversation = { authorisationId: 'auth-1', parent: { id: 'pay-1' } } as Conversation;
  expect(hintSandbox(target, conversation, { kind: 'redirect' } as Step)).toBe(true);
  expect(said[0]).toBe(`On the page of the built-in bank, ${line}`);
});

describe('a line of obk sandbox', () => {
  it.each([
    ['obk sandbox people', 'obk sandbox people --at b --tenant team-a'],
    [
      'obk sandbox psu approve x   # as the PSU',
      'obk sandbox psu approve x --at b --tenant team-a   # as the PSU',
    ],
    ['obk sandbox psu approve -- -x', 'obk sandbox psu approve --at b --tenant team-a -- -x'],
    ["obk sandbox people ' --at c'", "obk sandbox people ' --at c' --at b --tenant team-a"],
    ['obk sandbox people --at c', 'obk sandbox people --at c'],
    ['obk sandbox tenant list', 'obk sandbox tenant list --at b'],
    ['obk sandbox status', 'obk sandbox status'],
    ['obk sandbox start --name b', 'obk sandbox start --name b'],
    ['obk payment list', 'obk payment list'],
  ])('is completed for the bank: %s', (text, named) => {
    const bank = { at: 'b', tenant: 'team-a' };
    expect(forBank(text, bank)).toBe(named);
    expect(forProfile(text, { usual: true, builtIn: true, bank })).toBe(named);
    expect(forBank(text, {})).toBe(text);
  });
});
