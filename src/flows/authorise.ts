import { BankRefusal, ObkError, OutcomeUnknown } from '../errors.ts';
import type { SavedResource } from '../ports.ts';
import { Secret } from '../secret.ts';
import { nextStep } from '../sca/next-step.ts';
import type { SendStep } from '../sca/next-step.ts';
import { absorb, refuse } from '../sca/state.ts';
import type { Conversation } from '../sca/state.ts';
import { isAcceptedTransaction } from '../xs2a/codes.ts';
import { readPaymentStatus, saveStatus } from './pay.ts';
import { sendStep } from './sca-send.ts';
import { answerNeed, refusedBefore, secretMark, wasRefused } from './sca-questions.ts';
import { look, poll } from './sca-read.ts';
import type { Look } from './sca-read.ts';
import { resourceOf } from './sca-operations.ts';
import type { Target } from './target.ts';
import { visit } from './visit.ts';

/** How far a driver goes. */
export interface AuthoriseOptions {
  /** Wait for what the PSU does elsewhere (in the browser, on the phone). */
  wait: boolean;
  timeoutMs: number;
  browser: 'auto' | 'always' | 'never';
  /** The conversation was saved by an earlier run: its status may have changed since. */
  resumed: boolean;
}

/** Where an authorisation stands when the driver ends. */
export interface Authorised {
  conversation: Conversation;
  resource: SavedResource;
  /** Undefined while the authorisation is open. */
  success: boolean | undefined;
  /** True where waiting ran out of time. */
  timedOut: boolean;
}

/**
 * Leads a conversation to its end, saving it after each step. Throws InteractionNeeded for a question that nobody
 * answers, BankRefusal for a refusal that nobody can mend; every error carries the resource.
 */
export async function authorise(
  target: Target,
  resource: SavedResource,
  conversation: Conversation,
  options: AuthoriseOptions,
): Promise<Authorised> {
  const driver = new Driver(target, resource, conversation, options);
  try {
    return await driver.run();
  } catch (error) {
    if (error instanceof ObkError) error.resource = { ...resourceOf(driver.conversation), ...error.resource };
    throw error;
  }
}

class Driver {
  conversation: Conversation;
  readonly #target: Target;
  readonly #options: AuthoriseOptions;
  #resource: SavedResource;
  /** The bank refused the last secret, so only a person may answer next. */
  #again = false;

  constructor(
    target: Target,
    resource: SavedResource,
    conversation: Conversation,
    options: AuthoriseOptions,
  ) {
    this.#target = target;
    this.#resource = resource;
    this.#options = options;
    this.conversation = conversation;
  }

  async run(): Promise<Authorised> {
    if (this.#options.resumed || this.conversation.inDoubt !== undefined) {
      const first = await this.#lookFirst();
      if (first !== undefined) return first;
    }
    for (;;) {
      const step = nextStep(this.conversation);
      switch (step.kind) {
        case 'done':
          return this.#finish(step.success);
        case 'send':
          await this.#send(step);
          break;
        case 'redirect':
        case 'wait': {
          const waited = await this.#elsewhere(step.kind === 'redirect' ? step.url : undefined);
          if (waited !== undefined) return waited;
          break;
        }
        case 'oauth':
          throw new ObkError({
            code: 'CONVERSATION_STUCK',
            title: 'The bank wants this authorised by OAuth2, which obk cannot do yet.',
            detail: `Its metadata are at ${step.url}.`,
          });
        case 'stuck':
          throw new ObkError({
            code: 'CONVERSATION_STUCK',
            title: 'The answer of the bank offers no way to go on that obk knows.',
            detail: `Its links are ${step.links.join(', ')}.`,
            hint: ['obk log show @last -vvv'],
          });
      }
    }
  }

  /** Another process, or the PSU, may have gone on since the conversation was saved. */
  async #lookFirst(): Promise<Authorised | undefined> {
    const step = nextStep(this.conversation);
    if (step.kind === 'done') return undefined;
    if (step.kind === 'send' && this.conversation.authorisationId === undefined) return undefined;
    const seen = await look(this.#target, this.conversation);
    // The bank has answered: whatever was in doubt is known now by its status.
    const { inDoubt: _, ...settled } = seen.conversation;
    await this.#keep(settled);
    return seen.success === undefined ? undefined : this.#finish(seen.success);
  }

  async #elsewhere(url: string | undefined): Promise<Authorised | undefined> {
    const { notices, person } = this.#target.ports;
    const { psuMessage } = this.conversation;
    const waits = this.#options.wait || person.present;
    if (url === undefined && psuMessage !== undefined) notices.say(psuMessage);
    if (!waits) return this.#open(false);
    const seen: Look =
      url === undefined
        ? await this.#watch()
        : await visit(this.#target, this.#resource, this.conversation, url, this.#options);
    this.conversation = seen.conversation;
    if (seen.success !== undefined) return this.#finish(seen.success);
    return seen.moved ? undefined : this.#open(true);
  }

  async #watch(): Promise<Look> {
    const { notices } = this.#target.ports;
    const progress = notices.progress('Waiting for the PSU to confirm');
    try {
      return await poll(this.#target, this.conversation, this.#waiting());
    } finally {
      progress.stop();
    }
  }

  #waiting(): { timeoutMs: number; signal?: AbortSignal } {
    const { signal } = this.#target.run;
    return { timeoutMs: this.#options.timeoutMs, ...(signal === undefined ? {} : { signal }) };
  }

  async #send(step: SendStep): Promise<void> {
    const value = await this.#answer(step);
    // Whoever finds this mark reads the status before anything is sent again.
    await this.#keep({ ...this.conversation, inDoubt: { need: step.need, link: step.link } });
    const sent = await sendStep(this.#target, this.#resource, this.conversation, step, value);
    if (sent.ok) {
      this.#again = false;
      const { inDoubt: _, ...rest } = absorb(this.conversation, sent.answer);
      const another = rest.authorisationId !== this.conversation.authorisationId;
      await this.#keep(another ? { ...rest, startedAt: this.#target.ports.clock.now().toISOString() } : rest);
      return;
    }
    if (sent.error instanceof OutcomeUnknown) return this.#doubt(sent.error);
    const { inDoubt: _, ...rest } =
      sent.answer === undefined ? this.conversation : absorb(this.conversation, sent.answer);
    const wrong = sent.error instanceof BankRefusal && sent.error.bankCode === 'PSU_CREDENTIALS_INVALID';
    if (!wrong || !(value instanceof Secret)) {
      await this.#keep(rest);
      throw sent.error;
    }
    await this.#keep(refuse(rest, step.need, secretMark(rest, step.need, value)));
    if (!this.#target.ports.person.present) throw sent.error;
    this.#target.ports.notices.warn(refusalText(sent.error));
    this.#again = true;
  }

  /** The answer to a step was lost: only the status of the authorisation says what it did. */
  async #doubt(error: OutcomeUnknown): Promise<void> {
    const before = this.conversation.scaStatus;
    if (this.conversation.authorisationId === undefined) throw error;
    const seen = await look(this.#target, this.conversation).catch(() => undefined);
    if (seen === undefined || (seen.success === undefined && seen.conversation.scaStatus === before))
      throw error;
    const { inDoubt: _, ...rest } = seen.conversation;
    // The step is used up, and with it the link that led to it.
    await this.#keep({ ...rest, steering: {} });
  }

  async #answer(step: SendStep): Promise<string | Secret | undefined> {
    for (;;) {
      const value = await answerNeed(this.#target, this.conversation, step.need, this.#again);
      if (!(value instanceof Secret) || !wasRefused(this.conversation, step.need, value)) return value;
      if (!this.#target.ports.person.present) throw refusedBefore(step.need);
      this.#target.ports.notices.warn('The bank has refused this one before; it is not sent again.');
      this.#again = true;
    }
  }

  async #finish(success: boolean): Promise<Authorised> {
    if (this.conversation.parent.kind === 'payment' || this.conversation.parent.kind === 'cancellation') {
      const answer = await readPaymentStatus(this.#target, this.#resource);
      this.#resource = await saveStatus(this.#target, this.#resource, answer.transactionStatus);
    }
    return { conversation: this.conversation, resource: this.#resource, success, timedOut: false };
  }

  #open(timedOut: boolean): Authorised {
    return { conversation: this.conversation, resource: this.#resource, success: undefined, timedOut };
  }

  async #keep(conversation: Conversation): Promise<void> {
    this.conversation = conversation;
    await this.#target.ports.store.saveConversation(this.#target.name, conversation);
  }
}

function refusalText(error: ObkError): string {
  const text =
    error instanceof BankRefusal
      ? error.messages.find((message) => message.text !== undefined)?.text
      : undefined;
  return text === undefined ? 'The bank did not accept that.' : `The bank did not accept that: ${text}`;
}

/** Whether a transactionStatus that was read after SCA lets the payment go its way. */
export function isAccepted(status: string | undefined): boolean {
  return status !== undefined && isAcceptedTransaction(status);
}
