import { createCredentials } from '../../src/adapters/secrets/conf-credentials.ts';
import { createSettings } from '../../src/adapters/settings/conf-settings.ts';
import { createJournal } from '../../src/adapters/state/file-journal.ts';
import { intentFiles } from '../../src/adapters/state/intent-files.ts';
import { lockFiles } from '../../src/adapters/state/lock-files.ts';
import type { ProcessIdentity } from '../../src/adapters/system/process-identity.ts';
import { resourceFiles } from '../../src/adapters/state/resource-files.ts';
import type { Ports } from '../../src/client/ports.ts';
import type { Clock, Ids } from '../../src/client/ports/clock.ts';
import type { Intents } from '../../src/client/ports/intents.ts';
import type { Journal } from '../../src/client/ports/journal.ts';

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

/** The journal of a run with the intents of it, in files: as `createContext` puts them together. */
export function fileJournal(options: {
  stateDir: string;
  clock: Clock;
  ids: Ids;
  run?: string;
  processInfo?: ProcessIdentity;
}): Journal & { readonly intents: Intents } {
  const intents = intentFiles({
    ...options,
    journal: {
      cameToNothing: (run, hash) => journal.cameToNothing(run, hash),
      openWrites: () => journal.openWrites(),
    },
  });
  const journal = createJournal({ ...options, intents });
  return { ...journal, intents };
}
