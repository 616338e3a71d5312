import { createCredentials } from '../../src/adapters/conf-credentials.ts';
import { createSettings } from '../../src/adapters/conf-settings.ts';
import { lockFiles } from '../../src/adapters/lock-files.ts';
import { resourceFiles } from '../../src/adapters/resource-files.ts';
import type { Ports } from '../../src/ports.ts';
import type { Clock } from '../../src/ports/clock.ts';

/** What is kept, in files, by its ports: as `createContext` puts them together. */
export type FileStore = Pick<Ports, 'settings' | 'credentials' | 'resources' | 'locks'>;

export function fileStore(options: {
  configDir: string;
  stateDir: string;
  clock: Clock;
  env?: Readonly<Record<string, string | undefined>>;
  /** In place of the package that asks the keyring of the system. */
  keyringModule?: string;
  warn?: (message: string) => void;
}): FileStore {
  const settings = createSettings(options);
  const chosen = async (profile: string) => (await settings.read()).profiles[profile]?.tokenStore;
  return {
    settings,
    credentials: createCredentials({ ...options, chosen }),
    resources: resourceFiles(options.stateDir),
    locks: lockFiles(options),
  };
}
