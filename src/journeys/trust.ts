import { ObkError } from '../errors.ts';
import { line } from '../command-line.ts';
import type { Commands, FlagFacts } from './commands.ts';
import type { Journey } from './journey.ts';
import { namesIn } from './references.ts';

/** Commands that change this machine or its profiles, or what is trusted. */
const ofMachine =
  /^(?:profile (?:create|edit|import|delete|use|export)|config|cert (?:create|import)|auth logout|bank|log (?:prune|erase)|pending resolve|sandbox client)\b/;

/** Flags that name another address, switch a guard off, or stand for a person's yes in production. */
const guards = [
  '--base-url',
  '--insecure',
  '--send-credentials-to',
  '--confirm',
  '--trace',
  '--force',
  '--output',
  '--forward',
  '--signer',
];

/** A reference to a secret, or a program; also behind the name of a setting or of a field. */
const outward = /^(?:[\w.-]+=)?(?:cmd|file|env|keyring|stdin|prompt)(?::|$)/;

/** One argument of a command line as a step makes it. */
export interface Argument {
  flag: FlagFacts | undefined;
  text: string;
  /** It is what the operator has bound to a secret of the journey. */
  bound: boolean;
}

/**
 * What a file of somebody else may not do: name a secret, a program or a file elsewhere, another address, or a person's yes.
 * Throws JOURNEY_UNTRUSTED, which names the command that trusts the file as it is.
 */
export function needHarmless(file: string, command: string, args: readonly Argument[]): void {
  const why = ofMachine.test(command)
    ? `it runs obk ${command}`
    : args.map(harm).find((found) => found !== undefined);
  if (why === undefined) return;
  throw new ObkError({
    code: 'JOURNEY_UNTRUSTED',
    title: 'The journey does what only a trusted file may do.',
    detail: `${file}: ${why}. Nothing of this step was done.`,
    hint: [
      line`obk config trust ${file}   # once you have looked at it`,
      '--secret NAME=REF   # binds a secret that the journey names',
    ],
  });
}

function harm({ flag, text, bound }: Argument): string | undefined {
  if (bound) return undefined;
  const name = flag?.name ?? '';
  if (guards.includes(name)) return `it uses ${name}`;
  if (outward.test(text)) return `${name === '' ? 'an argument' : name} is a reference or a program`;
  const isFile = flag?.value === 'FILE' || (name === '--typed-field' && text.includes('=@'));
  if (
    isFile &&
    (/^(?:\/|~|[A-Za-z]:)/.test(text.replace(/^[^@]*@/, '')) || text.split(/[\\/]/).includes('..'))
  )
    return `${name} leads out of the folder of the journey`;
  return undefined;
}

/** The same for a whole file, before anything of it is sent; `bound` are the secrets that the operator has given. */
export function needHarmlessFile(
  file: string,
  { steps, always, variables }: Journey,
  commands: Commands,
  bound: ReadonlySet<string>,
): void {
  const isBound = (text: string) => namesIn(text).some((name) => bound.has(name));
  for (const { value } of variables)
    for (const { text } of 'text' in value ? [value] : value)
      needHarmless(file, '', [{ flag: undefined, text, bound: false }]);
  for (const { command, positionals, flags } of [...steps, ...always]) {
    const facts = commands.find(command);
    const args = [
      ...positionals.map(({ text }): Argument => ({ flag: undefined, text, bound: isBound(text) })),
      ...flags.flatMap(({ flag, values }): Argument[] => {
        const known = facts?.flags.find(({ name }) => name === flag);
        if (values === 'set') return [{ flag: known, text: '', bound: false }];
        return values.map(({ text }) => ({ flag: known, text, bound: isBound(text) }));
      }),
    ];
    needHarmless(file, command, args);
  }
}
