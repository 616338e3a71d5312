import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runInside } from '../../../../helpers/inside.ts';

let folder: string;

const obk = (command: string, more: Record<string, string> = {}, input?: string) =>
  runInside(command.split(' '), {
    env: {
      ...process.env,
      OBK_CONFIG_DIR: join(folder, 'config'),
      OBK_STATE_DIR: join(folder, 'state'),
      ...more,
    },
    cwd: folder,
    ...(input === undefined ? {} : { input }),
  });

async function good(command: string, more: Record<string, string> = {}, input?: string) {
  const ended = await obk(command, more, input);
  expect(ended.code, ended.stderr).toBe(0);
  return ended;
}

const environment = async (name: string) =>
  (JSON.parse((await good(`profile show ${name} --json`)).stdout) as { environment: string }).environment;

const bank = '--base-url https://bank.example --signing none';
const here = '--base-url http://127.0.0.1:9 --signing none';
const payment =
  'payment init --product sepa-credit-transfers --debtor DE89370400440532013000 --creditor-name Eva --creditor-account DE02100100109307118603 --amount 1.00 --psu-ip 192.0.2.1 --base-url http://127.0.0.1:9';

/** What an obk kept that put `test` where nobody had said anything. */
function keep(name: string, settings: object): void {
  const file = join(folder, 'config', 'config.json');
  mkdirSync(join(folder, 'config'), { recursive: true, mode: 0o700 });
  const profile = { environment: 'test', framework: '1.3.2', prefix: '/v1', surface: 'service', ...settings };
  writeFileSync(file, JSON.stringify({ schemaVersion: 1, profiles: { [name]: profile } }), { mode: 0o600 });
}

beforeEach(() => {
  folder = mkdtempSync(join(homedir(), 'obk-environment-'));
});

describe('a redirect URI', () => {
  it.each(['https://tpp.example/a b', 'https://tpp.example/<id>', 'https://tpp.example/a"b'])(
    'with what may not stand in a URI is refused: %s',
    async (uri) => {
      for (const flag of ['--redirect-uri', '--nok-redirect-uri']) {
        const ended = await runInside(
          [...`profile create acme ${bank} --environment test`.split(' '), flag, uri],
          { env: { ...process.env, OBK_CONFIG_DIR: join(folder, 'config') }, cwd: folder },
        );
        expect([2, 3]).toContain(ended.code);
        expect(ended.stderr).toContain('percent-encoded');
      }
    },
  );

  it.each(['https://tpp.example/back?state=x', 'https://tpp.example/back?a=1&state='])(
    'with a state of its own is told: %s',
    async (uri) => {
      const { stderr } = await good(`profile create acme ${bank} --environment test --redirect-uri ${uri}`);
      expect(stderr).toContain('has a state of its own');
      expect(stderr).toMatch(/--redirect-uri '?https:\/\/tpp\.example\/back(\?a=1)?'?(\s|$)/);
    },
  );
});

describe('the environment of a bank off this machine', () => {
  const file = JSON.stringify({ obkProfile: 1, name: 'acme', settings: { baseUrl: 'https://bank.example' } });

  it.each([
    ['create', `profile create acme ${bank}`, undefined],
    ['import', 'profile import -', file],
  ])('is needed without a terminal: %s', async (_, command, input) => {
    const refused = await obk(command, {}, input);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('Missing --environment.');
    expect((await obk('profile show acme')).code).toBe(3);
    await good(`${command} --environment test`, {}, input);
    expect(await environment('acme')).toBe('test');
  });

  it('is taken from OBK_ENVIRONMENT, which is checked', async () => {
    expect((await obk(`profile create acme ${bank}`, { OBK_ENVIRONMENT: 'prod' })).code).toBe(2);
    await good(`profile create acme ${bank}`, { OBK_ENVIRONMENT: 'production' });
    expect(await environment('acme')).toBe('production');
  });

  it('is not needed here, and is when the profile moves away, by whatever command', async () => {
    await good(`profile create acme ${here}`);
    expect(await environment('acme')).toBe('test');
    for (const command of [
      'profile edit acme --base-url https://bank.example',
      'config set baseUrl https://bank.example --profile acme',
      'profile edit acme --origin https://bank.example',
    ])
      expect((await obk(command)).code, command).toBe(2);
    await good('profile edit acme --base-url https://bank.example --environment test');
    expect(await environment('acme')).toBe('test');
    await good('profile edit acme --base-url https://other.example');
  });

  it('is that of the profile which is extended', async () => {
    await good(`profile create common ${bank} --environment sandbox`);
    await good('profile create kid --extends common --base-url https://kid.example');
    expect(await environment('kid')).toBe('sandbox');
    await good(`profile create near ${here}`);
    expect((await obk('profile create far --extends near --base-url https://far.example')).code).toBe(2);
  });
});

describe('an environment that nobody ever said', () => {
  it('counts as production, with a line that says so and the way out', async () => {
    keep('acme', { baseUrl: 'https://bank.example', signing: { mode: 'none' } });
    expect(await environment('acme')).toBe('production');
    const { stderr } = await good('whoami --profile acme');
    expect(stderr).toContain('counts as production: obk profile edit acme --environment test');
    await good('profile edit acme --psu-id anna');
    expect(await environment('acme')).toBe('production');
    await good('profile edit acme --environment test');
    expect(await environment('acme')).toBe('test');
    expect((await good('whoami --profile acme')).stderr).not.toContain('counts as production');
  });

  it('has the rails of production: --yes is not enough, and --insecure is refused', async () => {
    keep('acme', { baseUrl: 'https://bank.example', signing: { mode: 'none' } });
    const refused = await obk(
      `${payment.replace('http://127.0.0.1:9', 'https://bank.example')} --profile acme --yes`,
    );
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('--confirm acme');
    expect((await obk('payment get x --insecure --profile acme')).stderr).toContain('(production)');
  });

  it('goes by the address in use: here it is a test, elsewhere production', async () => {
    keep('near', { baseUrl: 'http://127.0.0.1:9', signing: { mode: 'none' } });
    expect((await good('whoami --profile near')).stderr).not.toContain('counts as production');
    const away = { OBK_BASE_URL: 'https://bank.example' };
    const { stdout } = await good('whoami --profile near --json', away);
    expect(JSON.parse(stdout)).toMatchObject({ environment: 'production' });
    expect((await obk('payment get x --dry-run --profile near', away)).stderr).toContain(
      'counts as production',
    );
  });

  it('leaves what somebody said: production, sandbox, and that of a profile which extends another', async () => {
    keep('acme', { baseUrl: 'https://bank.example', environment: 'sandbox' });
    expect(await environment('acme')).toBe('sandbox');
  });

  it('is not exported as if somebody had said it', async () => {
    keep('acme', { baseUrl: 'https://bank.example' });
    const { stdout } = await good('profile export acme');
    expect(stdout).not.toContain('"environment"');
    expect(readFileSync(join(folder, 'config', 'config.json'), 'utf8')).toContain('"test"');
    expect((await obk('profile import - --name copy', {}, stdout)).code).toBe(2);
  });
});
