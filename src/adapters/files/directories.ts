import { isAbsolute, join } from 'node:path';
import { homeFolder } from './home-folder.ts';

/** Where settings, state and cache stand. A relative value of an XDG variable counts as not set, as its specification says. */
export function directories(env: Readonly<Record<string, string | undefined>>): {
  configDir: string;
  stateDir: string;
  cacheDir: string;
} {
  const home = homeFolder(env);
  const base = (name: string, fallback: string[]) => {
    const value = env[name];
    return value !== undefined && isAbsolute(value) ? value : join(home, ...fallback);
  };
  return {
    configDir: given(env['OBK_CONFIG_DIR']) ?? join(base('XDG_CONFIG_HOME', ['.config']), 'obk'),
    stateDir: given(env['OBK_STATE_DIR']) ?? join(base('XDG_STATE_HOME', ['.local', 'state']), 'obk'),
    cacheDir: join(base('XDG_CACHE_HOME', ['.cache']), 'obk'),
  };
}

function given(value: string | undefined): string | undefined {
  return value === undefined || value === '' ? undefined : value;
}
