import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { operations } from '../../src/standard/xs2a/operations.ts';
import type { Operation } from '../../src/standard/xs2a/operations.ts';
import { absence, operationsOf, pathTemplate, presets } from '../../src/standard/xs2a/variants.ts';
import type { Variant } from '../../src/standard/xs2a/variants.ts';

interface Section {
  title: string;
  declared: number;
  lines: string[];
}

function sections(text: string): Section[] {
  const found: Section[] = [];
  for (const raw of text.split('\n')) {
    const line = raw.trim().replace(/\s+/g, ' ');
    if (line === '' || line.startsWith('#')) continue;
    const heading = /^== (.+) \(([0-9]+) operations\)$/.exec(line);
    if (heading) found.push({ title: heading[1]!, declared: Number(heading[2]), lines: [] });
    else found.at(-1)!.lines.push(line);
  }
  return found;
}

const linesOf = (variant: Variant, list: readonly Operation[]): string[] =>
  list.flatMap((op) =>
    op.success.map(({ status }) => `${op.method} ${pathTemplate(variant, op)} ${String(status)}`),
  );

const { v1, v136 } = presets;
const extrasOf = (variant: Variant): Operation[] =>
  operations.filter((op) => absence(variant, op.id) !== undefined);

const fromTable: Record<string, string[]> = {
  'v1 service': linesOf(v1, operationsOf(v1)),
  'v136 service': linesOf(v136, operationsOf(v136)),
  'v1 framework extras': linesOf(v1, extrasOf(v1)),
  'v136 framework extras': linesOf(v136, extrasOf(v136)),
};

const typed = sections(readFileSync(new URL('facts.txt', import.meta.url), 'utf8'));

describe('facts.txt and the operations table', () => {
  it('have the same sections', () => {
    expect(typed.map(({ title }) => title)).toEqual(Object.keys(fromTable));
  });

  it.each(typed)('agree in $title, in both directions', ({ title, declared, lines }) => {
    const table = fromTable[title]!;
    expect(
      lines.filter((line) => !table.includes(line)),
      'typed, but not in the table',
    ).toEqual([]);
    expect(
      table.filter((line) => !lines.includes(line)),
      'in the table, but not typed',
    ).toEqual([]);
    expect(new Set(lines).size).toBe(lines.length);
    expect(new Set(lines.map((line) => line.replace(/ \d+$/, ''))).size).toBe(declared);
  });
});
