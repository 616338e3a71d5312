import { expect, it } from 'vitest';
import { stateFor } from '../../../../src/client/oauth/oauth-parameters.ts';
import { checkSettings } from '../../../../src/settings/profile/table.ts';

const letters = (text: string) => text.split('');
type State = { maxLength?: number; forbid?: readonly string[] };

it.each<[string, State, boolean]>([
  ['a word', { forbid: ['localhost'] }, true],
  ['the two signs of base64url', { forbid: ['-', '_'] }, true],
  ['nothing', { maxLength: 22, forbid: [] }, true],
  ['one letter', { maxLength: 22, forbid: ['a'] }, true],
  ['a hundred words', { forbid: Array.from({ length: 100 }, (_, at) => `word${String(at)}`) }, true],
  ['the vowels', { forbid: letters('aeiou') }, false],
  ['the digits', { forbid: letters('0123456789') }, false],
  ['every letter, in capitals', { forbid: letters('ABCDEFGHIJKLMNOPQRSTUVWXYZ') }, false],
  [
    'every pair of letters that begins with one of ten',
    {
      forbid: letters('abcdefghij').flatMap((one) =>
        letters('abcdefghijklmnopqrstuvwxyz').map((two) => one + two),
      ),
    },
    false,
  ],
])('auth.state.forbid is accepted or refused with %s', (_, state, isRight) => {
  const found = checkSettings({ auth: { state } }, 'bank');
  expect(found.map(({ setting }) => setting)).toEqual(isRight ? [] : ['auth.state.forbid']);
  expect(checkSettings({ auth: { state } }, 'bank')).toEqual(found);
});

it('a login for which chance makes only forbidden states is refused before anything is sent', () => {
  const made: string[] = [];
  const ids = { token: () => (made.push('x'), 'at-LOCALHOST-again') };
  const target = { ports: { ids }, profile: { auth: { state: { forbid: ['localhost'] } } } };
  expect(() => stateFor(target as never)).toThrow(expect.objectContaining({ code: 'PROFILE_INVALID' }));
  expect(made.length).toBeGreaterThan(99);
});
