import { expect, it } from 'vitest';
import { obk, paymentTo, profileWith } from './payments.ts';

const profile = await profileWith();
const withKey = (key: string) =>
  obk([
    ...[...paymentTo('sepa-credit-transfers'), '--profile', profile, '--no-input', '--dry-run'],
    `--intent-key=${key}`,
  ]);

it.each([
  ['a carriage return at its end', 'order-1\r'],
  ['a line end', 'order-1\n'],
  ['a blank at its end', 'order-1 '],
  ['a blank at its beginning', ' order-1'],
  ['a narrow blank at its end', 'order-1\u202f'],
  ['a tab within', 'order\t-1'],
  ['the mark of a file in UTF-8', '\ufefforder-1'],
  ['a zero-width blank', 'order\u200b-1'],
  ['a sign of direction', '\u202eorder-1'],
  ['half a character', 'order-1\ud800'],
])('a key with %s is refused, since it is not the one that is seen', async (_, key) => {
  const { code, stdout, stderr } = await withKey(key);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('Try:  --intent-key order-1');
});

it.each(['', '  ', '\r', '\u200b'])('a key that is empty for a reader (%j) is refused', async (key) => {
  const { code, stderr } = await withKey(key);
  expect(code).toBe(2);
  expect(stderr).toContain('--intent-key');
});

it.each(['order-1', 'order 1', 'Größe/№ 7:a,b', '订单-1', '🧾1'])('a key may be %s', async (key) => {
  expect(await withKey(key)).toMatchObject({ code: 0 });
});
