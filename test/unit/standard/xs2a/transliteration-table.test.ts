// The conversion table of EPC217-08 cell by cell, and each cell in which obk writes something else, with its reason.
import { describe, expect, it } from 'vitest';
import { transliterate } from '../../../../src/standard/xs2a/transliteration.ts';

/** Rows of sixteen cells from a code point on: a letter of the basic set, or a full stop where the table has none. */
const latin: Readonly<Record<string, string>> = {
  '20': " .*...*'()*+,-./",
  '30': '0123456789:,...?',
  '40': '.ABCDEFGHIJKLMNO',
  '50': 'PQRSTUVWXYZ(/).-',
  '60': "'abcdefghijklmno",
  '70': 'pqrstuvwxyz(/)-*',
  A0: ' ...............',
  B0: '...............?',
  C0: 'AAAAAAACEEEEIIII',
  D0: '.NOOOOO.OUUUUYbs',
  E0: 'aaaaaaaceeeeiiii',
  F0: '.nooooo.ouuuuypy',
  '100': 'AaAaAaCcCcCcCcDd',
  '110': 'DdEeEeEeEeEeGgGg',
  '120': 'GgGgHiHiIiIiIiIi',
  '130': 'IiIiJjKk.LlLlLlL',
  '140': 'lLlNnNnNn.......',
  '150': 'OoOoRrRrRrSsSsSs',
  '160': 'SsTtTtTtUuUuUuUu',
  '170': 'UuUuWwYyYZzZzZz.',
  '180': '................',
  '190': '................',
  '210': '........SsTt....',
};

/** From a code point on, one word for each cell. */
const others: Readonly<Record<string, string>> = {
  '386': 'A . E I I . O . Y O i A V G D E Z I TH I K L M N X O P R . S T Y F CH PS O I Y a e i i y',
  '3B1': 'a v g d e z i th i k l m n x o p r s s t y f ch ps o i y o y o',
  '410': 'A B V G D E ZH Z I Y K L M N O P R S T U F H TS CH SH SHT A . Y . YU YA',
  '430': 'a b v g d e zh z i y k l m n o p r s t u f h ts ch sh sht a . y . yu ya',
  '20AC': 'E',
};

/** What obk writes in place of a cell. */
const differences: readonly (readonly [why: string, cells: Readonly<Record<string, string>>])[] = [
  ['a capital and its small letter have the same base', { ĥ: 'h', ħ: 'h', Þ: 'B', þ: 'b' }],
  [
    'a letter that the table does not have is written by its base',
    { ...{ Ō: 'O', ō: 'o', Ŏ: 'O', ŏ: 'o', ſ: 's', Ȑ: 'R', ȑ: 'r', Ȓ: 'R', ȓ: 'r' }, Ȕ: 'U', ȕ: 'u', Ȗ: 'U' },
  ],
  ['and so are these', { ȗ: 'u', Ȟ: 'H', ȟ: 'h', ª: 'a', º: 'o', '¹': '1', '²': '2', '³': '3' }],
  ['a sign that people type for an apostrophe is one', { '´': "'" }],
];

const cells = [
  ...Object.entries(latin).map(([from, row]) => [from, [...row]] as const),
  ...Object.entries(others).map(([from, row]) => [from, row.split(' ')] as const),
].flatMap(([from, row]) =>
  row.map((written, at) => [String.fromCodePoint(Number.parseInt(from, 16) + at), written] as const),
);

describe('the conversion table of the EPC', () => {
  it('is what obk writes, but for the cells that are named', () => {
    const named = new Map(differences.flatMap(([, found]) => Object.entries(found)));
    for (const [character, written] of named)
      expect([character, transliterate(character)]).toEqual([character, written]);
    const wrong = cells
      // These two have no cell: nothing is to be written for them.
      .filter(([character, written]) => written !== '*' && !named.has(character))
      .map(([character, written]) => [character, transliterate(character), written])
      .filter(([, written, wanted]) => written !== wanted);
    expect(wrong).toEqual([]);
    expect(cells.length).toBeGreaterThan(450);
  });
});
