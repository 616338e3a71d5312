import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { settingsOptions } from '../../../../src/cli/commands/profile/settings-flags.ts';
import {
  defaults,
  isOpenKey,
  rowsByKey,
  settingKeys,
  wordsOf,
} from '../../../../src/settings/profile/keys.ts';

const flags = new Set(settingsOptions(new Command()).options.map(({ long }) => long));

describe('the keys of settings', () => {
  it.each([...rowsByKey].flatMap(([key, { flag }]) => (flag === undefined ? [] : [[key, flag] as const])))(
    'include %s, set by %s, which profile edit has',
    (_, flag) => {
      expect(flags).toContain(flag);
    },
  );

  it('name each setting once, and no group', () => {
    expect(new Set(settingKeys).size).toBe(settingKeys.length);
    expect(settingKeys).toEqual(expect.arrayContaining(['psu.id', 'consent.validDays', 'answers.digest']));
    for (const group of ['psu', 'psu.context', 'signing', 'headers.accept', 'urls.perService'])
      expect(settingKeys).not.toContain(group);
  });

  it.each([
    ['psu.context.PSU-User-Agent', true],
    ['signing.keyId.issuer', true],
    ['links.aliases.next', true],
    ['links.aliases.a.b', false],
    ['links.aliases.', false],
    ['psu.idd', false],
  ])('include %s, which continues with a name of its own: %s', (key, open) => {
    expect(isOpenKey(key)).toBe(open);
  });

  it('are listed with the value in force where nobody has set one', () => {
    expect(defaults).toEqual({
      timeoutMs: 60_000,
      'auth.consent': 'both',
      'links.host': 'strict',
      'lint.charset': 'warn',
      tokenStore: 'file',
    });
  });

  it('name the words of a choice, which has no others', () => {
    expect(wordsOf('lint.charset')).toEqual(['warn', 'error']);
    expect(() => wordsOf('psu.id')).toThrow('no choice');
  });
});
