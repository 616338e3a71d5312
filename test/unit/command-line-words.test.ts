// The exact text of words and lines, without a shell: what a small change of the writer would alter.
import { describe, expect, it } from 'vitest';
import { forProfile, line, shellWord } from '../../src/command-line.ts';

it.each([
  ['', "''"],
  ['@last', '@last'],
  ['@last-3', '@last-3'],
  ['@failed', '@failed'],
  ['@lastly', "'@lastly'"],
  ['x@last', shellWord('x@last')],
  ["it's", `'it'"'"'s'`],
  ['a\\b', `'a'"\\\\"'b'`],
  ['a b', "'a b'"],
  ['a\nb;', "$'a\\x0ab\\x3b'"],
])('the word %j', (text, word) => {
  expect(shellWord(text)).toBe(word);
});

describe('a line', () => {
  it.each([
    [line`obk a ${'-x'} --y`, 'obk a --y -- -x'],
    [line`obk a ${'-x'} --y   # why`, 'obk a --y -- -x   # why'],
    [line`obk a --flag ${'-x'}`, 'obk a --flag -x'],
    [line`obk a -f ${'-x'}`, 'obk a -f -x'],
    [line`obk a --name=${'-x'}`, 'obk a --name=-x'],
    [line`obk a ${[]}`, 'obk a '],
    [line`obk a${[]}`, 'obk a'],
    [line`obk a${['b', 'c d']}`, "obk a b 'c d'"],
    [line`obk a ${['b', 'c']}`, 'obk a b c'],
    [line`obk a   # of ${'x y'}`, 'obk a   # of x y'],
    [line`obk a   # of ${['x', 'y;z']}`, 'obk a   # of x y;z'],
  ])('%#', (made, text) => {
    expect(made).toBe(text);
  });
});

describe('a line for a profile', () => {
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
    ['obk version', 'obk version'],
  ])('%s', (text, made) => {
    expect(forProfile(text, other)).toBe(made);
  });

  it('keeps NAME where the profile is built in', () => {
    expect(forProfile('obk profile edit NAME', { ...other, builtIn: true })).toBe('obk profile edit NAME');
  });
});
