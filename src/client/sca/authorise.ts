import { cleanLine } from '../../base/clean.ts';
import { BankRefusal, ObkError, exitCodes, isFailure, isInterruption } from '../../base/errors.ts';
import type { SavedResource } from '../../settings/records/resources.ts';
import { browserUrl, confirmationStep, nextStep } from '../../standard/sca/next-step.ts';
import type { Step } from '../../standard/sca/next-step.ts';
import { isEnding } from '../../standard/sca/operations.ts';
import { isOtpUnlinked, otpWithoutLink } from '../../standard/sca/otp-without-link.ts';
import { clearInDoubt, withLinks } from '../../standard/sca/state.ts';
import type { Conversation } from '../../standard/sca/state.ts';
import type { Secret } from '../../base/secret.ts';
import { isUnknownSca } from '../../standard/xs2a/codes.ts';
import { withLateRedirect } from '../browser/usable-redirect.ts';
import { standing, withWayOn } from './authorise-errors.ts';
import { bankSays } from '../resources/bank-says.ts';
import { arrive, codeMissing, codeNeeded, givenReturn, sendAway } from './browser-step.ts';
import { withoutPicture } from './challenge.ts';
import { clearDoubt, noteCleared } from './lost-step.ts';
import { checkFees, feeLines } from '../orders/fees.ts';
import type { FeeLimit } from '../orders/fees.ts';
import { tellNeedless } from './given-credentials.ts';
import { hintSandbox } from './sandbox-hint.ts';
import { KeptConversation } from './kept-conversation.ts';
import { readDecision } from './decision.ts';
import { endOf, isUnknown } from '../resources/parent-status.ts';
import { beginPatience, isWaitOver } from '../call/patience.ts';
import { saidIn } from '../resources/said.ts';
import type { Said } from '../resources/said.ts';
import { refreshResource, saveStatus } from '../resources/saved-resource.ts';
import { lookBeside, observe } from './sca-read.ts';
import type { Observation } from './sca-read.ts';
import type { Underway } from './sca-send.ts';
import { StepTaker } from './take-step.ts';
import type { Target } from '../exchange/target.ts';
import { Turns } from './take-step.ts';
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
  /** The most that the bank may ask; with more nothing is sent any more. */
  maxFees?: FeeLimit;
  /** Reads where the authorisation stands, and sends nothing. */
  sendsNothing?: boolean;
  /** Told before the run waits for what the customer does elsewhere, or ends there. */
  away?: (conversation: Conversation) => void;
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
  /** The bank's words at the end, besides the status. */
  said?: Said;
}

/**
 * Leads a conversation to its end, saving it after each step. Throws InteractionNeeded for a question that has no
 * answer in this run, BankRefusal for a refusal that another answer cannot mend; every error carries the resource.
 */
export async function authorise(
  target: Target,
  resource: SavedResource,
  conversation: Conversation,
  options: AuthoriseOptions,
): Promise<Authorised> {
  beginPatience(target, options.timeoutMs);
  const led = await withLateRedirect(target, resource);
  const driver = new Driver(target, led, conversation, options);
  try {
    return await driver.run();
  } catch (error) {
    if (isWaitOver(error)) return driver.open(true);
    if (!(error instanceof ObkError)) throw error;
    const told = await driver.refused(error);
    told.resource = { ...told.resource, ...driver.kept.knownWith(driver.resource) };
    throw isInterruption(told) ? withWayOn(told, driver.resource, driver.kept.now.parent.kind) : told;
  }
}

class Driver {
  readonly #target: Target;
  readonly #options: AuthoriseOptions;
  resource: SavedResource;
  readonly kept: KeptConversation;
  readonly #steps: StepTaker;
  /** The one step was taken, where no more is wanted. */
  #stepped = false;
  #told: string | undefined;
  #toldFees: string | undefined;
  #toldWord: string | undefined;
  #hinted = false;
  /** The customer was sent away in this run. */
  #away = false;
  /** The code that the browser brought and that is not sent yet. */
  #code: Secret | undefined;

  constructor(
    target: Target,
    resource: SavedResource,
    conversation: Conversation,
    options: AuthoriseOptions,
  ) {
    this.#target = target;
    this.resource = resource;
    this.kept = new KeptConversation(target, conversation);
    this.#steps = new StepTaker(target, resource, this.kept);
    this.#options = options;
  }

  async run(): Promise<Authorised> {
    const { dryRun } = this.#target.run;
    // The answer that began it may have brought a picture.
    if (!dryRun && this.kept.now.challengeData?.image !== undefined) await this.kept.keep(this.kept.now);
    const first = dryRun || isUnknown(this.resource) ? undefined : await this.#begin();
    if (first !== undefined) return first;
    const turns = new Turns(this.#target);
    for (;;) {
      turns.begin(this.kept.now, [this.#code === undefined, this.#stepped]);
      this.#tell();
      if (isUnknown(this.resource)) return this.#stop();
      // If the confirmation code is already here, send it without waiting for a status that asks for it.
      const confirm = this.#code && confirmationStep(this.kept.now);
      const isUnlinked = isOtpUnlinked(this.kept.now, this.#steps.again);
      const made = isUnlinked ? otpWithoutLink(this.#target.variant, this.kept.now) : undefined;
      const step = confirm ?? made ?? nextStep(this.kept.now);
      const { maxFees } = this.#options;
      if (maxFees !== undefined) checkFees(this.kept.now.fees, maxFees, this.resource, step);
      const halted = await this.#halt(step);
      if (halted !== undefined) return halted;
      if (!dryRun && !this.#hinted) this.#hinted = hintSandbox(this.#target, this.kept.now, step);
      switch (step.kind) {
        case 'done':
          return this.#finish(step.success);
        case 'send': {
          if (this.#options.sendsNothing === true) return this.open(false);
          const lacksCode = step.need === 'confirmationCode' && this.#code === undefined;
          const waited = lacksCode ? await this.#awaitCode() : undefined;
          if (waited !== undefined) return waited;
          if (!lacksCode) {
            const code = this.#code;
            this.#code = undefined;
            this.#stepped = true;
            await this.#steps.take(step, code);
            const decided = await this.#decided();
            if (decided !== undefined) return decided;
          }
          break;
        }
        case 'redirect':
        case 'oauth':
        case 'wait': {
          if (isUnlinked) return this.#lacksLink();
          const waited = await this.#elsewhere(step);
          if (waited !== undefined) return waited;
          break;
        }
        case 'stuck':
          this.#target.ports.notices.warn(
            `The answer of the bank offers no way to go on that obk knows; its links are ${cleanLine(step.links.join(', '))}.`,
          );
          return this.open(false);
      }
    }
  }

  /**
   * For single-step commands: once the step was taken, returns where it led; before that, checks that the step due is
   * the requested one.
   */
  async #halt(step: Step): Promise<Authorised | undefined> {
    const { only } = this.#options;
    // A code from the browser is consumed by the visit, not by a single step.
    if (only === undefined || this.#code !== undefined) return undefined;
    if (!this.#stepped || (this.#steps.again && step.kind === 'send')) {
      only(this.kept.now, step);
      return undefined;
    }
    if (step.kind === 'done') return this.#finish(step.success);
    // A wrong secret may have ended it without a word.
    const ended = this.#steps.again
      ? await this.#take(await observe(this.#target, this.kept.now))
      : undefined;
    return ended ?? this.open(false);
  }

  /**
   * Checks before the first step whether the conversation has moved: the parent may have needed no authorisation, and
   * another process or the PSU may have continued since it was saved.
   */
  async #lookFirst(): Promise<Authorised | undefined> {
    const conversation = this.kept.now;
    if (conversation.inDoubt !== undefined) return this.#resumeInDoubt();
    const step = nextStep(conversation);
    const { authorisationId, parent } = conversation;
    const end = isEnding(parent.kind) ? undefined : endOf(parent.kind, this.resource.status);
    // Once the bank has rejected the parent, a password would be asked for in vain.
    const leadsOn = step.kind !== 'wait' && step.kind !== 'stuck';
    const needless = end === true && !leadsOn && authorisationId === undefined;
    if (needless || (end === false && step.kind !== 'done')) return this.#finish(end);
    const starts = step.kind === 'send' && step.method === 'POST';
    if (!this.#options.resumed || step.kind === 'done' || starts) return undefined;
    const seen = await observe(this.#target, conversation).catch((error: unknown) => {
      // Some banks refuse to show the status before there is a token.
      if (step.kind === 'oauth' && error instanceof ObkError && error.exit === exitCodes.authNeeded)
        return { conversation, moved: false };
      throw error;
    });
    return this.#take(seen);
  }

  /** The redirected URL may be given with the command: what it brings goes before what is read. */
  async #begin(): Promise<Authorised | undefined> {
    const { inDoubt, steering, returnState } = this.kept.now;
    const away = returnState !== undefined || steering.scaRedirect !== undefined;
    const awaited = this.#options.resumed && inDoubt === undefined && away;
    const back = awaited ? await givenReturn(this.#target, this.resource, this.kept.now) : undefined;
    if (back === undefined) return this.#lookFirst();
    return this.#arrive(await comeBack(this.#target, this.kept.now, back, this.#options));
  }

  /** An earlier run sent a step and never saw the answer. */
  async #resumeInDoubt(): Promise<Authorised | undefined> {
    const before = this.kept.now;
    const cleared = await clearDoubt(this.#target, before).catch((error: unknown) => {
      // The operator ran the command again and so decided to continue, and this bank has no way to ask.
      if (error instanceof BankRefusal) return undefined;
      throw error;
    });
    await this.kept.goOn(cleared?.conversation ?? clearInDoubt(before));
    if (cleared === undefined) return undefined;
    await noteCleared(this.#target, before, cleared);
    if (cleared.kind === 'lost') {
      this.#target.ports.notices.warn(`${cleared.what} Another one is started.`);
    }
    return cleared.kind === 'acted' ? this.#take({ ...cleared, conversation: this.kept.now }) : undefined;
  }

  get #underway(): Underway {
    return { resource: this.resource, conversation: this.kept.now };
  }

  async #elsewhere(
    step: Extract<Step, { kind: 'redirect' | 'oauth' | 'wait' }>,
  ): Promise<Authorised | undefined> {
    const target = this.#target;
    if (target.run.dryRun) return this.open(false);
    if (!this.#away) tellNeedless(target, this.kept.now);
    this.#away = true;
    if (step.kind !== 'wait')
      await this.kept.keep(await sendAway(target, this.resource, this.kept.now, step));
    this.#options.away?.(this.kept.now);
    if (!this.#options.wait && !target.ports.person.present) return this.open(false);
    this.#stepped = true;
    const url = browserUrl(this.kept.now);
    const seen =
      step.kind === 'wait'
        ? await waitForPsu(target, this.kept.now, this.#options)
        : await visit(target, this.#underway, url, this.#options);
    const ended = await this.#arrive(seen);
    return ended ?? (seen.moved ? undefined : this.open(true));
  }

  /** Without a link and an authorisationId nothing can be sent, and no wait mends that. */
  #lacksLink(): Authorised {
    this.#target.ports.notices.warn(
      'A one-time password is due, but the bank gave no link to send the OTP to, and no authorisationId.',
    );
    return this.open(false);
  }

  /** Takes what the visit led to, after the code of OAuth was redeemed. */
  async #arrive(visited: Visited): Promise<Authorised | undefined> {
    const seen = await arrive(this.#target, visited, this.#options, (after) => this.kept.keep(after));
    this.#code = seen.code;
    return this.#take(seen);
  }

  /** The PSU is done, and only the browser has what confirms it. */
  async #awaitCode(): Promise<Authorised | undefined> {
    const target = this.#target;
    const given = await givenReturn(target, this.resource, this.kept.now);
    this.#code = given?.code;
    if (this.#code !== undefined) return undefined;
    if (given !== undefined) throw codeMissing(this.kept.now);
    if (!this.#options.wait && !target.ports.person.present) throw codeNeeded(this.kept.now);
    const seen = await visit(target, this.#underway, undefined, this.#options);
    return (await this.#arrive(seen)) ?? (seen.code === undefined ? this.open(true) : undefined);
  }

  /** The bank's own words to the PSU, and what it asks, must be shown before the PSU confirms (guidelines 4.13), each once. */
  #tell(): void {
    const { psuMessage, fees } = this.kept.now;
    const costs = JSON.stringify(fees);
    if (fees !== undefined && costs !== this.#toldFees)
      for (const text of feeLines(fees)) this.#target.ports.notices.say(text);
    this.#toldFees = costs;
    if (psuMessage !== undefined && psuMessage !== this.#told)
      this.#target.ports.notices.say(bankSays(psuMessage));
    this.#told = psuMessage;
  }

  /** Saves what an observation showed; returns the end if it was one. */
  async #take({ conversation, success, status }: Observation): Promise<Authorised | undefined> {
    await this.kept.keep(conversation);
    this.resource = await saveStatus(this.#target, this.resource, status);
    if (success !== undefined) return this.#finish(success);
    const { scaStatus = '' } = conversation;
    if (status !== undefined && isUnknownSca(conversation.scaStatus) && scaStatus !== this.#toldWord) {
      this.#toldWord = scaStatus;
      const text = `The bank says scaStatus ${scaStatus}, which obk does not know; ${statusOf(this.resource)} decides.`;
      this.#target.ports.notices.warn(cleanLine(text));
    }
    return undefined;
  }

  /** The end that the answer to a step tells of besides its links: a status of the resource, or an unknown scaStatus. */
  async #decided(): Promise<Authorised | undefined> {
    this.resource = await saveStatus(this.#target, this.resource, this.#steps.unknown);
    if (isUnknown(this.resource) || !isUnknownSca(this.kept.now.scaStatus)) return undefined;
    return this.#take(await lookBeside(this.#target, this.kept.now));
  }

  /** The bank says of the resource what obk does not know, so nothing is done with it. */
  #stop(): Authorised {
    const text = `The bank says ${statusOf(this.resource)}, which obk does not know: no step is taken.`;
    this.#target.ports.notices.warn(cleanLine(text));
    return this.open(false);
  }

  async #finish(success: boolean): Promise<Authorised> {
    // At the end the marks of sent entries are no longer needed.
    await this.kept.keep({ ...withoutPicture(this.kept.now), sent: [] });
    const { answer, resource } = await readDecision(this.#target, this.resource, this.kept.now, {
      ...this.#options,
      success,
    });
    this.resource = resource;
    if (answer !== undefined && isUnknown(resource))
      await this.kept.keep(withLinks(this.kept.now, answer.unknownLinks));
    const said = answer === undefined ? {} : await saidIn(answer);
    return { conversation: this.kept.now, resource, success, timedOut: false, said };
  }

  /** What the bank refuses may be open all the same: its status tells. */
  async refused(error: ObkError): Promise<ObkError> {
    if (!(error instanceof BankRefusal) || error.code !== 'DECLINED') return error;
    try {
      this.resource = (await refreshResource(this.#target, this.resource)).resource;
    } catch (failure) {
      if (isFailure(failure)) return error;
      throw failure;
    }
    return standing(error, this.kept.now, this.resource);
  }

  open(timedOut: boolean): Authorised {
    return { conversation: this.kept.now, resource: this.resource, success: undefined, timedOut };
  }
}

/** The status of a resource by its name on the wire. */
function statusOf({ noun, status }: SavedResource): string {
  return `${noun === 'consent' ? 'consentStatus' : 'transactionStatus'} ${status ?? '(none)'}`;
}
