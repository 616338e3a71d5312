// What is said of a recording that cannot be told again as it is.
import { describe, expect, it } from 'vitest';
import { callsToTell } from '../../../../src/client/evidence/told-again.ts';
import { memoryFiles, memoryJournal } from '../../../helpers/fakes/index.ts';

const entry = (path: string, response: object | undefined) => ({
  startedDateTime: '2026-03-01T10:00:00.000Z',
  request: { method: 'GET', url: `https://bank.example/v1/${path}`, headers: [], bodySize: 0 },
  ...(response && { response: { headers: [], content: { text: '{"a":1}' }, ...response } }),
});
const har = (...entries: readonly object[]) => JSON.stringify({ log: { entries } });
const whole = entry('whole', { status: 200 });
const tell = (files: Readonly<Record<string, string>>) =>
  callsToTell({ files: memoryFiles(files), journal: memoryJournal() }, Object.keys(files), {});

describe('a recording for replay', () => {
  it.each<[string, object | undefined, string | undefined]>([
    ['nothing', { status: 200 }, undefined],
    ['an answer that is none', undefined, '1 call without an answer that ends it'],
    ['a status of browsers', { status: 0 }, '1 call without an answer that ends it'],
    ['an interim status', { status: 101 }, '1 call without an answer that ends it'],
    ['a status that HTTP has not', { status: 1000 }, '1 call without an answer that ends it'],
    ['a body of 204', { status: 204 }, '1 call with a body in an answer that has none (204, 205, 304)'],
    ['no body of 204', { status: 204, content: {} }, undefined],
    ['a body that was cut', { status: 200, content: { size: 90 } }, 'it has no body (GET /v1/odd).'],
    [
      'a body that is too short',
      { status: 200, headers: [{ name: 'content-length', value: '99' }] },
      'shorter than its Content-Length',
    ],
    [
      'a body that was opened',
      {
        status: 200,
        headers: [
          { name: 'Content-Length', value: '99' },
          { name: 'Content-Encoding', value: 'gzip' },
        ],
      },
      undefined,
    ],
    [
      'a secret that was cut out',
      {
        status: 200,
        headers: [{ name: 'Content-Length', value: '99' }],
        content: { text: '{"a":"[secret]"}' },
      },
      undefined,
    ],
  ])('is read with a note where it is worth one: %s', async (_case, response, note) => {
    const { calls, notes } = await tell({ 'a.har': har(whole, entry('odd', response)) });
    expect(calls).toHaveLength(2);
    expect(notes).toEqual(note === undefined ? [] : [expect.stringContaining(note)]);
  });

  it('counts the calls that share a note', async () => {
    const { notes } = await tell({ 'a.har': har(whole, entry('a', undefined), entry('b', { status: 101 })) });
    expect(notes).toEqual([expect.stringMatching(/^2 calls without .* \(the first: GET \/v1\/a\)\.$/)]);
  });

  it.each([
    ['{', 'b.har: It begins like JSON but is not valid JSON.'],
    [har(), 'b.har: It is HAR without an entry.'],
    ['hello', 'b.har: It is neither raw HTTP'],
    ['{"log":{"entries":[{}]}}', 'b.har: Entry 1 of the HAR'],
  ])('is named among several where it cannot be read: %s', async (text, detail) => {
    await expect(tell({ 'a.har': har(whole), 'b.har': text, 'c.har': har(whole) })).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      detail: expect.stringContaining(detail),
    });
  });
});
