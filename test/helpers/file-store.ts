import { createCredentials } from '../../src/adapters/secrets/conf-credentials.ts';
import { createSettings } from '../../src/adapters/settings/conf-settings.ts';
import { lockFiles } from '../../src/adapters/files/lock-files.ts';
import { newRunId } from '../../src/adapters/files/safe-name.ts';
import { homeEngines, stateOn } from '../../src/adapters/sqlite/home-state.ts';
import type { HomeState } from '../../src/adapters/sqlite/home-state.ts';
import type { ProcessIdentity } from '../../src/adapters/system/process-identity.ts';
import type { Ports } from '../../src/client/ports.ts';
import type { Clock, Ids } from '../../src/client/ports/clock.ts';
import type { Intents } from '../../src/client/ports/intents.ts';
import type { Journal } from '../../src/client/ports/journal.ts';

/** What is kept at home, by its ports: as `createContext` puts them together. */
export type FileStore = Pick<Ports, 'settings' | 'credentials' | 'resources' | 'locks' | 'usage'>;

/** The state of a home as one run has it. */
export function stateAtHome(options: {
  stateDir: string;
  clock: Clock;
  run?: string;
  processInfo?: ProcessIdentity;
  warn?: (line: string) => void;
}): HomeState {
  const { stateDir, warn = () => undefined } = options;
  return stateOn(homeEngines(stateDir, { warn }), { run: 'run', ...options });
}

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
  const { resources, usage } = stateAtHome(options);
  return {
    settings,
    credentials: createCredentials({ ...options, chosen }),
    resources,
    usage,
    locks: lockFiles(options),
  };
}

/** The journal of a run at home with the intents of it: as `createContext` puts them together. */
export function fileJournal(options: {
  stateDir: string;
  clock: Clock;
  ids: Ids;
  run?: string;
  processInfo?: ProcessIdentity;
}): Journal & { readonly intents: Intents } {
  const run = options.run ?? newRunId(options.clock, options.ids);
  const { journal, intents } = stateAtHome({ ...options, run });
  return { ...journal, intents };
}
