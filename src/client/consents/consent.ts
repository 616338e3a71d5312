import { defined } from '../../base/defined.ts';
import { line } from '../../base/command-line.ts';
import { BankRefusal, OutcomeUnknown, isFailure } from '../../base/errors.ts';
import type { ObkError } from '../../base/errors.ts';
import type {
  Preferences,
  SavedConsent,
  SavedRedirect,
  SavedResource,
} from '../../settings/records/resources.ts';
import { nextStep } from '../../standard/sca/next-step.ts';
import { scaOperations, scaParams } from '../../standard/sca/operations.ts';
import type { Conversation } from '../../standard/sca/state.ts';
import type { Answer } from '../../standard/xs2a/answer.ts';
import { isFinalConsent } from '../../standard/xs2a/codes.ts';
import { operation } from '../../standard/xs2a/operations.ts';
import { buildPath } from '../../standard/xs2a/request.ts';
import { frameworkFacts } from '../../standard/xs2a/variants.ts';
import type { AccountAccess, ConsentRequest } from '../../standard/xs2a/wire-accounts.ts';
import { redirectOfNew } from '../browser/usable-redirect.ts';
import { tryCall } from '../call/call.ts';
import { psuHeaders, psuIpHeader, redirectHeaders } from '../call/psu-headers.ts';
import { preferenceHeaders } from '../call/tpp-preferences.ts';
import type { Target } from '../exchange/target.ts';
import { readParentStatus } from '../resources/parent-status.ts';
import {
  beginConversation,
  createdBy,
  forgetChosen,
  keepCreated,
  madeOf,
  named,
  newResource,
  parentOf,
  psuOfResource,
  saveStatus,
} from '../resources/saved-resource.ts';
import { settleWrites } from '../resources/unknown-writes.ts';
import { withBalancesForm } from './consent-body.ts';

/** A consent as it was created: what is saved of it, and the conversation that authorises it. */
export interface CreatedConsent {
  resource: SavedResource;
  conversation: Conversation;
}

/** Creates a consent; it is saved before anything else happens to it. Never repeated, whatever becomes of the answer. */
export async function createConsent(
  target: Target,
  body: ConsentRequest,
  how: { prefer?: Preferences; renews?: string } = {},
): Promise<CreatedConsent> {
  const redirect = await redirectOfNew(target, 'createConsent');
  const called = await tryCall(target, {
    operation: 'createConsent',
    headers: [
      ...psuHeaders(target),
      psuIpHeader(target),
      ...redirectHeaders(redirect),
      ...preferenceHeaders(target, 'createConsent', how.prefer),
    ],
    body: { json: body },
  });
  const { answer, doubt } = createdBy(called, (error) => withOtherForms(target, body.access, error));
  const consent = { ...savedConsent(target, body), ...defined({ renews: how.renews }) };
  const created = madeOf(target, resourceIn(target, answer, consent, redirect), answer);
  await keepCreated(target, created);
  if (doubt !== undefined) throw named(doubt, 'consent', created.resource.id);
  return created;
}

function resourceIn(
  target: Target,
  answer: Answer,
  consent: SavedConsent,
  redirect: SavedRedirect | undefined,
): SavedResource {
  const id = answer.ids.consentId;
  if (id === undefined) throw new Error('a consent answer without consentId passed the reader');
  return {
    ...newResource(target, 'consent', id),
    links: answer.links,
    ...defined({ requestId: answer.requestId, status: answer.consentStatus, redirect }),
    consent,
  };
}

/** The access as it is asked for. */
export function savedConsent({ psu }: Pick<Target, 'psu'>, body: ConsentRequest): SavedConsent {
  const { access, recurringIndicator, validUntil, frequencyPerDay, combinedServiceIndicator } = body;
  return {
    access,
    recurring: recurringIndicator,
    validUntil,
    frequency: frequencyPerDay,
    combined: combinedServiceIndicator,
    ...defined({ psuId: psu.id }),
  };
}

/** Where a framework has several forms of all accounts with balances, a bank that refuses one may know another. */
function withOtherForms(
  { name, profile, variant }: Target,
  access: AccountAccess,
  error: ObkError,
): ObkError {
  const asked = withBalancesForm(access);
  if (!(error instanceof BankRefusal) || error.httpStatus !== 400) return error;
  const others = frameworkFacts[variant.framework].balanceAccessForms.filter((form) => form !== asked);
  if (asked === undefined || others.length === 0) return error;
  const own =
    profile.consent?.withBalances === undefined ? 'which is that of the file' : 'which the profile says';
  return error.with({
    more: `The consent asks for all accounts with balances in the form ${JSON.stringify(asked)}, ${own}; banks of ${variant.framework} have ${others.length === 1 ? 'one' : 'two'} more.`,
    hint: others.map((form) => line`obk config set consent.withBalances ${form} --profile ${name}`),
  });
}

/** How a deletion went: the consent as it stands, with what is still to be authorised, where the bank wants the PSU for it. */
export interface Deletion {
  resource: SavedResource;
  conversation?: Conversation;
}

/**
 * Deletes a consent. It is deleted if the bank answers 204, or if its status says so afterwards; at a bank that wants the
 * PSU (`consent.deleteNeedsSca`) the answer begins an authorisation.
 */
export async function deleteConsent(target: Target, resource: SavedResource): Promise<Deletion> {
  const { id } = resource;
  const called = await tryCall(target, {
    operation: 'deleteConsent',
    params: { consentId: id },
    resource: { consentId: id },
  });
  if (!called.ok) {
    if (!(called.error instanceof OutcomeUnknown)) throw called.error;
    await readBack(target, resource, called.error);
  }
  if (!called.ok) return keepDeletion(target, resource, deleted);
  const status = statusBy(target, called.answer) ?? (await statusNow(target, resource));
  return keepDeletion(target, resource, status, called.answer);
}

/** Saves where a consent stands after the answer to its deletion, and begins the authorisation that it may need. */
export async function keepDeletion(
  target: Target,
  resource: SavedResource,
  status: string | undefined,
  answer?: Answer,
): Promise<Deletion> {
  const { deleteNeedsSca = false } = target.profile.consent ?? {};
  const after = await saveStatus(target, resource, status);
  if (!isFinalConsent(after.status ?? ''))
    return answer !== undefined && deleteNeedsSca
      ? { resource: after, conversation: await beginDeletion(target, after, answer) }
      : { resource: after };
  await forgetChosen(target, resource.id);
  return { resource: after };
}

/** The status of a consent that the answer to its deletion tells; undefined where it is to be read. */
export function statusBy({ profile }: Target, { status }: Answer): string | undefined {
  return (profile.consent?.deleteStatus ?? [204]).includes(status) ? deleted : undefined;
}

const deleted = 'terminatedByTpp';

/** The bank deletes the consent only once the PSU has agreed: the one whose consent it is, unless this run names another. */
async function beginDeletion(target: Target, resource: SavedResource, answer: Answer): Promise<Conversation> {
  const begun: Conversation = {
    ...beginConversation(target, resource, answer, 'deletion'),
    ...(await psuOfResource(target, resource)),
  };
  const isSaid = begun.authorisationId !== undefined || !['wait', 'stuck'].includes(nextStep(begun).kind);
  const { start } = scaOperations.deletion;
  const path = () => buildPath(target.variant, operation(start), scaParams(begun.parent));
  // Where the answer does not say how the PSU agrees, the path is that of the interface.
  const conversation = isSaid ? begun : { ...begun, steering: { startAuthorisation: path() } };
  await target.ports.resources.saveConversation(target.name, conversation);
  return conversation;
}

async function statusNow(target: Target, resource: SavedResource): Promise<string | undefined> {
  try {
    return (await readParentStatus(target, parentOf(resource))).status;
  } catch (failure) {
    if (isFailure(failure)) return undefined;
    throw failure;
  }
}

async function readBack(target: Target, resource: SavedResource, error: OutcomeUnknown): Promise<void> {
  if ((await statusNow(target, resource)) !== deleted) throw error;
  const reading = { acted: true, reason: 'read terminatedByTpp' };
  await settleWrites(target, 'deleteConsent', { consentId: resource.id }, reading);
}
