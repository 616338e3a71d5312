import { basename, dirname, join } from 'node:path';
import { ObkError } from '../../base/errors.ts';
import type { Clock } from '../../client/ports/clock.ts';
import type { Intents } from '../../client/ports/intents.ts';
import type { Journal } from '../../client/ports/journal.ts';
import { brokenIntent, checkMayLeave, ended, leftOf, mayBeTaken } from '../../client/state/intent-rules.ts';
import type { BrokenIntent, Intent } from '../../settings/records/journal.ts';
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
import type { Marker } from './intent-markers.ts';
import { jsonObjectIn } from '../files/json-in.ts';
import { hasShape } from '../files/kept-shape.ts';
import type { Shape } from '../files/kept-shape.ts';
import { listing } from '../files/listing.ts';
import { isIdentity, mayLive, ownIdentity } from '../system/process-identity.ts';
import type { ProcessIdentity } from '../system/process-identity.ts';
import { newestFirst, safeName } from '../files/safe-name.ts';
import { isSealed, seal, unsealFile } from '../files/sealed.ts';

const notRead = 'An intent cannot be read.';
const notWritten = 'The intent could not be recorded, so nothing is sent.';
const notNoted = 'The outcome of a payment could not be recorded.';
const suffix = '.json';

/** An intent as its file holds it. */
export type StoredIntent = Intent & { owner: ProcessIdentity };
type Stored = StoredIntent;

/** So far back a payment may be a duplicate although its outcome is known. */
const recentMs = 24 * 60 * 60 * 1000;

/**
 * One sealed file for each intent, named by its hash, and empty markers that find it by profile, time and content and tell that it
 * is missing. An intent that lacks one is found all the same: of late by another marker, an unknown one by its open write.
 */
export function intentFiles(options: {
  stateDir: string;
  clock: Clock;
  journal: Pick<Journal, 'cameToNothing' | 'openWrites'>;
  processInfo?: ProcessIdentity;
}): Intents {
  const { stateDir, clock, journal, processInfo: owner = ownIdentity() } = options;
  const directory = join(stateDir, 'intents');
  const pathOf = (hash: string) => join(directory, `${safeName(hash)}${suffix}`);
  // The folder of the intents grows for ever: what is half written stands in one that can be looked through.
  const temporaries = join(directory, 'tmp');
  const markers = intentMarkers(directory);

  let swept = false;

  function read(path: string): Stored | undefined {
    const text = guard('STATE_UNREADABLE', notRead, path, () => readIfThere(path));
    return text === undefined ? undefined : parse(text, path);
  }

  function write(path: string, stored: Stored): void {
    writeAtomically(path, seal(stored), temporaries);
  }

  function makeReady(): void {
    makeDirectory(dirname(directory));
    makeDirectory(directory);
    makeDirectory(temporaries);
    if (!swept) sweep(temporaries);
    swept = true;
  }

  function locked<T>(hash: string, title: string, action: (path: string) => T | Promise<T>): Promise<T> {
    const path = pathOf(hash);
    return guardAsync('STATE_NOT_WRITTEN', title, path, () => {
      makeReady();
      return withLock(`${path}.lock`, clock, () => action(path), { folder: temporaries });
    });
  }

  function hashes(): string[] {
    const names = guard('STATE_UNREADABLE', notRead, directory, () => listing(directory));
    return names.filter((name) => name.endsWith(suffix)).map((name) => name.slice(0, -suffix.length));
  }

  /** Marks what has no marker, and sweeps: once, and again where the markers of a profile are lost. The check of the content goes by them. */
  function markAll(profile: string): void {
    if (markers.isWhole(profile)) return;
    const known = hashes();
    // A home that was never written to has nothing to look for.
    if (known.length === 0) return;
    guard('STATE_NOT_WRITTEN', notWritten, directory, () => {
      sweep(directory, listing(directory));
      const marked = new Set(markers.all().map(({ hash }) => hash));
      for (const hash of known.filter((one) => !marked.has(one))) {
        const stored = read(join(directory, hash + suffix));
        if (stored !== undefined) markers.add(stored);
      }
      markers.noteWhole(profile);
    });
  }

  /** A marker counts only where its intent says the same. */
  function marked(profile: string, marker: Marker): Stored | undefined {
    const path = join(directory, marker.hash + suffix);
    const stored = read(path);
    if (stored === undefined) throw brokenIntent(path, 'it is missing', marker.hash);
    return stored.profile === profile && markers.nameOf(stored) === marker.name ? stored : undefined;
  }

  /** Intents of open writes, which need no marker to be found; one that is damaged is told of by what needs it. */
  async function ofOpenWrites(): Promise<Stored[]> {
    const hashes = (await journal.openWrites()).flatMap(({ intent }) => intent ?? []);
    return [...new Set(hashes)]
      .map(pathOf)
      .filter((path) => !isBroken(path))
      .flatMap((path) => read(path) ?? []);
  }

  return {
    claim: (intent) =>
      promised(() => {
        const path = pathOf(intent.hash);
        const claimed = guard('STATE_NOT_WRITTEN', notWritten, path, () => {
          if (readIfThere(path) !== undefined) return false;
          if (markers.has(intent)) throw brokenIntent(path, 'it is missing', intent.hash);
          makeReady();
          if (!createExclusively(path, seal({ ...intent, sent: false, owner }), temporaries)) return false;
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
        if (!mayBeTaken(earlier, await cameToNothing(earlier))) return false;
        markers.add(intent);
        write(path, { ...intent, sent: false, owner });
        return true;
      }),

    noteResource: (hash, resourceId) =>
      locked(hash, notNoted, (path) => {
        const stored = read(path);
        if (stored && stored.resourceId !== resourceId) write(path, { ...stored, resourceId });
      }),

    settle: (hash, settled, of = {}) =>
      locked(hash, notNoted, (path) => {
        const stored = read(path);
        if (stored === undefined) return;
        const after = ended(stored, settled, of);
        if (after !== undefined) write(path, { ...after, owner: stored.owner });
      }),

    find: (hash) =>
      promised(() => {
        const stored = read(pathOf(hash));
        return stored && withoutOwner(stored);
      }),

    like: async (profile, fingerprint) => {
      markAll(profile);
      const since = new Date(clock.now().getTime() - recentMs).toISOString();
      const found = markers
        .like(profile, fingerprint, since)
        .flatMap((marker) => marked(profile, marker) ?? [])
        .concat(await ofOpenWrites())
        .filter((stored) => stored.profile === profile && stored.fingerprint === fingerprint);
      return [...new Map(found.map((stored) => [stored.hash, stored])).values()]
        .sort((one, other) => newestFirst(one.createdAt, other.createdAt))
        .map((stored) => ({ ...withoutOwner(stored), alive: isAlive(stored) }));
    },

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
        if (text !== undefined) writeAtomically(`${path}.damaged`, text, temporaries);
        write(path, { ...intent, owner });
        markers.add(intent);
      }),

    newest: (profile) =>
      promised(() => {
        for (const marker of markers.of(profile)) {
          const stored = marked(profile, marker);
          if (stored !== undefined) return withoutOwner(stored);
        }
        return undefined;
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
        if (stored === undefined) throw brokenIntent(path, 'it is missing', hash);
        checkMayLeave(stored, run, await cameToNothing(stored));
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
        return leftOf(stored, run);
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

  /** Asked only where the intent itself does not say that nothing left. */
  async function cameToNothing({ run, hash, sent, settled }: Stored): Promise<boolean> {
    return sent !== false && settled === undefined && (await journal.cameToNothing(run, hash));
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
  const gone = intentMarkers(directory)
    .all()
    .map(({ hash }) => hash)
    .find((hash) => !known.has(hash));
  if (gone !== undefined) throw brokenIntent(join(directory, gone + suffix), 'it is missing', gone);
  return all;
}

/** The files that hold an intent: its own with its text, and the empty ones that find it. */
export function filesOfIntent(stored: StoredIntent): {
  own: readonly [path: string, text: Uint8Array];
  markers: readonly string[];
} {
  return {
    own: [join('intents', `${safeName(stored.hash)}${suffix}`), seal(stored)],
    markers: intentMarkers('intents').pathsOf(stored),
  };
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
  throw brokenIntent(path, 'it does not hold what obk wrote', name);
}
