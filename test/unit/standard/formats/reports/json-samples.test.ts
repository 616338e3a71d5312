// Lists of transactions in JSON as banks write them, typed from their descriptions, and the rows that they are.
import { describe, expect, it } from 'vitest';
import { expectRows, samplesOf } from './samples.ts';

describe('a list in JSON', () => {
  it.each(samplesOf('json', 'lists', (lines) => lines))('is read: $title', async (sample) => {
    expect(await expectRows(sample.text, sample)).toEqual(sample.problems);
  });
});
