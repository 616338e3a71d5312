import { join } from 'node:path';
import type { Clock } from '../../client/ports/clock.ts';
import type { Engine } from '../../client/ports/engine.ts';
import type { Gate } from '../../client/ports/gate.ts';
import { usualCallMs } from '../../base/waits.ts';
import type { StateWaits } from '../../base/waits.ts';
import { claimCount } from '../../client/state/claim-count.ts';
import { keptState } from '../../client/state/kept-state.ts';
import type { KeptState } from '../../client/state/kept-state.ts';
import type { Owners } from '../../client/state/owners.ts';
import { ddlOf, removedIntent, schemaVersion, tables } from '../../client/state/tables.ts';
import type { Table } from '../../client/state/tables.ts';
import { makeDirectory } from '../files/atomic-file.ts';
import { jsonIn } from '../files/json-in.ts';
import { timeInName } from '../files/safe-name.ts';
import { isIdentity, mayLive, ownIdentity } from '../system/process-identity.ts';
import type { ProcessIdentity } from '../system/process-identity.ts';
import { needFitFileSystem, typeOnThisMachine } from './file-systems.ts';
import type { TypeOf } from './file-systems.ts';
import { plainCodec as codec } from './plain-codec.ts';
import { sizeOf, sqliteEngine, sqliteWords } from './sqlite-engine.ts';
import type { SqliteFile } from './sqlite-engine.ts';
import { lstatSync } from 'node:fs';
import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import { sharedFolders } from '../files/folder-trust.ts';

/** SQLite empties its log after some 4 MiB, unless somebody reads what was before: then it grows by about 100 KiB with each payment. */
const heldLog = 32 * 1024 * 1024;

/** What a run keeps at home. */
export interface HomeState extends KeptState {
  close(): Promise<void>;
}

/**
 * The two files of a home, by what their loss would do: of `state.db` nothing may be lost, of `log.db` the last second. With `warn`, a
 * damaged `log.db` is moved aside, said, and begun anew.
 */
export function homeEngines(
  stateDir: string,
  {
    warn,
    env = process.env,
    typeOf = typeOnThisMachine,
    waits = { patienceMs: usualCallMs },
  }: { warn?: (line: string) => void; env?: NodeJS.ProcessEnv; typeOf?: TypeOf; waits?: StateWaits } = {},
): Record<keyof typeof tables, Engine> {
  const who = whoIn(env);
  let isFit = false;
  const fit = () => {
    if (isFit) return;
    makeDirectory(stateDir);
    needFitFileSystem(stateDir, typeOf, warn ?? (() => undefined));
    for (const log of ['state.db-wal', 'log.db-wal'].map((name) => join(stateDir, name)))
      if (sizeOf(log) > heldLog)
        warn?.(
          `${log} has grown to ${String(sizeOf(log) >> 20)} MiB: a program has been reading the state all the time. The file shrinks when that ends.`,
        );
    isFit = true;
  };
  const open = (name: keyof typeof tables, more: Pick<SqliteFile, 'lost'> = {}): Engine =>
    sqliteEngine({
      ...{ ...more, ...waits },
      fit,
      path: join(stateDir, `${name}.db`),
      durable: name === 'state',
      ddl: [
        ...tables[name].flatMap((of) => ddlOf(of, sqliteWords)),
        ...(name === 'state' ? [removedIntent] : []),
      ],
      version: schemaVersion,
      ready: () => {
        makeDirectory(stateDir);
        needOwnFiles(join(stateDir, `${name}.db`), who);
      },
    });
  const state = open('state');
  const lost = async (to: string, why: string) => {
    warn?.(
      `The log was damaged (${why}), and a new one was begun: what runs have sent and counted is now in ${to}, which you can remove. Payments are not affected.`,
    );
    await claimCount({ state, log, codec }).goOn();
  };
  const log: Engine = open('log', warn && { lost });
  return { state, log };
}

/** Opens the files of a home for an action, and closes them. */
export async function withEngines<T>(
  stateDir: string,
  how: Parameters<typeof homeEngines>[1],
  action: (engines: ReturnType<typeof homeEngines>) => Promise<T>,
): Promise<T> {
  const engines = homeEngines(stateDir, how);
  try {
    return await action(engines);
  } finally {
    await Promise.all([engines.state.close(), engines.log.close()]);
  }
}

/** In which of the two files a table is. */
export const fileOf = (of: Table): keyof typeof tables =>
  (tables.state as readonly Table[]).includes(of) ? 'state' : 'log';

/** A state that ends with the process. */
export function passingEngine(): Engine {
  return sqliteEngine({
    path: ':memory:',
    durable: false,
    ddl: Object.values(tables).flatMap((some) => some.flatMap((of) => ddlOf(of, sqliteWords))),
    version: schemaVersion,
    ready: () => undefined,
    patienceMs: 0,
  });
}

/** What a run keeps in these engines, of which the log may be the state itself. Nothing is opened before it is needed. */
export function stateOn(
  { state, log }: { state: Engine; log: Engine },
  {
    run,
    clock,
    gate,
    processInfo = ownIdentity(),
  }: { run: string; clock: Clock; gate?: Gate; processInfo?: ProcessIdentity },
): HomeState {
  const owners = ownersHere(processInfo, clock);
  const kept = keptState({
    ...{ state, log, codec, owners, run, clock, gate },
    machine: { id: '' },
    startOf: timeInName,
  });
  return {
    ...kept,
    close: async () => {
      await kept.commit().finally(async () => {
        await state.close();
        if (log !== state) await log.close();
      });
    },
  };
}

function ownersHere(own: ProcessIdentity, clock: Clock): Owners {
  return {
    own: JSON.stringify(own),
    mayLive: (run, owner, began) => {
      const other = jsonIn(owner);
      if (!isIdentity(other)) return false;
      const at = new Date(began);
      // A damaged row may say any number.
      const known = Number.isNaN(at.getTime()) ? undefined : at.toISOString();
      return mayLive(run, other, own, { began: known, now: clock.now() });
    },
  };
}

/** The user of this process, and whether it may use what others could have made. */
interface Who {
  /** Undefined where the system has no users. */
  uid: number | undefined;
  shared: boolean;
}

const whoIn = (env: Readonly<Record<string, string | undefined>>): Who => ({
  uid: process.geteuid?.(),
  shared: /^(?:1|true|yes|on)$/i.test(env[sharedFolders] ?? ''),
});

/**
 * Refuses a database whose files others could have made or may change, before the engine opens them. They are looked at and never
 * opened: to close one would drop the locks that this process holds on it. Throws STATE_UNREADABLE, and what the system says.
 */
export function needOwnFiles(path: string, who: Who): void {
  for (const one of [path, `${path}-wal`, `${path}-shm`]) {
    const stat = lstatSync(one, { throwIfNoEntry: false });
    if (stat === undefined) continue;
    if (stat.isSymbolicLink())
      throw refused(one, 'it is a symbolic link, which is not followed', [line`ls -l ${one}`]);
    if (!stat.isFile()) throw refused(one, 'it is not a regular file', [line`ls -ld ${one}`]);
    if (who.uid === undefined || who.shared) continue;
    // Root is told of folders of other users, and may use them.
    if (stat.uid !== who.uid && who.uid !== 0)
      throw refused(one, `it belongs to another user (${String(stat.uid)})`, [line`ls -l ${one}`, alone]);
    if ((stat.mode & 0o022) !== 0)
      throw refused(one, 'others may write to it', [line`chmod 600 ${one}`, alone]);
  }
}

const alone = `${sharedFolders}=1   # if this machine has no other users, as in a container`;

function refused(path: string, why: string, hint: readonly string[]): ObkError {
  return new ObkError({
    code: 'STATE_UNREADABLE',
    title: 'A file of the state is not safe to use.',
    detail: `${path}: ${why}.`,
    hint,
  });
}
