import { homedir } from 'node:os';
import { isAbsolute } from 'node:path';

/** The home of the user; the root where there is none, as for a user of a container whom the system does not know. */
export function homeFolder(env: Readonly<Record<string, string | undefined>>): string {
  const { HOME = '' } = env;
  if (isAbsolute(HOME)) return HOME;
  try {
    const home = homedir();
    return isAbsolute(home) ? home : '/';
  } catch {
    return '/';
  }
}
