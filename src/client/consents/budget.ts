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

/** An access that is to be made under a consent. */
export interface CountedAccess {
  target: Target;
  consent: SavedResource;
  access: Access;
  terms: ReadTerms;
}

/**
 * Makes one access within a consent's budget of any 24 hours, counted across processes; an access of which nothing was sent is not
 * counted. Throws ACCESS_BUDGET once the accesses are used up; sandbox and test profiles only get a warning. Throws CONSENT_NEEDED
 * where a consent of one use has had this access: nobody would give another answer to the same question.
 */
export async function withinBudget<T>(counted: CountedAccess, work: () => Promise<T>): Promise<T> {
  const { target, consent, terms } = counted;
  const { recurring = true } = consent.consent ?? {};
  // A one-off consent is for one access even of a PSU who is there.
  if (target.run.dryRun || (recurring && terms.psuPresent)) return work();
  const at = (await bankTime(target)).getTime();
  const use = new BudgetUse(counted, await keyOf(target, consent), at);
  await use.note();
  // The bank counts from the arrival, which is certain only afterwards: a window that began earlier would end too early.
  const began = target.ports.clock.monotonic();
  const settle = () => use.settle(Math.ceil(at + target.ports.clock.monotonic() - began));
  let result: T;
  try {
    if (use.isBeyond) await goBeyond(counted, use);
    result = await work();
  } catch (error) {
    await (hasLeft(error, recurring) ? settle() : use.giveBack());
    throw error;
  }
  await settle();
  return result;
}

/** One use of a consent's budget, as it is noted among those of all processes. */
class BudgetUse {
  readonly #counted: CountedAccess;
  readonly #key: string;
  readonly #at: number;
  readonly #what: string;
  readonly #mine: string;
  readonly #recurring: boolean;
  /** The accesses that the bank and the profile allow; undefined where neither says. */
  readonly #allowed: number | undefined;
  /** The uses that count beside this one. */
  made = 0;
  /** When the next one may go, in milliseconds; undefined where it may go now. */
  next: number | undefined;

  constructor(counted: CountedAccess, key: string, at: number) {
    const { target, consent, access } = counted;
    const { recurring = true, frequency = Infinity } = consent.consent ?? {};
    const ofBank = Math.min(frequency, target.profile.limits?.perDayPerAccess ?? Infinity);
    this.#counted = counted;
    this.#key = key;
    this.#at = at;
    this.#what = whatOf(access);
    this.#mine = `${this.#what} ${target.ports.journal.run} ${String(target.ports.clock.monotonic())}`;
    this.#recurring = recurring;
    this.#allowed = !recurring ? 1 : ofBank === Infinity ? undefined : ofBank;
  }

  get isBeyond(): boolean {
    return this.#allowed !== undefined && this.made >= this.#allowed;
  }

  async note(): Promise<void> {
    const { ports } = this.#counted.target;
    try {
      await ports.usage.update(this.#key, (uses) => {
        const counted = counting(uses, this.#what, this.#recurring ? this.#at : undefined);
        this.made = counted.length;
        this.next = freeAgain(counted, this.#allowed);
        const kept = keptOf(uses, this.#recurring, this.#at);
        // A try that is refused here is none that another one should count, nor be left if this process dies now.
        const isRefused = this.isBeyond && !this.#mayExceed;
        return isRefused ? kept : [...kept, { at: this.#at, what: this.#mine }];
      });
    } catch (error) {
      // Other machines count as well: while their count cannot be read, the access is not made.
      if (!isFailure(error) || error.code !== 'STATE_NOT_WRITTEN')
        return beforeSending(() => Promise.reject(error as Error));
      tellUnwritable(ports, error);
    }
  }

  get #mayExceed(): boolean {
    const { target, terms } = this.#counted;
    const isAsked = this.#recurring && (terms.ask !== undefined || target.environment !== 'production');
    return terms.overBudget || isAsked;
  }

  /** Takes it back, where nothing has reached the bank. */
  giveBack(): Promise<void> {
    return this.#change((uses) => uses.filter((use) => use.what !== this.#mine));
  }

  /** Notes the moment from which the bank counts it. */
  settle(at: number): Promise<void> {
    return this.#change((uses) => uses.map((use) => (use.what === this.#mine ? { ...use, at } : use)));
  }

  #change(change: (uses: readonly Use[]) => readonly Use[]): Promise<void> {
    const { ports } = this.#counted.target;
    return keepIfPossible(ports, () => ports.usage.update(this.#key, change));
  }
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

/** Lets an access beyond the budget go, with a warning or because a person has agreed; else it throws. */
async function goBeyond(counted: CountedAccess, use: BudgetUse): Promise<void> {
  const { target, consent, terms } = counted;
  const { recurring = true } = consent.consent ?? {};
  const { overBudget, ask } = terms;
  const what = beyondText(counted, use);
  if (overBudget || (recurring && target.environment !== 'production')) {
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

function beyondText({ target, consent, access }: CountedAccess, { made, next }: BudgetUse): string {
  const { recurring = true, frequency = 1 } = consent.consent ?? {};
  const endpoint = access.of === undefined ? access.operation : `${access.operation} of this account`;
  if (!recurring) return `Consent ${consent.id} is for one use, and ${endpoint} was called with it before.`;
  const allowed = times(Math.min(frequency, target.profile.limits?.perDayPerAccess ?? frequency));
  return `Consent ${consent.id} allows ${allowed} a day without the PSU, and ${String(made)} went to ${endpoint} in the last 24 hours${again(next)}.`;
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
