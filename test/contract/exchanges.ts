// Exchanges typed by hand, never made by our own bank: each is right in the versions beside it.
import type { Variant } from '../../src/standard/xs2a/variants.ts';
import type { Exchange } from '../helpers/contract.ts';

const requestId = '99391c7e-ad88-49ec-a2ad-99ddcb1f7721';
const json = { 'Content-Type': 'application/json' };
const sent = { 'X-Request-ID': requestId };
const payment = {
  instructedAmount: { currency: 'EUR', amount: '123.50' },
  debtorAccount: { iban: 'DE40100100103307118608' },
  creditorName: 'Merchant123',
  creditorAccount: { iban: 'DE02100100109307118603' },
  remittanceInformationUnstructured: 'Ref Number Merchant',
};
const base = '/v1/payments/sepa-credit-transfers';
export const v1: Variant = { framework: '1.3.2', prefix: '/v1', surface: 'framework' };
export const v136: Variant = { framework: '1.3.6', prefix: '/v1', surface: 'framework' };

function exchange(
  request: string,
  body: unknown,
  status: number,
  answer: unknown,
  more: { request?: Record<string, string>; answer?: Record<string, string> } = {},
): Exchange {
  const [method = '', path = ''] = request.split(' ');
  const text = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value));
  return {
    method,
    path,
    requestHeaders: { ...sent, Date: 'x', ...(body === undefined ? {} : json), ...more.request },
    requestBody: text(body),
    status,
    responseHeaders: { ...sent, ...(answer === undefined ? {} : json), ...more.answer },
    responseBody: text(answer),
  };
}

export const sms = { authenticationType: 'SMS_OTP', authenticationMethodId: 'm1', name: 'SMS to **42' };
const authorisation = `${base}/p1/authorisations/a1`;
export const link = (name: string, href = authorisation): object => ({ [name]: { href } });
const createdPayment = (): Exchange =>
  exchange(
    `POST ${base}`,
    payment,
    201,
    {
      transactionStatus: 'RCVD',
      paymentId: 'p1',
      _links: { ...link('startAuthorisation'), ...link('self'), ...link('status') },
    },
    {
      request: { 'PSU-IP-Address': '192.168.8.78', 'TPP-Redirect-Preferred': 'true', 'PSU-ID': 'PSU-1234' },
      answer: {
        Location: 'https://bank.example/v1/payments/sepa-credit-transfers/p1',
        'ASPSP-SCA-Approach': 'REDIRECT',
      },
    },
  );
const selected = { ...sms, explanation: 'x' };
export const tpp = (code: string, more: object = {}): object => ({
  tppMessages: [{ category: 'ERROR', code, ...more }],
});
const consent = {
  access: { accounts: [], balances: [], transactions: [] },
  recurringIndicator: true,
  validUntil: '2027-02-01',
  frequencyPerDay: 4,
  combinedServiceIndicator: false,
};

export const good: [string, Variant[], Exchange][] = [
  ['a payment', [v1, v136], createdPayment()],
  [
    'a payment as stored',
    [v1, v136],
    exchange(`GET ${base}/p1`, undefined, 200, { ...payment, transactionStatus: 'RCVD' }),
  ],
  ['a status', [v1, v136], exchange(`GET ${base}/p1/status`, undefined, 200, { transactionStatus: 'ACSC' })],
  [
    'a start of an authorisation',
    [v1, v136],
    exchange(
      `POST ${base}/p1/authorisations`,
      { psuData: { password: 'x' } },
      201,
      {
        scaStatus: 'psuAuthenticated',
        authorisationId: 'a1',
        scaMethods: [sms],
        _links: link('selectAuthenticationMethod'),
      },
      { answer: { 'ASPSP-SCA-Approach': 'EMBEDDED' } },
    ),
  ],
  [
    'a start without data',
    [v1, v136],
    exchange(`POST ${base}/p1/authorisations`, {}, 201, {
      scaStatus: 'received',
      authorisationId: 'a1',
      psuMessage: 'x',
      _links: link('scaRedirect'),
    }),
  ],
  [
    'a choice of method',
    [v1, v136],
    exchange(`PUT ${authorisation}`, { authenticationMethodId: 'm1' }, 200, {
      scaStatus: 'scaMethodSelected',
      chosenScaMethod: selected,
      challengeData: { otpMaxLength: 6, otpFormat: 'integer', data: ['12'] },
      _links: link('authoriseTransaction'),
    }),
  ],
  [
    'an OTP',
    [v1, v136],
    exchange(`PUT ${authorisation}`, { scaAuthenticationData: '123' }, 200, {
      scaStatus: 'finalised',
      _links: link('scaStatus'),
    }),
  ],
  [
    'an identification',
    [v1, v136],
    exchange(
      `PUT ${authorisation}`,
      {},
      200,
      { scaStatus: 'psuIdentified', _links: link('updatePsuAuthentication') },
      { request: { 'PSU-ID': 'x' } },
    ),
  ],
  [
    'a confirmation',
    [v136],
    exchange(`PUT ${authorisation}`, { confirmationCode: 'c' }, 200, {
      scaStatus: 'finalised',
      _links: link('scaStatus'),
    }),
  ],
  ['a cancellation', [v1, v136], exchange(`DELETE ${base}/p1`, undefined, 204, undefined)],
  [
    'a cancellation to authorise',
    [v1, v136],
    exchange(`DELETE ${base}/p1`, undefined, 202, {
      transactionStatus: 'ACTC',
      _links: link('startAuthorisation'),
    }),
  ],
  [
    'a start of a cancellation',
    [v1, v136],
    exchange(`POST ${base}/p1/cancellation-authorisations`, {}, 201, {
      scaStatus: 'received',
      authorisationId: 'a',
      _links: link('scaStatus'),
    }),
  ],
  [
    'ids of a cancellation',
    [v1],
    exchange(`GET ${base}/p1/cancellation-authorisations`, undefined, 200, { cancellationIds: ['a'] }),
  ],
  [
    'ids of a cancellation',
    [v136],
    exchange(`GET ${base}/p1/cancellation-authorisations`, undefined, 200, { authorisationIds: ['a'] }),
  ],
  ['a scaStatus', [v1, v136], exchange(`GET ${authorisation}`, undefined, 200, { scaStatus: 'started' })],
  [
    'a consent',
    [v1, v136],
    exchange(
      'POST /v1/consents',
      consent,
      201,
      { consentStatus: 'received', consentId: 'c', _links: link('startAuthorisation') },
      { request: { 'PSU-IP-Address': '::1' }, answer: { Location: '/v1/consents/c' } },
    ),
  ],
  [
    'a wrapped account',
    [v1, v136],
    exchange(
      'GET /v1/accounts/1',
      undefined,
      200,
      { account: { resourceId: '1', iban: 'DE40100100103307118608', currency: 'EUR' } },
      { request: { 'Consent-ID': 'c' } },
    ),
  ],
  [
    'a bare account',
    [v1],
    exchange('GET /v1/accounts/1', undefined, 200, { currency: 'EUR' }, { request: { 'Consent-ID': 'c' } }),
  ],
  [
    'funds',
    [v1, v136],
    exchange(
      'POST /v1/funds-confirmations',
      { account: payment.debtorAccount, instructedAmount: payment.instructedAmount },
      200,
      { fundsAvailable: true },
    ),
  ],
  [
    'funds refused',
    [v1, v136],
    exchange(
      'POST /v1/funds-confirmations',
      { account: payment.debtorAccount, instructedAmount: payment.instructedAmount },
      400,
      tpp('CARD_INVALID'),
    ),
  ],
  [
    'funds by a consent',
    [v1, v136],
    exchange(
      'POST /v1/funds-confirmations',
      { account: payment.debtorAccount, instructedAmount: payment.instructedAmount },
      200,
      { fundsAvailable: false },
      { request: { 'Consent-ID': 'c' } },
    ),
  ],
  [
    'a revoked certificate',
    [v1, v136],
    exchange(`GET ${base}/p1`, undefined, 401, tpp('CERTIFICATE_REVOKED')),
  ],
  [
    'a refusal',
    [v1, v136],
    exchange(`GET ${base}/p1`, undefined, 403, tpp('RESOURCE_UNKNOWN', { text: 'x' })),
  ],
  [
    'a wrong password',
    [v1, v136],
    exchange(`PUT ${authorisation}`, { psuData: { password: 'x' } }, 401, {
      ...tpp('PSU_CREDENTIALS_INVALID'),
      _links: link('updatePsuAuthentication'),
    }),
  ],
  [
    'a problem',
    [v1, v136],
    exchange(
      `GET ${base}/p1`,
      undefined,
      404,
      { type: 'https://berlingroup.com/error-codes/RESOURCE_UNKNOWN', code: 'RESOURCE_UNKNOWN' },
      { answer: { 'Content-Type': 'application/problem+json' } },
    ),
  ],
  [
    'a refused cancellation',
    [v1, v136],
    exchange(`DELETE ${base}/p1`, undefined, 405, tpp('CANCELLATION_INVALID')),
  ],
  ['too many requests', [v1, v136], exchange(`GET ${base}/p1`, undefined, 429, undefined)],
  [
    'too many accesses',
    [v1, v136],
    exchange('GET /v1/accounts', undefined, 429, tpp('ACCESS_EXCEEDED'), { request: { 'Consent-ID': 'c' } }),
  ],
];
