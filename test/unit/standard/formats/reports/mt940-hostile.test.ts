// Texts of field 86 made of everything that has a meaning somewhere: words, slashes, numbered parts, line ends and capitals in any
// order. Whatever becomes of them, each piece of text is somewhere in the row.
import { expect, it } from 'vitest';
import { Dice } from '../../../../helpers/dice.ts';
import { reading } from './reading.ts';

const capitals = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const digits = '0123456789';
const between = [
  'EREF',
  'MARF',
  'ORDP',
  'BENM',
  'ULTD',
  'IBAN',
  'BIC',
  'NAME',
  'ID',
  'ADDR',
  'CD',
  'PURP',
  'PREF',
  'RTRN',
].concat([
  'TRTP',
  'REMI',
  'SVWZ',
  'CNTP',
  'ACCW',
  'OCMT',
  'CHGS',
  'COAM',
  'EXCH',
  'ISDT',
  'ABWA',
  'RTYP',
  'SUM',
  'USTD',
  'STRD',
]);
const withPlus = [
  'EREF',
  'KREF',
  'MREF',
  'CRED',
  'COAM',
  'OAMT',
  'SVWZ',
  'ABWA',
  'IBAN',
  'BIC',
  'PURP',
  'RTYP',
  'ORDP',
  'NAME',
  'REMI',
];
const numbers = [
  '00',
  '10',
  '20',
  '21',
  '22',
  '29',
  '30',
  '31',
  '32',
  '33',
  '34',
  '35',
  '37',
  '38',
  '60',
  '61',
  '63',
  '64',
  '96',
];
const known = new Set([...between, ...withPlus]);

const some = (by: Dice, of: string, count: number): string =>
  Array.from({ length: count }, () => of[by.below(of.length)]).join('');

/** Pieces of text that are no words, each of which must be found again. */
class Pieces {
  readonly told: string[] = [];
  readonly #by: Dice;

  constructor(by: Dice) {
    this.#by = by;
  }

  next(): string {
    const by = this.#by;
    const made = [
      some(by, capitals, 4),
      some(by, capitals.toLowerCase(), 5),
      some(by, digits, 6),
      some(by, capitals, 2) + some(by, digits, 4),
    ][by.below(4)] as string;
    if (known.has(made)) return this.next();
    this.told.push(made);
    return made;
  }
}

type Layout = (by: Dice, next: () => string) => string;
const gap = (by: Dice): string => by.pick([' ', '/', '//', '\n', ' / ', ', ', ': ', ';', '']);
const times = (by: Dice, most: number, one: () => string): string =>
  Array.from({ length: 1 + by.below(most) }, one).join('');

const layouts: Readonly<Record<string, Layout>> = {
  slashes: (by, next) =>
    times(by, 12, () => `/${by.pick(between)}/${by.pick(['', '/'])}${times(by, 3, () => next() + gap(by))}`),
  parts: (by, next) => {
    const sign = by.pick(['?', '~', '^', '<', '>', '+', '@', '$']);
    const part = () => by.pick(['', '', `${by.pick(withPlus)}+`]) + next() + by.pick([' ', '', '\n', '/']);
    return by.pick(['', '166', '999']) + times(by, 12, () => sign + by.pick(numbers) + times(by, 3, part));
  },
  plus: (by, next) => times(by, 12, () => `${by.pick(withPlus)}+${times(by, 3, () => next() + gap(by))} `),
  mixed: (by, next) =>
    times(by, 24, () => {
      const sign = by.pick(['?', '~']) + some(by, digits, 2);
      const word = by.pick([`/${by.pick(between)}/`, `${by.pick(withPlus)}+`, `${by.pick(withPlus)}:`]);
      return by.pick([next, next, () => sign, () => word, () => '\n'])() + gap(by);
    }),
};

it.each(Object.entries(layouts))('any order of %s loses nothing', async (_, layout) => {
  const by = new Dice(19);
  for (let turn = 0; turn < 150; turn += 1) {
    const pieces = new Pieces(by);
    // A line that begins otherwise would be a field, a block or an end.
    const text = layout(by, () => pieces.next())
      .replace(/\n+/g, '\n')
      .replace(/\n(?=[:{-])/g, '\n.')
      .replace(/^\n/, '');
    const mark = by.pick(['C', 'D', 'RC', 'RD']);
    const { rows } = await reading(
      `:20:1\n:25:DE1\n:60F:C260101EUR0,00\n:61:2601020102${mark}10,00NTRFNONREF\n:86:${text}\n:62F:C260102EUR10,00\n`,
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.amount, text).toBe(mark === 'D' || mark === 'RC' ? '-10.00' : '10.00');
    const kept = Object.values(rows[0] ?? {})
      .join(' ')
      .replace(/\s/g, '');
    expect(
      pieces.told.filter((piece) => !kept.includes(piece)),
      text,
    ).toEqual([]);
  }
});
