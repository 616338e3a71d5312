import { BankRefusal, ObkError, OutcomeUnknown } from '../errors.ts';
import type { SavedResource } from '../ports.ts';
import type { SendStep } from '../sca/next-step.ts';
import { absorb, doubt, refuse } from '../sca/state.ts';
import type { Secret } from '../secret.ts';
import { answerNeed } from './answer-need.ts';
import type { Answered } from './answer-need.ts';
import { refusalText } from './authorise-errors.ts';
import { clearDoubt, noteCleared } from './doubt.ts';
import type { KeptConversation } from './kept-conversation.ts';
import { refusedBefore, secretMark, wasRefused } from './refused-secrets.ts';
import { psuIdOf, sendStep } from './sca-send.ts';
import type { Target } from './target.ts';

/** Takes the steps of one conversation in which something is sent. */
export class StepTaker {
  readonly #target: Target;
  readonly #resource: SavedResource;
  readonly #kept: KeptConversation;
  /** The bank refused the last secret, so only a person may answer next. */
  again = false;

  constructor(target: Target, resource: SavedResource, kept: KeptConversation) {
    this.#target = target;
    this.#resource = resource;
    this.#kept = kept;
  }

  /** Gets what a step needs and sends it, once; `code` is what the browser has brought. */
  async take(step: SendStep, code: Secret | undefined): Promise<void> {
    const { value, known } = await this.#answer(step, code);
    const { person, notices } = this.#target.ports;
    const before = this.#kept.now;
    await this.#kept.keep(doubt(before, step));
    const sent = await sendStep(this.#target, this.#resource, before, step, value).catch(
      async (error: unknown) => {
        // Nothing has left: the link is refused, the key cannot be read, the person has ended it.
        if (error instanceof ObkError) await this.#kept.keep(before);
        throw error;
      },
    );
    if (sent.ok) {
      this.again = false;
      const after = absorb(doubt(before, step), sent.answer);
      const typed = step.need === 'identification' && typeof value === 'string';
      return this.#kept.goOn(typed ? { ...after, psuId: value } : after);
    }
    const { error, answer } = sent;
    if (error instanceof OutcomeUnknown) return this.#doubt(error);
    const after = answer === undefined ? before : absorb(before, answer);
    const wrong = error instanceof BankRefusal && error.bankCode === 'PSU_CREDENTIALS_INVALID';
    if (!wrong || known === undefined) {
      await this.#kept.goOn(after);
      throw error;
    }
    const psuId = psuIdOf(this.#target, before);
    await this.#kept.goOn({
      ...refuse(after, step.need, secretMark(this.#target, before, step.need, known)),
      // A later run without --psu-id must know this secret again.
      ...(psuId === undefined ? {} : { psuId }),
    });
    if (!person.present) throw error;
    notices.warn(refusalText(error));
    this.again = true;
  }

  /** The answer to a step was lost: the bank is read, and nothing is sent again. */
  async #doubt(error: OutcomeUnknown): Promise<void> {
    const before = this.#kept.now;
    const cleared = await clearDoubt(this.#target, before).catch((failure: unknown) => {
      if (failure instanceof ObkError) return undefined;
      throw failure;
    });
    // A secret that shows no effect may still be on its way.
    if (cleared === undefined || (cleared.kind === 'nothing' && before.inDoubt?.method === 'PUT'))
      throw error;
    await this.#kept.goOn(cleared.conversation);
    await noteCleared(this.#target, before, cleared);
    if (cleared.kind === 'acted') {
      this.#target.ports.notices.warn(
        'The answer of the bank was lost; its status says that the step counts.',
      );
      return;
    }
    throw new ObkError({
      code: 'ANSWER_LOST',
      title: 'The answer of the bank was lost, and the authorisation cannot be gone on with.',
      detail: cleared.kind === 'lost' ? cleared.what : 'The bank lists no authorisation of this start.',
      hint: [`obk ${this.#resource.noun} authorise ${this.#resource.id}   # starts another one`],
      cause: error,
    });
  }

  async #answer(step: SendStep, code: Secret | undefined): Promise<Answered> {
    const { person, notices } = this.#target.ports;
    if (step.need === 'confirmationCode') return { value: code };
    for (;;) {
      const answered = await answerNeed(this.#target, this.#kept.now, step.need, this.again);
      const { known } = answered;
      if (known === undefined) return answered;
      if (!wasRefused(this.#target, this.#kept.now, step.need, known)) return answered;
      if (!person.present) throw refusedBefore(this.#target, step.need);
      notices.warn('The bank has refused this one before; it is not sent again.');
      this.again = true;
    }
  }
}
