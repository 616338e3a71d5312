import type { Locks } from '../../../src/client/ports/locks.ts';
import type { Intents } from '../../../src/client/ports/intents.ts';
import type { Resources } from '../../../src/client/ports/resources.ts';
import type { Made } from '../../../src/settings/records/journal.ts';
import type { SavedResource } from '../../../src/settings/records/resources.ts';
import type { Noun } from '../../../src/standard/sca/operations.ts';
import type { Conversation } from '../../../src/standard/sca/state.ts';
import { nounOfParent } from '../../../src/client/state/kept-resources.ts';
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

/** Resources that note what was made at its intent too. */
export function notedAt(intents: Pick<Intents, 'noteResource'>, resources: Resources): Resources {
  return Object.assign(Object.create(resources) as Resources, {
    saveMade: async (made: Made) => {
      const { intent, id } = made.resource;
      if (intent !== undefined) await intents.noteResource(intent, id);
      await resources.saveMade(made);
    },
  });
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

  /** Whether another run has gone further since `before`. */
  function isLate(profile: string, { parent, startedAt, psuId, steps = 0 }: Conversation): boolean {
    return conversations.some(
      ({ profile: its, conversation: one }) =>
        its === profile &&
        one.parent.kind === parent.kind &&
        one.parent.id === parent.id &&
        one.startedAt === startedAt &&
        (one.psuId === undefined || psuId === undefined || one.psuId === psuId) &&
        (one.steps ?? 0) > steps,
    );
  }

  const memory: Resources = {
    saveMade: async ({ resource, conversation }) => {
      await memory.saveConversation(resource.profile, conversation);
      await memory.save(resource);
    },
    claimConversation: async (profile, conversation, before, taken) => {
      if (isLate(profile, before)) throw taken;
      await memory.saveConversation(profile, conversation);
      return { drop: () => Promise.resolve(false) };
    },
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
    saveConversation: async (profile, conversation, before) => {
      written();
      if (before !== undefined && isLate(profile, before)) return;
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
  return memory;
}

/** Without an id of its own it is known by its PSU. */
function keyOf({ authorisationId, psuId }: Conversation): string {
  return authorisationId === undefined ? `-${psuId ?? ''}` : authorisationId;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
