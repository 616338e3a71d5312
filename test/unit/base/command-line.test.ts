import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clean } from '../../../src/base/clean.ts';
import { line, shellWord } from '../../../src/base/command-line.ts';

const folder = mkdtempSync(join(tmpdir(), 'obk-words-'));

/** What a bank may call a payment. */
const hostile = [
  'x;touch${IFS}f;#',
  '$(touch f)',
  '`touch f`',
  "';touch f;'",
  "\\';touch f;#",
  "\\\\';touch f;#",
  '";touch f;"',
  'a b',
  'a|touch f',
  'a&touch f&',
  'a>f',
  '~root',
  '=touch',
  '*',
  '{a,b}',
  '!!',
  'ü’s',
  '',
  '#x',
  '%self',
  '(touch f)',
  'a # b',
];
/** What no id may have; a shell that reads it must still not run it. */
const unprintable = ["a\n';touch f;'", 'a\u001b[2J', '\u202eevil', "\r\n';touch f\n#"];

const shells = ['sh', 'bash', 'zsh', 'fish'].filter(
  (shell) => spawnSync(shell, ['-c', ':'], { stdio: 'ignore' }).status === 0,
);
for (const absent of ['zsh', 'fish'].filter((shell) => !shells.includes(shell)))
  console.warn(`No ${absent} here: it is not tried with hostile words.`);

/** The words that a shell makes of each command line, whose program prints them. */
function wordsOfAll(shell: string, lines: readonly string[]): string[][] {
  // A program of every shell, since each line would start a Node of its own.
  const script = lines.map((text) => `printf '%s\\0' ${text}\nprintf '\\001\\0'`).join('\n');
  const { stdout } = spawnSync(shell, ['-c', script], { cwd: folder, encoding: 'utf8' });
  const found: string[][] = [];
  let made: string[] = [];
  for (const word of stdout.split('\0').slice(0, -1)) {
    if (word !== '\u0001') made.push(word);
    else [found[found.length], made] = [made, []];
  }
  return found;
}
const words = (shell: string, text: string) => wordsOfAll(shell, [text])[0];

describe.each(shells)('a word of a command line in %s', (shell) => {
  it('is what it is and nothing else', () => {
    const lines = hostile.map((text) => `payment status ${shellWord(text)} --json`);
    expect(wordsOfAll(shell, lines)).toEqual(hostile.map((text) => ['payment', 'status', text, '--json']));
    expect(existsSync(join(folder, 'f'))).toBe(false);
  });

  it.each(unprintable)('runs nothing where a terminal would obey it: %j', (text) => {
    spawnSync(shell, ['-c', `: ${shellWord(text)}`], { cwd: folder });
    expect(existsSync(join(folder, 'f'))).toBe(false);
    expect(clean(shellWord(text))).toBe(shellWord(text));
    expect(shellWord(text)).not.toContain('\n');
  });

  it('is a word as well after one that looks like a comment', () => {
    const text = line`payment status ${'a # b'} --psu-id ${'$(touch f)'} ${'-x'}   # why`;
    expect(words(shell, text)).toEqual(['payment', 'status', 'a # b', '--psu-id', '$(touch f)', '--', '-x']);
    expect(existsSync(join(folder, 'f'))).toBe(false);
  });

  it('stands at the end where it looks like a flag', () => {
    const text = line`payment status ${'--profile=evil'} --json   # ${"what 'the\nbank"} says`;
    expect(words(shell, text)).toEqual(['payment', 'status', '--json', '--', '--profile=evil']);
  });
});
