// Statements typed from the descriptions of banks and of open readers, one for each variant: what is told of them is read, what
// cannot be read is named, and nothing else is said to be wrong.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reading } from './reading.ts';

interface Sample {
  title: string;
  text: string;
  /** Of each row what must stand in it; null where it has none. */
  rows: readonly Readonly<Record<string, unknown>>[];
  problems: readonly string[];
  note: string | undefined;
}

const folder = join(import.meta.dirname, 'mt940');
const marked = ['marks', 'entryAsSent'];

/** A sample is a title, lines, and what they are read as; entries and information alone stand in a statement. */
function samplesOf(name: string): Sample[] {
  const samples = readFileSync(join(folder, `${name}.txt`), 'utf8')
    .split(/^# /m)
    .slice(1);
  return samples.map((sample) => {
    const [, title = '', lines = '', result = ''] = /^(.*)\n([^]*)\n=> (.*)\n$/.exec(sample) ?? [];
    const [, json = '', problems = '', note] =
      /^([[{].*?[\]}])(?: !((?: [a-z-]+)+))?(?: note (.*))?$/.exec(result) ?? [];
    const rows = JSON.parse(json) as Sample['rows'] | Sample['rows'][number];
    return {
      title,
      text: whole(lines),
      rows: Array.isArray(rows) ? (rows as Sample['rows']) : [rows as Sample['rows'][number]],
      problems: problems.trim().split(' ').filter(Boolean),
      note,
    };
  });
}

function whole(lines: string): string {
  if (/^ ?:(?:20|60).?:/m.test(lines) || lines.includes(':20:')) return `${lines}\n`;
  const entry = lines.startsWith(':61') ? lines : `:61:2601020102D10,00NTRFNONREF\n${lines}`;
  return [':20:1', ':25:DE1', ':60F:C260101EUR0,00', entry, ':62M:C260102EUR0,00', ''].join('\n');
}

const files = [
  'banks',
  'framing',
  'entries',
  'balances',
  'parts',
  'words',
  'netherlands',
  'germany',
  'eastern',
  'elsewhere',
];

it('are at least 150', () => {
  const titles = files.flatMap((name) => samplesOf(name).map(({ title }) => `${name} ${title}`));
  expect(new Set(titles).size).toBe(titles.length);
  expect(titles.length).toBeGreaterThanOrEqual(150);
});

describe.each(files)('statements: %s', (name) => {
  it.each(samplesOf(name))('$title', async ({ text, rows: wanted, problems, note }) => {
    for (const end of ['\n', '\r\n', '\r']) {
      const { items, rows, error } = await reading(text.replaceAll('\n', end), { code: 'INPUT_INVALID' });
      expect(error).toBeUndefined();
      expect(rows).toHaveLength(wanted.length);
      for (const [at, row] of rows.entries())
        for (const [key, value] of [...Object.entries(wanted[at] ?? {}), ...unmarked(wanted[at])])
          expect([key, row[key as keyof typeof row] ?? null]).toEqual([key, value]);
      const told = items.flatMap((item) => (item.kind === 'problem' ? [item.problem.code] : []));
      // The frame of a part of a statement has balances that need not agree.
      const own = text.includes(':62M:C260102EUR0,00\n') && !text.includes(':28C:1/2');
      expect(told.filter((code) => !own || code !== 'sum-differs')).toEqual(problems);
      const notes = items.flatMap((item) => (item.kind === 'note' ? [item.note.text] : []));
      if (note !== undefined) expect(notes).toEqual([note]);
    }
  });
});

/** What is not said of a row must not be in it: a mark. */
const unmarked = (wanted: Readonly<Record<string, unknown>> = {}) =>
  marked.filter((key) => !(key in wanted) && !('marks' in wanted)).map((key) => [key, null] as const);
