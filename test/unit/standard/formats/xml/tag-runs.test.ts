import { describe, expect, it } from 'vitest';
import { TagRuns } from '../../../../../src/standard/formats/xml/tag-runs.ts';

/** Reads runs of one tag each, and tells of each whether it was known when it came. */
function known(written: readonly string[]): boolean[] {
  const runs = new TagRuns<string>();
  return written.map((text) => {
    if (runs.at(text, 0) !== undefined) return true;
    runs.add(text, false, 0);
    runs.end(text, text.length);
    return false;
  });
}

const longTag = (length: number) => `<${'A'.repeat(length - 2)}>`;

describe('the runs of tags of a message', () => {
  it('are known when they come again after the same one', () => {
    expect(known(['<A>', '<B>', '<A>', '<B>', '<A>'])).toEqual([false, false, false, true, true]);
  });

  it('are kept up to a length', () => {
    expect(known([longTag(2048), longTag(2048), longTag(2048)]).at(-1)).toBe(true);
    expect(known([longTag(2049), longTag(2049), longTag(2049)]).at(-1)).toBe(false);
  });

  it('are kept up to a number', () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => `<A${String(at)}>`);
    expect(known([...many(999), '<B>', '<B>', '<B>']).at(-1)).toBe(true);
    expect(known([...many(1000), '<B>', '<B>', '<B>']).at(-1)).toBe(false);
  });

  it('are not looked for within a run that is read, nor learnt where a piece ended in one', () => {
    const runs = new TagRuns<string>();
    const text = '<A><B>';
    runs.add('A', false, 0);
    expect(runs.at(text, 3)).toBeUndefined();
    runs.cut();
    runs.add('B', false, 0);
    runs.end('<B>', 3);
    expect(runs.at('<B>', 0)).toBeUndefined();
  });
});
