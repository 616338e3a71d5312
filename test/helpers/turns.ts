import { it } from 'vitest';
import type { TestFunction, TestOptions } from 'vitest';
import { isWhole } from './trials.ts';

type Test = (name: string, ...how: [TestFunction] | [TestOptions, TestFunction]) => void;

/**
 * `it` for a suite that runs in so many variants (`of`), of which this is number `own`: in `npm test` each variant runs the tests
 * whose turn it is, where tables run whole all of them. Nothing in the suite may need what another of these tests has done.
 */
export function inTurns(of: number, own: number): Test {
  let at = own;
  return (name, ...how) => {
    at += 1;
    if (!isWhole && at % of !== 0) return;
    if (how.length === 1) it(name, how[0]);
    else it(name, ...how);
  };
}
