import { expect, it } from 'vitest';
import { count, choice, group, list, map, text, yesNo } from '../../../../src/settings/profile/row.ts';
import type { ValueOf } from '../../../../src/settings/profile/row.ts';
import type { Profile } from '../../../../src/settings/records/profile.ts';

const row = group(
  {
    name: text(),
    level: choice(['warn', 'error']),
    most: count(1, 9),
    words: list(text()),
    own: map(() => undefined, yesNo()),
  },
  ['name'],
);

/** Each of these is an error of the compiler; the types check of the project fails on one that is none. */
it('the type of a setting is what its row accepts', () => {
  const right: ValueOf<typeof row> = { name: 'a', level: 'warn', most: 1, words: ['b'], own: { c: true } };
  // @ts-expect-error -- the name is needed
  const without: ValueOf<typeof row> = { level: 'warn' };
  // @ts-expect-error -- fatal is none of its words
  const word: ValueOf<typeof row> = { name: 'a', level: 'fatal' };
  // @ts-expect-error -- there is no colour
  const further: ValueOf<typeof row> = { name: 'a', colour: 'red' };
  // @ts-expect-error -- it holds numbers, no texts
  const kind: ValueOf<typeof row> = { name: 'a', most: '1' };
  // @ts-expect-error -- a list holds texts
  const inner: ValueOf<typeof row> = { name: 'a', words: [1] };
  // @ts-expect-error -- a profile has no colour
  const profile: Partial<Profile> = { colour: 'red' };
  // @ts-expect-error -- cloud is no store of tokens
  const store: Partial<Profile> = { tokenStore: 'cloud' };
  expect([right, without, word, further, kind, inner, profile, store]).toHaveLength(8);
  expect(row.kind).toBe('group');
});
