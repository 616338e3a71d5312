import { describe, expect, it } from 'vitest';
import { inUse, needVariables } from '../../../../src/client/profile/in-use.ts';
import type { Profile } from '../../../../src/settings/records/profile.ts';
import { checkSettings } from '../../../../src/settings/profile/table.ts';

const template = 'https://bank.example/{bank}/x';
const places: readonly [string, object][] = [
  ['baseUrl', { baseUrl: template }],
  ['urls.perService.pis', { urls: { perService: { pis: template } } }],
  ['auth.authorizeUrl', { auth: { authorizeUrl: template } }],
  ['auth.tokenUrl', { auth: { tokenUrl: template } }],
];
const profileOf = (settings: object) => settings as unknown as Profile;

describe('a variable of an address', () => {
  it.each(places)('has its value in %s', (_, settings) => {
    const profile = profileOf({ ...settings, bankVars: { bank: 'north' } });
    expect(checkSettings(settings, 'bank')).toEqual([]);
    expect(JSON.stringify(inUse(profile))).toContain('"https://bank.example/north/x"');
    needVariables(inUse(profile), 'acme');
  });

  it.each(places)('is required in %s', (_, settings) => {
    expect(() => {
      needVariables(inUse(profileOf(settings)), 'acme');
    }).toThrow('The address of the profile acme needs a value for bank.');
  });

  it.each([
    'https://bank.example:{bank}/',
    'https://{bank}@bank.example/',
    'https://bank.example/x?bank={bank}',
    'https://bank.example/x#{bank}',
  ])('is replaced nowhere else: %s', (address) => {
    const found = checkSettings(
      { baseUrl: address, auth: { authorizeUrl: address, tokenUrl: address } },
      'bank',
    );
    expect(found.map(({ setting }) => setting).sort()).toEqual([
      'auth.authorizeUrl',
      'auth.tokenUrl',
      'baseUrl',
    ]);
  });
});
