import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';

/** The files of `src` that a commit renamed: each old path below `src` with its new one. */
export function renamesOf(commit: string): Map<string, string> {
  const { stdout } = spawnSync('git', ['show', '--name-status', '-M50%', '--format=', commit], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  const found = stdout.matchAll(/^R\d+\tsrc\/(\S+)\tsrc\/(\S+)$/gm);
  return new Map([...found].map(([, from = '', to = '']) => [from, to]));
}

/** What differs between two surfaces, a line for each file; modules of the first are read by their new paths. */
export function differences(before: string, after: string, renames: ReadonlyMap<string, string>): string[] {
  const [old, now] = [surface(before), surface(after)];
  return [...new Set([...old.keys(), ...now.keys()])].sort().flatMap((file) => {
    const was = moved(file, old.get(file), renames);
    const is = now.get(file);
    if (was === is) return [];
    return [`${file}: ${was === undefined ? 'new' : is === undefined ? 'gone' : 'changed'}`];
  });
}

function moved(
  file: string,
  text: string | undefined,
  renames: ReadonlyMap<string, string>,
): string | undefined {
  if (text === undefined || !file.startsWith(`modules${sep}`)) return text;
  const lines = text.split('\n').map((line) => renames.get(line) ?? line);
  return lines
    .filter((line) => line !== '')
    .sort()
    .map((line) => `${line}\n`)
    .join('');
}

function surface(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return new Map(
    entries.map((one) => {
      const path = join(one.parentPath, one.name);
      return [path.slice(folder.length + 1), readFileSync(path, 'utf8')];
    }),
  );
}
