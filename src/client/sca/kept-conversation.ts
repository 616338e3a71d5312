import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { ErrorResource } from '../../base/errors.ts';
import type { SavedResource } from '../../settings/records/resources.ts';
import { nounOf, resourceOf } from '../../standard/sca/operations.ts';
import { clearInDoubt } from '../../standard/sca/state.ts';
import type { Conversation } from '../../standard/sca/state.ts';
import type { Target } from '../exchange/target.ts';
import { keepPicture } from './challenge.ts';

/** Another run holds a conversation no longer than it takes to read and write a file. */
const patienceMs = 10_000;

/**
 * One conversation while it is led: each change of it is saved, but for a dry run. Several runs may lead the same one, so
 * none writes over what another has done since, and of two that would take the same step one alone does.
 */
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

  /** Saves it, unless another run has gone further: what is saved then says more. */
  async keep(conversation: Conversation): Promise<void> {
    const before = this.#now;
    this.#now = conversation;
    if (this.#target.run.dryRun) return;
    this.#now = noteChange(this.#target, before, await keepPicture(this.#target, before, conversation));
    await this.#saveAfter(before);
  }

  /** Saves it before a step is sent. Throws SCA_IN_PROGRESS where another run has taken one since this was read. */
  async claim(conversation: Conversation): Promise<void> {
    const before = this.#now;
    this.#now = conversation;
    if (this.#target.run.dryRun || (await this.#saveAfter(before))) return;
    this.#now = before;
    throw takenElsewhere(before);
  }

  /** Whether nobody has gone further than `before`, after which the change is saved. */
  #saveAfter({ parent, startedAt, psuId, steps = 0 }: Conversation): Promise<boolean> {
    const { name, ports } = this.#target;
    return ports.locks.exclusively(`sca-${name}-${parent.kind}-${parent.id}`, patienceMs, async () => {
      const saved = await ports.resources.conversations(name, nounOf[parent.kind], parent.id);
      const isFurther = saved.some(
        (one) =>
          one.parent.kind === parent.kind &&
          one.startedAt === startedAt &&
          // Several PSUs may start at the same time.
          (one.psuId === undefined || psuId === undefined || one.psuId === psuId) &&
          (one.steps ?? 0) > steps,
      );
      if (!isFurther) await ports.resources.saveConversation(name, this.#now);
      return !isFurther;
    });
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
