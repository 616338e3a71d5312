import { InteractionNeeded, ObkError } from '../../base/errors.ts';
import type { ChoiceQuestion, Person, Question } from '../../client/ports/person.ts';
import type { Secrets } from '../../client/ports/secrets.ts';
import { Secret } from '../../base/secret.ts';
import { withoutBlanks, wrongForm } from './secret-form.ts';

/** Options of `createScriptedPerson`. */
export interface Script {
  /** The answer to a question from a flag or the environment; an answer from the profile is in the question. */
  answer: (question: Question) => string | undefined;
  /** True for a question that was answered by a flag without a value, such as --yes. */
  agreed: (question: Question) => boolean;
  secrets: Secrets;
  /** The person to ask when no answer was given; absent in a run without one. */
  human?: Person;
}

/** Answers from what was given beforehand, asks the human for the rest, and says which flag is missing where none is. */
export function createScriptedPerson({ answer: given, agreed, secrets, human }: Script): Person {
  const answer = (question: Question) => given(question) ?? question.fallback;
  /** A given answer serves one entry; the second entry is for a person. */
  const first = (question: Question) => (question.again === true ? undefined : answer(question));
  const refuse = (question: Question, detail?: string) =>
    new InteractionNeeded([question.flag], detail === undefined ? {} : { detail });

  return {
    present: human !== undefined,
    answered: (question) => answer(question) !== undefined,
    another: async (question) =>
      human === undefined ? (isProgram(answer(question)) ? 'program' : undefined) : human.another(question),

    async ask(question) {
      const text = first(question);
      if (text === undefined) {
        if (human === undefined) throw refuse(question);
        return human.ask(question);
      }
      const wrong = question.check?.(text);
      if (wrong !== undefined) throw refuse(question, `${JSON.stringify(text)}: ${wrong}`);
      return text;
    },

    async askSecret(question): Promise<Secret> {
      const reference = answer(question);
      if (reference === undefined || reference === 'prompt' || question.again) {
        if (human !== undefined) return human.askSecret(question);
        if (reference === undefined) throw refuse(question);
        if (reference === 'prompt')
          throw refuse(
            question,
            'The reference is "prompt", but there is nobody to ask (no terminal, CI, or --no-input).',
          );
        if (!isProgram(reference))
          throw refuse(question, 'The given value was already sent and is not sent again.');
      }
      const secret = await secrets.read(reference, question.text, { anew: question.again });
      const value = withoutBlanks(question, secret.reveal());
      const wrong = wrongForm(question, value);
      if (wrong !== undefined) throw wrongValue(question, wrong);
      return new Secret(value);
    },

    async choose(question) {
      const wish = first(question);
      const { options } = question;
      const offered = options.map(({ value, name }) => `${value} (${name})`).join(', ');
      if (wish !== undefined) {
        const exact = options.find((option) => option.value === wish);
        if (exact !== undefined) return exact.value;
        const named = options.filter((option) => namesOf(option).includes(wish.toLowerCase()));
        if (named.length === 1 && named[0] !== undefined) return named[0].value;
        const why = named.length > 1 ? 'fits several' : 'is not offered';
        throw refuse(question, `${JSON.stringify(wish)} ${why}. There are: ${offered}.`);
      }
      const [only, ...others] = options;
      if (only !== undefined && others.length === 0 && question.again !== true) return only.value;
      if (human === undefined) throw refuse(question, `Choose one of: ${offered}.`);
      return human.choose(question);
    },

    async confirm(question) {
      if (agreed(question)) return true;
      if (human === undefined) throw refuse(question);
      return human.confirm(question);
    },

    paste(text, signal) {
      if (human !== undefined) return human.paste(text, signal);
      return new Promise((_, reject) => {
        const end = () => {
          reject(signal.reason as Error);
        };
        if (signal.aborted) end();
        else signal.addEventListener('abort', end, { once: true });
      });
    },
  };
}

/** A program may have a new answer by now; what a variable or a file holds stays. */
const isProgram = (reference: string | undefined): boolean => reference?.startsWith('cmd:') === true;

/** Nothing of the value may be told. */
function wrongValue({ flag }: Question, why: string): ObkError {
  return new ObkError({
    code: 'SECRET_FORM',
    title: `The value of ${flag} does not have the form that the bank requires, so it was not sent.`,
    detail: `What the bank expects: ${why}`,
    hint: [`Give another ${flag}, or answer in a terminal.`],
  });
}

function namesOf(option: ChoiceQuestion['options'][number]): string[] {
  return [option.name, ...(option.aliases ?? [])].map((name) => name.toLowerCase());
}
