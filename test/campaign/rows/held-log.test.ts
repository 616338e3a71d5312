// Somebody reads the state for long: what is written meanwhile stays in the write-ahead log, which grows, and may fill the disk.
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshHome } from '../../helpers/adapter-homes.ts';
import { startExemptingBank } from '../../helpers/exempting-bank.ts';
import type { ExemptingBank } from '../../helpers/exempting-bank.ts';
import { fakeClock } from '../../helpers/fakes/index.ts';
import { stateAtHome } from '../../helpers/file-store.ts';
import { hasSmallDisks, onSmallDisk } from '../../helpers/full-disk.ts';
import { seeded } from '../../helpers/kill-cycles.ts';
import { payingHome } from '../../helpers/paying-home.ts';
import type { PayingHome } from '../../helpers/paying-home.ts';
import { spawnTask } from '../../helpers/spawn-adapter.ts';
import { rowsIn } from '../../helpers/state-file.ts';
import { trials } from '../../helpers/trials.ts';

const row = trials('held', 4);

// A connection that was closed holds its file until its statements are collected.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

let bank: ExemptingBank;
let home: PayingHome;
beforeAll(async () => {
  bank = await startExemptingBank();
  home = await payingHome(bank);
});
afterAll(async () => {
  home.close();
  await bank.close();
});

const logOf = (stateDir: string): number =>
  statSync(join(stateDir, 'state.db-wal'), { throwIfNoEntry: false })?.size ?? 0;

it(
  'the log of the engine grows by some pages with each payment while others read, and shrinks when they end',
  { timeout: 120_000 },
  async () => {
    const stateDir = join(home.folder, 'state');
    const pay = async (cents: number) => {
      const amount = `7.${String(cents).padStart(2, '0')}`;
      const { code, stderr } = await home.pay(amount, `held ${amount}`);
      expect(code, stderr).toBe(0);
      expect(bank.made(amount)).toBe(1);
    };
    await pay(99);
    const { child, ended } = spawnTask('reader', {
      stateDir,
      configDir: join(home.folder, 'config'),
      file: '',
    });
    await new Promise((resolve) => child.stdout?.once('data', resolve));
    const before = logOf(stateDir);
    for (let cents = 0; cents < 50; cents += 1) await pay(cents);
    const each = (logOf(stateDir) - before) / 50;
    process.stdout.write(
      `state.db-wal: ${(each / 1024).toFixed(1)} KiB for each payment while somebody reads\n`,
    );
    expect(each).toBeGreaterThan(0);
    expect(each).toBeLessThan(160 * 1024);
    child.stdin?.end();
    await ended;
    collect();
    await setTimeout(50);
    await pay(98);
    collect();
    await setTimeout(50);
    // Whoever has the file open last leaves no log of the engine behind.
    expect(logOf(stateDir)).toBe(0);
    expect(rowsIn(stateDir, 'state', 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  },
);

describe.runIf(hasSmallDisks())('a disk filled by what others hold', () => {
  it(
    'ends the run with exit 3 and the path, and nothing that was acknowledged is lost',
    { timeout: row.timeout(60_000) },
    async () => {
      const random = seeded(row.seed);
      let writes = 0;
      for (let round = 0; round < row.count; round += 1) {
        const [small, left] = [freshHome(), freshHome()];
        const [disk = '', kept = ''] = [small, left].map(({ configDir }) => dirname(dirname(configDir)));
        const kib = 250 + Math.floor(random() * 1_500);
        mkdirSync(disk, { recursive: true });
        const file = `${disk}.log`;
        writeFileSync(file, '');
        const input = { ...small, file, name: 'p', count: 5_000 };
        const { code, stdout, stderr } = await spawnTask(
          'heldWrites',
          input,
          undefined,
          onSmallDisk(disk, kib, kept),
        ).ended;
        expect({ code, stderr }, `${String(kib)} KiB: ${stdout}`).toEqual({ code: 3, stderr: '' });
        expect(JSON.parse(stdout)).toMatchObject({
          code: 'STATE_NOT_WRITTEN',
          detail: expect.stringContaining(disk) as string,
        });
        const acknowledged = readFileSync(file, 'utf8').split('\n').slice(0, -1);
        writes += acknowledged.length;
        const state = stateAtHome({ stateDir: left.stateDir, clock: fakeClock(), run: 'later' });
        const there = new Set([
          ...[...(await state.intents.named(''))].map(({ hash }) => `intent ${hash}`),
          ...(await state.journal.openWrites()).map(({ exchange }) => `write ${exchange}`),
        ]);
        await state.close();
        expect(
          acknowledged.filter((one) => !one.startsWith('run ') && !there.has(one)),
          `${String(kib)} KiB`,
        ).toEqual([]);
        expect(rowsIn(left.stateDir, 'state', 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
      }
      row.report(`${String(writes)} acknowledged, none lost`);
      expect(writes).toBeGreaterThan(row.count);
    },
  );
});
