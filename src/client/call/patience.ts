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
