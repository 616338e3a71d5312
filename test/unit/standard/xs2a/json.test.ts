import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ObkError } from '../../../../src/base/errors.ts';
import { Secret } from '../../../../src/base/secret.ts';
import {
  JsonNumber,
  isJsonObject,
  member,
  readJson,
  stringMember,
  toPlain,
  writeJson,
} from '../../../../src/standard/xs2a/json.ts';
import { anyCharacter } from '../../../helpers/any-character.ts';
import { runs } from '../../../helpers/trials.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('readJson', () => {
  it.each([
    ['null', null],
    [' true ', true],
    ['\t\r\n"x"', 'x'],
    ['[]', []],
    ['{}', {}],
    ['[1,[2,{"a":"b"}]]', [1, [2, { a: 'b' }]]],
    ['{"a":{"b":[false,null]}}', { a: { b: [false, null] } }],
    [String.raw`"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00"`, '"\\/\b\f\n\r\té😀'],
    ['"é😀"', 'é😀'],
    ['{"":""}', { '': '' }],
    ['-0.5e+3', -500],
  ])('reads %s', (text, value) => {
    for (const source of [text, bytes(text), bytes(`\ufeff${text}`), `\ufeff${text}`]) {
      expect(JSON.parse(writeJson(readJson(source)))).toEqual(value);
    }
  });

  it.each([
    ['', /too early/],
    ['   ', /too early/],
    ['{', /too early/],
    ['{"a"', /too early/],
    ['{"a":1', /too early/],
    ['[1', /too early/],
    ['"abc', /within a string/],
    ['"abc\\', /within a string/],
    ['"abc\\"', /within a string/],
    ['{"a":1,}', /"}" is not expected \(line 1, column 8\)/],
    ['[1,]', /"]" is not expected/],
    ['[1 2]', /"2" is not expected/],
    ['{a:1}', /"a" is not expected/],
    ["{'a':1}", /is not expected/],
    ['{"a":1}\n{"b":2}', /line 2, column 1/],
    ['01', /"1" is not expected/],
    ['+1', /is not expected/],
    ['.5', /is not expected/],
    ['1.', /is not expected/],
    ['1e', /is not expected/],
    ['-', /is not expected/],
    ['NaN', /is not expected/],
    ['Infinity', /is not expected/],
    ['tru', /is not expected/],
    ['"\u0001"', /control character/],
    ['"a\nb"', /control character/],
    ['"\\x41"', /wrong escape/],
    ['"\\u12"', /wrong escape/],
    ['// x\n1', /is not expected/],
    ['<html>', /is not expected/],
    ['{"a":1,"a":2}', /"a" occurs twice \(line 1, column 8\)/],
    ['{"a":1,"\\u0061":2}', /twice/],
    ['{"__proto__":1,"__proto__":2}', /twice/],
  ])('refuses %j', (text, why) => {
    expect(() => readJson(text)).toThrow(ObkError);
    expect(detailOf(() => readJson(text))).toMatch(why);
  });

  const detailOf = (run: () => unknown): string => {
    try {
      run();
    } catch (error) {
      return error instanceof ObkError ? (error.detail ?? '') : '';
    }
    return '';
  };

  it('refuses what is not UTF-8', () => {
    expect(detailOf(() => readJson(Uint8Array.of(0x22, 0xe9, 0x22)))).toMatch(/not UTF-8/);
    expect(detailOf(() => readJson(Uint8Array.of(0x22, 0xc0, 0x80, 0x22)))).toMatch(/not UTF-8/);
  });

  it('refuses countless values whatever they are, and accepts the limit itself', () => {
    const list = (value: string, count: number): string =>
      `[${Array.from({ length: count }, () => value).join()}]`;
    expect(detailOf(() => readJson(list('{}', 249_999)))).toBe('');
    for (const value of ['{}', '[]', '1', '""', 'null'])
      expect(detailOf(() => readJson(list(value, 250_000)))).toMatch(
        /holds more than 250000 values \(line 1/,
      );
    expect(detailOf(() => readJson(list('1', 250_000), { maxValues: Infinity }))).toBe('');
  });

  it('refuses too deep and too long documents, and accepts the limit itself', () => {
    const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    expect(() => readJson(deep(64))).not.toThrow();
    expect(detailOf(() => readJson(deep(65)))).toMatch(/deeper than 64/);
    expect(() => readJson(deep(3), { maxDepth: 2 })).toThrow(ObkError);
    expect(() => readJson('[1234567]', { maxBytes: 9 })).not.toThrow();
    expect(detailOf(() => readJson('[12345678]', { maxBytes: 9 }))).toMatch(/longer than 9 bytes/);
    expect(() => readJson('['.repeat(1_000_000))).toThrow(ObkError);
  });

  it('fails as an unreadable answer, or as an invalid input where set so', () => {
    const codeOf = (options?: { code: 'INPUT_INVALID' }): unknown => {
      try {
        readJson('{', options);
      } catch (error) {
        return error instanceof ObkError ? [error.code, error.exit] : error;
      }
      return undefined;
    };
    expect(codeOf()).toEqual(['ANSWER_UNREADABLE', 6]);
    expect(codeOf({ code: 'INPUT_INVALID' })).toEqual(['INPUT_INVALID', 2]);
  });

  it.each(['0', '-0', '1.10', '1e400', '123456789012345678901234567890', '0.1000', '1E5', '-1.50e-07'])(
    'keeps the number %s as it is written',
    (text) => {
      const value = readJson(text);
      expect(value).toBeInstanceOf(JsonNumber);
      expect(writeJson(value)).toBe(text);
    },
  );

  it('returns objects that no key can reach out of', () => {
    const value = readJson('{"__proto__":{"polluted":true},"constructor":1,"hasOwnProperty":2}');
    expect(isJsonObject(value)).toBe(true);
    expect(Object.getPrototypeOf(value)).toBeNull();
    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor', 'hasOwnProperty']);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(member(value, '__proto__')).toEqual({ polluted: true });
    expect(member(readJson('{}'), 'toString')).toBeUndefined();
    expect(Object.keys(toPlain(value) as object)).toHaveLength(3);
    expect(writeJson(value)).toBe('{"__proto__":{"polluted":true},"constructor":1,"hasOwnProperty":2}');
  });

  it('agrees with JSON.parse on every document that both accept', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        let failed = false;
        try {
          readJson(text);
        } catch {
          failed = true; // only a duplicate key
        }
        const expected = JSON.parse(text) as unknown;
        if (!failed) expect(JSON.parse(writeJson(readJson(text)))).toEqual(expected);
      }),
      { numRuns: runs(2000) },
    );
  });

  it('never does anything but read or throw ObkError, and accepts nothing that JSON.parse refuses', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      '\\u',
      'a',
      '"a"',
      '1',
      '-',
      '.',
      'e',
      '0',
      'true',
      'null',
      ' ',
      '\n',
      '\u0000',
      '\ud800',
      '"__proto__"',
      '\ufeff',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 24 }), (list) => {
        const text = list.join('');
        try {
          readJson(text);
        } catch (error) {
          expect(error).toBeInstanceOf(ObkError);
          return;
        }
        expect(() => JSON.parse(text.replace(/^\ufeff/, '')) as unknown).not.toThrow();
      }),
      { numRuns: runs(5000) },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (data) => {
        try {
          readJson(data);
        } catch (error) {
          expect(error).toBeInstanceOf(ObkError);
        }
      }),
    );
  });
});

describe('writeJson', () => {
  it('is lossless: write, read, write gives the same text', () => {
    const number = fc
      .tuple(
        fc.constantFrom('', '-'),
        fc.bigInt({ min: 0n, max: 10n ** 30n }),
        fc.constantFrom('', '.50', '.0', 'e7', 'E-3'),
      )
      .map(([sign, whole, rest]) => new JsonNumber(`${sign}${String(whole)}${rest}`));
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        fc.string({ unit: anyCharacter }),
        fc.constant(null),
        fc.boolean(),
        number,
        fc.array(tie('tree'), { maxLength: 5 }),
        fc.dictionary(fc.string({ unit: anyCharacter }), tie('tree'), { maxKeys: 5 }),
      ),
    }));
    fc.assert(
      fc.property(tree, fc.constantFrom(0, 2), (value, indent) => {
        const text = writeJson(value, indent);
        expect(writeJson(readJson(text), indent)).toBe(text);
        const controls = /\p{Cc}|\p{Zl}|\p{Zp}|[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;
        expect(text.replaceAll('\n', '')).not.toMatch(controls);
      }),
      { numRuns: runs(1000) },
    );
  });

  it('indents, leaves undefined out, honours toJSON', () => {
    const value = { a: [1, { b: 'x' }], c: undefined, d: {}, e: [], f: new Secret('hunter2'), g: 5n };
    expect(writeJson(value, 2)).toBe(
      '{\n  "a": [\n    1,\n    {\n      "b": "x"\n    }\n  ],\n  "d": {},\n  "e": [],\n  "f": "[secret]",\n  "g": 5\n}',
    );
    expect(writeJson(value)).toBe('{"a":[1,{"b":"x"}],"d":{},"e":[],"f":"[secret]","g":5}');
    expect(writeJson(undefined)).toBe('null');
    expect(writeJson([undefined])).toBe('[null]');
  });

  it('escapes what a terminal might act on', () => {
    expect(writeJson('a\u001b\u009b\u202e\u200d\u2028\u{e0041}\u007fé')).toBe(
      String.raw`"a\u001b\u009b\u202e\u200d\u2028\udb40\udc41\u007fé"`,
    );
  });
});

describe('JsonNumber', () => {
  it('becomes a plain number only where nothing is lost', () => {
    expect(toPlain(readJson('{"a":4,"b":1.10,"c":12345678901234567890,"d":[6]}'))).toEqual({
      a: 4,
      b: '1.10',
      c: '12345678901234567890',
      d: [6],
    });
    expect(JSON.stringify({ a: new JsonNumber('1.10'), b: new JsonNumber('7') })).toBe('{"a":"1.10","b":7}');
    expect(String(new JsonNumber('1.10'))).toBe('1.10');
  });

  it('is not a string member', () => {
    expect(stringMember(readJson('{"a":1}'), 'a')).toBeUndefined();
    expect(stringMember(readJson('{"a":"1"}'), 'a')).toBe('1');
    expect(member(readJson('[1]'), '0')).toBeUndefined();
  });
});
