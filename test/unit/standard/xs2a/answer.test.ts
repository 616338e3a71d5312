import { describe, expect, it } from 'vitest';
import { ObkError } from '../../../../src/base/errors.ts';
import { headerOf, readAnswer } from '../../../../src/standard/xs2a/answer.ts';
import type { Answer } from '../../../../src/standard/xs2a/answer.ts';
import { operation } from '../../../../src/standard/xs2a/operations.ts';
import type { OperationId } from '../../../../src/standard/xs2a/operations.ts';
import { checkShape } from '../../../../src/standard/xs2a/shapes.ts';
import { readJson, toPlain } from '../../../../src/standard/xs2a/json.ts';
import { presets } from '../../../../src/standard/xs2a/variants.ts';

const json: [string, string] = ['Content-Type', 'application/json'];

function read(
  id: OperationId,
  status: number,
  body: string | object,
  ...headers: [string, string][]
): Answer {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return readAnswer(operation(id), presets.v1, {
    status,
    headers: headers.length > 0 ? headers : [json],
    body: new TextEncoder().encode(text),
  });
}

const created = { transactionStatus: 'RCVD', paymentId: 'p1', _links: { self: { href: '/v1/p' } } };

describe('readAnswer', () => {
  it('reads a created payment with all that steers', () => {
    const answer = read(
      'initiatePayment',
      201,
      {
        ...created,
        scaStatus: 'received',
        psuMessage: 'Hello',
        tppMessages: [{ category: 'WARNING', code: 'WARNING', text: 'w' }],
        scaMethods: [{ authenticationType: 'SMS_OTP', authenticationMethodId: 'm1', name: 'SMS', x: 1 }],
        _links: {
          scaRedirect: { href: 'https://bank.example/sca' },
          scaStatus: { href: '/v1/payments/x/p1/authorisations/a%2F1' },
          unheard: { href: '/u' },
        },
      },
      json,
      ['location', '"v1/payments/x/p1"'],
      ['ASPSP-SCA-Approach', 'redirect'],
      ['X-Request-ID', 'r1'],
    );
    expect(answer).toMatchObject({
      operation: 'initiatePayment',
      kind: 'payment-initiation',
      media: 'json',
      status: 201,
      approach: 'REDIRECT',
      location: 'v1/payments/x/p1',
      requestId: 'r1',
      hasLinks: true,
      links: { scaRedirect: 'https://bank.example/sca' },
      unknownLinks: ['unheard'],
      ids: { paymentId: 'p1', authorisationId: 'a/1' },
      authorisationId: 'a/1',
      transactionStatus: 'RCVD',
      scaStatus: 'received',
      psuMessage: 'Hello',
      messages: [{ category: 'WARNING', code: 'WARNING', text: 'w' }],
      scaMethods: [{ authenticationType: 'SMS_OTP', authenticationMethodId: 'm1', name: 'SMS' }],
      findings: [],
    });
  });

  it('leaves out what is absent, so that it can be spread', () => {
    expect(Object.keys(read('getConsentStatus', 200, { consentStatus: 'valid' })).sort()).toEqual([
      'body',
      'consentStatus',
      'findings',
      'hasLinks',
      'ids',
      'json',
      'kind',
      'links',
      'media',
      'messages',
      'operation',
      'status',
      'unknownLinks',
    ]);
  });

  it('reads a challenge as banks write it', () => {
    const answer = read('updatePaymentPsuData', 200, {
      scaStatus: 'scaMethodSelected',
      chosenScaMethod: { authenticationType: 'CHIP_OTP', authenticationMethodId: '9' },
      challengeData: {
        data: ['123', '456'],
        optMaxLength: '6',
        optFormat: 'integer',
        additionalInformation: 'Look',
      },
      _links: { authoriseTransaction: { href: '/v1/x' } },
    });
    expect(answer.challengeData).toEqual({
      data: ['123', '456'],
      otpMaxLength: 6,
      otpFormat: 'integer',
      additionalInformation: 'Look',
    });
    expect(answer.chosenScaMethod?.authenticationMethodId).toBe('9');
    const other = read('updatePaymentPsuData', 200, {
      scaStatus: 'x',
      challengeData: { data: 'd', otpMaxLength: 8 },
    });
    expect(other.challengeData).toEqual({ data: 'd', otpMaxLength: 8 });
  });

  it('reads consents of 1.3.2, whose text is named message', () => {
    expect(
      read('createConsent', 201, { consentStatus: 'received', consentId: 'c', message: 'm', _links: {} }),
    ).toMatchObject({ psuMessage: 'm', ids: { consentId: 'c' } });
  });

  it.each([
    ['getPaymentInitiationCancellationAuthorisationInformation', { cancellationIds: ['a', 'b'] }],
    ['getPaymentInitiationCancellationAuthorisationInformation', { authorisationIds: ['a', 'b'] }],
    ['getPaymentInitiationCancellationAuthorisationInformation', ['a', 'b']],
    ['getPaymentInitiationAuthorisation', { authorisationIds: ['a', 'b'] }],
    ['getPaymentInitiationAuthorisation', ['a', 'b']],
  ] as const)('reads the list of %s', (id, body) => {
    expect(read(id, 200, body).authorisationIds).toEqual(['a', 'b']);
  });

  it.each([
    ['cancelPayment', 204, '', 'none'],
    ['cancelPayment', 200, '', 'none'],
    ['cancelPayment', 202, { transactionStatus: 'ACTC', _links: {} }, 'cancel'],
    ['cancelPayment', 202, '', 'cancel'],
    ['deleteConsent', 204, '', 'none'],
    ['deleteConsent', 202, { _links: { startAuthorisation: { href: '/x' } } }, 'cancel'],
    ['initiatePayment', 200, created, 'payment-initiation'],
    ['checkAvailabilityOfFunds', 200, { fundsAvailable: false }, 'funds-confirmation'],
  ] as const)('reads the body of %s %i as %s', (id, status, body, kind) => {
    expect(read(id, status, body).kind).toBe(kind);
  });

  it.each([
    ['getPaymentInitiationStatus', 'application/xml', '<Document/>', 'xml'],
    ['getPaymentInformation', 'application/xml', '<Document/>', 'xml'],
    ['getPaymentInformation', 'multipart/form-data; boundary=x', '--x', 'multipart'],
    ['getTransactionList', 'application/xml', '<Document/>', 'xml'],
    ['getTransactionList', 'text/plain', ':20:X', 'text'],
    ['getTransactionList', 'application/zip', 'PK', 'other'],
  ] as const)('reads %s also as %s', (id, type, body, media) => {
    const answer = read(id, 200, body, ['content-type', type]);
    expect(answer.media).toBe(media);
    expect(answer.json).toBeUndefined();
    expect(new TextDecoder().decode(answer.body)).toBe(body);
  });

  it.each([
    ['no Content-Type', ['X', 'y']],
    ['text/plain', ['Content-Type', 'text/plain']],
    ['hal+json', ['Content-Type', 'application/hal+json;charset=utf-8']],
  ] as const)('reads JSON with %s', (_, header) => {
    expect(read('initiatePayment', 201, created, [header[0], header[1]]).ids.paymentId).toBe('p1');
    expect(read('getTransactionList', 200, { transactions: {} }, [header[0], header[1]]).media).toBe('json');
  });

  it.each([
    ['no _links', { transactionStatus: 'RCVD', paymentId: 'p1' }, ['/_links']],
    ['null for a member', { ...created, psuMessage: null, scaMethods: null, _links: null }, ['/_links']],
    [
      'a number for an amount',
      { ...created, transactionFees: { currency: 'EUR', amount: 1.5 } },
      ['/transactionFees'],
    ],
  ])('reads an answer with %s and notes it', (_, body, pointers) => {
    expect(read('initiatePayment', 201, body).findings.map(({ pointer }) => pointer)).toEqual(pointers);
  });

  it('reads the start of an authorisation without its id (Fiducia)', () => {
    const answer = read('startPaymentAuthorisation', 201, {
      scaStatus: 'received',
      _links: { scaStatus: { href: '/v1/payments/x/p/authorisations/a7' } },
    });
    expect(answer.authorisationId).toBe('a7');
    expect(answer.findings).toEqual([
      { pointer: '/authorisationId', rule: 'required', text: 'authorisationId is missing' },
    ]);
  });

  it.each([
    ['initiatePayment', 201, '', 'no body', json],
    ['initiatePayment', 201, '<html>\u001b[31mlogin', 'web page', ['Content-Type', 'text/html']],
    ['initiatePayment', 201, '<Document/>', 'is not expected', ['Content-Type', 'application/xml']],
    ['initiatePayment', 201, '{"paymentId":"p1","transac', 'ends within a string', json],
    ['initiatePayment', 201, '{"transactionStatus":"RCVD"}', 'paymentId is missing', json],
    [
      'initiatePayment',
      201,
      '{"paymentId":7.5,"transactionStatus":"RCVD"}',
      'paymentId is not a string',
      json,
    ],
    ['initiatePayment', 201, '{"paymentId":" ","transactionStatus":"RCVD"}', 'is no id: it is empty', json],
    ['initiatePayment', 201, '{"paymentId":"%2e.","transactionStatus":"RCVD"}', 'a dot segment', json],
    ['createConsent', 201, '{"consentId":"a\\nb","consentStatus":"received"}', 'control characters', json],
    ['initiatePayment', 201, '[]', 'not a JSON object', json],
    ['initiatePayment', 201, '{"paymentId":"a","paymentId":"b"}', 'twice', json],
    ['getAccountList', 200, '{"accounts":{}}', 'accounts is not an array', json],
    ['getPaymentInitiationAuthorisation', 200, '{"authorisationIds":[1.5]}', 'list of strings', json],
    ['getPaymentInitiationScaStatus', 200, '{}', 'scaStatus is missing', json],
    ['checkAvailabilityOfFunds', 200, '{"fundsAvailable":"perhaps"}', 'not a boolean', json],
  ] as const)('cannot read %s %i %j: %s', (id, status, body, why, header) => {
    let caught: unknown;
    try {
      read(id, status, body, [header[0], header[1]]);
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(ObkError);
    const { code, exit, detail } = caught as ObkError;
    expect([code, exit]).toEqual(['ANSWER_UNREADABLE', 6]);
    expect(detail).toContain(why);
    expect(detail).toContain(`status ${String(status)}`);
    // eslint-disable-next-line no-control-regex
    expect(detail).not.toMatch(/[\u0000-\u001f]/);
  });

  it('shows at most 200 characters of what it could not read', () => {
    expect(() => read('getAccountList', 200, 'x'.repeat(100_000))).toThrow(ObkError);
    try {
      read('getAccountList', 200, 'x'.repeat(100_000));
    } catch (error) {
      expect((error as ObkError).detail!.length).toBeLessThan(400);
    }
  });

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'reads a body with a member %s',
    (name) => {
      const body = `{"transactionStatus":"RCVD","paymentId":"p1","${name}":"RCVD","_links":{"${name}":{"href":"/x"}}}`;
      expect(read('initiatePayment', 201, body)).toMatchObject({ transactionStatus: 'RCVD' });
    },
  );

  it('is not for refusals', () => {
    expect(() => read('getAccountList', 404, {})).toThrow('readAnswer got a 404');
  });

  it('finds a header in any case, the last one', () => {
    expect(
      headerOf(
        [
          ['A', '1'],
          ['a', '2'],
        ],
        'A',
      ),
    ).toBe('2');
    expect(headerOf([], 'A')).toBeUndefined();
  });
});

describe('a value that can only mean one thing', () => {
  const plain = (answer: Answer) => JSON.parse(JSON.stringify(toPlain(answer.json ?? null))) as object;

  it.each<[string, OperationId, string | object, object]>([
    // The official example of every version.
    ['a boolean as text', 'checkAvailabilityOfFunds', { fundsAvailable: 'true' }, { fundsAvailable: true }],
    ['in capitals', 'checkAvailabilityOfFunds', { fundsAvailable: ' FALSE ' }, { fundsAvailable: false }],
    [
      'in a status',
      'getPaymentInitiationStatus',
      { transactionStatus: 'ACTC', fundsAvailable: 'false' },
      { transactionStatus: 'ACTC', fundsAvailable: false },
    ],
    [
      'booleans and numbers of a consent as text',
      'getConsentInformation',
      {
        access: {},
        recurringIndicator: 'true',
        validUntil: '2027-11-01',
        frequencyPerDay: '4',
        lastActionDate: '2026-11-01',
        consentStatus: 'valid',
      },
      { recurringIndicator: true, frequencyPerDay: 4, validUntil: '2027-11-01' },
    ],
    ['statuses in another case', 'getConsentStatus', { consentStatus: 'VALID' }, { consentStatus: 'valid' }],
    [
      'of a payment, too',
      'getPaymentInitiationStatus',
      { transactionStatus: 'acsc' },
      { transactionStatus: 'ACSC' },
    ],
    [
      'and of a step',
      'getPaymentInitiationScaStatus',
      { scaStatus: 'Finalised' },
      { scaStatus: 'finalised' },
    ],
    ['what nobody knows stays', 'getConsentStatus', { consentStatus: 'Odd' }, { consentStatus: 'Odd' }],
  ])('is read: %s (%s)', (_what, id, body, expected) => {
    const answer = read(id, operation(id).success[0]?.status ?? 200, body);
    expect(plain(answer)).toMatchObject(expected);
    const { transactionStatus, consentStatus, scaStatus } = answer;
    expect(expected).toMatchObject(
      Object.fromEntries(
        Object.entries({ transactionStatus, consentStatus, scaStatus }).filter(([name]) => name in expected),
      ),
    );
  });

  it('is noted all the same, and any other text is not a boolean', () => {
    expect(read('checkAvailabilityOfFunds', 200, { fundsAvailable: 'true' }).findings).toEqual([
      { pointer: '/fundsAvailable', rule: 'type', text: 'fundsAvailable is not a boolean' },
    ]);
    expect(() => read('checkAvailabilityOfFunds', 200, { fundsAvailable: 'perhaps' })).toThrow(ObkError);
  });
});

describe('checkShape', () => {
  it('requires the members without which nothing works', () => {
    const findings = checkShape('consent', readJson('{"access":[],"recurringIndicator":"true"}'));
    expect(findings.map(({ pointer, rule, essential }) => [pointer, rule, essential])).toEqual([
      ['/access', 'type', false],
      ['/recurringIndicator', 'type', false],
      ['/validUntil', 'required', false],
      ['/frequencyPerDay', 'required', false],
      ['/lastActionDate', 'required', false],
      ['/consentStatus', 'required', true],
    ]);
    expect(checkShape('none', null)).toEqual([]);
  });
});
