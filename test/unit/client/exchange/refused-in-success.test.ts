import { describe, expect, it } from 'vitest';
import type { BankMessage } from '../../../../src/base/errors.ts';
import { toleratedIn } from '../../../../src/client/exchange/verdict.ts';
import { get, judge, post, put, remove, told } from '../verdicts.ts';

const error = (code: string, text?: string): BankMessage => ({
  category: 'ERROR',
  code,
  ...(text !== undefined && { text }),
});
const list = (...tppMessages: BankMessage[]) => ({ tppMessages });
const expired = 'REJECTED 4 AUTH_NEEDED';
const plain = 'REJECTED 5 REFUSED';

describe('an error with a status of success', () => {
  const coded = list(error('CONSENT_EXPIRED', 'y'));
  it.each([
    ['of a read', get, 200, coded, expired],
    [
      'of a read, with the name of the second line',
      get,
      200,
      { apiClientMessages: coded.tppMessages },
      expired,
    ],
    ['of a read, as one message', get, 200, { tppMessages: coded.tppMessages[0] }, expired],
    ['of a read, with links', get, 200, { ...coded, _links: {} }, expired],
    ['of a read, as a problem', get, 200, { code: 'CONSENT_EXPIRED', title: 't' }, expired],
    ['of a read, with a code of nobody', get, 200, list(error('ODD')), plain],
    ['of a list of transactions', 'getTransactionList', 200, coded, expired],
    ['of a list of accounts', 'getAccountList', 200, coded, expired],
    ['beside what was asked for', get, 200, { ...coded, transactionStatus: 'RCVD' }, 'DONE'],
    [
      'that is a warning',
      'getTransactionList',
      200,
      list({ category: 'WARNING', code: 'CONSENT_EXPIRED' }),
      'DONE',
    ],
    ['of a payment', post, 200, list(error('FORMAT_ERROR')), plain],
    ['of a payment that seems created', post, 201, list(error('FORMAT_ERROR')), 'UNKNOWN 12 OUTCOME_UNKNOWN'],
    ['of a payment, with a code of nobody', post, 200, list(error('ODD')), 'UNKNOWN 12 OUTCOME_UNKNOWN'],
    ['of an update', put, 200, list(error('PSU_CREDENTIALS_INVALID')), 'REJECTED 9 DECLINED'],
    ['of a cancellation', remove, 200, list(error('CANCELLATION_INVALID')), 'REJECTED 9 DECLINED'],
    [
      'of a cancellation, with a code of nobody',
      remove,
      200,
      list(error('ODD')),
      'UNKNOWN 12 OUTCOME_UNKNOWN',
    ],
  ] as const)('is judged: that %s', (_, id, status, body, end) => {
    const verdict = judge(id, status, body);
    expect(told(verdict)).toBe(end);
    if (end !== 'DONE')
      expect(toleratedIn(verdict)).toContainEqual({
        at: '/tppMessages',
        what: 'a refusal has a status of success',
      });
  });
});

describe('a status 501', () => {
  it.each([post, put, remove, get, 'createConsent', 'startPaymentAuthorisation'] as const)(
    'means that %s is not offered',
    (id) => {
      for (const body of ['', {}, '<html>Not Implemented</html>'])
        expect(told(judge(id, 501, body))).toBe(plain);
      const detail = 'The bank does not offer this (501 Not Implemented).';
      expect(judge(id, 501, {})).toMatchObject({ error: { detail } });
      expect(judge(id, 501)).toMatchObject({
        error: { title: expect.stringMatching(/^The bank refused/) as string },
      });
    },
  );
});
