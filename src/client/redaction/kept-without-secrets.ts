import { defined } from '../../base/defined.ts';
import type { Resources } from '../ports/resources.ts';
import type { SavedResource } from '../../settings/records/resources.ts';
import type { Conversation } from '../../standard/sca/state.ts';
import type { Answer } from '../../standard/xs2a/answer.ts';
import { cutKnown } from './redact.ts';

/**
 * Resources that keep no secret in what the bank said: one that answers with the password, the code or the token that it got, in
 * a link or a message, would else have it written into the files of its payments. What we know ourselves stays as it is.
 */
export function keptWithoutSecrets(resources: Resources): Resources {
  return {
    ...resources,
    saveConversation: (profile, conversation, before) =>
      resources.saveConversation(profile, cutConversation(conversation), before),
    claimConversation: (profile, conversation, ...rest) =>
      resources.claimConversation(profile, cutConversation(conversation), ...rest),
    saveMade: ({ resource, conversation }) =>
      resources.saveMade({ resource: cutResource(resource), conversation: cutConversation(conversation) }),
    save: (resource) => resources.save(cutResource(resource)),
  };
}

function cutConversation(conversation: Conversation): Conversation {
  const { steering, standing, unknownLinks, scaMethods, chosenScaMethod, challengeData, psuMessage } =
    conversation;
  const said = { steering, standing, unknownLinks };
  const bySome = defined({ scaMethods, chosenScaMethod, challengeData, psuMessage });
  return { ...conversation, ...cutAll(said), ...cutAll(bySome) };
}

function cutResource(resource: SavedResource): SavedResource {
  return { ...resource, links: cutAll(resource.links) };
}

/** An answer whose message for the PSU, which is shown and kept, repeats none of our secrets. */
export function saidWithoutSecrets(answer: Answer): Answer {
  const { psuMessage } = answer;
  return psuMessage === undefined ? answer : { ...answer, psuMessage: cutKnown(psuMessage) };
}

/** The same value with each of its texts cut; what is absent stays absent. */
function cutAll<T>(value: T): T {
  const cut = (one: unknown): unknown => {
    if (typeof one === 'string') return cutKnown(one);
    if (Array.isArray(one)) return one.map(cut);
    if (typeof one !== 'object' || one === null) return one;
    const members = Object.entries(one).filter(([, member]) => member !== undefined);
    return Object.fromEntries(members.map(([name, member]) => [name, cut(member)]));
  };
  return cut(value) as T;
}
