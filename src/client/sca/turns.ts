import { ObkError } from '../../base/errors.ts';
import { resourceOf } from '../../standard/sca/operations.ts';
import type { Conversation } from '../../standard/sca/state.ts';
import type { Target } from '../exchange/target.ts';

/**
 * Sees that a conversation leads on: two turns with the same state, and between them no request to the bank, no entry of a
 * human and no timer that ended, would follow each other for ever.
 */
export class Turns {
  readonly #target: Target;
  readonly #seen = new Set<string>();
  #happened = -1;

  constructor(target: Target) {
    this.#target = target;
  }

  /** Begins a turn; `more` is what decides it besides the conversation. Throws INTERNAL, and what has ended the run. */
  begin(conversation: Conversation, more: readonly unknown[]): void {
    const { run, state } = this.#target;
    run.signal?.throwIfAborted();
    if (state.happened !== this.#happened) this.#seen.clear();
    this.#happened = state.happened;
    const turn = JSON.stringify([conversation, ...more]);
    if (this.#seen.has(turn)) throw endless(conversation);
    this.#seen.add(turn);
  }
}

function endless(conversation: Conversation): ObkError {
  return new ObkError({
    code: 'INTERNAL',
    title: 'The authorisation was ended: it went round without a new entry, a request or a wait.',
    detail: 'This is a bug of obk. Nothing was sent a second time.',
    hint: ['obk log show @last -vvv'],
    resource: resourceOf(conversation),
  });
}
