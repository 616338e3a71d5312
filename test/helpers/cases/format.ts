/** A file of cases: what stands above the first one, and the cases in order. */
export interface CaseFile {
  world: string;
  /** Names for the beginnings of long commands: `alias pay obk payment init --product …`. */
  aliases: ReadonlyMap<string, string>;
  /** Commands that run before each case and must end with 0. */
  before: readonly string[];
  cases: readonly Case[];
  /** Every line that is not expected output, as it stands; expected output stands in the steps. */
  lines: readonly string[];
}

/** A title, and what is done and expected below it. */
export interface Case {
  title: string;
  steps: readonly Step[];
}

/** A file that is written, or a command with the lines that it must print. */
export type Step =
  | { kind: 'file'; name: string; text: string; line: number }
  | { kind: 'command'; command: string; expected: readonly string[]; line: number; from: number; to: number };

interface Draft {
  title: string;
  steps: DraftStep[];
}
interface DraftStep {
  kind: Step['kind'];
  head: string;
  body: string[];
  line: number;
  from: number;
  to: number;
}

/**
 * Reads the text of a file of cases (test/README.md has the format).
 *
 * @throws Error with the number of a line that belongs to nothing, a case without a command, or two cases of one title.
 */
export function readCases(text: string): CaseFile {
  const lines = text.replace(/\n+$/, '').split('\n');
  const aliases = new Map<string, string>();
  const before: string[] = [];
  const drafts: Draft[] = [];
  let world = '';
  let titleGoesOn = false;
  lines.forEach((line, at) => {
    const wrong = (why: string) => new Error(`line ${String(at + 1)} ${why}: ${line}`);
    const last = drafts.at(-1);
    const step = last?.steps.at(-1);
    const heading = /^(world|alias|before) (\S+) ?(.*)$/.exec(line);
    if (line === '' || line.startsWith('#')) titleGoesOn = false;
    else if (last === undefined && heading?.[1] === 'world') world = heading[2] ?? '';
    else if (last === undefined && heading?.[1] === 'alias') aliases.set(heading[2] ?? '', heading[3] ?? '');
    else if (last === undefined && heading?.[1] === 'before') before.push(line.slice('before '.length));
    else if (!line.startsWith(' ')) {
      if (titleGoesOn && last !== undefined) last.title += ` ${line}`;
      else drafts.push({ title: line, steps: [] });
      titleGoesOn = true;
    } else {
      titleGoesOn = false;
      if (!line.startsWith('  ')) throw wrong('is indented by less than two spaces');
      if (last === undefined) throw wrong('stands below no title');
      const rest = line.slice(2);
      const begun = { line: at + 1, from: at + 1, to: at + 1, body: [] };
      if (rest.startsWith('$ ')) last.steps.push({ kind: 'command', head: rest.slice(2), ...begun });
      else if (rest.startsWith('file ')) last.steps.push({ kind: 'file', head: rest.slice(5), ...begun });
      else if (step === undefined) throw wrong('is the output of no command');
      else if (step.kind === 'command' && step.head.endsWith(' \\') && step.to === at) {
        Object.assign(step, { head: `${step.head.slice(0, -1)}${rest.trim()}`, from: at + 1, to: at + 1 });
      } else {
        // Lines without anything are part of the output where more of it follows.
        for (; step.to < at; step.to += 1) step.body.push('');
        step.body.push(rest);
        step.to = at + 1;
      }
    }
  });
  if (world === '') throw new Error('the file names no world');
  const titles = drafts.map(({ title }) => title);
  const twice = titles.find((title, at) => titles.indexOf(title) !== at);
  if (twice !== undefined) throw new Error(`two cases have one title: ${twice}`);
  const cases = drafts.map(({ title, steps }) => {
    if (!steps.some(({ kind }) => kind === 'command')) throw new Error(`a case without a command: ${title}`);
    return { title, steps: steps.map(stepOf) };
  });
  return { world, aliases, before, cases, lines };
}

function stepOf({ kind, head, body, line, from, to }: DraftStep): Step {
  if (kind === 'command') return { kind, command: head, expected: body, line, from, to };
  return { kind, name: head, text: body.map((one) => `${one.replace(/^\| ?/, '')}\n`).join(''), line };
}

/** The text of the file with other expected output: for each command, by its line, the lines that it printed. */
export function rewritten(file: CaseFile, printed: ReadonlyMap<number, readonly string[]>): string {
  const lines = [...file.lines];
  const commands = file.cases.flatMap(({ steps }) => steps.filter((step) => step.kind === 'command'));
  for (const { line, from, to } of commands.reverse()) {
    const now = printed.get(line);
    if (now === undefined) continue;
    lines.splice(from, to - from, ...now.map((one) => (one === '' ? '' : `  ${one}`)));
  }
  return `${lines.join('\n')}\n`;
}

/** A command and the words behind it, as a shell would read them: `NAME=value`, quotes, `$'…'` with `\r` and `\n`, `< FILE`. */
export interface CommandLine {
  variables: Readonly<Record<string, string>>;
  words: readonly string[];
  /** The file whose content is stdin. */
  stdin: string | undefined;
}

/** Reads a command; `value` gives what stands for a name in double braces. */
export function readCommand(line: string, value: (name: string) => string): CommandLine {
  const words = [...line.matchAll(/(?:\$?'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/g)].map(([word]) => word);
  const plain = (word: string) =>
    word
      .replace(
        /(\$?)'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/g,
        (_, dollar, single?: string, double?: string, one?: string) =>
          dollar === '$'
            ? (single ?? '').replaceAll('\\r', '\r').replaceAll('\\n', '\n')
            : (single ?? double?.replace(/\\(.)/g, '$1') ?? one ?? ''),
      )
      .replace(/\{\{(\w+)\}\}/g, (_, name: string) => value(name));
  const variables: Record<string, string> = {};
  while (/^[A-Z_]+=/.test(words[0] ?? '')) {
    const [name = '', ...rest] = (words.shift() ?? '').split('=');
    variables[name] = plain(rest.join('='));
  }
  const at = words.indexOf('<');
  const stdin = at < 0 ? undefined : plain(words.splice(at, 2)[1] ?? '');
  return { variables, words: words.map(plain), stdin };
}
