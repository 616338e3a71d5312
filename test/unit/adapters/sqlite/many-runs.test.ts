// Lists of the runs, and followers, where there are more runs than are read at once.
import { afterEach, describe, expect, it } from 'vitest';
import { homeEngines, stateOn } from '../../../../src/adapters/sqlite/home-state.ts';
import type { HomeState } from '../../../../src/adapters/sqlite/home-state.ts';
import type { Journal, Runs } from '../../../../src/client/ports/journal.ts';
import { summary } from '../../../../src/client/state/run-lists.ts';
import type { EndedRun, JournalRecord } from '../../../../src/settings/records/journal.ts';
import { freshHome } from '../../../helpers/adapter-homes.ts';
import { fakeClock } from '../../../helpers/fakes/index.ts';
import {
  answered,
  now,
  prepared,
  resolved,
  runRecord,
  sending,
  write,
} from '../../../helpers/journal-records.ts';
import { plantInto, rowsIn } from '../../../helpers/state-file.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

const idOf = (at: number): string => `20261121T1000${String(at).padStart(5, '0')}Z-run`;
const still = { signal: new AbortController().signal, say: () => undefined };

/** A home whose runs share its two connections. */
function makeHome(): { stateDir: string; open: (at: number) => HomeState } {
  const { stateDir } = freshHome();
  const engines = homeEngines(stateDir);
  const clock = fakeClock();
  ends.push(async () => {
    await engines.state.close();
    await engines.log.close();
  });
  return { stateDir, open: (at) => stateOn(engines, { run: idOf(at), clock }) };
}

/** A run with a read that was answered so; without a status it was not, and without an end it is not over. */
function recordsOf(exit: number | undefined, status: number | undefined): JournalRecord[] {
  const answer = { ...answered('e', 'DONE'), ...(status !== undefined && { status }) } as JournalRecord;
  return [
    runRecord(),
    prepared('e', { write: false }),
    sending('e'),
    ...(status === undefined ? [] : [answer]),
    ...(exit === undefined ? [] : [{ type: 'ended', at: now(), exit } as JournalRecord]),
  ];
}

async function idsOf(runs: Runs): Promise<string[]> {
  const ids: string[] = [];
  for await (const { run } of runs) ids.push(run);
  return ids;
}

/** The same, told by the records of every run. */
async function wanted(journal: Journal, may: (ended: EndedRun) => boolean): Promise<string[]> {
  const ids: string[] = [];
  for await (const { run } of await journal.runs()) {
    const ended = summary(await journal.read(run));
    if (ended === undefined || may(ended)) ids.push(run);
  }
  return ids;
}

const searches: [string, (ended: EndedRun) => boolean][] = [
  ['all', () => true],
  ['none', () => false],
  ['those that failed', ({ exit }) => exit !== 0],
  ['those that were refused', ({ calls }) => calls.some(({ status }) => (status ?? 0) >= 400)],
  ['all but a few', ({ calls }) => calls[0]?.status !== 201],
];

describe.each([
  ['a few endings', 5],
  ['more endings than are told apart', 150],
])('a thousand runs with %s', (_case, endings) => {
  async function filled() {
    const home = makeHome();
    for (let at = 0; at < 1_000; at += 1) {
      const exit = at % 7 === 3 ? undefined : at % 50 === 0 ? 5 : 0;
      const status = at % 11 === 0 ? undefined : 200 + ((at * 3) % (2 * endings));
      await write(home.open(at).journal, ...recordsOf(exit, status));
    }
    return home;
  }

  it('are found by their ends as if each were read', { timeout: 120_000 }, async () => {
    const { stateDir, open } = await filled();
    const { journal } = open(5_000);
    const all = Array.from({ length: 1_000 }, (_, at) => idOf(999 - at));
    expect(await idsOf(await journal.runs())).toEqual(all);
    const known = rowsIn(stateDir, 'log', 'SELECT count(DISTINCT ended) AS count FROM run')[0]?.['count'];
    expect(Number(known) > 100).toBe(endings > 100);
    const check = async () => {
      for (const [name, may] of searches)
        expect(await idsOf(await journal.runsThat(may)), name).toEqual(await wanted(journal, may));
    };
    await check();
    // Nothing needs these any more, which is an ending of its own.
    const free = all.slice(100, 400);
    await journal.noteFree(free);
    const isFree = await idsOf(await journal.runsThat((ended) => ended.free === true));
    const open1 = await idsOf(await journal.runsThat(() => false));
    expect(isFree).toEqual(all.filter((run) => open1.includes(run) || free.includes(run)));
    // What is settled later makes the end another: such a run may be any.
    const [settled = ''] = all.slice(700).filter((run) => !open1.includes(run));
    await journal.resolve(settled, resolved('e'));
    expect(await idsOf(await journal.runsThat(() => false))).toEqual(
      all.filter((run) => run === settled || open1.includes(run)),
    );
    // A summary that is damaged too.
    const [damaged = ''] = free.filter((run) => !open1.includes(run));
    plantInto(stateDir, 'log', `UPDATE run SET ended = substr(ended, 2) WHERE run = ?1`, [damaged]);
    expect(await idsOf(await journal.runsThat(() => false))).toContain(damaged);
    plantInto(stateDir, 'log', `UPDATE run SET ended = '{"calls":null}' WHERE run = ?1`, [damaged]);
    expect(await idsOf(await journal.runsThat(() => false))).toContain(damaged);
    await journal.noteFree([damaged]);
    for (const run of all.slice(0, 950)) await journal.remove(run);
    expect(await idsOf(await journal.runs())).toEqual(all.slice(950));
  });
});

describe('the list of the runs', () => {
  it('begins anew with each look, and its oldest is shown', async () => {
    const { open } = makeHome();
    const { journal } = open(9);
    expect(await journal.oldest()).toBeUndefined();
    for (const at of [2, 1, 3]) await write(open(at).journal, ...recordsOf(0, 200));
    const some = [await journal.runs(), await journal.runsThat(() => true)];
    for (const runs of [...some, ...some]) expect(await idsOf(runs)).toEqual([idOf(3), idOf(2), idOf(1)]);
    expect(await journal.oldest()).toEqual({ run: idOf(1), startedAt: '2026-11-21T10:00:00.001Z' });
    await journal.remove(idOf(1));
    expect(await journal.read(idOf(1))).toEqual([]);
    expect((await journal.oldest())?.run).toBe(idOf(2));
  });

  it('goes on though runs are removed and begun while it is read', async () => {
    const { open } = makeHome();
    for (let at = 0; at < 450; at += 1) await write(open(at).journal, runRecord());
    const { journal } = open(900);
    const seen: string[] = [];
    for await (const { run } of await journal.runs()) {
      seen.push(run);
      if (seen.length === 10) {
        await write(open(800).journal, runRecord());
        for (const at of [449, 240, 5]) await journal.remove(idOf(at));
      }
    }
    // The first part was read at once.
    const due = Array.from({ length: 450 }, (_, at) => idOf(449 - at)).filter(
      (run) => ![idOf(240), idOf(5)].includes(run),
    );
    expect(seen).toEqual(due);
  });
});

describe('a follower of the runs', () => {
  it('sees what is written after it, and nothing twice', async () => {
    const { open } = makeHome();
    for (let at = 0; at < 20; at += 1) await write(open(at).journal, runRecord());
    const follower = await open(900).journal.follow(still);
    const changed = async () => (await follower.changed()).map(({ run }) => run);
    expect(await changed()).toEqual([]);
    await write(open(3).journal, sending('e'));
    await write(open(30).journal, runRecord(), sending('e'));
    expect(await changed()).toEqual([idOf(3), idOf(30)]);
    expect(await changed()).toEqual([]);
  });

  it('sees once what is written while it looks', async () => {
    const { open } = makeHome();
    const { journal } = open(1);
    await write(journal, runRecord());
    const follower = await open(900).journal.follow(still);
    const told: string[] = [];
    for (let turn = 0; turn < 30; turn += 1) {
      const { journal: other } = open(100 + turn);
      const [changed] = await Promise.all([follower.changed(), write(other, runRecord())]);
      told.push(...changed.map(({ run }) => run));
    }
    told.push(...(await follower.changed()).map(({ run }) => run));
    expect(told).toEqual(Array.from({ length: 30 }, (_, turn) => idOf(100 + turn)));
  });

  it.each([1, 3, 10])('sees the next %s runs though the newest were removed meanwhile', async (count) => {
    const { stateDir, open } = makeHome();
    for (let at = 0; at < 20; at += 1) await write(open(at).journal, runRecord(), sending('e'));
    const { journal } = open(900);
    const follower = await journal.follow(still);
    const changed = async () => (await follower.changed()).map(({ run }) => run);
    for (let round = 0; round < 3; round += 1) {
      for (let at = 19; at > 14; at -= 1) await journal.remove(idOf(at + 100 * round));
      const due = Array.from({ length: count }, (_, at) => idOf(100 * (round + 1) + 19 - at)).reverse();
      for (const run of due) await write(open(Number(run.slice(13, 18))).journal, runRecord());
      expect(await changed()).toEqual(due);
      expect(await changed()).toEqual([]);
    }
    // One row at the most keeps the place of what was removed, and it is no record of a run.
    expect(rowsIn(stateDir, 'log', "SELECT * FROM record WHERE run = ''").length).toBeLessThanOrEqual(1);
    expect(await idsOf(await journal.runs())).not.toContain('');
  });

  it('sees runs in a log that is another now', async () => {
    const first = makeHome();
    for (let at = 0; at < 5; at += 1) await write(first.open(at).journal, runRecord());
    const follower = await first.open(900).journal.follow(still);
    plantInto(first.stateDir, 'log', 'DELETE FROM record');
    plantInto(first.stateDir, 'log', 'DELETE FROM run');
    expect(await follower.changed()).toEqual([]);
    await write(first.open(6).journal, runRecord());
    expect((await follower.changed()).map(({ run }) => run)).toEqual([idOf(6)]);
  });
});
