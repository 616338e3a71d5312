import { describe, expect, it } from 'vitest';
import { checkHeaderValue } from '../../../../src/standard/xs2a/headers.ts';
import { nameFromHeader, nameToHeader } from '../../../../src/standard/xs2a/psu-names.ts';
import { Dice } from '../../../helpers/dice.ts';

const utf8 = (text: string) => Buffer.from(text, 'utf8').toString('latin1');

describe('the name of a PSU in a header', () => {
  it.each([
    ['anna', 'anna'],
    [utf8('Jiří Čapek'), 'Jiří Čapek'],
    [utf8('李小龍 👤'), '李小龍 👤'],
    ['J\u00fcrgen', 'Jürgen'],
    ["UTF-8''Ji%C5%99%C3%AD%20%C4%8Capek", 'Jiří Čapek'],
    ["utf-8'cs'Ji%c5%99%c3%ad", 'Jiří'],
    // Percent-encoding alone is part of a name, and so is what RFC 8187 does not have.
    ['100%25', '100%25'],
    ["UTF-8''a b", "UTF-8''a b"],
    ["UTF-8''%FF", "UTF-8''%FF"],
    ['Ji\u0159\u00ed', 'Jiří'],
    ['', ''],
  ])('is for %j: %j', (value, name) => {
    expect(nameFromHeader(value)).toBe(name);
  });

  it('comes back unchanged, whatever it is', () => {
    const dice = new Dice(1);
    const signs = [
      'a',
      ' ',
      '%',
      "'",
      'ü',
      'ß',
      'Ã',
      '\u00a9',
      'ř',
      '李',
      '👤',
      "UTF-8''",
      '%41',
      '(',
      '\ufeff',
    ];
    for (let run = 0; run < 2000; run += 1) {
      const name = Array.from({ length: 1 + dice.below(8) }, () => dice.pick(signs)).join('');
      const value = nameToHeader(name);
      expect(value).toMatch(/^[\x20-\x7e\x80-\xff]*$/);
      expect(value).toBe(value.trim());
      expect(nameFromHeader(value), name).toBe(name);
      if (/^[\x21-\x7e]*$/.test(name) && !name.includes("UTF-8''")) expect(value).toBe(name);
    }
  });

  it('is the only text of a header beyond ASCII, and has no control characters', () => {
    expect(checkHeaderValue('psu-id', utf8('Jiří')).ok).toBe(true);
    expect(checkHeaderValue('PSU-Corporate-ID', 'J\u00fcrgen').ok).toBe(true);
    for (const bad of [utf8('a\u0085b'), 'a\nb', "UTF-8''a%0Ab", "UTF-8''a%E2%80%A8b"])
      expect(checkHeaderValue('PSU-ID', bad).ok, bad).toBe(false);
    expect(checkHeaderValue('PSU-Device-ID', utf8('ř')).ok).toBe(false);
    expect(checkHeaderValue('PSU-ID-Type', utf8('ř')).ok).toBe(false);
  });
});
