import { line } from '../../command-line.ts';
import { BankRefusal, ObkError, isFailure } from '../../errors.ts';
import type { Use } from '../../ports/usage.ts';
import type { SavedResource } from '../../records/resources.ts';
import type { OperationId } from '../../xs2a/operations.ts';
import { bankTime } from '../exchange/bank-time.ts';
import { ledgerSeen } from '../exchange/open-target.ts';
import type { Target } from '../exchange/target.ts';
import { beforeSending, keepIfPossible, tellUnwritable } from '../exchange/unwritable.ts';
import { isoDate } from './consent-body.ts';

/** One access to account data as a bank counts it: an endpoint, and the account (and transaction) behind it. */
export interface Access {
  operation: OperationId;
  of?: string;
}

/** The facts about the person behind a read. */
export interface ReadTerms {
  /** The PSU asks for this now: the read carries PSU-IP-Address and is not counted. */
  psuPresent: boolean;
  /** Go on although the accesses of today are used up. */
  overBudget: boolean;
  /** Asks a person whether to continue; absent in a run without a person. */
  ask?: (what: string) => Promise<boolean>;
}

/**
 * Makes one access within a consent's daily budget, counted across processes; an access of which nothing was
 * sent is not counted. Throws ACCESS_BUDGET once today's accesses are used up; sandbox and test profiles only get
 * a warning.
 */
export async function withinBudget<T>(
  target: Target,
  consent: SavedResource,
  access: Access,
  terms: ReadTerms,
  work: () => Promise<T>,
): Promise<T> {
  const { recurring = true, frequency } = consent.consent ?? {};
  // A one-off consent is for one access even of a PSU who is there.
  if (target.run.dryRun || (recurring && terms.psuPresent)) return work();
  const { usage, journal, clock } = target.ports;
  const { perDayPerAccess = Infinity } = target.profile.limits ?? {};
  const at = (await bankTime(target)).getTime();
  const key = await keyOf(target, consent);
  const what = whatOf(access);
  const mine = `${what} ${journal.run} ${String(clock.monotonic())}`;
  const ofBank = Math.min(frequency ?? Infinity, perDayPerAccess);
  const allowed = !recurring ? 1 : ofBank === Infinity ? undefined : ofBank;
  let made = 0;
  try {
    await usage.update(key, (uses) => {
      made = countOf(uses, what, recurring ? at : undefined);
      return [...keptOf(uses, recurring, at), { at, what: mine }];
    });
  } catch (error) {
    // Other machines count as well: while their count cannot be read, the access is not made.
    if (!isFailure(error) || error.code !== 'STATE_NOT_WRITTEN')
      return beforeSending(() => Promise.reject(error as Error));
    tellUnwritable(target.ports, error);
  }
  const giveBack = () =>
    keepIfPossible(target.ports, () => usage.update(key, (uses) => uses.filter((use) => use.what !== mine)));
  try {
    if (allowed !== undefined && made >= allowed) await beyond(target, consent, access, terms, made);
    return await work();
  } catch (error) {
    if (!hasLeft(error)) await giveBack();
    throw error;
  }
}

/** How many accesses of today are left of a consent: those of its most used endpoint and account. */
export async function usesLeft(
  target: Pick<Target, 'ports' | 'name'>,
  consent: SavedResource,
  now: Date,
): Promise<number> {
  const { recurring = true, frequency = 0 } = consent.consent ?? {};
  const uses = await target.ports.usage.read(await keyOf(target, consent));
  const day = recurring ? now.getTime() : undefined;
  const counts = [...new Set(uses.map(({ what }) => endpointOf(what)))].map((what) =>
    countOf(uses, what, day),
  );
  return Math.max(0, (recurring ? frequency : 1) - Math.max(0, ...counts));
}

/** Whether an earlier run has made the one access that a one-off consent is for, by the count of this machine. */
export async function isUsedUp(
  target: Pick<Target, 'ports' | 'name'>,
  consent: SavedResource,
): Promise<boolean> {
  if (consent.consent?.recurring !== false) return false;
  const uses = await target.ports.usage.read(await keyOf(target, consent));
  return uses.some(({ what }) => what.split(' ')[1] !== target.ports.journal.run);
}

async function beyond(
  target: Target,
  consent: SavedResource,
  access: Access,
  { overBudget, ask }: ReadTerms,
  made: number,
): Promise<void> {
  const { recurring = true, frequency = 1 } = consent.consent ?? {};
  const endpoint = access.of === undefined ? access.operation : `${access.operation} of this account`;
  const what = recurring
    ? `Consent ${consent.id} allows ${times(Math.min(frequency, target.profile.limits?.perDayPerAccess ?? frequency))} a day without the PSU, and ${String(made)} went to ${endpoint} today.`
    : `Consent ${consent.id} is for one use, and ${endpoint} was called with it before.`;
  if (overBudget || target.environment !== 'production') {
    target.ports.notices.warn(what);
    return;
  }
  if (ask !== undefined && (await ask(what))) return;
  throw new ObkError({
    code: 'ACCESS_BUDGET',
    title: 'The accesses that the consent allows are used up; nothing was sent.',
    detail: what,
    hint: [
      ...(recurring
        ? ['--psu-present   # where the PSU asks for it right now']
        : [line`obk consent renew ${consent.id}`]),
      '--over-budget   # to ask the bank all the same',
    ],
    resource: { consentId: consent.id },
  });
}

/** Whether a request has reached the bank, or may have: it counts such an access, whatever it answered. */
function hasLeft(error: unknown): boolean {
  if (error instanceof BankRefusal) return true;
  return (
    error instanceof ObkError && ['ANSWER_LOST', 'ANSWER_UNREADABLE', 'ANSWER_TOO_LARGE'].includes(error.code)
  );
}

const times = (count: number) => (count === 1 ? '1 access' : `${String(count)} accesses`);

/** A consent of a bank inside may have the same id after a reset, and is another one. */
async function keyOf(
  { ports, name }: Pick<Target, 'ports' | 'name'>,
  { id }: SavedResource,
): Promise<string> {
  const ledger = await ledgerSeen(ports, name);
  return JSON.stringify(['consent', name, id, ...(ledger === undefined ? [] : [ledger])]);
}

/** Blanks part the endpoint from what makes one access differ from another. */
function whatOf({ operation, of }: Access): string {
  return `${operation}:${encodeURIComponent(of ?? '')}`;
}

const endpointOf = (what: string) => what.split(' ', 1)[0] ?? '';

function countOf(uses: readonly Use[], what: string, today: number | undefined): number {
  return uses.filter(
    (use) => endpointOf(use.what) === what && (today === undefined || sameDay(use.at, today)),
  ).length;
}

/** Yesterday no longer counts, but for a consent of one use. */
function keptOf(uses: readonly Use[], recurring: boolean, now: number): readonly Use[] {
  return recurring ? uses.filter(({ at }) => sameDay(at, now)) : uses;
}

function sameDay(one: number, other: number): boolean {
  return isoDate(new Date(one)) === isoDate(new Date(other));
}
