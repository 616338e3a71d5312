import { expect, it } from 'vitest';
import { defined } from '../../../src/base/defined.ts';

it('members that are undefined are left out, and no others, in their order', () => {
  const members = { z: null, a: undefined, 1: '', b: 0, c: false, d: Number.NaN };
  expect(Object.entries(defined(members))).toEqual([
    ['1', ''],
    ['z', null],
    ['b', 0],
    ['c', false],
    ['d', Number.NaN],
  ]);
  expect('a' in defined(members)).toBe(false);
});
