import { refused } from './bank-settings.ts';
import { typedBank } from './typed-bank.ts';
import type { Answered, Asked, RunningBank } from './typed-bank.ts';

/** A bank by the first line of a request, the names of its headers in lower case, and its body. */
type Bank = (asked: { line: string; headers: ReadonlyMap<string, string>; body: string }) => Answered;

const formatError = (text: string) => refused(400, 'FORMAT_ERROR', text);
const none: Answered = [404, {}];
const pay = 'POST /hydrogen/v1/payments/sepa-credit-transfers';
const paid = '/hydrogen/v1/payments/sepa-credit-transfers/p-1';

/**
 * PSU-ID-Type of two values and TPP-Redirect-URI always; the way on is a link `next` whose query must come back verbatim;
 * no scaStatus; PSU headers are refused with account data.
 */
const hydrogen: Bank = ({ line, headers, body }) => {
  if (line === pay) {
    if (!['PRIVATE', 'CORPORATE'].includes(headers.get('psu-id-type') ?? ''))
      return formatError('PSU-ID-Type');
    if (!headers.has('tpp-redirect-uri')) return formatError('TPP-Redirect-URI');
    return [
      201,
      {
        transactionStatus: 'RCVD',
        paymentId: 'p-1',
        scaStatus: 'scaMethodSelected',
        chosenScaMethod: { authenticationType: 'SMS_OTP', authenticationMethodId: '1' },
        challengeData: { optMaxLength: '6' },
        _links: [{ next: { href: `${paid}/authorisations/p-1?authenticationCurrentNumber=7%2F1` } }],
      },
    ];
  }
  if (line === `PUT ${paid}/authorisations/p-1?authenticationCurrentNumber=7%2F1`)
    return body === '{"scaAuthenticationData":"123456"}'
      ? [200, { scaStatus: 'finalised' }]
      : refused(401, 'PSU_CREDENTIALS_INVALID', 'code');
  if (line === `GET ${paid}/status`) return [200, { transactionStatus: 'ACSC' }];
  if (line === 'GET /hydrogen/v1/accounts')
    return headers.has('psu-user-agent')
      ? formatError('PSU headers')
      : [200, { accounts: [{ resourceId: 'a', currency: 'EUR', iban: 'DE89370400440532013000' }] }];
  return none;
};

/** A key in a header of its own, no blank PSU-ID-Type, and reports as MT940 in plain text alone. */
const keyed: Bank = ({ line, headers }) => {
  if (headers.get('x-gateway-key') !== 'k3y-c4n4ry') return [403, 'no'];
  if (headers.get('psu-id-type') === '') return formatError('PSU-ID-Type');
  if (line.startsWith('GET /v1/accounts/a/transactions?')) {
    if (headers.get('accept') !== 'text/plain') return [406];
    return [
      200,
      ':20:X\r\n:25:10020030/1234567\r\n:28C:1/1\r\n:60F:C261101EUR1,00\r\n:62F:C261101EUR1,00\r\n-',
    ];
  }
  if (line === 'POST /v1/consents')
    return [
      201,
      {
        consentStatus: 'received',
        consentId: 'c-1',
        _links: { scaRedirect: { href: 'https://login.bank.example/c' } },
      },
    ];
  return none;
};

/** No PSU-ID where something is made, PSU-IP-Address also with a status, and links that name a host behind the gateway. */
const nameless: Bank = ({ line, headers }) => {
  const inner = 'http://gateway.bank.internal:8080/psd2/v1';
  if (line === 'POST /psd2/v1/payments/sepa-credit-transfers')
    return headers.has('psu-id')
      ? formatError('PSU-ID')
      : [
          201,
          {
            transactionStatus: 'RCVD',
            paymentId: 'p-2',
            _links: {
              startAuthorisation: { href: `${inner}/payments/sepa-credit-transfers/p-2/authorisations` },
            },
          },
        ];
  if (line === 'POST /psd2/v1/payments/sepa-credit-transfers/p-2/authorisations')
    return [
      201,
      {
        scaStatus: 'received',
        authorisationId: 'x',
        _links: { scaRedirect: { href: 'https://login.bank.example/x' } },
      },
    ];
  if (line === 'GET /psd2/v1/payments/sepa-credit-transfers/p-2/status')
    return headers.has('psu-ip-address')
      ? [200, { transactionStatus: 'ACSC' }]
      : formatError('PSU-IP-Address');
  return none;
};

/** The accounts of the last one, at another address and below another path. */
const namelessAccounts: Bank = ({ line, headers }) => {
  if (line === 'POST /ais/v1/consents')
    return headers.has('psu-id')
      ? formatError('PSU-ID')
      : [201, { consentStatus: 'valid', consentId: 'c-2', _links: { self: { href: '/v1/consents/c-2' } } }];
  if (line === 'GET /ais/v1/consents/c-2')
    return [
      200,
      {
        access: { allPsd2: 'allAccounts' },
        recurringIndicator: true,
        validUntil: '2999-12-31',
        frequencyPerDay: 4,
        lastActionDate: '2026-11-01',
        consentStatus: 'valid',
      },
    ];
  if (headers.get('consent-id') !== 'c-2') return refused(400, 'CONSENT_UNKNOWN', 'c');
  const page = (id: string, links: object) => ({
    transactions: {
      booked: [
        {
          transactionId: id,
          transactionAmount: { currency: 'EUR', amount: '1.00' },
          bookingDate: '2026-11-01',
        },
      ],
      _links: links,
    },
  });
  if (line === 'GET /ais/v1/accounts/a/transactions?page=2') return [200, page('t-2', {})];
  if (line.startsWith('GET /ais/v1/accounts/a/transactions?'))
    return [200, page('t-1', { next: { href: '/v1/accounts/a/transactions?page=2' } })];
  return none;
};

const banks = { hydrogen, keyed, nameless, namelessAccounts };

/** A bank that departs from the standard as the adapters of real ones tell (banks 4.1): UniCredit, Bank-Verlag, Santander. */
export function startDialectBank(name: keyof typeof banks): Promise<RunningBank> {
  return typedBank(({ method, path, headers, body }: Asked) =>
    banks[name]({ line: `${method} ${path}`, headers: new Map(Object.entries(headers)), body }),
  );
}
