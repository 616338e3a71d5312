import { describe, expect, it } from 'vitest';
import { operation } from '../../../../src/standard/xs2a/operations.ts';
import { readAnswer } from '../../../../src/standard/xs2a/answer.ts';
import { inUtf8 } from '../../../../src/standard/xs2a/json-charset.ts';
import { readErrorBody } from '../../../../src/standard/xs2a/tpp-messages.ts';
import { presets } from '../../../../src/standard/xs2a/variants.ts';
import { rowsOf } from '../formats/reports/reading.ts';

const json = (charset?: string) =>
  charset === undefined ? 'application/json' : `application/json; charset=${charset}`;
const umlauts = '{"name":"Müller"}';

describe('JSON of a Content-Type with a charset', () => {
  it.each([
    [Buffer.from(umlauts, 'latin1'), json('ISO-8859-1')],
    [Buffer.from(umlauts, 'latin1'), json('"iso-8859-15"')],
    [Buffer.from(umlauts, 'latin1'), 'application/problem+json;charset=windows-1252'],
    [Buffer.from(umlauts, 'utf16le'), json('utf-16le')],
    // A bank that names the wrong one, or none that anybody knows.
    [Buffer.from(umlauts), json('ISO-8859-1')],
    [Buffer.from(umlauts), json('utf-8')],
    [Buffer.from(umlauts), json('klingon')],
    [Buffer.from(umlauts), json()],
  ])('is read: %#', (body, contentType) => {
    expect(Buffer.from(inUtf8(body, contentType)).toString()).toBe(umlauts);
  });

  it('is read in an answer, which notes it, and in a refusal', () => {
    const body = Buffer.from('{"accounts":[{"resourceId":"a","currency":"EUR","name":"Müller"}]}', 'latin1');
    const headers = [['Content-Type', json('ISO-8859-1')] as const];
    const answer = readAnswer(operation('getAccountList'), presets.v1, { status: 200, headers, body });
    expect(answer.json).toMatchObject({ accounts: [{ name: 'Müller' }] });
    expect(answer.tolerated).toEqual([{ at: 'Content-Type', what: 'the charset of JSON is ISO-8859-1' }]);
    const refused = Buffer.from(
      '{"tppMessages":[{"category":"ERROR","code":"FORMAT_ERROR","text":"Größe"}]}',
      'latin1',
    );
    expect(readErrorBody(refused, { contentType: json('ISO-8859-1') }).messages).toMatchObject([
      { text: 'Größe' },
    ]);
  });

  it.each([
    ['latin1', 'ISO-8859-1'],
    ['utf16le', 'utf-16le'],
    ['utf8', 'ISO-8859-1'],
  ] as const)('is read in a list that streams: %s as %s', async (encoding, charset) => {
    const one = (name: string) =>
      `{"bookingDate":"2026-01-02","creditorName":"${name}","transactionAmount":{"currency":"EUR","amount":"-1.00"}}`;
    const names = Array.from(
      { length: 2000 },
      (_, at) => `Müller & Söhne ${'ß'.repeat(at % 50)}${String(at)}`,
    );
    const list = Buffer.from(`{"transactions":{"booked":[${names.map(one).join()}]}}`, encoding);
    const rows = await rowsOf(list, { contentType: json(charset) });
    expect(rows.map((row) => row.counterpartyName)).toEqual(names);
  });
});
