// The habits of CONTRIBUTING's page on words, over all that obk prints, its comments and its papers.
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { habits, sentencesOf, withHabit } from '../helpers/words/habits.ts';
import { allTexts, textsOfCode, textsOfPaper } from '../helpers/words/texts.ts';

const texts = allTexts(resolve(import.meta.dirname, '../..'));

describe.each(habits)('the habit "$name"', (habit) => {
  it.each(habit.found)('is found in: %s', (text) => {
    expect(sentencesOf(text).some((sentence) => habit.pattern.test(sentence))).toBe(true);
  });

  it.each(habit.fine)('is not found in: %s', (text) => {
    expect(sentencesOf(text).filter((sentence) => habit.pattern.test(sentence))).toEqual([]);
  });

  it('occurs at most as often as its row allows (`npm run words -- habits` lists each place)', () => {
    expect([...withHabit(texts, habit)].length).toBeLessThanOrEqual(habit.left);
  });
});

describe('the texts of a file of code', () => {
  it('are its literals of two words and more, those within another among them, and its comments', () => {
    const source = [
      "import x from 'a b c';",
      '/** Reads one file. */',
      "const a = 'no' + `two words ${b ? 'or three words' : ''}` + ' and more';",
      '// One comment',
      '// in two lines.',
      "type T = 'a literal type';",
    ].join('\n');
    expect(textsOfCode('a.ts', source).map(({ kind, line, text }) => [kind, line, text])).toEqual([
      ['comment', 2, 'Reads one file.'],
      ['printed', 3, 'notwo words … and more'],
      ['printed', 3, 'or three words'],
      ['comment', 4, 'One comment in two lines.'],
    ]);
  });

  it('are the paragraphs, items and cells of a paper, without its blocks of code', () => {
    const source =
      '# Title\n\nOne\nparagraph.\n- an item\n  of two lines\n\n```sh\nobk x\n```\n| a | b |\n|---|---|\n';
    expect(textsOfPaper('a.md', source).map(({ text }) => text)).toEqual([
      'Title',
      'One paragraph.',
      'an item of two lines',
      'a',
      'b',
    ]);
  });
});
