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

/** Among names, oldest first, the one that `@last`, `@last-1` or the name itself means. */
export function runNamed(names: readonly string[], wish: string): string | undefined {
  const last = /^@last(?:-([0-9]{1,4}))?$/.exec(wish);
  return last === null ? names.find((name) => name === wish) : names.at(-1 - Number(last[1] ?? '0'));
}

/** The three newest of the runs that are kept, to be named where one is not. */
export const newestRuns = (names: readonly string[]): string[] => names.slice(-3).reverse();
