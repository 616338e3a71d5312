// Whatever stands in a file of a bank may be a stranger's: no text of it breaks out of a line, and none takes long to judge.
import { describe, expect, it } from 'vitest';
import type { SettingRow } from '../../../../src/settings/profile/row.ts';
import { bankRow, checkSettings } from '../../../../src/settings/profile/table.ts';

/** A place for a text: its key, and a file that has the text there. */
interface Place {
  key: string;
  file: (text: string) => object;
  /** True for the name of a member, which is no value. */
  isName?: true;
}

/** Every place of a description that takes a text. */
function places(row: SettingRow, key: string, file: (value: unknown) => object): Place[] {
  switch (row.kind) {
    case 'group':
      return Object.entries(row.members).flatMap(([name, member]) =>
        places(member, key === '' ? name : `${key}.${name}`, (value) =>
          file({ ...needed(row), [name]: value }),
        ),
      );
    case 'list':
      return places(row.of, `${key}[]`, (value) => file([value]));
    case 'map': {
      const [known = 'x'] = row.names ?? [];
      return [
        { key: `${key}.*`, file: (text) => file(Object.fromEntries([[text, 'x']])), isName: true },
        ...places(row.of, `${key}.x`, (value) => file({ [known]: value })),
      ];
    }
    case 'text':
    case 'url':
    case 'choice':
      return [{ key, file }];
    default:
      return [];
  }
}

/** What a group of a list must have, so that the text is the one thing wrong. */
const needed = (row: SettingRow & { kind: 'group' }): object =>
  Object.fromEntries(row.needs.map((name) => [name, name === 'action' ? 'default' : 'X-Name']));

const all = places(bankRow, '', (value) => value as object);

const breaks: readonly [string, string][] = [
  ['ends a line', 'a\r\nX-Evil: 1'],
  ['begins a line', 'a\nb'],
  ['goes back to its beginning', 'a\rb'],
  ['steers the terminal', 'a\u001b[2Jb'],
  ['ends a text of C', 'a\u0000b'],
  ['turns the direction of writing', 'a\u202eb'],
];

const long: readonly [string, (length: number) => string][] = [
  ['one letter', (length) => 'a'.repeat(length)],
  ['one letter with another end', (length) => `${'a'.repeat(length)}!`],
  ['slashes', (length) => '/'.repeat(length)],
  ['slashes and letters', (length) => `${'/a'.repeat(length / 2)}\n`],
  ['braces', (length) => '{'.repeat(length)],
  ['variables', (length) => `https://${'{a}'.repeat(length / 3)}`],
  ['labels', (length) => `https://${'a.'.repeat(length / 2)}`],
  ['blanks', (length) => `a${' '.repeat(length)}!`],
  ['escapes', (length) => `/${'%41'.repeat(length / 3)}%`],
  ['words', (length) => `${'ab '.repeat(length / 3)}\n`],
  ['ciphers', (length) => `${'AES:'.repeat(length / 4)}!`],
  ['digits', (length) => `${'1'.repeat(length)}/1`],
  ['dots', (length) => `${'../../'.repeat(length / 3)}x`],
];

it('the settings have places for a text', () => {
  expect(all.length).toBeGreaterThan(120);
});

describe.each(breaks)('a text that %s', (_, text) => {
  it('is accepted nowhere', () => {
    const taken = all.filter(({ file }) => checkSettings(file(text), 'bank').length === 0);
    expect(taken.map(({ key }) => key)).toEqual([]);
  });
});

it.each(long)('a text of a hundred thousand characters of %s is judged at once, everywhere', (_, make) => {
  const text = make(100_000);
  for (const { key, file } of all) {
    const begun = performance.now();
    checkSettings(file(text), 'bank');
    expect(performance.now() - begun, key).toBeLessThan(500);
  }
});

it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'])(
  'the name %s of a map is refused or a word like another, and changes nothing',
  (name) => {
    for (const { key, file, isName } of all) {
      if (isName !== true) continue;
      expect(() => checkSettings(file(name), 'bank'), key).not.toThrow();
      if (name === '__proto__') expect(checkSettings(file(name), 'bank'), key).not.toEqual([]);
    }
    expect(Object.keys(Object.prototype)).toEqual([]);
  },
);

it.each([
  '../x',
  '/../x',
  '/a/../../x',
  '//evil.example/x',
  '/a?b=c',
  '/a#b',
  '/%2e%2e/x',
  '/a\\..\\b',
  'https://evil.example',
])('a path of the bank is never %s', (path) => {
  const paths = all.filter(({ key }) => /(\.path|certificatePath)$/.test(key));
  expect(paths.length).toBe(2);
  for (const { key, file } of paths) expect(checkSettings(file(path), 'bank'), key).not.toEqual([]);
});
