import { ObkError, OutcomeUnknown } from '../errors.ts';
import type { SavedResource } from '../ports.ts';
import type { Conversation } from '../sca/state.ts';
import type { ConsentRequest } from '../xs2a/wire.ts';
import { call, tryCall } from './call.ts';
import { psuHeaders, psuIpHeader, redirectHeaders } from './headers.ts';
import { readParentStatus } from './parent-status.ts';
import { preferenceHeaders } from './preferences.ts';
import type { Preferences } from './preferences.ts';
import { newRedirect } from './redirect.ts';
import { keepCreated, newResource, parentOf, saveStatus } from './saved-resource.ts';
import type { Target } from './target.ts';
import { settleWrites } from './unknown-writes.ts';

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
  const redirect = await newRedirect(target);
  const answer = await call(target, {
    operation: 'createConsent',
    headers: [
      ...psuHeaders(target),
      psuIpHeader(target),
      ...redirectHeaders(redirect),
      ...preferenceHeaders(target, 'createConsent', how.prefer),
    ],
    body: { json: body },
  });
  const id = answer.ids.consentId;
  if (id === undefined) throw new Error('a consent answer without consentId passed the reader');
  const { access, recurringIndicator, validUntil, frequencyPerDay, combinedServiceIndicator } = body;
  const resource: SavedResource = {
    ...newResource(target, 'consent', id),
    links: answer.links,
    ...(answer.requestId !== undefined && { requestId: answer.requestId }),
    ...(answer.consentStatus !== undefined && { status: answer.consentStatus }),
    ...(redirect !== undefined && { redirect }),
    consent: {
      access,
      recurring: recurringIndicator,
      validUntil,
      frequency: frequencyPerDay,
      combined: combinedServiceIndicator,
      ...(target.psu.id !== undefined && { psuId: target.psu.id }),
      ...(how.renews !== undefined && { renews: how.renews }),
    },
  };
  return keepCreated(target, resource, answer);
}

/** Deletes a consent; a lost answer counts as done only where the status then says so. */
export async function deleteConsent(target: Target, resource: SavedResource): Promise<SavedResource> {
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
  const { store } = target.ports;
  if ((await store.credentials(target.name)).consentId === id) {
    await store.updateCredentials(target.name, ({ consentId: _, ...rest }) => rest);
  }
  return saveStatus(target, resource, 'terminatedByTpp');
}

async function readBack(target: Target, resource: SavedResource, error: OutcomeUnknown): Promise<void> {
  const read = await readParentStatus(target, parentOf(resource)).catch((failure: unknown) => {
    if (failure instanceof ObkError) return undefined;
    throw failure;
  });
  if (read?.status !== 'terminatedByTpp') throw error;
  const reading = { acted: true, reason: 'read terminatedByTpp' };
  await settleWrites(target.ports, target.name, 'deleteConsent', { consentId: resource.id }, reading);
}
