import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { secondsFor, sizes } from '../budget.ts';
import { findPart } from '../mutants/parts.ts';
import { withMistake } from '../planted.ts';
import { rows } from '../rows.ts';

const least = rows.reduce((sum, row) => sum + secondsFor(row, row.least), 0);

it.each([40, 60, 240])(
  'a budget of %s minutes is the time of all rows together, none below its least',
  (minutes) => {
    const { seconds, trials } = sizes(rows, minutes * 60);
    expect(seconds).toBeLessThanOrEqual(minutes * 60);
    // The next trial of some row would not fit, and that of the slowest is minutes long.
    expect(seconds).toBeGreaterThan(minutes * 60 * 0.9);
    for (const row of rows) {
      expect(trials.get(row)).toBeGreaterThanOrEqual(row.least);
      expect(trials.get(row)).toBeLessThanOrEqual(row.full);
    }
  },
);

it('a budget below the least becomes the least, and without a budget everything is in full size', () => {
  expect(sizes(rows, 1).seconds).toBe(least);
  for (const row of rows) expect(sizes(rows).trials.get(row)).toBe(row.full);
});

it('the least of all rows fits into 40 minutes', () => {
  expect(least).toBeLessThan(40 * 60);
});

it.each(
  rows.flatMap((row) => [row.mistake, ...(row.more ?? [])].map((mistake) => [row.id, mistake] as const)),
)('the mistake of row %s has one place: $1.says', (_row, mistake) => {
  expect(withMistake(mistake)).toBeDefined();
});

it('each planted mistake replaces the text that it was made for: a name counts, and what it counts moves', async () => {
  const places = rows.flatMap((row) =>
    [row.mistake, ...(row.more ?? [])].flatMap((mistake) => {
      if (!('at' in mistake)) return [];
      const text = findPart(mistake.at)?.node.getText() ?? '(gone)';
      return [`row ${row.id}  ${mistake.says}\n    ${mistake.at}\n    ${text.split('\n')[0] ?? ''}\n`];
    }),
  );
  await expect(places.join('')).toMatchFileSnapshot('../planted-places.txt');
});

it.each(rows)('the tests of row $id exist', ({ tests }) => {
  expect(tests.filter((file) => !existsSync(file))).toEqual([]);
});

it('each file that npm test runs in part is in the row that runs it whole', () => {
  const asks =
    /import \{[^}]*\b(?:isWhole|part|ranTable|runs|runsWhole)\b[^}]*\} from '[./]*\/helpers\/trials\.ts'/;
  const sources = readdirSync('test', { recursive: true, encoding: 'utf8' }).map((name) =>
    join('test', name),
  );
  const asking = (file: string) => asks.test(readFileSync(file, 'utf8'));
  const among = new Set(sources.filter((name) => name.endsWith('.ts') && asking(name)));
  const files = sources.filter((name) => {
    if (!name.endsWith('.test.ts') || name.endsWith('budget.test.ts')) return false;
    const beside = [...readFileSync(name, 'utf8').matchAll(/from '\.\/([^']+)'/g)];
    return among.has(name) || beside.some(([, other = '']) => among.has(join(name, '..', other)));
  });
  expect(files.length).toBeGreaterThan(10);
  const row = rows.find(({ id }) => id === 'tables');
  expect([...(row?.tests ?? [])].sort()).toEqual(files.sort());
});
