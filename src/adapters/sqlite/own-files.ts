import { lstatSync } from 'node:fs';
import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import { sharedFolders } from '../files/folder-trust.ts';

/** The user of this process, and whether it may use what others could have made. */
export interface Who {
  /** Undefined where the system has no users. */
  uid: number | undefined;
  shared: boolean;
}

export const whoIn = (env: Readonly<Record<string, string | undefined>>): Who => ({
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
