// The exact text of words and lines, without a shell: what a small change of the writer would alter.
import { describe, expect, it } from 'vitest';
import { forProfile, line, shellWord } from '../../../src/base/command-line.ts';

it.each([
  ['', "''"],
  ['@last', '@last'],
  ['@last-3', '@last-3'],
  ['@failed', '@failed'],
  ['@lastly', "'@lastly'"],
  ['@last-12', '@last-12'],
  ['x@last', 'x@last'],
  ['$x@last', "'$x@last'"],
  ["it's", `'it'"'"'s'`],
  ["a''b", `'a'"''"'b'`],
  ['a\\b', `'a'"\\\\"'b'`],
  ['a b', "'a b'"],
  ['a\nb;', "$'a\\x0ab\\x3b'"],
])('a command line quotes the word %j', (text, word) => {
  expect(shellWord(text)).toBe(word);
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
    [line`obk a ${'-x'} --y`, 'obk a --y -- -x'],
    [line`obk a ${'-x'} --y   # why`, 'obk a --y -- -x   # why'],
    [line`obk a ${'-x'} ${'-y'}   # why`, 'obk a -- -x -y   # why'],
    [line`obk a --flag ${'-x'}`, 'obk a --flag -x'],
    [line`obk a --flag ${'-x'} ${'-y'}`, 'obk a --flag -x -- -y'],
    [line`obk a --flag ${'b c'} ${'-y'}`, "obk a --flag 'b c' -- -y"],
    [line`obk a ${['--flag']} ${'-y'}`, 'obk a --flag -y'],
    [line`obk a --flag b ${'-y'}`, 'obk a --flag b -- -y'],
    [line`--flag ${'-x'}`, '--flag -x'],
    [line`${'-x'} a`, '-x a'],
    [line`${['a', 'b']}`, 'a b'],
    [line`${'a'}   # of ${'x'}`, 'a   # of x'],
    [line`obk a ${'-b'}   # of ${'x'} and ${'-y'}, not ${'z'}.`, 'obk a -- -b   # of x and -y, not z.'],
    [line`obk a -f ${'-x'}`, 'obk a -f -x'],
    [line`obk a --name=${'-x'}`, 'obk a --name=-x'],
    [line`obk a ${[]}`, 'obk a '],
    [line`obk a${[]}`, 'obk a'],
    [line`obk a${['b', 'c d']}`, "obk a b 'c d'"],
    [line`obk a ${['b', 'c']}`, 'obk a b c'],
    [line`obk a   # of ${'x y'}`, 'obk a   # of x y'],
    [line`obk a   # of ${['x', 'y;z']}`, 'obk a   # of x y;z'],
  ])('is built: %#', (made, text) => {
    expect(made).toBe(text);
  });
});

describe('a value that looks like a comment or flag', () => {
  it('does not begin a comment: the next value is quoted as any other', () => {
    expect(line`obk a ${'b # c'} --x ${'$(touch f)'}   # of ${'x y'}`).toBe(
      "obk a 'b # c' --x '$(touch f)'   # of x y",
    );
    expect(line`obk a ${'-b # c'} --x`).toBe("obk a --x -- '-b # c'");
    expect(line`obk a ${'b # c'} ${'-d'} --x`).toBe("obk a 'b # c' --x -- -d");
  });

  it.each(['b # c', 'b -- c', 'b --profile c', 'b --help', "b' # c", "b''' # c", 'b\\" # c', 'b # \u0007'])(
    'does not end the flags, nor is it one of them: %s',
    (value) => {
      const acme = { name: 'acme', usual: false, builtIn: false };
      expect(forProfile(line`obk payment status ${value}   # of it`, acme)).toBe(
        line`obk payment status ${value} --profile acme   # of it`,
      );
    },
  );
});

describe('a command line for a profile', () => {
  const other = { name: 'other one', usual: false, builtIn: false };
  it.each([
    ['obk payment list', "obk payment list --profile 'other one'"],
    ['obk payment list   # all', "obk payment list --profile 'other one'   # all"],
    ['obk payment status -- -x', "obk payment status --profile 'other one' -- -x"],
    ['obk payment list --profile x', 'obk payment list --profile x'],
    ['obk payment list --profile=x', 'obk payment list --profile=x'],
    ['obk payment list --help', 'obk payment list --help'],
    ['obk payment list --helpful', "obk payment list --helpful --profile 'other one'"],
    ['obk profile show', "obk profile show 'other one'"],
    ['obk profile show   # it', "obk profile show 'other one'   # it"],
    ['obk profile show x', 'obk profile show x'],
    ['obk profile edit NAME --x', "obk profile edit 'other one' --x"],
    ['obk profile edit NAME', "obk profile edit 'other one'"],
    ['obk profile edit NAMES', 'obk profile edit NAMES'],
    ['echo obk profile show', 'echo obk profile show'],
    ['echo obk payment list', 'echo obk payment list'],
    ['echo obk profile edit NAME', 'echo obk profile edit NAME'],
    ['obk payment list   # as --profile x', "obk payment list --profile 'other one'   # as --profile x"],
    ['obk payment list   # not -- that', "obk payment list --profile 'other one'   # not -- that"],
    ['obk payment list --profile-dir x', "obk payment list --profile-dir x --profile 'other one'"],
    ['obk payments list', 'obk payments list'],
    ['obk version', 'obk version'],
  ])('names the profile: %s', (text, made) => {
    expect(forProfile(text, other)).toBe(made);
  });

  it.each(['obk profile show', 'obk profile edit NAME', 'obk doctor --profile NAME'])(
    'contains a name as it is written: %s',
    (text) => {
      expect(forProfile(text, { ...other, name: "$& $1 $'" })).toBe(
        `${text.replace(' NAME', '')} '$& $1 $'"'"`,
      );
    },
  );

  it.each([
    ...['accounts', 'api', 'auth', 'bank', 'basket', 'cards', 'config', 'consent', 'doctor', 'funds'],
    ...['payment', 'pending', 'report', 'sca', 'transactions', 'whoami'],
  ])('is needed by %s', (noun) => {
    expect(forProfile(`obk ${noun} x`, other)).toBe(`obk ${noun} x --profile 'other one'`);
  });

  it('keeps NAME where the profile is built in', () => {
    expect(forProfile('obk profile edit NAME', { ...other, builtIn: true })).toBe('obk profile edit NAME');
  });
});

describe('a command line for a profile whose name is a bare word', () => {
  const acme = { name: 'acme', usual: false, builtIn: false };
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
  ])('names the profile: %s', (text, made) => {
    expect(forProfile(text, acme)).toBe(made);
  });

  it('names none where the next run uses it by default', () => {
    expect(forProfile('obk payment status 1', { ...acme, usual: true })).toBe('obk payment status 1');
    expect(forProfile('obk profile edit NAME --ca FILE', { ...acme, usual: true })).toBe(
      'obk profile edit acme --ca FILE',
    );
    expect(forProfile('obk profile edit NAME --ca FILE', { ...acme, builtIn: true })).toBe(
      'obk profile edit NAME --ca FILE',
    );
  });
});
