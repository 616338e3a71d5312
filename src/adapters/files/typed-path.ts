import { resolve } from 'node:path';

/**
 * A path as a person typed it, as an absolute one. `~/` is the home folder: a shell expands it itself, but neither behind `=` nor
 * where the path answers a question.
 */
export function typedPath(
  path: string,
  { cwd, env }: { cwd: string; env: Readonly<Record<string, string | undefined>> },
): string {
  const home = env['HOME'] ?? '';
  return resolve(cwd, home === '' ? path : path.replace(/^~(?=\/|$)/, () => home));
}
