import { readFileSync } from 'node:fs';
import { longestOffered } from '../../adapters/candidates/candidates-file.ts';
import { Saved } from './saved.ts';
import type { Candidate } from './saved.ts';

/**
 * Where the values of a flag or an argument come from: a closed list, names or files, products beside those that a bank has for itself, the customers of a bank that was never started, a list for each argument before it, what is
 * saved here, files, or nowhere.
 */
export type Values =
  | readonly string[]
  | { readonly orFiles: readonly string[] }
  | { readonly products: readonly string[] }
  | { readonly customers: readonly string[] }
  | { readonly after: Readonly<Record<string, readonly string[]>> }
  | 'profiles'
  | 'banks'
  | 'payments'
  | 'consents'
  | 'baskets'
  | 'any'
  | 'methods'
  | 'files'
  | null;

/** A flag as the build writes it down. */
export interface FlagFact {
  /** `--profile`, and perhaps `-p`. */
  readonly names: readonly string[];
  readonly about: string;
  /** Undefined for a flag without a value. */
  readonly values?: Values;
}

/** The words and flags of one command. */
export interface CommandFact {
  readonly flags: readonly FlagFact[];
  readonly args: readonly Values[];
}

/** The tree of commands, and what each takes; made at build. */
export interface CompletionFacts {
  /** By the words of the parent ('' is obk): name and summary of each command below. */
  readonly names: Readonly<Record<string, readonly (readonly [name: string, summary: string])[]>>;
  /** The flags of every command. */
  readonly globals: readonly FlagFact[];
  readonly commands: Readonly<Record<string, CommandFact>>;
}

/** The facts as a TAB reads them: what a command takes where it is asked for. */
export interface KnownFacts extends Omit<CompletionFacts, 'commands'> {
  command(path: string): CommandFact;
  /** The flags of all commands. */
  flags(): readonly FlagFact[];
}

const [treeFile, flagsFile] = ['tree.json', 'flags.json'];
const fileOf = (path: string): string => ['obk', ...path.split(' ').filter(Boolean), 'json'].join('.');

/** The files in which the build writes the facts down: a TAB reads two of them. */
export function writeFacts({ commands, ...tree }: CompletionFacts): Record<string, string> {
  const paths = new Set([...Object.keys(tree.names), ...Object.keys(commands)]);
  const nothing: CommandFact = { flags: [], args: [] };
  return {
    [treeFile]: JSON.stringify(tree),
    [flagsFile]: JSON.stringify(Object.values(commands).flatMap(({ flags }) => flags)),
    ...Object.fromEntries(
      [...paths].map((path) => [fileOf(path), JSON.stringify(commands[path] ?? nothing)]),
    ),
  };
}

/** The facts as `writeFacts` has written them; `read` gives the text of a file. */
export function readFacts(read: (file: string) => string): KnownFacts {
  return {
    ...(JSON.parse(read(treeFile)) as Omit<CompletionFacts, 'commands'>),
    command: (path) => JSON.parse(read(fileOf(path))) as CommandFact,
    flags: () => JSON.parse(read(flagsFile)) as FlagFact[],
  };
}

/** Told to the shell after the candidates: no space after them; no file names in their place. */
const noSpace = 2;
const noFiles = 4;

interface Found {
  candidates: readonly Candidate[];
  directive: number;
}

/** Answers a TAB: the words after `obk`, the last one being typed. Never throws, never touches the network. */
export function complete(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  facts: KnownFacts,
): Found {
  const current = words.at(-1) ?? '';
  const typed = readTyped(words.slice(0, -1), facts);
  const saved = new Saved(env);
  const of = (values: Values): Found => valuesOf(values, saved, typed);

  if (typed.open !== undefined) return matching(of(typed.open.values ?? null), current);
  const [flag, start] = splitFlag(current);
  if (start !== undefined && !typed.ended) {
    const found = flagOf(flag, typed.path, facts);
    const { candidates, directive } = of(found?.values ?? null);
    return matching(
      { candidates: candidates.map((one) => ({ ...one, value: `${flag}=${one.value}` })), directive },
      current,
    );
  }
  if (current.startsWith('-') && !typed.ended) {
    const known = flagsOf(typed.path, facts).flatMap(({ names, about }) =>
      names.map((value) => ({ value, about })),
    );
    return matching({ candidates: known, directive: noFiles }, current);
  }
  const below =
    typed.args.length === 0
      ? (facts.names[typed.path] ?? []).map(([value, about]) => ({ value, about }))
      : [];
  const argument = of(facts.command(typed.path).args[typed.args.length] ?? null);
  const directive = below.length > 0 ? noFiles : argument.directive;
  return matching({ candidates: [...below, ...argument.candidates], directive }, current);
}

interface Typed {
  path: string;
  /** The arguments after the command. */
  args: string[];
  profile?: string;
  /** Of --at. */
  bank?: string;
  /** The flag whose value comes next. */
  open?: FlagFact;
  /** After `--` everything is an argument. */
  ended: boolean;
}

function readTyped(words: readonly string[], facts: KnownFacts): Typed {
  const typed: Typed = { path: '', args: [], ended: false };
  for (const word of words) {
    if (typed.open !== undefined) {
      note(typed, typed.open.names, word);
      delete typed.open;
    } else if (!typed.ended && word === '--') {
      typed.ended = true;
    } else if (!typed.ended && word.startsWith('-')) {
      const [name, value] = splitFlag(word);
      const flag = flagOf(name, typed.path, facts);
      if (value !== undefined) note(typed, [name], value);
      if (value === undefined && flag?.values !== undefined) typed.open = flag;
    } else {
      const next = typed.path === '' ? word : `${typed.path} ${word}`;
      const isCommand = typed.args.length === 0 && facts.names[typed.path]?.some(([name]) => name === word);
      if (isCommand === true) typed.path = next;
      else typed.args.push(word);
    }
  }
  return typed;
}

function note(typed: Typed, names: readonly string[], value: string): void {
  if (names.includes('--profile')) typed.profile = value;
  if (names.includes('--at')) typed.bank = value;
}

function splitFlag(word: string): [name: string, value: string | undefined] {
  const at = word.startsWith('--') ? word.indexOf('=') : -1;
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

function flagsOf(path: string, facts: KnownFacts): readonly FlagFact[] {
  return [...facts.command(path).flags, ...facts.globals];
}

/** A flag may stand before the words of its command, so the others are asked as well. */
function flagOf(name: string, path: string, facts: KnownFacts): FlagFact | undefined {
  const named = ({ names }: FlagFact) => names.includes(name);
  const own = flagsOf(path, facts).find(named);
  return own ?? facts.flags().find(named);
}

type Candidates = readonly Candidate[];

const plainly = (values: readonly string[]): Candidates => values.map((value) => ({ value, about: '' }));

/** What is saved here of a kind. */
const kept: Readonly<
  Record<Exclude<Extract<Values, string>, 'files'>, (saved: Saved, profile: string | undefined) => Candidates>
> = {
  profiles: (saved) => saved.profiles(),
  banks: (saved) => saved.banks(),
  methods: (saved, profile) => saved.methods(profile),
  payments: (saved, profile) => saved.resources('payment', profile),
  consents: (saved, profile) => saved.resources('consent', profile),
  baskets: (saved, profile) => saved.resources('basket', profile),
  any: (saved, profile) =>
    (['payment', 'consent', 'basket'] as const).flatMap((noun) => saved.resources(noun, profile)),
};

function valuesOf(values: Values, saved: Saved, { profile, bank, args }: Typed): Found {
  const only = (candidates: Candidates): Found => ({ candidates, directive: noFiles });
  if (values === null) return only([]);
  if (values === 'files') return { candidates: [], directive: 0 };
  if (typeof values === 'string') return only(kept[values](saved, profile));
  if ('orFiles' in values) return { candidates: plainly(values.orFiles), directive: 0 };
  if ('products' in values) return only([...saved.products(profile), ...plainly(values.products)]);
  if ('customers' in values) return only(saved.customers(bank) ?? plainly(values.customers));
  if ('after' in values) return only(plainly(values.after[args.at(-1) ?? ''] ?? []));
  return only(plainly(values));
}

function matching({ candidates, directive }: Found, current: string): Found {
  const fitting = candidates.filter(({ value }) => value.startsWith(current));
  const waits = fitting.length > 0 && fitting.every(({ value }) => value.endsWith('='));
  return { candidates: fitting, directive: waits ? directive | noSpace : directive };
}

/** A description on one line, without what a terminal would obey. */
function plain(about: string): string {
  // Nearly all is of printable ASCII; to make the other expression takes a while.
  if (/^[ -~]*$/.test(about)) return about.slice(0, longestOffered);
  return about.replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ').slice(0, longestOffered);
}

/** The answer as shells read it: `value<TAB>description` lines, and `:directive` as the last one; by the files in `folder`. */
export function answer(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  folder: string,
): string {
  try {
    const facts = readFacts((file) => readFileSync(folder + file, 'utf8'));
    const { candidates, directive } = complete(words, env, facts);
    const safe = candidates.filter(({ value }) => plain(value) === value);
    const lines = safe.map(({ value, about }) => (about === '' ? value : `${value}\t${plain(about)}`));
    return [...lines, `:${String(directive)}`, ''].join('\n');
  } catch {
    return ':1\n';
  }
}
