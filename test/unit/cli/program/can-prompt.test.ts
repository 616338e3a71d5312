import { expect, it } from 'vitest';
import { canPrompt } from '../../../../src/cli/program/can-prompt.ts';

const terminal = { isTTY: true } as never;
const pipe = {} as never;

it.each<
  [string, { stdin?: never; stderr?: never; env?: Record<string, string>; noInput?: boolean }, boolean]
>([
  ['a terminal', {}, true],
  ['stdout alone piped', {}, true],
  ['stdin piped', { stdin: pipe }, false],
  ['stderr piped', { stderr: pipe }, false],
  ['--no-input', { noInput: true }, false],
  ['OBK_NO_INPUT', { env: { OBK_NO_INPUT: '1' } }, false],
  ['OBK_NO_INPUT=0', { env: { OBK_NO_INPUT: '0' } }, true],
  ['CI', { env: { CI: 'true' } }, false],
  ['CI=false', { env: { CI: 'false' } }, true],
  ['TERM=dumb', { env: { TERM: 'dumb' } }, false],
])('%s', (_, { stdin = terminal, stderr = terminal, env = {}, noInput }, asks) => {
  expect(canPrompt({ stdin, stderr, env }, noInput === undefined ? {} : { noInput })).toBe(asks);
});

it('does not open stdin where the answer is known without it', () => {
  const closed = {
    env: { CI: '1' },
    stderr: terminal,
    get stdin(): never {
      throw new Error('opened');
    },
  };
  expect(canPrompt(closed, {})).toBe(false);
});
