import { ObkError } from '../../base/errors.ts';
import { line } from '../../base/command-line.ts';
import type { Files } from '../../client/ports/files.ts';
import type { Commands, FlagFacts } from './commands.ts';
import type { Journey } from './journey.ts';
import { namesIn } from './references.ts';

/**
 * Commands that speak with the bank of the profile, steer a bank inside, or only read. All others change this machine, its
 * profiles or its state, or what is trusted; a new command is one of those until it stands here.
 */
const ofBank = new RegExp(
  `^(?:${[
    'payment (?:init|get|status|authorise|cancel|authorisations|lint|list)',
    '(?:basket|sca|consent|accounts|transactions|cards|funds|sign|spec)(?: .*)?',
    'pending (?:list|show|resume)',
    'auth (?:login|status|refresh)',
    'cert (?:inspect|lint|expiry)',
    'log (?:list|show|diff)',
    'profile (?:list|show)',
    'sandbox (?:status|people|seed|schema|psu|fault|scenario|clock|log|resend|snapshot|tenant|reset)(?: .*)?',
    'api|explain|check request|whoami|doctor|report|version',
  ].join('|')})$`,
);

/** Whether a command changes nothing of this machine. */
export const isOfBank = (command: string): boolean => ofBank.test(command);

/** Flags that name another address, switch a guard off, or stand for a person's yes in production. */
const guards = [
  '--base-url',
  '--at',
  '--insecure',
  '--send-credentials-to',
  '--confirm',
  '--trace',
  '--force',
  '--output',
  '--unmasked',
  '--forward',
  '--signer',
];

/** Commands whose argument is a file. */
const readFiles =
  /^(?:payment lint|transactions read|sign (?:explain|verify)|check request|cert (?:inspect|lint))$/;

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
  const why =
    command !== '' && !ofBank.test(command)
      ? `it runs obk ${command}`
      : args.map((arg) => harm(command, arg)).find((found) => found !== undefined);
  if (why !== undefined) throw untrusted(file, why);
}

const untrusted = (file: string, why: string): ObkError =>
  new ObkError({
    code: 'JOURNEY_UNTRUSTED',
    title: 'The journey does what only a trusted file may do.',
    detail: `${file}: ${why}. Nothing of this step was done.`,
    hint: [
      line`obk config trust ${file}   # once you have looked at it`,
      '--secret NAME=REF   # binds a secret that the journey names',
    ],
  });

/**
 * What a bank has answered names no secret and no program, also in a file that is trusted as it is: `saved` are the arguments that
 * came from the results of earlier steps. Throws JOURNEY_UNTRUSTED.
 */
export function needNoReference(file: string, saved: readonly Argument[]): void {
  const found = saved.find(({ text }) => outward.test(text));
  if (found === undefined) return;
  throw new ObkError({
    code: 'JOURNEY_UNTRUSTED',
    title: 'A result of an earlier step names a secret or a program.',
    detail: `${file}: ${found.flag?.name ?? 'an argument'} would take it as a reference. Nothing of this step was done.`,
  });
}

function harm(command: string, { flag, text, bound }: Argument): string | undefined {
  if (bound) return undefined;
  const name = flag?.name ?? '';
  if (guards.includes(name)) return `it uses ${name}`;
  if (outward.test(text)) return `${name === '' ? 'an argument' : name} is a reference or a program`;
  if (flag?.value === 'URL' && !isHere(text)) return `${name} is another address`;
  const path = fileIn(command, { flag, text, bound });
  if (path === undefined) return undefined;
  const isElsewhere = /^(?:[\\/~]|[A-Za-z][A-Za-z\d+.-]*:)/.test(path) || path.split(/[\\/]/).includes('..');
  return isElsewhere ? leadsOut(command, flag) : undefined;
}

const leadsOut = (command: string, flag: Argument['flag']): string =>
  `${flag?.name ?? `the argument of obk ${command}`} leads out of the folder of the journey`;

/** The file that an argument names; undefined where it names none. */
function fileIn(command: string, { flag, text }: Argument): string | undefined {
  const isFile =
    flag === undefined
      ? readFiles.test(command)
      : flag.value?.startsWith('FILE') === true || (flag.name === '--typed-field' && text.includes('=@'));
  return isFile && text !== '-' ? text.replace(/^[^@]*=@/, '') : undefined;
}

/** The same where a link in the folder of the journey leads out of it. */
export async function needWithin(
  { file, folder, isWithin }: { file: string; folder: string; isWithin: Files['isWithin'] },
  command: string,
  args: readonly Argument[],
): Promise<void> {
  for (const arg of args.filter(({ bound }) => !bound)) {
    const path = fileIn(command, arg);
    if (path !== undefined && !(await isWithin(folder, `${folder}/${path}`)))
      throw untrusted(file, leadsOut(command, arg.flag));
  }
}

/** Whether an address is of this machine. */
const isHere = (text: string): boolean =>
  /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:[/?#]|$)/.test(text);

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
