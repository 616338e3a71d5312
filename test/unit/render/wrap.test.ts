import { describe, expect, it } from 'vitest';
import { distance, nearest } from '../../../src/nearest.ts';
import { definitions, fold, wrap, wrapCommand } from '../../../src/render/wrap.ts';

it.each([
  ['short', ['short']],
  ['! one two three four', ['! one two', '  three four']],
  ['  Try:  obk profile edit x --ca FILE', ['  Try:  obk \\', '          profile \\']],
])('fold puts what goes on below its beginning: %s', (line, wanted) => {
  expect(fold(line, line.startsWith('!') ? 12 : 20).slice(0, 2)).toEqual(wanted);
});

it('wrap breaks at spaces only', () => {
  expect(wrap('one two three verylongword x', 8)).toEqual(['one two', 'three', 'verylongword', 'x']);
});

it('definitions put a long term on a line of its own', () => {
  expect(
    definitions(
      [
        ['-a', 'first'],
        ['--a-very-long-flag NAME', 'second and more'],
      ],
      { indent: 2, width: 24, column: 12 },
    ),
  ).toEqual(['  -a        first', '  --a-very-long-flag NAME', '            second and', '            more']);
});

describe('a command line', () => {
  it.each<[string, number, string[]]>([
    ['obk whoami   # who', 40, ['$ obk whoami   # who']],
    ['obk a --flag value --other', 22, ['$ obk a --flag value \\', '    --other']],
    ['obk a --text "b c --d" --e', 24, ['$ obk a \\', '    --text "b c --d" \\', '    --e']],
  ])('%s in %d columns', (command, width, lines) => {
    expect(wrapCommand(command, '$ ', width)).toEqual(lines);
  });
});

it.each<[string, string, number]>([
  ['', 'abc', 3],
  ['paymnt', 'payment', 1],
  ['paymnet', 'payment', 1],
  ['kitten', 'sitting', 3],
])('%s is %s by %d', (a, b, far) => {
  expect(distance(a, b)).toBe(far);
});

it.each<[string, string[], string[]]>([
  ['alwys', ['auto', 'always', 'never'], ['always']],
  ['NEVER', ['auto', 'always', 'never'], ['never']],
  ['pay', ['payment', 'pending'], ['payment']],
  ['xyzzy', ['payment', 'pending'], []],
  ['vars', ['variables', 'steps'], ['variables']],
  ['vrbs', ['variables', 'verbs'], ['verbs']],
  ['vz', ['variables'], []],
])('%s is nearest to', (word, names, near) => {
  expect(nearest(word, names)).toEqual(near);
});

it.each([
  [
    'an IBAN in groups stays whole',
    'from DE78 9900 1000 0000 0036 64 today',
    30,
    ['from', 'DE78 9900 1000 0000 0036 64', 'today'],
  ],
  [
    'in brackets, too',
    'Shop (DE89 3704 0044 0532 0130 00) x',
    30,
    ['Shop', '(DE89 3704 0044 0532 0130 00)', 'x'],
  ],
  ['colours take no column', '\u001b[1mone\u001b[22m two three', 13, ['\u001b[1mone\u001b[22m two three']],
  ['wide characters take two', '商店 商店 商店', 9, ['商店 商店', '商店']],
])('fold: %s', (_, line, width, wanted) => {
  expect(fold(line, width)).toEqual(wanted);
});
