import { cleanLine } from './clean.ts';

const bare = /^[A-Za-z0-9_./:+,-][A-Za-z0-9_./:%+,@=-]*$/;
/** `@last` and `@failed-1` stand for ids, and no shell for which these lines are made reads them otherwise. */
const placeOfId = /^@(last|failed)(-\d+)?$/;

/**
 * A word as a shell takes it: bare where nothing in it means anything, else quoted so that sh, bash, zsh and fish read the same.
 * A backslash stands in double quotes, since fish reads one in single quotes; what a terminal would obey is written as bytes.
 */
export function shellWord(text: string): string {
  if (bare.test(text) || placeOfId.test(text)) return text;
  // No quote stands in this form, so that a shell that does not know it still ends it in the right place.
  if (cleanLine(text, Infinity) !== text) return `$'${[...Buffer.from(text)].map(asByte).join('')}'`;
  const parts = text.match(/[^'\\]+|['\\]+/g) ?? [''];
  return parts
    .map((part) => (/['\\]/.test(part) ? `"${part.replaceAll('\\', '\\\\')}"` : `'${part}'`))
    .join('');
}

/** A word for a POSIX shell, byte for byte, in single quotes. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const asByte = (byte: number): string =>
  /[A-Za-z0-9_./:%+,@=-]/.test(String.fromCharCode(byte))
    ? String.fromCharCode(byte)
    : `\\x${byte.toString(16).padStart(2, '0')}`;

/**
 * Makes a command line that is printed for people and scripts: every value becomes one word for the shell, a list becomes as
 * many as it has, and what stands in the comment is on its line. A value that looks like a flag comes last, after `--`.
 */
export function line(
  literals: TemplateStringsArray,
  ...values: readonly (string | readonly string[])[]
): string {
  let command = '';
  let comment = '';
  let read = 0;
  const last: string[] = [];
  literals.forEach((literal, at) => {
    // A comment begins in the literal parts only, never in a value; the blanks before it belong to it.
    const start = comment === '' ? literal.search(/\s+# |$/) : 0;
    command += literal.slice(0, start);
    comment += literal.slice(start);
    const value = values[at];
    if (value === undefined) return;
    if (comment !== '') comment += cleanLine([value].flat().join(' '));
    else if (typeof value !== 'string')
      command += [...(/\S$/.test(command) ? [''] : []), ...value.map(shellWord)].join(' ');
    else if (value.startsWith('-') && isPositional(command.slice(read))) {
      last.push(shellWord(value));
      command = command.trimEnd();
    } else command += shellWord(value);
    if (typeof value === 'string') read = command.length;
  });
  return last.length === 0 ? command + comment : `${command} -- ${last.join(' ')}${comment}`;
}

/** The words of a command line with each of the choices in place of what was typed; none where it was not typed there. */
export function linesWith(
  { typed, among }: { typed: string; among: readonly { id: string; says?: string }[] },
  words: readonly string[],
): string[] {
  const at = words.findIndex((word) => word === typed || word.endsWith(`=${typed}`));
  if (at < 0) return [];
  const before = (words[at] ?? '').slice(0, -typed.length);
  return among.map(({ id, says }) => {
    const again = line`obk ${words.with(at, before + id)}`;
    return says === undefined ? again : again + line`   # ${says}`;
  });
}

/** Whether a word that comes next is an argument of its own: neither the value of a flag nor a part of a word. */
const isPositional = (text: string): boolean => text.endsWith(' ') && !/(^|\s)--?[A-Za-z][\w-]* $/.test(text);

/** The bank inside that a run steers, by the name or URL and the tenant that a command line has to say. */
export interface BankInUse {
  at?: string;
  tenant?: string;
}

/** The profile that a run works with, and whether the next one works with it unasked. */
export interface ProfileInUse {
  /** Undefined where the run works with none, as the commands of `obk sandbox` do. */
  name?: string;
  usual: boolean;
  builtIn: boolean;
  bank?: BankInUse;
}

/** All of `obk sandbox` but what begins a bank, shows every one, or asks none. */
const steersOne = /^obk sandbox (?!start\b|status\b|schema\b)[a-z]/;
const asksTheWhole = /^obk sandbox (?:tenant|stop)\b/;

/** The command line for the bank that it is meant for, with --at and --tenant; one that names a bank stays as it is. */
export function forBank(text: string, { at, tenant }: BankInUse): string {
  if (!steersOne.test(text)) return text;
  const whose = asksTheWhole.test(text) ? undefined : tenant;
  const flags = [
    ...(at === undefined ? [] : ['--at', shellWord(at)]),
    ...(whose === undefined ? [] : ['--tenant', shellWord(whose)]),
  ];
  return withFlags(text, flags, / --(?:help|at|tenant)(?![\w-])/);
}

const worksWithOne =
  /^obk (?:accounts|api|auth|bank|basket|cards|config|consent|doctor|funds|payment|pending|report|sca|transactions|whoami)\b/;

/**
 * The command line for the profile that it is meant for: with --profile where the next run would take another one, and with its
 * name for NAME. One that names a profile, or works with none, stays as it is.
 */
export function forProfile(text: string, { name, usual, builtIn, bank = {} }: ProfileInUse): string {
  if (text.startsWith('obk sandbox ')) return forBank(text, bank);
  if (name === undefined) return text;
  const word = shellWord(name);
  const shown = text.replace(/^obk profile show(?=$|\s+#)/, (start) => `${start} ${word}`);
  const named = builtIn
    ? shown
    : shown.replace(
        /^(obk profile edit|obk doctor --profile) NAME(?=\s|$)/,
        (_, start: string) => `${start} ${word}`,
      );
  if (usual || !worksWithOne.test(named)) return named;
  return withFlags(named, ['--profile', word], / --(?:help|profile)(?![\w-])/);
}

/** The command line with these words behind its flags, unless it has one of those already. */
function withFlags(text: string, words: readonly string[], those: RegExp): string {
  if (words.length === 0) return text;
  // Its flags end there; what stands in quotes is none of them.
  const unquoted = withoutQuoted(text);
  const end = unquoted.search(/ -- |\s+# |$/);
  if (those.test(unquoted.slice(0, end))) return text;
  return `${text.slice(0, end)} ${words.join(' ')}${text.slice(end)}`;
}

/** A command line of the same length in which nothing is left of what was quoted. */
const withoutQuoted = (text: string): string =>
  text.replace(/'[^']*'|"[^"]*"/g, (quoted) => '_'.repeat(quoted.length));
