import { absence } from '../../standard/xs2a/variants.ts';
import type { Variant } from '../../standard/xs2a/variants.ts';
import type { Case } from './case.ts';
import { reads } from './read-cases.ts';
import { writes } from './write-cases.ts';
import { wrong } from './wrong-cases.ts';

/** Every case, in the order in which they are tried. */
export const cases: readonly Case[] = [...reads, ...writes, ...wrong];

/** Cases together with those that they need, as far as `may` allows them; in the order in which they are tried. */
export function withNeeded(
  wished: readonly Case[],
  variant: Variant,
  may: (one: Case) => boolean,
): readonly Case[] {
  const due = new Set(wished);
  // One that is added brings what it needs itself.
  for (const { operation, needs = [] } of due) {
    if (absence(variant, operation) !== undefined) continue;
    for (const other of cases) if (needs.includes(other.name) && may(other)) due.add(other);
  }
  return cases.filter((one) => due.has(one));
}
