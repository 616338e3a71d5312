// Samples of statements in text files: a title, what a bank wrote, and what it is read as, typed before it was read.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { reading } from './reading.ts';

export interface Sample {
  title: string;
  text: string;
  /** Of each row what must stand in it; null where it has none. */
  rows: readonly Readonly<Record<string, unknown>>[];
  problems: readonly string[];
  note: string | undefined;
}

/** Returns the samples of a file; `whole` puts a statement around what is a part of one. */
export function samplesOf(folder: string, name: string, whole: (lines: string) => string): Sample[] {
  const samples = readFileSync(join(import.meta.dirname, folder, `${name}.txt`), 'utf8')
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

/** Reads a sample and compares its rows and notes; returns the codes of the problems that were told. */
export async function expectRows(text: string, { rows: wanted, note }: Sample): Promise<string[]> {
  const { items, rows, error } = await reading(text, { code: 'INPUT_INVALID' });
  expect(error).toBeUndefined();
  expect(rows).toHaveLength(wanted.length);
  for (const [at, row] of rows.entries())
    for (const [key, value] of [...Object.entries(wanted[at] ?? {}), ...unmarked(wanted[at])])
      expect([key, row[key as keyof typeof row] ?? null]).toEqual([key, value]);
  const notes = items.flatMap((item) => (item.kind === 'note' ? [item.note.text] : []));
  if (note !== undefined) expect(notes).toEqual([note]);
  return items.flatMap((item) => (item.kind === 'problem' ? [item.problem.code] : []));
}

/** What is not said of a row must not be in it: a mark. */
const unmarked = (wanted: Readonly<Record<string, unknown>> = {}) =>
  ['marks', 'entryAsSent']
    .filter((key) => !(key in wanted) && !('marks' in wanted))
    .map((key) => [key, null] as const);
