import { defined } from '../../base/defined.ts';
import { tree } from '../commands/catalogue/tree.ts';

/** The command that the words of a command line name. */
export interface Found {
  /** The words that are a command, from the noun on. */
  path: readonly string[];
  /** Everything else, in order, for the parser of that command. */
  rest: readonly string[];
  help: boolean;
  /** The word after `--help` of a command: `all`, or a group of its flags. */
  part?: string;
  /** The first word that is no command, where one was due. */
  unknown?: string;
}

const paths = new Set(tree.map((entry) => entry.path));
const runs = new Set(tree.filter((entry) => entry.load !== undefined).map((entry) => entry.path));
const verbs = new Map(tree.map((entry) => [entry.path, entry.verb]));

/** The names directly below a path. */
export function namesBelow(path: readonly string[]): string[] {
  const lead = path.length === 0 ? '' : `${path.join(' ')} `;
  return tree
    .filter((entry) => entry.path.startsWith(lead) && entry.hidden !== true)
    .map((entry) => entry.path.slice(lead.length))
    .filter((name) => name !== '' && !name.includes(' '));
}

/** Finds the command; `valued` returns the flags that take a separate value, to skip those before the words. */
export function findCommand(argv: readonly string[], valued: () => ReadonlySet<string>): Found {
  const path: string[] = [];
  const rest: string[] = [];
  let help = false;
  let part: string | undefined;
  let searching = true;
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    if (word === '--') {
      rest.push(...argv.slice(at));
      break;
    }
    if (word === '-h' || word === '--help') {
      help = true;
    } else if (word.startsWith('-') && word !== '-') {
      rest.push(word);
      if (searching && takesNext(word, valued()) && at + 1 < argv.length) {
        at += 1;
        rest.push(argv[at] ?? '');
      }
    } else if (searching && /^\S+$/.test(word) && paths.has([...path, word].join(' '))) {
      path.push(word);
      searching = namesBelow(path).length > 0;
    } else if (searching && word === 'help') {
      help = true;
    } else if (/^(-h|--help)$/.test(argv[at - 1] ?? '') && (runs.has(path.join(' ')) || hasVerb(path))) {
      part = word;
    } else if (searching && !runs.has(path.join(' ')) && (rest.length === 0 || !hasVerb(path))) {
      return { path, rest, help, unknown: word };
    } else {
      // A command that runs (`help payment`) accepts the words that are not names below it.
      searching = false;
      rest.push(word);
    }
  }
  const verb = help && part === undefined ? undefined : verbs.get(path.join(' '));
  return { path: verb === undefined ? path : [...path, verb], rest, help, ...defined({ part }) };
}

/** `obk accounts --json` lists them. */
function hasVerb(path: readonly string[]): boolean {
  return verbs.get(path.join(' ')) !== undefined;
}

/** `--as json` and `-qo json` do, `--as=json` and `-ojson` do not. */
function takesNext(flag: string, valued: ReadonlySet<string>): boolean {
  if (flag.startsWith('--')) return valued.has(flag);
  for (let at = 1; at < flag.length; at += 1) {
    if (valued.has(`-${flag[at] ?? ''}`)) return at === flag.length - 1;
  }
  return false;
}
