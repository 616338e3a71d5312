import { dirname } from 'node:path';
import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { ErrorCode } from '../../base/errors.ts';

const reasons: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would be larger than allowed',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOENT: 'it does not exist',
  ENOTDIR: 'a part of the path is not a directory',
  EISDIR: 'it is a directory',
  ELOOP: 'it is a symbolic link, which is not followed',
  EEXIST: 'it exists already',
  EIO: 'the disk reports an error',
};

/** Why a file could not be read or written, in words and with the path. */
export function reasonFor(path: string, error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return `${path}: ${reasons[code] ?? (error as Error).message}`;
}

/** Hints for a file that cannot be written: mend the folder, or choose another one. */
function wayOut(path: string, error: unknown): string[] {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const folder = dirname(path);
  const isFull = ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code);
  return [
    isFull ? 'Make room.' : 'OBK_CONFIG_DIR and OBK_STATE_DIR name the folders that obk writes to.',
    isFull ? line`df -h ${folder}` : line`ls -ld ${folder}`,
  ];
}

/** As `guard`, for an action that waits. */
export async function guardAsync<T>(
  code: ErrorCode,
  title: string,
  path: string,
  action: () => Promise<T>,
): Promise<T> {
  try {
    return await action();
  } catch (cause) {
    return guard(code, title, path, () => {
      throw cause;
    });
  }
}

/** Runs an action on a file; what the system throws becomes an ObkError of this code that names the path. */
export function guard<T>(code: ErrorCode, title: string, path: string, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    if (cause instanceof ObkError) throw cause;
    throw new ObkError({
      code,
      title,
      detail: `${reasonFor(path, cause)}.`,
      hint: code.endsWith('_NOT_WRITTEN') ? wayOut(path, cause) : [],
      cause,
    });
  }
}

/** Runs a synchronous action and returns its result as a promise; an exception becomes a rejection. */
export function promised<T>(action: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(action());
  });
}
