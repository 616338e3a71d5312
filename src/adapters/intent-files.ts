import { dirname, join } from 'node:path';
import { ObkError } from '../errors.ts';
import type { Clock, Intent, Journal } from '../ports.ts';
import {
  createExclusively,
  createMarker,
  makeDirectory,
  namesIn,
  readIfThere,
  sweep,
  writeAtomically,
} from './atomic-file.ts';
import { guard, guardAsync, promised } from './file-errors.ts';
import { withLock } from './file-lock.ts';
import { isIdentity, lifeOf } from './process-identity.ts';
import type { ProcessIdentity } from './process-identity.ts';
import { checkProfileName, compactTime, newestFirst, safeName } from './safe-name.ts';

const notRead = 'An intent cannot be read.';
const notWritten = 'The intent could not be recorded, so nothing is sent.';
/** How long the process of another container or machine is taken for alive: nobody can look. */
const foreignLifeMs = 24 * 60 * 60 * 1000;

type Stored = Intent & { owner: ProcessIdentity };

export interface IntentFiles extends Pick<
  Journal,
  'claim' | 'takeOver' | 'noteResource' | 'intent' | 'intentsLike' | 'newestIntent' | 'intentRuns'
> {
  /** Does something while this run's claim of an intent cannot be taken over. Throws where it already was. */
  whileOwned<T>(hash: string, run: string, action: () => T): Promise<T>;
}

/** One file for each intent, named by its hash, and an empty marker that finds it by profile, time and content. */
export function intentFiles(options: {
  directory: string;
  clock: Clock;
  owner: ProcessIdentity;
  /** Whether a run has sent the write of an intent and recorded no end of it. */
  isOnItsWay: (run: string, hash: string) => boolean;
}): IntentFiles {
  const { directory, clock, owner, isOnItsWay } = options;
  const pathOf = (hash: string) => join(directory, `${safeName(hash)}.json`);
  const markersOf = (profile: string) => join(directory, 'of', checkProfileName(profile));
  const markerOf = ({ createdAt, fingerprint, hash }: Intent) =>
    `${compactTime(createdAt)}_${safeName(fingerprint)}_${safeName(hash)}`;

  let swept = false;

  function read(path: string): Stored | undefined {
    const text = guard('STATE_UNREADABLE', notRead, path, () => readIfThere(path));
    return text === undefined ? undefined : parse(text, path);
  }

  function makeReady(): void {
    makeDirectory(dirname(directory));
    makeDirectory(directory);
    if (!swept) sweep(directory);
    swept = true;
  }

  function mark(intent: Intent): void {
    const markers = markersOf(intent.profile);
    makeDirectory(markers);
    createMarker(join(markers, markerOf(intent)));
  }

  function locked<T>(hash: string, action: (path: string) => T): Promise<T> {
    const path = pathOf(hash);
    return guardAsync('STATE_NOT_WRITTEN', notWritten, path, () => {
      makeReady();
      return withLock(`${path}.lock`, clock, () => action(path));
    });
  }

  /** Newest first; a marker counts only where its intent says the same. */
  function* marked(profile: string, part: string): Generator<Intent> {
    const markers = markersOf(profile);
    const names = guard('STATE_UNREADABLE', notRead, markers, () => namesIn(markers));
    for (const name of names.filter((other) => other.includes(part)).sort(newestFirst)) {
      const stored = read(join(directory, `${name.slice(name.lastIndexOf('_') + 1)}.json`));
      if (stored && stored.profile === profile && markerOf(stored) === name) yield withoutOwner(stored);
    }
  }

  return {
    claim: (intent) =>
      promised(() => {
        const path = pathOf(intent.hash);
        const claimed = guard('STATE_NOT_WRITTEN', notWritten, path, () => {
          if (readIfThere(path) !== undefined) return false;
          makeReady();
          mark(intent);
          return createExclusively(path, JSON.stringify({ ...intent, owner }));
        });
        if (claimed) return { claimed };
        const earlier = read(path);
        if (!earlier) throw new Error(`${path} is gone`);
        return { claimed, intent: withoutOwner(earlier), ownerAlive: isElsewhereAlive(earlier) };
      }),

    takeOver: (intent, previousRun) =>
      locked(intent.hash, (path) => {
        const earlier = read(path);
        if (earlier?.run !== previousRun || isElsewhereAlive(earlier)) return false;
        if (isOnItsWay(previousRun, intent.hash)) return false;
        mark(intent);
        writeAtomically(path, JSON.stringify({ ...intent, owner }));
        return true;
      }),

    noteResource: (hash, resourceId) =>
      locked(hash, (path) => {
        const stored = read(path);
        if (stored) writeAtomically(path, JSON.stringify({ ...stored, resourceId }));
      }),

    intent: (hash) =>
      promised(() => {
        const stored = read(pathOf(hash));
        return stored && withoutOwner(stored);
      }),

    intentsLike: (profile, fingerprint) =>
      promised(() =>
        [...marked(profile, `_${safeName(fingerprint)}_`)].filter(
          (intent) => intent.fingerprint === fingerprint,
        ),
      ),

    newestIntent: (profile) => promised(() => marked(profile, '').next().value as Intent | undefined),

    intentRuns: () =>
      promised(() => {
        const names = guard('STATE_UNREADABLE', notRead, directory, () => namesIn(directory));
        const stored = names
          .filter((name) => name.endsWith('.json'))
          .map((name) => read(join(directory, name)));
        return new Set(stored.flatMap((intent) => (intent === undefined ? [] : [intent.run])));
      }),

    whileOwned: (hash, run, action) =>
      locked(hash, (path) => {
        const stored = read(path);
        if (stored && stored.run !== run) throw takenOver(stored);
        return action();
      }),
  };

  function isElsewhereAlive(stored: Stored): boolean {
    const life = lifeOf(stored.owner);
    if (life !== 'foreign') return life === 'alive' && stored.owner.pid !== owner.pid;
    // After a reboot the owner is dead for sure; in another container of this boot nobody knows.
    if (stored.owner.bootId !== owner.bootId) return false;
    return clock.now().getTime() - Date.parse(stored.createdAt) < foreignLifeMs;
  }
}

function withoutOwner({ owner: _owner, ...intent }: Stored): Intent {
  return intent;
}

function parse(text: string, path: string): Stored {
  const stored = asObject(text);
  if (typeof stored.schemaVersion === 'number' && stored.schemaVersion > 1) {
    throw new ObkError({
      code: 'STATE_NEWER',
      title: 'A newer obk has written this file.',
      detail: `${path} has schemaVersion ${stored.schemaVersion}; this obk knows 1.`,
    });
  }
  const { hash, profile, run, createdAt, bodyHash, fingerprint, owner } = stored;
  const texts = [hash, profile, run, createdAt, bodyHash, fingerprint];
  const whole = stored.schemaVersion === 1 && texts.every((field) => typeof field === 'string');
  if (whole && isIdentity(owner)) return stored as unknown as Stored;
  throw new ObkError({
    code: 'STATE_UNREADABLE',
    title: notRead,
    detail: `${path}: it does not hold what obk wrote.`,
    hint: ['Ask the bank whether the payment exists before it is sent again.'],
  });
}

function asObject(text: string): Partial<Record<keyof Stored, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

function takenOver(intent: Intent): ObkError {
  return new ObkError({
    code: 'INTENT_IN_PROGRESS',
    title: 'Another process has taken over this payment.',
    detail: `Run ${intent.run} carries it out since ${intent.createdAt}; nothing was sent here.`,
    hint: ['Run this again with the same --intent-key to see what became of it.'],
  });
}
