import { defined } from '../../base/defined.ts';
import { line } from '../../base/command-line.ts';
import { BankRefusal, InteractionNeeded, ObkError, OutcomeUnknown } from '../../base/errors.ts';
import type { BankMessage } from '../../base/errors.ts';
import type { SavedResource } from '../../settings/records/resources.ts';
import { entryOf } from '../../standard/sca/entry.ts';
import { nextStep } from '../../standard/sca/next-step.ts';
import type { SendStep } from '../../standard/sca/next-step.ts';
import type { OtherEntry } from '../ports/person.ts';
import { hasLedOn, leadsBack } from '../../standard/sca/progress.ts';
import { absorb, markInDoubt, forgetSent, noteRefused, noteSent } from '../../standard/sca/state.ts';
import type { Conversation, SentEntry, Need } from '../../standard/sca/state.ts';
import type { Secret } from '../../base/secret.ts';
import { anotherFor, answerNeed, isGiven, questionsOf } from './answer-need.ts';
import type { Answered } from './answer-need.ts';
import { asDeclined, ledBack, refusalText, tooManySteps } from './authorise-errors.ts';
import { clearDoubt, noteCleared } from './lost-step.ts';
import type { KeptConversation } from './kept-conversation.ts';
import { checkOwnStep } from '../call/own-links.ts';
import { psuNamed } from '../resources/saved-resource.ts';
import { unknownIn } from './sca-read.ts';
import { psuIdOf, sendStep } from './sca-send.ts';
import type { Underway } from './sca-send.ts';
import type { Target } from '../exchange/target.ts';
import { nounOf, resourceOf } from '../../standard/sca/operations.ts';
import { isForeignMark, keyedMark } from '../../signing/digest.ts';

/** A conversation that needs more than this leads nowhere. */
const mostSteps = 20;
/** How often one question is answered without a human: banks block a PSU after five wrong attempts. */
const mostEntries = 4;

/** Takes the steps of one conversation in which something is sent; no entry is sent twice. */
export class StepTaker {
  readonly #target: Target;
  readonly #resource: SavedResource;
  readonly #kept: KeptConversation;
  /** How often each kind of entry was sent in this run. */
  readonly #entries = new Map<string, number>();
  /** The steps without an entry since the last one with it. */
  readonly #empty = new Set<string>();
  /** The bank's messages in the answer that led back. */
  #said: readonly BankMessage[] = [];
  /** The bank's refusal of the last entry. */
  #refusal: BankRefusal | undefined;
  readonly #turns: Turns;
  /** The bank refused the last entry, so another one is due. */
  again = false;
  /** The status of the resource in the last answer, where it is one that obk does not know. */
  unknown: string | undefined;

  constructor(target: Target, resource: SavedResource, kept: KeptConversation) {
    this.#target = target;
    this.#resource = resource;
    this.#kept = kept;
    this.#turns = new Turns(target);
  }

  /** Gets what a step needs and sends it, once; `code` is what the browser has brought. */
  async take(step: SendStep, code: Secret | undefined): Promise<void> {
    checkOwnStep(this.#target, this.#kept.now, step);
    if ((this.#kept.now.steps ?? 0) >= mostSteps) throw tooManySteps(this.#kept.now, mostSteps, this.#said);
    const { value, marked } = await this.#answer(step, code);
    const authorisation = this.#underway;
    const { conversation: before } = authorisation;
    // The mark is on disk with the first byte, since a killed process may have sent it.
    const noted = noteSent(before, marked && { ...marked, ...(step.tolerated && { unlinked: true }) });
    await this.#kept.claim(markInDoubt(noted, step));
    const sent = await sendStep(this.#target, authorisation, step, value).catch(async (error: unknown) => {
      // Nothing has left: the link is refused, the key cannot be read, the person has ended it.
      if (error instanceof ObkError) await this.#kept.release();
      throw error;
    });
    this.#count(step);
    if (sent.ok) {
      this.unknown = unknownIn(before.parent, sent.answer);
      const absorbed = absorb(markInDoubt(noted, step), sent.answer);
      const after = hasLedOn(before, step, absorbed) ? forgetSent(absorbed, step.need) : absorbed;
      this.again = false;
      this.#refusal = undefined;
      this.#said = sent.messages;
      // A PSU-ID that the bank refused identifies no PSU.
      const identified = step.need === 'identification' && !leadsBack(step, after);
      return this.#kept.goOn(
        identified && typeof value === 'string'
          ? { ...after, ...psuNamed(this.#target), psuId: value }
          : after,
      );
    }
    const { error, answer } = sent;
    if (error instanceof OutcomeUnknown) return this.#doubt(error);
    if (!(error instanceof BankRefusal)) {
      await this.#kept.release();
      throw error;
    }
    const judged = isOfSetUp(error) ? before : noteRefused(noted, step.need);
    const after = answer === undefined ? judged : absorb(judged, answer);
    if (!asksAgain(error, step, before, after)) {
      await this.#kept.goOn(after);
      throw error;
    }
    const psuId = marked?.entry === 'identification' ? undefined : psuIdOf(this.#target, before);
    // A later run without --psu-id must know this entry again.
    await this.#kept.goOn({ ...after, ...defined({ psuId }) });
    if ((await this.#another(step)) === undefined) throw asDeclined(error, step);
    this.#target.ports.notices.warn(refusalText(error));
    this.#refusal = error;
    this.again = true;
  }

  #count(step: SendStep): void {
    const entry = entryOf(step.need);
    if (entry === undefined) {
      this.#empty.add(`${step.method} ${step.link}`);
      return;
    }
    this.#empty.clear();
    this.#entries.set(entry, (this.#entries.get(entry) ?? 0) + 1);
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
      if (cleared.unknown === true) this.unknown = cleared.status;
      this.#target.ports.notices.warn(
        'The answer of the bank was lost; its status shows that the step took effect.',
      );
      return;
    }
    // An entry of the lost authorisation must not be reused.
    const entered = cleared.conversation.sent.length === 0 ? [] : ['--new'];
    throw new ObkError({
      code: 'ANSWER_LOST',
      title: 'The answer of the bank was lost, and this authorisation cannot be continued.',
      detail:
        cleared.kind === 'lost' ? cleared.what : 'The bank does not list the authorisation that was started.',
      hint: [
        line`obk ${this.#resource.noun} authorise ${this.#resource.id}${entered}   # starts another one`,
      ],
      cause: error,
    });
  }

  /** The value to send with a step, and its mark; never an entry that was sent before. */
  async #answer(
    step: SendStep,
    code: Secret | undefined,
  ): Promise<{ value: Answered['value']; marked: SentEntry | undefined }> {
    const target = this.#target;
    const entry = entryOf(step.need);
    if (entry === undefined) {
      if (this.#empty.has(`${step.method} ${step.link}`)) throw this.#back(step);
      return {
        ...(await answerNeed(target, this.#underway, step.need, false)),
        marked: undefined,
      };
    }
    const times = this.#entries.get(entry) ?? 0;
    const isRefused = this.again || times > 0;
    const end = () => (isRefused ? this.#back(step) : sentBefore(target, this.#kept.now, step.need));
    for (;;) {
      const again = this.again || times > 0;
      const from = await this.#another(step);
      if (again && (from === undefined || (from === 'program' && times >= mostEntries))) throw end();
      this.#turns.begin(this.#kept.now, [step.need, again]);
      const answered = await this.#ask(step, code, again ? end : undefined);
      const marked = await sentMark(target, this.#kept.now, step.need, answered);
      const typed = from === 'human' && (again || !isGiven(target, step.need));
      if (!(await wasSent(target, this.#kept.now, marked, typed))) return { value: answered.value, marked };
      // A program that was asked anew and gives what was sent has nothing else.
      if (from === undefined || (from === 'program' && again)) throw end();
      if (entry === 'confirmation') throw sentBefore(target, this.#kept.now, step.need);
      target.ports.notices.warn('This one was sent to the bank before; it is not sent again.');
      this.again = true;
    }
  }

  get #underway(): Underway {
    return { resource: this.#resource, conversation: this.#kept.now };
  }

  #another({ need }: SendStep): Promise<OtherEntry | undefined> {
    return anotherFor(this.#target, this.#kept.now, need);
  }

  /** One entry; `end` is the error where another one was due and did not come. */
  async #ask(step: SendStep, code: Secret | undefined, end: (() => ObkError) | undefined): Promise<Answered> {
    if (step.need === 'confirmationCode') return { value: code };
    try {
      return await answerNeed(this.#target, this.#underway, step.need, end !== undefined);
    } catch (error) {
      throw end !== undefined && error instanceof InteractionNeeded ? end() : error;
    }
  }

  #back(step: SendStep): ObkError {
    return this.#refusal === undefined
      ? ledBack(this.#kept.now, step, this.#said)
      : asDeclined(this.#refusal, step);
  }
}

/** The bank has not looked at the entry: it refused the certificate, the signature or the token of the call. */
function isOfSetUp({ bankCode = '' }: BankRefusal): boolean {
  return /^(CERTIFICATE|SIGNATURE|TOKEN|CORPORATE_ID)_/.test(bankCode);
}

/** Whether a refusal is that of an entry: the bank says so, or its links lead back to where the entry was sent. */
function asksAgain(error: BankRefusal, step: SendStep, before: Conversation, after: Conversation): boolean {
  const entry = entryOf(step.need);
  if (entry === undefined) return false;
  if (error.bankCode === 'PSU_CREDENTIALS_INVALID') return true;
  const next = nextStep(after);
  return after.steering !== before.steering && next.kind === 'send' && entryOf(next.need) === entry;
}

/** By what an entry of this PSU is known again in this conversation; undefined where a step sends none. */
async function sentMark(
  target: Target,
  conversation: Conversation,
  need: Need,
  { value, known }: Answered,
): Promise<SentEntry | undefined> {
  const entry = entryOf(need);
  const told = known ?? value;
  if (entry === undefined || told === undefined || target.run.dryRun) return undefined;
  const { kind, id } = conversation.parent;
  // The mark of a PSU-ID does not depend on the PSU.
  const psuId = entry === 'identification' ? null : (psuIdOf(target, conversation) ?? null);
  const key = await target.ports.credentials.machineKey();
  return { entry, mark: keyedMark(key, [kind, id, entry, psuId, told]) };
}

/**
 * Whether this very entry was sent in this conversation before; if that cannot be told, it counts as sent. One that led on
 * counts too, unless a human has `typed` it anew.
 */
async function wasSent(
  target: Target,
  { sent }: Conversation,
  marked: SentEntry | undefined,
  typed: boolean,
): Promise<boolean> {
  const before = sent.filter(({ entry, ledOn }) => entry === marked?.entry && !(typed && ledOn === true));
  if (marked === undefined || before.length === 0) return false;
  const key = await target.ports.credentials.machineKey();
  return before.some(({ mark }) => mark === marked.mark || isForeignMark(key, mark));
}

/** The error for an entry that was sent before, when this run has no way to ask for another one. */
function sentBefore(target: Target, { parent }: Conversation, need: Need): ObkError {
  const questions = questionsOf(need);
  const { flag } = questions.find((question) => target.ports.person.answered(question)) ?? questions[0];
  const noun = nounOf[parent.kind];
  return new ObkError({
    code: 'SECRET_REFUSED_BEFORE',
    title: `${flag} holds an entry that was sent to the bank before, and the bank asks for it again.`,
    detail: 'Banks block a PSU after a few wrong attempts, so obk never sends the same entry twice.',
    hint: [
      `Give another ${flag}, or answer in a terminal.`,
      line`obk ${noun} authorise ${parent.id} --new   # starts another authorisation`,
    ],
  });
}

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
