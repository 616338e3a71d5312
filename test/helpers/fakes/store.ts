import { memoryLocks, memoryResources } from './memory-resources.ts';
import { checkProfileName } from '../../../src/base/check-profile-name.ts';
import type { CredentialStore } from '../../../src/client/ports/credentials.ts';
import type { Locks } from '../../../src/client/ports/locks.ts';
import type { Resources } from '../../../src/client/ports/resources.ts';
import type { SettingsStore } from '../../../src/client/ports/settings.ts';
import type { Credentials } from '../../../src/settings/records/credentials.ts';
import type { Settings } from '../../../src/settings/records/profile.ts';
import { Secret } from '../../../src/base/secret.ts';

/** What is kept, in memory, by its ports; `failWrites` makes every further write throw that error. */
export interface MemoryStore {
  settings: SettingsStore;
  credentials: CredentialStore;
  resources: Resources;
  locks: Locks;
  failWrites(error: Error | undefined): void;
}

/** Starts with these settings, and nothing saved. */
export function memoryStore(start: Partial<Settings> = {}): MemoryStore {
  let broken: Error | undefined;
  const written = () => {
    if (broken) throw broken;
  };
  const settings = memorySettings(start, written);
  return {
    failWrites: (error) => {
      broken = error;
    },
    settings,
    credentials: memoryCredentials(settings, written),
    resources: memoryResources(written),
    locks: memoryLocks(),
  };
}

/** `written` is called at each write, and may throw. */
export function memorySettings(
  start: Partial<Settings> = {},
  written: () => void = () => undefined,
): SettingsStore {
  let settings: Settings = { schemaVersion: 1, environments: 'given', profiles: {}, ...start };
  return {
    read: async () => copy(settings),
    update: async (change) => {
      written();
      const after = change(copy(settings));
      for (const name of Object.keys(after.profiles)) checkProfileName(name);
      settings = copy(after);
      return copy(settings);
    },
  };
}

export function memoryCredentials(
  settings: SettingsStore = memorySettings(),
  written: () => void = () => undefined,
): CredentialStore {
  const credentials = new Map<string, Credentials>();
  return {
    read: async (profile) => ({ ...credentials.get(checkProfileName(profile)) }),
    update: async (profile, change) => {
      written();
      credentials.set(checkProfileName(profile), { ...change({ ...credentials.get(profile) }) });
    },
    tokenStore: async (profile) => (await settings.read()).profiles[profile]?.tokenStore ?? 'file',
    moveTokens: () => Promise.resolve(),
    forget: async (profile) => {
      written();
      credentials.delete(checkProfileName(profile));
    },
    machineKey: async () => new Secret('5eed'.repeat(16)),
  };
}

/** As the file store: no name of a profile finds what nobody saved. */
function copy(settings: Settings): Settings {
  const { profiles } = structuredClone(settings);
  return { ...settings, profiles: Object.assign(Object.create(null) as typeof profiles, profiles) };
}
