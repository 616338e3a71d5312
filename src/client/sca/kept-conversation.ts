import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { ErrorResource } from '../../base/errors.ts';
import type { SavedResource } from '../../settings/records/resources.ts';
import { nounOf } from '../../standard/sca/operations.ts';
import { clearInDoubt } from '../../standard/sca/state.ts';
import type { Conversation } from '../../standard/sca/state.ts';
import type { Target } from '../exchange/target.ts';
import type { Wish } from '../ports/intents.ts';
import { knownOf } from '../resources/saved-resource.ts';
import { keepPicture } from './challenge.ts';

/**
 * One conversation while it is led: each change of it is saved, but for a dry run. Several runs may lead the same one, so
 * none writes over what another has done since, and of two that would take the same step one alone does.
 */
export class KeptConversation {
  readonly #target: Target;
  #now: Conversation;
  /** The step that is claimed and has not left, and where it began. */
  #claimed: { wish: Wish; before: Conversation } | undefined;

  constructor(target: Target, conversation: Conversation) {
    this.#target = target;
    this.#now = conversation;
  }

  get now(): Conversation {
    return this.#now;
  }

  /** Saves it, unless another run has gone further: what is saved then says more. */
  async keep(conversation: Conversation): Promise<void> {
    const before = this.#now;
    this.#now = conversation;
    if (this.#target.run.dryRun) return;
    this.#now = noteChange(this.#target, before, await keepPicture(this.#target, before, conversation));
    const { ports, name } = this.#target;
    await ports.resources.saveConversation(name, this.#now, before);
  }

  /**
   * Notes a step before it is sent: with its first byte that is written, or SCA_IN_PROGRESS is thrown, where another run has taken one
   * since this was read.
   */
  async claim(conversation: Conversation): Promise<void> {
    const before = this.#now;
    if (!this.#target.run.dryRun) {
      const { ports, name } = this.#target;
      const taken = takenElsewhere(before);
      const wish = await ports.resources.claimConversation(name, conversation, before, taken);
      this.#claimed = { wish, before };
    }
    this.#now = conversation;
  }

  /** Nothing of the step that was claimed has left: it is as if there had been none. */
  async release(): Promise<void> {
    const { wish, before } = this.#claimed ?? {};
    if (wish === undefined || before === undefined) return;
    this.#claimed = undefined;
    if (await wish.drop()) this.#now = before;
    else await this.keep(before);
  }

  /** Another authorisation is another conversation, with a time and a file of its own. */
  async goOn(after: Conversation): Promise<void> {
    const { authorisationId } = this.#now;
    if (authorisationId === undefined || authorisationId === after.authorisationId) return this.keep(after);
    await this.keep(clearInDoubt(this.#now));
    await this.keep({ ...after, startedAt: this.#target.ports.clock.now().toISOString() });
  }

  /** The resource as every error must name it. */
  knownWith(resource: SavedResource): ErrorResource {
    return knownOf(resource, this.#now);
  }
}

function takenElsewhere({ parent }: Conversation): ObkError {
  return new ObkError({
    code: 'SCA_IN_PROGRESS',
    title: 'Another process has gone on with this authorisation meanwhile.',
    detail: 'This step was not sent from here: no entry of the PSU is sent twice.',
    hint: [line`obk ${nounOf[parent.kind]} authorise ${parent.id}   # goes on from where it stands`],
  });
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
