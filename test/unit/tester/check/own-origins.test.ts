import { expect, it } from 'vitest';
import { ownOrigins } from '../../../../src/tester/check/own-origins.ts';
import type { Profile } from '../../../../src/settings/records/profile.ts';

const profile = (more: object) => more as Profile;

it.each<[string, (string | undefined)[], object | undefined, string[] | undefined]>([
  ['the one that was called', ['https://a.example/psd2/v1/accounts?x=1'], undefined, ['https://a.example']],
  ['none where nothing is known', [undefined], undefined, undefined],
  [
    'those of the profile',
    ['https://a.example'],
    {
      baseUrl: 'https://b.example/psd2',
      urls: { perService: { pis: 'https://c.example' } },
      origins: ['https://d.example'],
    },
    ['https://a.example', 'https://b.example', 'https://c.example', 'https://d.example'],
  ],
  [
    'any where hosts in links mean nothing',
    ['https://a.example'],
    { baseUrl: 'https://b.example', links: { host: 'ignore' } },
    undefined,
  ],
])('the links of a page may lead to %s', (_case, called, more, expected) => {
  const origins = ownOrigins(called, more && profile(more));
  expect(origins && [...origins]).toEqual(expected);
});
