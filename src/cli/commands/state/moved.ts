import type { DataOutcome } from '../../outcome.ts';
import type { StateMoved } from '../../../client/ports/state-store.ts';

/** What was moved, kind by kind. */
export function movedOutcome(moved: readonly StateMoved[], next: readonly string[]): DataOutcome {
  return {
    kind: 'data',
    data: { moved },
    text: () =>
      moved
        .map(
          ({ kind, moved: written, same, note }) =>
            `${kind}: ${String(written)} moved, ${String(same)} there already${note === undefined ? '' : `\n  ${note}`}`,
        )
        .join('\n'),
    next,
  };
}
