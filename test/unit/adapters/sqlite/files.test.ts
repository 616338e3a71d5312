// The two files of a home: whose they are, and what stands in their place.
import { createHash } from 'node:crypto';
import {
  lstatSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ObkError } from '../../../../src/base/errors.ts';
import { freshHome, intent, resource } from '../../../helpers/adapter-homes.ts';
import { fakeClock } from '../../../helpers/fakes/index.ts';
import { stateAtHome } from '../../../helpers/file-store.ts';
import { hasSmallDisks, onReadOnly } from '../../../helpers/full-disk.ts';
import { prepared, resolved, runRecord, sending, write } from '../../../helpers/journal-records.ts';
import { spawnTask } from '../../../helpers/spawn-adapter.ts';
import { copyOf, plantInto } from '../../../helpers/state-file.ts';
import { damages, filled, run } from './filled.ts';
import type { Put } from './filled.ts';

const open = (stateDir: string) => stateAtHome({ stateDir, clock: fakeClock(), run });

type State = ReturnType<typeof open>;

/** What a command may want of each of the files, to read and to write. */
const wishes: Readonly<Record<'state' | 'log', readonly ((home: State) => Promise<unknown>)[]>> = {
  state: [
    (home) => home.intents.find(intent().hash),
    (home) => home.intents.like('acme', intent().fingerprint),
    (home) => home.intents.claim(intent({ run })),
    (home) => home.journal.openWrites(),
    (home) => home.resources.list('acme', 'payment'),
    (home) => home.resources.save(resource()),
    (home) => write(home.journal, prepared('e2'), sending('e2')),
  ],
  log: [
    (home) => home.journal.read(run),
    async (home) => {
      for await (const one of await home.journal.runs()) expect(one).toBeUndefined();
    },
    (home) => home.journal.oldest(),
    (home) => write(home.journal, runRecord()),
    (home) => home.usage.read('acme'),
    (home) => home.usage.update('acme', () => []),
  ],
};

/** What stands in a folder, by name; the files beside an open database come and go. */
const contents = (folder: string): [string, string][] =>
  readdirSync(folder)
    .filter((name) => !/-(?:wal|shm)$/.test(name))
    .sort()
    .map((name) => {
      const path = join(folder, name);
      const stat = lstatSync(path);
      if (!stat.isFile()) return [name, stat.isDirectory() ? 'a folder' : 'a link'];
      return [name, createHash('sha256').update(readFileSync(path)).digest('hex')];
    });

/** All that may be wanted of a file is refused, with its path, and nothing is changed. */
async function expectRefused(
  stateDir: string,
  file: 'state' | 'log',
  codes: readonly string[],
): Promise<void> {
  const before = contents(stateDir);
  for (const [at, wish] of wishes[file].entries()) {
    const home = open(stateDir);
    const refusal: unknown = await wish(home).catch((error: unknown) => error);
    await home.close();
    const what = `wish ${String(at)} of ${file}: ${String(refusal)}`;
    expect(refusal, what).toBeInstanceOf(ObkError);
    const { code, exit, detail } = refusal as ObkError;
    expect({ code, exit }, what).toEqual({ code: expect.toBeOneOf([...codes]) as string, exit: 3 });
    expect(detail, what).toContain(join(stateDir, `${file}.db`));
    expect(contents(stateDir), what).toEqual(before);
  }
}

describe('the files of a home', () => {
  it('can be read by their owner only, whatever the umask, while they are open and after a kill', async () => {
    const home = freshHome();
    mkdirSync(dirname(home.stateDir), { recursive: true });
    const { child, ended } = spawnTask('held', { ...home, file: '' });
    await new Promise((resolve) => child.stdout?.once('data', resolve));
    const modes = () =>
      Object.fromEntries(
        readdirSync(home.stateDir).map((name) => [
          name,
          (statSync(join(home.stateDir, name)).mode & 0o777).toString(8),
        ]),
      );
    const all = ['log.db', 'log.db-shm', 'log.db-wal', 'state.db', 'state.db-shm', 'state.db-wal'];
    expect(modes()).toEqual(Object.fromEntries(all.map((name) => [name, '600'])));
    expect((statSync(home.stateDir).mode & 0o777).toString(8)).toBe('700');
    child.kill('SIGKILL');
    await ended;
    expect(await open(home.stateDir).intents.find(intent().hash)).toBeDefined();
    expect(new Set(Object.values(modes()))).toEqual(new Set(['600']));
  });

  it('are not made by looking', async () => {
    const { stateDir } = freshHome();
    const home = open(stateDir);
    expect(await home.intents.find(intent().hash)).toBeUndefined();
    expect(await home.intents.runs()).toEqual(new Map());
    expect(await home.journal.openRuns()).toEqual([]);
    expect(await home.journal.read(run)).toEqual([]);
    expect(await home.journal.oldest()).toBeUndefined();
    for await (const one of await home.journal.runsThat(() => true)) expect(one).toBeUndefined();
    expect(await home.journal.exact(run, 'e1')).toBeUndefined();
    expect(await home.resources.list('acme', 'payment')).toEqual([]);
    expect(await home.resources.conversations('acme', 'payment', 'p1')).toEqual([]);
    expect(await home.usage.read('acme')).toEqual([]);
    await home.close();
    expect(existsSync(dirname(stateDir))).toBe(false);
  });

  it('are made one by one: what is only saved has no log', async () => {
    const { stateDir } = freshHome();
    const home = open(stateDir);
    await home.resources.save(resource());
    expect(existsSync(join(stateDir, 'log.db'))).toBe(false);
    await home.close();
    expect(contents(stateDir).map(([name]) => name)).toEqual(['state.db']);
  });

  it('contain nothing where they are empty, as after a kill before the first write', async () => {
    const { stateDir } = freshHome();
    mkdirSync(stateDir, { recursive: true, mode: 0o700 });
    for (const file of ['state', 'log']) writeFileSync(join(stateDir, `${file}.db`), '', { mode: 0o600 });
    const home = open(stateDir);
    expect(await home.intents.find(intent().hash)).toBeUndefined();
    expect(await home.intents.claim(intent({ run }))).toMatchObject({ claimed: true });
    await write(home.journal, runRecord());
    expect(await home.journal.read(run)).toHaveLength(1);
    await home.close();
  });
});

/** What is no file at all. */
const noFiles: Put[] = [
  [
    'a folder',
    (path) => {
      rmSync(path);
      mkdirSync(path);
    },
  ],
  [
    'a link to nothing',
    (path) => {
      rmSync(path);
      symlinkSync(`${path}.gone/x`, path);
    },
  ],
];

describe.each(['state', 'log'] as const)('a file in the place of %s.db', (file) => {
  it('is STATE_NEWER where a newer obk wrote it', async () => {
    let stateDir = await filled();
    plantInto(stateDir, file, 'PRAGMA user_version = 2');
    stateDir = copyOf(stateDir, freshHome().stateDir);
    await expectRefused(stateDir, file, ['STATE_NEWER']);
  });

  it.each([...noFiles, ...(file === 'state' ? damages : [])])(
    'is refused by name, and stays: %s',
    async (_case, put) => {
      const stateDir = await filled();
      put(join(stateDir, `${file}.db`));
      await expectRefused(stateDir, file, ['STATE_UNREADABLE', 'STATE_NOT_WRITTEN']);
    },
  );
});

describe('the folder of the state', () => {
  it.each(['a file', 'a link', 'a file above it'])('is refused by name where it is %s', async (what) => {
    const { stateDir } = freshHome();
    mkdirSync(dirname(dirname(stateDir)), { recursive: true });
    if (what === 'a file above it') writeFileSync(dirname(stateDir), '');
    else mkdirSync(dirname(stateDir));
    if (what === 'a link') symlinkSync(dirname(dirname(stateDir)), stateDir);
    if (what === 'a file') writeFileSync(stateDir, '');
    const home = open(stateDir);
    const refused = { exit: 3, detail: expect.stringContaining(stateDir) as string };
    await expect(home.journal.append(prepared('e1'))).rejects.toMatchObject({
      ...{ ...refused, code: 'STATE_NOT_WRITTEN' },
    });
    // It looks first whether there is one.
    await expect(home.intents.claim(intent({ run }))).rejects.toMatchObject({
      ...{ ...refused, code: what === 'a link' ? 'STATE_NOT_WRITTEN' : 'STATE_UNREADABLE' },
    });
  });
});

describe.skipIf(!hasSmallDisks())('a home on a file system that is read-only', () => {
  it.each([
    ['PRAGMA user_version = 2', 'STATE_NEWER'],
    ['PRAGMA application_id = 7', 'STATE_UNREADABLE'],
  ])('is not read after %s', async (sql, code) => {
    const changed = await filled();
    plantInto(changed, 'state', sql);
    const stateDir = copyOf(changed, freshHome().stateDir);
    const input = { stateDir, configDir: stateDir, file: '', name: 'p', count: 1 };
    const { stdout } = await spawnTask('reads', input, undefined, onReadOnly(stateDir)).ended;
    expect(JSON.parse(stdout)).toMatchObject({ code, exit: 3 });
  });

  it('refuses a write by name', async () => {
    const stateDir = await filled();
    const within = onReadOnly(stateDir);
    const task = (name: string) =>
      spawnTask(name, { stateDir, configDir: stateDir, file: '', name: 'p', count: 1 }, undefined, within)
        .ended;
    const { code, stdout, stderr } = await task('resources');
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      code: 'STATE_NOT_WRITTEN',
      exit: 3,
      detail: expect.stringContaining(join(stateDir, 'state.db')) as string,
    });
  });
});

describe('the log of the SQLite engine', () => {
  it.each(['state', 'log'] as const)(
    'is reported once a run where somebody holds it by reading %s.db',
    async (file) => {
      const lines: string[] = [];
      const look = async (stateDir: string) => {
        const home = stateAtHome({
          stateDir,
          clock: fakeClock(),
          run,
          warn: (line) => void lines.push(line),
        });
        for (const id of ['p3', 'p4']) await home.resources.save(resource({ id }));
        await home.close();
      };
      await look(await filled());
      expect(lines).toEqual([]);
      const held = await filled();
      writeFileSync(join(held, `${file}.db-wal`), Buffer.alloc(33 * 1024 * 1024), { mode: 0o600 });
      await look(held);
      expect(lines).toEqual([expect.stringMatching(`${file}.db-wal has grown to 33 MiB: a program`)]);
    },
  );
});

describe('the log of obk', () => {
  it('may be lost by itself: an open write whose run is gone is closed by its resolution, and the next run has a log', async () => {
    const stateDir = await filled();
    rmSync(join(stateDir, 'log.db'));
    const home = open(stateDir);
    expect(await home.journal.openWrites()).toMatchObject([
      { run, exchange: 'e1', operation: 'initiatePayment' },
    ]);
    expect(await home.journal.exact(run, 'e1')).toMatchObject({
      body: expect.stringContaining('amount') as string,
    });
    await home.journal.resolve(run, resolved('e1'));
    expect(await home.journal.openWrites()).toEqual([]);
    expect(existsSync(join(stateDir, 'log.db'))).toBe(false);
    // Of a run of which nothing is known there is nothing to resolve.
    await expect(home.journal.resolve(run, resolved('e1'))).rejects.toMatchObject({ exit: 3 });
    await write(home.journal, runRecord());
    expect(await home.journal.read(run)).toHaveLength(1);
    await home.close();
  });
});
