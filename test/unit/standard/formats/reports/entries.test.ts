import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEntries } from '../../../../../src/standard/formats/reports/report.ts';
import { pieces } from './reading.ts';

/** The lines that a report gives; `error` is what it broke off with. */
async function lines(report: string | Uint8Array, limit = Infinity, sizes?: readonly number[]) {
  const bytes = typeof report === 'string' ? Buffer.from(report) : report;
  let text = '';
  let error: unknown;
  try {
    for await (const block of readEntries(pieces(bytes, sizes), limit)) text += Buffer.from(block).toString();
  } catch (thrown) {
    error = thrown;
  }
  expect(text === '' || text.endsWith('\n')).toBe(true);
  return { lines: text.split('\n').slice(0, -1), error };
}

const odd = '{ "amount":1.50e0,"x" : [1 , "ö\\u00f6\\/\\n"],"amount":"twice"}';

describe('the entries of a JSON list as they were written', () => {
  it('keep their blanks, escapes, numbers and order, whatever list they stand in', async () => {
    const report = `{"transactions":{"booked":[${odd}\n, {}],"pending":[ "a text" ],"_links":{"next":{"href":"/x"}}}}`;
    expect(await lines(report)).toEqual({ lines: [odd, '{}', '"a text"'], error: undefined });
    expect((await lines(`\u{feff}[${odd},2]`, Infinity, [1])).lines).toEqual([odd, '2']);
  });

  it('are one line each where they were laid out by lines, with the same values', async () => {
    const entry = '{\n  "amount": 1.50,\r\n  "text": "a\\nb"\n}';
    expect((await lines(`{"booked":[${entry}]}`)).lines).toEqual(['{"amount":1.50,"text":"a\\nb"}']);
  });

  it('are as many as requested', async () => {
    const report = `{"booked":[${Array.from({ length: 30 }, (_, at) => String(at)).join(',')}]}`;
    for (const sizes of [[7], [65_536]])
      expect((await lines(report, 12, sizes)).lines).toEqual(
        Array.from({ length: 12 }, (_, at) => String(at)),
      );
  });

  it('are those of any parser', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 8 }),
        fc.constantFrom(undefined, 1),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 }),
        async (entries, indent, sizes) => {
          const report = JSON.stringify({ cardTransactions: { booked: entries } }, null, indent);
          const read = await lines(report, Infinity, sizes);
          expect(read.error).toBeUndefined();
          expect(read.lines.map((line) => JSON.parse(line) as unknown)).toEqual(
            entries.map((entry) => JSON.parse(JSON.stringify(entry)) as unknown),
          );
        },
      ),
    );
  });

  it.each<[string, string | Uint8Array, string[], RegExp]>([
    ['a list that is cut off', '{"booked":[{"a":"1"},{"a"', ['{"a":"1"}'], /ends too early/],
    ['what is no UTF-8', Buffer.from('{"booked":["a","\u00ff"]}', 'latin1'), ['"a"'], /not UTF-8/],
    ['what has no list', '{"tppMessages":[]}', [], /no list of transactions/],
    ['an entry that is none, by lines', '{"booked":[{\n"a":tru}]}', [], /entry 1/],
    [
      'an entry in the place of a list',
      '{"booked":["a"],"pending":{"a":"1"}}',
      ['"a"'],
      /pending is no list/,
    ],
    ['camt', '<Document/>', [], /camt/],
    ['MT940', ':20:X\n', [], /MT940/],
  ])('yield the whole lines first: %s', async (_, report, whole, why) => {
    const read = await lines(report);
    expect(read.lines).toEqual(whole);
    expect((read.error as { detail: string }).detail).toMatch(why);
  });
});
