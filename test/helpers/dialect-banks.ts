import { rawServer, wire } from './raw-server.ts';
import type { Arrival, RawServer } from './raw-server.ts';

/** A request as one of the banks reads it: header names in lower case. */
interface Asked {
  line: string;
  headers: ReadonlyMap<string, string>;
  body: string;
}

type Answer = readonly [status: string, body: unknown, type?: string];
type Bank = (asked: Asked, port: number) => Answer;

const refusal = (status: string, code: string, text: string): Answer => [
  status,
  { tppMessages: [{ category: 'ERROR', code, text }] },
];
const formatError = (text: string) => refusal('400 Bad Request', 'FORMAT_ERROR', text);
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
      '201 Created',
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
      ? ['200 OK', { scaStatus: 'finalised' }]
      : refusal('401 Unauthorized', 'PSU_CREDENTIALS_INVALID', 'code');
  if (line === `GET ${paid}/status`) return ['200 OK', { transactionStatus: 'ACSC' }];
  if (line === 'GET /hydrogen/v1/accounts')
    return headers.has('psu-user-agent')
      ? formatError('PSU headers')
      : ['200 OK', { accounts: [{ resourceId: 'a', currency: 'EUR', iban: 'DE89370400440532013000' }] }];
  return ['404 Not Found', {}];
};

/** A key in a header of its own, no blank PSU-ID-Type, and reports as MT940 in plain text alone. */
const keyed: Bank = ({ line, headers }) => {
  if (headers.get('x-gateway-key') !== 'k3y-c4n4ry') return ['403 Forbidden', 'no', 'text/plain'];
  if (headers.get('psu-id-type') === '') return formatError('PSU-ID-Type');
  if (line.startsWith('GET /v1/accounts/a/transactions?')) {
    if (headers.get('accept') !== 'text/plain') return ['406 Not Acceptable', ''];
    return [
      '200 OK',
      ':20:X\r\n:25:10020030/1234567\r\n:28C:1/1\r\n:60F:C261101EUR1,00\r\n:62F:C261101EUR1,00\r\n-',
      'text/plain',
    ];
  }
  if (line === 'POST /v1/consents')
    return [
      '201 Created',
      {
        consentStatus: 'received',
        consentId: 'c-1',
        _links: { scaRedirect: { href: 'https://login.bank.example/c' } },
      },
    ];
  return ['404 Not Found', {}];
};

/** No PSU-ID where something is made, PSU-IP-Address also with a status, and links that name a host behind the gateway. */
const nameless: Bank = ({ line, headers }) => {
  const inner = 'http://gateway.bank.internal:8080/psd2/v1';
  if (line === 'POST /psd2/v1/payments/sepa-credit-transfers')
    return headers.has('psu-id')
      ? formatError('PSU-ID')
      : [
          '201 Created',
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
      '201 Created',
      {
        scaStatus: 'received',
        authorisationId: 'x',
        _links: { scaRedirect: { href: 'https://login.bank.example/x' } },
      },
    ];
  if (line === 'GET /psd2/v1/payments/sepa-credit-transfers/p-2/status')
    return headers.has('psu-ip-address')
      ? ['200 OK', { transactionStatus: 'ACSC' }]
      : formatError('PSU-IP-Address');
  return ['404 Not Found', {}];
};

/** The accounts of the last one, at another address and below another path. */
const namelessAccounts: Bank = ({ line, headers }) => {
  if (line === 'POST /ais/v1/consents')
    return headers.has('psu-id')
      ? formatError('PSU-ID')
      : [
          '201 Created',
          { consentStatus: 'valid', consentId: 'c-2', _links: { self: { href: '/v1/consents/c-2' } } },
        ];
  if (line === 'GET /ais/v1/consents/c-2')
    return [
      '200 OK',
      {
        access: { allPsd2: 'allAccounts' },
        recurringIndicator: true,
        validUntil: '2999-12-31',
        frequencyPerDay: 4,
        lastActionDate: '2026-11-01',
        consentStatus: 'valid',
      },
    ];
  if (headers.get('consent-id') !== 'c-2') return refusal('400 Bad Request', 'CONSENT_UNKNOWN', 'c');
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
  if (line === 'GET /ais/v1/accounts/a/transactions?page=2') return ['200 OK', page('t-2', {})];
  if (line.startsWith('GET /ais/v1/accounts/a/transactions?'))
    return ['200 OK', page('t-1', { next: { href: '/v1/accounts/a/transactions?page=2' } })];
  return ['404 Not Found', {}];
};

const banks = { hydrogen, keyed, nameless, namelessAccounts };

/** A bank that departs from the standard as the adapters of real ones tell (banks 4.1): UniCredit, Bank-Verlag, Santander. */
export function startDialectBank(name: keyof typeof banks): Promise<RawServer> {
  return rawServer((socket, arrival, { port }) => {
    const [status, body, type = 'application/json'] = banks[name](read(arrival), port);
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    socket.end(wire(status, text, [`Content-Type: ${type}`, 'Connection: close']));
  });
}

function read({ head, body }: Arrival): Asked {
  const [first = '', ...lines] = head.split('\r\n');
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
    headers.set(name.toLowerCase(), value);
  }
  return { line: first.replace(/ HTTP\/1\.1$/, ''), headers, body: body.toString('utf8') };
}
