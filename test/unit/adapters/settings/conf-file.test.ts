import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { settingsFile } from '../../../../src/adapters/settings/settings-file.ts';
import { freshHome } from '../../../helpers/adapter-homes.ts';
import { addProfile, withSettings } from '../../../helpers/adapter-settings.ts';
import { fakeClock } from '../../../helpers/fakes/index.ts';
import { fileStore } from '../../../helpers/file-store.ts';
import { spawnTask } from '../../../helpers/spawn-adapter.ts';
import { isWhole, ranTable } from '../../../helpers/trials.ts';

const mounts: string[] = [];

afterEach(() => {
  for (const mount of mounts.splice(0)) execFileSync('umount', [mount]);
});

// In .ci/run 400 profiles of eight processes, and six kills.
const many = isWhole ? 8 : 4;
describe('the settings of many processes at once', () => {
  afterAll(() => {
    ranTable('processes that write one file');
  });

  it('keep every profile of several processes', async () => {
    const home = freshHome();
    const file = join(dirname(dirname(home.configDir)), 'log');
    const tasks = Array.from({ length: many }, (_, n) =>
      spawnTask('profiles', { ...home, file, name: `p${n}`, count: 50 }),
    );
    for (const { ended } of tasks) expect(await ended).toMatchObject({ code: 0, stdout: '' });
    const { profiles } = await fileStore({ ...home, clock: fakeClock() }).settings.read();
    expect(Object.keys(profiles)).toHaveLength(50 * many);
    expect(readdirSync(home.configDir).sort()).toEqual(['config.json', 'config.json.bak']);
  }, 60_000);

  it('survive kill -9 during writes: readable, nothing acknowledged lost, no rubbish after the next', async () => {
    const home = freshHome();
    for (let round = 0; round < (isWhole ? 6 : 3); round++) {
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
      const store = fileStore({ ...home, clock: fakeClock() });
      const { profiles } = await store.settings.read();
      const acknowledged = readFileSync(file, 'utf8').trim().split('\n');
      expect(acknowledged.filter((name) => !(name in profiles))).toEqual([]);
      await addProfile(store, `after${round}`);
      expect(readdirSync(home.configDir).sort()).toEqual(['config.json', 'config.json.bak']);
    }
  }, 60_000);
});

describe('a failed write of the settings', () => {
  it('leaves what comes back as it was, whatever the writer did', async () => {
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
    const store = fileStore({ ...home, clock: fakeClock() });
    const failing = addProfile(store, 'one');
    await expect(failing).rejects.toMatchObject({ code: 'CONFIG_NOT_WRITTEN', exit: 3 });
    await expect(failing).rejects.toMatchObject({ detail: expect.stringContaining(home.configDir) });
  });

  it('keeps the earlier state when a file may not grow (ulimit)', async () => {
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
    const { profiles } = await fileStore({ configDir, stateDir, clock: fakeClock() }).settings.read();
    const acknowledged = readFileSync(log, 'utf8').trim().split('\n');
    expect(Object.keys(profiles).sort()).toEqual(['one', 'two', ...acknowledged].sort());
    expect(acknowledged.length).toBeGreaterThan(3);
    expect(before.length).toBeGreaterThan(0);
  });

  it('keeps the earlier state on a full tmpfs', async (context) => {
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
    const { profiles } = await fileStore({ ...home, clock: fakeClock() }).settings.read();
    const acknowledged = readFileSync(log, 'utf8').trim().split('\n');
    expect(Object.keys(profiles)).toEqual(acknowledged);
    expect(acknowledged.length).toBeGreaterThan(3);
  });
});
