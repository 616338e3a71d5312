import { describe, expect, it } from 'vitest';
import { missingEnd } from '../../../src/client/exchange/whole-answer.ts';
import { bareBalance, swiftBalance } from '../../../src/standard/formats/mt940/mt940-amount.ts';
import { readSlashes } from '../../../src/standard/formats/mt940/mt940-slashes.ts';
import { mtReport } from '../../../src/standard/formats/mt940/mt940.ts';
import type { TransactionRow } from '../../../src/standard/formats/rows/transaction-row.ts';
import { csvLine } from '../../../src/cli/render/table.ts';
import { readSignature } from '../../../src/signing/signature-check.ts';
import type { Answer } from '../../../src/standard/xs2a/answer.ts';

/** As long as a field of MT940 may be; what takes the square of it takes seconds, the cube hours. */
const length = 64_000;
const many = (text: string) => text.repeat(Math.floor(length / text.length));

const answered = (body: string) => {
  const bytes = Buffer.from(body);
  const answer = { kind: 'status', media: 'xml', body: bytes } as unknown as Answer;
  return missingEnd({ status: 200, headers: [], body: bytes, endedByClose: true }, answer);
};

describe('a long text of a bank is read in a time that grows with its length', () => {
  it.each<[string, () => unknown]>([
    ['a balance of blanks', () => swiftBalance(many(' '))],
    ['a balance of a sign and blanks', () => swiftBalance(`C${many(' ')}`)],
    ['a balance of digits', () => swiftBalance(`C${many('1')}`)],
    ['a balance that ends in blanks and a letter', () => swiftBalance(`C261121EUR1,${many(' ')}x`)],
    ['a balance without a currency, of blanks', () => bareBalance(many(' '), 'EUR')],
    [
      'a value of slashes',
      () => {
        readSlashes({} as TransactionRow, [{ word: 'EREF', value: `x${many('/')}x` }], 'debit');
      },
    ],
    [
      'a file of blanks',
      () => {
        mtReport({}, () => undefined).write(many(' '));
      },
    ],
    ['a cell of tabs', () => csvLine([`x${many('\t')}x`])],
    ['a cell of quotes behind a semicolon', () => csvLine([`;${many('"')}x`])],
    ['a signature of blanks', () => readSignature(`keyId=x${many(' ')}x`)],
    ['a signature of commas', () => readSignature(`keyId=x${many(' ,')}x`)],
    ['XML of begun tags', () => answered(many('<a b="'))],
    ['XML of begun comments', () => answered(many('<!--'))],
    ['XML of blanks in its end', () => answered(`<a>${many('</a ')}`)],
  ])('%s', (_, read) => {
    const start = performance.now();
    read();
    expect(performance.now() - start).toBeLessThan(500);
  });
});

describe('and says the same as before', () => {
  it.each<[string, string | undefined]>([
    ['<?xml version="1.0"?>\n<!-- a <b> -->\n<p:Doc.x a="1">t</p:Doc.x >', undefined],
    ['\ufeff<Doc></Doc>', undefined],
    ['<Doc/>', 'the connection ended before the text did'],
    ['<Doc><a></a>', 'the connection ended before the text did'],
    ['<Doc></Doc><!-- more -->', 'the connection ended before the text did'],
    ['<!-- <Doc></Doc>', 'the connection ended before the text did'],
    ['text', 'the connection ended before the text did'],
  ])('of %j', (body, why) => {
    expect(answered(body)).toBe(why);
  });
});
