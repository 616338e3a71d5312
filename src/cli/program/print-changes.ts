import { stripVTControlCharacters } from 'node:util';
import type { Process } from '../context.ts';
import type { ExitCode } from '../../base/errors.ts';
import type { DataOutcome, WatchOutcome } from '../outcome.ts';
import { changeLine } from './document.ts';
import type { OutputChoice } from './output-choice.ts';
import { writeAll, writeStyled } from './streams.ts';

/** How changes ended; `last` is absent where there was none. */
export interface Changes {
  last: DataOutcome | undefined;
  exit: ExitCode | undefined;
}

/** Prints each change when it comes, as `filter` makes it where there is one. Undefined when the reader has gone. */
export async function printChanges(
  host: Process,
  results: WatchOutcome['results'],
  choice: OutputChoice,
  filter?: (result: DataOutcome) => Promise<string>,
): Promise<Changes | undefined> {
  const human = filter === undefined && ['auto', 'table', 'wide'].includes(choice.format);
  const printer = human ? forPerson(host, choice) : forMachine(host, choice, filter);
  let last: DataOutcome | undefined;
  try {
    for (;;) {
      const { done, value } = await results.next();
      if (done === true) return { last, exit: value };
      if (!(await printer.show(value, last))) return undefined;
      last = value;
    }
  } finally {
    await printer.end(last);
  }
}

interface Printer {
  /** False when the reader has gone. */
  show(result: DataOutcome, before: DataOutcome | undefined): Promise<boolean>;
  end(last: DataOutcome | undefined): Promise<unknown>;
}

function forMachine(
  { stdout }: Process,
  choice: OutputChoice,
  filter = (result: DataOutcome) => changeLine(result, { ...choice, style: choice.stdout }),
): Printer {
  return {
    show: async (result) => writeAll(stdout, await filter(result), choice.stdout.tty),
    end: () => Promise.resolve(),
  };
}

/** The first line of each change; what else there is to say follows the last one. */
function forPerson({ stdout }: Process, choice: OutputChoice): Printer {
  const { style, stage, redraws } = { ...choice, style: choice.stdout };
  const linesOf = (result: DataOutcome) => result.text(style).trimEnd().split('\n');
  return {
    show: (result, before) => {
      const [line = ''] = linesOf(result);
      if (!redraws) return writeStyled(stdout, `${line}\n`, style.tty);
      const again = before?.name === result.name ? '\r\u001b[K' : '\n';
      const lead = stage.unfinished ? again : '';
      stage.unfinished = true;
      return writeStyled(stdout, lead + cut(line, style.width), style.tty);
    },
    end: (last) => {
      const [line = '', ...rest] = last === undefined ? [] : linesOf(last);
      const drawn = stage.unfinished ? [`\r\u001b[K${line}`] : [];
      stage.unfinished = false;
      return writeStyled(stdout, [...drawn, ...rest].map((text) => `${text}\n`).join(''), style.tty);
    },
  };
}

/** A line that is drawn again must not wrap. */
function cut(line: string, width: number): string {
  const shown = stripVTControlCharacters(line);
  return shown.length < width ? line : `${shown.slice(0, width - 2)}…`;
}
