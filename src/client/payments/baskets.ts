import { defined } from '../../base/defined.ts';
import { BankRefusal, ObkError, OutcomeUnknown } from '../../base/errors.ts';
import type { Preferences, SavedRedirect, SavedResource } from '../../settings/records/resources.ts';
import type { Conversation } from '../../standard/sca/state.ts';
import { sha256Hex } from '../../signing/digest.ts';
import type { Answer } from '../../standard/xs2a/answer.ts';
import type { SigningBasket } from '../../standard/xs2a/wire.ts';
import { redirectOfNew } from '../browser/usable-redirect.ts';
import { call, tryCall } from '../call/call.ts';
import { psuHeaders, psuIpHeader, redirectHeaders } from '../call/psu-headers.ts';
import { preferenceHeaders } from '../call/tpp-preferences.ts';
import type { Target } from '../exchange/target.ts';
import { endOf, isGone, readParentStatus } from '../resources/parent-status.ts';
import {
  createdBy,
  keepCreated,
  madeOf,
  named,
  newResource,
  parentOf,
  refreshResource,
  saveStatus,
} from '../resources/saved-resource.ts';
import { settleWrites, unknownWrites } from '../resources/unknown-writes.ts';

/** The ids of the payments and consents that are signed together. */
export type Members = NonNullable<SavedResource['basket']>;

/** A basket as it was created, and the conversation that authorises it. */
export interface CreatedBasket {
  resource: SavedResource;
  conversation: Conversation;
}

/** Creates a signing basket; never twice, whatever becomes of the answer. */
export async function createBasket(
  target: Target,
  members: Members,
  prefer: Preferences,
): Promise<CreatedBasket> {
  const body = bodyOf(members);
  if (!target.run.dryRun) await refuseUnknownBasket(target, sha256Hex(JSON.stringify(body)));
  const redirect = await redirectOfNew(target, 'createSigningBasket');
  const called = await tryCall(target, {
    operation: 'createSigningBasket',
    headers: [
      ...psuHeaders(target),
      psuIpHeader(target),
      ...redirectHeaders(redirect),
      // Baskets know no other start (guidelines 8.1).
      ...preferenceHeaders(target, 'createSigningBasket', { ...prefer, explicit: true }),
    ],
    body: { json: body },
  });
  const { answer, doubt } = createdBy(called, explained);
  const created = madeOf(target, resourceIn(target, members, answer, redirect), answer);
  await keepCreated(target, created);
  if (doubt !== undefined) throw named(doubt, 'basket', created.resource.id);
  return created;
}

function resourceIn(
  target: Target,
  members: Members,
  answer: Answer,
  redirect: SavedRedirect | undefined,
): SavedResource {
  const id = answer.ids.basketId;
  if (id === undefined) throw new Error('a basket answer without basketId passed the reader');
  return {
    ...newResource(target, 'basket', id),
    links: answer.links,
    basket: members,
    ...defined({ requestId: answer.requestId, status: answer.transactionStatus, redirect }),
  };
}

/** An empty list is left out: banks refuse it. */
function bodyOf({ paymentIds, consentIds }: Members): SigningBasket {
  return {
    ...(paymentIds.length > 0 && { paymentIds }),
    ...(consentIds.length > 0 && { consentIds }),
  };
}

/** Refuses a basket whose body was sent before, by its SHA-256, with an unknown outcome. */
export async function refuseUnknownBasket(target: Target, bodySha256: string): Promise<void> {
  const writes = await unknownWrites(target.ports, target.name);
  const same = writes.find((one) => one.operation === 'createSigningBasket' && one.bodySha256 === bodySha256);
  if (same === undefined) return;
  throw new OutcomeUnknown({
    code: 'OUTCOME_UNKNOWN',
    title: 'This basket was already sent; its outcome at the bank is unknown.',
    detail: `Sent on ${same.at}: ${same.detail}.`,
    hint: ['Do not send it again.', same.next],
    intent: same.exchange,
    requestId: same.requestId,
    operation: same.operation,
  });
}

const advice: Readonly<Record<string, readonly string[]>> = {
  REFERENCE_MIX_INVALID: ['Put only what the same PSUs authorise, of one kind, into a basket.'],
  REFERENCE_STATUS_INVALID: ['obk payment status ID   # which of them is authorised already'],
  RESOURCE_BLOCKED: [
    'obk basket list   # in which basket it is',
    'obk basket delete ID   # frees its members',
  ],
  RESOURCE_UNKNOWN: [
    'Members must be of this TPP, and started with --explicit yes.',
    'obk payment list   # which there are',
  ],
  STATUS_INVALID: ['obk basket status @last', 'After its first authorisation a basket cannot be deleted.'],
};

/** The refusal with what helps against it. */
function explained(error: ObkError): ObkError {
  if (!(error instanceof BankRefusal)) return error;
  const { bankCode = '', operation } = error;
  // Whoever deletes a basket does not know it by its members.
  const hint =
    operation === 'createSigningBasket' || bankCode !== 'RESOURCE_UNKNOWN' ? advice[bankCode] : undefined;
  if (hint === undefined) return error;
  return error.with({ hint });
}

/**
 * Deletes a basket that is not authorised yet. It is deleted if the bank answers 204, or if its status says so
 * afterwards.
 */
export async function deleteBasket(target: Target, resource: SavedResource): Promise<SavedResource> {
  const named = { basketId: resource.id };
  const called = await tryCall(target, {
    operation: 'deleteSigningBasket',
    params: named,
    resource: named,
  });
  if (called.ok) {
    const now = called.answer.status === 204 ? 'CANC' : await statusAfter(target, resource);
    return saveStatus(target, resource, now);
  }
  const { error } = called;
  if (!(error instanceof OutcomeUnknown)) throw explained(error);
  const status = await statusAfter(target, resource);
  if (status === undefined || endOf('basket', status) !== false) throw error;
  const reading = { acted: true, reason: `read ${status}` };
  await settleWrites(target, 'deleteSigningBasket', named, reading);
  return saveStatus(target, resource, status);
}

async function statusAfter(target: Target, resource: SavedResource): Promise<string | undefined> {
  try {
    return (await readParentStatus(target, parentOf(resource))).status;
  } catch (error) {
    if (isGone(error)) return 'CANC';
    if (error instanceof ObkError) return undefined;
    throw error;
  }
}

/** Reads the basket itself. */
export function readBasket(target: Target, { id }: SavedResource) {
  return call(target, {
    operation: 'getSigningBasket',
    params: { basketId: id },
    resource: { basketId: id },
  });
}

/** A member of a basket and where it stands; undefined where that cannot be read. */
export interface MemberState {
  noun: 'payment' | 'consent';
  id: string;
  status: string | undefined;
}

/** Reads where the members of a basket stand; those that are saved here are saved anew. */
export async function refreshMembers(target: Target, { basket }: SavedResource): Promise<MemberState[]> {
  const states: MemberState[] = [];
  for (const noun of ['payment', 'consent'] as const) {
    for (const id of (noun === 'payment' ? basket?.paymentIds : basket?.consentIds) ?? []) {
      const saved = await target.ports.resources.find(target.name, noun, id);
      states.push({ noun, id, status: saved && (await statusOf(target, saved)) });
    }
  }
  return states;
}

async function statusOf(target: Target, saved: SavedResource): Promise<string | undefined> {
  try {
    return (await refreshResource(target, saved)).resource.status;
  } catch (error) {
    if (error instanceof BankRefusal) return undefined;
    throw error;
  }
}
