import { describe, expect, it } from 'vitest';
import { fieldPicker, flatten, parseFields } from '../../../../src/cli/render/fields.ts';
import { toJson } from '../../../../src/cli/render/json.ts';
import { readJson } from '../../../../src/standard/xs2a/json.ts';

const document = { a: 1, b: { c: 'x', d: 'y' }, list: [{ e: 1, f: 2 }, { e: 3 }] };

describe('--fields', () => {
  it.each<[string, unknown]>([
    ['a', { a: 1 }],
    ['a,b.c', { a: 1, b: { c: 'x' } }],
    ['b.c,b.d', { b: { c: 'x', d: 'y' } }],
    ['list.e', { list: [{ e: 1 }, { e: 3 }] }],
    ['missing,b.missing', { missing: null, b: { missing: null } }],
    ['a.below', { a: null }],
    [' a , ', { a: 1 }],
    ['toString,__proto__', JSON.parse('{"toString":null,"__proto__":null}')],
  ])('%s', (fields, picked) => {
    expect(toJson(fieldPicker(parseFields(fields))(document), { pretty: false })).toBe(
      JSON.stringify(picked),
    );
  });

  it('picks from every element of a list', () => {
    expect(fieldPicker(['a'])([{ a: 1, b: 2 }, { a: 3 }])).toEqual([{ a: 1 }, { a: 3 }]);
  });

  it('keeps the digits of a bank', () => {
    const json = readJson('{"n":1.10,"m":12345678901234567890}');
    expect(toJson(fieldPicker(['n', 'm'])(json), { pretty: false })).toBe(
      '{"n":1.10,"m":12345678901234567890}',
    );
  });
});

it('flatten names nested members', () => {
  expect(flatten(document)).toEqual([
    ['a', 1],
    ['b.c', 'x'],
    ['b.d', 'y'],
    ['list.0.e', 1],
    ['list.0.f', 2],
    ['list.1.e', 3],
  ]);
});

it('JSON is pretty for a person and harmless for a terminal', () => {
  expect(toJson({ a: '\u202e\u0007' }, { pretty: true })).toBe('{\n  "a": "\\u202e\\u0007"\n}');
});
