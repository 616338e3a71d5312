import type { ErrorResource } from '../../errors.ts';
import type { SavedResource } from '../../records/resources.ts';
import { resourceOf } from '../../sca/operations.ts';
import { clearInDoubt } from '../../sca/state.ts';
import type { Conversation } from '../../sca/state.ts';
import type { Target } from '../exchange/target.ts';
import { keepPicture } from './challenge.ts';

/** One conversation while it is led: each change of it is saved, but for a dry run. */
export class KeptConversation {
  readonly #target: Target;
  #now: Conversation;

  constructor(target: Target, conversation: Conversation) {
    this.#target = target;
    this.#now = conversation;
  }

  get now(): Conversation {
    return this.#now;
  }

  async keep(conversation: Conversation): Promise<void> {
    const before = this.#now;
    this.#now = conversation;
    if (this.#target.run.dryRun) return;
    this.#now = noteChange(this.#target, before, await keepPicture(this.#target, before, conversation));
    await this.#target.ports.resources.saveConversation(this.#target.name, this.#now);
  }

  /** Another authorisation is another conversation, with a time and a file of its own. */
  async goOn(after: Conversation): Promise<void> {
    const { authorisationId } = this.#now;
    if (authorisationId === undefined || authorisationId === after.authorisationId) return this.keep(after);
    await this.keep(clearInDoubt(this.#now));
    await this.keep({ ...after, startedAt: this.#target.ports.clock.now().toISOString() });
  }

  /** The resource as every error must name it. */
  knownWith({ noun, status }: SavedResource): ErrorResource {
    const name = noun === 'consent' ? 'consentStatus' : 'transactionStatus';
    return { ...(status !== undefined && { [name]: status }), ...resourceOf(this.#now) };
  }
}

/** Notes when the scaStatus was seen to be another one. */
export function noteChange(
  { ports }: Pick<Target, 'ports'>,
  before: Conversation,
  after: Conversation,
): Conversation {
  const same = before.scaStatus === after.scaStatus && before.authorisationId === after.authorisationId;
  return same ? after : { ...after, changedAt: ports.clock.now().toISOString() };
}
