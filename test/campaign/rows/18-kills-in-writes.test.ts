import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { freshHome } from '../../helpers/adapter-homes.ts';
import { addProfile } from '../../helpers/adapter-settings.ts';
import { fakeClock } from '../../helpers/fakes/index.ts';
import { fileStore } from '../../helpers/file-store.ts';
import { seeded } from '../../helpers/kill-cycles.ts';
import { spawnTask } from '../../helpers/spawn-adapter.ts';
import { trials } from '../../helpers/trials.ts';

const row = trials('18', 5);
/** A home whose list of resources grows no further. */
const killsInAHome = 50;

/** What of the acknowledged updates is not there; the settings and the count of calls keep their newest 40. */
async function lost(home: ReturnType<typeof freshHome>, acknowledged: readonly string[]): Promise<string[]> {
  const store = fileStore({ ...home, clock: fakeClock() });
  const there = new Set([
    ...Object.keys((await store.settings.read()).profiles).map((name) => `settings ${name}`),
    ...(await store.resources.list('acme', 'payment')).map(({ id }) => `resource ${id}`),
    ...(await store.usage.read('acme')).map(({ what }) => `usage ${what}`),
  ]);
  const newest = (kind: string) => acknowledged.filter((one) => one.startsWith(kind)).slice(-30);
  const due = [
    ...newest('settings'),
    ...newest('usage'),
    ...acknowledged.filter((one) => one.startsWith('resource')),
  ];
  return due.filter((one) => !there.has(one));
}

it(
  'a kill -9 during writes leaves every file readable, and loses nothing that was acknowledged',
  { timeout: row.timeout(60_000) },
  async () => {
    const random = seeded(row.seed);
    let home = freshHome();
    let updates = 0;
    for (let round = 0; round < row.count; round += 1) {
      if (round % killsInAHome === 0) home = freshHome();
      const file = join(dirname(dirname(home.configDir)), `log-${String(round)}`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, '');
      const lines = () => readFileSync(file, 'utf8').split('\n').slice(0, -1);
      const name = `r${String(round)}`;
      const { child, ended } = spawnTask('mixed', { ...home, file, name, count: 10_000 });
      const first = 1 + Math.floor(random() * 6);
      await vi.waitUntil(() => lines().length >= first, { timeout: 20_000, interval: 1 });
      await later(random() * 8);
      child.kill('SIGKILL');
      expect(await ended).toMatchObject({ stdout: '', stderr: '' });
      updates += lines().length;
      expect(await lost(home, lines()), `round ${String(round)}`).toEqual([]);
      // The next command leaves nothing behind that is half written.
      const store = fileStore({ ...home, clock: fakeClock() });
      await addProfile(store, `after${String(round)}`);
      expect(readdirSync(home.configDir).sort()).toEqual(['config.json', 'config.json.bak']);
    }
    row.report(`${String(updates)} acknowledged updates, none lost`);
  },
);
