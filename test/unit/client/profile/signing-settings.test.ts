import { describe, expect, it } from 'vitest';
import { withMode, withSetting } from '../../../../src/client/profile/signing-settings.ts';
import type { SigningSettings } from '../../../../src/signing/options.ts';

const all = (...texts: string[]) =>
  texts.reduce<SigningSettings | undefined>((settings, text) => withSetting(settings, text), undefined);

describe('--signing', () => {
  it.each([
    [{ keyId: { serial: 'HEX' } }, 'none', { keyId: { serial: 'HEX' }, mode: 'none' }],
    [{ mode: 'none', hash: 'SHA-512' }, 'cavage', { mode: 'cavage', hash: 'SHA-512' }],
    [{ keyId: { serial: 'HEX' } }, 'wso2', { preset: 'wso2' }],
    [undefined, 'adorsys', { preset: 'adorsys' }],
  ] as const)('turns %j into %s', (before, mode, after) => {
    expect(withMode(before, mode)).toEqual(after);
  });
});

describe('--set', () => {
  it('sets texts, lists and switches, and removes them', () => {
    expect(
      all(
        'signing.headers=digest, x-request-id psu-id?',
        'signing.date.sign=true',
        'signing.digest.emptyBody={}',
      ),
    ).toEqual({
      headers: ['digest', 'x-request-id', 'psu-id?'],
      date: { sign: true },
      digest: { emptyBody: '{}' },
    });
    expect(all('signing.keyId.serial=HEX', 'signing.keyId.issuer=openssl', 'signing.keyId.serial=')).toEqual({
      keyId: { issuer: 'openssl' },
    });
    expect(
      all('signing.keyId.template=id={serial}=x', 'signing.requestTarget=true', 'signing.keyId.template='),
    ).toEqual({
      requestTarget: true,
    });
  });

  it.each([
    'signing.keyId.serial=octal',
    'signing.nothing=1',
    'signing.date.sign=maybe',
    'signing.__proto__.x=1',
    'signing.keyId=x',
    'baseUrl=https://x',
    'signing.',
    'x',
  ])('refuses %s with exit 2', (text) => {
    expect(() => all(text)).toThrow(expect.objectContaining({ code: 'INPUT_INVALID', exit: 2 }));
    expect({}).not.toHaveProperty('x');
  });
});
