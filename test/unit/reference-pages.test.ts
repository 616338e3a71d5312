import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { guides, projectRoot } from '../helpers/guides.ts';
import { referencePages } from '../helpers/reference/pages.ts';

describe('the reference pages', () => {
  it.each(Object.entries(referencePages))(
    '%s is as the tables of obk have it (`npm run completions`)',
    (path, text) => {
      expect(readFileSync(join(projectRoot, path), 'utf8')).toBe(text);
      expect(text.split('\n').length).toBeLessThanOrEqual(250);
    },
  );

  it('are all there are below docs/reference', () => {
    expect(guides.filter((name) => name.startsWith('docs/reference/'))).toEqual(
      Object.keys(referencePages).sort(),
    );
  });
});
