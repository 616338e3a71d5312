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
  funds,
  findingsIn,
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

/** Mistakes typed from the guidelines and the practice of clients, beside those of the planted lists. */
type Row = readonly [name: string, request: HandRequest, rule: string, pointer: string];

/** A payment with one header, which is wrong. */
const wrongHeader = (name: string, value: string, rule = 'header-form'): Row => [
  `${name}: ${value}`,
  header(payment(), name, value),
  rule,
  name,
];
const preference = 'TPP-Notification-Content-Preferred';
const wrongWish = (value: string): Row => [
  `${preference}: ${value}`,
  header(header(payment(), 'TPP-Notification-URI', 'https://tpp.example/n'), preference, value),
  'header-form',
  preference,
];
const wrongAmount = (amount: string): Row => [
  `an amount of ${amount}`,
  payment({ instructedAmount: euro(amount) }),
  'body-amount',
  '/instructedAmount/amount',
];
const wrong =
  (what: string, made: (members: object) => HandRequest) =>
  (members: object, rule: string, pointer: string): Row => [
    `${what} with ${JSON.stringify(members)}`,
    made(members),
    rule,
    pointer,
  ];
const wrongPayment = wrong('a payment', payment);
const wrongStanding = wrong('a standing order', standing);
const wrongConsent = wrong('a consent', consent);
const wrongStep = wrong('an update', step);
const wrongList = (query: string, rule: string, pointer: string): Row => [
  `transactions with ${query}`,
  transactions(query),
  rule,
  pointer,
];
const uuid = '99391c7e-ad88-49ec-a2ad-99ddcb1f7721';

const rows: readonly Row[] = [
  // headers
  wrongHeader('X-Request-ID', `"${uuid}"`),
  wrongHeader('X-Request-ID', `urn:uuid:${uuid}`),
  wrongHeader('PSU-IP-Address', '192.0.2.999'),
  wrongHeader('PSU-IP-Address', ''),
  wrongHeader('PSU-IP-Address', 'unknown'),
  wrongHeader('PSU-Geo-Location', 'GEO:52.50693;13.14455'),
  wrongHeader('PSU-Geo-Location', 'GEO:95.506931;13.144558'),
  wrongHeader('PSU-Geo-Location', 'GEO:52.506931;-181.000000'),
  wrongHeader('PSU-Geo-Location', '52.506931;13.144558'),
  wrongHeader('PSU-Device-ID', `{${uuid}}`),
  wrongHeader('PSU-Http-Method', 'HEAD'),
  wrongWish('status=SCA,SCA'),
  wrongWish('SCA'),
  wrongWish('status=ALL'),
  wrongHeader('TPP-Redirect-Preferred', '1'),
  wrongHeader('TPP-Redirect-URI', 'data:text/html,x', 'redirect-uri-form'),
  wrongHeader('TPP-Redirect-URI', 'javascript://tpp.example/%0Aalert(1)', 'redirect-uri-form'),
  wrongHeader('TPP-Redirect-URI', 'file:///etc/passwd', 'redirect-uri-form'),
  wrongHeader('TPP-Redirect-URI', 'mailto:psu@tpp.example', 'redirect-uri-form'),
  wrongHeader('TPP-Redirect-URI', '', 'redirect-uri-form'),
  wrongHeader('TPP-Nok-Redirect-URI', 'nok', 'redirect-uri-form'),
  wrongHeader('TPP-Decoupled-Preferred', 'true', 'header-undeclared'),
  wrongHeader('Authorization', 'Bearer', 'authorization'),
  wrongHeader('Authorization', 'Bearer abc, Bearer def', 'authorization'),
  wrongHeader('Content-Type', 'application/xml', 'content-type'),
  wrongHeader('Content-Type', 'text/json', 'content-type'),
  wrongHeader('Content-Type', 'application/hal+json', 'content-type'),
  wrongHeader('PSU-Corporate-ID-Type', 'x', 'psu-id-type-alone'),
  wrongHeader('TPP-Redirect-URL', 'https://x.example', 'header-misspelt'),
  wrongHeader('Digest', 'SHA-256=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=', 'digest-alone'),
  wrongHeader('Date', '10.06.2026'),
  wrongHeader('Date', 'Mon, 10 Jun 2026 12:00:00 GMT'),
  wrongHeader('Date', 'Wed, 31 Jun 2026 12:00:00 GMT'),
  wrongHeader('Date', 'Wed, 10 Jun 2026 25:00:00 GMT'),
  wrongHeader('Date', 'Wed, 10 Jun 2026 11:00:00 GMT', 'date-far'),
  [
    'a header of payments at a consent',
    header(consent(), 'TPP-Rejection-NoFunds-Preferred', 'true'),
    'header-undeclared',
    'TPP-Rejection-NoFunds-Preferred',
  ],
  [
    'the wish for an explicit start at the start',
    header(step({}, { method: 'POST' }), 'TPP-Explicit-Authorisation-Preferred', 'true'),
    'header-undeclared',
    'TPP-Explicit-Authorisation-Preferred',
  ],
  ['Consent-ID beside its path', read(`/consents/${id}/status`), 'header-undeclared', 'Consent-ID'],
  [
    'PSU-IP-Address for funds',
    header(funds(), 'PSU-IP-Address', '192.0.2.1'),
    'header-undeclared',
    'PSU-IP-Address',
  ],
  [
    'PSU-User-Agent twice',
    but(payment(), { headers: [...payment().headers, ['PSU-User-Agent', 'a'], ['PSU-User-Agent', 'b']] }),
    'header-twice',
    'PSU-User-Agent',
  ],
  [
    'PSU-IPAddress',
    header(header(payment(), 'PSU-IP-Address'), 'PSU-IPAddress', '192.0.2.1'),
    'header-misspelt',
    'PSU-IPAddress',
  ],
  [
    'JSON for pain.001',
    payment({}, '1.3.6', 'pain.001-sepa-credit-transfers'),
    'content-type',
    'Content-Type',
  ],
  ['only text accepted', read('/accounts', '1.3.6', ['Accept', 'text/plain']), 'accept', 'Accept'],
  ['JSON refused', read('/accounts', '1.3.6', ['Accept', 'application/json;q=0']), 'accept', 'Accept'],
  ['a consent in XML', header(consent(), 'Content-Type', 'application/xml'), 'content-type', 'Content-Type'],
  // path and method
  ['PATCH for PUT', but(step({ scaAuthenticationData: '1' }), { method: 'PATCH' }), 'method', 'PATCH'],
  ['DELETE of an account', but(read(`/accounts/${id}`), { method: 'DELETE' }), 'method', 'DELETE'],
  ['a list of consents', read('/consents'), 'method', 'GET'],
  [
    'the cancellation of a consent',
    call('POST', `/consents/${id}/cancellation-authorisations`),
    'path-unknown',
    'cancellation-authorisations',
  ],
  [
    'bulk-payment',
    but(bulk(), { target: '/v136/bulk-payment/sepa-credit-transfers' }),
    'path-unknown',
    'bulk-payment',
  ],
  ['{consentId}', read('/consents/{consentId}/status'), 'path-id', 'consentId'],
  [':consentId', read('/consents/:consentId/status'), 'path-id', 'consentId'],
  [
    'an IBAN in groups as an account',
    read('/accounts/DE40%201001%200010%203307%201186%2008/balances'),
    'path-account-number',
    'account-id',
  ],
  ['accounts and a slash', read('/accounts/'), 'path-slash', '/'],
  [
    'a body of DELETE',
    call('DELETE', `/consents/${id}`, { headers: [json], body: '{"a":1}' }),
    'body-unexpected',
    '',
  ],
  // query
  ['withBalance twice', read('/accounts?withBalance=true&withBalance=true'), 'query-twice', 'withBalance'],
  [
    'withBalance of balances',
    read(`/accounts/${id}/balances?withBalance=true`),
    'query-unknown',
    'withBalance',
  ],
  wrongList('bookingStatus=booked&dateFrom=06-01-2026', 'query-form', 'dateFrom'),
  wrongList('bookingStatus=booked&dateFrom=2026-W20', 'query-form', 'dateFrom'),
  wrongList('bookingStatus=booked&DateFrom=2026-01-01', 'query-unknown', 'DateFrom'),
  wrongList(
    'bookingStatus=booked&entryReferenceFrom=a&deltaList=true',
    'query-combination',
    'entryReferenceFrom',
  ),
  ['information of 1.3.2', transactions('bookingStatus=information', '1.3.2'), 'query-form', 'bookingStatus'],
  [
    'information of a card',
    read(`/card-accounts/${id}/transactions?bookingStatus=information`, '1.3.12'),
    'query-form',
    'bookingStatus',
  ],
  [
    'a query of a payment',
    but(payment(), { target: '/v136/payments/sepa-credit-transfers?dryRun=true' }),
    'query-unknown',
    'dryRun',
  ],
  // bodies of payments
  ...['1.0000', '.50', '123456789012345.00', '0.00', '١.00', '1.', '0x10', 'NaN'].map(wrongAmount),
  wrongPayment(
    { instructedAmount: { currency: 'USD', amount: '1.00' } },
    'body-currency',
    '/instructedAmount/currency',
  ),
  [
    'cents of a yen',
    crossBorder({ instructedAmount: { currency: 'JPY', amount: '1.50' } }),
    'body-amount',
    '/instructedAmount/amount',
  ],
  wrongPayment(
    { creditorAccount: { iban: 'DE89 3704 0044 0532 0130 00' } },
    'body-iban',
    '/creditorAccount/iban',
  ),
  wrongPayment({ creditorAccount: { iban: 'XX89370400440532013000' } }, 'body-iban', '/creditorAccount/iban'),
  wrongPayment({ creditorAccount: { iban: 'DE8937040044053201300' } }, 'body-iban', '/creditorAccount/iban'),
  wrongPayment({ creditorAccount: { IBAN: iban } }, 'body-account-reference', '/creditorAccount'),
  wrongPayment({ creditorName: null }, 'body-type', '/creditorName'),
  wrongPayment(
    { remittanceInformationUnstructured: null },
    'body-type',
    '/remittanceInformationUnstructured',
  ),
  wrongPayment(
    { remittanceInformationUnstructured: 'a\nb' },
    'body-length',
    '/remittanceInformationUnstructured',
  ),
  wrongPayment(
    { creditorAddress: { street: 'a', country: 'DE' } },
    'body-member-later',
    '/creditorAddress/street',
  ),
  wrongPayment({ creditorAddress: { streetName: 'a' } }, 'body-member-missing', '/creditorAddress/country'),
  wrongPayment({ creditorAddress: { country: 'DEU' } }, 'body-code', '/creditorAddress/country'),
  wrongPayment({ creditorAgent: 'COBADEFFX' }, 'body-bic', '/creditorAgent'),
  wrongPayment({ endToEndIdentification: '' }, 'body-length', '/endToEndIdentification'),
  wrongPayment({ requestedExecutionDate: '2026-06-09' }, 'body-date-passed', '/requestedExecutionDate'),
  wrongPayment({ debtorAccount: { iban, currency: 'eur' } }, 'body-currency', '/debtorAccount/currency'),
  wrongPayment({ instructedAmount: '10.00 EUR' }, 'body-type', '/instructedAmount'),
  ['charges by SHA', crossBorder({ chargeBearer: 'SHA' }), 'body-code', '/chargeBearer'],
  ['a list for a payment', but(payment(), { body: '[{}]' }), 'body-type', ''],
  ['nothing for a payment', but(payment(), { body: '' }), 'body-missing', ''],
  ['null for a payment', but(payment(), { body: 'null' }), 'body-type', ''],
  [
    'a member twice',
    but(payment(), { body: '{"creditorName":"a","creditorName":"b"}' }),
    'body-unreadable',
    '',
  ],
  ['a bulk of none', bulk({ payments: [] }), 'body-list', '/payments'],
  [
    'the payer of one entry',
    bulkOf({ debtorAccount: { iban } }),
    'body-combination',
    '/payments/0/debtorAccount',
  ],
  ['one booking as a text', bulk({ batchBookingPreferred: 'true' }), 'body-type', '/batchBookingPreferred'],
  wrongStanding({ endDate: '2026-06-20' }, 'body-date-passed', '/endDate'),
  wrongStanding({ frequency: 'monthly' }, 'body-code', '/frequency'),
  wrongStanding({ frequency: 'MonthlyVariable' }, 'body-combination', '/monthsOfExecution'),
  wrongStanding({ monthsOfExecution: ['1'] }, 'body-combination', '/monthsOfExecution'),
  wrongStanding(
    { frequency: 'MonthlyVariable', monthsOfExecution: ['13'] },
    'body-code',
    '/monthsOfExecution/0',
  ),
  wrongStanding(
    { frequency: 'MonthlyVariable', monthsOfExecution: ['1', '1'] },
    'body-twice',
    '/monthsOfExecution',
  ),
  wrongStanding({ dayOfExecution: '0' }, 'body-code', '/dayOfExecution'),
  wrongStanding({ startDate: undefined }, 'body-member-missing', '/startDate'),
  [
    'MonthlyVariable in 1.3.2',
    standing({ frequency: 'MonthlyVariable', monthsOfExecution: ['1'] }, '1.3.2'),
    'body-code',
    '/frequency',
  ],
  // consents, funds, baskets, authorisations
  wrongConsent({ validUntil: '2026-06-09' }, 'consent-validity', '/validUntil'),
  wrongConsent({ validUntil: '2026-02-30' }, 'body-date', '/validUntil'),
  wrongConsent({ frequencyPerDay: 0 }, 'body-number', '/frequencyPerDay'),
  wrongConsent({ frequencyPerDay: -1 }, 'body-number', '/frequencyPerDay'),
  wrongConsent({ recurringIndicator: false }, 'consent-frequency', '/frequencyPerDay'),
  wrongConsent({ recurringIndicator: 'true' }, 'body-type', '/recurringIndicator'),
  wrongConsent({ combinedServiceIndicator: undefined }, 'body-member-missing', '/combinedServiceIndicator'),
  wrongConsent({ access: {} }, 'body-combination', '/access'),
  wrongConsent({ access: { allPsd2: 'all' } }, 'body-code', '/access/allPsd2'),
  wrongConsent(
    { access: { accounts: [{ iban, bban: '1' }] } },
    'body-account-reference',
    '/access/accounts/0',
  ),
  wrongConsent(
    { access: { accounts: [{ iban }], transaction: [] } },
    'body-member-unknown',
    '/access/transaction',
  ),
  wrongConsent(
    { access: { accounts: [], restrictedTo: ['CACC'] } },
    'body-member-later',
    '/access/restrictedTo',
  ),
  wrongConsent({ access: { accounts: [{ pan: 'x'.repeat(36) }] } }, 'body-length', '/access/accounts/0/pan'),
  [
    'names of owners in 1.3.2',
    access({ allPsd2: 'allAccountsWithOwnerName' }, '1.3.2'),
    'body-code',
    '/access/allPsd2',
  ],
  [
    'funds for less than nothing',
    funds({ instructedAmount: euro('-1.00') }),
    'body-amount',
    '/instructedAmount/amount',
  ],
  ['funds of no account', funds({ account: undefined }), 'body-member-missing', '/account'],
  ['a card number of 36', funds({ cardNumber: 'x'.repeat(36) }), 'body-length', '/cardNumber'],
  ['a basket of empty lists', basket({ paymentIds: [], consentIds: [] }), 'body-list', '/paymentIds'],
  ['a basket of nothing', basket({}), 'body-combination', ''],
  ['a payment twice in a basket', basket({ paymentIds: ['a', 'a'] }), 'body-twice', '/paymentIds'],
  ['ids as numbers', basket({ paymentIds: [1] }), 'body-type', '/paymentIds/0'],
  wrongStep(
    { psuData: { password: 'a' }, authenticationMethodId: 'sms' },
    'body-combination',
    '/authenticationMethodId',
  ),
  wrongStep({ psuData: {} }, 'body-combination', '/psuData'),
  wrongStep({ psuData: { pin: '1234' } }, 'body-member-unknown', '/psuData/pin'),
  wrongStep({ scaAuthenticationData: 123456 }, 'body-type', '/scaAuthenticationData'),
  wrongStep({ scaAuthenticatonData: '123456' }, 'body-member-unknown', '/scaAuthenticatonData'),
  wrongStep({ authenticationMethodId: 'x'.repeat(36) }, 'body-length', '/authenticationMethodId'),
  [
    'a code of confirmation in 1.3.2',
    step({ confirmationCode: 'x' }, { framework: '1.3.2' }),
    'body-member-later',
    '/confirmationCode',
  ],
  [
    'a code of confirmation at the start',
    step({ confirmationCode: 'x' }, { method: 'POST' }),
    'body-combination',
    '/confirmationCode',
  ],
  [
    'an empty form of a standing order in XML',
    but(standing(), {
      target: '/v136/periodic-payments/pain.001-sepa-credit-transfers',
      headers: [requestId, ['PSU-IP-Address', '192.0.2.1'], ['Content-Type', 'multipart/form-data']],
    }),
    'content-type',
    'Content-Type',
  ],
  ['a start at a path of PUT', but(step({}), { method: 'POST' }), 'method', 'POST'],
  ['an update of all', but(step({}), { target: `/v136${authorisations}` }), 'method', 'PUT'],
];

it.each(rows)('the referee finds %s', async (_name, request, rule, pointer) => {
  const findings = await findingsIn(request);
  expect(findings.map((one) => ({ rule: one.rule, pointer: one.pointer }))).toContainEqual({ rule, pointer });
  for (const { what, why, source } of findings) expect(what && why && source).toBeTruthy();
  // No place has two findings of the same kind.
  const places = findings.map((one) => `${one.rule} ${one.pointer}`);
  expect(new Set(places).size).toBe(places.length);
});

it('the referee reports a day that does not exist once', async () => {
  const findings = await findingsIn(consent({ validUntil: '2026-02-30' }));
  expect(findings.map(({ rule }) => rule)).toEqual(['body-date']);
});
