import { describe, expect, it } from 'vitest';
import { BankRefusal, InteractionNeeded, ObkError, OutcomeUnknown } from '../../../../src/base/errors.ts';
import { asObkError, errorDocument, errorText, unknownDocument } from '../../../../src/cli/render/error.ts';
import { plainStyle } from '../../../../src/cli/render/style.ts';

const refusal = (messages: BankRefusal['messages'], parts: object = {}) =>
  new BankRefusal({
    code: 'AUTH_NEEDED',
    title: 'The bank refused the call.',
    detail: 'The consent is out of date.',
    hint: ['obk payment status p-1'],
    httpStatus: 401,
    requestId: 'r-1',
    operation: 'getAccountList',
    method: 'GET',
    path: '/v1/accounts',
    messages,
    ...parts,
  });

describe('what a script runs next', () => {
  const nextOf = (error: ObkError) => errorDocument(error).error.next;
  const resource = { paymentId: 'p-1' };

  it.each<[string, readonly string[], string | null]>([
    ['the first hint that is a command', ['Wait.', 'obk payment list   # all'], 'obk payment list'],
    ['no page of help', ['obk help references', 'obk log show --help', 'obk doctor'], 'obk doctor'],
    ['where the hints are pages of help, what goes on', ['obk help references'], 'obk payment status p-1'],
    ['where there are none, what goes on', [], 'obk payment status p-1'],
  ])('is %s', (_, hint, next) => {
    expect(nextOf(new ObkError({ code: 'REFUSED', title: 'No.', hint, resource }))).toBe(next);
  });

  it.each<[number, string, string | null]>([
    [404, 'RESOURCE_UNKNOWN', null],
    [403, 'CONSENT_UNKNOWN', null],
    [403, 'SERVICE_BLOCKED', 'obk payment status p-1'],
  ])('is nothing of a resource that the bank does not know: %d %s', (httpStatus, code, next) => {
    expect(nextOf(refusal([{ category: 'ERROR', code }], { httpStatus, hint: [], resource }))).toBe(next);
  });

  it('has the advice for the first error of the bank, and none for a warning', () => {
    const [warning, error] = ['WARNING', 'ERROR'].map((category) => ({ category, code: 'CONSENT_EXPIRED' }));
    const unknown = { category: 'ERROR', code: 'X-OWN' };
    const adviceOn = (...messages: BankRefusal['messages']) => errorDocument(refusal(messages)).error.advice;
    expect(adviceOn(error!)).toEqual(expect.any(String));
    expect(adviceOn(warning!, unknown)).toBeNull();
    expect(adviceOn(warning!, error!)).toBe(adviceOn(error!));
  });
});

describe('an error for a person', () => {
  it('tells what, the words of the bank, why, what next, and the request', () => {
    const error = refusal([{ category: 'ERROR', code: 'CONSENT_EXPIRED', text: 'Consent is out of date' }]);
    expect(errorText(error, plainStyle)).toBe(
      [
        '✗ The bank refused the call.',
        '  CONSENT_EXPIRED (401) from GET /v1/accounts — "Consent is out of date"',
        '  The consent is out of date.',
        '  Try:  obk payment status p-1',
        '  Request r-1  ·  obk log show @last -vvv  ·  obk explain CONSENT_EXPIRED',
        '',
      ].join('\n'),
    );
  });

  it('ends lines between words at a terminal, and leaves each command on one line', () => {
    const hint = [
      `obk payment authorise ${'1'.repeat(36)} --psu-id eva`,
      '--otp-from prompt   # asks for a new one-time password',
      'OBK_STATE_DIR=FOLDER obk payment authorise @last --psu-id eva',
      `obk payment init --remittance ${'x'.repeat(600)}`,
    ];
    const sentence = 'Ask the bank what became of the writes of that run before anything is sent again.';
    const detail = 'The consent of this PSU is out of date since yesterday.';
    const error = refusal([], { detail, hint: [...hint, sentence] });
    const lines = errorText(error, { ...plainStyle, tty: true, width: 50 }).split('\n');
    expect(lines).toEqual(
      expect.arrayContaining(hint.map((one, at) => (at === 0 ? '  Try:  ' : '        ') + one)),
    );
    expect(lines.filter((line) => line.length > 50)).toHaveLength(hint.length);
    expect(lines).toContain('  yesterday.');
    expect(lines).toContain('        Ask the bank what became of the writes of');
  });

  it('groups what is repeated and cuts what is long', () => {
    const same = { category: 'ERROR', code: 'FORMAT_ERROR', path: 'creditorAccount' };
    const more = ['A', 'B', 'C'].map((code) => ({ category: 'ERROR', code }));
    const text = errorText(refusal([same, same, ...more]), plainStyle);
    expect(text).toContain('FORMAT_ERROR (401) from GET /v1/accounts at creditorAccount (2 times)\n');
    expect(text).toContain('  … and 1 more\n');
    expect(text.split('\n').length).toBeLessThanOrEqual(9);
  });

  it.each([
    ['120', '  The bank asks to wait 120 seconds (Retry-After).\n'],
    ['1', '  The bank asks to wait 1 second (Retry-After).\n'],
    [
      'Sun, 22 Nov 2026 10:00:00 GMT',
      '  The bank asks to wait until Sun, 22 Nov 2026 10:00:00 GMT (Retry-After).\n',
    ],
    ['\u001b[2J', '  The bank asks to wait until \\x1b[2J (Retry-After).\n'],
  ])('says how long the bank wants to be left alone: %j', (retryAfter, expected) => {
    expect(errorText(refusal([], { httpStatus: 429, retryAfter }), plainStyle)).toContain(expected);
    expect(errorText(refusal([]), plainStyle)).not.toContain('Retry-After');
  });

  const saved = {
    paymentId: 'p-1',
    transactionStatus: 'RCVD',
    authorisationId: 'a-1',
    scaStatus: 'received',
  };
  it.each<[string, ObkError['resource'], ObkError['proved'], string]>([
    ['proved by nothing', { paymentId: 'p-1' }, undefined, 'This is about the payment p-1.'],
    [
      'that is saved, and proved by nothing',
      ...[saved, undefined],
      'This is about the payment p-1 (last known status RCVD, authorisation a-1, received).',
    ],
    [
      'of a consent',
      { consentId: 'c-1', consentStatus: 'valid' },
      undefined,
      'This is about the consent c-1 (last known status valid).',
    ],
    [
      'that is proved',
      saved,
      { status: 'RCVD' },
      'The payment p-1 exists (RCVD, authorisation a-1, received).',
    ],
    [
      'that is proved, in a state that is not',
      ...[saved, {}],
      'The payment p-1 exists (last known status RCVD, authorisation a-1, received).',
    ],
    ['of a basket that is proved', { basketId: 'b-1' }, {}, 'The basket b-1 exists.'],
  ] as never)('names a resource %s', (_, resource, proved, words) => {
    const refused = [400, 401, 403, 405, 406, 415, 429, 500].map((httpStatus) =>
      refusal([], { httpStatus, resource }),
    );
    for (const error of [
      new ObkError({ code: 'INTERRUPTED', title: 'Interrupted.', resource }),
      ...refused,
    ]) {
      error.proved = proved;
      expect(errorText(error, plainStyle)).toContain(`\n  ${words}\n`);
    }
  });

  it('of a full disk goes on with what the bank has made, and names no second run', () => {
    const full = (resource: object) =>
      new ObkError({ code: 'STATE_NOT_WRITTEN', title: 'full', hint: ['Make room.'], ...resource });
    const made = full({ resource: { paymentId: 'p-1', scaStatus: 'started' } });
    expect(errorText(made, plainStyle)).toContain('Make room.\n        obk payment authorise p-1\n');
    expect(errorDocument(made).error).toMatchObject({
      hint: ['Make room.', 'obk payment authorise p-1'],
      next: 'obk payment authorise p-1',
    });
    expect(errorDocument(full({})).error).toMatchObject({ hint: ['Make room.'], next: null });
  });

  it('is deaf to escapes of the bank', () => {
    const evil = 'x\u001b[2J\u202ey\nz';
    const error = refusal([{ category: 'ERROR', code: evil, text: evil, path: evil }], {
      title: evil,
      path: evil,
      requestId: evil,
      hint: [evil],
    });
    // eslint-disable-next-line no-control-regex
    expect(errorText(error, plainStyle).replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f\u202e]/);
  });
});

it('an error without a next step of its own has the advice on the code of the bank', () => {
  const messages = [{ category: 'ERROR', code: 'TIMESTAMP_INVALID' }] as const;
  expect(errorText(refusal(messages, { hint: [] }), plainStyle)).toContain(
    '  Set the clock of this machine right',
  );
  const unheard = refusal([{ category: 'ERROR', code: 'toString' }], { hint: [] });
  expect(errorText(unheard, plainStyle)).not.toContain('explain');
});

it.each([
  [403, 'Check the roles of the certificate (obk cert lint), and whose id it is.'],
  [415, 'a pain.001 product takes XML'],
  [418, null],
])('without a code of the bank the advice is that on HTTP %i', (httpStatus, advice) => {
  const error = refusal([], { hint: [], httpStatus });
  expect(errorDocument(error).error.advice).toEqual(advice === null ? null : expect.stringContaining(advice));
  if (advice !== null) expect(errorText(error, plainStyle)).toContain(advice);
});

describe('an error as JSON', () => {
  it('has every member, whatever happened', () => {
    const { error } = errorDocument(refusal([{ category: 'ERROR', code: 'CONSENT_EXPIRED' }]));
    expect(error).toEqual({
      code: 'AUTH_NEEDED',
      title: 'The bank refused the call.',
      detail: 'The consent is out of date.',
      hint: ['obk payment status p-1'],
      exitCode: 4,
      httpStatus: 401,
      requestId: 'r-1',
      operation: 'getAccountList',
      tppMessages: [{ category: 'ERROR', code: 'CONSENT_EXPIRED' }],
      advice: expect.stringContaining('new consent'),
      resource: null,
      refused: null,
      docs: 'obk help exit-codes',
      next: 'obk payment status p-1',
    });
  });

  it.each<[string, object, string | null]>([
    ['an open authorisation', { paymentId: 'p-1', scaStatus: 'psuIdentified' }, 'obk payment authorise p-1'],
    ['a payment', { paymentId: 'p-1' }, 'obk payment status p-1'],
    ['nothing', {}, null],
  ])('next for %s', (_, resource, next) => {
    const error = new ObkError({ code: 'INTERNAL', title: 'x', resource });
    expect(errorDocument(error).error.next).toBe(next);
  });

  it('an unknown outcome names intent and request on both streams', () => {
    const error = new OutcomeUnknown({
      code: 'OUTCOME_UNKNOWN',
      title: 'x',
      hint: ['Do not send it again.', 'obk pending show abc'],
      intent: 'abcdef',
      requestId: 'r-1',
      operation: 'initiatePayment',
    });
    expect(errorDocument(error).error).toMatchObject({ exitCode: 12, intent: 'abcdef', requestId: 'r-1' });
    expect(unknownDocument(error)).toEqual({
      intent: 'abcdef',
      requestId: 'r-1',
      next: 'obk pending show abc',
    });
  });
});

it('a stranger is a bug, and keeps its stack as the cause', () => {
  const bug = new TypeError('x is undefined');
  expect(asObkError(bug)).toMatchObject({
    code: 'INTERNAL',
    exit: 1,
    detail: 'TypeError: x is undefined',
    cause: bug,
  });
  const known = new InteractionNeeded(['--otp-from']);
  expect(asObkError(known)).toBe(known);
});
