import { basename, dirname, join } from 'node:path';
import { line } from '../../command-line.ts';
import { ObkError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import { profileFolder } from '../../profile-name.ts';
import type { Intents } from '../../ports/intents.ts';
import type { Journal } from '../../ports/journal.ts';
import type { BrokenIntent, Intent } from '../../records/journal.ts';
import {
  createExclusively,
  makeDirectory,
  readIfThere,
  sweep,
  writeAtomically,
} from '../files/atomic-file.ts';
import { guard, guardAsync, newer, promised } from '../files/file-errors.ts';
import { withLock } from '../files/file-lock.ts';
import { intentMarkers } from './intent-markers.ts';
import { jsonObjectIn } from '../files/json-in.ts';
import { hasShape } from '../files/kept-shape.ts';
import type { Shape } from '../files/kept-shape.ts';
import { listing } from '../files/listing.ts';
import { isIdentity, mayLive, ownIdentity } from '../system/process-identity.ts';
import type { ProcessIdentity } from '../system/process-identity.ts';
import { safeName } from '../files/safe-name.ts';
import { isSealed, seal, unsealFile } from '../files/sealed.ts';

const notRead = 'An intent cannot be read.';
const notWritten = 'The intent could not be recorded, so nothing is sent.';
const notNoted = 'The outcome of a payment could not be recorded.';
const suffix = '.json';

/** An intent as its file holds it. */
export type StoredIntent = Intent & { owner: ProcessIdentity };
type Stored = StoredIntent;

/**
 * One sealed file for each intent, named by its hash, and an empty marker that finds it by profile, time and content. Each of
 * the two tells that the other is missing.
 */
export function intentFiles(options: {
  stateDir: string;
  clock: Clock;
  journal: Pick<Journal, 'cameToNothing'>;
  processInfo?: ProcessIdentity;
}): Intents {
  const { stateDir, clock, journal, processInfo: owner = ownIdentity() } = options;
  const directory = join(stateDir, 'intents');
  const pathOf = (hash: string) => join(directory, `${safeName(hash)}${suffix}`);
  const markers = intentMarkers(join(directory, 'of'));

  let swept = false;

  function read(path: string): Stored | undefined {
    const text = guard('STATE_UNREADABLE', notRead, path, () => readIfThere(path));
    return text === undefined ? undefined : parse(text, path);
  }

  function write(path: string, stored: Stored): void {
    writeAtomically(path, seal(stored));
  }

  function makeReady(): void {
    makeDirectory(dirname(directory));
    makeDirectory(directory);
    if (!swept) sweep(directory, listing(directory));
    swept = true;
  }

  function locked<T>(hash: string, title: string, action: (path: string) => T | Promise<T>): Promise<T> {
    const path = pathOf(hash);
    return guardAsync('STATE_NOT_WRITTEN', title, path, () => {
      makeReady();
      return withLock(`${path}.lock`, clock, () => action(path));
    });
  }

  function hashes(): string[] {
    const names = guard('STATE_UNREADABLE', notRead, directory, () => listing(directory));
    return names.filter((name) => name.endsWith(suffix)).map((name) => name.slice(0, -suffix.length));
  }

  /** Marks what a kill, or a lost marker, has left without one: the check of the content goes by markers. */
  function markAll(known: readonly string[]): void {
    const marked = markers.hashes();
    for (const hash of known) {
      if (marked.has(hash)) continue;
      const stored = read(join(directory, hash + suffix));
      if (stored !== undefined) markers.add(stored);
    }
  }

  /** Newest first; a marker counts only where its intent says the same. */
  function* marked(profile: string, fingerprint?: string): Generator<Stored> {
    for (const marker of markers.of(profile, fingerprint)) {
      const path = join(directory, marker.hash + suffix);
      const stored = read(path);
      if (stored === undefined) throw broken(path, 'it is missing', marker.hash);
      if (stored.profile === profile && markers.nameOf(stored) === marker.name) yield stored;
    }
  }

  return {
    claim: (intent) =>
      promised(() => {
        const path = pathOf(intent.hash);
        const claimed = guard('STATE_NOT_WRITTEN', notWritten, path, () => {
          if (readIfThere(path) !== undefined) return false;
          if (markers.has(intent)) throw broken(path, 'it is missing', intent.hash);
          makeReady();
          if (!createExclusively(path, seal({ ...intent, sent: false, owner }))) return false;
          markers.add(intent);
          return true;
        });
        if (claimed) return { claimed };
        const earlier = read(path);
        if (!earlier) throw new Error(`${path} is gone`);
        return {
          claimed,
          intent: withoutOwner(earlier),
          ownerAlive: earlier.run !== intent.run && isAlive(earlier),
        };
      }),

    takeOver: (intent, previousRun) =>
      locked(intent.hash, notWritten, async (path) => {
        const earlier = read(path);
        if (earlier?.run !== previousRun) return false;
        if (previousRun !== intent.run && isAlive(earlier)) return false;
        const isOver = earlier.sent === false || earlier.settled !== undefined;
        if (!isOver && !(await journal.cameToNothing(previousRun, intent.hash))) return false;
        markers.add(intent);
        write(path, { ...intent, sent: false, owner });
        return true;
      }),

    noteResource: (hash, resourceId) =>
      locked(hash, notNoted, (path) => {
        const stored = read(path);
        if (stored && stored.resourceId !== resourceId) write(path, { ...stored, resourceId });
      }),

    settle: (hash, settled, { resourceId, run } = {}) =>
      locked(hash, notNoted, (path) => {
        const stored = read(path);
        // A fact about one run says nothing about the run that has taken the intent over.
        if (!stored || (run !== undefined && stored.run !== run)) return;
        const { amount, currency } = stored.summary;
        write(path, {
          ...stored,
          settled,
          ...(resourceId === undefined ? {} : { resourceId }),
          // The names and accounts are removed with the run; the hashes stay to guard against doubles.
          ...(settled.by === 'pruning' && {
            summary: { ...(amount !== undefined && { amount }), ...(currency !== undefined && { currency }) },
          }),
        });
      }),

    find: (hash) =>
      promised(() => {
        const stored = read(pathOf(hash));
        return stored && withoutOwner(stored);
      }),

    like: (profile, fingerprint) =>
      promised(() => {
        const known = hashes();
        // A home that was never written to has nothing to look for, and one that cannot be written keeps its gaps.
        if (known.length > 0)
          guard('STATE_NOT_WRITTEN', notWritten, directory, () => {
            markAll(known);
          });
        return [...marked(profile, fingerprint)]
          .filter((stored) => stored.fingerprint === fingerprint)
          .map((stored) => ({ ...withoutOwner(stored), alive: isAlive(stored) }));
      }),

    named: (prefix) =>
      promised(() =>
        hashes()
          .filter((hash) => hash.startsWith(prefix))
          .map((hash) => join(directory, hash + suffix))
          .filter((path) => !isBroken(path))
          .flatMap((path) => read(path) ?? [])
          .map(withoutOwner),
      ),

    broken: (prefix) =>
      promised(() => {
        const known = hashes();
        const marks = markers.all().filter(({ hash }) => hash.startsWith(prefix));
        const suspects = new Set([
          ...known.filter((hash) => hash.startsWith(prefix) && isBroken(join(directory, hash + suffix))),
          ...marks.map(({ hash }) => hash).filter((hash) => !known.includes(hash)),
        ]);
        return [...suspects].map((hash): BrokenIntent => {
          const { name: _, ...facts } = marks.find((mark) => mark.hash === hash) ?? {};
          return { ...facts, hash, path: join(directory, hash + suffix) };
        });
      }),

    repair: ({ hash }, intent) =>
      locked(hash, notNoted, (path) => {
        const text = readIfThere(path);
        if (text !== undefined && !isBroken(path)) return;
        if (text !== undefined) writeAtomically(`${path}.damaged`, text);
        write(path, { ...intent, owner });
        markers.add(intent);
      }),

    newest: (profile) =>
      promised(() => {
        const newest = marked(profile).next().value as Stored | undefined;
        return newest && withoutOwner(newest);
      }),

    runs: () =>
      promised(() => {
        const stored = hashes().flatMap((hash) => read(join(directory, hash + suffix)) ?? []);
        const isSettled = ({ settled }: Intent) => settled !== undefined;
        // If a run has several intents, one that is not settled counts.
        const all = [...stored.filter(isSettled), ...stored.filter((intent) => !isSettled(intent))];
        return new Map(all.map((intent) => [intent.run, withoutOwner(intent)]));
      }),

    letGo: (hash, run, record) =>
      locked(hash, notWritten, async (path) => {
        const stored = read(path);
        if (stored === undefined) throw broken(path, 'it is missing', hash);
        if (stored.run !== run) throw takenOver(stored);
        await record();
        write(path, { ...stored, sent: true });
      }),

    // The journal of this home proves it at any time.
    giveBack: () => Promise.resolve(),

    hasLeft: (hash, run) =>
      promised(() => {
        let stored: Stored | undefined;
        try {
          stored = read(pathOf(hash));
        } catch (error) {
          if (!(error instanceof ObkError)) throw error;
        }
        if (stored === undefined) return 'maybe';
        if (stored.run !== run || stored.settled !== undefined || stored.sent === false) return 'no';
        return stored.sent === true ? 'yes' : 'legacy';
      }),
  };

  function isBroken(path: string): boolean {
    try {
      read(path);
      return false;
    } catch (error) {
      if (error instanceof ObkError && error.code === 'STATE_UNREADABLE') return true;
      throw error;
    }
  }

  function isAlive({ run, owner: its, createdAt }: Stored): boolean {
    return mayLive(run, its, owner, { began: createdAt, now: clock.now() });
  }
}

/** All intents of a home, for moving them. Throws STATE_UNREADABLE where one of them is damaged or has disappeared. */
export function storedIntents(stateDir: string): StoredIntent[] {
  const directory = join(stateDir, 'intents');
  const names = guard('STATE_UNREADABLE', notRead, directory, () => listing(directory));
  const all = names
    .filter((name) => name.endsWith(suffix))
    .map((name) => {
      const path = join(directory, name);
      const text = guard('STATE_UNREADABLE', notRead, path, () => readIfThere(path));
      return parse(text ?? '', path);
    });
  const known = new Set(all.map(({ hash }) => safeName(hash)));
  const gone = [...intentMarkers(join(directory, 'of')).hashes()].find((hash) => !known.has(hash));
  if (gone !== undefined) throw broken(join(directory, gone + suffix), 'it is missing', gone);
  return all;
}

/** The files that hold an intent: its own with its text, and the empty one that finds it. */
export function filesOfIntent(stored: StoredIntent): readonly (readonly [path: string, text: Uint8Array])[] {
  const { profile, hash } = stored;
  return [
    [join('intents', `${safeName(hash)}${suffix}`), seal(stored)],
    [join('intents', 'of', profileFolder(profile), intentMarkers('').nameOf(stored)), new Uint8Array()],
  ];
}

function withoutOwner({ owner: _owner, ...intent }: Stored): Intent {
  return intent;
}

/**
 * The members that must be valid in an intent, whichever obk wrote it: a mark of another kind must not permit a second
 * payment.
 */
const shape = {
  ...{
    hash: 'text',
    profile: 'text',
    run: 'text',
    createdAt: 'instant',
    bodyHash: 'text',
    fingerprint: 'text',
  },
  ...{ chosen: 'flag?', summary: 'object', service: 'text?', product: 'text?', resourceId: 'text?' },
  ...{ endToEndIdentification: 'text?', sent: 'flag?', settled: 'object?' },
} as const satisfies Shape;
const shapeOfEnd = { created: 'flag', at: 'instant', by: 'text', reason: 'text' } as const satisfies Shape;

function parse(text: string, path: string): Stored {
  const stored = ((isSealed(text) ? unsealFile(text) : jsonObjectIn(text)) ?? {}) as Partial<
    Record<keyof Stored, unknown>
  >;
  if (typeof stored.schemaVersion === 'number' && stored.schemaVersion > 1) {
    throw newer(path, stored.schemaVersion);
  }
  const name = basename(path, suffix);
  const whole = stored.schemaVersion === 1 && hasShape(stored, shape) && isIdentity(stored.owner);
  const settled = stored.settled === undefined || hasShape(stored.settled, shapeOfEnd);
  if (whole && settled && safeName(stored.hash as string) === name) return stored as unknown as Stored;
  throw broken(path, 'it does not hold what obk wrote', name);
}

function broken(path: string, why: string, hash: string): ObkError {
  return new ObkError({
    code: 'STATE_UNREADABLE',
    title: 'The record of a payment is damaged, so nothing is sent.',
    detail: `${path}: ${why}. It says whether this payment was made before.`,
    hint: [line`obk pending show ${hash.slice(0, 12)}   # what is known, and how it is settled`],
  });
}

function takenOver(intent: Intent): ObkError {
  return new ObkError({
    code: 'INTENT_IN_PROGRESS',
    title: 'Another process has taken over this payment.',
    detail: `Run ${intent.run} has been carrying it out since ${intent.createdAt}; nothing was sent here.`,
    hint: ['Run this again with the same --intent-key to see what became of it.'],
  });
}
