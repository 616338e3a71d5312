import { BankRefusal, ObkError, OutcomeUnknown, exitCodes, isInterruption } from '../errors.ts';
import type { ErrorResource } from '../errors.ts';
import type { SavedResource } from '../ports.ts';
import { browserUrl, confirmationStep, nextStep } from '../sca/next-step.ts';
import type { SendStep, Step } from '../sca/next-step.ts';
import { absorb, doubt, refuse, settle } from '../sca/state.ts';
import type { Conversation } from '../sca/state.ts';
import type { Secret } from '../secret.ts';
import { answerNeed } from './answer-need.ts';
import type { Answered } from './answer-need.ts';
import { refusalText, stuck, withWayOn } from './authorise-errors.ts';
import { arrive, codeMissing, codeNeeded, givenReturn, sendAway } from './browser-step.ts';
import { keepPicture, withoutPicture } from './challenge.ts';
import { clearDoubt, noteCleared } from './doubt.ts';
import { hintInside } from './inside-hint.ts';
import { endOf } from './parent-status.ts';
import { refusedBefore, secretMark, wasRefused } from './refused-secrets.ts';
import { refreshCancelled, refreshResource } from './saved-resource.ts';
import { look } from './sca-read.ts';
import type { Look } from './sca-read.ts';
import { resourceOf } from './sca-operations.ts';
import { psuIdOf, sendStep } from './sca-send.ts';
import type { Target } from './target.ts';
import { comeBack, visit, waitForPsu } from './visit.ts';
import type { Visited } from './visit.ts';

/** How far a driver goes. */
export interface AuthoriseOptions {
  /** Wait for what the PSU does elsewhere (in the browser, on the phone). */
  wait: boolean;
  timeoutMs: number;
  browser: 'auto' | 'always' | 'never';
  /** The conversation was saved by an earlier run: its status may have changed since. */
  resumed: boolean;
  /** Takes one step and no further; throws where the step that is due is not the one meant. */
  only?: (conversation: Conversation, step: Step) => void;
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
    if (!(error instanceof ObkError)) throw error;
    error.resource = { ...error.resource, ...driver.known };
    throw isInterruption(error) ? withWayOn(error, resource) : error;
  }
}

class Driver {
  readonly #target: Target;
  readonly #options: AuthoriseOptions;
  #resource: SavedResource;
  #conversation: Conversation;
  /** The bank refused the last secret, so only a person may answer next. */
  #again = false;
  /** The one step was taken, where no more is wanted. */
  #stepped = false;
  #told: string | undefined;
  #hinted = false;
  /** What the browser has brought, not sent yet. */
  #code: Secret | undefined;

  constructor(
    target: Target,
    resource: SavedResource,
    conversation: Conversation,
    options: AuthoriseOptions,
  ) {
    this.#target = target;
    this.#resource = resource;
    this.#conversation = conversation;
    this.#options = options;
  }

  /** What no error may lose. */
  get known(): ErrorResource {
    const { noun, status } = this.#resource;
    const name = noun === 'consent' ? 'consentStatus' : 'transactionStatus';
    return { ...(status !== undefined && { [name]: status }), ...resourceOf(this.#conversation) };
  }

  async run(): Promise<Authorised> {
    const { dryRun } = this.#target.run;
    // The answer that began it may have brought a picture.
    if (!dryRun && this.#conversation.challengeData?.image !== undefined)
      await this.#keep(this.#conversation);
    const first = dryRun ? undefined : await this.#begin();
    if (first !== undefined) return first;
    for (;;) {
      this.#tell();
      // With the code in hand nobody waits until the status says that it is wanted.
      const confirm = this.#code && confirmationStep(this.#conversation);
      const step = confirm ?? nextStep(this.#conversation);
      const halted = await this.#halt(step);
      if (halted !== undefined) return halted;
      if (!dryRun && !this.#hinted) this.#hinted = hintInside(this.#target, this.#conversation, step);
      switch (step.kind) {
        case 'done':
          return this.#finish(step.success);
        case 'send': {
          const lacksCode = step.need === 'confirmationCode' && this.#code === undefined;
          const waited = lacksCode ? await this.#awaitCode() : undefined;
          if (waited !== undefined) return waited;
          if (!lacksCode) await this.#send(step);
          break;
        }
        case 'redirect':
        case 'oauth':
        case 'wait': {
          const waited = await this.#elsewhere(step);
          if (waited !== undefined) return waited;
          break;
        }
        case 'stuck':
          throw stuck(
            'The answer of the bank offers no way to go on that obk knows.',
            `Its links are ${step.links.join(', ')}.`,
          );
      }
    }
  }

  /** Where one step is enough: gives where it has led, or lets the step pass that is meant. */
  async #halt(step: Step): Promise<Authorised | undefined> {
    const { only } = this.#options;
    // What the browser brings back belongs to the visit.
    if (only === undefined || this.#code !== undefined) return undefined;
    if (!this.#stepped || (this.#again && step.kind === 'send')) {
      only(this.#conversation, step);
      return undefined;
    }
    if (step.kind === 'done') return this.#finish(step.success);
    // A wrong secret may have ended it without a word.
    const ended = this.#again ? await this.#take(await look(this.#target, this.#conversation)) : undefined;
    return ended ?? this.#open(false);
  }

  /** The parent may have needed nothing; another process, or the PSU, may have gone on since it was saved. */
  async #lookFirst(): Promise<Authorised | undefined> {
    const conversation = this.#conversation;
    if (conversation.inDoubt !== undefined) return this.#resumeInDoubt();
    const step = nextStep(conversation);
    const { authorisationId, parent } = conversation;
    const end = parent.kind === 'cancellation' ? undefined : endOf(parent.kind, this.#resource.status);
    // Where the bank has rejected it, nobody is asked for a password any more.
    const needless = end === true && step.kind === 'wait' && authorisationId === undefined;
    if (needless || (end === false && step.kind !== 'done')) return this.#finish(end);
    const starts = step.kind === 'send' && step.method === 'POST';
    if (!this.#options.resumed || step.kind === 'done' || starts) return undefined;
    const seen = await look(this.#target, conversation).catch((error: unknown) => {
      // Before there is a token, some banks let nobody read the status.
      if (step.kind === 'oauth' && error instanceof ObkError && error.exit === exitCodes.authNeeded)
        return { conversation, moved: false };
      throw error;
    });
    return this.#take(seen);
  }

  /** The redirected URL may be given with the command: what it brings goes before what is read. */
  async #begin(): Promise<Authorised | undefined> {
    const { inDoubt, steering, returnState } = this.#conversation;
    const away = returnState !== undefined || steering.scaRedirect !== undefined;
    const awaited = this.#options.resumed && inDoubt === undefined && away;
    const back = awaited ? await givenReturn(this.#target, this.#resource, this.#conversation) : undefined;
    if (back === undefined) return this.#lookFirst();
    return this.#arrive(await comeBack(this.#target, this.#conversation, back, this.#options));
  }

  /** An earlier run sent a step and never saw the answer. */
  async #resumeInDoubt(): Promise<Authorised | undefined> {
    const before = this.#conversation;
    const cleared = await clearDoubt(this.#target, before).catch((error: unknown) => {
      // Whoever runs this again has decided to go on, and this bank cannot be asked.
      if (error instanceof BankRefusal) return undefined;
      throw error;
    });
    await this.#goOn(cleared?.conversation ?? settle(before));
    if (cleared === undefined) return undefined;
    await noteCleared(this.#target, before, cleared);
    if (cleared.kind === 'lost') {
      this.#target.ports.notices.warn(`${cleared.what} Another one is started.`);
    }
    return cleared.kind === 'acted' && cleared.success !== undefined
      ? this.#finish(cleared.success)
      : undefined;
  }

  async #elsewhere(
    step: Extract<Step, { kind: 'redirect' | 'oauth' | 'wait' }>,
  ): Promise<Authorised | undefined> {
    const target = this.#target;
    if (target.run.dryRun) return this.#open(false);
    if (step.kind !== 'wait')
      await this.#keep(await sendAway(target, this.#resource, this.#conversation, step));
    if (!this.#options.wait && !target.ports.person.present) return this.#open(false);
    this.#stepped = true;
    const url = browserUrl(this.#conversation);
    const seen =
      step.kind === 'wait'
        ? await waitForPsu(target, this.#conversation, this.#options)
        : await visit(target, this.#resource, this.#conversation, url, this.#options);
    const ended = await this.#arrive(seen);
    return ended ?? (seen.moved ? undefined : this.#open(true));
  }

  /** Takes what the visit led to, after the code of OAuth was redeemed. */
  async #arrive(visited: Visited): Promise<Authorised | undefined> {
    const seen = await arrive(this.#target, visited, this.#options, (after) => this.#keep(after));
    this.#code = seen.code;
    return this.#take(seen);
  }

  /** The PSU is done, and only the browser has what confirms it. */
  async #awaitCode(): Promise<Authorised | undefined> {
    const target = this.#target;
    const given = await givenReturn(target, this.#resource, this.#conversation);
    this.#code = given?.code;
    if (this.#code !== undefined) return undefined;
    if (given !== undefined) throw codeMissing(this.#conversation);
    if (!this.#options.wait && !target.ports.person.present) throw codeNeeded(this.#conversation);
    const seen = await visit(target, this.#resource, this.#conversation, undefined, this.#options);
    return (await this.#arrive(seen)) ?? (seen.code === undefined ? this.#open(true) : undefined);
  }

  /** The bank's own words to the PSU must be shown (guidelines 4.13), each once. */
  #tell(): void {
    const { psuMessage } = this.#conversation;
    if (psuMessage !== undefined && psuMessage !== this.#told) this.#target.ports.notices.say(psuMessage);
    this.#told = psuMessage;
  }

  async #send(step: SendStep): Promise<void> {
    const { value, known } = await this.#answer(step);
    this.#stepped = true;
    const { person, notices } = this.#target.ports;
    const before = this.#conversation;
    await this.#keep(doubt(before, step));
    const sent = await sendStep(this.#target, this.#resource, before, step, value).catch(
      async (error: unknown) => {
        // Nothing has left: the link is refused, the key cannot be read, the person has ended it.
        if (error instanceof ObkError) await this.#keep(before);
        throw error;
      },
    );
    if (sent.ok) {
      this.#again = false;
      const after = absorb(doubt(before, step), sent.answer);
      const typed = step.need === 'identification' && typeof value === 'string';
      return this.#goOn(typed ? { ...after, psuId: value } : after);
    }
    const { error, answer } = sent;
    if (error instanceof OutcomeUnknown) return this.#doubt(error);
    const after = answer === undefined ? before : absorb(before, answer);
    const wrong = error instanceof BankRefusal && error.bankCode === 'PSU_CREDENTIALS_INVALID';
    if (!wrong || known === undefined) {
      await this.#goOn(after);
      throw error;
    }
    const psuId = psuIdOf(this.#target, before);
    await this.#goOn({
      ...refuse(after, step.need, secretMark(this.#target, before, step.need, known)),
      // A later run without --psu-id must know this secret again.
      ...(psuId === undefined ? {} : { psuId }),
    });
    if (!person.present) throw error;
    notices.warn(refusalText(error));
    this.#again = true;
  }

  /** The answer to a step was lost: the bank is read, and nothing is sent again. */
  async #doubt(error: OutcomeUnknown): Promise<void> {
    const before = this.#conversation;
    const cleared = await clearDoubt(this.#target, before).catch((failure: unknown) => {
      if (failure instanceof ObkError) return undefined;
      throw failure;
    });
    // A secret that shows no effect may still be on its way.
    if (cleared === undefined || (cleared.kind === 'nothing' && before.inDoubt?.method === 'PUT'))
      throw error;
    await this.#goOn(cleared.conversation);
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

  async #answer(step: SendStep): Promise<Answered> {
    const { person, notices } = this.#target.ports;
    const code = this.#code;
    this.#code = undefined;
    if (step.need === 'confirmationCode') return { value: code };
    for (;;) {
      const answered = await answerNeed(this.#target, this.#conversation, step.need, this.#again);
      const { known } = answered;
      if (known === undefined) return answered;
      if (!wasRefused(this.#target, this.#conversation, step.need, known)) return answered;
      if (!person.present) throw refusedBefore(this.#target, step.need);
      notices.warn('The bank has refused this one before; it is not sent again.');
      this.#again = true;
    }
  }

  /** Keeps what a look showed; gives the end where it was one. */
  async #take({ conversation, success }: Look): Promise<Authorised | undefined> {
    await this.#keep(conversation);
    return success === undefined ? undefined : this.#finish(success);
  }

  async #finish(success: boolean): Promise<Authorised> {
    await this.#keep(withoutPicture(this.#conversation));
    const cancelled = success && this.#conversation.parent.kind === 'cancellation';
    this.#resource = cancelled
      ? await refreshCancelled(this.#target, this.#resource)
      : (await refreshResource(this.#target, this.#resource)).resource;
    return { conversation: this.#conversation, resource: this.#resource, success, timedOut: false };
  }

  #open(timedOut: boolean): Authorised {
    return { conversation: this.#conversation, resource: this.#resource, success: undefined, timedOut };
  }

  /** Another authorisation is another conversation, with a time and a file of its own. */
  async #goOn(after: Conversation): Promise<void> {
    const { authorisationId } = this.#conversation;
    if (authorisationId === undefined || authorisationId === after.authorisationId) return this.#keep(after);
    await this.#keep(settle(this.#conversation));
    await this.#keep({ ...after, startedAt: this.#target.ports.clock.now().toISOString() });
  }

  async #keep(conversation: Conversation): Promise<void> {
    const before = this.#conversation;
    this.#conversation = conversation;
    if (this.#target.run.dryRun) return;
    this.#conversation = noteChange(
      this.#target,
      before,
      await keepPicture(this.#target, before, conversation),
    );
    await this.#target.ports.store.saveConversation(this.#target.name, this.#conversation);
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
