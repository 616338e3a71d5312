import { BankRefusal } from '../../base/errors.ts';
import type { SavedResource } from '../../settings/records/resources.ts';
import { idNames, isListedWith, scaOperations, scaParams } from '../../standard/sca/operations.ts';
import type { Conversation, Parent } from '../../standard/sca/state.ts';
import { isFinalSca, isSuccessfulSca } from '../../standard/xs2a/codes.ts';
import { call } from '../call/call.ts';
import type { Target } from '../exchange/target.ts';
import { endOf } from '../resources/parent-status.ts';
import { parentOf } from '../resources/saved-resource.ts';
import { watch } from '../resources/watch.ts';
import type { Pace, WatchEnd } from '../resources/watch.ts';
import { keepPicture } from '../sca/challenge.ts';
import { noteChange } from '../sca/kept-conversation.ts';
import { observe } from '../sca/sca-read.ts';
import type { Found } from './find-authorisation.ts';
import { idsOf } from './list-authorisations.ts';

/** One authorisation as it stands; what only a saved conversation knows is null for those of elsewhere. */
export type AuthorisationState = {
  of: Parent['kind'];
  authorisationId: string;
  scaStatus: string | null;
  psuId: string | null;
  approach: string | null;
  /** When the scaStatus was first seen here to be what it is. ISO 8601, UTC. */
  changedAt: string | null;
};

/** How authorisations are waited for. */
export interface AuthorisationWatch extends Pace {
  /** The scaStatus of every one; absent: until all are over. */
  until?: string;
}

interface Seen {
  state: AuthorisationState;
  /** Undefined while it is open. */
  success: boolean | undefined;
}

/** Reads every authorisation of a resource that the bank lists or that is saved here, or the named one alone. */
export async function readAuthorisations(target: Target, found: Found): Promise<AuthorisationState[]> {
  return (await readAll(target, found, [])).map(({ state }) => state);
}

/**
 * Yields each authorisation at first and after each change of its scaStatus, until all have ended (or have the awaited
 * status) or the time is up; returns how it ended, and all authorisations.
 */
export async function* watchAuthorisations(
  target: Target,
  found: Found,
  { until, ...pace }: AuthorisationWatch,
): AsyncGenerator<AuthorisationState, { end: WatchEnd; last: readonly AuthorisationState[] }> {
  let before: readonly Seen[] = [];
  const judge = until === undefined ? endOfAll : (seen: readonly Seen[]) => endAt(until, seen);
  const read = () => readAll(target, found, before);
  const readings = watch(target, { id: found.resource.id, read, judge }, pace);
  for (;;) {
    const { done, value } = await readings.next();
    if (done === true) return { end: value.end, last: value.last.map(({ state }) => state) };
    for (const { state } of value) {
      const known = before.find(({ state: other }) => other.authorisationId === state.authorisationId);
      if (known === undefined || known.state.scaStatus !== state.scaStatus) yield state;
    }
    before = value;
  }
}

function endOfAll(seen: readonly Seen[]): 'reached' | 'missed' | undefined {
  if (seen.length === 0 || seen.some(({ success }) => success === undefined)) return undefined;
  return seen.every(({ success }) => success) ? 'reached' : 'missed';
}

function endAt(until: string, seen: readonly Seen[]): 'reached' | 'missed' | undefined {
  const others = seen.filter(({ state }) => state.scaStatus !== until);
  if (others.some(({ success }) => success !== undefined)) return 'missed';
  return seen.length > 0 && others.length === 0 ? 'reached' : undefined;
}

async function readAll(target: Target, found: Found, before: readonly Seen[]): Promise<Seen[]> {
  const { resource, named } = found;
  const { resources } = target.ports;
  const all = await resources.conversations(target.name, resource.noun, resource.id);
  const kinds: readonly Parent['kind'][] =
    resource.noun === 'payment' ? ['payment', 'cancellation'] : [resource.noun];
  const seen: Seen[] = [];
  for (const of of kinds) {
    const saved = all.filter(({ parent }) => isListedWith(parent.kind, of));
    const wanted = found.conversation;
    if (named && (wanted === undefined || !isListedWith(wanted.parent.kind, of))) continue;
    const known = saved.flatMap(({ authorisationId }) => authorisationId ?? []);
    const ids = named ? [wanted?.authorisationId ?? ''] : [...(await listed(target, resource, of)), ...known];
    for (const id of new Set(ids)) {
      const over = before.find(({ state, success }) => state.authorisationId === id && success !== undefined);
      const conversation = saved.find(({ authorisationId }) => authorisationId === id);
      seen.push(over ?? (await readOne(target, { resource, of, id }, conversation)));
    }
  }
  return seen;
}

/** Some banks list nothing; what is saved here is known all the same. */
async function listed(
  target: Target,
  resource: SavedResource,
  of: Parent['kind'],
): Promise<readonly string[]> {
  try {
    return await idsOf(target, resource, of);
  } catch (error) {
    if (error instanceof BankRefusal && [403, 404, 405].includes(error.httpStatus)) return [];
    throw error;
  }
}

/** An authorisation by its id, and what it is of. */
interface AuthorisationId {
  resource: SavedResource;
  of: Parent['kind'];
  id: string;
}

async function readOne(
  target: Target,
  one: AuthorisationId,
  conversation: Conversation | undefined,
): Promise<Seen> {
  if (conversation === undefined) return readForeign(target, one);
  const { id } = one;
  const { scaStatus: before } = conversation;
  if (before !== undefined && isFinalSca(before)) return seenOf(conversation, id, isSuccessfulSca(before));
  const { conversation: after, success } = await observe(target, conversation);
  const kept = noteChange(target, conversation, await keepPicture(target, conversation, after));
  await target.ports.resources.saveConversation(target.name, kept);
  return seenOf(kept, id, success);
}

function seenOf(conversation: Conversation, authorisationId: string, success: boolean | undefined): Seen {
  const { parent, scaStatus, psuId, approach, changedAt, startedAt } = conversation;
  return {
    state: {
      of: parent.kind,
      authorisationId,
      scaStatus: scaStatus ?? null,
      psuId: psuId ?? null,
      approach: approach ?? null,
      changedAt: changedAt ?? startedAt,
    },
    success,
  };
}

async function readForeign(
  target: Target,
  { resource, of, id: authorisationId }: AuthorisationId,
): Promise<Seen> {
  const state = { of, authorisationId, psuId: null, approach: null, changedAt: null };
  if (target.profile.sca?.statusFrom === 'resource')
    return { state: { ...state, scaStatus: null }, success: endOf(of, resource.status) };
  const { scaStatus } = await call(target, {
    operation: scaOperations[of].read,
    params: scaParams(parentOf(resource, of), authorisationId),
    resource: { [idNames[resource.noun]]: resource.id, authorisationId },
  });
  const over = scaStatus !== undefined && isFinalSca(scaStatus);
  return {
    state: { ...state, scaStatus: scaStatus ?? null },
    success: over ? isSuccessfulSca(scaStatus) : undefined,
  };
}
