import { ObkError } from '../../base/errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { Target, Patience } from '../exchange/target.ts';

/** Begins the waits of a run that leads a PSU, unless they have begun. */
export function beginPatience(target: Target, timeoutMs: number): void {
  target.state.patience ??= patienceOf(target.ports.clock, timeoutMs);
}

function patienceOf(clock: Clock, timeoutMs: number): Patience {
  let until = clock.monotonic() + timeoutMs;
  return {
    left: () => Math.max(0, until - clock.monotonic()),
    giveBack: (ms) => {
      until += ms;
    },
  };
}

/** Milliseconds that are left to wait; without end where no run leads a PSU. */
export function leftToWait({ state }: Pick<Target, 'state'>): number {
  return state.patience?.left() ?? Infinity;
}

/** The wait that is due is longer than what is left of `--timeout`; what was about to be sent stays here. */
export function waitOver(waitMs: number): ObkError {
  return new ObkError({
    code: 'WAIT_OVER',
    title: `The next call is due in ${String(Math.ceil(waitMs / 1000))} s, and --timeout leaves less.`,
    detail: 'It was not sent.',
    hint: ['Run it again later, or with a longer --timeout.'],
  });
}

/** Whether all that a run may wait is used up. */
export function isWaitOver(error: unknown): boolean {
  return error instanceof ObkError && error.code === 'WAIT_OVER';
}

/** The time one call may spend waiting for its turn and for the bank, all waits together. */
export interface Waits {
  /** Whether so many milliseconds more are left; they are used then. */
  take(ms: number): boolean;
  /** Whether the waits of the whole run are at their end with so many milliseconds more. */
  isOver(ms: number): boolean;
}

/** No call waits longer, whatever a bank asks for. */
const longest = 120_000;

/** The waits of a call that begins now: two minutes, and never beyond `--timeout`. */
export function waitsOf({ ports, run, state }: Target): Waits {
  const begun = ports.clock.monotonic();
  let waited = 0;
  return {
    take(ms) {
      const spent = ports.clock.monotonic() - begun;
      if (ms > leftToWait({ state })) return false;
      if (waited + ms > longest || spent + ms > (run.timeoutMs ?? Infinity)) return false;
      waited += ms;
      return true;
    },
    isOver: (ms) => ms > leftToWait({ state }),
  };
}
