import { defined } from '../../base/defined.ts';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import inquirer from 'inquirer';
import { cleanLine } from '../../base/clean.ts';
import { ObkError } from '../../base/errors.ts';
import type { ChoiceQuestion, Person, Question } from '../../client/ports/person.ts';
import { Secret } from '../../base/secret.ts';
import { withoutBlanks, wrongForm } from './secret-form.ts';
import type { Stage } from './terminal-notices.ts';

/** Options of `createTerminalPerson`. */
export interface TerminalOptions {
  stdin: NodeJS.ReadableStream;
  stderr: NodeJS.WritableStream & { columns?: number; rows?: number };
  colour: boolean;
  /** Numbered plain questions instead of drawn ones. */
  accessible: boolean;
  /** Ends every question. */
  signal: AbortSignal;
  stage: Stage;
  /** Breaks a line at its blanks into lines of at most so many columns. */
  fold: (line: string, width: number) => string[];
}

interface Asked {
  type: 'input' | 'password' | 'select' | 'confirm';
  message: string;
  default?: string | boolean;
  mask?: string;
  toggleMask?: boolean;
  choices?: { value: string; name: string; short?: string; description?: string }[];
  pageSize?: number;
  /** What is asked for may come otherwise: then nothing of the question is left. */
  passes?: true;
  validate?: (answer: string) => string | true;
}

const interrupted = () =>
  new ObkError({ code: 'INTERRUPTED', title: 'Interrupted.', detail: 'The question was not answered.' });

/** Asks the person at the terminal; questions go to stderr, so that stdout stays data. */
export function createTerminalPerson(options: TerminalOptions): Person {
  const { stage } = options;

  async function once<T>(ask: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    stage.asking = true;
    try {
      return await ask(signal === undefined ? options.signal : AbortSignal.any([options.signal, signal]));
    } catch (error) {
      if (signal?.aborted === true) throw signal.reason;
      if (options.signal.aborted) throw options.signal.reason;
      if (error instanceof Error && /^(Exit|Abort)PromptError$/.test(error.name)) throw interrupted();
      throw error;
    } finally {
      stage.asking = false;
    }
  }

  const draw = (asked: Asked, signal?: AbortSignal) =>
    once((ends) => (options.accessible ? plain(options, asked, ends) : drawn(options, asked, ends)), signal);
  const answerTo = async ({ typed }: Question, asked: Asked) => {
    const answer = await draw(asked);
    typed?.();
    return answer;
  };

  return {
    present: true,
    answered: () => false,
    another: () => Promise.resolve('human'),
    ask: (question) => {
      const { text, default: preset, check } = question;
      return answerTo(question, {
        type: 'input',
        message: cleanLine(text),
        ...defined({ default: preset }),
        validate: (answer) =>
          check?.(answer.trim()) ?? (answer.trim() === '' && preset === undefined ? 'Type an answer.' : true),
      }).then((answer) => String(answer).trim());
    },
    askSecret: (question) =>
      answerTo(question, {
        type: 'password',
        message: [question.confirms, question.text]
          .flatMap((text) => text ?? [])
          .map((text) => cleanLine(text))
          .join('\n'),
        mask: '*',
        toggleMask: false,
        validate: (answer) => wrongForm(question, withoutBlanks(question, answer)) ?? true,
      }).then((answer) => new Secret(withoutBlanks(question, String(answer)))),
    choose: (question) =>
      answerTo(question, { type: 'select', ...choices(question, options.stderr.rows) }).then(String),
    confirm: (question) =>
      answerTo(question, { type: 'confirm', message: cleanLine(question.text), default: false }).then(
        (answer) => answer === true,
      ),
    paste: (text, signal) =>
      draw({ type: 'input', message: cleanLine(text), passes: true }, signal).then(String),
  };
}

/** All choices are in sight where the terminal has so many rows. */
function choices(
  { text, options }: ChoiceQuestion,
  rows = 24,
): Pick<Asked, 'message' | 'choices' | 'pageSize'> {
  return {
    message: cleanLine(text),
    pageSize: Math.max(7, Math.min(options.length, rows - 6)),
    choices: options.map(({ value, name, description }) => ({
      value,
      name: cleanLine(name),
      ...(description === undefined ? {} : { description: cleanLine(description) }),
    })),
  };
}

/** What stands before a question (`? `) and before a choice (`❯ `). */
const lead = 2;

/** The question with lines broken between its words; what draws it would break them within. */
function folded({ stderr, fold }: TerminalOptions, asked: Asked): Asked {
  const width = Math.max(40, stderr.columns ?? 80) - lead;
  // What is drawn after the question stands there as one word, so that the fold leaves room for it.
  const preset = typeof asked.default === 'string' ? `(${asked.default})` : '';
  const after = asked.type === 'confirm' ? '(y/N)' : preset;
  const lines = `${asked.message} ${'x'.repeat(after.length)}`
    .trimEnd()
    .split('\n')
    .flatMap((line) => fold(line, width))
    .join('\n');
  const message = lines.slice(0, lines.length - after.length).replace(/ $/, '');
  const last = message.slice(message.lastIndexOf('\n') + 1);
  const choices = asked.choices?.map((choice) => {
    const name = fold(choice.name, width).join('\n  ');
    return { ...choice, name, short: fold(`${last} ${name}`, width).length > 1 ? `\n  ${name}` : name };
  });
  return { ...asked, message, ...defined({ choices }) };
}

// Colours alone; cursor movements stay.
// eslint-disable-next-line no-control-regex
const colours = /\u001b\[[0-9;]*m/g;

function drawn(options: TerminalOptions, asked: Asked, ends: AbortSignal): Promise<unknown> {
  const { stdin, stderr, colour } = options;
  const output = new Writable({
    write: (chunk: Buffer, _, done) => {
      const text = chunk.toString('utf8');
      stderr.write(colour ? text : text.replace(colours, ''), () => {
        done();
      });
    },
  });
  Object.assign(output, { isTTY: true, columns: stderr.columns, rows: stderr.rows });
  const closed = new AbortController();
  const prompt = inquirer.createPromptModule({
    input: stdin,
    output,
    signal: AbortSignal.any([ends, closed.signal]),
    clearPromptOnDone: asked.passes === true,
  });
  // Ctrl-D and a lost terminal end the input without a word; inquirer would wait for ever.
  const lost = () => {
    setImmediate(() => {
      closed.abort(interrupted());
    });
  };
  stdin.once('pause', lost);
  stdin.once('end', lost);
  return prompt<{ answer: unknown }>([{ name: 'answer', ...folded(options, asked) }] as never)
    .then(({ answer }) => answer)
    .finally(async () => {
      stdin.removeListener('pause', lost);
      stdin.removeListener('end', lost);
      stdin.pause();
      // Wait for the rest of the prompt's drawing before anything else is written; usually it has ended already.
      await new Promise<void>((resolve) => {
        if (output.writableFinished) resolve();
        else if (output.writableEnded) output.once('finish', resolve);
        else
          output.write('', () => {
            resolve();
          });
      });
    });
}

/** One question on plain lines, for screen readers. */
async function plain(options: TerminalOptions, asked: Asked, ends: AbortSignal): Promise<unknown> {
  const { stderr } = options;
  const list = asked.choices ?? [];
  list.forEach(({ name, description }, at) => {
    stderr.write(`${at + 1}. ${name}${description === undefined ? '' : ` (${description})`}\n`);
  });
  const help =
    asked.type === 'confirm'
      ? ' (yes or no, no by default)'
      : list.length > 0
        ? ` (1 to ${list.length})`
        : asked.default === undefined
          ? ''
          : ` (${String(asked.default)} by default)`;
  for (;;) {
    const typed = await readLine(options, `${asked.message}${help}: `, asked.type === 'password', ends);
    if (asked.type === 'confirm') return /^y(es)?$/i.test(typed.trim());
    if (list.length > 0) {
      const choice = list[Number(typed.trim()) - 1];
      if (choice !== undefined) return choice.value;
      stderr.write(`Type a number from 1 to ${list.length}.\n`);
      continue;
    }
    const answer = typed === '' && asked.default !== undefined ? String(asked.default) : typed;
    const verdict = asked.validate?.(answer) ?? true;
    if (verdict === true) return answer;
    stderr.write(`${verdict}\n`);
  }
}

function readLine(
  { stdin, stderr }: TerminalOptions,
  text: string,
  hidden: boolean,
  ends: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const silent = new Writable({
      write: (_chunk, _encoding, done) => {
        done();
      },
    });
    // Only a raw terminal can be kept from showing what is typed.
    const lines = createInterface({ input: stdin, output: hidden ? silent : stderr, terminal: hidden });
    stderr.write(text);
    const stop = () => {
      reject(ends.reason as Error);
      lines.close();
    };
    ends.addEventListener('abort', stop, { once: true });
    lines.once('SIGINT', () => {
      lines.close();
    });
    lines.once('close', () => {
      ends.removeEventListener('abort', stop);
      if (hidden) stderr.write('\n');
      reject(interrupted());
    });
    lines.once('line', (line) => {
      resolve(line);
      lines.close();
    });
  });
}
