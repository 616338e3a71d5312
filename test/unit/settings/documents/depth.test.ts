import { describe, expect, it } from 'vitest';
import { readDocument } from '../../../../src/settings/documents/document.ts';

const many = 50_000;

describe('a text that is nested without end', () => {
  it.each([
    ['lists', '['.repeat(many)],
    ['lists that end', `why: ${'['.repeat(many)}${']'.repeat(many)}`],
    ['maps', `{"consent": ${'{"why":'.repeat(many)}1${'}'.repeat(many)}}`],
    ['lists in one line', `why: \n  ${'- '.repeat(many)}x`],
    ['keys in one line', '? '.repeat(many)],
    ['maps of many lines', Array.from({ length: 2000 }, (_, at) => `${' '.repeat(at)}a:`).join('\n')],
  ])('is reported before its reader sees it: %s', (_, text) => {
    const read = readDocument(text, 'bank.yaml', 'settings');
    expect(read).toMatchObject({ faults: [{ why: 'it holds more than 64 levels' }] });
  });

  it.each([
    [
      'brackets in texts',
      `why: "${'['.repeat(200)}"\nother: '${'{'.repeat(200)}'\nblock: |\n  ${'['.repeat(200)}`,
    ],
    ['many short lists', `all:\n${'  - [a, {b: c}]\n'.repeat(500)}`],
    ['a long line', `why: ${'word '.repeat(1000)}`],
    ['a far block of text', `why: |\n  x\n  ${' '.repeat(600)}far\nnext: [a]`],
    ['as many levels as there may be', `${'['.repeat(60)}x${']'.repeat(60)}`],
  ])('is not taken for one that has %s', (_, text) => {
    expect('root' in readDocument(text, 'bank.yaml', 'settings')).toBe(true);
  });
});
