import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ObkError } from '../errors.ts';
import type { Clock, Header, Ids, Journal, JournalRecord, JournalRun } from '../ports.ts';
import {
  createExclusively,
  makeDirectory,
  namesIn,
  readIfThere,
  removeIfThere,
  sweep,
  syncDirectory,
} from './atomic-file.ts';
import { guard, guardAsync, promised } from './file-errors.ts';
import { withLock } from './file-lock.ts';
import { intentFiles } from './intent-files.ts';
import { appendLine, readLines } from './journal-lines.ts';
import { ownIdentity } from './process-identity.ts';
import type { ProcessIdentity } from './process-identity.ts';
import { newestFirst, newRunId, safeName, timeInName } from './safe-name.ts';

const notRead = 'The journal cannot be read.';
const notWritten = 'The journal could not be written.';
const notRemoved = 'A run could not be removed from the journal.';
const suffix = '.ndjson';

type Exact = { headers: readonly Header[]; body: string };

/** One file of lines for each run, one small file for each write that is not answered, one file for each intent. */
export function createJournal(options: {
  stateDir: string;
  clock: Clock;
  ids: Ids;
  /** Given where the caller needs the id before the journal is loaded. */
  run?: string;
  processInfo?: ProcessIdentity;
}): Journal {
  const { stateDir, clock, processInfo = ownIdentity() } = options;
  const run = options.run ?? newRunId(clock, options.ids);
  const directory = join(stateDir, 'journal');
  const open = join(directory, 'open');
  const pathOf = (of: string) => join(directory, `${fileName(of)}${suffix}`);
  const openPathOf = (of: string, exchange: string) =>
    join(open, `${fileName(of)}.${safeName(exchange)}.json`);
  /** The writes of this run, with the intents that they carry out. */
  const writes = new Map<string, { intent: string | undefined }>();
  let made = false;
  let durableName = false;

  const intents = intentFiles({
    directory: join(stateDir, 'intents'),
    clock,
    owner: processInfo,
    isOnItsWay: (of, hash) => {
      const records = readLines(pathOf(of));
      return records.some(
        (record) =>
          record.type === 'prepared' &&
          record.intent === hash &&
          lastOf(records, record.exchange) === 'sending',
      );
    },
  });

  function makeDirectories(): void {
    if (made) return;
    makeDirectory(stateDir);
    makeDirectory(directory);
    makeDirectory(open);
    sweep(open);
    made = true;
  }

  function write(record: JournalRecord, durable: boolean): void {
    appendLine(pathOf(run), record, durable);
    if (durable && !durableName) {
      syncDirectory(directory);
      durableName = true;
    }
  }

  function prepare(record: Extract<JournalRecord, { type: 'prepared' }>, durable: boolean): void {
    const { exact, ...rest } = record;
    if (!record.write) {
      write(rest, durable);
      return;
    }
    // First of all: from now on the run is found among the open ones, however it ends.
    const openPath = openPathOf(run, record.exchange);
    createExclusively(openPath, JSON.stringify(exact ?? null));
    try {
      write(rest, durable);
    } catch (error) {
      removeIfThere(openPath);
      throw error;
    }
    writes.set(record.exchange, { intent: record.intent });
  }

  function closeIfOver(of: string, record: JournalRecord): void {
    if (!('exchange' in record) || !isEnd(record)) return;
    writes.delete(record.exchange);
    removeIfThere(openPathOf(of, record.exchange));
  }

  function list(): JournalRun[] {
    const names = guard('STATE_UNREADABLE', notRead, directory, () => namesIn(directory));
    return names
      .filter((name) => name.endsWith(suffix))
      .map((name) => name.slice(0, -suffix.length))
      .sort(newestFirst)
      .flatMap(asRun);
  }

  return {
    ...intents,
    run,

    append: (record, { durable }) =>
      guardAsync('STATE_NOT_WRITTEN', notWritten, pathOf(run), async () => {
        makeDirectories();
        const intent = record.type === 'sending' ? writes.get(record.exchange)?.intent : undefined;
        if (record.type === 'prepared') prepare(record, durable);
        else if (intent === undefined) write(record, durable);
        else
          await intents.whileOwned(intent, run, () => {
            write(record, durable);
          });
        closeIfOver(run, record);
      }),

    resolve: (of, record) => {
      const path = pathOf(of);
      return guardAsync('STATE_NOT_WRITTEN', notWritten, path, () => {
        if (!existsSync(path)) throw new Error('there is no such run');
        return withLock(`${path}.lock`, clock, () => {
          appendLine(path, record, true);
          closeIfOver(of, record);
        });
      });
    },

    runs: () => promised(list),

    read: (of) => promised(() => readLines(pathOf(of))),

    openRuns: () =>
      promised(() => {
        const names = guard('STATE_UNREADABLE', notRead, open, () => namesIn(open));
        const runs = new Set(
          names.filter((name) => name.endsWith('.json')).map((name) => name.split('.')[0] ?? ''),
        );
        return [...runs].sort(newestFirst).filter(holdsOpenWrite).flatMap(asRun);
      }),

    remove: (of) =>
      promised(() => {
        guard('STATE_NOT_WRITTEN', notRemoved, pathOf(of), () => {
          const own = `${fileName(of)}.`;
          for (const name of namesIn(open)) if (name.startsWith(own)) removeIfThere(join(open, name));
          removeIfThere(pathOf(of));
        });
      }),

    exact: (of, exchange) =>
      promised(() => {
        const path = openPathOf(of, exchange);
        const text = guard('STATE_UNREADABLE', notRead, path, () => readIfThere(path));
        return text === undefined ? undefined : parseExact(text, path);
      }),
  };

  /** Also removes what a kill between the last record and the removal has left behind. */
  function holdsOpenWrite(of: string): boolean {
    let records: JournalRecord[];
    try {
      records = readLines(pathOf(of));
    } catch (error) {
      // Whoever reads it will be told; not to list it would hide a write.
      if (error instanceof ObkError) return true;
      throw error;
    }
    let holds = false;
    for (const record of records) {
      if (record.type !== 'prepared' || !record.write) continue;
      const last = lastOf(records, record.exchange);
      if (last === 'end') removeIfThere(openPathOf(of, record.exchange));
      else if (last !== 'prepared') holds = true;
    }
    return holds;
  }
}

/** Where an exchange stands: `unknown` is an end that says nothing about the bank. */
function lastOf(
  records: readonly JournalRecord[],
  exchange: string,
): 'prepared' | 'sending' | 'unknown' | 'end' {
  let last: 'prepared' | 'sending' | 'unknown' | 'end' = 'prepared';
  for (const record of records) {
    if (!('exchange' in record) || record.exchange !== exchange) continue;
    if (record.type === 'prepared' || record.type === 'sending') last = record.type;
    else last = isEnd(record) ? 'end' : 'unknown';
  }
  return last;
}

function isEnd(record: JournalRecord): boolean {
  if (record.type === 'resolved') return true;
  return (record.type === 'answered' || record.type === 'failed') && record.outcome !== 'UNKNOWN';
}

function asRun(run: string): JournalRun[] {
  const startedAt = timeInName(run);
  return startedAt === undefined ? [] : [{ run, startedAt }];
}

/** A run's id is a name already; any other text becomes one that no file has. */
function fileName(run: string): string {
  return /^\d{8}T\d{9}Z-[0-9a-z-]{1,64}$/.test(run) ? run : safeName(run);
}

function parseExact(text: string, path: string): Exact | undefined {
  try {
    const exact = JSON.parse(text) as Exact | null;
    if (exact === null) return undefined;
    if (typeof exact.body === 'string' && Array.isArray(exact.headers)) return exact;
  } catch {
    // Said below.
  }
  throw new ObkError({
    code: 'STATE_UNREADABLE',
    title: notRead,
    detail: `${path}: it does not hold what obk wrote.`,
  });
}
