// A home that goes into a database and comes back: what is in either.
import { homeEngines, stateOn } from '../../src/adapters/sqlite/home-state.ts';
import type { HomeState } from '../../src/adapters/sqlite/home-state.ts';
import { tables } from '../../src/adapters/postgres/schema.ts';
import { openedRow } from '../../src/client/state/sealed-rows.ts';
import { select } from '../../src/client/state/tables.ts';
import { ownIdentity } from '../../src/adapters/system/process-identity.ts';
import { createClock } from '../../src/adapters/system/system-clock.ts';
import { expect } from 'vitest';
import type { PayingHome } from './paying-home.ts';
import { fleetIn, stateEnvironment, testVault } from './postgres.ts';
import type { TestDatabase } from './postgres.ts';
import { rowsIn } from './state-file.ts';

type Cells = Readonly<Record<string, unknown>>;

/** All rows of a database with what was sealed in them opened; the uses of calls without their times, which are those of its clock. */
export async function everythingIn(of: TestDatabase): Promise<Readonly<Record<string, readonly Cells[]>>> {
  const { engine } = fleetIn(await of.administer());
  const all: Record<string, readonly Cells[]> = {};
  for (const table of tables) {
    const rows = await engine.rows(select(table, `ORDER BY ${table.key.join(', ')}`));
    all[table.name] = rows.map((found) => {
      const opened = openedRow(testVault(), table, found);
      if (opened === undefined) throw new Error(`a row of ${table.name} does not open`);
      const clear = Object.entries(opened.row).filter(([name]) => table.sealed?.[name] === undefined);
      const { record } = opened.records as { record?: { uses?: readonly unknown[] } };
      const uses = record?.uses === undefined ? {} : { record: { ...record, uses: record.uses.length } };
      return { ...Object.fromEntries(clear), ...opened.records, ...uses };
    });
  }
  await of.end();
  return all;
}

/** What the files of a home keep, for whoever works with it. */
export async function atHome<T>(
  stateDir: string,
  work: (home: HomeState) => Promise<T>,
  { run = '20261121T110000000Z-athome', processInfo = ownIdentity() } = {},
): Promise<T> {
  const home = stateOn(homeEngines(stateDir), { run, clock: createClock(), processInfo });
  try {
    return await work(home);
  } finally {
    await home.close();
  }
}

/** All that the ports tell of a home, and beside it the rows that a home must have back bit by bit. */
export async function everythingAt(stateDir: string) {
  const rows = (file: 'state' | 'log', sql: string) => rowsIn(stateDir, file, sql);
  return atHome(stateDir, async ({ resources, journal, intents }) => {
    const parents = rows('state', 'SELECT DISTINCT noun, parent FROM conversation ORDER BY 1, 2');
    const writes = await journal.openWrites();
    const runs = [];
    for await (const one of await journal.runs()) runs.push({ ...one, records: await journal.read(one.run) });
    return {
      resources: await Promise.all(
        (['payment', 'consent', 'basket'] as const).map((noun) => resources.list('acme', noun)),
      ),
      conversations: await Promise.all(
        parents.map(({ noun, parent }) =>
          resources.conversations('acme', noun as 'payment', Buffer.from(parent as Uint8Array).toString()),
        ),
      ),
      runs,
      ended: rows('log', 'SELECT run, profile, ended FROM run ORDER BY run').map(({ ended, ...row }) => ({
        ...row,
        ended: JSON.parse(String(ended)) as unknown,
      })),
      writes,
      exact: await Promise.all(writes.map(({ run, exchange }) => journal.exact(run, exchange))),
      intents: await Promise.all(
        rows('state', 'SELECT hash FROM intent ORDER BY 1').map(({ hash }) => intents.find(String(hash))),
      ),
      rows: [
        rows('state', 'SELECT * FROM open_write ORDER BY run, exchange'),
        rows('state', 'SELECT * FROM conversation ORDER BY profile, noun, parent, kind, name'),
        rows('state', 'SELECT profile, noun, id, created_at, record FROM resource ORDER BY 1, 2, 3'),
        rows(
          'state',
          'SELECT hash, profile, content, owner, created_at, record, ending FROM intent ORDER BY 1',
        ),
        rows('log', 'SELECT run, type, profile, record FROM record ORDER BY run, number'),
        rows('log', 'SELECT key FROM usage ORDER BY 1'),
      ],
    };
  });
}

interface Moved {
  kind: string;
  moved: number;
  same: number;
}

/** What a run in a home has its state in. */
export const inDatabase = async (home: PayingHome, shared: TestDatabase) => ({
  env: { ...home.env, ...stateEnvironment((await shared.url()).reveal()) },
});

/** Moves a home; what it tells, by kinds. */
export async function moved(
  home: PayingHome,
  shared: TestDatabase,
  words: string,
): Promise<readonly Moved[]> {
  await shared.end();
  const ran = await home.run([...words.split(' '), '--json'], await inDatabase(home, shared));
  expect(ran.stderr).toBe('');
  return (JSON.parse(ran.stdout) as { moved: Moved[] }).moved;
}
