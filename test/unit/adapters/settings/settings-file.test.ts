import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  readFileSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { Secret } from '../../../../src/base/secret.ts';
import { freshHome, profile } from '../../../helpers/adapter-homes.ts';
import { addProfile, withSettings } from '../../../helpers/adapter-settings.ts';
import { fakeClock } from '../../../helpers/fakes/index.ts';
import { fileStore } from '../../../helpers/file-store.ts';
import { spawnTask } from '../../../helpers/spawn-adapter.ts';

describe('a settings file that cannot be read', () => {
  const damages: [string, (good: string) => string | Buffer][] = [
    ['an empty file', () => ''],
    ['half of it', (good) => good.slice(0, good.length / 2)],
    ['zeros', (good) => '\0'.repeat(good.length)],
    ['bytes', () => Buffer.from([0xff, 0xfe, 0, 1])],
    ['null', () => 'null'],
    ['a list', () => '[]'],
    ['text', () => '"x"'],
    ['no version', () => '{"profiles":{}}'],
    ['another version', () => '{"schemaVersion":0,"profiles":{}}'],
    ['a version in quotes', () => '{"schemaVersion":"1","profiles":{}}'],
    ['no profiles', () => '{"schemaVersion":1}'],
    ['profiles as a list', () => '{"schemaVersion":1,"profiles":[]}'],
    ['a profile that is none', () => '{"schemaVersion":1,"profiles":{"a":1}}'],
    ['a bad name', () => JSON.stringify({ schemaVersion: 1, profiles: { '../a': profile } })],
    ['a prototype', () => `{"schemaVersion":1,"profiles":{"__proto__":${JSON.stringify(profile)}}}`],
    ['100,000 brackets', () => '['.repeat(100_000)],
  ];

  it.each(damages)(
    'is refused with the path and the way back, and never replaced: %s',
    async (_case, damage) => {
      const { store, file } = await withSettings();
      const content = damage(readFileSync(file, 'utf8'));
      writeFileSync(file, content);
      const damaged = readFileSync(file);
      for (const failing of [store.settings.read(), addProfile(store, 'three')]) {
        await expect(failing).rejects.toMatchObject({
          code: 'CONFIG_UNREADABLE',
          exit: 3,
          detail: expect.stringContaining(file),
          hint: [expect.stringContaining(`${file}.bak`)],
        });
      }
      expect(readFileSync(file)).toEqual(damaged);
      execFileSync('cp', [`${file}.bak`, file]);
      expect(Object.keys((await store.settings.read()).profiles)).toEqual(['one']);
    },
  );

  it('is left as it is where its version is newer', async () => {
    const { store, file } = await withSettings();
    writeFileSync(file, '{"schemaVersion":2,"profiles":[]}');
    for (const failing of [store.settings.read(), addProfile(store, 'three')]) {
      await expect(failing).rejects.toMatchObject({
        code: 'STATE_NEWER',
        exit: 3,
        detail: expect.stringContaining(file),
      });
    }
  });

  it('appears without a token in any message', async () => {
    const home = freshHome();
    const store = fileStore({ ...home, clock: fakeClock() });
    await store.credentials.update('acme', () => ({ token: new Secret('hunter2hunter2') }));
    const file = join(home.configDir, 'credentials.json');
    for (const content of [
      '{"profiles":{"acme":{"token":"hunter2hunter2"',
      '{"schemaVersion":1,"profiles":{"acme":{"token":["hunter2hunter2"]}}}',
    ]) {
      writeFileSync(file, content);
      const error: unknown = await store.credentials.read('acme').catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'CONFIG_UNREADABLE' });
      expect(inspect(error, { depth: 9 })).not.toContain('hunter2');
    }
  });
});

describe('the owner of the settings files', () => {
  const plants: [string, (home: { configDir: string; file: string }) => void, RegExp][] = [
    [
      'a linked directory',
      ({ configDir }) => {
        renameSync(configDir, `${configDir}-elsewhere`);
        symlinkSync(`${configDir}-elsewhere`, configDir);
      },
      /symbolic link/,
    ],
    [
      'a linked file',
      ({ file }) => {
        renameSync(file, `${file}-elsewhere`);
        symlinkSync(`${file}-elsewhere`, file);
      },
      /symbolic link/,
    ],
    [
      'a file with a second name',
      ({ file }) => {
        linkSync(file, `${file}-elsewhere`);
      },
      /second name/,
    ],
    [
      'a directory that everybody may write to',
      ({ configDir }) => {
        chmodSync(configDir, 0o777);
      },
      /everybody may write/,
    ],
  ];

  it.each(plants)('is checked: %s is refused', async (_case, plant, why) => {
    const { store, file, configDir } = await withSettings();
    const before = readFileSync(file, 'utf8');
    plant({ configDir, file });
    await expect(store.settings.read()).rejects.toMatchObject({
      code: 'CONFIG_UNREADABLE',
      detail: expect.stringMatching(why),
    });
    await expect(addProfile(store, 'three')).rejects.toMatchObject({
      exit: 3,
      detail: expect.stringMatching(why),
    });
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('is warned once of credentials that others can read', async () => {
    const home = freshHome();
    const warn = vi.fn();
    const store = fileStore({ ...home, clock: fakeClock(), warn });
    await store.credentials.update('acme', () => ({ consentId: 'c' }));
    expect(warn).not.toHaveBeenCalled();
    const file = join(home.configDir, 'credentials.json');
    chmodSync(file, 0o644);
    await store.credentials.read('acme');
    await store.credentials.read('acme');
    expect(warn.mock.calls).toEqual([[expect.stringContaining(file)]]);
    await store.credentials.update('acme', () => ({ consentId: 'd' }));
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is the only one who can read anything, also under umask 000', async () => {
    const home = freshHome();
    const { ended } = spawnTask('everything', { ...home, file: '' });
    expect(await ended).toMatchObject({ code: 0, stdout: '', stderr: '' });
    const seen: string[] = [];
    const walk = (path: string) => {
      const stat = statSync(path);
      seen.push(`${(stat.mode & 0o777).toString(8)} ${stat.isDirectory() ? 'directory' : 'file'}`);
      if (stat.isDirectory()) for (const name of readdirSync(path)) walk(join(path, name));
    };
    walk(home.configDir);
    walk(home.stateDir);
    expect(seen.length).toBeGreaterThan(7);
    expect(new Set(seen)).toEqual(new Set(['700 directory', '600 file']));
  });

  it('is not changed by a SNAP in the environment', async () => {
    process.env['SNAP'] = '/snap/x';
    const { store } = await withSettings();
    expect(process.env['SNAP']).toBeUndefined();
    expect(Object.keys((await store.settings.read()).profiles)).toEqual(['one', 'two']);
  });
});
