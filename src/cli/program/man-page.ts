import { Command } from 'commander';
import { exitMeanings } from '../commands/output/exit-meanings.ts';
import { wireOptions } from '../commands/flags/global-options.ts';
import { variables } from '../commands/help/environment.ts';
import type { CommandDescription, CommandTree, FlagDescription } from '../context.ts';
import { rootAbout, rootExamples } from './help.ts';

/** The manual page obk(1) in roff (the macros of man(7)): every command with its own flags, and what all of them share. */
export function manPage({ commands, globalFlags }: CommandTree, version: string): string {
  const shared = wireOptions(new Command()).options;
  const isShared = ({ name, description }: FlagDescription) =>
    shared.some((option) => option.long === name && option.description === description);
  const requestFlags = commands.flatMap(({ flags }) => flags.filter(isShared));
  const once = [...new Map(requestFlags.map((flag) => [flag.name, flag])).values()];
  const topics = commands.filter(({ command }) => command.startsWith('help '));
  return [
    `.TH OBK 1 "" ${quoted(`obk ${version}`)} "User Commands"`,
    '.SH NAME',
    `obk \\- ${roff(rootAbout.replace(/\.$/, ''))}`,
    '.SH SYNOPSIS',
    '.B obk',
    '.I NOUN VERB',
    '[\\fIID\\fR] [\\fIflags\\fR]',
    '.SH EXAMPLES',
    ...examples(rootExamples),
    '.SH COMMANDS',
    ...commands
      .filter((one) => !topics.includes(one))
      .flatMap((one) => [
        ...section(one),
        ...one.flags.filter((flag) => !isShared(flag)).flatMap(described),
        ...examples(one.examples),
      ]),
    '.SH REQUEST FLAGS',
    'The commands that call a bank take these as well.',
    ...once.flatMap(described),
    '.SH GLOBAL FLAGS',
    'Every command takes these, before or after its name.',
    ...globalFlags.flatMap(described),
    '.SH EXIT STATUS',
    ...exitMeanings.flatMap(({ code, name, long }) => term(`${bold(String(code))} (${roff(name)})`, long)),
    '.SH ENVIRONMENT',
    ...variables.flatMap(([name, meaning]) => term(bold(name), meaning)),
    '.SH FILES',
    ...term(bold('$XDG_CONFIG_HOME/obk/config.json'), 'Settings and profiles, without secrets.'),
    ...term(bold('$XDG_CONFIG_HOME/obk/credentials.json'), 'Tokens, mode 0600.'),
    ...term(bold('$XDG_STATE_HOME/obk'), 'The journal, payments, consents, and the bank inside.'),
    '.SH SEE ALSO',
    ...topics.flatMap(({ command, summary }) => term(bold(`obk ${command}`), summary)),
    '',
  ].join('\n');
}

function section({ command, about, arguments: words }: CommandDescription): string[] {
  const named = words.map(({ name, required, repeatable }) => {
    const word = `${name.toUpperCase()}${repeatable ? '...' : ''}`;
    return ` ${required ? word : `[${word}]`}`;
  });
  return [
    `.SS ${quoted(`obk ${command}${named.join('')}`)}`,
    roff(`${about}.`.replace(/\.\.$/, '.')),
    ...words.flatMap(({ name, description }) => term(`\\fI${roff(name.toUpperCase())}\\fR`, description)),
  ];
}

function described({ name, short, value, description }: FlagDescription): string[] {
  const names = [short, name].filter((one) => one !== null).map(bold);
  return term(names.join(', ') + (value === null ? '' : ` \\fI${roff(value)}\\fR`), description);
}

function term(title: string, text: string): string[] {
  return ['.TP', title, roff(text)];
}

function examples(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['.PP', '.nf', ...lines.map((line) => roff(`$ ${line}`)), '.fi'];
}

const bold = (text: string): string => `\\fB${roff(text)}\\fR`;

const quoted = (text: string): string => `"${roff(text).replaceAll('"', '""')}"`;

/** Text as roff shows it: nothing of it is a request, and a hyphen can be copied as one. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '...')
    .replace(/^(?=[.'])/gm, '\\&');
}
