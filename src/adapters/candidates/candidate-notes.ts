import { defined } from '../../base/defined.ts';
import type { Resources } from '../../client/ports/resources.ts';
import type { Usage } from '../../client/ports/usage.ts';
import { profileOfLedgerKey } from '../../base/profile-name.ts';
import type { SavedResource } from '../../settings/records/resources.ts';
import type { Conversation } from '../../standard/sca/state.ts';
import type { CandidateFolders, Note, Offer } from './candidates-file.ts';

/**
 * Notes what a run saves, and leaves it to the TABs that follow at the end of the run. A run that saves nothing does not load what
 * writes. It is only a convenience: where it fails, nothing is said and nothing is offered.
 */
export function candidateNotes(
  folders: CandidateFolders,
  atEnd: (work: () => Promise<void>) => void,
): { ofResources: (resources: Resources) => Resources; ofUsage: (usage: Usage) => Usage } {
  const notes = new Map<string, Note>();
  const note = (one: Note) => {
    if (notes.size === 0) atEnd(write);
    const key = JSON.stringify([one.profile, one.kind, one.value]);
    // A note that replaces another comes after all that were made in between.
    notes.delete(key);
    notes.set(key, one);
  };
  const noteMethods = (profile: string, { scaMethods = [], parent }: Conversation) => {
    // What is noted last is offered first, and a TAB keeps the order of the bank.
    for (const { authenticationMethodId, name, authenticationType } of scaMethods.toReversed())
      note({
        ...{ profile, kind: 'method', value: authenticationMethodId },
        about: [name, authenticationType].filter(Boolean).join(', '),
        parent: parent.id,
      });
  };
  const write = async () => {
    try {
      const { writeCandidates } = await import('./write-candidates.ts');
      writeCandidates(folders, [...notes.values()]);
    } catch {
      // A cache that cannot be written.
    }
  };
  return {
    ofResources: (resources) => ({
      ...resources,
      save: async (resource) => {
        await resources.save(resource);
        note(ofResource(resource));
      },
      saveMade: async (made) => {
        await resources.saveMade(made);
        note(ofResource(made.resource));
        noteMethods(made.resource.profile, made.conversation);
      },
      saveConversation: async (profile, conversation, ...rest) => {
        await resources.saveConversation(profile, conversation, ...rest);
        noteMethods(profile, conversation);
      },
      removeConversation: async (profile, conversation) => {
        await resources.removeConversation(profile, conversation);
        note({ profile, kind: 'gone', value: conversation.parent.id });
      },
    }),
    ofUsage: (usage) => ({
      ...usage,
      update: async (key, change) => {
        const uses = await usage.update(key, change);
        const profile = profileOfLedgerKey(key);
        const [last] = uses;
        if (profile !== undefined && last !== undefined) note({ profile, kind: 'ledger', value: last.what });
        return uses;
      },
    }),
  };
}

function ofResource({ profile, noun, id, createdAt, ledger, summary = {} }: SavedResource): Offer {
  const { amount, currency = '', count, creditorName } = summary;
  const sum = amount === undefined ? '' : `${amount} ${currency}`.trim();
  const payee = count === undefined ? creditorName : `${String(count)} payments`;
  return {
    ...{ profile, kind: noun, value: id },
    about: [sum, payee].filter(Boolean).join(' · '),
    createdAt,
    ...defined({ ledger }),
  };
}
