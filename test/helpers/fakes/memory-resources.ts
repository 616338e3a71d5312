import type { Locks } from '../../../src/client/ports/locks.ts';
import type { Resources } from '../../../src/client/ports/resources.ts';
import type { SavedResource } from '../../../src/settings/records/resources.ts';
import type { Noun } from '../../../src/standard/sca/operations.ts';
import type { Conversation } from '../../../src/standard/sca/state.ts';
import { nounOfParent } from '../../../src/client/state/noun-of-parent.ts';
import { checkProfileName } from '../../../src/base/check-profile-name.ts';

/** Exclusion within this process, of everything by everything. */
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

/** What is saved, in memory; `written` is called at each write, and may throw. */
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
          .filter(({ parent }) => nounOfParent(parent.kind) === noun && parent.id === parentId)
          .sort((a, b) => compare(b.startedAt, a.startedAt)),
      );
    },
  };
}

/** Without an id of its own it is known by its PSU. */
function keyOf({ authorisationId, psuId }: Conversation): string {
  return authorisationId === undefined ? `-${psuId ?? ''}` : authorisationId;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
