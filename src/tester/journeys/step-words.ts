import { nearest } from '../../base/nearest.ts';
import type { Node } from '../../settings/documents/document.ts';
import type { CommandFacts, Commands } from './commands.ts';

/** What is wrong with a key beside the command that is a flag of it and stands too far to the left; undefined for any other key. */
export function misplacedFlag(
  name: string,
  words: string,
  given: Node,
  facts: CommandFacts | undefined,
): string | undefined {
  const { arguments: args = [], flags = [] } = facts ?? {};
  if (![...args, ...flags].some((one) => one.name.replace(/^--/, '') === name)) return undefined;
  const [first] = args;
  return given.kind === 'text' && given.text !== '' && first !== undefined
    ? `it belongs to ${words}, which is a map then: ${words}: { ${first.name}: ${given.text}, ${name}: … }`
    : `it belongs to ${words}, so it is indented further than that`;
}

/** What is wrong with a key beside the command that is none of a step's: the one that was probably meant. */
export function strangeKey(name: string, words: string, keys: readonly string[]): string {
  const plain = (text: string) => text.replace(/[^a-z]/gi, '').toLowerCase();
  const meant = keys.filter((key) => plain(key) === plain(name) || plain(key).startsWith(plain(name)));
  const near = meant.length > 0 ? meant : nearest(name, keys);
  if (near.length > 0) return `there is no such key of a step; did you mean ${near.join(' or ')}?`;
  return `a step has one command, which is ${words}; ${name} is none of its keys, which are ${keys.join(', ')}`;
}

/** The command that was probably meant: one of the same noun where there is one. */
export function meantCommand(words: string, commands: Commands): string {
  const [noun = ''] = words.split(' ');
  const own = commands.words.filter((one) => one.startsWith(`${noun} `));
  const verbs = own.map((one) => one.slice(noun.length + 1));
  const near =
    own.length > 0
      ? nearest(words.slice(noun.length + 1), verbs).map((verb) => `${noun} ${verb}`)
      : nearest(words, [...commands.words, 'http']);
  if (near.length > 0) return `did you mean ${near.join(' or ')}?`;
  return own.length > 0 ? `of ${noun} there are ${verbs.join(', ')}` : 'obk commands lists them';
}

/** What is wrong with the name of a flag, and which was meant. */
export function unknownFlag(given: string, { command, flags }: CommandFacts): string {
  if (/^\d{1,3}$/.test(given)) return 'a comma within { } begins the next key; an amount is written 12.50';
  const name = given.replace(/^--?/, '');
  const camel = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const near = flags.find((one) => one.name === `--${camel}`)?.name.slice(2);
  const known = flags.map((one) => one.name.slice(2));
  if (name !== given && near === name) return `a flag is written without its dashes: ${name}`;
  if (name === 'approach' && known.includes('psu-id'))
    return `${command} has no flag --approach: the bank decides by its PSU, whom psu-id names (obk sandbox people lists them)`;
  const likely =
    near ??
    nearest(name, known)[0] ??
    known.find((one) => one.startsWith(name)) ??
    known.find((one) => name.startsWith(`${one}-`));
  if (likely !== undefined) return `${command} has no flag --${name}; did you mean ${likely}?`;
  return known.length > mostListed
    ? `${command} has no flag --${name}; obk ${command} --help lists them`
    : `${command} has no flag --${name}; there are ${known.join(', ')}`;
}

const mostListed = 12;
