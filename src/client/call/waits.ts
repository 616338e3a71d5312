import { leftToWait } from './patience.ts';
import type { Target } from '../exchange/target.ts';

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
