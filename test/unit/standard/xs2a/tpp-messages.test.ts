import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messagesOf } from '../../../../src/standard/xs2a/bank-messages.ts';
import { readErrorBody } from '../../../../src/standard/xs2a/tpp-messages.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const error = (code: string, more: object = {}) => ({ category: 'ERROR', code, ...more });

describe('readErrorBody', () => {
  it.each([
    [
      'tppMessages',
      '{"tppMessages":[{"category":"ERROR","code":"FORMAT_ERROR","path":"x","text":"y"},{"category":"WARNING","code":"WARNING"}]}',
      [error('FORMAT_ERROR', { path: 'x', text: 'y' }), { category: 'WARNING', code: 'WARNING' }],
    ],
    ['tppMessages', '{"tppMessages":{"code":"CONSENT_EXPIRED"}}', [error('CONSENT_EXPIRED')]],
    [
      'problem',
      '{"type":"https://berlingroup.com/error-codes/TOKEN_UNKNOWN","code":"TOKEN_UNKNOWN","title":"t","detail":"d","additionalErrors":[{"code":"FORMAT_ERROR","title":"z"},{"title":"no code"}]}',
      [
        error('TOKEN_UNKNOWN', { text: 'd' }),
        error('FORMAT_ERROR', { text: 'z' }),
        { category: 'ERROR', text: 'no code' },
      ],
    ],
    ['bare-array', '[{"category":"ERROR","code":"ACCESS_EXCEEDED"}]', [error('ACCESS_EXCEEDED')]],
    ['bare-array', '\ufeff [{"code":"ACCESS_EXCEEDED"}]', [error('ACCESS_EXCEEDED')]],
  ])('reads %s', (shape, text, messages) => {
    expect(readErrorBody(bytes(text), { contentType: 'application/json' })).toMatchObject({
      shape,
      messages,
    });
  });

  it.each([
    [
      'fault',
      '{"fault":{"faultstring":"Rate limit","detail":{"errorcode":"policies.Quota"}}}',
      'policies.Quota: Rate limit',
    ],
    ['fault', '{"fault":"x"}', '{"fault":"x"}'],
    ['oauth', '{"error":"invalid_token","error_description":"expired"}', 'invalid_token: expired'],
    ['json', '{"message":"Forbidden"}', '{"message":"Forbidden"}'],
    ['json', '[]', '[]'],
    ['json', '[1,"x"]', '[1,"x"]'],
    [
      'html',
      '<!DOCTYPE html><html><head><style>a{}</style><title>502</title></head><body>Bad <b>Gateway</b></body>',
      '502 Bad Gateway',
    ],
    ['text', 'upstream failed', 'upstream failed'],
    ['text', '{"tppMessages":[', '{"tppMessages":['],
    ['text', '{"a":1,"a":2}', '{"a":1,"a":2}'],
    ['text', 'x'.repeat(5000), 'x'.repeat(200)],
    ['empty', '', undefined],
    ['empty', ' \r\n ', undefined],
  ])('reads %s as what it is: no codes, its words at most (%#)', (shape, text, words) => {
    const read = readErrorBody(bytes(text), { contentType: shape === 'html' ? 'text/html' : undefined });
    expect(read.shape).toBe(shape);
    expect(read.messages).toEqual([]);
    expect(read.text).toBe(words);
  });

  it('reads the links, which steer on after a wrong secret', () => {
    const body =
      '{"tppMessages":[{"category":"ERROR","code":"PSU_CREDENTIALS_INVALID"}],"_links":{"transactionAuthorisation":{"href":"/v1/x"},"foo":{"href":"/y"}}}';
    expect(readErrorBody(bytes(body))).toMatchObject({
      hasLinks: true,
      links: { known: { authoriseTransaction: '/v1/x' }, unknown: { foo: '/y' } },
    });
    expect(readErrorBody(bytes('{"tppMessages":[]}')).hasLinks).toBe(false);
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array(), fc.json().map(bytes)), (body) => {
        readErrorBody(body, { contentType: 'application/json' });
      }),
    );
  });

  it('caps the number of messages', () => {
    const many = Array.from({ length: 500 }, () => '{"code":"FORMAT_ERROR"}').join(',');
    expect(readErrorBody(bytes(`{"tppMessages":[${many}]}`)).messages).toHaveLength(100);
    expect(messagesOf(undefined)).toEqual([]);
  });
});
