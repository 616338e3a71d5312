import { checkProfileName } from '../../../src/adapters/safe-name.ts';
import type { Store } from '../../../src/ports/store.ts';
import type { Credentials } from '../../../src/records/credentials.ts';
import type { Settings } from '../../../src/records/profile.ts';
import type { SavedResource } from '../../../src/records/resources.ts';
import type { Noun } from '../../../src/sca/operations.ts';
import type { Conversation } from '../../../src/sca/state.ts';
import { Secret } from '../../../src/secret.ts';

/** A store in memory; `failWrites` makes every further write throw that error. */
export interface MemoryStore extends Store {
  /** The saved pictures by their paths. */
  readonly pictures: ReadonlyMap<string, Uint8Array>;
  failWrites(error: Error | undefined): void;
}

/** Starts with these settings, and nothing saved. */
export function memoryStore(start: Partial<Settings> = {}): MemoryStore {
  let settings: Settings = { schemaVersion: 1, environments: 'given', profiles: {}, ...start };
  const credentials = new Map<string, Credentials>();
  let resources: SavedResource[] = [];
  let conversations: { profile: string; conversation: Conversation }[] = [];
  let broken: Error | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const pictures = new Map<string, Uint8Array>();
  let pictureNumber = 0;

  function written(): void {
    if (broken) throw broken;
  }

  function listed(profile: string, noun: Noun): SavedResource[] {
    checkProfileName(profile);
    return resources
      .filter((resource) => resource.profile === profile && resource.noun === noun)
      .sort((a, b) => compare(b.createdAt, a.createdAt));
  }

  return {
    failWrites: (error) => {
      broken = error;
    },
    pictures,
    savePicture: async (bytes, suffix) => {
      written();
      pictureNumber += 1;
      const path = `/state/pictures/${pictureNumber}.${suffix}`;
      pictures.set(path, bytes);
      return path;
    },
    removePicture: async (path) => {
      pictures.delete(path);
    },
    machineKey: async () => new Secret('5eed'.repeat(16)),
    settings: async () => copy(settings),
    updateSettings: async (change) => {
      written();
      const after = change(copy(settings));
      for (const name of Object.keys(after.profiles)) checkProfileName(name);
      settings = copy(after);
      return copy(settings);
    },
    credentials: async (profile) => ({ ...credentials.get(checkProfileName(profile)) }),
    updateCredentials: async (profile, change) => {
      written();
      credentials.set(checkProfileName(profile), { ...change({ ...credentials.get(profile) }) });
    },
    tokenStore: (profile) => Promise.resolve(settings.profiles[profile]?.tokenStore ?? 'file'),
    moveTokens: () => Promise.resolve(),
    forgetCredentials: async (profile) => {
      written();
      credentials.delete(checkProfileName(profile));
    },
    exclusively: (_name, _patienceMs, action) => {
      const mine = last.then(action, action);
      last = mine.catch(() => undefined);
      return mine;
    },
    saveResource: async (resource) => {
      written();
      checkProfileName(resource.profile);
      const same = (other: SavedResource) =>
        other.profile === resource.profile && other.noun === resource.noun && other.id === resource.id;
      resources = [structuredClone(resource), ...resources.filter((other) => !same(other))];
    },
    resources: async (profile, noun) => structuredClone(listed(profile, noun)),
    resource: async (profile, noun, id) =>
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
