import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { freshHome, fullFiles, resource } from '../../../helpers/adapter-homes.ts';
import { fakeClock } from '../../../helpers/fakes/index.ts';
import { fileStore } from '../../../helpers/file-store.ts';
import { spawnTask } from '../../../helpers/spawn-adapter.ts';

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
    const store = fileStore({ ...home, clock: fakeClock() });
    await store.resources.save(resource());
    const [file = ''] = fullFiles(join(home.stateDir, 'resources', 'acme', 'payment'));
    writeFileSync(file, damage(readFileSync(file, 'utf8')));
    for (const failing of [
      store.resources.list('acme', 'payment'),
      store.resources.find('acme', 'payment', 'p1'),
    ]) {
      await expect(failing).rejects.toMatchObject({
        code: 'STATE_UNREADABLE',
        exit: 3,
        detail: expect.stringContaining(file),
      });
    }
  });

  it('of a newer obk are STATE_NEWER', async () => {
    const home = freshHome();
    const store = fileStore({ ...home, clock: fakeClock() });
    await store.resources.save({ ...resource(), schemaVersion: 2 as never });
    await expect(store.resources.list('acme', 'payment')).rejects.toMatchObject({
      code: 'STATE_NEWER',
      hint: [expect.stringContaining('OBK_STATE_DIR')],
    });
  });

  it('have one file each, named by time, below the state directory only', async () => {
    const home = freshHome();
    const store = fileStore({ ...home, clock: fakeClock() });
    await store.resources.save(resource({ id: '../../../x' }));
    await store.resources.save(resource({ id: 'p1' }));
    await store.resources.save(resource({ id: 'p1', createdAt: '2026-11-22T10:00:00Z' }));
    const files = fullFiles(join(home.stateDir, 'resources', 'acme', 'payment'));
    expect(files.map((path) => basename(path))).toEqual([
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
    const store = fileStore({ ...home, clock: fakeClock() });
    const ids = new Set((await store.resources.list('acme', 'payment')).map(({ id }) => id));
    const acknowledged = readFileSync(log, 'utf8').trim().split('\n');
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
    await store.resources.save(resource({ id: 'after' }));
    const names = () =>
      readdirSync(home.stateDir, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => name);
    const before = names();
    expect(before.filter((name) => !name.endsWith('.json'))).toEqual([]);

    const small = spawnTask('resources', { ...home, file: log, name: 'q', count: 1 }, '-f 2');
    const { code, stdout } = await small.ended;
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({
      code: 'STATE_NOT_WRITTEN',
      detail: expect.stringContaining(home.stateDir),
    });
    // What finds it may be there before it.
    expect(new Set(names())).toEqual(new Set([...before, '20261121T100000000Z_q-0.json']));
    expect(await store.resources.find('acme', 'payment', 'q-0')).toBeUndefined();
  });
});
