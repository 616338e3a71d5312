import { optionPeople } from './books/people-options.ts';
import { definitions } from './books/people-seed.ts';
import { switches } from './rules/scenario.ts';

/** The words that a shell completes: the people whom the bank inside may have, and each switch with its fixed values. */
export function bankWords(): {
  people: readonly string[];
  switches: Readonly<Record<string, readonly string[]>>;
} {
  return {
    people: [...definitions, ...optionPeople].map(({ psuId }) => psuId),
    switches: Object.fromEntries(
      Object.entries(switches).map(([name, { values }]) => [name, Object.keys(values)]),
    ),
  };
}
