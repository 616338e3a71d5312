import { authenticationTypes, valuesIn } from '../../standard/xs2a/code-lists.ts';
import type { Framework } from '../../standard/xs2a/variants.ts';
import type { LedgerPerson, Method } from '../books/people.ts';

/**
 * The methods of a PSU that a TPP is told of: those whose type the framework of the call has. A PSU who has no other is told of all
 * the same, since nobody is exempted for want of a word.
 */
export function methodsIn(framework: Framework, { methods }: LedgerPerson): readonly Method[] {
  const types = valuesIn(framework, authenticationTypes);
  const known = methods.filter(({ type }) => types.includes(type));
  return known.length === 0 ? methods : known;
}
