import { expect, it } from 'vitest';
import {
  access,
  authorisations,
  basket,
  bulk,
  bulkOf,
  but,
  call,
  consent,
  crossBorder,
  euro,
  findingsIn,
  funds,
  header,
  iban,
  id,
  json,
  payment,
  read,
  requestId,
  standing,
  step,
  transactions,
} from '../../helpers/requests-by-hand.ts';
import type { HandRequest } from '../../helpers/requests-by-hand.ts';

/** Right requests that look unusual, typed from the guidelines, RFC 9110, RFC 8252 and ISO 13616. */
type Row = readonly [name: string, request: HandRequest];

const withHeader = (name: string, value: string): Row => [
  `${name}: ${value}`,
  header(payment(), name, value),
];
const paying = (members: object): Row => [`a payment with ${JSON.stringify(members)}`, payment(members)];
const to = (number: string): Row => paying({ creditorAccount: { iban: number } });
const ordering = (members: object): Row => [
  `a standing order with ${JSON.stringify(members)}`,
  standing(members),
];
const asking = (members: object): Row => [`access ${JSON.stringify(members)}`, access(members)];
const listing = (query: string): Row => [`transactions with ${query}`, transactions(query)];
const updating = (members: object): Row => [`an update with ${JSON.stringify(members)}`, step(members)];
const path = (target: string): Row => [target, read(target)];

const foreign = {
  Host: 'bank.example',
  'Content-Length': '3',
  Connection: 'keep-alive',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  'X-Forwarded-For': '192.0.2.1',
  Cookie: 'a=b',
  Expect: '100-continue',
  'Sec-Fetch-Mode': 'cors',
  Priority: 'u=1',
  Via: '1.1 gateway',
  'Idempotency-Key': 'k',
  'X-API-Key': 'k',
};

const rows: readonly Row[] = [
  withHeader('X-Request-ID', '99391C7E-AD88-49EC-A2AD-99DDCB1F7721'),
  withHeader('X-Request-ID', '01890a5d-ac96-774b-bcce-b302099a8057'),
  [
    'names in small letters',
    but(payment(), { headers: payment().headers.map(([n, v]) => [n.toLowerCase(), v]) }),
  ],
  ['names in capitals', but(payment(), { headers: payment().headers.map(([n, v]) => [n.toUpperCase(), v]) })],
  withHeader('Content-Type', 'application/json; charset=UTF-8'),
  withHeader('Content-Type', 'application/json;charset="utf-8"'),
  withHeader('Content-Type', 'Application/JSON'),
  withHeader('PSU-IP-Address', '2001:0db8:0000:0000:0000:0000:0000:0001'),
  withHeader('PSU-IP-Address', '::ffff:192.0.2.1'),
  withHeader('PSU-IP-Address', '127.0.0.1'),
  withHeader('PSU-Geo-Location', 'GEO:-33.868820;151.209290'),
  withHeader('PSU-Geo-Location', 'GEO:-90.000000;180.000000'),
  withHeader('TPP-Redirect-URI', 'https://tpp.example:8443/cb?state=a%20b&x='),
  withHeader('TPP-Redirect-URI', 'com.example.app:/oauth2redirect'),
  withHeader('TPP-Redirect-URI', 'myapp://back'),
  withHeader('TPP-Redirect-URI', 'http://localhost:3000/cb'),
  withHeader('TPP-Redirect-URI', 'http://[::1]:3000/cb'),
  withHeader('TPP-Redirect-URI', 'https://xn--mller-kva.example/cb'),
  [
    'no redirect and no address',
    header(header(payment(), 'TPP-Redirect-Preferred', 'false'), 'TPP-Redirect-URI'),
  ],
  withHeader('Accept', '*/*'),
  withHeader('Accept', 'application/problem+json;q=0.5, application/json, text/html;q=0.1'),
  withHeader('Accept', 'application/json; charset=utf-8'),
  withHeader('Accept', 'application/*'),
  withHeader('Authorization', 'Bearer abc-._~+/123=='),
  withHeader('Authorization', 'bearer abc'),
  [
    'headers of gateways and browsers',
    but(payment(), { headers: [...payment().headers, ...Object.entries(foreign)] }),
  ],
  withHeader('Date', 'Wed, 10 Jun 2026 12:04:00 GMT'),
  withHeader('PSU-ID', "UTF-8''Ji%C5%99%C3%AD"),
  withHeader('PSU-ID', 'Emil 4711'),
  withHeader('PSU-IP-Port', '65535'),
  withHeader('PSU-Accept-Language', 'de-CH, de;q=0.9, *;q=0.5'),
  withHeader('Consent-ID', 'c-1'),
  [
    'a wish for pushes',
    header(
      header(payment(), 'TPP-Notification-URI', 'https://tpp.example/n'),
      'TPP-Notification-Content-Preferred',
      'status=SCA, PROCESS, LAST',
    ),
  ],
  ['a wish for decoupled', header(payment({}, '1.3.12'), 'TPP-Decoupled-Preferred', 'true')],
  ['a brand', header(consent(), 'TPP-Brand-Logging-Information', 'Brand')],
  ['no PSU-IP-Address in 1.3.2', header(consent({}, '1.3.2'), 'PSU-IP-Address')],
  // payments
  ...['1', '1.5', '0.01'].map((amount) => paying({ instructedAmount: euro(amount) })),
  ['all digits of an amount', crossBorder({ instructedAmount: euro('99999999999999.99') })],
  ['thousandths of a dinar', crossBorder({ instructedAmount: { currency: 'BHD', amount: '1.125' } })],
  paying({ creditorName: 'Jiří Müller-Łukasz ÆØÅ 株式会社' }),
  paying({ creditorName: '𝒳'.repeat(70) }),
  paying({ remittanceInformationUnstructured: 'Thanks 🎉' }),
  paying({ requestedExecutionDate: '2026-06-10' }),
  paying({ requestedExecutionDate: '2027-12-31' }),
  ...['NO9386011117947', 'MT84MALT011000012345MTLCAST001S', 'LC55HEMM000100010012001200023015'].map(to),
  paying({ debtorAccount: { iban, currency: 'EUR' } }),
  paying({ remittanceInformationStructured: { reference: 'RF18539007547034' } }),
  paying({ purposeCode: 'SALA' }),
  paying({ ultimateDebtor: 'X', ultimateCreditor: 'Y' }),
  paying({
    creditorAddress: { streetName: 's', buildingNumber: '1', townName: 't', postCode: 'p', country: 'NL' },
  }),
  [
    'an address of 1.3.2',
    payment({ creditorAddress: { street: 's', city: 't', postalCode: 'p', country: 'NL' } }, '1.3.2'),
  ],
  ['an instant payment', payment({}, '1.3.6', 'instant-sepa-credit-transfers')],
  ['shared charges', payment({ chargeBearer: 'SHAR' }, '1.3.6', 'target-2-payments')],
  [
    'another identification',
    crossBorder({ creditorAccount: { other: { identification: '12345' } } }, '1.3.12'),
  ],
  [
    'JSON on many lines',
    but(payment(), { body: `${JSON.stringify(JSON.parse(payment().body), null, '\t')}\n` }),
  ],
  ['JSON with escapes', but(payment(), { body: payment().body.replace('Shop', String.raw`\u0053hop\/x`) })],
  ['a bulk of two', bulkOf({ endToEndIdentification: 'e1' }, { endToEndIdentification: 'e2' })],
  ['a bulk at a time', bulk({ requestedExecutionTime: '2026-06-11T10:00:00Z' })],
  ordering({ dayOfExecution: '31', executionRule: 'preceding', endDate: '2027-07-01' }),
  ordering({ endDate: '2026-07-01' }),
  ordering({ frequency: 'MonthlyVariable', monthsOfExecution: ['1', '6', '12'] }),
  ordering({ startDate: '2026-06-10' }),
  // consents
  [
    'a consent for today',
    consent({ recurringIndicator: false, frequencyPerDay: 1, validUntil: '2026-06-10' }),
  ],
  ['a consent without an end', consent({ validUntil: '9999-12-31', frequencyPerDay: 100 })],
  asking({ accounts: [], balances: [], transactions: [] }),
  asking({ availableAccountsWithBalance: 'allAccountsWithOwnerName' }),
  asking({ allPsd2: 'allAccounts' }),
  asking({
    balances: [
      { iban, currency: 'USD' },
      { iban, currency: 'EUR' },
    ],
  }),
  asking({ accounts: [{ msisdn: '+49 170 1234567' }] }),
  asking({ accounts: [{ maskedPan: '525412******3241' }] }),
  asking({ accounts: [{ iban }], additionalInformation: { trustedBeneficiaries: [{ iban }] } }),
  ['a kind of account', access({ allPsd2: 'allAccounts', restrictedTo: ['CACC', 'SVGS'] }, '1.3.12')],
  // reads
  path('/accounts?withBalance'),
  path('/accounts?withBalance=false'),
  path('/accounts/3dc3d5b3-7023-4848-9853-f5400a64e80f_EUR~1/balances'),
  path('/accounts/abc%2Bd%3D%3D/balances'),
  path('/accounts/1234567890/balances'),
  path(`/card-accounts/${id}/transactions?bookingStatus=both&dateFrom=2026-01-01&withBalance=true`),
  listing('bookingStatus=both&dateFrom=2026-01-01&dateTo=2026-06-10&withBalance=true'),
  listing('bookingStatus=booked&dateFrom=2026-06-10&dateTo=2026-06-10'),
  listing('bookingStatus=booked&dateFrom=2026-06-01&dateTo=2026-12-31'),
  listing('bookingStatus=booked&dateFrom=1999-01-01'),
  listing('bookingStatus=booked&dateFrom=2024-02-29'),
  listing('bookingStatus=%62ooked&dateFrom=2026%2D06%2D01'),
  listing('bookingStatus=booked&deltaList=true'),
  listing('bookingStatus=booked&entryReferenceFrom=2026%2F1'),
  listing('bookingStatus=information'),
  ['all of 1.3.12', transactions('bookingStatus=all&dateFrom=2026-06-01', '1.3.12')],
  ...(['application/xml', 'text/plain, application/json;q=0.5', 'application/text'] as const).map(
    (type): Row => [
      `transactions as ${type}`,
      transactions('bookingStatus=booked&dateFrom=2026-06-01', '1.3.2', ['Accept', type]),
    ],
  ),
  [
    'pain.002',
    call('GET', `/payments/pain.001-sepa-credit-transfers/${id}/status`, {
      headers: [['Accept', 'application/xml']],
    }),
  ],
  // authorisations and ends
  ['a start of nothing', call('POST', authorisations)],
  ['a start of length 0', call('POST', authorisations, { headers: [json, ['Content-Length', '0']] })],
  ['a start of {}', step({}, { method: 'POST' })],
  [
    'a start with a password',
    header(step({ psuData: { password: 'x' } }, { method: 'POST' }), 'PSU-ID', 'anna'),
  ],
  updating({ scaAuthenticationData: 'MTIzNDU2Nzg5MA==' }),
  updating({ authenticationMethodId: 'sms.1/2' }),
  updating({ confirmationCode: 'abc' }),
  updating({ psuData: { additionalPassword: 'x' } }),
  ['an identification', but(step({}), { headers: [requestId, ['PSU-ID', 'anna']], body: '' })],
  [
    'a confirmation by token',
    but(step({}), { headers: [requestId, ['Authorization', 'Bearer x']], body: '' }),
  ],
  ['a cancellation', call('DELETE', `/payments/sepa-credit-transfers/${id}`)],
  [
    'a cancellation by redirect',
    call('DELETE', `/payments/sepa-credit-transfers/${id}`, {
      headers: [
        ['TPP-Redirect-Preferred', 'true'],
        ['TPP-Redirect-URI', 'https://x.example'],
      ],
    }),
  ],
  [
    'the end of a consent',
    call('DELETE', `/consents/${id}`, { headers: [['PSU-IP-Address', '192.0.2.1'], json] }),
  ],
  [
    'a cancellation of 1.3.2',
    call('POST', `/payments/sepa-credit-transfers/${id}/cancellation-authorisations`, { framework: '1.3.2' }),
  ],
  [
    'a cancellation with a password',
    call('POST', `/payments/sepa-credit-transfers/${id}/cancellation-authorisations`, {
      headers: [json],
      body: '{"psuData":{"password":"x"}}',
    }),
  ],
  // funds and baskets
  ['funds of a card', funds({ cardNumber: '1234567890', payee: 'Shop', instructedAmount: euro('123') })],
  ['funds under a consent', header(funds(), 'Consent-ID', 'c')],
  ['funds of a BBAN', funds({ account: { bban: '12345' } })],
  [
    'a basket',
    basket({ paymentIds: ['a', 'b'], consentIds: ['a'] }, ['TPP-Explicit-Authorisation-Preferred', 'true']),
  ],
  ['a basket of a session', basket({ paymentIds: ['a'] }, ['Consent-ID', 'c'])],
  ['the status of a basket', call('GET', `/signing-baskets/${id}/status`, { headers: [['PSU-ID', 'anna']] })],
];

it.each(rows)('the referee finds nothing in %s', async (_name, request) => {
  expect(await findingsIn(request)).toEqual([]);
});
