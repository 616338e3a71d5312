// What banks write in place of tppMessages: shown as it came, and the first known code decides wherever it stands.
import { expect, it } from 'vitest';
import { decisiveCode } from '../../../../src/standard/xs2a/bank-messages.ts';
import { readErrorBody, refusalInSuccess } from '../../../../src/standard/xs2a/tpp-messages.ts';
import { refusalExit } from '../../../../src/client/exchange/judge.ts';

const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));
const one = (more: object) => ({ tppMessages: [{ category: 'ERROR', ...more }] });

/** Status, body, the code that decides, the exit, and words that must be shown. */
type Row = [status: number, body: unknown, code: string | undefined, exit: number, words: string[]];
it.each<Row>([
  [
    401,
    { apiClientMessages: [{ category: 'ERROR', code: 'SIGNATURE_INVALID', text: 'x' }] },
    'SIGNATURE_INVALID',
    3,
    ['x'],
  ],
  [400, one({ code: null, text: 'Tageslimit' }), undefined, 5, ['Tageslimit']],
  [400, one({ text: 'Tageslimit' }), undefined, 5, ['Tageslimit']],
  [409, one({ code: 4711, text: 'Doppelte Zahlung' }), '4711', 5, ['4711', 'Doppelte Zahlung']],
  [400, { tppMessages: ['Zeitraum zu lang'] }, undefined, 5, ['Zeitraum zu lang']],
  [400, { tppMessages: 'Zeitraum zu lang' }, undefined, 5, ['Zeitraum zu lang']],
  [401, one({ code: 'consent_expired' }), 'CONSENT_EXPIRED', 4, []],
  [401, one({ code: 'consentExpired' }), 'CONSENT_EXPIRED', 4, []],
  [401, one({ code: 'consent-expired' }), 'CONSENT_EXPIRED', 4, []],
  [401, one({ code: 'CONSENT_EXPIRED', message: 'it is over' }), 'CONSENT_EXPIRED', 4, ['it is over']],
  [401, { tppMessages: { category: 'ERROR', code: 'CONSENT_EXPIRED' } }, 'CONSENT_EXPIRED', 4, []],
  [
    401,
    {
      tppMessages: [
        { category: 'ERROR', code: 'GENERIC', text: 'x' },
        { category: 'ERROR', code: 'CONSENT_EXPIRED', text: 'y' },
      ],
    },
    'CONSENT_EXPIRED',
    4,
    ['GENERIC', 'x', 'y'],
  ],
  [
    401,
    { ...one({ code: 'TOKEN_INVALID', text: 'x' }), title: 'Unauthorized', detail: 'the token is old' },
    'TOKEN_INVALID',
    4,
    ['x', 'the token is old'],
  ],
  [
    401,
    one({ code: 'PSU_LOCKED_OUT', text: 'Access is locked' }),
    'PSU_LOCKED_OUT',
    4,
    ['PSU_LOCKED_OUT', 'Access is locked'],
  ],
  [401, { tppMessages: [{ code: 'CONSENT_EXPIRED' }] }, 'CONSENT_EXPIRED', 4, []],
])('a refusal is read: %i %j: code %s, exit %d', (status, body, code, exit, words) => {
  const read = readErrorBody(bytes(body), { contentType: 'application/json' });
  expect(decisiveCode(read.messages)).toBe(code);
  expect(refusalExit(status, read.messages)).toBe(exit);
  const shown = JSON.stringify([read.messages, read.text]);
  for (const word of words) expect(shown).toContain(word);
});

it('a refusal with an empty body is read from WWW-Authenticate', () => {
  const wwwAuthenticate = 'Bearer realm="x", error="invalid_token", error_description="The token expired"';
  const read = readErrorBody(new Uint8Array(), { wwwAuthenticate });
  expect(read.text).toBe('invalid_token: The token expired (WWW-Authenticate)');
});

it('a refusal with a code in another spelling is noted', () => {
  const read = readErrorBody(bytes(one({ code: 'consentExpired' })), { contentType: 'application/json' });
  expect(read.tolerated).toMatchObject([{ at: '/tppMessages/0/code' }]);
});

it.each([
  [one({ code: 'CONSENT_EXPIRED', text: 'y' }), true],
  [{ tppMessages: [{ category: 'WARNING', code: 'WARNING' }] }, false],
  [{ ...one({ code: 'CONSENT_EXPIRED' }), accounts: [] }, false],
  [{}, false],
])('a body %j with a status of success is a refusal: %s', (body, is) => {
  expect(refusalInSuccess(bytes(body), { contentType: 'application/json' }) !== undefined).toBe(is);
});
