// Where the files of runs stand: each in the folder of its hour, those of an earlier obk beside.
import fs, {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runFiles } from '../../../../src/adapters/state/run-files.ts';
import type { JournalRecord } from '../../../../src/settings/records/journal.ts';
import { freshHome } from '../../../helpers/adapter-homes.ts';
import { fakeClock, fakeIds } from '../../../helpers/fakes/index.ts';
import { fileJournal } from '../../../helpers/file-store.ts';

const hourMs = 60 * 60_000;
const ids = fakeIds();

/** A journal with an ended run in each of these hours, counted from one moment; the runs, oldest first. */
async function ran(hours: readonly number[], exit: (at: number) => number = () => 0) {
  const { stateDir } = freshHome();
  const folder = join(stateDir, 'journal');
  const clock = fakeClock();
  const runs: string[] = [];
  let now = 0;
  for (const [at, hour] of hours.entries()) {
    clock.advance(hour * hourMs + at - now);
    now = hour * hourMs + at;
    const journal = fileJournal({ stateDir, clock, ids });
    const head = { version: '1', command: 'x', profile: 'acme', environment: 'test', pid: 1 } as const;
    const records: JournalRecord[] = [
      { type: 'run', at: clock.now().toISOString(), ...head },
      { type: 'ended', at: clock.now().toISOString(), exit: exit(at) as 0 },
    ];
    for (const record of records) await journal.append(record, { durable: true });
    runs.push(journal.run);
  }
  const open = () => fileJournal({ stateDir, clock, ids });
  /** Puts a run where an earlier obk kept it. */
  const beside = (run: string) => {
    const path = runFiles(folder).pathOf(run);
    renameSync(path, join(folder, basename(path)));
  };
  return { folder, clock, runs, open, beside };
}

const idsOf = (runs: Iterable<{ run: string }>) => [...runs].map(({ run }) => run);

describe('the runs of a journal', () => {
  it('stand in the folders of their hours', async () => {
    const { folder, runs } = await ran([0, 0, 1]);
    const hours = runs.map((run) => dirname(runFiles(folder).pathOf(run)).slice(folder.length + 1));
    expect(hours).toEqual(['202611/21T10', '202611/21T10', '202611/21T11']);
    expect(readdirSync(folder).filter((name) => name.endsWith('.ndjson'))).toEqual([]);
  });

  it('are listed newest first with those of an earlier obk, read, settled and removed like them', async () => {
    const { folder, runs, open, beside } = await ran([0, 1, 1, 2, 800]);
    for (const run of [runs[0], runs[2]]) beside(run ?? '');
    const journal = open();
    expect(idsOf(await journal.runs())).toEqual(runs.toReversed());
    expect(idsOf(await journal.runsThat(() => true))).toEqual(runs.toReversed());
    expect(await journal.oldest()).toMatchObject({ run: runs[0], startedAt: '2026-11-21T10:00:00.000Z' });
    for (const run of runs) {
      expect(await journal.read(run)).toHaveLength(2);
      await journal.resolve(run, {
        ...{ type: 'resolved', at: '2026-11-21T10:00:00.000Z', exchange: 'e' },
        ...{ resolution: 'done', by: 'person' },
      });
      expect(await open().read(run)).toHaveLength(3);
    }
    for (const [at, run] of runs.entries()) {
      await journal.remove(run);
      expect(await open().read(run)).toEqual([]);
      expect(idsOf(await journal.runs())).toEqual(runs.slice(at + 1).reverse());
      expect((await journal.oldest())?.run).toBe(runs[at + 1]);
    }
    expect(
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((n) => n.includes('.nd')),
    ).toEqual([]);
  });

  it('that stand twice are one', async () => {
    const { folder, runs, open } = await ran([0]);
    const [run = ''] = runs;
    const path = runFiles(folder).pathOf(run);
    copyFileSync(path, join(folder, basename(path)));
    expect(idsOf(await open().runs())).toEqual([run]);
    await open().remove(run);
    expect(idsOf(await open().runs())).toEqual([]);
  });

  it('leave no folder of an hour that is over, and let the others be', async () => {
    const { folder, clock, runs, open } = await ran([0, 0, 1, 24 * 30]);
    const journal = open();
    const there = () =>
      ['202611', '202611/21T10', '202611/21T11', '202612/21T10'].map((one) => existsSync(join(folder, one)));
    await journal.remove(runs[0] ?? '');
    expect(there()).toEqual([true, true, true, true]);
    await journal.remove(runs[1] ?? '');
    expect(there()).toEqual([true, false, true, true]);
    await journal.remove(runs[2] ?? '');
    expect(there()).toEqual([false, false, false, true]);
    // A run that begins now may be about to write there.
    await journal.remove(runs[3] ?? '');
    expect(there()).toEqual([false, false, false, true]);
    clock.advance(3 * hourMs);
    // In this month others begin, in a folder of an hour of theirs.
    await journal.remove(runs[3] ?? '');
    expect(there()).toEqual([false, false, false, false]);
    expect(existsSync(join(folder, '202612'))).toBe(true);
    expect(idsOf(await open().runs())).toEqual([]);
    expect(await open().oldest()).toBeUndefined();
  });

  it('are as many hours as are looked at', async () => {
    const { folder, runs, open } = await ran([0, 1, 2]);
    const [newest] = await open().runs();
    expect(newest?.run).toBe(runs[2]);
    const looked = runFiles(folder).hours();
    expect(looked.next().value).toEqual([runs[2]]);
    // What is added to an hour that was not reached is found.
    mkdirSync(join(folder, '202611', '21T05'));
    expect([...looked].flat()).toEqual([runs[1], runs[0]]);
  });

  it('begin anew with each look', async () => {
    const { runs, open } = await ran([0, 1]);
    const [all, picked] = [await open().runs(), await open().runsThat(() => true)];
    for (const some of [all, all, picked, picked]) expect(idsOf(some)).toEqual(runs.toReversed());
  });
});

describe('a search among runs of many hours', () => {
  const failed = ({ exit }: { exit?: number }) => exit !== 0;
  const hours = Array.from({ length: 260 }, (_, at) => Math.floor(at / 40));

  it('finds the same with an index, without one, with one that is half known, and with runs that are gone', async () => {
    const { folder, runs, open, beside } = await ran(hours, (at) => (at % 50 === 7 ? 5 : 0));
    const wanted = runs.filter((_, at) => at % 50 === 7).reverse();
    const index = join(folder, 'ended.index');
    const search = async () => idsOf(await open().runsThat(failed));
    expect(await search()).toEqual(wanted);
    rmSync(index);
    // What it does not know may be any; with so many of them it is made anew on the way.
    expect((await search()).filter((run) => wanted.includes(run))).toEqual(wanted);
    expect(readFileSync(index, 'utf8').trim().split('\n')).toHaveLength(1);
    expect(await search()).toEqual(wanted);
    for (const run of runs.filter((_, at) => at % 3 === 0)) beside(run);
    expect(await search()).toEqual(wanted);
    const journal = open();
    await journal.resolve(runs[8] ?? '', {
      ...{ type: 'resolved', at: '2026-11-21T10:00:00.000Z', exchange: 'e' },
      ...{ resolution: 'done', by: 'person' },
    });
    expect(await search()).toEqual([...wanted.slice(0, -1), runs[8], ...wanted.slice(-1)]);
    // One that was settled, and one that the index does not know, may be of any kind.
    const [path, other] = [runFiles(folder).pathOf(runs[120] ?? ''), `${(runs[120] ?? '').slice(0, -1)}z`];
    copyFileSync(path, path.replace(runs[120] ?? '', other));
    expect(idsOf(await open().runsThat(() => false))).toEqual([other, runs[8]]);
    await journal.remove(other);
    for (const run of runs.slice(0, 230)) await journal.remove(run);
    expect(await search()).toEqual(wanted.filter((run) => runs.indexOf(run) >= 230));
    // Full of runs that are gone, it was made anew.
    expect(readFileSync(index, 'utf8')).not.toContain(runs[100]);
    expect(readFileSync(index, 'utf8')).toContain(runs[240]);
  });
});

describe('an index of few of the runs', () => {
  it('is made anew on the way through those of many hours', async () => {
    const { folder, clock, runs, open } = await ran(
      Array.from({ length: 260 }, (_, at) => Math.floor(at / 40)),
    );
    const index = join(folder, 'ended.index');
    const lines = readFileSync(index, 'utf8').split('\n');
    writeFileSync(index, `${lines[0] ?? ''}\n`);
    clock.advance(1);
    expect(idsOf(await open().runsThat(() => false)).length).toBeLessThan(runs.length);
    expect(readFileSync(index, 'utf8').trim().split('\n')).toHaveLength(1);
    expect(idsOf(await open().runsThat(() => false))).toEqual([]);
  });
});

describe('the record of a write', () => {
  it('is on the disk with every name that leads to it', async () => {
    const { stateDir } = freshHome();
    const clock = fakeClock();
    const journal = fileJournal({ stateDir, clock, ids });
    const { openSync, fsyncSync } = fs;
    const paths = new Map<number, string>();
    const synced = new Set<string>();
    fs.openSync = (...given: Parameters<typeof openSync>) => {
      const descriptor = openSync(...given);
      paths.set(descriptor, String(given[0]));
      return descriptor;
    };
    fs.fsyncSync = (descriptor) => {
      fsyncSync(descriptor);
      synced.add(paths.get(descriptor) ?? '');
    };
    syncBuiltinESMExports();
    try {
      const head = { version: '1', command: 'x', profile: 'acme', environment: 'test', pid: 1 } as const;
      await journal.append({ type: 'run', at: clock.now().toISOString(), ...head }, { durable: true });
    } finally {
      Object.assign(fs, { openSync, fsyncSync });
      syncBuiltinESMExports();
    }
    const path = runFiles(join(stateDir, 'journal')).pathOf(journal.run);
    const folders = [dirname(path), dirname(dirname(path)), join(stateDir, 'journal')];
    expect([...synced]).toEqual(expect.arrayContaining([path, ...folders]));
  });
});
