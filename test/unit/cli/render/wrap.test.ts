import { describe, expect, it } from 'vitest';
import { distance, nearest } from '../../../../src/base/nearest.ts';
import { definitions, fold, wrap, wrapCommand } from '../../../../src/cli/render/wrap.ts';

it.each([
  ['short', ['short']],
  ['! one two three four', ['! one two', '  three four']],
])('fold puts what goes on below its beginning: %s', (line, wanted) => {
  expect(fold(line, line.startsWith('!') ? 12 : 20).slice(0, 2)).toEqual(wanted);
});

it.each([
  '  Try:  obk profile edit x --ca FILE',
  '  Try:  --amount 12.50   # with a dot, as the interface has it',
  '  Try:  OBK_STATE_DIR=FOLDER obk sandbox start',
  'Next:  obk payment authorise 4711 --profile acme',
  '        obk consent renew 4711   # another one for the same',
  '        OBK_STATE_DIR=FOLDER obk sandbox start',
  '  \u001b[2mobk consent renew 4711 --profile acme\u001b[22m',
  '! obk payment authorise 4711 --profile acme --otp-from prompt',
  '        openssl pkcs12 -legacy -in FILE -out certificates.pem',
])('fold leaves a command on one line: %s', (line) => {
  expect(fold(line, 40)).toEqual([line]);
});

it.each([
  ['and nothing was sent again: obk log show 20261128T2359-4711', 'obk log show 20261128T2359-4711'],
  [
    'Choose one that the bank has (obk bank explain --profile acme), or none',
    '(obk bank explain --profile acme),',
  ],
  ['It counts as failed; obk payment status --watch shows the end', 'obk payment status --watch shows'],
  ['Go on with the payment      obk payment authorise 4711', 'obk payment authorise 4711'],
])('a command within a sentence is not parted: %s', (text, command) => {
  const folded = fold(text, 40);
  expect(folded.length).toBeGreaterThan(1);
  expect(folded.filter((line) => line.includes(command))).toHaveLength(1);
  expect(folded.join(' ').split(/\s+/)).toEqual(text.split(/\s+/));
});

it('a sentence behind Try is folded', () => {
  expect(fold('  Try:  Run it again with --debug for the stack.', 40)).toEqual([
    '  Try:  Run it again with --debug for',
    '        the stack.',
  ]);
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
