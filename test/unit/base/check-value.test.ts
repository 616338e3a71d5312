import { describe, expect, it } from 'vitest';
import { checkValue } from '../../../src/base/check-value.ts';
import { list, map, number, object, orNull, text, truth } from '../../../src/base/schema.ts';
import type { Schema } from '../../../src/base/schema.ts';

const day: Schema<string> = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d$' };
const anObject: Schema = { type: 'object' };
const pair: Schema = { type: 'array', prefixItems: [text, text], maxItems: 2 };

const kinds: [string, Schema, unknown, unknown[]][] = [
  ['text', text, 'x', [1, null, ['x'], {}]],
  ['text of a form', day, '2026-11-30', ['yesterday', '', 5, null]],
  ['number', number, 1, ['1', null]],
  ['truth value', truth, false, ['false', 0, null]],
  ['object', anObject, {}, [[], null, 'x']],
  ['list of objects', list(anObject), [{}], [{}, [null], [[]], 'x']],
  ['list of texts', list(text), ['x'], ['x', [1], [null]]],
  ['map of texts', map(text), { a: 'x' }, [{ a: 1 }, { a: null }, ['x'], null]],
  ['list of pairs', list(pair), [['a', 'b']], [[['a']], [['a', 'b', 'c']], [['a', 1]], [true], 'x', {}]],
];

describe('checkValue', () => {
  it.each(kinds)('tells a %s from anything else, needed or not', (_, schema, value, others) => {
    const [needed, perhaps] = [object({ it: schema }), object({}, { it: schema })];
    expect(checkValue({ it: value }, needed)).toBeUndefined();
    for (const other of others)
      expect(checkValue({ it: other }, needed), JSON.stringify(other)).toBeDefined();
    expect(checkValue({}, needed)).toMatchObject({ title: 'The body wants it.', pointer: '/it' });
    for (const absent of [{}, { it: undefined }]) expect(checkValue(absent, perhaps)).toBeUndefined();
    expect(checkValue({ it: null }, perhaps)).toBeDefined();
    expect(checkValue({ it: null }, object({ it: orNull(schema) }))).toBeUndefined();
  });

  it.each([null, [], 'x', 1])('finds that %j is no object', (value) => {
    expect(checkValue(value, object({}))).toMatchObject({ pointer: '' });
  });

  it('takes what one of several schemas takes, and tells what the first wants', () => {
    const either = object({ it: { anyOf: [text, object({ id: text }), { type: 'null' }] } });
    for (const it of ['x', { id: 'x' }, null]) expect(checkValue({ it }, either)).toBeUndefined();
    for (const it of [1, {}, { id: 1 }])
      expect(checkValue({ it }, either)?.title).toMatch(/^\/it is an \w+, not a string\.$/);
  });

  it('names the place of the first thing that is wrong, and what was meant', () => {
    const closed: Schema = { ...object({}, { name: text }), additionalProperties: false };
    const whole = object({ 'a/b': list(closed) });
    expect(checkValue({ 'a/b': [{}, { nmae: 1 }] }, whole)).toEqual({
      title: '/a~1b/1 has no member "nmae".',
      detail: 'It takes name.',
      pointer: '/a~1b/1/nmae',
      meant: ['name'],
    });
  });
});
