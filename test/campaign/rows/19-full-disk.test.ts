import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { createStore } from '../../../src/adapters/conf-store.ts';
import { usageFiles } from '../../../src/adapters/usage-files.ts';
import { freshHome } from '../../helpers/adapter-homes.ts';
import { fakeClock } from '../../helpers/fakes/index.ts';
import { seeded } from '../../helpers/kill-cycles.ts';
import { spawnTask } from '../../helpers/spawn-adapter.ts';
import { trials } from '../../helpers/trials.ts';

const row = trials('19', 4);

it(
  'a file that may not grow ends in exit 3 with its path, and what was acknowledged is intact',
  { timeout: row.timeout(60_000) },
  async () => {
    const random = seeded(row.seed);
    for (let round = 0; round < row.count; round += 1) {
      const home = freshHome();
      const file = join(dirname(dirname(home.configDir)), 'log');
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, '');
      // Blocks of 1,024 bytes; each update adds some 5,000 to the settings.
      const blocks = 1 + Math.floor(random() * 90);
      const { ended } = spawnTask('mixed', { ...home, file, name: 'p', count: 60 }, `-f ${String(blocks)}`);
      const { code, stdout, stderr } = await ended;
      expect({ code, stderr }, `${String(blocks)} blocks: ${stdout}`).toEqual({ code: 3, stderr: '' });
      expect(JSON.parse(stdout)).toMatchObject({
        exit: 3,
        detail: expect.stringContaining(dirname(dirname(home.configDir))),
      });
      const store = createStore({ ...home, clock: fakeClock() });
      const there = new Set([
        ...Object.keys((await store.settings()).profiles).map((name) => `settings ${name}`),
        ...(await store.resources('acme', 'payment')).map(({ id }) => `resource ${id}`),
        ...(await usageFiles({ stateDir: home.stateDir, clock: fakeClock() }).read('acme')).map(
          ({ what }) => `usage ${what}`,
        ),
      ]);
      const acknowledged = readFileSync(file, 'utf8').split('\n').slice(0, -1);
      expect(acknowledged.filter((one) => !there.has(one))).toEqual([]);
    }
    row.report('each exit 3, nothing acknowledged lost');
  },
);
