import { InteractionNeeded, ObkError } from '../../../src/base/errors.ts';
import type { Browser, Listener, Return } from '../../../src/client/ports/browser.ts';
import type {
  ChoiceQuestion,
  Notices,
  Person,
  Question,
  SecretQuestion,
  TextQuestion,
} from '../../../src/client/ports/person.ts';
import type { Secrets } from '../../../src/client/ports/secrets.ts';
import { Secret } from '../../../src/base/secret.ts';

type Asked = (Question | TextQuestion | SecretQuestion | ChoiceQuestion) & { kind: string };

/** A person who answers from a script; every answer must be used and every question must have one. */
export interface FakePerson extends Person {
  readonly asked: readonly Asked[];
  /** Adds the next answer to the question with this id: text, a yes or no, or an error to throw. */
  answer(id: string, ...answers: (string | boolean | Error)[]): FakePerson;
  /** Gives the line that `paste` waits for. */
  pastes(line: string): FakePerson;
  /** Throws if an answer was not asked for. */
  verify(): void;
}

/** `present: false` is a script: a question without an answer throws InteractionNeeded with its flag. */
export function fakePerson({ present = true } = {}): FakePerson {
  const answers = new Map<string, (string | boolean | Error)[]>();
  const asked: Asked[] = [];
  const pasted: string[] = [];
  const wrong: Error[] = [];

  function next(kind: string, question: Question): string | boolean {
    asked.push({ kind, ...question });
    const answer = answers.get(question.id)?.shift();
    if (answer instanceof Error) throw answer;
    if (present) question.typed?.();
    if (answer !== undefined) return answer;
    if (!present) throw new InteractionNeeded([question.flag]);
    const error = new Error(`unexpected question ${question.id}: ${question.text}`);
    wrong.push(error);
    throw error;
  }

  function text(kind: string, question: Question): string {
    const answer = next(kind, question);
    if (typeof answer !== 'string') throw new Error(`the answer to ${question.id} must be text`);
    return answer;
  }

  const person: FakePerson = {
    present,
    asked,
    answered: ({ id }) => (answers.get(id)?.length ?? 0) > 0,
    another: async ({ id }) =>
      present ? 'human' : (answers.get(id)?.length ?? 0) > 0 ? 'program' : undefined,
    answer(id, ...more) {
      answers.set(id, [...(answers.get(id) ?? []), ...more]);
      return person;
    },
    pastes(line) {
      pasted.push(line);
      return person;
    },
    verify() {
      if (wrong[0]) throw wrong[0];
      const left = [...answers].filter(([, list]) => list.length > 0).map(([id]) => id);
      if (left.length > 0) throw new Error(`never asked: ${left.join(', ')}`);
    },
    ask: async (question) => {
      const answer = text('ask', question);
      const refusal = question.check?.(answer);
      if (refusal !== undefined) throw new Error(`the answer to ${question.id} is refused: ${refusal}`);
      return answer;
    },
    askSecret: async (question) => new Secret(text('askSecret', question)),
    choose: async (question) => {
      const answer = text('choose', question);
      if (!question.options.some((option) => option.value === answer)) {
        throw new Error(`${answer} is no option of ${question.id}`);
      }
      return answer;
    },
    confirm: async (question) => next('confirm', question) === true,
    paste: (_text, signal) =>
      new Promise((resolve, reject) => {
        const line = pasted.shift();
        if (line !== undefined) resolve(line);
        else if (signal.aborted) reject(signal.reason as Error);
        else
          signal.addEventListener('abort', () => {
            reject(signal.reason as Error);
          });
      }),
  };
  return person;
}

/** Notices that are kept as a list. */
export interface FakeNotices extends Notices {
  readonly said: readonly string[];
  readonly warned: readonly string[];
  readonly traced: readonly { level: 1 | 2 | 3; line: string }[];
  readonly progressed: readonly string[];
  /** What was told of what the run has made. */
  readonly told: readonly object[];
}

export function fakeNotices(): FakeNotices {
  const said: string[] = [];
  const warned: string[] = [];
  const traced: { level: 1 | 2 | 3; line: string }[] = [];
  const progressed: string[] = [];
  const told: object[] = [];
  return {
    told,
    said,
    warned,
    traced,
    progressed,
    say: (line) => void said.push(line),
    place: (line) => void said.push(line),
    created: (_, facts) => void told.push(facts),
    warn: (line) => void warned.push(line),
    trace: (level, line) => void traced.push({ level, line }),
    call: (line) => void traced.push({ level: 1, line }),
    progress: (text) => {
      progressed.push(text);
      return { update: (more) => void progressed.push(more), stop: () => undefined };
    },
  };
}

/** A browser that only remembers what it should have opened. */
export interface FakeBrowser extends Browser {
  readonly opened: readonly string[];
}

export function fakeBrowser({ likely = true, opens = true } = {}): FakeBrowser {
  const opened: string[] = [];
  return {
    opened,
    likely: async () => likely,
    open: async (url) => {
      opened.push(url);
      return opens;
    },
  };
}

/** A listener whose PSU comes back when the test says so. */
export interface FakeListener extends Listener {
  readonly listening: readonly { port: number; path: string; state: string; closed: boolean }[];
  /** The PSU comes back to every listener that is open, now or later. */
  comesBack(back: Return): void;
}

export function fakeListener({ port = 40_000, taken = false } = {}): FakeListener {
  const listening: { port: number; path: string; state: string; closed: boolean }[] = [];
  let back: Return | undefined;
  const waiting: ((back: Return) => void)[] = [];
  return {
    listening,
    comesBack(value) {
      back = value;
      for (const resolve of waiting.splice(0)) resolve(value);
    },
    freePort: async () => port,
    close: async () => undefined,
    hold: async (wanted) => {
      if (taken) throw new ObkError({ code: 'LISTENER_FAILED', title: `Port ${wanted} is taken.` });
      return wanted === 0 ? port : wanted;
    },
    listen: async (options) => {
      if (taken) throw new ObkError({ code: 'LISTENER_FAILED', title: `Port ${options.port} is taken.` });
      const entry = { ...options, port: options.port === 0 ? port : options.port, closed: false };
      listening.push(entry);
      return {
        port: entry.port,
        returned: new Promise((resolve) => {
          if (back) resolve(back);
          else waiting.push(resolve);
        }),
        close: async () => {
          entry.closed = true;
        },
      };
    },
  };
}

/** References with fixed values; another one is SECRET_REFERENCE. */
export function fakeSecrets(
  values: Readonly<Record<string, string>> = {},
): Secrets & { readonly asked: readonly string[] } {
  const read: string[] = [];
  return {
    asked: read,
    check: () => Promise.resolve(),
    read: async (reference) => {
      read.push(reference);
      const value = values[reference];
      if (value === undefined) {
        throw new ObkError({ code: 'SECRET_REFERENCE', title: `The reference ${reference} cannot be read.` });
      }
      return new Secret(value);
    },
  };
}
