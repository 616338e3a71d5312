import { join } from 'node:path';
import { ObkError } from '../../base/errors.ts';
import type { CredentialStore } from '../../client/ports/credentials.ts';
import type { Row } from '../../client/ports/engine.ts';
import { keyOf } from '../../client/state/contents.ts';
import { keptUsage } from '../../client/state/kept-usage.ts';
import { openWrites, records, runs, select, tables } from '../../client/state/tables.ts';
import type { Table } from '../../client/state/tables.ts';
import type { JournalRecord } from '../../settings/records/journal.ts';
import { jsonIn } from '../files/json-in.ts';
import { timeInName } from '../files/safe-name.ts';
import { fileOf, homeEngines } from '../sqlite/home-state.ts';
import { plainCodec } from '../sqlite/plain-codec.ts';
import { isIdentity, isRunning, lifeOf } from '../system/process-identity.ts';
import { openedRows, whole } from './copy-rows.ts';
import type { Side } from './copy-rows.ts';

/** The files of a home, to be moved: where they are, and who reads its tokens. */
export interface HomeFiles {
  stateDir: string;
  credentials: CredentialStore;
  /** The profiles of the settings, whose credentials may be there. */
  profiles: readonly string[];
}

const day = 24 * 60 * 60 * 1000;

/** What a home keeps. Whoever reads a row that is damaged gets STATE_UNREADABLE. */
export function homeSide(stateDir: string): Side & { close(): Promise<void> } {
  const engines = homeEngines(stateDir);
  return {
    engine: (of) => engines[fileOf(of)],
    codec: plainCodec,
    usage: keptUsage({ engine: engines.log, codec: plainCodec }),
    unread: (of, found) => damaged(rowAt(stateDir, of, found)),
    close: async () => {
      await engines.state.close();
      await engines.log.close();
    },
  };
}

/** Where a row of a home is, for people. */
export function rowAt(stateDir: string, of: Table, row: Row): string {
  return `${join(stateDir, `${fileOf(of)}.db`)}: ${of.name} ${keyOf(of, row)}`;
}

/**
 * Reads all of a home, before anything of it is moved. Throws STATE_UNREADABLE where a row is damaged, and LOCK_BUSY while a run goes
 * on: what it writes next would be left behind.
 */
export async function needWholeAndQuiet(home: Side, now: Date): Promise<void> {
  for (const of of [...tables.state, ...tables.log])
    for await (const rows of openedRows(home, of))
      for (const { row } of rows) {
        if (of === openWrites) needNoOwner(row);
        if (of === runs && row['ended'] === null) await needEnd(home, String(row['run']), now);
      }
}

function needNoOwner({ run, owner }: Row): void {
  const its = jsonIn(String(owner));
  if (isIdentity(its) && its.pid !== process.pid && lifeOf(its) === 'alive') throw goingOn(String(run));
}

async function needEnd(home: Side, run: string, now: Date): Promise<void> {
  if (now.getTime() - Date.parse(timeInName(run) ?? '') > day) return;
  const found = await home
    .engine(records)
    .rows(select(records, "WHERE run = ?1 AND type IN ('run', 'ended') ORDER BY number", [run]));
  const all = found.map((one) => whole(home, records, one).records['record'] as JournalRecord);
  const head = all.find((record) => record.type === 'run');
  if (head === undefined || all.some(({ type }) => type === 'ended')) return;
  if (head.pid !== process.pid && isRunning(head.pid)) throw goingOn(`${run} (process ${String(head.pid)})`);
}

function goingOn(run: string): ObkError {
  return new ObkError({
    code: 'LOCK_BUSY',
    title: 'A run is going on in this home, so nothing is moved.',
    detail: `Run ${run} has not ended: what it does next would be left behind.`,
    hint: ['obk log list --limit 5'],
  });
}

function damaged(where: string): ObkError {
  return new ObkError({
    code: 'STATE_UNREADABLE',
    title: 'A row of this home is damaged, so nothing is moved.',
    detail: `${where} does not hold what obk wrote.`,
    hint: ['obk state verify'],
  });
}
