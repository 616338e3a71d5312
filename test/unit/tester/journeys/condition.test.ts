import { describe, expect, it } from 'vitest';
import { failures } from '../../../../src/tester/journeys/condition.ts';
import type { Operator } from '../../../../src/tester/journeys/condition.ts';
import { textOf, valueAt } from '../../../../src/tester/journeys/values.ts';
import { JsonNumber } from '../../../../src/standard/xs2a/json.ts';

const holds = (operator: Operator, value: unknown, ...wanted: string[]) =>
  failures(value, [{ operator, wanted }]).length === 0;

describe('a condition', () => {
  it.each<[Operator, unknown, string[], boolean]>([
    ['is', 'ACSC', ['ACSC'], true],
    ['is', 'ACSC', ['acsc'], false],
    ['is', true, ['true'], true],
    ['is', undefined, [''], false],
    ['is', null, ['null'], false],
    ['is', new JsonNumber('12.50'), ['12.5'], true],
    ['is', '12.50', ['12.5'], false],
    ['not', undefined, ['x'], true],
    ['in', 'b', ['a', 'b'], true],
    ['in', 'c', ['a', 'b'], false],
    ['contains', 'abc', ['bc'], true],
    ['contains', ['a', 'b'], ['b'], true],
    ['contains', ['ab'], ['b'], false],
    ['matches', 'abc', ['^a.c$'], true],
    ['matches', undefined, [''], false],
    ['matches', 'a', ['(a'], false],
    ['exists', null, ['true'], false],
    ['exists', '', ['true'], true],
    ['exists', undefined, ['false'], true],
    ['count', [1, 2], ['2'], true],
    ['count', 'ab', ['2'], false],
    ['atLeast', '10.00', ['9.99'], true],
    ['atLeast', '9.99', ['10.00'], false],
    ['above', '90071992547409931', ['90071992547409930'], true],
    ['below', '-0.01', ['0'], true],
    ['atMost', 'abc', ['1'], false],
  ])('is judged: %s of %j and %j is %s', (operator, value, wanted, is) => {
    expect(holds(operator, value, ...wanted)).toBe(is);
  });

  it('holds for every element where there is one and each fits', () => {
    const all = [{ operator: 'is' as const, wanted: ['EUR'] }];
    expect(failures(['EUR', 'EUR'], all, true)).toEqual([]);
    expect(failures(['EUR', 'USD'], all, true)).toEqual(['is EUR']);
    expect(failures([], all, true)).toEqual(['is EUR']);
  });
});

describe('a pointer into a document', () => {
  const document = { a: [{ b: 'x' }, { b: 'y', c: null }], 'k-1': { d: new JsonNumber('1.10') } };

  it.each<[string, unknown]>([
    ['a.0.b', 'x'],
    ['a[1].b', 'y'],
    ['a.*.b', ['x', 'y']],
    ['a[*].b', ['x', 'y']],
    ['a.2.b', undefined],
    ['k-1.d', new JsonNumber('1.10')],
    ['toString', undefined],
    ['a.length', undefined],
  ])('finds %s', (pointer, value) => {
    expect(valueAt(document, pointer)).toEqual(value);
  });

  it.each<[string, unknown]>([
    ['*.accounts.*.iban', ['A', 'B', 'C']],
    ['*.accounts.*', [{ iban: 'A' }, { iban: 'B' }, { iban: 'C' }]],
    ['*.accounts', [[{ iban: 'A' }, { iban: 'B' }], [{ iban: 'C' }], []]],
    ['*.accounts.0.iban', ['A', 'C']],
    ['*.none.*.iban', []],
  ])('has one list for lists within lists: %s', (pointer, value) => {
    const people = [
      { accounts: [{ iban: 'A' }, { iban: 'B' }] },
      { accounts: [{ iban: 'C' }] },
      { accounts: [] },
    ];
    expect(valueAt(people, pointer)).toEqual(value);
  });

  it('keeps a number as exact as it is written', () => {
    expect(textOf(valueAt(document, 'k-1.d'))).toBe('1.10');
  });
});
