import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { put } from '../../../../../src/client/profile/signing-settings.ts';
import type { SettingRow } from '../../../../../src/settings/profile/row.ts';
import { profileRows } from '../../../../../src/settings/profile/table.ts';
import { runInside } from '../../../../helpers/inside.ts';
import { part, ranTable } from '../../../../helpers/trials.ts';

let home = '';
const obk = (...line: readonly string[]) => {
  const env = { ...process.env, OBK_CONFIG_DIR: join(home, 'config'), OBK_STATE_DIR: join(home, 'state') };
  return runInside(line, { env, cwd: home });
};
const file = () => join(home, 'config', 'config.json');
const profiles = () =>
  (JSON.parse(readFileSync(file(), 'utf8')) as { profiles: Record<string, unknown> }).profiles;

const sound = {
  ...{ environment: 'sandbox', framework: '1.3.2', prefix: '/v1', surface: 'service' },
  ...{ baseUrl: 'https://acme.example', signing: { mode: 'none' } },
};
function save(saved: Readonly<Record<string, object>>) {
  home = mkdtempSync(join(homedir(), 'obk-wrong-'));
  mkdirSync(join(home, 'config'), { mode: 0o700 });
  const json = { schemaVersion: 1, environments: 'given', activeProfile: 'acme', profiles: saved };
  writeFileSync(file(), JSON.stringify(json), { mode: 0o600 });
}

/** What somebody wrote by hand: where it stands, and what is said of it. */
const wrong: readonly (readonly [place: string, settings: object, said: RegExp])[] = [
  ['lint.charset', { lint: { charset: 'fatal' } }, /one of: warn, error/],
  ['timeoutMs', { timeoutMs: -5 }, /number of milliseconds above 0/],
  ['psu.idd', { psu: { idd: 'anna' } }, /Did you mean id\?/],
  ['notification.urii', { notification: { urii: 'https://a.example' } }, /Did you mean uri\?/],
  ['prefer.redirect', { prefer: { redirect: 'vielleicht' } }, /true or false/],
  ['debtor', { debtor: 'anna' }, /IBAN/],
  ['currency', { currency: 'euro' }, /such as EUR/],
  ['redirectUri', { redirectUri: 'tpp.example' }, /TPP-Redirect-URI: it is not a URI/],
  ['psu.ipAddress', { psu: { ipAddress: 'localhost' } }, /IPv4/],
  ['psu.context.PSU-User-Agnet', { psu: { context: { 'PSU-User-Agnet': 'x' } } }, /PSU-User-Agent/],
  ['psu.passwordFrom', { psu: { passwordFrom: 'hunter2' } }, /never the secret itself/],
  ['signer', { signer: 'cmd:sign' }, /absolute path/],
  ['certificate', { certificate: '' }, /path of a file/],
  ['oauth.metadata', { oauth: { metadata: 'metadata' } }, /http or https/],
  ['passwordEncryption.algorithm', { passwordEncryption: { key: '/k', algorithm: 'RSA1_5' } }, /RSA-OAEP/],
  ['notification.content', { notification: { content: 'ALL' } }, /TPP-Notification-Content-Preferred/],
];
const all = wrong.map(([setting]) => `profiles.acme.${setting}`).slice(0, 5);
const edited = {
  ...sound,
  ...{ lint: { charset: 'fatal' }, timeoutMs: -5, psu: { idd: 'anna' } },
  ...{ notification: { urii: 'https://a.example' }, prefer: { redirect: 'vielleicht' } },
};

beforeEach(() => {
  save({ acme: edited });
});

/** Each setting of the table by its dotted key. */
function leaves(rows: Readonly<Record<string, SettingRow>>, lead = ''): string[] {
  return Object.entries(rows).flatMap(([name, row]) =>
    row.kind === 'group' ? [lead + name, ...leaves(row.members, `${lead}${name}.`)] : [lead + name],
  );
}
const planted = leaves(profileRows).flatMap((key, row) =>
  [5, null, [{}], {}].map((value, at) => [key, value, row + at] as const),
);
const [unsound, refused] = [
  [0, 3, 10],
  [0, 3],
];
/** Where a profile is looked at, and how that may end. */
const views = [
  { line: ['bank', 'lint', 'acme'], codes: unsound },
  { line: ['doctor', '--offline', '--json'], codes: unsound },
  { line: ['profile', 'show', 'acme', '--json'], codes: refused },
  { line: ['config', 'list'], codes: refused },
  { line: ['whoami'], codes: refused },
  { line: ['profile', 'list'], codes: refused },
];
afterAll(() => {
  ranTable(`${String(planted.length)} wrong settings in ${String(views.length)} views`);
});

describe('a profile with wrong settings', () => {
  it('is told whole by bank lint, each setting with its place', async () => {
    const { code, stdout } = await obk('bank', 'lint', 'acme', '--json');
    const { findings } = JSON.parse(stdout) as { findings: { place: string }[] };
    expect({ code, places: findings.map(({ place }) => place).sort() }).toEqual({
      code: 10,
      places: [...all].sort(),
    });
    expect((await obk('bank', 'lint', 'acme')).stdout).toMatch(
      /profiles\.acme\.lint\.charset: It must be one of: warn/,
    );
  });

  it('is told whole by doctor', async () => {
    const { code, stdout } = await obk('doctor', '--offline', '--json');
    const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: { text: string }[] };
    expect({ code, ok, count: findings.length }).toEqual({ code: 10, ok: false, count: 5 });
    for (const place of all)
      expect(
        findings.some(({ text }) => text.startsWith(`${place}: `)),
        place,
      ).toBe(true);
  });

  it.each([
    ['its first use', ['transactions', 'list', '--account', 'DE89370400440532013000']],
    ['a payment', ['payment', 'status', 'p-1']],
    ['profile show', ['profile', 'show', 'acme', '--json']],
    ['profile show for people', ['profile', 'show', 'acme']],
    ['profile export', ['profile', 'export', 'acme']],
    ['an edit of another setting', ['profile', 'edit', 'acme', '--debtor', 'DE89370400440532013000']],
  ])('is refused by %s with every place, and nothing is shown of it', async (_, line) => {
    const before = readFileSync(file(), 'utf8');
    const { code, stdout, stderr } = await obk(...line);
    expect({ code, stdout }, stderr).toEqual({ code: 3, stdout: '' });
    for (const place of all) expect(stderr).toContain(place);
    expect(readFileSync(file(), 'utf8')).toBe(before);
  });

  it.each(wrong)('%s is found, with what is allowed', async (setting, settings, said) => {
    save({ acme: { ...sound, ...settings } });
    const lint = await obk('bank', 'lint', 'acme', '--json');
    const { findings } = JSON.parse(lint.stdout) as { findings: { place: string; text: string }[] };
    expect(findings).toMatchObject([{ place: `profiles.acme.${setting}`, severity: 'error' }]);
    expect(findings[0]?.text).toMatch(said);
    expect(lint.stdout).not.toContain('hunter2');
    const shown = await obk('profile', 'show', 'acme', '--json');
    expect({ code: shown.code, stdout: shown.stdout }).toEqual({ code: 3, stdout: '' });
    expect(shown.stderr).not.toContain('hunter2');
  });

  it('names the profile that says it, which may be the one that is extended', async () => {
    save({ base: { ...sound, lint: { charset: 'fatal' } }, acme: { extends: 'base', timeoutMs: -5 } });
    const { stdout } = await obk('bank', 'lint', 'acme');
    expect(stdout).toContain('profiles.base.lint.charset: ');
    expect(stdout).toContain('profiles.acme.timeoutMs: ');
  });

  it('is mended setting by setting, unknown ones too, and by flags at once', async () => {
    for (const [line, code] of [
      [['config', 'unset', 'psu.idd'], 0],
      [['config', 'unset', 'notification.urii'], 0],
      [['config', 'set', 'timeoutMs', '5000'], 0],
      [['profile', 'edit', 'acme', '--lint-charset', 'warn'], 3],
      [['profile', 'edit', 'acme', '--lint-charset', 'warn', '--redirect', 'no'], 0],
      [['bank', 'lint', 'acme'], 0],
      [['profile', 'show', 'acme'], 0],
    ] as const) {
      const done = await obk(...line);
      expect(done.code, `${line.join(' ')}: ${done.stderr}`).toBe(code);
    }
    expect(profiles()['acme']).toEqual({
      ...sound,
      ...{ lint: { charset: 'warn' }, timeoutMs: 5000, prefer: { redirect: false } },
    });
  });

  it.each([
    ['profile show', ['profile', 'show', 'acme']],
    ['a call', ['accounts', 'list', '--profile', 'acme']],
    ['doctor', ['doctor', '--offline', '--profile', 'acme']],
  ])('with settings that no longer exist is mended by the lines that %s shows', async (_, line) => {
    const limits = { load: { perSecond: 5 } };
    save({
      base: { ...sound, tls: { serverName: 'bank.example' } },
      acme: { extends: 'base', urls: { perService: { sbs: 'https://sbs.example' } }, limits },
    });
    const { stdout, stderr } = await obk(...line);
    const lines = [...new Set((stdout + stderr).match(/obk config unset .*$/gm))].sort();
    expect(lines).toEqual([
      'obk config unset limits.load --profile acme',
      'obk config unset tls.serverName --profile base',
      'obk config unset urls.perService.sbs --profile acme',
    ]);
    expect(stdout + stderr).not.toContain('obk bank lint');
    for (const one of lines) {
      const done = await obk(...one.split(' ').slice(1));
      expect(done.code, `${one}: ${done.stderr}`).toBe(0);
    }
    expect(profiles()).toEqual({ base: sound, acme: { extends: 'base' } });
    expect((await obk('profile', 'show', 'acme')).code).toBe(0);
  });

  it.each([
    ['profile', 'edit', 'acme', '--psu-ip', 'localhost'],
    ['config', 'set', 'psu.ipAddress', 'localhost'],
    ['config', 'set', 'currency', 'euro'],
  ])('is not made by a command: %s %s', async (...line) => {
    save({ acme: sound });
    const { code, stdout } = await obk(...line);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(profiles()['acme']).toEqual(sound);
  });

  it.each(part(planted, 5, 0))('tells %s that is %j, wherever it is looked at', async (key, value, at) => {
    const own = put(sound, key.split('.'), value);
    save({ base: own, acme: { ...own, extends: 'base' } });
    const lint = await obk('bank', 'lint', 'acme', '--json');
    const told = lint.code === 0 ? '' : lint.stdout + lint.stderr;
    // The four values of a setting go through all of the views.
    for (const { line, codes } of part(views, 3, at)) {
      const { code, stdout, stderr } = await obk(...line);
      expect(codes, `${line.join(' ')}: ${stdout}${stderr}`).toContain(code);
      if (line[0] === 'profile' && line[1] === 'show') expect(code === 0).toBe(lint.code === 0);
    }
    // An object may be empty, and a number of milliseconds is 5.
    const place = key.replace(/^signing\..*$/, 'signing');
    if (told !== '') expect(told).toMatch(new RegExp(`profiles\\.(acme|base)\\.${place}`));
    else expect([5, {}], key).toContainEqual(value);
  });

  it('is not one that an earlier obk wrote', async () => {
    save({
      acme: {
        ...sound,
        ...{
          certificate: '/c.pem',
          key: '/k.pem',
          keyPassphraseFrom: 'env:PASS',
          debtor: 'DE89370400440532013000',
        },
        ...{
          redirectUri: 'http://127.0.0.1:8080/cb',
          psu: { id: 'anna', context: { 'PSU-User-Agent': 'x' } },
        },
        ...{ prefer: { redirect: true }, timeoutMs: 500, tokenStore: 'file', answers: { digest: 'warn' } },
        ...{ passwordEncryption: { key: '/bank.pem' }, currency: 'EUR', brandLogging: 'Brand', origins: [] },
      },
    });
    const lint = await obk('bank', 'lint', 'acme');
    expect(lint.stdout).toContain('nothing found');
    expect((await obk('profile', 'show', 'acme', '--json')).code).toBe(0);
  });
});
