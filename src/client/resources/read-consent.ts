import { defined } from '../../base/defined.ts';
import type { SavedConsent, SavedResource } from '../../settings/records/resources.ts';
import type { Answer } from '../../standard/xs2a/answer.ts';
import { isUsableConsent } from '../../standard/xs2a/codes.ts';
import { JsonNumber, isJsonObject, member, stringMember, toPlain } from '../../standard/xs2a/json.ts';
import type { JsonValue } from '../../standard/xs2a/json.ts';
import type { AccountAccess } from '../../standard/xs2a/wire-accounts.ts';
import { call } from '../call/call.ts';
import type { Target } from '../exchange/target.ts';
import { keepIfPossible } from '../exchange/unwritable.ts';

/** Reads a consent and saves what the bank has made of it: access, last day, frequency, status. */
export async function readConsent(
  target: Target,
  resource: SavedResource,
): Promise<{ answer: Answer; resource: SavedResource }> {
  const answer = await call(target, {
    operation: 'getConsentInformation',
    params: { consentId: resource.id },
    resource: { consentId: resource.id },
  });
  return { answer, resource: await keepConsent(target, resource, answer) };
}

/** Saves what an answer with a whole consent says of it. */
export async function keepConsent(
  target: Target,
  resource: SavedResource,
  answer: Answer,
): Promise<SavedResource> {
  const now = target.ports.clock.now().toISOString();
  const status = answer.consentStatus ?? resource.status;
  const usableSince =
    resource.usableSince ?? (isUsableConsent(resource.status ?? '') ? resource.updatedAt : now);
  const saved: SavedResource = {
    ...resource,
    ...defined({ status }),
    ...(isUsableConsent(status ?? '') && { usableSince }),
    consent: consentIn(answer.json, resource.consent),
    updatedAt: now,
  };
  await keepIfPossible(target.ports, () => target.ports.resources.save(saved));
  if (isUsableConsent(saved.status ?? '')) await takePlace(target, saved);
  return saved;
}

/** A renewed consent takes the place of the old one only now; the accounts of the old one have other ids from here on. */
async function takePlace(target: Target, { id, consent }: SavedResource): Promise<void> {
  const { credentials, resources } = target.ports;
  const renews = consent?.renews;
  if (renews === undefined) return;
  if ((await credentials.read(target.name)).consentId === renews) await useConsent(target, id);
  const old = await resources.find(target.name, 'consent', renews);
  if (old?.consent?.accounts === undefined) return;
  const { accounts: _, ...rest } = old.consent;
  await resources.save({ ...old, consent: rest });
}

/** Makes a consent the active one of the profile. */
export async function useConsent(target: Target, consentId: string): Promise<void> {
  await target.ports.credentials.update(target.name, (before) => ({ ...before, consentId }));
}

/**
 * The consent in an answer or a request; members that it leaves out stay as requested. Some banks write numbers and booleans as
 * text.
 */
export function consentIn(json: JsonValue | undefined, before: SavedConsent | undefined): SavedConsent {
  const access = member(json, 'access');
  const recurring = member(json, 'recurringIndicator');
  const frequency = member(json, 'frequencyPerDay');
  const digits = frequency instanceof JsonNumber ? frequency.text : frequency;
  return {
    access: {},
    combined: false,
    ...before,
    ...(isJsonObject(access) && { access: toPlain(access) as AccountAccess }),
    recurring: recurring === undefined ? (before?.recurring ?? false) : String(toPlain(recurring)) === 'true',
    validUntil: stringMember(json, 'validUntil') ?? before?.validUntil ?? unlimited,
    frequency:
      typeof digits === 'string' && /^[1-9][0-9]{0,5}$/.test(digits)
        ? Number(digits)
        : (before?.frequency ?? usualFrequency),
  };
}

/** How the interface writes that a consent has no last day. */
const unlimited = '9999-12-31';
/** The accesses a day that the law allows if nothing else was agreed. */
const usualFrequency = 4;
