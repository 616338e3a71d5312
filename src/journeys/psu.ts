import { InteractionNeeded, ObkError } from '../errors.ts';
import type { Bank } from '../ports/bank.ts';
import type { ChoiceQuestion, Elsewhere, Person, Question, SecretQuestion } from '../ports/person.ts';
import { Secret } from '../secret.ts';
import type { PsuAction } from './journey.ts';

/** Where the answers of a PSU come from. */
export interface PsuSources {
  does: PsuAction;
  /** The SCA method that is chosen. */
  method?: string;
  /** The PSU of the step, where it is known. */
  psuId: string | undefined;
  /** The bank inside, where the step is at it. */
  bank: Pick<Bank, 'people' | 'decide'> | undefined;
  /** A secret that the journey names for this purpose, where the operator has bound it. */
  secret: (purpose: 'password' | 'otp') => Promise<Secret | undefined>;
  /** Leads a browser to a link, and returns the address that it ended at; undefined where nothing is bound to do that. */
  browse: ((url: string) => Promise<string>) | undefined;
  /** The person at the terminal, if there is one, and how to tell what is to be done. */
  human: Person | undefined;
  say: (line: string) => void;
}

/**
 * Stands for the PSU in a step. What flags and profile answer goes before; the rest comes from the journey's secrets, from the
 * bank inside or from the person at the terminal. Where it says `wrong`, the first entry is a wrong one, and without
 * `then right` there is no second.
 */
export function createPsu(sources: PsuSources): (scripted: Person) => Person {
  return (scripted) => new Psu(sources, scripted);
}

const passwords = ['psu-password', 'psu-encrypted-password'];

class Psu implements Person {
  readonly present = true;
  readonly #sources: PsuSources;
  readonly #scripted: Person;
  #erred = false;
  #returned: string | undefined;

  constructor(sources: PsuSources, scripted: Person) {
    this.#sources = sources;
    this.#scripted = scripted;
  }

  answered(question: Question): boolean {
    return this.#scripted.answered(question);
  }

  ask(question: Question): Promise<string> {
    const { psuId } = this.#sources;
    if (question.id === 'psu-id' && psuId !== undefined && !this.answered(question))
      return Promise.resolve(psuId);
    return this.#scripted.ask(question);
  }

  async askSecret(question: SecretQuestion): Promise<Secret> {
    const { does } = this.#sources;
    if (does === 'refuse')
      throw new InteractionNeeded([question.flag], { detail: 'The PSU refuses, so nothing is entered.' });
    const errs = does.startsWith('wrong otp') ? question.id === 'otp' : passwords.includes(question.id);
    if (!does.startsWith('wrong') || !errs) return this.#right(question);
    if (!this.#erred) {
      this.#erred = true;
      return new Secret(another((await this.#right(question)).reveal()));
    }
    if (does.endsWith('then right')) return this.#right(question);
    throw new InteractionNeeded([question.flag], { detail: 'The PSU enters nothing a second time.' });
  }

  /** The right answer, each time anew where it comes from a program. */
  async #right(question: SecretQuestion): Promise<Secret> {
    const { secret, human } = this.#sources;
    const purpose = question.id === 'otp' ? 'otp' : 'password';
    const named = await secret(purpose);
    if (named !== undefined) return named;
    // A second entry is due only after a wrong one, so what was given is still the right one.
    if (this.#scripted.answered(question)) return this.#scripted.askSecret({ ...question, again: false });
    const known = await this.#ofBank(question);
    if (known !== undefined) return known;
    if (human !== undefined) return human.askSecret(question);
    throw new InteractionNeeded([question.flag], {
      detail: `The journey has no secret for it: name one under secrets, psu.${purpose}, and bind it with --secret.`,
    });
  }

  async #ofBank({ id }: Question): Promise<Secret | undefined> {
    const { bank, psuId } = this.#sources;
    if (bank === undefined || psuId === undefined) return undefined;
    const person = (await bank.people()).find((one) => one.psuId === psuId);
    if (person === undefined) return undefined;
    switch (id) {
      case 'otp':
        return person.otp;
      case 'psu-additional-password':
        return person.additionalPassword;
      case 'psu-encrypted-password':
        return person.encryptedPassword;
      case 'psu-additional-encrypted-password':
        return person.additionalEncryptedPassword;
      default:
        return person.password;
    }
  }

  async choose(question: ChoiceQuestion): Promise<string> {
    const { method } = this.#sources;
    if (method !== undefined) return this.#scripted.choose({ ...question, again: false, fallback: method });
    if (this.answered(question)) return this.#scripted.choose(question);
    const [first] = question.options;
    if (first === undefined || question.again === true) return this.#scripted.choose(question);
    return first.value;
  }

  confirm(question: Question): Promise<boolean> {
    // Who wrote the step wants it; production asks for more than this.
    return question.id === 'yes' ? Promise.resolve(true) : this.#scripted.confirm(question);
  }

  async elsewhere(where: Elsewhere): Promise<void> {
    const { does, browse, bank, psuId, human, say } = this.#sources;
    const { url } = where;
    if (url !== undefined && browse !== undefined) {
      this.#returned = await browse(url);
      return;
    }
    if (bank !== undefined) {
      const decision = does === 'refuse' ? 'refuse' : 'approve';
      const decided = await bank.decide(decision, where.url ?? where.authorisationId ?? where.id, psuId);
      this.#returned = decided.redirectedTo;
      return;
    }
    if (human !== undefined) {
      say(
        url === undefined ? 'The PSU has to approve on another device.' : `Open this link to approve: ${url}`,
      );
      return;
    }
    throw new ObkError({
      code: 'INTERACTION_NEEDED',
      title: 'Nobody can approve where the bank sends the PSU.',
      detail:
        'The journey has no program for a browser, the bank is not the one inside, and no person is at a terminal.',
      hint: ['Name a program under secrets, psu.browser, and bind it with --secret.'],
    });
  }

  paste(text: string, signal: AbortSignal): Promise<string> {
    const returned = this.#returned;
    if (returned !== undefined) {
      this.#returned = undefined;
      return Promise.resolve(returned);
    }
    return (this.#sources.human ?? this.#scripted).paste(text, signal);
  }
}

/** Another secret of the same length and kinds of characters. */
const another = (secret: string): string =>
  secret
    .replace(/[0-9]/g, (digit) => String((Number(digit) + 1) % 10))
    .replace(/[A-Za-z]/, (letter) => (letter === 'x' ? 'y' : 'x'));
