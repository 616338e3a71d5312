import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ObkError } from '../../base/errors.ts';

/** The folder that a bank keeps its state in, and what takes it away where it is for this bank alone. */
export interface StateFolder {
  stateDir: string;
  remove(): void;
}

/** A folder of memory, which is there where nothing else can be written. */
const memory = '/dev/shm';
const unwritable: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOENT: 'it cannot be made',
};

/**
 * The usual folder where it can be written, or holds a ledger that must not be passed over; else one that is taken away when
 * the bank ends, as in a container without a home or on a file system that is read-only. Throws SANDBOX_UNAVAILABLE where
 * nothing can be written at all.
 */
export function stateFolder(
  usual: string,
  warn: ((message: string) => void) | undefined,
  temporary: readonly string[] = [tmpdir(), memory],
): StateFolder {
  const keeps = { stateDir: usual, remove: () => undefined };
  const why = whyNot(join(usual, 'sandbox'));
  if (why === undefined || existsSync(join(usual, 'sandbox', 'ledger.db'))) return keeps;
  const tried = [`${usual}: ${why}`];
  for (const folder of temporary) {
    try {
      const stateDir = mkdtempSync(join(folder, 'obk-bank-'));
      warn?.(
        `${usual} cannot be written (${why}): the bank inside keeps what it has in ${stateDir} until it ends. OBK_STATE_DIR names another folder.`,
      );
      return {
        stateDir,
        remove: () => {
          rmSync(stateDir, { recursive: true, force: true, maxRetries: 3 });
        },
      };
    } catch (error) {
      const { code = '', message } = error as NodeJS.ErrnoException;
      tried.push(`${folder}: ${code === 'ENOENT' ? 'it is not there' : (unwritable[code] ?? message)}`);
    }
  }
  throw new ObkError({
    code: 'SANDBOX_UNAVAILABLE',
    title: 'The bank inside finds no folder that it can write.',
    detail: `It keeps keys, a token and its ledger in one. Tried: ${tried.join('; ')}.`,
    hint: [
      'OBK_STATE_DIR=FOLDER obk sandbox start',
      'Or let it have a writable /tmp (--tmpfs /tmp) or TMPDIR.',
    ],
  });
}

/** The reason where a folder cannot be made or written because of who asks, or of the file system. */
function whyNot(folder: string): string | undefined {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
    return undefined;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return unwritable[code];
  }
}
