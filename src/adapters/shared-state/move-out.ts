import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { Clock } from '../../client/ports/clock.ts';
import type { StateMoved } from '../../client/ports/state-store.ts';
import { claimCount } from '../../client/state/claim-count.ts';
import { countsIn } from '../../client/state/contents.ts';
import type { OpenedRow } from '../../client/state/sealed-rows.ts';
import { conversations, intents, openWrites, records, resources, runs } from '../../client/state/tables.ts';
import type { Table } from '../../client/state/tables.ts';
import { makeDirectory, writeAtomically } from '../files/atomic-file.ts';
import type { Database } from '../postgres/database.ts';
import { postgresCredentials } from '../postgres/postgres-credentials.ts';
import { copyRows, copyUses, counted, isSame } from './copy-rows.ts';
import type { Side } from './copy-rows.ts';
import { fleetSide } from './fleet-side.ts';
import type { Within } from './fleet-side.ts';
import { sessionsIn } from './state-contents.ts';
import { homeSide, rowAt } from './state-home.ts';
import type { HomeFiles } from './state-home.ts';

/** Writes the whole state as the files of a home; begun again, it goes on where it was. */
export async function moveOut(within: Within, files: HomeFiles): Promise<StateMoved[]> {
  await needAlone(within.database, within.clock);
  const { count, all } = counted();
  const counting = (of: Table) => (isNew: boolean) => {
    // A run is counted with its records.
    if (of !== records) count(of.kind ?? of.name, isNew);
  };
  const from = fleetSide(within);
  const home = homeSide(files.stateDir);
  const to = { ...home, unread: (of: Table, found: OpenedRow['row']) => another(files.stateDir, of, found) };
  try {
    for (const of of [intents, runs, records, openWrites, resources, conversations])
      await copyRows(of, {
        ...{ from, to, count: counting(of) },
        merge: (there, mine) => {
          // While two keys are in use a PSU may have two, of which the later one counts.
          const later = Number(mine.row['started_at'] ?? 0) - Number(there.row['started_at'] ?? 0);
          if (later !== 0) return later > 0 ? mine : there;
          if (!isSame(of, there, mine)) throw another(files.stateDir, of, mine.row);
          return there;
        },
      });
    await countClaims(home);
    await bringCredentials(within, files, count);
    await copyUses(from, home, (isNew) => {
      count('counts of calls', isNew);
    });
  } finally {
    await home.close();
  }
  return all();
}

/** What came was begun and seen: where it is lost there, it is missing. */
async function countClaims({ engine, codec }: Side): Promise<void> {
  const [state, log] = [engine(intents), engine(runs)];
  const [{ count } = { count: 0 }] = await countsIn(engine, [intents]);
  await claimCount({ state, log, codec }).atLeast(count, count);
}

/** Throws LOCK_BUSY while another run is connected. A server takes its time to see off who has just ended. */
async function needAlone(database: Database, clock: Clock): Promise<void> {
  for (let turn = 0; ; turn += 1) {
    const other = (await sessionsIn(database)).find(({ self }) => !self);
    if (other === undefined) return;
    if (turn === 10)
      throw new ObkError({
        code: 'LOCK_BUSY',
        title: 'Another run is connected to this state, so nothing is moved.',
        detail: `${other.application} as ${other.user}: what it does next would be left behind.`,
        hint: ['obk state status   # who is connected'],
      });
    await clock.sleep(100);
  }
}

async function bringCredentials(
  { database, vault }: Within,
  home: HomeFiles,
  count: (kind: string, isNew: boolean) => void,
): Promise<void> {
  const shared = postgresCredentials({ database, vault, chosen: () => Promise.resolve(undefined) });
  for (const { profile } of await database.rows<{ profile: string }>(
    'SELECT profile FROM credential ORDER BY 1',
  )) {
    const credentials = await shared.read(profile);
    await home.credentials.update(profile, () => credentials);
    count('credentials', true);
  }
  const text = Buffer.from(`${(await shared.machineKey()).reveal()}\n`);
  const path = join(home.stateDir, 'machine.key');
  const isNew = !existsSync(path);
  if (!isNew && !readFileSync(path).equals(text)) throw anotherAt(home.stateDir, path);
  makeDirectory(dirname(path));
  if (isNew) writeAtomically(path, text);
  count('shared keys', isNew);
}

const another = (stateDir: string, of: Table, row: OpenedRow['row']): ObkError =>
  anotherAt(stateDir, rowAt(stateDir, of, row));

function anotherAt(stateDir: string, what: string): ObkError {
  return new ObkError({
    code: 'INPUT_INVALID',
    title: 'The folder holds another state.',
    detail: `${what} is there and says something else.`,
    hint: [line`obk state export --to ${`${dirname(stateDir)}-new`}   # a folder of its own`],
  });
}
