import { lstatSync } from 'node:fs';
import { isThere } from './state-failures.ts';

/** What tells a file from a later one with its name; undefined where there is none. */
export function identityOf(path: string): string | undefined {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stat && `${String(stat.dev)} ${String(stat.ino)}`;
}

/** Who moves a file aside holds this. */
export const lockOf = (path: string): string => `${path}.lock`;

/** A file was moved aside, or is being moved, while it was opened: its log may be that of the next file. */
export class Moving extends Error {
  readonly isMoving = true;
}

/** Throws Moving unless the file has been this one all the time. */
export function needUnmoved(path: string, identity: string | undefined): void {
  // Who has begun to move it is seen by the lock, who has ended by the file.
  if (isThere(lockOf(path)) || identityOf(path) !== identity) throw new Moving(path);
}
