import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createStore } from '../../../src/adapters/conf-store.ts';
import { settingsFile } from '../../../src/adapters/settings-file.ts';
import type { Store } from '../../../src/ports.ts';
import { Secret } from '../../../src/secret.ts';
import { freshHome, profile, resource } from '../../helpers/adapter-homes.ts';
import { fakeClock } from '../../helpers/fakes/index.ts';
import { spawnTask } from '../../helpers/spawn-adapter.ts';

const addProfile = (store: Store, name: string) =>
  store.updateSettings((before) => ({ ...before, profiles: { ...before.profiles, [name]: profile } }));

async function withSettings(): Promise<{ store: Store; file: string; configDir: string; stateDir: string }> {
  const home = freshHome();
  const store = createStore({ ...home, clock: fakeClock() });
  await addProfile(store, 'one');
  await addProfile(store, 'two');
  return { store, file: join(home.configDir, 'config.json'), ...home };
}

const mounts: string[] = [];

afterEach(() => {
  for (const mount of mounts.splice(0)) execFileSync('umount', [mount]);
});

describe('many at once', () => {
  it('keeps 400 of 400 profiles of 8 processes', async () => {
    const home = freshHome();
    const file = join(dirname(dirname(home.configDir)), 'log');
    const tasks = Array.from({ length: 8 }, (_, n) =>
      spawnTask('profiles', { ...home, file, name: `p${n}`, count: 50 }),
    );
    for (const { ended } of tasks) expect(await ended).toMatchObject({ code: 0, stdout: '' });
    const { profiles } = await createStore({ ...home, clock: fakeClock() }).settings();
    expect(Object.keys(profiles)).toHaveLength(400);
    expect(readdirSync(home.configDir).sort()).toEqual(['config.json', 'config.json.bak']);
  }, 60_000);

  it('survives kill -9 during writes: readable, nothing acknowledged lost, no rubbish after the next', async () => {
    const home = freshHome();
    for (let round = 0; round < 6; round++) {
      const file = join(dirname(dirname(home.configDir)), `log-${round}`);
      writeFileSync(file, '');
      const { child, ended } = spawnTask('profiles', {
        ...home,
        file,
        name: `r${round}`,
        count: 5_000,
        size: 500,
      });
      await vi.waitUntil(() => readFileSync(file, 'utf8').split('\n').length > 3 + round, {
        timeout: 10_000,
        interval: 1,
      });
      child.kill('SIGKILL');
      await ended;
      const store = createStore({ ...home, clock: fakeClock() });
      const { profiles } = await store.settings();
      const acknowledged = readFileSync(file, 'utf8').trim().split('\n');
      expect(acknowledged.filter((name) => !(name in profiles))).toEqual([]);
      await addProfile(store, `after${round}`);
      expect(readdirSync(home.configDir).sort()).toEqual(['config.json', 'config.json.bak']);
    }
  }, 60_000);
});

describe('what is not written right', () => {
  it('comes back as it was, whatever the writer did', async () => {
    const home = freshHome();
    mkdirSync(home.configDir, { recursive: true });
    const path = join(home.configDir, 'thing.json');
    const writers: [string, (path: string, value: object) => void][] = [
      [
        'short',
        (to, value) => {
          writeFileSync(to, JSON.stringify(value).slice(0, 3));
        },
      ],
      [
        'empty',
        (to) => {
          writeFileSync(to, '');
        },
      ],
      [
        'other',
        (to) => {
          writeFileSync(to, '{"a":0}');
        },
      ],
      ['nothing', () => undefined],
      [
        'gone',
        (to) => {
          renameSync(to, `${to}.gone`);
        },
      ],
      [
        'thrown',
        () => {
          throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
        },
      ],
      [
        'thrown after harm',
        (to) => {
          writeFileSync(to, '{');
          throw Object.assign(new Error('x'), { code: 'EIO' });
        },
      ],
    ];
    for (const [, write] of writers) {
      writeFileSync(path, '{"a":1}');
      const file = settingsFile<object>({
        path,
        clock: fakeClock(),
        parse: (text) => JSON.parse(text ?? '{}') as object,
        write,
        prepare: () => Promise.resolve(),
      });
      const failing = file.update(() => ({ a: 2 }));
      await expect(failing).rejects.toMatchObject({ code: 'CONFIG_NOT_WRITTEN', exit: 3 });
      await expect(failing).rejects.toMatchObject({ detail: expect.stringContaining(path) });
      expect(readFileSync(path, 'utf8')).toBe('{"a":1}');
    }
  });

  it('leaves no broken first file', async () => {
    const home = freshHome();
    mkdirSync(home.configDir, { recursive: true });
    const path = join(home.configDir, 'thing.json');
    const file = settingsFile<object>({
      path,
      clock: fakeClock(),
      parse: (text) => JSON.parse(text ?? '{}') as object,
      write: (to) => {
        writeFileSync(to, '{');
      },
      prepare: () => Promise.resolve(),
    });
    await expect(file.update(() => ({ a: 2 }))).rejects.toMatchObject({ code: 'CONFIG_NOT_WRITTEN' });
    expect(existsSync(path)).toBe(false);
  });

  it('names the path where the directory cannot be made', async () => {
    const home = freshHome();
    mkdirSync(dirname(home.configDir), { recursive: true });
    writeFileSync(home.configDir, 'a file');
    const store = createStore({ ...home, clock: fakeClock() });
    const failing = addProfile(store, 'one');
    await expect(failing).rejects.toMatchObject({ code: 'CONFIG_NOT_WRITTEN', exit: 3 });
    await expect(failing).rejects.toMatchObject({ detail: expect.stringContaining(home.configDir) });
  });

  it('keeps the state of before when a file may not grow (ulimit)', async () => {
    const { configDir, stateDir, file } = await withSettings();
    const before = readFileSync(file, 'utf8');
    const log = join(dirname(configDir), 'log');
    writeFileSync(log, '');
    // Blocks of 1024 bytes: the first of 500 bytes each fit, then none.
    const { ended } = spawnTask(
      'profiles',
      { configDir, stateDir, file: log, name: 'p', count: 50, size: 500 },
      '-f 8',
    );
    const { code, stdout, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ code: 'CONFIG_NOT_WRITTEN' });
    expect(stdout).toContain(configDir);
    const { profiles } = await createStore({ configDir, stateDir, clock: fakeClock() }).settings();
    const acknowledged = readFileSync(log, 'utf8').trim().split('\n');
    expect(Object.keys(profiles).sort()).toEqual(['one', 'two', ...acknowledged].sort());
    expect(acknowledged.length).toBeGreaterThan(3);
    expect(before.length).toBeGreaterThan(0);
  });

  it('keeps the state of before on a full tmpfs', async (context) => {
    const home = freshHome();
    mkdirSync(home.configDir, { recursive: true });
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k,mode=0700', 'tmpfs', home.configDir], {
        stdio: 'ignore',
      });
    } catch {
      context.skip('a tmpfs may not be mounted here: the full disk is only tested by ulimit');
    }
    mounts.push(home.configDir);
    const log = join(dirname(dirname(home.configDir)), 'log');
    writeFileSync(log, '');
    const { ended } = spawnTask('profiles', { ...home, file: log, name: 'p', count: 500, size: 500 });
    expect(await ended).toMatchObject({ code: 3, stderr: '' });
    const { profiles } = await createStore({ ...home, clock: fakeClock() }).settings();
    const acknowledged = readFileSync(log, 'utf8').trim().split('\n');
    expect(Object.keys(profiles)).toEqual(acknowledged);
    expect(acknowledged.length).toBeGreaterThan(3);
  });
});

describe('what cannot be read', () => {
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
    ['an empty profile', () => '{"schemaVersion":1,"profiles":{"a":{}}}'],
    ['a bad name', () => JSON.stringify({ schemaVersion: 1, profiles: { '../a': profile } })],
    ['a prototype', () => `{"schemaVersion":1,"profiles":{"__proto__":${JSON.stringify(profile)}}}`],
    [
      'a number for text',
      () => JSON.stringify({ schemaVersion: 1, profiles: { a: { ...profile, key: 1 } } }),
    ],
    [
      'a word of another',
      () => JSON.stringify({ schemaVersion: 1, profiles: { a: { ...profile, surface: 'x' } } }),
    ],
    ['100,000 brackets', () => '['.repeat(100_000)],
    [
      'a list of origins with a number',
      () => JSON.stringify({ schemaVersion: 1, profiles: { a: { ...profile, origins: [1] } } }),
    ],
  ];

  it.each(damages)(
    '%s is refused with the path and the way back, and never replaced',
    async (_case, damage) => {
      const { store, file } = await withSettings();
      const content = damage(readFileSync(file, 'utf8'));
      writeFileSync(file, content);
      const damaged = readFileSync(file);
      for (const failing of [store.settings(), addProfile(store, 'three')]) {
        await expect(failing).rejects.toMatchObject({
          code: 'CONFIG_UNREADABLE',
          exit: 3,
          detail: expect.stringContaining(file),
          hint: [expect.stringContaining(`${file}.bak`)],
        });
      }
      expect(readFileSync(file)).toEqual(damaged);
      execFileSync('cp', [`${file}.bak`, file]);
      expect(Object.keys((await store.settings()).profiles)).toEqual(['one']);
    },
  );

  it('a newer version is left alone', async () => {
    const { store, file } = await withSettings();
    writeFileSync(file, '{"schemaVersion":2,"profiles":[]}');
    for (const failing of [store.settings(), addProfile(store, 'three')]) {
      await expect(failing).rejects.toMatchObject({
        code: 'STATE_NEWER',
        exit: 3,
        detail: expect.stringContaining(file),
      });
    }
  });

  it('a token is in no message', async () => {
    const home = freshHome();
    const store = createStore({ ...home, clock: fakeClock() });
    await store.updateCredentials('acme', () => ({ token: new Secret('hunter2hunter2') }));
    const file = join(home.configDir, 'credentials.json');
    for (const content of [
      '{"profiles":{"acme":{"token":"hunter2hunter2"',
      '{"schemaVersion":1,"profiles":{"acme":{"token":["hunter2hunter2"]}}}',
    ]) {
      writeFileSync(file, content);
      const error: unknown = await store.credentials('acme').catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'CONFIG_UNREADABLE' });
      expect(inspect(error, { depth: 9 })).not.toContain('hunter2');
    }
  });
});

describe('whose files they are', () => {
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

  it.each(plants)('%s is refused', async (_case, plant, why) => {
    const { store, file, configDir } = await withSettings();
    const before = readFileSync(file, 'utf8');
    plant({ configDir, file });
    await expect(store.settings()).rejects.toMatchObject({
      code: 'CONFIG_UNREADABLE',
      detail: expect.stringMatching(why),
    });
    await expect(addProfile(store, 'three')).rejects.toMatchObject({
      exit: 3,
      detail: expect.stringMatching(why),
    });
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('credentials that others can read are warned of, once', async () => {
    const home = freshHome();
    const warn = vi.fn();
    const store = createStore({ ...home, clock: fakeClock(), warn });
    await store.updateCredentials('acme', () => ({ consentId: 'c' }));
    expect(warn).not.toHaveBeenCalled();
    const file = join(home.configDir, 'credentials.json');
    chmodSync(file, 0o644);
    await store.credentials('acme');
    await store.credentials('acme');
    expect(warn.mock.calls).toEqual([[expect.stringContaining(file)]]);
    await store.updateCredentials('acme', () => ({ consentId: 'd' }));
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('nobody else may read anything, under umask 000 too', async () => {
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
    expect(seen.length).toBeGreaterThan(15);
    expect(new Set(seen)).toEqual(new Set(['700 directory', '600 file']));
  });

  it('a SNAP in the environment changes nothing', async () => {
    process.env['SNAP'] = '/snap/x';
    const { store } = await withSettings();
    expect(process.env['SNAP']).toBeUndefined();
    expect(Object.keys((await store.settings()).profiles)).toEqual(['one', 'two']);
  });
});

describe('saved resources', () => {
  it.each([
    ['half of it', (good: string) => good.slice(0, 50)],
    ['nothing', () => ''],
    ['null', () => 'null'],
    ['another profile', (good: string) => good.replace('"acme"', '"other"')],
    ['no links', (good: string) => good.replace('"links"', '"x"')],
    ['a number as id', (good: string) => good.replace('"p1"', '1')],
    ['no version', (good: string) => good.replace('schemaVersion', 'x')],
  ])('with %s are STATE_UNREADABLE by name', async (_case, damage) => {
    const home = freshHome();
    const store = createStore({ ...home, clock: fakeClock() });
    await store.saveResource(resource());
    const folder = join(home.stateDir, 'resources', 'acme', 'payment');
    const file = join(folder, readdirSync(folder)[0]!);
    writeFileSync(file, damage(readFileSync(file, 'utf8')));
    for (const failing of [store.resources('acme', 'payment'), store.resource('acme', 'payment', 'p1')]) {
      await expect(failing).rejects.toMatchObject({
        code: 'STATE_UNREADABLE',
        exit: 3,
        detail: expect.stringContaining(file),
      });
    }
  });

  it('of a newer obk are STATE_NEWER', async () => {
    const home = freshHome();
    const store = createStore({ ...home, clock: fakeClock() });
    await store.saveResource({ ...resource(), schemaVersion: 2 as never });
    await expect(store.resources('acme', 'payment')).rejects.toMatchObject({ code: 'STATE_NEWER' });
  });

  it('have one file each, named by time, below the state directory only', async () => {
    const home = freshHome();
    const store = createStore({ ...home, clock: fakeClock() });
    await store.saveResource(resource({ id: '../../../x' }));
    await store.saveResource(resource({ id: 'p1' }));
    await store.saveResource(resource({ id: 'p1', createdAt: '2026-11-22T10:00:00Z' }));
    const names = readdirSync(join(home.stateDir, 'resources', 'acme', 'payment')).sort();
    expect(names).toEqual([
      expect.stringMatching(/^20261121T100000000Z_~[0-9a-f]{40}\.json$/),
      '20261122T100000000Z_p1.json',
    ]);
  });

  it('survive kill -9 and a full disk', async () => {
    const home = freshHome();
    const log = join(dirname(dirname(home.configDir)), 'log');
    writeFileSync(log, '');
    const { child, ended } = spawnTask('resources', { ...home, file: log, name: 'p', count: 50_000 });
    await vi.waitUntil(() => readFileSync(log, 'utf8').split('\n').length > 50, {
      timeout: 10_000,
      interval: 1,
    });
    child.kill('SIGKILL');
    await ended;
    const store = createStore({ ...home, clock: fakeClock() });
    const ids = new Set((await store.resources('acme', 'payment')).map(({ id }) => id));
    const acknowledged = readFileSync(log, 'utf8').trim().split('\n');
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
    await store.saveResource(resource({ id: 'after' }));
    const names = readdirSync(join(home.stateDir, 'resources', 'acme', 'payment'));
    expect(names.filter((name) => !name.endsWith('.json'))).toEqual([]);

    const small = spawnTask('resources', { ...home, file: log, name: 'q', count: 1 }, '-f 2');
    const { code, stdout } = await small.ended;
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({
      code: 'STATE_NOT_WRITTEN',
      detail: expect.stringContaining(home.stateDir),
    });
    expect(readdirSync(join(home.stateDir, 'resources', 'acme', 'payment'))).toEqual(names);
  });
});
