import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { splitWords } from '../../../../../src/adapters/system/run-program.ts';
import { runInside } from '../../../../helpers/inside.ts';

const home = mkdtempSync(join(tmpdir(), 'obk-unusable-'));
const env = { ...process.env, OBK_CONFIG_DIR: join(home, 'config'), OBK_STATE_DIR: join(home, 'state') };
const file = join(home, 'config', 'config.json');
const obk = async (command: string) => {
  const ran = await runInside(splitWords(command) ?? [], { env, cwd: home });
  return {
    ...ran,
    printed: [...ran.stderr.matchAll(/^ {2}(?:Try:|\s{4}) {2}obk (.*)$/gm)].map(([, one]) => one ?? ''),
  };
};
afterAll(() => {
  rmSync(home, { recursive: true, force: true });
});

const good = {
  ...{ framework: '1.3.6', prefix: '/v136', surface: 'service', environment: 'test' },
  ...{ baseUrl: 'https://bank.example', signing: { mode: 'none' } },
};
const write = (odd: object, activeProfile: 'good' | 'odd') => {
  mkdirSync(join(home, 'config'), { recursive: true, mode: 0o700 });
  const settings = { schemaVersion: 1, environments: 'given', activeProfile, profiles: { good, odd } };
  writeFileSync(file, JSON.stringify(settings), { mode: 0o600 });
};
const oddNow = () => (JSON.parse(readFileSync(file, 'utf8')) as { profiles: { odd?: unknown } }).profiles.odd;

beforeEach(() => {
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home);
});

/** What is wrong in config.json, its place in the message, and the first line that is printed. */
const cases: readonly (readonly [string, object, string, string])[] = [
  [
    'an unknown framework',
    { ...good, framework: '1.9.9' },
    'profiles.odd.framework',
    'profile edit odd --framework 1.3.2',
  ],
  [
    'a framework nearly right',
    { ...good, framework: '1.3.12.' },
    'profiles.odd.framework',
    'profile edit odd --framework 1.3.12',
  ],
  [
    'a framework that is a number',
    { ...good, framework: 1.3 },
    'profiles.odd.framework',
    'profile edit odd --framework 1.3.2',
  ],
  [
    'no framework',
    { ...good, framework: undefined },
    'no framework of its own',
    'profile edit odd --variant v1',
  ],
  ['nothing', {}, 'no framework, prefix, surface of its own', 'profile edit odd --variant v1'],
  [
    'an unknown environment',
    { ...good, environment: 'Production' },
    'profiles.odd.environment',
    'profile edit odd --environment production',
  ],
  [
    'a surface of another kind',
    { ...good, surface: ['service'] },
    'profiles.odd.surface',
    'profile edit odd --surface service',
  ],
  [
    'a prefix that is a number',
    { ...good, prefix: 1 },
    'profiles.odd.prefix',
    'profile edit odd --variant v1',
  ],
  [
    'an address that is a list',
    { ...good, baseUrl: [] },
    'profiles.odd.baseUrl',
    'config unset baseUrl --profile odd',
  ],
  ['a key file that is a number', { ...good, key: 1 }, 'profiles.odd.key', 'config unset key --profile odd'],
  [
    'origins with a number',
    { ...good, origins: [1] },
    'profiles.odd.origins[0]',
    'config unset origins --profile odd',
  ],
  [
    'a store of tokens nobody knows',
    { ...good, tokenStore: 'vault' },
    'profiles.odd.tokenStore',
    'config unset tokenStore --profile odd',
  ],
  [
    'a state nobody knows',
    { ...good, state: { store: 'redis' } },
    'profiles.odd.state.store',
    'config unset state.store --profile odd',
  ],
  [
    'two at once',
    { ...good, key: 1, certificate: 2 },
    'profiles.odd.key',
    "profile edit odd --certificate '' --key ''",
  ],
  ['a parent that is no text', { ...good, extends: 1 }, 'profiles.odd.extends', 'profile delete odd'],
  ['a parent that is not there', { extends: 'gone' }, 'extends "gone"', 'profile list'],
];

describe.each(cases)('a profile with %s', (_what, odd, place, firstLine) => {
  it('keeps no other command from its work', async () => {
    write(odd, 'good');
    for (const words of ['whoami', 'config list', 'payment list', 'profile show', 'profile use good'])
      expect((await obk(words)).code, words).toBe(0);
    expect(
      (
        await obk(
          'profile create third --variant v1 --base-url https://third.example --environment test --signing none --no-check',
        )
      ).code,
    ).toBe(0);
    expect(oddNow()).toEqual(JSON.parse(JSON.stringify(odd)));
    expect((await obk('profile delete good --yes')).code).toBe(0);
  });

  it('is told in the lists, with the others', async () => {
    write(odd, 'odd');
    const list = await obk('profile list --json');
    const rows = JSON.parse(list.stdout) as { name: string; error: string | null }[];
    expect(rows.map(({ name, error }) => [name, error !== null])).toEqual([
      ['good', false],
      ['odd', true],
      ['sandbox', false],
    ]);
    expect(rows[1]?.error).toContain(place);
    expect(list.stderr).toContain(firstLine);
    const doctor = await obk('doctor --all --json');
    expect(doctor.code).toBe(10);
    const states = JSON.parse(doctor.stdout) as { profile: string; state: string }[];
    expect(states.map(({ profile, state }) => `${profile} ${state}`)).toEqual(['good ok', 'odd bad']);
    const expiry = await obk('cert expiry --all');
    expect([expiry.code, expiry.stderr]).toEqual([10, expect.stringContaining('odd')]);
  });

  it('is mended by the lines that its use prints, or deleted', async () => {
    write(odd, 'odd');
    const used = await obk('accounts --no-input');
    expect(used.code, used.stderr).toBe(3);
    expect(used.stderr).toContain(place);
    expect(used.printed[0]).toBe(firstLine);
    if (/^(config|profile edit)/.test(firstLine)) {
      const mended = await obk(firstLine);
      expect(mended.code, mended.stderr).toBe(0);
      expect((await obk('whoami')).code).toBe(0);
    }
    expect((await obk('profile delete odd --yes')).code).toBe(0);
    expect(oddNow()).toBeUndefined();
  });
});

it('mended with an address elsewhere, its tokens are not taken along unasked', async () => {
  write({ ...good, framework: '1.9.9' }, 'odd');
  const tokens = { schemaVersion: 1, profiles: { odd: { token: 'of-the-old-bank' } } };
  writeFileSync(join(home, 'config', 'credentials.json'), JSON.stringify(tokens), { mode: 0o600 });
  const moved = await obk(
    'profile edit odd --framework 1.3.6 --base-url https://elsewhere.example --environment test',
  );
  expect(moved.code, moved.stderr).not.toBe(0);
  expect(moved.stderr).toContain('has tokens or consents of https://bank.example');
});
