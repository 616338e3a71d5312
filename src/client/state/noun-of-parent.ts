import type { Noun } from '../../standard/sca/operations.ts';
import type { Parent } from '../../standard/sca/state.ts';

/** The noun under which the conversations about a parent are kept: the end of a payment or consent with what it ends. */
export function nounOfParent(kind: Parent['kind']): Noun {
  if (kind === 'cancellation') return 'payment';
  return kind === 'deletion' ? 'consent' : kind;
}
