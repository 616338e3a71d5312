// Every command line that src prints as advice names a command that there is, with flags that it has.
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { beforeAll, describe, expect, it } from 'vitest';
import { runInside } from '../helpers/inside.ts';

interface Described {
  command: string;
  flags: readonly { name: string; short: string | null }[];
}

/** By the words of each command its flags, those of all commands among them. */
const alone = ['--help', '-h'];
const known = new Map<string, ReadonlySet<string>>();
let nouns: ReadonlySet<string>;

beforeAll(async () => {
  const ran = await runInside(['commands', '--json'], { env: process.env, cwd: tmpdir() });
  const tree = JSON.parse(ran.stdout) as {
    commands: Described[];
    nouns: { noun: string; verb: string | null }[];
    globalFlags: Described['flags'];
  };
  const namesOf = (flags: Described['flags']) => flags.flatMap(({ name, short }) => [name, short ?? name]);
  for (const { command, flags } of tree.commands)
    known.set(command, new Set([...namesOf(flags), ...namesOf(tree.globalFlags), '--help', '-h']));
  for (const { noun, verb } of tree.nouns) {
    const flags = known.get(verb === null ? noun : `${noun} ${verb}`);
    if (flags !== undefined) known.set(noun, flags);
  }
  nouns = new Set([...known.keys()].map((path) => path.split(' ')[0] ?? ''));
  for (const { noun } of tree.nouns) if (!known.has(noun)) known.set(noun, new Set(alone));
});

/** What is wrong with a line; undefined for one that runs as far as its words tell, and for prose. */
function wrongIn(text: string): string | undefined {
  const [, ...words] = text
    .replace(/\s+#.*$/s, '')
    .replace(/'[^']*'|"[^"]*"/g, 'WORD')
    .split(/\s+/);
  // Prose has a noun of obk at its beginning, too.
  if (!nouns.has(words[0] ?? '') || /[;.]$|[;,] /.test(text.replace(/\s+#.*$/s, ''))) return undefined;
  const ends = words.findIndex((word) => !/^[a-z][a-z-]*$/.test(word));
  const path = words.slice(0, ends < 0 ? undefined : ends);
  while (path.length > 0 && !known.has(path.join(' '))) path.pop();
  const flags = known.get(path.join(' '));
  if (flags === undefined) return 'no such command';
  if (flags.size === alone.length && words.length > path.length && !alone.includes(words[path.length] ?? ''))
    return 'no such command';
  const own = words.slice(path.length).filter((word) => /^--?[a-z]/i.test(word));
  const strange = own
    .map((word) => word.replace(/=.*|[.,:;)]+$/g, '').replace(/^-v+$/, '-v'))
    .filter((flag) => !flags.has(flag));
  return strange.length === 0 ? undefined : `obk ${path.join(' ')} has no ${strange.join(', ')}`;
}

/** The lines that begin with obk in a file: those of `line`, with a word for each value, and plain texts. */
function linesOf(path: string): string[] {
  const text = readFileSync(path, 'utf8').replace(/^\s*(?:\/\/|\/?\*).*$/gm, '');
  const plain = [...text.matchAll(/(['"])(obk [^\n]*?[^ \n])\1/g)].map(([, , found = '']) => found);
  const made = [...text.matchAll(/`(obk [^`\n]*)`/g)].map(([, found = '']) =>
    found.replace(/(^| )\$\{[^}]*\}/g, '$1WORD').replace(/\$\{[^}]*\}/g, ''),
  );
  return [...plain, ...made];
}

describe('a printed command line', () => {
  it('names an existing command and flags, in every file', () => {
    const all = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => `src/${path}`)
      .flatMap((path) => linesOf(path).map((text) => ({ path, text })));
    expect(all.length).toBeGreaterThan(400);
    const wrong = all.flatMap(({ path, text }) => {
      const why = wrongIn(text);
      return why === undefined ? [] : [`${path}: ${text}: ${why}`];
    });
    expect(wrong).toEqual([]);
  });

  it.each([
    ['obk payment status ID --wait', 'obk payment status has no --wait'],
    ['obk payment authorise ID --new   # starts another authorisation', undefined],
    ['obk accounts --consent ID', undefined],
    ["obk payment authorise ID --otp-from 'cmd:obk sandbox people anna --field otp'", undefined],
    ['obk sandbox make', 'no such command'],
  ])('is judged: %s', (text, why) => {
    expect(wrongIn(text)).toBe(why);
  });
});
