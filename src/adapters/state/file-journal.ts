import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ObkError } from '../../base/errors.ts';
import type { Clock, Ids } from '../../client/ports/clock.ts';
import type { Intents } from '../../client/ports/intents.ts';
import type { Journal } from '../../client/ports/journal.ts';
import type { EndedRun, JournalRecord, JournalRun, OpenWrite } from '../../settings/records/journal.ts';
import { makeDirectory, sweep, syncDirectory } from '../files/atomic-file.ts';
import { cameToNothing, isEnd, lastOf } from './exchange-state.ts';
import { guard, guardAsync, promised } from '../files/file-errors.ts';
import { withLock } from '../files/file-lock.ts';
import { followFiles } from './journal-follower.ts';
import { appendLine, nothing, readLines, readOn } from './journal-lines.ts';
import type { LinesRead } from './journal-lines.ts';
import { openWriteFiles } from './open-write-files.ts';
import type { Found } from './open-write-files.ts';
import { mayLive, ownIdentity } from '../system/process-identity.ts';
import type { ProcessIdentity } from '../system/process-identity.ts';
import { fileName, isRunId, runFiles } from './run-files.ts';
import { runIndex, summary } from './run-index.ts';
import type { IndexRead } from './run-index.ts';
import { newRunId, safeName, timeInName } from '../files/safe-name.ts';

const notRead = 'The journal cannot be read.';
const notWritten = 'The journal could not be written.';
const notRemoved = 'A run could not be removed from the journal.';
/** So many runs that the index does not know are read one by one. */
const fewUnknown = 200;
/** So many lines of the index are read one by one. */
const fewLines = 500;
const mostSeen = 64;
const mostOwn = 500;

/** One file of lines for each run, one small file for each write that is not over. */
export function createJournal(options: {
  stateDir: string;
  clock: Clock;
  ids: Ids;
  intents: Pick<Intents, 'letGo' | 'hasLeft'>;
  /** Given where the caller needs the id before the journal is loaded. */
  run?: string;
  processInfo?: ProcessIdentity;
}): Journal {
  const { stateDir, clock, intents, processInfo = ownIdentity() } = options;
  const run = options.run ?? newRunId(clock, options.ids);
  const directory = join(stateDir, 'journal');
  const open = join(directory, 'open');
  const files = runFiles(directory);
  const ownPath = files.newPath(run);
  const pathOf = (of: string) => (of === run ? ownPath : files.pathOf(of));
  const marks = openWriteFiles(open, fileName);
  const index = runIndex(join(directory, 'ended.index'));
  /** The writes of this run, with the intents that they carry out. */
  const writes = new Map<string, { intent: string | undefined; kept: boolean }>();
  /** The records of this run without their texts; undefined once it has written, since others may resolve that, or has become long. */
  let own: JournalRecord[] | undefined = [];
  /** Created resources that are not saved yet, by noun and id. */
  const kept = new Map<string, string>();
  /** The content of runs, as far as it was read. */
  const seen = new Map<string, LinesRead>();
  let profile: string | undefined;
  let made = false;
  let durableName = false;

  function makeDirectories(): void {
    if (made) return;
    makeDirectory(stateDir);
    makeDirectory(directory);
    makeDirectory(dirname(ownPath));
    makeDirectory(open);
    sweep(open);
    made = true;
  }

  function write(record: JournalRecord, durable: boolean): void {
    appendLine(ownPath, record, durable);
    if (durable && !durableName) {
      syncDirectory(dirname(ownPath));
      durableName = true;
    }
  }

  function prepare(record: Extract<JournalRecord, { type: 'prepared' }>, durable: boolean): void {
    const { exact: _, ...rest } = record;
    if (!record.write) {
      write(rest, durable);
      return;
    }
    // First of all: from now on the write is found among the open ones, however the run ends.
    marks.create(run, record, profile, processInfo);
    try {
      write(rest, durable);
    } catch (error) {
      marks.remove(run, record.exchange);
      throw error;
    }
    writes.set(record.exchange, { intent: record.intent, kept: false });
  }

  /** The journal says so first: what says that nothing was sent must be the last to change. */
  async function send(record: Extract<JournalRecord, { type: 'sending' }>, durable: boolean): Promise<void> {
    const own = writes.get(record.exchange);
    const { intent } = own ?? {};
    if (intent !== undefined) {
      await intents.letGo(intent, run, () => {
        write(record, durable);
      });
      return;
    }
    write(record, durable);
    if (own !== undefined) marks.markSent(run, record.exchange);
  }

  function closeIfOver(of: string, record: JournalRecord): void {
    if (!('exchange' in record) || !isEnd(record)) return;
    const own = writes.get(record.exchange);
    if (own?.kept === true && record.type !== 'resolved') return;
    writes.delete(record.exchange);
    marks.remove(of, record.exchange);
  }

  function note(record: JournalRecord): void {
    if ((record.type === 'prepared' && record.write) || (own?.length ?? 0) >= mostOwn) own = undefined;
    own?.push('headers' in record ? { ...record, headers: [], body: '' } : record);
  }

  const unread = <T>(read: () => T): T => guard('STATE_UNREADABLE', notRead, directory, read);

  /** The ids of all runs, oldest first within an hour, of the newest hour first. */
  function* hours(): Generator<readonly string[]> {
    const newestFirst = files.hours();
    for (;;) {
      const next = unread(() => newestFirst.next());
      if (next.done === true) return;
      yield next.value;
    }
  }

  function* listed(): Generator<JournalRun> {
    for (const ids of hours()) for (const id of ids.toReversed()) yield new ListedRun(id);
  }

  /**
   * The runs that the index does not rule out. It is rebuilt where it is of an older obk, lost, long, or full of removed runs, so
   * that the next search is quick again.
   */
  function* runsThat(may: (ended: EndedRun) => boolean): Generator<JournalRun> {
    let known = unread(() => index.read());
    const isLost = known.lines + known.folded === 0 && [...hours()].flat().length > fewUnknown;
    if (isLost || known.lines > fewLines) known = rebuilt() ?? known;
    let [unknown, folded] = [0, 0];
    for (const ids of hours()) {
      let picked = known.pick(ids, may);
      if (unknown <= fewUnknown && unknown + picked.unknown > fewUnknown) {
        known = rebuilt() ?? known;
        picked = known.pick(ids, may);
      }
      unknown += picked.unknown;
      folded += picked.folded;
      for (const id of picked.runs) yield new ListedRun(id);
    }
    if (known.folded - folded > fewUnknown) rebuilt();
  }

  /** Undefined in a home that cannot be written. */
  function rebuilt(): IndexRead | undefined {
    let after: IndexRead | undefined;
    attempt(() => {
      const [all, known] = [[...hours()].flat(), index.all()];
      const unknown = all.filter((one) => !known.has(one));
      if (unknown.length > fewUnknown)
        for (const one of unknown) {
          const ended = summary(readable(one) ?? []);
          if (ended !== undefined) known.set(one, ended);
        }
      const there = new Set(all);
      for (const one of known.keys()) if (!there.has(one)) known.delete(one);
      index.replace(known);
      after = index.read();
    });
    return after;
  }

  return {
    run,

    host: () => Promise.resolve(undefined),

    append: (record, { durable }) =>
      guardAsync('STATE_NOT_WRITTEN', notWritten, pathOf(run), async () => {
        makeDirectories();
        if (record.type === 'run') profile = record.profile;
        if (record.type === 'prepared') prepare(record, durable);
        else if (record.type === 'sending') await send(record, durable);
        else write(record, durable);
        closeIfOver(run, record);
        note(record);
        if (record.type === 'ended')
          attempt(() => {
            index.add(run, own ?? readLines(pathOf(run)));
          });
      }),

    resolve: (of, record) => {
      const path = pathOf(of);
      return guardAsync('STATE_NOT_WRITTEN', notWritten, path, () => {
        if (!existsSync(path)) throw new Error('there is no such run');
        return withLock(`${path}.lock`, clock, () => {
          appendLine(path, record, true);
          closeIfOver(of, record);
          attempt(() => {
            index.forget(of);
          });
        });
      });
    },

    runs: () => promised(() => restartable(listed)),

    oldest: () =>
      promised(() => {
        const oldest = unread(() => files.oldest());
        return oldest === undefined ? undefined : new ListedRun(oldest);
      }),

    read: (of) => promised(() => readNew(of)),

    cameToNothing: (of, hash) => promised(() => cameToNothing(readLines(pathOf(of)), hash)),

    runsThat: (may) => promised(() => restartable(() => runsThat(may))),

    noteFree: (runs) =>
      promised(() => {
        attempt(() => {
          const known = index.all();
          for (const one of runs) {
            const before = known.get(one);
            if (before !== undefined) known.set(one, { ...before, free: true });
          }
          index.replace(known);
        });
      }),

    openWrites,

    openRuns: async () => [...new Set((await openWrites()).map((one) => one.run))].flatMap(asRun),

    keep: (exchange, what) =>
      promised(() => {
        guard('STATE_NOT_WRITTEN', notWritten, open, () => {
          makeDirectories();
          marks.keep(run, exchange, what, processInfo);
          const own = writes.get(exchange);
          if (own !== undefined) own.kept = true;
          kept.set(`${what.resource.noun} ${what.resource.id}`, exchange);
        });
      }),

    saved: (noun, id) =>
      promised(() => {
        const exchange = kept.get(`${noun} ${id}`);
        if (exchange === undefined) return;
        guard('STATE_NOT_WRITTEN', notWritten, open, () => {
          marks.remove(run, exchange);
        });
        kept.delete(`${noun} ${id}`);
      }),

    close: (of, exchange) =>
      promised(() => {
        guard('STATE_NOT_WRITTEN', notWritten, open, () => {
          marks.remove(of, exchange);
        });
      }),

    remove: (of) =>
      promised(() => {
        guard('STATE_NOT_WRITTEN', notRemoved, pathOf(of), () => {
          marks.removeAll(of);
          files.remove(of, clock.now());
        });
      }),

    exact: (of, exchange) => promised(() => marks.exact(of, exchange)),

    follow: ({ signal }) =>
      promised(() =>
        followFiles({ clock, signal, list: listed, pathOf, read: (of) => unlessDamaged(() => readNew(of)) }),
      ),
  };

  async function openWrites(): Promise<OpenWrite[]> {
    const all: OpenWrite[] = [];
    for (const found of marks.list()) {
      const write = await openWrite(found);
      if (write !== undefined) all.push(write);
    }
    return all;
  }

  /** Also removes the mark that a kill between the last record and its removal has left behind. */
  async function openWrite(found: Found): Promise<OpenWrite | undefined> {
    const { run: of, mark } = found;
    const { schemaVersion: _, owner, exact: __, ...facts } = mark ?? {};
    const write: OpenWrite = {
      ...facts,
      run: of,
      exchange: found.exchange,
      alive:
        of !== run &&
        owner !== undefined &&
        mayLive(of, owner, processInfo, { began: mark?.at, now: clock.now() }),
    };
    if (write.made !== undefined) return write;
    const records = readable(of);
    const prepared = records?.find(
      (record) => record.type === 'prepared' && safeName(record.exchange) === found.exchange,
    );
    const last = prepared?.type === 'prepared' ? lastOf(records ?? [], prepared.exchange) : undefined;
    if (last === 'end') {
      attempt(() => {
        marks.remove(of, found.exchange);
      });
      return undefined;
    }
    const hash = mark?.intent ?? (prepared?.type === 'prepared' ? prepared.intent : undefined);
    const left = hash === undefined ? undefined : await intents.hasLeft(hash, of);
    if (left === 'no') return undefined;
    const isOpen =
      last === 'sending' || last === 'unknown' || found.sent || left === 'yes'
        ? true
        : // Whoever reads it will be told; not to list it would hide a write.
          (left === 'maybe' || mark === undefined) && (records === undefined || records.length === 0);
    return isOpen ? write : undefined;
  }

  /** A follower reads only the new lines of a run; beyond `mostSeen` runs the memory would grow instead. */
  function readNew(of: string): readonly JournalRecord[] {
    const found = readOn(pathOf(of), seen.get(of) ?? nothing);
    if (seen.size < mostSeen || seen.has(of)) seen.set(of, found);
    return found.records;
  }

  /** Undefined where it is damaged. */
  function readable(of: string): readonly JournalRecord[] | undefined {
    return unlessDamaged(() => readLines(pathOf(of)));
  }
}

function unlessDamaged<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof ObkError) return undefined;
    throw error;
  }
}

/** A home that cannot be written is no reason not to read. */
function attempt(action: () => void): void {
  try {
    action();
  } catch {
    // The next one that can write does it.
  }
}

/** Computes the time only when it is asked for, since few of thousands of listed runs need it. */
class ListedRun implements JournalRun {
  readonly run: string;

  constructor(run: string) {
    this.run = run;
  }

  get startedAt(): string {
    return timeInName(this.run) ?? '';
  }
}

function asRun(run: string): JournalRun[] {
  return isRunId(run) ? [new ListedRun(run)] : [];
}

/** A look at runs that begins anew each time. */
const restartable = (look: () => Iterator<JournalRun>): Iterable<JournalRun> => ({ [Symbol.iterator]: look });
