import fc from 'fast-check';
import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { csvLine } from '../../../src/cli/render/table.ts';
import { trials } from '../../helpers/trials.ts';
import { anyCharacter } from '../../helpers/any-character.ts';

const row = trials('28', 2_000);

const pieces = fc.constantFrom(
  ...[
    '=',
    '+',
    '-',
    '@',
    '\t',
    '\r',
    '\n',
    '"',
    ',',
    ';',
    "'",
    ' ',
    '|',
    '\uff1d',
    '\uff0b',
    '\uff0d',
    '\uff20',
  ],
  ...['cmd|/c calc', 'HYPERLINK("http://evil.example")', 'SUM(A1:A9)', '1', '.5', '-1.50', '+49 30 1', 'x'],
);
const cells = fc.oneof(
  fc.array(pieces, { maxLength: 5 }).map((list) => list.join('')),
  fc.string({ unit: anyCharacter, maxLength: 10 }),
);

const begin = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/;

/** The cells of a line that is divided otherwise than it was written; what a quote begins is a cell only behind a divider. */
const divided = (line: string, delimiter: string): string[][] =>
  parse(line.replaceAll('\r', '\n'), {
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    quote: null,
    record_delimiter: '\n',
  }).map((cells, line) => cells.map((cell, at) => (line + at === 0 ? cell : cell.replace(/^"*/, ''))));

it(
  'no cell that a bank wrote is a formula, and the columns stay where they are',
  () => {
    fc.assert(
      fc.property(fc.array(cells, { minLength: 2, maxLength: 4 }), (line) => {
        const written = csvLine(line);
        // Read by a reader that is not ours.
        const read = parse(`${written}\n`, { relax_column_count: true, record_delimiter: '\n' });
        expect(read).toHaveLength(1);
        const [seen = []] = read;
        expect(seen).toHaveLength(line.length);
        for (const cell of seen) {
          if (/^-?\d+(\.\d+)?$/.test(cell)) continue;
          expect(cell).not.toMatch(begin);
        }
        // As a spreadsheet of a country where the comma stands before decimals opens it.
        for (const delimiter of [';', '\t'])
          for (const cells of divided(written, delimiter))
            // The amount in the first cell goes on with the cell behind it.
            for (const cell of cells) if (!/^-\d+(\.\d+)?,/.test(cell)) expect(cell).not.toMatch(begin);
      }),
      { numRuns: row.count, seed: row.seed },
    );
    row.report('0 formulas');
  },
  row.timeout(60_000),
);
