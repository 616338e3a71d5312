import { defined } from '../../base/defined.ts';
import { InteractionNeeded, ObkError } from '../../base/errors.ts';
import type { BankPerson } from '../../bank/door.ts';
import type {
  ChoiceQuestion,
  Elsewhere,
  OtherEntry,
  Person,
  Question,
  SecretQuestion,
} from '../../client/ports/person.ts';
import { Secret } from '../../base/secret.ts';
import type { PsuAction } from './journey.ts';

/** What a journey names secrets for. */
export type Purpose = 'password' | 'otp';

/** The bank inside as who stands for its PSUs needs it: who they are, and what each decides. */
export interface BankOfPsu {
  people: () => Promise<readonly BankPerson[]>;
  decide: (
    decision: 'approve' | 'refuse',
    id: string,
    psuId?: string,
  ) => Promise<{ redirectedTo?: string | undefined }>;
}

/** Where the answers of a PSU come from. */
export interface PsuSources {
  does: PsuAction;
  /** The SCA method that is chosen. */
  method?: string;
  /** The PSU of the step, where it is known. */
  psuId: string | undefined;
  /** The bank inside, where the step is at it. */
  bank: BankOfPsu | undefined;
  /** A secret that the journey names for this purpose, where the operator has bound it; a program gives a new one each time. */
  secret: (purpose: Purpose) => { from: 'program' | 'value'; read: () => Promise<Secret> } | undefined;
  /** Leads a browser to a link, and returns the address that it ended at; undefined where nothing is bound to do that. */
  browse: ((url: string) => Promise<string>) | undefined;
  /** The person at the terminal, if there is one, and how to tell what is to be done. */
  human: Person | undefined;
  /** Told what was asked for and is not there. */
  lacks: (what: string) => void;
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
/** The questions that only a PSU can answer; all others are for flags, profile and terminal. */
const purposes = new Map<string, Purpose>([
  ['otp', 'otp'],
  ...[...passwords, 'psu-additional-password', 'psu-additional-encrypted-password'].map(
    (id): [string, Purpose] => [id, 'password'],
  ),
]);

/** Where the right answer to a question comes from, and from whom another one can come after it. */
interface Source {
  another: OtherEntry | undefined;
  give: () => Promise<Secret>;
}

class Psu implements Person {
  readonly present = true;
  readonly #sources: PsuSources;
  readonly #scripted: Person;
  /** The last entry where the PSU is to err once. */
  #gave: 'nothing' | 'wrong' | 'right' = 'nothing';
  #returned: string | undefined;

  constructor(sources: PsuSources, scripted: Person) {
    this.#sources = sources;
    this.#scripted = scripted;
  }

  answered(question: Question): boolean {
    return this.#scripted.answered(question);
  }

  async another(question: Question): Promise<OtherEntry | undefined> {
    const { does } = this.#sources;
    const purpose = purposes.get(question.id);
    if (purpose === undefined) return this.#scripted.another(question);
    if (does === 'refuse') return undefined;
    if (this.#errs(question)) {
      if (this.#gave === 'wrong') return does.endsWith('then right') ? 'program' : undefined;
      if (this.#gave === 'nothing') return 'program';
    }
    return (await this.#source(question, purpose))?.another;
  }

  ask(question: Question): Promise<string> {
    const { psuId } = this.#sources;
    if (
      question.id === 'psu-id' &&
      question.again !== true &&
      psuId !== undefined &&
      !this.answered(question)
    )
      return Promise.resolve(psuId);
    return this.#noted(this.#scripted.ask(question));
  }

  askSecret(question: SecretQuestion): Promise<Secret> {
    return this.#noted(this.#secret(question));
  }

  /** The answer to a question; what nobody could answer is told. */
  async #noted<Answer>(answer: Promise<Answer>): Promise<Answer> {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof InteractionNeeded)
        this.#sources.lacks(`${error.title} ${error.detail ?? ''}`.trim());
      throw error;
    }
  }

  async #secret(question: SecretQuestion): Promise<Secret> {
    const { does } = this.#sources;
    const purpose = purposes.get(question.id);
    if (purpose === undefined) return this.#scripted.askSecret(question);
    if (does === 'refuse')
      throw new InteractionNeeded([question.flag], { detail: 'The PSU refuses, so nothing is entered.' });
    if (!this.#errs(question)) return this.#right(question, purpose);
    if (this.#gave === 'nothing') {
      const wrong = another((await this.#right(question, purpose)).reveal());
      this.#gave = 'wrong';
      return new Secret(wrong);
    }
    if (!does.endsWith('then right'))
      throw new InteractionNeeded([question.flag], { detail: 'The PSU enters nothing a second time.' });
    this.#gave = 'right';
    return this.#right(question, purpose);
  }

  /** Whether the first entry for a question is to be a wrong one. */
  #errs({ id }: Question): boolean {
    const { does } = this.#sources;
    if (!does.startsWith('wrong')) return false;
    return does.startsWith('wrong otp') ? id === 'otp' : passwords.includes(id);
  }

  async #right(question: SecretQuestion, purpose: Purpose): Promise<Secret> {
    const source = await this.#source(question, purpose);
    if (source !== undefined) return source.give();
    throw new InteractionNeeded([question.flag], {
      detail: `The journey has no secret for it: name one under secrets, psu.${purpose}, and bind it with --secret.`,
    });
  }

  /** The first that has the right answer; undefined where none has. */
  async #source(question: Question, purpose: Purpose): Promise<Source | undefined> {
    const { secret, human } = this.#sources;
    const asked = { ...question, again: question.again === true };
    const named = secret(purpose);
    if (named !== undefined)
      return { another: named.from === 'program' ? 'program' : undefined, give: named.read };
    if (this.#scripted.answered(question)) {
      const from = await this.#scripted.another(question);
      // After a wrong entry the value of a flag or of the profile is still the right one.
      const again = asked.again && from !== undefined;
      return { another: from, give: () => this.#scripted.askSecret({ ...asked, again }) };
    }
    const known = await this.#ofBank(question);
    if (known !== undefined) return { another: undefined, give: () => Promise.resolve(known) };
    if (human === undefined) return undefined;
    return { another: await human.another(question), give: () => human.askSecret(asked) };
  }

  async #ofBank({ id }: Question): Promise<Secret | undefined> {
    const { bank, psuId } = this.#sources;
    if (bank === undefined || psuId === undefined) return undefined;
    const person = (await bank.people()).find((one) => one.psuId === psuId);
    const text = person?.[secrets[id] ?? 'password'];
    return text === undefined ? undefined : new Secret(text);
  }

  async choose(question: ChoiceQuestion): Promise<string> {
    const { method } = this.#sources;
    const [first] = question.options;
    const isLeftOpen = method === undefined && !this.answered(question) && question.again !== true;
    if (isLeftOpen && first !== undefined) return first.value;
    return this.#noted(this.#scripted.choose({ ...question, ...defined({ fallback: method }) }));
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

/** The secret of a PSU that a question is about; of any other question it is the password. */
const secrets: Readonly<Record<string, PersonSecret>> = {
  otp: 'otp',
  'psu-additional-password': 'additionalPassword',
  'psu-encrypted-password': 'encryptedPassword',
  'psu-additional-encrypted-password': 'additionalEncryptedPassword',
};
type PersonSecret =
  'otp' | 'password' | 'additionalPassword' | 'encryptedPassword' | 'additionalEncryptedPassword';

/** Another secret of the same length and kinds of characters. */
const another = (secret: string): string =>
  secret
    .replace(/[0-9]/g, (digit) => String((Number(digit) + 1) % 10))
    .replace(/[A-Za-z]/, (letter) => (letter === 'x' ? 'y' : 'x'));
