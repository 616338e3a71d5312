import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { needMakeable } from '../system/makeable.ts';
import { isRunning, pidSpace } from '../system/process-identity.ts';

// Every function here throws the system's own errors, but for a folder that none can be; callers say what they mean.

/** Makes a directory that only its owner may enter. Refuses one that somebody else could have prepared. */
export function makeDirectory(path: string): void {
  needMakeable(path);
  const first = mkdirSync(path, { recursive: true, mode: 0o700 });
  if (first === undefined) {
    refuseUnsafe(path);
    return;
  }
  for (let made = resolve(path); made.length >= first.length; made = dirname(made))
    syncDirectory(dirname(made));
}

/** Refuses a symbolic link and a directory that everybody may write to: files in it could be replaced. */
export function refuseUnsafe(directory: string): void {
  const stat = lstatSync(directory);
  if (stat.isSymbolicLink()) throw coded('it is a symbolic link, which is not followed', 'ELOOP');
  if (!stat.isDirectory()) throw coded('it is not a directory', 'ENOTDIR');
  if (process.platform !== 'win32' && (stat.mode & 0o002) !== 0) {
    throw coded('everybody may write to this directory', 'EUNSAFE');
  }
}

/** Reads a regular file; undefined where it does not exist. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** The names in a directory; none where it does not exist. */
export function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

/**
 * Replaces a file so that a reader sees the old content or the new, also after power loss. A half-written one stands in `folder`,
 * for `sweep` to look in one that is small.
 */
export function writeAtomically(path: string, content: string | Uint8Array, folder = dirname(path)): void {
  const temporary = prepareTemporary(folder, content);
  try {
    renameSync(temporary, path);
  } catch (error) {
    removeIfThere(temporary);
    throw error;
  }
  syncDirectory(dirname(path));
}

/** Creates a file with its whole content; false where one exists already. `folder` as in `writeAtomically`. */
export function createExclusively(
  path: string,
  content: string | Uint8Array,
  folder = dirname(path),
): boolean {
  const temporary = prepareTemporary(folder, content);
  try {
    if (!linkIfFree(temporary, path)) return false;
  } finally {
    removeIfThere(temporary);
  }
  syncDirectory(dirname(path));
  return true;
}

/** Links a file under a second name; returns false if that name is taken. */
export function linkIfFree(existing: string, path: string): boolean {
  try {
    linkSync(existing, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

export function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** Writes all bytes: `write` may take fewer than it was given, which on a full disk is the only sign. */
function writeFully(descriptor: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) {
    const count = writeSync(descriptor, bytes, done);
    if (count === 0) throw coded('not all bytes could be written', 'ENOSPC');
    done += count;
  }
}

/** Makes new names in a directory outlast power loss. */
export function syncDirectory(path: string): void {
  // Windows cannot open a directory.
  if (process.platform === 'win32') return;
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

const temporaryName = /^\.obk-([0-9a-f]{8})-(\d+)-[0-9a-f]+\.tmp$/;

/** Removes what killed processes left half written in a directory. */
export function sweep(directory: string, names: readonly string[] = namesIn(directory)): void {
  for (const name of names) {
    if (!name.startsWith('.obk-')) continue;
    const [, space, pid] = temporaryName.exec(name) ?? [];
    if (space !== pidSpace()) continue;
    // Only the pid is known of it: a new process under the same pid keeps the file for one more round.
    if (!isRunning(Number(pid))) removeIfThere(join(directory, name));
  }
}

/** Writes a file in a folder under a name of its own; `sweep` removes it when this process is killed. */
export function prepareTemporary(folder: string, content: string | Uint8Array, durable = true): string {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const random = randomBytes(6).toString('hex');
  const temporary = join(folder, `.obk-${pidSpace()}-${process.pid}-${random}.tmp`);
  const descriptor = openSync(temporary, 'wx', 0o600);
  try {
    writeFully(descriptor, bytes);
    if (durable) fsyncSync(descriptor);
    if (fstatSync(descriptor).size !== bytes.length) throw coded('not all bytes were written', 'ENOSPC');
  } catch (error) {
    removeIfThere(temporary);
    throw error;
  } finally {
    closeSync(descriptor);
  }
  return temporary;
}

function coded(message: string, code: string): Error {
  return Object.assign(new Error(message), { code });
}
