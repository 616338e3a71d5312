import { describe, expect, it } from 'vitest';
import { childrenOf, lineage, resolved, withProfile } from '../../../../src/client/profile/inheritance.ts';
import { presets } from '../../../../src/standard/xs2a/variants.ts';
import type { Profile, SavedProfile, Settings } from '../../../../src/settings/records/profile.ts';

const plain = { environment: 'production', ...presets.v136 } as const;

/** What a child takes over from a parent that says this. */
function child(parent: Partial<Profile>, own: Partial<Profile>): Partial<Profile> {
  const saved: SavedProfile = { ...own, extends: 'parent' };
  return resolved({ profiles: { parent: { ...plain, ...parent } } }, 'child', saved);
}

describe('a profile that extends another', () => {
  const [pis, other] = [{ perService: { pis: 'https://pis.example' } }, 'https://other.example'];
  const secret = { name: 'X-Key', action: 'default', valueFrom: 'env:KEY' } as const;
  const open = { name: 'PSU-ID', action: 'forbid' } as const;
  it.each<[string, Partial<Profile>, Partial<Profile>, object]>([
    ['everything', { debtor: 'DE1', timeoutMs: 5 }, {}, { ...plain, debtor: 'DE1', timeoutMs: 5 }],
    ['not what it says itself', { debtor: 'DE1' }, { debtor: 'DE2' }, { debtor: 'DE2' }],
    ['not the environment that it names', {}, { environment: 'test' }, { environment: 'test' }],
    ['an empty prefix of its own', {}, { prefix: '' }, { prefix: '' }],
    [
      'a group by its members',
      { psu: { id: 'a', ipAddress: 'b' } },
      { psu: { id: 'c' } },
      { psu: { id: 'c', ipAddress: 'b' } },
    ],
    ['a list whole', { origins: ['https://a'] }, { origins: ['https://b'] }, { origins: ['https://b'] }],
    [
      'no secret of a PSU',
      { psu: { id: 'a', passwordFrom: 'env:P', otpFrom: 'env:O' } },
      {},
      { psu: { id: 'a' } },
    ],
    [
      'a secret of a PSU that is its own',
      { psu: { otpFrom: 'env:A' } },
      { psu: { otpFrom: 'env:B' } },
      { psu: { otpFrom: 'env:B' } },
    ],
    ['not the place of tokens', { tokenStore: 'keyring' }, {}, { tokenStore: undefined }],
    [
      'no header from a reference',
      { headers: { rules: [secret, open] } },
      {},
      { headers: { rules: [open] } },
    ],
    ['nothing of headers then', { headers: { rules: [secret] } }, {}, { headers: undefined }],
    ['addresses of services', { urls: pis }, {}, { urls: pis }],
    [
      'none of them beside its own address',
      { urls: pis },
      { baseUrl: other },
      { urls: undefined, baseUrl: other },
    ],
    [
      'a key with its passphrase',
      { key: '/k', keyPassphraseFrom: 'env:K' },
      {},
      { key: '/k', keyPassphraseFrom: 'env:K' },
    ],
    [
      'no passphrase for its own key',
      { key: '/k', keyPassphraseFrom: 'env:K' },
      { key: '/o' },
      { key: '/o', keyPassphraseFrom: undefined },
    ],
    ['no signer beside its own key', { signer: 'cmd:/s' }, { key: '/o' }, { key: '/o', signer: undefined }],
    [
      'no key beside its own signer',
      { key: '/k' },
      { signer: 'cmd:/s' },
      { key: undefined, signer: 'cmd:/s' },
    ],
    [
      'no passphrase for its own TLS key',
      { tlsKeyPassphraseFrom: 'env:K' },
      { tlsKey: '/o' },
      { tlsKey: '/o', tlsKeyPassphraseFrom: undefined },
    ],
    [
      'no algorithm for its own bank key',
      { passwordEncryption: { key: '/k', algorithm: 'RSA-OAEP' } },
      { passwordEncryption: { key: '/o' } },
      { passwordEncryption: { key: '/o' } },
    ],
    [
      'no signing beside its own preset',
      { signing: { mode: 'none' } },
      { signing: { preset: 'wso2' } },
      { signing: { preset: 'wso2' } },
    ],
    [
      'signing that it refines',
      { signing: { preset: 'wso2' } },
      { signing: { hash: 'SHA-512' } },
      { signing: { preset: 'wso2', hash: 'SHA-512' } },
    ],
  ])('inherits %s', (_, parent, own, expected) => {
    const found = child(parent, own);
    for (const [key, value] of Object.entries(expected)) expect(Reflect.get(found, key), key).toEqual(value);
    expect(found).not.toHaveProperty('extends');
  });

  it('inherits from the parents of its parent, the nearest first', () => {
    const profiles: Settings['profiles'] = {
      a: { ...plain, debtor: 'DE1', currency: 'EUR', brandLogging: 'a', psu: { otpFrom: 'env:O' } },
      b: { extends: 'a', currency: 'SEK', brandLogging: 'b' },
    };
    const found = resolved({ profiles }, 'c', { extends: 'b', brandLogging: 'c' });
    expect(found).toEqual({ ...plain, debtor: 'DE1', currency: 'SEK', brandLogging: 'c' });
    expect(lineage({ profiles }, 'c', { extends: 'b' }).map(({ name }) => name)).toEqual(['c', 'b', 'a']);
  });
});

describe('a wrong extension of a profile', () => {
  const settings: Settings = {
    schemaVersion: 1,
    profiles: { a: { ...plain }, b: { extends: 'a' }, c: { extends: 'b' }, lost: { extends: 'gone' } },
  };
  it.each<[string, SavedProfile, RegExp]>([
    ['a', { extends: 'a' }, /a > a/],
    ['a', { ...plain, extends: 'c' }, /a > c > b > a/],
    ['d', { extends: 'none' }, /"none"/],
    ['d', { extends: 'sandbox' }, /"sandbox"/],
    ['d', { extends: 'toString' }, /"toString"/],
    ['d', { extends: 'lost' }, /lost extends "gone"/],
    ['b', { debtor: 'DE1' } as SavedProfile, /no framework, prefix, surface/],
  ])('is refused: %s as %j', (name, own, why) => {
    let failure: unknown;
    try {
      withProfile(settings, name, own);
    } catch (error) {
      failure = error;
    }
    expect(failure).toMatchObject({ code: 'PROFILE_INVALID', exit: 3 });
    expect((failure as Error).message).toMatch(why);
  });

  it('is reported with the children of the profile, not theirs', () => {
    expect(childrenOf(settings, 'a')).toEqual(['b']);
    expect(childrenOf(settings, 'c')).toEqual([]);
  });
});
