import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runInside } from '../../../../helpers/inside.ts';

let folder: string;

const obk = (line: string, more: readonly string[] = []) =>
  runInside([...line.split(' '), ...more], {
    env: { ...process.env, OBK_CONFIG_DIR: folder, OBK_STATE_DIR: join(folder, 'state') },
    cwd: folder,
  });

async function json(line: string, more: readonly string[] = []): Promise<unknown> {
  const { code, stdout, stderr } = await obk(line, [...more, '--json']);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

const configFile = () => join(folder, 'config.json');
const saved = () =>
  (JSON.parse(readFileSync(configFile(), 'utf8')) as { profiles: Record<string, object> }).profiles;

beforeEach(async () => {
  folder = mkdtempSync(join(homedir(), 'obk-extends-'));
  await json('profile create common --base-url https://a.example --environment production --signing none');
  await json('profile edit common --psu-ip 192.0.2.1 --otp-from env:OTP');
  await json('profile create kid --extends common --psu-id anna');
});

describe('a profile that extends another', () => {
  it('saves what it says itself, and shows what holds and from whom', async () => {
    expect(saved()['kid']).toEqual({ extends: 'common', psu: { id: 'anna' } });
    expect(await json('profile show kid')).toEqual({
      name: 'kid',
      extends: 'common',
      environment: 'production',
      framework: '1.3.2',
      prefix: '/v1',
      surface: 'service',
      baseUrl: 'https://a.example',
      signing: { mode: 'none' },
      psu: { id: 'anna', ipAddress: '192.0.2.1' },
      inherited: {
        environment: 'common',
        framework: 'common',
        prefix: 'common',
        surface: 'common',
        baseUrl: 'common',
        'signing.mode': 'common',
        'psu.ipAddress': 'common',
      },
    });
    const { stdout } = await obk('profile show kid');
    expect(stdout).toMatch(/baseUrl +https:\/\/a\.example \(from common\)\n/);
    expect(stdout).toMatch(/psu\.id +anna\n/);
  });

  it('is what runs, follows its parent, and counts as production with it', async () => {
    await json('profile edit common --base-url https://b.example');
    expect(await json('whoami --profile kid')).toMatchObject({
      baseUrl: 'https://b.example',
      environment: 'production',
      psuId: 'anna',
    });
    expect((await obk('whoami --profile kid --require-environment test')).code).toBe(3);
    expect(await json('profile list')).toContainEqual(
      expect.objectContaining({ name: 'kid', baseUrl: 'https://b.example', extends: 'common' }),
    );
  });

  it('says in config list where each setting comes from', async () => {
    const rows = (await json('config list --profile kid')) as { key: string }[];
    const row = (key: string) => rows.find((one) => one.key === key);
    expect(row('baseUrl')).toMatchObject({ origin: 'inherited', from: 'common' });
    expect(row('psu.id')).toMatchObject({ origin: 'profile', from: configFile() });
    expect(row('extends')).toMatchObject({ value: 'common', origin: 'profile' });
    expect(row('psu.otpFrom')).toBeUndefined();
  });

  it('takes a setting of its own, and goes back to its parent without it', async () => {
    await json('config set environment test --profile kid');
    expect(await json('profile show kid')).toMatchObject({ environment: 'test' });
    const back = await json('config unset environment --profile kid');
    expect(back).toMatchObject({ value: 'production' });
    expect(saved()['kid']).toEqual({ extends: 'common', psu: { id: 'anna' } });
  });

  it.each([
    ['profile edit kid', ['--extends', '']],
    ['config unset extends --profile kid', []],
    ['profile edit kid', ['--extends', 'nobody']],
    ['profile edit common', ['--extends', 'kid']],
    ['profile create other', ['--extends', 'sandbox']],
    ['profile delete common', ['--yes']],
  ])('%s %j is refused and changes nothing', async (line, more) => {
    const before = readFileSync(configFile(), 'utf8');
    const { code, stdout, stderr } = await obk(line, more);
    expect({ code, stdout }, stderr).toEqual({ code: 3, stdout: '' });
    expect(readFileSync(configFile(), 'utf8')).toBe(before);
  });

  it('names the children of a parent that cannot go, and lets it go after them', async () => {
    expect((await obk('profile delete common --yes')).stderr).toMatch(/kid extends it/);
    await json('profile edit kid', ['--extends', '', '--environment', 'test', '--variant', 'v136']);
    expect(saved()['kid']).toMatchObject({ environment: 'test', prefix: '/v136', psu: { id: 'anna' } });
    expect(saved()['kid']).not.toHaveProperty('extends');
    await json('profile delete common', ['--yes']);
  });

  it('takes no setting over that it is to be without, until it says it itself or wants it back', async () => {
    const keys = ['psu.ipAddress', 'signing'];
    await json(
      'profile edit kid',
      keys.flatMap((key) => ['--without', key]),
    );
    expect(saved()['kid']).toEqual({ extends: 'common', psu: { id: 'anna' }, without: keys });
    const shown = (await json('profile show kid')) as Record<string, object>;
    expect(shown).toMatchObject({ without: keys, baseUrl: 'https://a.example', psu: { id: 'anna' } });
    expect(shown['psu']).not.toHaveProperty('ipAddress');
    expect(shown).not.toHaveProperty('signing');
    expect(shown['inherited']).not.toHaveProperty('psu.ipAddress');
    expect(await json('config get without --profile kid')).toMatchObject({ value: keys, origin: 'profile' });

    await json('profile create grandkid --extends kid --signing none');
    expect(await json('profile show grandkid')).not.toHaveProperty('psu.ipAddress');
    await json('profile edit kid --psu-ip 192.0.2.9');
    expect(await json('profile show grandkid')).toMatchObject({ psu: { ipAddress: '192.0.2.9' } });

    await json('config unset psu.ipAddress --profile kid');
    await json('config set without signing --profile kid');
    expect(await json('profile show kid')).toMatchObject({ psu: { ipAddress: '192.0.2.1' } });
    // A group of settings goes as a whole.
    await json('config set without psu --profile kid');
    expect((await json('profile show kid')) as object).toMatchObject({ psu: { id: 'anna' } });
    expect(JSON.stringify(await json('profile show kid'))).not.toContain('192.0.2.1');
    await json('profile edit kid', ['--without', '']);
    expect(saved()['kid']).toEqual({ extends: 'common', psu: { id: 'anna' } });
  });

  it('is without nothing once it extends none', async () => {
    await json('profile edit kid --without psu.ipAddress');
    await json('profile edit kid', ['--extends', '', '--environment', 'test', '--variant', 'v1']);
    expect(saved()['kid']).not.toHaveProperty('without');
  });

  it.each([
    ['profile edit kid --without environment', 2, 'cannot be without environment'],
    ['profile edit kid --without debtr', 2, 'debtor'],
    ['config set without psu.idd --profile kid', 2, 'psu.id'],
    ['profile edit common --without debtor', 2, '--extends'],
    [
      'profile create other --base-url https://a.example --environment test --signing none --without debtor',
      2,
      '--extends',
    ],
  ])('%s ends with %d', async (line, exit, words) => {
    const before = readFileSync(configFile(), 'utf8');
    const { code, stdout, stderr } = await obk(line);
    expect({ code, stdout }).toEqual({ code: exit, stdout: '' });
    expect(stderr).toContain(words);
    expect(readFileSync(configFile(), 'utf8')).toBe(before);
  });

  it('is exported whole, says so, and comes back without a parent', async () => {
    const { stdout, stderr } = await obk('profile export kid');
    expect(stderr).toMatch(/takes over from common is written out/);
    writeFileSync(join(folder, 'kid.json'), stdout);
    const copy = await json('profile import kid.json --name copy');
    const {
      extends: _,
      inherited: __,
      ...whole
    } = (await json('profile show kid')) as Record<string, unknown>;
    expect(copy).toEqual({ ...whole, name: 'copy' });
  });

  it.each([
    ['{"extends":"kid"}', /common > kid > common/],
    ['{"extends":7}', /profiles\.common\.extends/],
    ['{"extends":"kid","without":"debtor"}', /profiles\.common\.without/],
    ['{"extends":"gone","environment":"prod"}', /profiles\.common\.environment/],
  ])('is told apart from a file that was spoiled by hand: %s', async (text, why) => {
    const file = { schemaVersion: 1, profiles: { ...saved(), common: JSON.parse(text) as object } };
    writeFileSync(configFile(), JSON.stringify(file));
    const { code, stdout, stderr } = await obk('whoami --profile common');
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(why);
  });
});
