import { expect, it } from 'vitest';
import { parseUrl } from '../../src/url.ts';

it('takes an address with letters of Latin-1 however often it is asked', () => {
  const taken = Array.from({ length: 20_000 }, () => parseUrl('https://bänk.example/é')?.hostname);
  expect(new Set(taken)).toEqual(new Set(['xn--bnk-qla.example']));
});

it.each(['', 'bank.example', '/v1/payments', 'https://'])('takes %j for none', (text) => {
  expect(parseUrl(text)).toBeUndefined();
});
