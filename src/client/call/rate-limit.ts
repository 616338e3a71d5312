import { isLoopback } from '../../base/url.ts';
import { ObkError, isFailure } from '../../base/errors.ts';
import type { Use } from '../ports/usage.ts';
import type { OperationId } from '../../standard/xs2a/operations.ts';
import type { Target } from '../exchange/target.ts';
import { tellUnwritable } from '../exchange/unwritable.ts';
import { readRate } from '../../settings/profile/rate.ts';
import type { Rate } from '../../settings/profile/rate.ts';
import { waitOver } from './patience.ts';
import type { Waits } from './patience.ts';

/** Ten below the 100 calls that the service allows: other machines and clocks count as well. */
const standardRate: Rate = { calls: 90, windowMs: 60_000 };

/** Tells how a call that was let through has ended: with the bank reached, or without a byte of it sent. */
export type Settle = (sent: boolean) => Promise<void>;

/** Milliseconds; a shorter wait is not announced because it is not noticed. */
const told = 1_000;

/**
 * Waits until one more call of an operation fits into the window, counting the calls of all processes of this machine.
 * Call the returned function when the answer is there: only then is it certain when the call reached the bank.
 */
export async function admit(target: Target, operation: OperationId, waits?: Waits): Promise<Settle> {
  const rate = rateOf(target, operation);
  if (rate === 'off') return () => Promise.resolve();
  const { clock, journal, usage, notices } = target.ports;
  const key = keyOf(target, operation);
  const me = `${journal.run} ${String(clock.monotonic())}`;
  let said = false;
  let tooLong: number | undefined;
  try {
    for (;;) {
      let wait = 0;
      await usage.update(key, (uses) => {
        const now = clock.now().getTime();
        wait = waitFor(uses, rate, now);
        return wait > 0 ? uses : [...recent(uses, rate, now), { at: now, what: me }];
      });
      if (wait === 0) break;
      if (waits !== undefined && !waits.take(wait)) {
        tooLong = wait;
        break;
      }
      if (!said && wait >= told) {
        said = true;
        const seconds = String(Math.ceil(wait / 1000));
        notices.say(`Waiting ${seconds} s: ${rateText(rate)} to ${operation} are used up (--rate).`);
      }
      await clock.sleep(wait, target.run.signal);
    }
  } catch (error) {
    return uncounted(target, error);
  }
  if (tooLong !== undefined)
    throw waits?.isOver(tooLong) === true ? waitOver(tooLong) : usedUp(rate, operation, tooLong);
  return async (sent) => {
    const now = clock.now().getTime();
    const settled = (use: Use): readonly Use[] =>
      use.what !== me ? [use] : sent ? [{ ...use, at: now }] : [];
    try {
      await usage.update(key, (uses) => uses.flatMap(settled));
    } catch (error) {
      uncounted(target, error);
    }
  };
}

function usedUp(rate: Rate, operation: OperationId, wait: number): ObkError {
  return new ObkError({
    code: 'THROTTLED',
    title: `${rateText(rate)} to ${operation} are used up, and the next is in ${String(Math.ceil(wait / 1000))} s.`,
    detail: 'No call waits that long; the request was not sent.',
    hint: ['--timeout 2m   # to wait longer', '--rate 200   # where the bank allows more'],
  });
}

/** Lets a call go at once if this process cannot count (full disk, read-only home); the bank counts as well. */
function uncounted({ ports }: Target, error: unknown): Settle {
  if (!isFailure(error)) throw error;
  ports.notices.trace(1, `calls are not paced: ${error.detail ?? error.title}`);
  if (error.code === 'STATE_NOT_WRITTEN' || error.code === 'STATE_UNREACHABLE') tellUnwritable(ports, error);
  return () => Promise.resolve();
}

/** Milliseconds until a call fits; 0 where it fits now. */
export function waitFor(uses: readonly Use[], rate: Rate, now: number): number {
  const within = recent(uses, rate, now).map(({ at }) => at);
  if (within.length < rate.calls) return 0;
  const leaves = within.sort((a, b) => a - b)[within.length - rate.calls] ?? now;
  return Math.max(1, leaves + rate.windowMs - now);
}

/** The uses that still count; one in the future comes from a clock that was put back. */
function recent(uses: readonly Use[], { windowMs }: Rate, now: number): Use[] {
  return uses.filter(({ at }) => at > now - windowMs && at < now + windowMs);
}

/** The rate of the run, else of the bank's descriptor, else the limit of the service. */
export function rateOf({ run, profile, environment, links }: Target, operation: OperationId): Rate | 'off' {
  const { rate, perOperation = {} } = profile.limits ?? {};
  const known = run.rate ?? readRate(perOperation[operation] ?? rate ?? '');
  if (known !== undefined) return known;
  const here = environment === 'sandbox' && isLoopback(new URL(links.base).hostname);
  return here ? 'off' : standardRate;
}

/**
 * The bank counts per client: what two profiles of one certificate call at one address counts together. Below each prefix
 * stands an interface of its own, which counts its own calls.
 */
function keyOf({ links, profile, variant }: Target, operation: OperationId): string {
  const client = profile.certificate ?? profile.tlsCertificate ?? '';
  return JSON.stringify(['pace', links.base, variant.prefix, client, operation]);
}

function rateText({ calls, windowMs }: Rate): string {
  return `the ${String(calls)} calls in ${String(windowMs / 1000)} s`;
}
