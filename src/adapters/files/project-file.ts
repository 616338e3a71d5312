import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { ProjectFile } from '../../client/ports/files.ts';
import { homeFolder } from './home-folder.ts';

const name = '.obk.json';
const maxBytes = 64 * 1024;

/** Looks into the working folder and those above it, up to the home folder or the root. */
export function findProjectFile(options: {
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** That of the user, where the system has such. */
  uid?: number | undefined;
}): ProjectFile | undefined {
  const { cwd, env, uid = process.getuid?.() } = options;
  const home = homeFolder(env);
  const ends = [home, realOf(home)];
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const found = fileAt(join(folder, name), uid);
    if (found !== undefined) return found;
    if (ends.includes(folder) || dirname(folder) === folder) return undefined;
  }
}

function fileAt(link: string, uid: number | undefined): ProjectFile | undefined {
  const stat = attempt(() => statSync(link, { throwIfNoEntry: false }));
  // Anything but a regular file (a pipe) might never end.
  if (stat?.isFile() !== true) return undefined;
  const path = realOf(link) ?? link;
  const bytes = stat.size > maxBytes ? undefined : attempt(() => readFileSync(path));
  return {
    path,
    ...(bytes === undefined ? {} : { text: bytes.toString('utf8') }),
    sha256: bytes === undefined ? '' : createHash('sha256').update(bytes).digest('hex'),
    foreign: uid !== undefined && stat.uid !== uid && stat.uid !== 0,
  };
}

function realOf(path: string): string | undefined {
  return attempt(() => realpathSync(path));
}

/** Undefined where the system refuses: a file of a stranger must not keep obk from working. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
