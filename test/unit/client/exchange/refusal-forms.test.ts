// What banks write in place of the messages of the interface: the first code that is known decides, and no word is lost.
import { describe, expect, it } from 'vitest';
import type { BankMessage } from '../../../../src/base/errors.ts';
import { toleratedIn } from '../../../../src/client/exchange/verdict.ts';
import type { Verdict } from '../../../../src/client/exchange/verdict.ts';
import type { Header } from '../../../../src/settings/records/wire.ts';
import { get, judge, post, told } from '../verdicts.ts';

const error = (code: string | undefined, text?: string, more: object = {}): BankMessage => ({
  category: 'ERROR',
  ...(code !== undefined && { code }),
  ...(text !== undefined && { text }),
  ...more,
});
const list = (...tppMessages: unknown[]) => ({ tppMessages });
const expired = 'REJECTED 4 AUTH_NEEDED';
const plain = 'REJECTED 5 REFUSED';

type Row = readonly [
  title: string,
  status: number,
  body: unknown,
  end: string,
  messages: readonly BankMessage[],
  /** A place that is noted as tolerated; none where nothing is. */
  tolerated?: string,
];

const rows: readonly Row[] = [
  [
    'as the interface has it',
    401,
    list(error('CONSENT_EXPIRED', 'x')),
    expired,
    [error('CONSENT_EXPIRED', 'x')],
  ],
  [
    'the name of the second line',
    401,
    { apiClientMessages: [error('SIGNATURE_INVALID', 'x')] },
    'REJECTED 3 BANK_CONFIG',
    [error('SIGNATURE_INVALID', 'x')],
  ],
  [
    'both names',
    401,
    { ...list(error('ODD')), apiClientMessages: [error('CONSENT_EXPIRED')] },
    expired,
    [error('ODD'), error('CONSENT_EXPIRED')],
  ],
  [
    'a code that is null',
    400,
    list({ category: 'ERROR', code: null, text: 'Limit' }),
    plain,
    [error(undefined, 'Limit')],
    '/tppMessages/0/code',
  ],
  [
    'no code',
    400,
    list({ category: 'ERROR', text: 'Limit' }),
    plain,
    [error(undefined, 'Limit')],
    '/tppMessages/0/code',
  ],
  [
    'a code that is a number',
    400,
    list({ category: 'ERROR', code: 9010, text: 'Limit' }),
    plain,
    [error('9010', 'Limit')],
    '/tppMessages/0/code',
  ],
  [
    'a code that is an object',
    400,
    list({ category: 'ERROR', code: { value: 'X' } }),
    plain,
    [error(undefined, '{"category":"ERROR","code":{"value":"X"}}')],
    '/tppMessages/0/code',
  ],
  [
    'a code in small letters',
    401,
    list({ category: 'ERROR', code: 'consent_expired' }),
    expired,
    [error('CONSENT_EXPIRED')],
    '/tppMessages/0/code',
  ],
  [
    'a code in camel case',
    401,
    list({ category: 'ERROR', code: 'consentExpired' }),
    expired,
    [error('CONSENT_EXPIRED')],
    '/tppMessages/0/code',
  ],
  [
    'a code with hyphens',
    401,
    list({ category: 'ERROR', code: 'Consent-Expired' }),
    expired,
    [error('CONSENT_EXPIRED')],
    '/tppMessages/0/code',
  ],
  [
    'a code in another member',
    401,
    list({ category: 'ERROR', errorCode: 'CONSENT_EXPIRED' }),
    expired,
    [error('CONSENT_EXPIRED')],
    '/tppMessages/0/errorCode',
  ],
  [
    'a code in the text',
    401,
    list({ category: 'ERROR', code: null, text: 'CONSENT_EXPIRED: since May' }),
    expired,
    [error('CONSENT_EXPIRED', 'CONSENT_EXPIRED: since May')],
    '/tppMessages/0/text',
  ],
  [
    'a text in a list',
    400,
    list({ category: 'ERROR', code: 'FORMAT_ERROR', text: ['a', 'b'] }),
    plain,
    [error('FORMAT_ERROR', 'a; b')],
    '/tppMessages/0/text',
  ],
  [
    'message for text',
    400,
    list({ category: 'ERROR', code: 'FORMAT_ERROR', message: 'a' }),
    plain,
    [error('FORMAT_ERROR', 'a')],
    '/tppMessages/0/message',
  ],
  [
    'texts for objects',
    400,
    list('Zeitraum zu lang'),
    plain,
    [error(undefined, 'Zeitraum zu lang')],
    '/tppMessages/0',
  ],
  ['codes for objects', 401, list('CONSENT_EXPIRED'), expired, [error('CONSENT_EXPIRED')], '/tppMessages/0'],
  [
    'an object for the list',
    401,
    { tppMessages: { category: 'ERROR', code: 'CONSENT_EXPIRED' } },
    expired,
    [error('CONSENT_EXPIRED')],
    '/tppMessages',
  ],
  [
    'the known code second',
    401,
    list(error('GENERIC', 'x'), error('CONSENT_EXPIRED', 'y')),
    expired,
    [error('GENERIC', 'x'), error('CONSENT_EXPIRED', 'y')],
  ],
  [
    'a warning first',
    401,
    list({ category: 'WARNING', code: 'TOKEN_INVALID' }, error('SIGNATURE_INVALID')),
    'REJECTED 3 BANK_CONFIG',
    [{ category: 'WARNING', code: 'TOKEN_INVALID' }, error('SIGNATURE_INVALID')],
  ],
  [
    'a category in small letters',
    404,
    list({ category: 'warning', code: 'CONSENT_EXPIRED' }),
    plain,
    [{ category: 'WARNING', code: 'CONSENT_EXPIRED' }],
    '/tppMessages/0/category',
  ],
  [
    'no category',
    401,
    list({ code: 'CONSENT_EXPIRED' }),
    expired,
    [error('CONSENT_EXPIRED')],
    '/tppMessages/0/category',
  ],
  [
    'a problem beside them',
    401,
    { ...list(error('ODD')), code: 'CONSENT_EXPIRED', detail: 'd' },
    expired,
    [error('ODD'), error('CONSENT_EXPIRED', 'd')],
  ],
  ['a problem with a number', 400, { code: 17, title: 't' }, plain, [error('17', 't')], '/code'],
  [
    'a problem whose type is the code',
    401,
    { type: 'https://bank.example/errors/CONSENT_EXPIRED', title: 't' },
    expired,
    [error('CONSENT_EXPIRED', 't')],
    '/type',
  ],
  [
    'a problem whose title is the code',
    401,
    { type: 'about:blank', title: 'consent-expired', detail: 'd' },
    expired,
    [error('CONSENT_EXPIRED', 'd')],
    '/title',
  ],
  [
    'further errors without a code',
    400,
    { code: 'FORMAT_ERROR', additionalErrors: [{ title: 'z' }] },
    plain,
    [error('FORMAT_ERROR'), error(undefined, 'z')],
  ],
  [
    'a known code among the further errors',
    401,
    { code: 'ODD', additionalErrors: [error('CONSENT_EXPIRED')] },
    expired,
    [error('ODD'), error('CONSENT_EXPIRED')],
  ],
  [
    'an error around it',
    401,
    { error: { code: 'CONSENT_EXPIRED', message: 'm' } },
    expired,
    [error('CONSENT_EXPIRED', 'm')],
    '/error',
  ],
  [
    'messages within an error',
    401,
    { error: list(error('CONSENT_EXPIRED')) },
    expired,
    [error('CONSENT_EXPIRED')],
    '/error',
  ],
  [
    'a list of errors',
    401,
    { errors: [{ code: 'CONSENT_EXPIRED' }] },
    expired,
    [error('CONSENT_EXPIRED')],
    '/errors',
  ],
  [
    'an error of OAuth2 that is a code',
    401,
    { error: 'consent_expired', error_description: 'd' },
    expired,
    [error('CONSENT_EXPIRED', 'd')],
    '/error',
  ],
  [
    'the fault of a gateway',
    401,
    { fault: { faultstring: 's', detail: { errorcode: 'CERTIFICATE_EXPIRED' } } },
    'REJECTED 3 BANK_CONFIG',
    [error('CERTIFICATE_EXPIRED', 's')],
    '/fault',
  ],
  ['a bare list', 401, [error('CONSENT_EXPIRED')], expired, [error('CONSENT_EXPIRED')]],
  [
    'XML',
    401,
    '<?xml version="1.0"?><e><code>CONSENT_EXPIRED</code><text>Abgelaufen</text></e>',
    expired,
    [error('CONSENT_EXPIRED', 'CONSENT_EXPIRED Abgelaufen')],
  ],
];

const refusalOf = (verdict: Verdict) => {
  if (verdict.outcome !== 'REJECTED') throw new Error(told(verdict));
  return verdict.error;
};

describe('a refusal of the bank', () => {
  it.each(rows.map((row) => [row[0], row] as const))(
    'is understood with %s',
    (_, [, status, body, end, messages, at]) => {
      const verdict = judge(get, status, body);
      expect(told(verdict)).toBe(end);
      expect(refusalOf(verdict).messages).toEqual(messages);
      if (at !== undefined) expect(toleratedIn(verdict).map((one) => one.at)).toContain(at);
      const hasCode = messages.some(({ code }) => code !== undefined);
      if (hasCode) expect(refusalOf(verdict).detail ?? '').not.toContain('gave no code');
    },
  );

  it('is noted as tolerated nowhere where it is as the interface has it', () => {
    expect(toleratedIn(judge(get, 401, list(error('CONSENT_EXPIRED', 'x', { path: 'p' }))))).toEqual([]);
  });

  it('means what its first known code means, wherever that stands', () => {
    const refusal = refusalOf(judge(get, 401, list(error('GENERIC'), error('CONSENT_EXPIRED'))));
    expect(refusal.bankCode).toBe('CONSENT_EXPIRED');
    expect(refusal.with({ more: 'm' }).bankCode).toBe('CONSENT_EXPIRED');
    expect(refusal.detail).toMatch(/consent/i);
  });

  it.each([
    [
      'Bearer realm="x", error="invalid_token", error_description="The token expired"',
      'invalid_token: The token expired (WWW-Authenticate)',
    ],
    ['Bearer error=invalid_token', 'invalid_token (WWW-Authenticate)'],
    [
      'Basic realm="b", Bearer error="insufficient_scope", scope="pisp"',
      'insufficient_scope (WWW-Authenticate)',
    ],
    [
      'Bearer realm="x"',
      'The bank gave no code: the certificate, the signature or the token may be at fault.',
    ],
  ])('explains %s', (header, detail) => {
    const headers: Header[] = [['WWW-Authenticate', header]];
    const verdict = judge(get, 401, '', headers);
    expect(told(verdict)).toBe(expired);
    expect(refusalOf(verdict).detail).toBe(detail);
  });

  it('has the code of the interface in WWW-Authenticate, with the words of the body beside it', () => {
    const headers: Header[] = [['WWW-Authenticate', 'Bearer error="consent_expired"']];
    expect(refusalOf(judge(get, 403, '', headers)).exit).toBe(4);
    const both = refusalOf(judge(get, 401, 'Nein', [['WWW-Authenticate', 'Bearer error="invalid_token"']]));
    expect(both.detail).toBe('Nein; invalid_token (WWW-Authenticate)');
  });

  it('has its messages shown where it proves nothing of a payment', () => {
    const verdict = judge(post, 409, list({ category: 'ERROR', code: 4711, text: 'Doppelte Zahlung' }));
    expect(verdict).toMatchObject({
      outcome: 'UNKNOWN',
      error: {
        detail: 'The bank answered 409: 4711: Doppelte Zahlung.',
        messages: [error('4711', 'Doppelte Zahlung')],
      },
    });
    expect(toleratedIn(verdict)).toHaveLength(1);
  });

  it('has its first messages shown where it proves nothing, not just one of them', () => {
    const verdict = judge(post, 500, list(error('A', 'a'), error('B', 'b')));
    expect(verdict).toMatchObject({ error: { detail: 'The bank answered 500: A: a; B: b.' } });
  });
});
