import { checkProfileName } from '../../../src/adapters/safe-name.ts';
import type { CredentialStore } from '../../../src/ports/credentials.ts';
import type { Locks } from '../../../src/ports/locks.ts';
import type { Resources } from '../../../src/ports/resources.ts';
import type { SettingsStore } from '../../../src/ports/settings.ts';
import type { Credentials } from '../../../src/records/credentials.ts';
import type { Settings } from '../../../src/records/profile.ts';
import type { SavedResource } from '../../../src/records/resources.ts';
import type { Noun } from '../../../src/sca/operations.ts';
import type { Conversation } from '../../../src/sca/state.ts';
import { Secret } from '../../../src/secret.ts';

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

export function memoryLocks(): Locks {
  let last: Promise<unknown> = Promise.resolve();
  return {
    exclusively: (_name, _patienceMs, action) => {
      const mine = last.then(action, action);
      last = mine.catch(() => undefined);
      return mine;
    },
  };
}

export function memoryResources(written: () => void = () => undefined): Resources {
  let resources: SavedResource[] = [];
  let conversations: { profile: string; conversation: Conversation }[] = [];

  function listed(profile: string, noun: Noun): SavedResource[] {
    checkProfileName(profile);
    return resources
      .filter((resource) => resource.profile === profile && resource.noun === noun)
      .sort((a, b) => compare(b.createdAt, a.createdAt));
  }

  return {
    save: async (resource) => {
      written();
      checkProfileName(resource.profile);
      const same = (other: SavedResource) =>
        other.profile === resource.profile && other.noun === resource.noun && other.id === resource.id;
      resources = [structuredClone(resource), ...resources.filter((other) => !same(other))];
    },
    list: async (profile, noun, limit) => structuredClone(listed(profile, noun).slice(0, limit)),
    batches: async (profile, noun) => {
      const all = structuredClone(listed(profile, noun));
      return (async function* () {
        yield all;
      })();
    },
    ids: async (profile) => resources.filter((one) => one.profile === profile).map(({ id }) => id),
    listBeginning: async (profile, noun, prefix) =>
      structuredClone(listed(profile, noun).filter(({ id }) => id.startsWith(prefix))),
    find: async (profile, noun, id) =>
      structuredClone(listed(profile, noun).find((resource) => resource.id === id)),
    removeConversation: async (profile, conversation) => {
      written();
      const at = conversations.findIndex(
        (other) => other.profile === profile && keyOf(other.conversation) === keyOf(conversation),
      );
      if (at >= 0) conversations.splice(at, 1);
    },
    saveConversation: async (profile, conversation) => {
      written();
      checkProfileName(profile);
      const same = (other: (typeof conversations)[number]) =>
        other.profile === profile &&
        other.conversation.parent.kind === conversation.parent.kind &&
        other.conversation.parent.id === conversation.parent.id &&
        (keyOf(other.conversation) === keyOf(conversation) ||
          // It got its id, or its PSU, only now.
          (other.conversation.authorisationId === undefined &&
            other.conversation.startedAt === conversation.startedAt &&
            [undefined, conversation.psuId].includes(other.conversation.psuId)));
      conversations = [
        { profile, conversation: structuredClone(conversation) },
        ...conversations.filter((other) => !same(other)),
      ];
    },
    conversations: async (profile, noun, parentId) => {
      checkProfileName(profile);
      return structuredClone(
        conversations
          .filter((other) => other.profile === profile)
          .map((other) => other.conversation)
          .filter(({ parent }) => nounOf(parent.kind) === noun && parent.id === parentId)
          .sort((a, b) => compare(b.startedAt, a.startedAt)),
      );
    },
  };
}

/** As the file store: no name of a profile finds what nobody saved. */
function copy(settings: Settings): Settings {
  const { profiles } = structuredClone(settings);
  return { ...settings, profiles: Object.assign(Object.create(null) as typeof profiles, profiles) };
}

/** Without an id of its own it is known by its PSU. */
function keyOf({ authorisationId, psuId }: Conversation): string {
  return authorisationId === undefined ? `-${psuId ?? ''}` : authorisationId;
}

function nounOf(kind: Conversation['parent']['kind']): Noun {
  return kind === 'cancellation' ? 'payment' : kind;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
