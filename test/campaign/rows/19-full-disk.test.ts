import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { freshHome } from '../../helpers/adapter-homes.ts';
import { fakeClock } from '../../helpers/fakes/index.ts';
import { fileStore } from '../../helpers/file-store.ts';
import { hasSmallDisks, onSmallDisk } from '../../helpers/full-disk.ts';
import { seeded } from '../../helpers/kill-cycles.ts';
import { spawnTask } from '../../helpers/spawn-adapter.ts';
import { trials } from '../../helpers/trials.ts';

const row = trials('19', 4);
const smallDisks = hasSmallDisks();
type Home = ReturnType<typeof freshHome>;

/** Updates the state until the disk takes no more, and holds what was acknowledged against what is there then. */
async function fill({ configDir, stateDir }: Home, limit: string, within: readonly string[], left: Home) {
  const home = dirname(dirname(configDir));
  const file = `${home}.log`;
  writeFileSync(file, '');
  const limits = within.length === 0 ? limit : undefined;
  const { ended } = spawnTask('mixed', { configDir, stateDir, file, name: 'p', count: 60 }, limits, within);
  const { code, stdout, stderr } = await ended;
  expect({ code, stderr }, `${limit}: ${stdout}`).toEqual({ code: 3, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({ exit: 3, detail: expect.stringContaining(home) });
  const store = fileStore({ ...left, clock: fakeClock() });
  const there = new Set([
    ...Object.keys((await store.settings.read()).profiles).map((name) => `settings ${name}`),
    ...(await store.resources.list('acme', 'payment')).map(({ id }) => `resource ${id}`),
    ...(await store.usage.read('acme')).map(({ what }) => `usage ${what}`),
  ]);
  const acknowledged = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  expect(
    acknowledged.filter((one) => !there.has(one)),
    limit,
  ).toEqual([]);
}

it(
  'a full disk ends the run with exit 3 and the path, and leaves what was acknowledged intact',
  { timeout: row.timeout(60_000) },
  async () => {
    const random = seeded(row.seed);
    let disks = 0;
    for (let round = 0; round < row.count; round += 1) {
      const home = freshHome();
      const roll = random();
      if (smallDisks && round % 2 === 0) {
        disks += 1;
        const left = freshHome();
        const kib = 40 + Math.floor(roll * 500);
        const [disk, kept] = [home, left].map(({ configDir }) => dirname(dirname(configDir)));
        await fill(home, `${String(kib)} KiB`, onSmallDisk(disk ?? '', kib, kept ?? ''), left);
      } else {
        mkdirSync(dirname(dirname(home.configDir)), { recursive: true });
        // Blocks of 1,024 bytes; each update adds some 5,000 to the settings.
        await fill(home, `-f ${String(1 + Math.floor(roll * 90))}`, [], home);
      }
    }
    row.report(
      `${String(disks)} full file systems${smallDisks ? '' : ' (none may be mounted here)'}, ` +
        `${String(row.count - disks)} files that may not grow, each exit 3, nothing acknowledged lost`,
    );
  },
);
