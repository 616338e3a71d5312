import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clean } from '../../src/clean.ts';
import { forProfile, line, shellWord } from '../../src/command-line.ts';

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
];
/** What no id may have; a shell that reads it must still not run it. */
const unprintable = ["a\n';touch f;'", 'a\u001b[2J', '\u202eevil', "\r\n';touch f\n#"];

const shells = ['sh', 'bash', 'zsh', 'fish'].filter(
  (shell) => spawnSync(shell, ['-c', ':'], { stdio: 'ignore' }).status === 0,
);
for (const absent of ['zsh', 'fish'].filter((shell) => !shells.includes(shell)))
  console.warn(`No ${absent} here: it is not tried with hostile words.`);

/** The words that a shell makes of a command line, whose program prints them. */
function words(shell: string, text: string): string[] {
  const print = `${JSON.stringify(process.execPath)} -e 'process.stdout.write(JSON.stringify(process.argv.slice(1)))' -- `;
  const { stdout } = spawnSync(shell, ['-c', print + text], { cwd: folder, encoding: 'utf8' });
  return JSON.parse(stdout) as string[];
}

describe.each(shells)('a word in %s', (shell) => {
  it.each(hostile)('is %j and nothing else', (text) => {
    expect(words(shell, `payment status ${shellWord(text)} --json`)).toEqual([
      'payment',
      'status',
      text,
      '--json',
    ]);
    expect(existsSync(join(folder, 'f'))).toBe(false);
  });

  it.each(unprintable)('that a terminal would obey runs nothing: %j', (text) => {
    spawnSync(shell, ['-c', `: ${shellWord(text)}`], { cwd: folder });
    expect(existsSync(join(folder, 'f'))).toBe(false);
    expect(clean(shellWord(text))).toBe(shellWord(text));
    expect(shellWord(text)).not.toContain('\n');
  });

  it('that looks like a flag stands at the end', () => {
    const text = line`payment status ${'--profile=evil'} --json   # ${"what 'the\nbank"} says`;
    expect(words(shell, text)).toEqual(['payment', 'status', '--json', '--', '--profile=evil']);
  });
});

describe('a command line', () => {
  it.each([
    [line`obk payment status ${'1b0e-4'}`, 'obk payment status 1b0e-4'],
    [line`obk payment status ${'@last'}`, 'obk payment status @last'],
    [line`obk payment status ${'@home'}`, "obk payment status '@home'"],
    [line`obk consent create --iban ${'IBAN'}${[]}`, 'obk consent create --iban IBAN'],
    [
      line`obk consent create --iban ${'X'}${['--psu-id', 'a b']}`,
      "obk consent create --iban X --psu-id 'a b'",
    ],
    [line`obk api GET ${'consents'}/${'a;b'}`, "obk api GET consents/'a;b'"],
    [line`obk accounts --consent ${'-x'}`, 'obk accounts --consent -x'],
    [line`obk accounts   # it is ${'a\nrm -rf .'}`, 'obk accounts   # it is a⏎rm -rf .'],
  ])('%s', (made, wanted) => {
    expect(made).toBe(wanted);
  });
});

describe('a command line of a profile', () => {
  const other = { name: 'acme', usual: false, builtIn: false };
  it.each([
    ['obk payment status 1', 'obk payment status 1 --profile acme'],
    ['obk payment status 1   # why', 'obk payment status 1 --profile acme   # why'],
    ['obk payment status -- -1', 'obk payment status --profile acme -- -1'],
    ['obk accounts', 'obk accounts --profile acme'],
    ['obk auth login --profile other', 'obk auth login --profile other'],
    ['obk explain RJCT', 'obk explain RJCT'],
    ['obk log show @last', 'obk log show @last'],
    ['obk payment init --help', 'obk payment init --help'],
    ['--psu-present   # now', '--psu-present   # now'],
    ['Do not send it again.', 'Do not send it again.'],
    ['obk profile edit NAME --ca FILE', 'obk profile edit acme --ca FILE'],
    ['obk doctor --profile NAME   # why', 'obk doctor --profile acme   # why'],
    ['obk profile show   # is it right?', 'obk profile show acme   # is it right?'],
  ])('%s', (text, wanted) => {
    expect(forProfile(text, other)).toBe(wanted);
  });

  it('names none where the next run works with it unasked', () => {
    expect(forProfile('obk payment status 1', { ...other, usual: true })).toBe('obk payment status 1');
    expect(forProfile('obk profile edit NAME --ca FILE', { ...other, usual: true })).toBe(
      'obk profile edit acme --ca FILE',
    );
    expect(forProfile('obk profile edit NAME --ca FILE', { ...other, builtIn: true })).toBe(
      'obk profile edit NAME --ca FILE',
    );
  });
});
