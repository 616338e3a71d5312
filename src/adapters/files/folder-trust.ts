import { lstatSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ObkError } from '../../base/errors.ts';

/** The one way to use folders that others may write to: in a container or on a volume of one's own. */
export const sharedFolders = 'OBK_ALLOW_SHARED_FOLDERS';

/** The user of this process and a view of the file system; tests supply their own. */
export interface Trustee {
  uid: number;
  /** The primary group. */
  gid: number;
  stat: (path: string) => { uid: number; gid: number; mode: number; isDirectory(): boolean } | undefined;
  real: (path: string) => string | undefined;
}

/** The fault of a folder or of one above it. */
export interface Distrust {
  path: string;
  /** `foreign`: of another user; `writable`: others may put something there. */
  kind: 'foreign' | 'writable';
  why: string;
}

/** This process; undefined where the system knows no users. */
export function trustee(): Trustee | undefined {
  const [uid, gid] = [process.getuid?.(), process.getgid?.()];
  if (uid === undefined || gid === undefined) return undefined;
  return {
    uid,
    gid,
    stat: (path) => lstatSync(path, { throwIfNoEntry: false }),
    real(path) {
      try {
        return realpathSync(path);
      } catch {
        return undefined;
      }
    },
  };
}

/** Looks at a folder, the files in it, and all that stands above it, by its name and where links lead. */
export function distrustOf(
  folder: string,
  who: Trustee,
  files: readonly string[] = [],
): Distrust | undefined {
  const real = who.real(folder);
  const own = new Set([resolve(folder), ...(real === undefined ? [] : [real])]);
  const paths = [...own].flatMap((path) => [...files.map((name) => join(path, name)), ...upwards(path)]);
  for (const path of new Set(paths)) {
    const found = judged(path, who, own.has(path));
    if (found !== undefined) return found;
  }
  return undefined;
}

function upwards(path: string): string[] {
  const above = dirname(path);
  return above === path ? [path] : [path, ...upwards(above)];
}

function judged(path: string, { uid, gid, stat }: Trustee, isOwn: boolean): Distrust | undefined {
  let seen: ReturnType<Trustee['stat']>;
  try {
    seen = stat(path);
  } catch {
    return undefined;
  }
  if (seen === undefined) return undefined;
  if (seen.uid !== uid && seen.uid !== 0)
    return { path, kind: 'foreign', why: `it belongs to another user (${String(seen.uid)})` };
  // Links say nothing of who may write: what they lead to is looked at.
  if ((seen.mode & 0o170000) === 0o120000) return undefined;
  // In a folder with the sticky bit, others can add files but not replace ours.
  const sticky = (seen.mode & 0o1000) !== 0 && !isOwn && seen.isDirectory();
  if ((seen.mode & 0o002) !== 0 && !sticky)
    return { path, kind: 'writable', why: 'everybody may write to it' };
  if ((seen.mode & 0o020) !== 0 && seen.gid !== gid && !sticky)
    return {
      path,
      kind: 'writable',
      why: `a group that is not your own may write to it (${String(seen.gid)})`,
    };
  return undefined;
}

/** Throws CONFIG_UNREADABLE (exit 3) where what stands in these folders may be of somebody else. */
export function needOwn({ path, why }: Distrust): never {
  throw new ObkError({
    code: 'CONFIG_UNREADABLE',
    title: 'The settings or the state of obk may be controlled by another user.',
    detail: `${path}: ${why}.`,
    hint: [
      'Set OBK_CONFIG_DIR and OBK_STATE_DIR to folders of your own.',
      `${sharedFolders}=1   # if this machine has no other users, as in a container`,
    ],
  });
}
