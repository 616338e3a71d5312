import { readFileSync, statSync } from 'node:fs';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  ENOTDIR: 'a part of the path is not a directory',
  EISDIR: 'it is a directory',
  EACCES: 'permission denied',
  ELOOP: 'its links lead in a circle',
};

/** The bytes of a file that the operator of a bank names; throws an Error that says in words why there are none. */
export function readNamed(path: string): Uint8Array {
  const stat = attempt(() => statSync(path));
  if (stat.isCharacterDevice() || stat.isBlockDevice()) throw new Error('it is a device');
  return attempt(() => readFileSync(path));
}

function attempt<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException;
    throw new Error(reasons[code] ?? message, { cause });
  }
}
