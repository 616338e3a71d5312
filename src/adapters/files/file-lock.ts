import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { Clock } from '../../client/ports/clock.ts';
import { linkIfFree, prepareTemporary, readIfThere, removeIfThere } from './atomic-file.ts';
import { guardAsync } from './file-errors.ts';
import { jsonIn } from './json-in.ts';
import { isIdentity, isOfEarlierBoot, lifeOf, ownIdentity } from '../system/process-identity.ts';
import type { ProcessIdentity } from '../system/process-identity.ts';

const patienceMs = 10_000;
const longestPauseMs = 20;

/** When this process gave up a lock for the last time. */
const released = new Map<string, number>();

/**
 * Runs an action while no other process does so under the same lock file. A lock whose owner is dead is taken over, as is one
 * of an earlier boot of this machine; one of another machine or container never is. Throws LOCK_BUSY after `patience` milliseconds.
 * `folder` is where the file stands that becomes the lock.
 */
export async function withLock<T>(
  path: string,
  clock: Clock,
  action: () => T | Promise<T>,
  {
    patience = patienceMs,
    folder = dirname(path),
    signal,
  }: { patience?: number; folder?: string; signal?: AbortSignal | undefined } = {},
): Promise<T> {
  // Yield after releasing: waiters only poll, and would starve otherwise.
  const since = clock.monotonic() - (released.get(path) ?? -Infinity);
  if (since >= 0 && since < longestPauseMs) await clock.sleep(pause());
  await guardAsync('STATE_NOT_WRITTEN', 'A file could not be locked.', path, () =>
    take(path, { clock, patience, folder, signal }),
  );
  try {
    return await action();
  } finally {
    release(path);
    released.set(path, clock.monotonic());
  }
}

/** What was done counts, also where the lock cannot be removed: it is that of a dead owner once this process ends. */
function release(path: string): void {
  try {
    removeIfThere(path);
  } catch {
    // Whoever wants it next says why.
  }
}

async function take(
  path: string,
  how: { clock: Clock; patience: number; folder: string; signal: AbortSignal | undefined },
): Promise<void> {
  const { clock, patience, folder, signal } = how;
  // A lock does not outlast its process, so it needs no fsync.
  const mine = prepareTemporary(folder, JSON.stringify({ ...ownIdentity(), nonce: randomUUID() }), false);
  try {
    const end = clock.monotonic() + patience;
    while (!tryLock(path, mine)) {
      if (clock.monotonic() >= end) throw busy(path, patience);
      await clock.sleep(pause(), signal);
    }
  } finally {
    removeIfThere(mine);
  }
}

function pause(): number {
  return 1 + Math.random() * longestPauseMs;
}

/** Links a file that says who wants the lock to the name of the lock, so that it appears with its whole content. */
function tryLock(path: string, mine: string): boolean {
  if (linkIfFree(mine, path)) return true;
  const theirs = readIfThere(path);
  if (theirs !== undefined && isStale(theirs)) removeStale(path, theirs, mine);
  return false;
}

/**
 * Removes the lock of a dead owner. Two processes may both have seen it, so only the holder of a second lock may remove
 * it, after looking again. That second lock can be stale too, and is treated alike.
 */
function removeStale(path: string, theirs: string, mine: string): void {
  const removal = `${path}.stale`;
  if (!tryLock(removal, mine)) return;
  try {
    if (readIfThere(path) === theirs) removeIfThere(path);
  } finally {
    removeIfThere(removal);
  }
}

function isStale(content: string): boolean {
  const owner = ownerIn(content);
  // Without its content it has gone through a power loss.
  return owner === undefined || lifeOf(owner) === 'dead' || isOfEarlierBoot(owner);
}

function ownerIn(content: string): ProcessIdentity | undefined {
  const value = jsonIn(content);
  return isIdentity(value) ? value : undefined;
}

function busy(path: string, patience: number): ObkError {
  const content = readIfThere(path);
  const owner = content === undefined ? undefined : ownerIn(content);
  const foreign = owner !== undefined && lifeOf(owner) === 'foreign';
  return new ObkError({
    code: 'LOCK_BUSY',
    title: 'Another process holds a lock.',
    detail: foreign
      ? `${path} belongs to a process of another machine or container (pid ${owner.pid}).`
      : `${path} was held for ${patience / 1000} seconds${owner ? ` by process ${owner.pid}` : ''}.`,
    hint: foreign
      ? [line`rm ${path}   # if no obk runs there any more`]
      : ['Run it again when the other has ended.'],
  });
}
