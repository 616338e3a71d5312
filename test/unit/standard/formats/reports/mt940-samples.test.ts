// Statements typed from the descriptions of banks and of open readers, one for each variant: what is told of them is read, what
// cannot be read is named, and nothing else is said to be wrong.
import { describe, expect, it } from 'vitest';
import { expectRows, samplesOf } from './samples.ts';

/** Entries and information alone stand in a statement. */
function whole(lines: string): string {
  if (/^ ?:(?:20|60).?:/m.test(lines) || lines.includes(':20:')) return `${lines}\n`;
  const entry = lines.startsWith(':61') ? lines : `:61:2601020102D10,00NTRFNONREF\n${lines}`;
  return [':20:1', ':25:DE1', ':60F:C260101EUR0,00', entry, ':62M:C260102EUR0,00', ''].join('\n');
}

const files = [
  ...['banks', 'netherlands', 'germany', 'eastern', 'elsewhere', 'described', 'world', 'asia'],
  ...['framing', 'entries', 'balances', 'parts', 'words'],
];

it('the MT940 samples are at least 400', () => {
  const titles = files.flatMap((name) =>
    samplesOf('mt940', name, whole).map(({ title }) => `${name} ${title}`),
  );
  expect(new Set(titles).size).toBe(titles.length);
  expect(titles.length).toBeGreaterThanOrEqual(400);
});

describe.each(files)('an MT940 statement: %s', (name) => {
  it.each(samplesOf('mt940', name, whole))('is read: $title', async (sample) => {
    const { text, problems } = sample;
    for (const end of ['\n', '\r\n', '\r']) {
      const told = await expectRows(text.replaceAll('\n', end), sample);
      // The frame of a part of a statement has balances that need not agree.
      const own = text.includes(':62M:C260102EUR0,00\n') && !text.includes(':28C:1/2');
      expect(told.filter((code) => !own || code !== 'sum-differs')).toEqual(problems);
    }
  });
});
