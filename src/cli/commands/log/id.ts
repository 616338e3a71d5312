import type { Flags } from '../../command.ts';

/** Adds the id of what is looked at: a run, or what all its calls are about. */
export const whichCalls = <Own>(command: Flags<Own>) =>
  command.argument(
    '[id]',
    'a run, its beginning, @last, @last-1, @failed (the last that did not end with 0); or the id of a payment, consent, basket or request',
    '@last',
  );
