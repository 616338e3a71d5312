import { mkdtempSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createClock } from '../../../../../src/adapters/system/system-clock.ts';
import { fileStore } from '../../../../helpers/file-store.ts';
import { runInside } from '../../../../helpers/inside.ts';
import { oneError } from '../../../../helpers/one-error.ts';

let env: NodeJS.ProcessEnv;
let home: string;
const obk = (line: string) => runInside(line.split(' '), { env, cwd: home });
const store = () =>
  fileStore({
    configDir: String(env['OBK_CONFIG_DIR']),
    stateDir: String(env['OBK_STATE_DIR']),
    clock: createClock(),
    env,
    warn: () => undefined,
  });
const saved = async (name = 'acme') => (await store().settings.read()).profiles[name];
/** As an earlier obk saved it, or somebody with an editor. */
const put = async (more: object) => {
  await store().settings.update((before) => ({
    ...before,
    profiles: { ...before.profiles, acme: { ...before.profiles['acme']!, ...more } },
  }));
};

const start = '--environment test --signing none --psu-ip 192.0.2.1';
const open = 'http://bank.example/psd2';

beforeEach(async () => {
  home = mkdtempSync(join(homedir(), 'obk-plain-'));
  env = { ...process.env, OBK_CONFIG_DIR: join(home, 'config'), OBK_STATE_DIR: join(home, 'state') };
  const made = await obk(`profile create acme --base-url https://bank.example ${start} --use`);
  expect(made.code, made.stderr).toBe(0);
});

describe('an address that is plain http and not on this machine', () => {
  it.each([
    `profile create x --base-url ${open} ${start}`,
    `profile create x --base-url HTTP://bank.example ${start}`,
    `profile create x --base-url http://0.0.0.0:9 ${start}`,
    `profile create x --extends acme --base-url ${open}`,
    `profile create x --base-url ${open} --allow-http yes ${start} --environment production`,
    `profile edit acme --base-url ${open}`,
    `profile edit acme --service-url ais=${open}`,
    `profile edit acme --origin ${open}`,
    `profile edit acme --oauth-issuer ${open}`,
    `profile edit acme --oauth-metadata ${open}`,
    `profile edit acme --oauth-issuer ${open} --allow-http yes`,
    `config set baseUrl ${open}`,
    `config set oauth.issuer ${open}`,
    'profile import bank.json --name x',
  ])('is not saved: %s', async (line) => {
    const settings = { baseUrl: open, environment: 'test', framework: '1.3.2', prefix: '/v1' };
    writeFileSync(join(home, 'bank.json'), JSON.stringify({ obkProfile: 1, name: 'y', settings }));
    const before = await store().settings.read();
    const ran = await obk(`${line} --json --no-input`);
    expect(ran.code, ran.stderr).toBe(3);
    const { code, title, hint } = oneError(ran);
    expect(code).toBe('CONNECTION_INSECURE');
    expect(title).toMatch(/would send credentials over plain http to (bank\.example|0\.0\.0\.0:9)\.$/);
    expect(hint.join()).toContain('https://');
    expect(await store().settings.read()).toEqual(before);
  });

  it('is refused in the words in which a call refuses it', async () => {
    const { title, detail } = oneError(await obk(`profile edit acme --base-url ${open} --json`));
    await put({ baseUrl: open });
    for (const call of ['api GET v1/accounts', 'doctor'])
      expect(oneError(await obk(`${call} --json`)), call).toMatchObject({
        code: 'CONNECTION_INSECURE',
        title,
        detail,
      });
  });

  it('is saved where plain http is allowed, and on this machine', async () => {
    for (const line of [
      `profile edit acme --base-url ${open} --allow-http yes`,
      'profile edit acme --base-url http://127.0.0.1:9/x --allow-http no',
      'config set baseUrl http://localhost:9',
      'profile edit acme --oauth-issuer http://[::1]:9',
    ])
      expect(await obk(line), line).toMatchObject({ code: 0 });
  });

  it('that is there already is found by lint, and keeps nobody from changing the rest', async () => {
    await put({
      baseUrl: open,
      origins: [open],
      urls: { perService: { ais: open } },
      oauth: { issuer: open },
    });
    const lint = await obk('bank lint acme --json');
    const found = (JSON.parse(lint.stdout) as { findings: { setting: string; severity: string }[] }).findings
      .filter(({ severity }) => severity === 'error')
      .map(({ setting }) => setting);
    expect(found).toEqual(['baseUrl', 'urls.perService.ais', 'origins[0]', 'oauth.issuer']);
    expect((await obk('profile edit acme --debtor DE89370400440532013000')).code).toBe(0);
    expect((await obk('profile edit acme --base-url https://bank.example')).code).toBe(0);
    expect(await saved()).toMatchObject({ baseUrl: 'https://bank.example', oauth: { issuer: open } });
  });
});
