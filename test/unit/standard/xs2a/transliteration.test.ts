import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkCharset } from '../../../../src/standard/xs2a/check.ts';
import { transliterate } from '../../../../src/standard/xs2a/transliteration.ts';

describe('transliterate', () => {
  // By the conversion table of EPC217-08.
  it.each([
    ['Müller & Söhne', 'Muller + Sohne'],
    ['Straße 7', 'Strase 7'],
    ['ÄÖÜ äöü', 'AOU aou'],
    ['Café Åse Ørsted', 'Cafe Ase Orsted'],
    ['Łódź, Kraków', 'Lodz, Krakow'],
    ['Ħĕŀŀœ ħ', 'Hello h'],
    ['Ψυχή Θέατρο', 'PSychi THeatro'],
    ['Щастие ЮЯ', 'SHTastie YUYA'],
    ['5 €', '5 E'],
    ['a@b_c.d', 'a.b-c.d'],
    ['[x] {y} \\ | ~ ` ; < > = # $ % * ! ^ "', "(x) (y) / / - ' , . . . . . . . . . ."],
    ['¿Qué?', '?Que?'],
    ['O’Brien – 10\u00a0000', "O'Brien - 10 000"],
    ['Nguyễn Shōta', 'Nguyen Shota'],
    ['😀', '.'],
  ])('turns %j into %j', (text, written) => {
    expect(transliterate(text)).toBe(written);
    expect(transliterate(text.normalize('NFD'))).toBe(written);
    expect(checkCharset(written)).toBeUndefined();
  });

  it('leaves what every bank accepts, and lets nothing else through but line breaks', () => {
    const basic = "abcXYZ019/-?:().,'+ ";
    expect(transliterate(basic)).toBe(basic);
    expect(transliterate('a\nb')).toBe('a\nb');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const written = transliterate(text).replace(/\p{Cc}/gu, '');
        expect(checkCharset(written)).toBeUndefined();
        expect(transliterate(written)).toBe(written);
      }),
    );
  });
});
