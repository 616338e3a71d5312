import { BankRefusal, ObkError } from '../errors.ts';
import type { Noun, SavedResource } from '../ports.ts';
import { begin } from '../sca/state.ts';
import type { Conversation, Parent } from '../sca/state.ts';
import type { Answer } from '../xs2a/answer.ts';
import type { Called } from './call.ts';
import { isGone, readParentStatus } from './parent-status.ts';
import { readConsent } from './read-consent.ts';
import { scaAnswer } from './sca-answer.ts';
import { resourceOf } from './sca-operations.ts';
import type { Target } from './target.ts';

/** A resource of this profile of which nothing but its id is known. */
export function newResource(target: Target, noun: Noun, id: string): SavedResource {
  const now = target.ports.clock.now().toISOString();
  return {
    schemaVersion: 1,
    profile: target.name,
    environment: target.environment,
    noun,
    id,
    createdAt: now,
    updatedAt: now,
    framework: target.variant.framework,
    prefix: target.variant.prefix,
    baseUrl: target.links.base,
    links: {},
  };
}

/** Reads the status of a resource (a consent whole) and saves it; gives the resource as it is saved then. */
export async function refreshResource(
  target: Target,
  resource: SavedResource,
  how: { pain002?: boolean } = {},
): Promise<{ answer: Answer; resource: SavedResource }> {
  if (resource.noun === 'consent') return readConsent(target, resource);
  const { answer, status } = await readParentStatus(target, parentOf(resource), how);
  return { answer, resource: await saveStatus(target, resource, status) };
}

const stalenessMs = 60 * 60_000;

/** Reads the status of a resource that was left alone for long: banks end what is not authorised in time. */
export async function refreshOld(target: Target, resource: SavedResource): Promise<SavedResource> {
  const age = target.ports.clock.now().getTime() - Date.parse(resource.updatedAt);
  if (age < stalenessMs || target.run.dryRun) return resource;
  try {
    return (await refreshResource(target, resource)).resource;
  } catch (error) {
    // What cannot be read may still be gone on with.
    if (error instanceof BankRefusal) return resource;
    throw error;
  }
}

/** As `refreshResource`, for a payment that the bank has just cancelled: that it is gone says so as well. */
export async function refreshCancelled(target: Target, resource: SavedResource): Promise<SavedResource> {
  try {
    return (await refreshResource(target, resource)).resource;
  } catch (error) {
    if (!isGone(error)) throw error;
    return saveStatus(target, resource, 'CANC');
  }
}

/** Saves a status that was read; resources from elsewhere are saved too, so that `@last` finds them. */
export async function saveStatus(
  target: Target,
  resource: SavedResource,
  status: string | undefined,
): Promise<SavedResource> {
  if (status === undefined || status === resource.status) return resource;
  const saved = { ...resource, status, updatedAt: target.ports.clock.now().toISOString() };
  await target.ports.store.saveResource(saved);
  return saved;
}

/** The newest conversation of a kind. */
export function latest(
  conversations: readonly Conversation[],
  kind: Parent['kind'],
): Conversation | undefined {
  return conversations
    .filter((conversation) => conversation.parent.kind === kind)
    .reduce<Conversation | undefined>(
      (newest, one) => (newest === undefined || one.startedAt > newest.startedAt ? one : newest),
      undefined,
    );
}

/** The parent of a conversation about a resource; of its cancellation, where that is meant. */
export function parentOf(resource: SavedResource, kind: Parent['kind'] = resource.noun): Parent {
  return {
    kind,
    id: resource.id,
    ...(resource.service === undefined ? {} : { service: resource.service }),
    ...(resource.product === undefined ? {} : { product: resource.product }),
  };
}

/**
 * Saves what the bank has just made, and the conversation that its answer opens; `more` is saved with them. It exists
 * whatever the disk says, so an error names its id.
 */
export async function keepCreated(
  target: Target,
  resource: SavedResource,
  answer: Answer,
  more?: () => Promise<void>,
): Promise<{ resource: SavedResource; conversation: Conversation }> {
  const { store } = target.ports;
  const conversation = beginConversation(target, resource, answer);
  try {
    await store.saveResource(resource);
    await store.saveConversation(target.name, conversation);
    await more?.();
  } catch (error) {
    if (error instanceof ObkError) error.resource = { ...error.resource, ...resourceOf(conversation) };
    throw error;
  }
  return { resource, conversation };
}

/**
 * The answer that made a resource. `doubt` is the error to throw once it is saved, where the answer cannot be believed: what
 * leads to the resource is kept, and how far that is, is to be read. Throws the error where the answer names nothing.
 */
export function createdBy(
  called: Called,
  explain: (error: ObkError) => ObkError = (error) => error,
): { answer: Answer; doubt?: ObkError } {
  if (called.ok) return called;
  if (called.seen === undefined) throw explain(called.error);
  const { transactionStatus: _, consentStatus: __, scaStatus: ___, ...answer } = called.seen;
  return { answer, doubt: called.error };
}

/** The error of an unknown outcome with the id that the bank seems to have given. */
export function named(error: ObkError, noun: Noun, id: string): ObkError {
  error.resource = { ...error.resource, [`${noun}Id`]: id };
  return error;
}

/** The conversation that the answer to a POST (or to the DELETE of a cancellation) opens, as the PSU of this run. */
export function beginConversation(
  target: Target,
  resource: SavedResource,
  answer: Answer,
  kind: Parent['kind'] = resource.noun,
): Conversation {
  const method = kind === 'cancellation' ? 'DELETE' : 'POST';
  const now = target.ports.clock.now().toISOString();
  return {
    ...begin(parentOf(resource, kind), scaAnswer(method, answer), now),
    // A later process goes on as the same PSU, and knows the secrets that the bank refused this one.
    ...(target.psu.id === undefined ? {} : { psuId: target.psu.id }),
  };
}
