import { line } from '../../base/command-line.ts';
import { BankRefusal, ObkError, isFailure } from '../../base/errors.ts';
import type { Use } from '../ports/usage.ts';
import type { SavedResource } from '../../settings/records/resources.ts';
import type { OperationId } from '../../standard/xs2a/operations.ts';
import { bankTime } from '../exchange/bank-time.ts';
import { ledgerSeen } from '../exchange/open-target.ts';
import type { Target } from '../exchange/target.ts';
import { beforeSending, keepIfPossible, tellUnwritable } from '../exchange/unwritable.ts';

/** One access to account data as a bank counts it: an endpoint, and the account (and transaction) behind it. */
export interface Access {
  operation: OperationId;
  of?: string;
}

/** The facts about the person behind a read. */
export interface ReadTerms {
  /** The PSU asks for this now: the read carries PSU-IP-Address and is not counted. */
  psuPresent: boolean;
  /** Go on although the accesses of 24 hours are used up. */
  overBudget: boolean;
  /** Asks a person whether to continue; absent in a run without a person. */
  ask?: (what: string) => Promise<boolean>;
}

/**
 * The RTS on SCA (Article 36(5)) allow four accesses in any 24 hours, the framework's frequencyPerDay so many a day. What keeps to
 * the first keeps to the second, whatever the time zone of the bank, and not the other way round: four before midnight and four after
 * it are eight within an hour.
 */
const windowMs = 24 * 60 * 60 * 1000;

/**
 * Makes one access within a consent's budget of any 24 hours, counted across processes; an access of which nothing was sent is not
 * counted. Throws ACCESS_BUDGET once the accesses are used up; sandbox and test profiles only get a warning. Throws CONSENT_NEEDED
 * where a consent of one use has had this access: nobody would give another answer to the same question.
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
  const isAsked = recurring && (terms.ask !== undefined || target.environment !== 'production');
  const mayExceed = terms.overBudget || isAsked;
  let made = 0;
  let next: number | undefined;
  try {
    await usage.update(key, (uses) => {
      const counted = counting(uses, what, recurring ? at : undefined);
      made = counted.length;
      next = freeAgain(counted, allowed);
      const kept = keptOf(uses, recurring, at);
      // A try that is refused here is none that another one should count, nor be left if this process dies now.
      const isRefused = allowed !== undefined && made >= allowed && !mayExceed;
      return isRefused ? kept : [...kept, { at, what: mine }];
    });
  } catch (error) {
    // Other machines count as well: while their count cannot be read, the access is not made.
    if (!isFailure(error) || error.code !== 'STATE_NOT_WRITTEN')
      return beforeSending(() => Promise.reject(error as Error));
    tellUnwritable(target.ports, error);
  }
  const giveBack = () =>
    keepIfPossible(target.ports, () => usage.update(key, (uses) => uses.filter((use) => use.what !== mine)));
  // The bank counts from the arrival, which is certain only now: a window that began earlier would end too early.
  const began = clock.monotonic();
  const settle = () =>
    keepIfPossible(target.ports, () =>
      usage.update(key, (uses) =>
        uses.map((use) =>
          use.what === mine ? { ...use, at: Math.ceil(at + clock.monotonic() - began) } : use,
        ),
      ),
    );
  let result: T;
  try {
    if (allowed !== undefined && made >= allowed)
      await beyond(target, consent, access, terms, { made, next });
    result = await work();
  } catch (error) {
    await (hasLeft(error, recurring) ? settle() : giveBack());
    throw error;
  }
  await settle();
  return result;
}

/** How many accesses are left of a consent now: those of its most used endpoint and account. */
export async function usesLeft(
  target: Pick<Target, 'ports' | 'name'>,
  consent: SavedResource,
  now: Date,
): Promise<number> {
  const { recurring = true, frequency = 0 } = consent.consent ?? {};
  const uses = await target.ports.usage.read(await keyOf(target, consent));
  const at = recurring ? now.getTime() : undefined;
  const counts = [...new Set(uses.map(({ what }) => endpointOf(what)))].map(
    (what) => counting(uses, what, at).length,
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
  { made, next }: { made: number; next: number | undefined },
): Promise<void> {
  const { recurring = true, frequency = 1 } = consent.consent ?? {};
  const endpoint = access.of === undefined ? access.operation : `${access.operation} of this account`;
  const isOpen = overBudget || (recurring && target.environment !== 'production');
  const what = recurring
    ? `Consent ${consent.id} allows ${times(Math.min(frequency, target.profile.limits?.perDayPerAccess ?? frequency))} a day without the PSU, and ${String(made)} went to ${endpoint} in the last 24 hours${again(next)}.`
    : `Consent ${consent.id} is for one use, and ${endpoint} was called with it before.`;
  if (isOpen) {
    target.ports.notices.warn(what);
    return;
  }
  if (recurring && ask !== undefined && (await ask(what))) return;
  throw new ObkError({
    code: recurring ? 'ACCESS_BUDGET' : 'CONSENT_NEEDED',
    title: 'The accesses that the consent allows are used up; the request was not sent.',
    detail: what,
    hint: [
      recurring
        ? '--psu-present   # where the PSU asks for it right now'
        : line`obk consent renew ${consent.id}`,
      '--over-budget   # to ask the bank all the same',
    ],
    resource: { consentId: consent.id },
  });
}

/**
 * Whether a request has reached the bank, or may have: it counts such an access, whatever it answered. What it has refused is no
 * use of a consent of one use.
 */
function hasLeft(error: unknown, recurring: boolean): boolean {
  if (error instanceof BankRefusal) return recurring;
  return (
    error instanceof ObkError && ['ANSWER_LOST', 'ANSWER_UNREADABLE', 'ANSWER_TOO_LARGE'].includes(error.code)
  );
}

const again = (next: number | undefined) =>
  next === undefined ? '' : `; the next may go at ${new Date(next).toISOString().replace(/\.\d+Z$/, 'Z')}`;

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

/** The uses of an endpoint that count at a moment; for a consent of one use all of them. */
function counting(uses: readonly Use[], what: string, at: number | undefined): readonly Use[] {
  return uses.filter((use) => endpointOf(use.what) === what && (at === undefined || isWithin(use, at)));
}

/** When so many have left the window that one more may go, rounded up to a second. */
function freeAgain(counted: readonly Use[], allowed: number | undefined): number | undefined {
  if (allowed === undefined || counted.length < allowed) return undefined;
  const leaving = counted.map(({ at }) => at).sort((a, b) => a - b)[counted.length - allowed];
  return leaving === undefined ? undefined : Math.ceil((leaving + windowMs) / 1000) * 1000;
}

/** What has left the window no longer counts, but for a consent of one use. */
function keptOf(uses: readonly Use[], recurring: boolean, now: number): readonly Use[] {
  return recurring ? uses.filter((use) => isWithin(use, now)) : uses;
}

/** One in the future counts as well: it comes from a clock that was put back, or from a call that is under way. */
function isWithin({ at }: Use, now: number): boolean {
  return at > now - windowMs;
}
