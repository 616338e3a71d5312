import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { freshHome } from '../../helpers/adapter-homes.ts';
import { fakeClock } from '../../helpers/fakes/index.ts';
import { fileStore } from '../../helpers/file-store.ts';
import { spawnTask } from '../../helpers/spawn-adapter.ts';
import { trials } from '../../helpers/trials.ts';

/** In `npm test` fewer processes, which other tests keep company. */
const row = trials('17', 0);
const [processes, updates] = row.count === 0 ? [4, 10] : [16, 50];
const rounds = Math.max(1, row.count);
type Home = ReturnType<typeof freshHome>;

const kept: Readonly<Record<string, (home: Home) => Promise<string[]>>> = {
  profiles: async (home) =>
    Object.keys((await fileStore({ ...home, clock: fakeClock() }).settings.read()).profiles),
  resources: async (home) =>
    (await fileStore({ ...home, clock: fakeClock() }).resources.list('acme', 'payment')).map(({ id }) => id),
  usage: async (home) =>
    (await fileStore({ ...home, clock: fakeClock() }).usage.read('acme')).map(({ what }) => what),
};

it.each(Object.keys(kept))(
  'every update of %s by many processes at once is kept',
  async (task) => {
    for (let round = 0; round < rounds; round += 1) {
      const home = freshHome();
      const file = join(dirname(dirname(home.configDir)), 'log');
      const names = Array.from({ length: processes }, (_, at) => `p${String(at)}`);
      const tasks = names.map((name) => spawnTask(task, { ...home, file, name, count: updates }));
      for (const { ended } of tasks) expect(await ended).toMatchObject({ code: 0, stdout: '', stderr: '' });
      const wanted = names.flatMap((name) =>
        Array.from({ length: updates }, (_, turn) => `${name}-${String(turn)}`),
      );
      expect((await kept[task]?.(home))?.sort()).toEqual(wanted.sort());
    }
  },
  row.timeout(60_000),
);

afterAll(() => {
  row.report(`${String(processes * updates)} updates of each of ${Object.keys(kept).join(', ')}`);
});
