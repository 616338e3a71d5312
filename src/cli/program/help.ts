import { Command } from 'commander';
import type { Option } from 'commander';
import type { Entry, Page } from '../command.ts';
import { exitMeanings } from '../commands/output/exit-meanings.ts';
import { globalOptions } from '../commands/flags/global-options.ts';
import { tree } from '../commands/catalogue/tree.ts';
import { definitions, wrap, wrapCommand } from '../render/wrap.ts';

const width = 80;
export const rootAbout =
  'The command line for the Berlin Group NextGenPSD2 interface (XS2A), with a bank inside.';

export const rootExamples = [
  'obk payment init --product sepa-credit-transfers   # asks for the rest',
  'obk payment status @last',
  'obk pending list',
  'obk sandbox people',
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

/** The flags of a command, by group. */
function flags(command: Command): string[] {
  const groups = new Map<string, Option[]>();
  for (const option of command.options) {
    const title = option.helpGroupHeading ?? 'FLAGS';
    if (title === 'GLOBAL FLAGS' || option.hidden) continue;
    groups.set(title, [...(groups.get(title) ?? []), option]);
  }
  return [...groups].flatMap(([title, options]) =>
    section(
      title,
      definitions(
        options.map((option) => [flagTerm(option), option.description] as const),
        { indent: 2, width, column: 32 },
      ),
    ),
  );
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
    ...flags(command),
    ...globals(),
    ...exits(page.exits ?? []),
    ...section(
      'LEARN MORE',
      (page.more ?? []).map((line) => `  ${line}`),
    ),
  ]);
}

/** The page of a noun, or of obk itself; `usual` is the command that the noun alone runs. */
export function nounPage(path: readonly string[], usual?: Command): string {
  const lead = path.length === 0 ? '' : `${path.join(' ')} `;
  const own = tree.find((entry) => entry.path === path.join(' '));
  const below = tree.filter(
    (entry) =>
      entry.path.startsWith(lead) &&
      entry.path !== '' &&
      !entry.path.slice(lead.length).includes(' ') &&
      entry.hidden !== true,
  );
  const groups = new Map<string, (readonly [string, string])[]>();
  for (const entry of below) {
    const title = path.length === 0 ? (entry.group ?? 'COMMANDS') : 'COMMANDS';
    groups.set(title, [...(groups.get(title) ?? []), [entry.path.slice(lead.length), entry.summary]]);
  }
  const column = 6 + Math.max(...below.map((entry) => entry.path.length - lead.length));
  return text([
    ...wrap(own === undefined ? rootAbout : `${own.summary}.`, width),
    ...section('USAGE', [
      own === undefined ? '  obk NOUN VERB [ID] [flags]' : `  obk ${lead}COMMAND [flags]`,
      ...(own?.verb === undefined ? [] : [`  obk ${lead}[flags]   # the same as obk ${lead}${own.verb}`]),
    ]),
    ...(own === undefined ? examples(rootExamples) : []),
    ...[...groups].flatMap(([title, entries]) =>
      section(title, definitions(entries, { indent: 2, width, column })),
    ),
    ...(usual === undefined ? [] : flags(usual)),
    ...globals(),
    ...section(
      'LEARN MORE',
      own === undefined
        ? [
            '  obk help COMMAND',
            ...tree.filter(({ path: at }) => at.startsWith('help ')).map(({ path: at }) => `  obk ${at}`),
          ]
        : [`  obk help ${lead}COMMAND`],
    ),
  ]);
}

function text(lines: readonly string[]): string {
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}
