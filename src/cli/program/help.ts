import { Command } from 'commander';
import type { Option } from 'commander';
import type { Entry, Page } from '../command.ts';
import { exitMeanings } from '../commands/output/exit-meanings.ts';
import { globalOptions } from '../commands/flags/global-options.ts';
import { tree } from '../commands/catalogue/tree.ts';
import { usageError } from '../commands/flags/flag-values.ts';
import { definitions, wrap, wrapCommand } from '../render/wrap.ts';
import type { Loaded } from './load.ts';

const width = 80;
export const rootAbout = 'The command line for open banking (Berlin Group NextGenPSD2, XS2A).';

export const rootExamples = [
  'obk payment init --product sepa-credit-transfers   # asks for the rest',
  'obk payment status @last',
  'obk sandbox people   # customers who can pay, and their passwords',
  'obk log show @last -v   # what was sent and answered',
];

/** The nouns to begin with: they fill the first 24 lines of the help of obk together with what is above them. */
const firstNouns: readonly string[] = [
  ...['payment', 'pending', 'consent', 'transactions', 'log', 'report', 'explain'],
  ...['sandbox', 'check', 'profile', 'doctor'],
];

/** The flags as help shows them: `-o, --as FORMAT`. */
function flagTerm(option: Option): string {
  const words = option.flags.replace(/[<>[\]]/g, '');
  return option.short === undefined ? `    ${words}` : words;
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines];
}

function examples(lines: readonly string[]): string[] {
  return section(
    'EXAMPLES',
    lines.flatMap((line) => wrapCommand(line, '  $ ', width)),
  );
}

function globals(): string[] {
  const names = globalOptions(new Command('obk')).options.map((option) =>
    option.flags.replace(/ <.*$/, '').replace(', ', '/'),
  );
  return section(
    'GLOBAL FLAGS  (obk help flags)',
    wrap(names.join('  '), width - 2).map((line) => `  ${line}`),
  );
}

/** The exit codes worth knowing, in order; 0 and 2 go without saying. */
export function exitsOf(codes: readonly number[]): number[] {
  return [...new Set([0, 2, ...codes])].sort((a, b) => a - b);
}

function exits(codes: readonly number[]): string[] {
  const all = exitsOf(codes);
  const entries = exitMeanings
    .filter(({ code }) => all.includes(code))
    .map(({ code, short }) => [String(code), short] as const);
  return section('EXIT CODES  (obk help exit-codes)', definitions(entries, { indent: 2, width, column: 7 }));
}

/** The flags of a command by the title of their group; those of every command are not among them. */
function flagGroups(command: Command): ReadonlyMap<string, readonly Option[]> {
  const groups = new Map<string, Option[]>();
  for (const option of command.options) {
    const title = option.helpGroupHeading ?? 'FLAGS';
    if (title === 'GLOBAL FLAGS' || option.hidden) continue;
    groups.set(title, [...(groups.get(title) ?? []), option]);
  }
  return groups;
}

/** The word that names a group after `--help`: of `SCA FLAGS` it is `sca`. */
const groupWord = (title: string): string =>
  title
    .replace(/(?<=\w) FLAGS\b/, '')
    .toLowerCase()
    .replaceAll(' ', '-');

const explained = (options: readonly Option[]): string[] =>
  definitions(
    options.map((option) => [flagTerm(option), option.description] as const),
    { indent: 2, width, column: 32 },
  );

/** The flags of a command by group. If `usual` is given, only those are explained, and the others are listed by name. */
function flags(command: Command, usual: string | undefined): string[] {
  return [...flagGroups(command)].flatMap(([title, options]) => {
    if (usual === undefined) return section(title, explained(options));
    const isUsual = ({ long = '' }: Option) => usual.split(' ').includes(long.slice(2));
    const others = options.filter((option) => !isUsual(option)).map(({ long }) => long ?? '');
    return section(`${title}  (--help ${groupWord(title)})`, [
      ...explained(options.filter(isUsual)),
      ...wrap(others.join('  '), width - 2).map((line) => `  ${line}`),
    ]);
  });
}

/** The page of a command that runs. */
export function commandPage(command: Command, entry: Entry, page: Page): string {
  if (page.text !== undefined) return page.text;
  const positionals = command.registeredArguments.map((argument) => {
    const name = argument.name().toUpperCase() + (argument.variadic ? '...' : '');
    return argument.required ? name : `[${name}]`;
  });
  const usage = ['obk', entry.path, ...positionals, page.usage ?? '', '[flags]'].join(' ').replace('  ', ' ');
  const names = command.registeredArguments.map(
    (argument) => [argument.name().toUpperCase(), argument.description] as const,
  );
  return text([
    ...wrap(`${page.about ?? entry.summary}.`.replace(/\.\.$/, '.'), width),
    ...section('USAGE', wrapCommand(usage, '  ', width)),
    ...examples(page.examples),
    ...section('ARGUMENTS', definitions(names, { indent: 2, width })),
    ...flags(command, page.usual),
    ...globals(),
    ...exits(page.exits ?? []),
    ...section(
      'LEARN MORE',
      [...(page.usual === undefined ? [] : [`obk ${entry.path} --help all`]), ...(page.more ?? [])].map(
        (line) => `  ${line}`,
      ),
    ),
  ]);
}

/** The whole page of a command for `all`, or a group of its flags. Throws USAGE for another word. */
export function partPage(command: Command, entry: Entry, page: Page, word: string): string {
  const { usual: _, ...whole } = page;
  if (word === 'all' || page.text !== undefined) return commandPage(command, entry, whole);
  const groups = [...flagGroups(command)];
  const found = groups.find(([title]) => groupWord(title) === word.toLowerCase());
  if (found !== undefined) return text([found[0], ...explained(found[1])]);
  throw usageError(
    `obk ${entry.path} has no group of flags ${JSON.stringify(word)}.`,
    ...['all', ...groups.map(([title]) => groupWord(title))].map((one) => `obk ${entry.path} --help ${one}`),
  );
}

/** The page of a noun, or of obk itself; `usual` is the command that the noun alone runs. */
export function nounPage(path: readonly string[], usual?: Pick<Loaded, 'command' | 'page'>): string {
  const own = tree.find((entry) => entry.path === path.join(' '));
  if (own === undefined) return rootPage();
  const lead = `${own.path} `;
  const below = tree.filter(
    ({ path: at, hidden }) => at.startsWith(lead) && !at.slice(lead.length).includes(' ') && hidden !== true,
  );
  const names = below.map(({ path: at, summary }) => [at.slice(lead.length), summary] as const);
  const column = 6 + Math.max(...names.map(([name]) => name.length));
  return text([
    ...wrap(`${own.summary}.`, width),
    ...section('USAGE', [
      `  obk ${lead}COMMAND [flags]`,
      ...(own.verb === undefined ? [] : [`  obk ${lead}[flags]   # the same as obk ${lead}${own.verb}`]),
    ]),
    ...section('COMMANDS', definitions(names, { indent: 2, width, column })),
    ...(usual === undefined ? [] : flags(usual.command, usual.page.usual)),
    ...globals(),
    ...section('LEARN MORE', [`  obk help ${lead}COMMAND`]),
  ]);
}

/** The page of obk itself: the first screen is enough to begin, and every noun and topic is on it. */
function rootPage(): string {
  const nouns = tree.filter(({ path, hidden }) => !path.includes(' ') && path !== 'help' && hidden !== true);
  const listed = (entries: readonly Entry[]) =>
    entries.map(({ path, summary, group = '' }, index) => {
      const title = entries[index - 1]?.group === group ? '' : group;
      return `  ${title.padEnd(11)}${path.padEnd(14)}${summary}`;
    });
  const topics = tree.filter(({ path }) => path.startsWith('help ')).map(({ path }) => path.slice(5));
  return text([
    rootAbout,
    'USAGE  obk NOUN VERB [ID] [flags]',
    ...section(
      'EXAMPLES  (offline, with the built-in bank)',
      rootExamples.map((example) => `  $ ${example}`),
    ),
    ...section('COMMANDS', listed(nouns.filter(({ path }) => firstNouns.includes(path)))),
    ...section('MORE COMMANDS', listed(nouns.filter(({ path }) => !firstNouns.includes(path)))),
    ...section(`LEARN MORE  obk help COMMAND, or obk help with one of:`, [`  ${topics.join('  ')}`]),
  ]);
}

function text(lines: readonly string[]): string {
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}
