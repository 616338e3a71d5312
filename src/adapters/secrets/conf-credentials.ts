import { defined } from '../../base/defined.ts';
import type { Clock } from '../../client/ports/clock.ts';
import type { CredentialStore } from '../../client/ports/credentials.ts';
import type { TokenStore } from '../../settings/records/profile.ts';
import { confFile } from '../settings/conf-file.ts';
import { keptCredentials } from './kept-credentials.ts';
import { machineKeyFile } from './machine-key.ts';
import { parseCredentials } from '../settings/settings-shape.ts';

/** Credentials in credentials.json, or as entries of the keyring of the system; the key of the machine in the state. */
export function createCredentials(options: {
  configDir: string;
  stateDir: string;
  clock: Clock;
  env?: Readonly<Record<string, string | undefined>>;
  /** Returns where the settings of a profile keep its tokens. */
  chosen: (profile: string) => Promise<TokenStore | undefined>;
  /** In place of the package that asks the keyring of the system. */
  keyringModule?: string;
  /** Told once when the credentials can be read by others, and what a keyring lacks or keeps. */
  warn?: (message: string) => void;
}): CredentialStore & {
  /** The profiles that the file has, those of banks inside too, which no settings name. */
  profiles: () => readonly string[];
} {
  const { configDir, stateDir, clock, env = {}, chosen, keyringModule, warn } = options;
  let warned = false;
  const file = confFile({
    configDir,
    name: 'credentials',
    clock,
    parse: parseCredentials,
    seen: (path, mode) => {
      if (warned || process.platform === 'win32' || (mode & 0o077) === 0) return;
      warned = true;
      warn?.(`Others can read ${path}, which holds tokens (chmod 600 helps).`);
    },
  });
  return {
    ...keptCredentials({
      file,
      keyring: { env, clock, ...defined({ module: keyringModule }) },
      chosen,
      warn: (message) => warn?.(message),
    }),
    ...machineKeyFile(stateDir),
    profiles: () => Object.keys(file.read().profiles),
  };
}
