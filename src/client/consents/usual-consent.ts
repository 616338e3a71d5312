import { cleanLine } from '../../base/clean.ts';
import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { SavedResource } from '../../settings/records/resources.ts';
import { isFinalConsent, isUsableConsent } from '../../standard/xs2a/codes.ts';
import { bankTime } from '../exchange/bank-time.ts';
import { usualDebtor } from '../call/usual-debtor.ts';
import type { Target } from '../exchange/target.ts';
import { loginOf } from '../oauth/tokens.ts';
import { earlierLedger } from '../resources/of-ledger.ts';
import { readConsent } from '../resources/read-consent.ts';
import { newResource } from '../resources/saved-resource.ts';
import { usesLeft } from './budget.ts';
import { isoDate } from './consent-body.ts';

/**
 * The consent that is used where none is named: the active one of the profile, else the only one that is saved as valid, of
 * the PSU of this run where one is named. A one-off consent that was used already does not stand in the way of others.
 * Undefined where none is known and the bank takes it from the token of this run alone. Throws CONSENT_NEEDED (exit 4) with
 * what would make one, and ID_AMBIGUOUS where several are valid.
 */
export async function usualConsent(target: Target): Promise<SavedResource | undefined> {
  const { credentials, resources } = target.ports;
  const active = (await credentials.read(target.name)).consentId;
  const isEarlier = await earlierLedger(target.ports, target.name);
  if (active !== undefined) {
    const chosen = await resources.find(target.name, 'consent', active);
    if (chosen === undefined) return newResource(target, 'consent', active);
    if (!isEarlier(chosen)) return chosen;
  }
  const psu = target.run.psu?.id;
  const ofPsu = (resource: SavedResource) => {
    const of = resource.consent?.psuId;
    return !isEarlier(resource) && (psu === undefined || of === undefined || of === psu);
  };
  const saved = (await resources.list(target.name, 'consent')).filter(ofPsu);
  const now = await bankTime(target);
  const today = isoDate(now);
  const candidates = await fresh(
    target,
    saved.filter((one) => isUsable(one, today)),
    now,
  );
  const valid = await stillValid(target, candidates, today);
  const [only, ...others] = valid;
  if (only === undefined && isInToken(target)) return undefined;
  if (only === undefined) throw await needed(target, saved);
  if (others.length === 0) return only;
  throw new ObkError({
    code: 'ID_AMBIGUOUS',
    title: `Profile ${target.name} has more than one valid consent.`,
    // The first line is what a script may follow, and of several consents it may choose none.
    hint: [
      'obk consent list',
      ...valid.slice(0, 3).map(({ id, consent }) => line`--consent ${id}` + ofWhom(consent?.psuId)),
      ...valid.slice(0, 3).map(({ id }) => line`obk consent use ${id}`),
    ],
  });
}

const ofWhom = (psuId: string | undefined): string =>
  psuId === undefined ? '' : `   # of ${cleanLine(psuId)}`;

/** Milliseconds; what was seen of a consent longer ago is looked at again before it decides. */
const seenLongAgo = 60 * 60_000;

/**
 * Returns those that the bank still takes, newest first. A bank ends a recurring consent without notice when another one is
 * authorised, so a consent is read where it was not seen since then, or for long; what was seen is remembered. Reading
 * ends at the second valid one, where it is certain that somebody has to choose; the rest is returned as saved.
 */
async function stillValid(
  target: Target,
  candidates: readonly SavedResource[],
  today: string,
): Promise<readonly SavedResource[]> {
  if (candidates.length < 2 || target.run.dryRun) return candidates;
  const now = target.ports.clock.now().getTime();
  // Of one that was saved without the time, it may be any until it was last seen.
  const cameAfter = ({ usableSince, updatedAt }: SavedResource, seen: string) =>
    usableSince === undefined ? updatedAt >= seen : usableSince > seen;
  const mustRead = (one: SavedResource) =>
    now - Date.parse(one.updatedAt) > seenLongAgo ||
    candidates.some((other) => other !== one && cameAfter(other, one.updatedAt));
  const valid: SavedResource[] = [];
  for (const [at, one] of candidates.entries()) {
    const seen = mustRead(one) ? (await readConsent(target, one)).resource : one;
    if (isUsable(seen, today)) valid.push(seen);
    if (valid.length > 1) return [...valid, ...candidates.slice(at + 1)];
  }
  return valid;
}

/** Those that are not used up for good; the newest of them where none is left. */
async function fresh(
  target: Target,
  consents: readonly SavedResource[],
  now: Date,
): Promise<readonly SavedResource[]> {
  if (consents.length < 2) return consents;
  const left: SavedResource[] = [];
  for (const one of consents) {
    const once = one.consent?.recurring === false;
    if (!once || (await usesLeft(target, one, now)) > 0) left.push(one);
  }
  return left.length === 0 ? consents.slice(0, 1) : left;
}

function isInToken({ profile, token, logins, psu }: Target): boolean {
  return profile.auth?.consent === 'token' && (token !== undefined || loginOf(logins, psu.id) !== undefined);
}

/** A consent of which only the id is known is read once: its frequency and its accounts count. */
export async function knownConsent(target: Target, consent: SavedResource): Promise<SavedResource> {
  if (consent.consent !== undefined || target.run.dryRun) return consent;
  return (await readConsent(target, consent)).resource;
}

export function isUsable({ status, consent }: SavedResource, today: string): boolean {
  return isUsableConsent(status ?? '') && (consent === undefined || consent.validUntil >= today);
}

async function needed(target: Target, saved: readonly SavedResource[]): Promise<ObkError> {
  const { name, run } = target;
  const open = saved.find(
    ({ status }) => status !== undefined && !isFinalConsent(status) && !isUsableConsent(status),
  );
  const over = saved.find(
    ({ status, consent }) =>
      consent !== undefined && (isFinalConsent(status ?? '') || isUsableConsent(status ?? '')),
  );
  const psu = run.psu?.id === undefined ? [] : ['--psu-id', run.psu.id];
  return new ObkError({
    code: 'CONSENT_NEEDED',
    title: `Profile ${name} has no valid consent.`,
    detail: 'Account data can be read only with a consent of the PSU.',
    hint: [
      ...(open === undefined
        ? []
        : [line`obk consent authorise ${open.id}   # it is ${open.status ?? 'open'}`]),
      ...(over === undefined
        ? []
        : [line`obk consent renew ${over.id}   # was valid until ${over.consent?.validUntil ?? ''}`]),
      line`obk consent create --iban ${(await usualDebtor(target)) ?? 'IBAN'}${psu}`,
    ],
  });
}
