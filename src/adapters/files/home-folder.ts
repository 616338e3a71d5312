import { isAbsolute } from 'node:path';

/** The home of the user; the root where there is none, as for a user of a container whom the system does not know. */
export function homeFolder(env: Readonly<Record<string, string | undefined>>): string {
  const { HOME = '' } = env;
  if (isAbsolute(HOME)) return HOME;
  try {
    // Few have no HOME, and a TAB loads nothing that it does not need.
    const home = process.getBuiltinModule('node:os').homedir();
    return isAbsolute(home) ? home : '/';
  } catch {
    return '/';
  }
}
