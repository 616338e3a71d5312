import type { Command } from 'commander';

/** Two that are compared, as they are named. */
export interface TwoRuns {
  a: string;
  b: string;
}

/** The arguments of a command that compares two of `what`, the later one being the last without a word. */
export const twoRuns = (command: Command, what: string): Command =>
  command
    .argument('<a>', `the earlier ${what}: its id, @last, @last-1 ...`)
    .argument('[b]', 'the later one', '@last');
