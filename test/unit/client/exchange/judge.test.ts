import { describe, expect, it } from 'vitest';
import { TransportFailure } from '../../../../src/base/errors.ts';
import { judgeFailure } from '../../../../src/client/exchange/judge.ts';
import type { OperationId } from '../../../../src/standard/xs2a/operations.ts';
import { asked, coded, created, get, judge, lost, post, put, remove, start, told } from '../verdicts.ts';
import { journalOutcome } from '../../../../src/client/exchange/verdict.ts';

describe('a complete answer', () => {
  it.each<[string, OperationId, number, unknown, string]>([
    // Success, as far as it can be read.
    ['201', post, 201, created, 'DONE'],
    ['201 as 200, of a replaying bank', post, 200, created, 'DONE'],
    ['201 without _links', post, 201, { transactionStatus: 'RCVD', paymentId: 'p' }, 'DONE'],
    ['201 without an id', post, 201, { transactionStatus: 'RCVD' }, 'UNKNOWN 12 OUTCOME_UNKNOWN'],
    ['201 cut off', post, 201, '{"transactionStatus":"RCVD","payme', 'UNKNOWN 12 OUTCOME_UNKNOWN'],
    ['201 of a gateway', post, 201, '<html>welcome</html>', 'UNKNOWN 12 OUTCOME_UNKNOWN'],
    ['201 without a body', post, 201, '', 'UNKNOWN 12 OUTCOME_UNKNOWN'],
    ['200 of an update', put, 200, { scaStatus: 'finalised' }, 'DONE'],
    ['200 of an update, broken', put, 200, '{', 'UNKNOWN 12 OUTCOME_UNKNOWN'],
    ['204', remove, 204, '', 'DONE'],
    ['202', remove, 202, { transactionStatus: 'ACTC', _links: {} }, 'DONE'],
    ['200 of a read', get, 200, { transactionStatus: 'RJCT' }, 'DONE'],
    ['200 of a read, broken', get, 200, '{', 'FAILED 6 ANSWER_UNREADABLE'],
    ['200 of a read, HTML', get, 200, '<html></html>', 'FAILED 6 ANSWER_UNREADABLE'],
    // Redirects are never followed; a write may have been carried out all the same.
    ['300 on a read', get, 300, { transactionStatus: 'RCVD' }, 'FAILED 6 REDIRECTED'],
    ['300 on a write', post, 300, created, 'UNKNOWN 12 OUTCOME_UNKNOWN'],
    ['301 on a read', get, 301, '', 'FAILED 6 REDIRECTED'],
    // Nobody asked for a part.
    ['206 of a read', get, 206, { transactionStatus: 'RCVD' }, 'FAILED 6 ANSWER_UNREADABLE'],
    ['206 of a write', post, 206, created, 'UNKNOWN 12 OUTCOME_UNKNOWN'],
    ['307 on a write', post, 307, '', 'UNKNOWN 12 OUTCOME_UNKNOWN'],
    ['302 on an update', put, 302, '', 'UNKNOWN 12 OUTCOME_UNKNOWN'],
    ['101 on a read', get, 101, '', 'FAILED 6 REDIRECTED'],
    ['101 on a write', put, 101, '', 'UNKNOWN 12 OUTCOME_UNKNOWN'],
    // 5xx, 408 and 425 may follow a commit.
    ...[500, 502, 503, 504, 599, 408, 425].flatMap(
      (status): [string, OperationId, number, unknown, string][] => [
        [`${status} on a payment`, post, status, '', 'UNKNOWN 12 OUTCOME_UNKNOWN'],
        [`${status} on a start`, start, status, '', 'UNKNOWN 12 OUTCOME_UNKNOWN'],
        [`${status} on an update`, put, status, '', 'UNKNOWN 12 OUTCOME_UNKNOWN'],
        [`${status} on a cancellation`, remove, status, '', 'UNKNOWN 12 OUTCOME_UNKNOWN'],
      ],
    ),
    ['500 with a code on a payment', post, 500, coded('FORMAT_ERROR'), 'UNKNOWN 12 OUTCOME_UNKNOWN'],
    ['500 on a read', get, 500, '', 'REJECTED 6 BANK_FAILED'],
    ['503 on a read', get, 503, '<html>maintenance</html>', 'REJECTED 6 BANK_FAILED'],
    ['408 on a read', get, 408, '', 'REJECTED 5 REFUSED'],
    // 409: only the payment POST may have been a second one.
    ['409 on a payment', post, 409, '', 'UNKNOWN 12 OUTCOME_UNKNOWN'],
    [
      '409 of a gateway on a payment',
      post,
      409,
      { fault: { faultstring: 'conflict' } },
      'UNKNOWN 12 OUTCOME_UNKNOWN',
    ],
    ['409 with a code of nobody on a payment', post, 409, { code: 'CONFLICT' }, 'UNKNOWN 12 OUTCOME_UNKNOWN'],
    ['409 with a warning on a payment', post, 409, coded('WARNING', 'WARNING'), 'UNKNOWN 12 OUTCOME_UNKNOWN'],
    ['409 with a code on a payment', post, 409, coded('STATUS_INVALID'), 'REJECTED 5 REFUSED'],
    ['409 on a start', start, 409, '', 'REJECTED 5 REFUSED'],
    // The code decides, not the status.
    ['401 SIGNATURE_INVALID', post, 401, coded('SIGNATURE_INVALID'), 'REJECTED 3 BANK_CONFIG'],
    ['401 CERTIFICATE_EXPIRED', post, 401, coded('CERTIFICATE_EXPIRED'), 'REJECTED 3 BANK_CONFIG'],
    ['401 ROLE_INVALID', post, 401, coded('ROLE_INVALID'), 'REJECTED 3 BANK_CONFIG'],
    ['400 TIMESTAMP_INVALID', post, 400, coded('TIMESTAMP_INVALID'), 'REJECTED 3 BANK_CONFIG'],
    ['401 CONSENT_EXPIRED', get, 401, coded('CONSENT_EXPIRED'), 'REJECTED 4 AUTH_NEEDED'],
    ['401 TOKEN_INVALID', get, 401, coded('TOKEN_INVALID'), 'REJECTED 4 AUTH_NEEDED'],
    ['401 PSU_CREDENTIALS_INVALID', put, 401, coded('PSU_CREDENTIALS_INVALID'), 'REJECTED 9 DECLINED'],
    ['400 SCA_INVALID', put, 400, coded('SCA_INVALID'), 'REJECTED 9 DECLINED'],
    ['405 CANCELLATION_INVALID', remove, 405, coded('CANCELLATION_INVALID'), 'REJECTED 9 DECLINED'],
    ['403 SERVICE_BLOCKED', put, 403, coded('SERVICE_BLOCKED'), 'REJECTED 9 DECLINED'],
    ['400 FORMAT_ERROR', post, 400, coded('FORMAT_ERROR'), 'REJECTED 5 REFUSED'],
    ['404 RESOURCE_UNKNOWN', get, 404, coded('RESOURCE_UNKNOWN'), 'REJECTED 5 REFUSED'],
    ['429 ACCESS_EXCEEDED', get, 429, coded('ACCESS_EXCEEDED'), 'REJECTED 11 THROTTLED'],
    ['429 of a gateway', post, 429, '', 'REJECTED 11 THROTTLED'],
    ['401 without a code', post, 401, '', 'REJECTED 4 AUTH_NEEDED'],
    ['404 without a code', post, 404, '', 'REJECTED 5 REFUSED'],
    ['418', post, 418, '', 'REJECTED 5 REFUSED'],
    ['a code that nobody knows', post, 400, coded('OUT_OF_CAKE'), 'REJECTED 5 REFUSED'],
    ['a problem document', put, 401, { type: 'x', code: 'PSU_CREDENTIALS_INVALID' }, 'REJECTED 9 DECLINED'],
  ])('is judged: %s', (_, id, status, body, expected) => {
    expect(told(judge(id, status, body))).toBe(expected);
  });
});

describe('a call without a complete answer', () => {
  const reasons = ['dns', 'connect', 'tls', 'timeout', 'reset', 'truncated', 'malformed', 'aborted'] as const;

  it.each(reasons)('was not sent where it ended by %s before the mark, whatever the method', (reason) => {
    const failure = new TransportFailure({ sent: false, reason, message: 'm' });
    for (const id of [post, put, remove, get] as const) {
      expect(told(judgeFailure(asked(id), failure))).toBe('NOT_SENT 7 NOT_SENT');
    }
  });

  it.each(reasons)(
    'leaves a write unknown, and fails a read, where it ended by %s after the mark',
    (reason) => {
      const failure = new TransportFailure({ sent: true, reason, message: 'm' });
      for (const id of [post, start, put, remove] as const) {
        expect(told(judgeFailure(asked(id), failure))).toBe('UNKNOWN 12 OUTCOME_UNKNOWN');
      }
      expect(told(judgeFailure(asked(get), failure))).toBe('FAILED 6 ANSWER_LOST');
    },
  );

  it.each([
    ['journal', 'NOT_SENT 3 STATE_NOT_WRITTEN'],
    ['invalid', 'NOT_SENT 2 INPUT_INVALID'],
  ] as const)('was not sent where %s stopped it', (reason, expected) => {
    const failure = new TransportFailure({ sent: false, reason, message: 'm' });
    expect(told(judgeFailure(asked(post), failure))).toBe(expected);
  });

  it('is reported as too large where it is', () => {
    expect(told(lost(get, 'too-large'))).toBe('FAILED 6 ANSWER_TOO_LARGE');
    expect(told(lost(put, 'too-large'))).toBe('UNKNOWN 12 OUTCOME_UNKNOWN');
  });
});

describe('the outcome in the journal', () => {
  it.each([
    [post, 201, created, 'DONE'],
    [post, 500, '', 'UNKNOWN'],
    [post, 400, '', 'REJECTED'],
    [get, 200, '{', 'REJECTED'],
  ] as const)('is taken from the verdict: %s %i %j: %s', (id, status, body, expected) => {
    expect(journalOutcome(judge(id, status, body))).toBe(expected);
  });
});
