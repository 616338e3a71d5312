// Requests that are right by the guidelines and the files, written by hand from them: the facts of obk and its client have no part.
import type { Dice } from './dice.ts';

/** A request as it is on the wire. */
export interface RightRequest {
  framework: '1.3.2' | '1.3.6';
  /** operationId. */
  operation: string;
  method: string;
  /** Path and query. */
  target: string;
  headers: [name: string, value: string][];
  body: Buffer;
}

/** The day that the requests are of. */
export const rightDay = new Date('2026-06-10T12:00:00Z');

const dayMs = 86_400_000;
const dayAfter = (days: number): string =>
  new Date(rightDay.getTime() + days * dayMs).toISOString().slice(0, 10);

const digits = (dice: Dice, count: number) =>
  Array.from({ length: count }, () => String(dice.below(10))).join('');

/** A German, Dutch or Austrian IBAN with right check digits (ISO 7064). */
function ibanOf(dice: Dice): string {
  const [country, bban] = dice.pick([
    ['DE', digits(dice, 18)],
    ['NL', `ABNA${digits(dice, 10)}`],
    ['AT', digits(dice, 16)],
  ] as const);
  const number = `${bban}${country}00`.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  const check = 98n - (BigInt(number) % 97n);
  return `${country}${check.toString().padStart(2, '0')}${bban}`;
}

function referenceOf(dice: Dice): object {
  const by = dice.pick([
    { iban: ibanOf(dice) },
    { iban: ibanOf(dice) },
    { bban: digits(dice, 12) },
    { pan: digits(dice, 16) },
    { maskedPan: `${digits(dice, 6)}xxxxxx${digits(dice, 4)}` },
    { msisdn: `+49${digits(dice, 10)}` },
  ]);
  return dice.maybe() ? by : { ...by, currency: dice.pick(['EUR', 'USD', 'CHF']) };
}

const amountOf = (dice: Dice, currency: string) => {
  const decimals = { EUR: 2, USD: 2, JPY: 0, KWD: 3 }[currency] ?? 2;
  const size = decimals === 0 ? 0 : dice.below(decimals + 1);
  const whole = String(1 + dice.below(99_999));
  return { currency, amount: size === 0 ? whole : `${whole}.${digits(dice, size)}` };
};

const transferOf = (
  dice: Dice,
  { product, framework, debtor }: { product: string; framework: string; debtor: boolean },
) => {
  const euro = product !== 'cross-border-credit-transfers';
  const address =
    framework === '1.3.2'
      ? { street: 'Main', buildingNumber: '1', city: 'Town', postalCode: '12345', country: 'DE' }
      : { streetName: 'Main', buildingNumber: '1', townName: 'Town', postCode: '12345', country: 'DE' };
  return {
    ...(debtor && { debtorAccount: { iban: ibanOf(dice), ...(dice.maybe() && { currency: 'EUR' }) } }),
    instructedAmount: amountOf(dice, euro ? 'EUR' : dice.pick(['EUR', 'USD', 'JPY', 'KWD'])),
    creditorAccount: euro || dice.maybe() ? { iban: ibanOf(dice) } : { bban: digits(dice, 10) },
    creditorName: dice.text(70),
    ...(dice.maybe() && { endToEndIdentification: dice.text(35) }),
    ...(dice.maybe() && { creditorAgent: dice.pick(['COBADEFFXXX', 'DEUTDEFF', 'ABNANL2A']) }),
    ...(dice.maybe() && { creditorAddress: address }),
    ...(dice.maybe() && { remittanceInformationUnstructured: dice.text(140) }),
    ...(!euro && dice.maybe() && { chargeBearer: dice.pick(['DEBT', 'CRED', 'SHAR', 'SLEV']) }),
  };
};

const jsonProducts = [
  'sepa-credit-transfers',
  'instant-sepa-credit-transfers',
  'target-2-payments',
  'cross-border-credit-transfers',
];

function standingOf(dice: Dice, framework: string): object {
  const usual = [
    'Daily',
    'Weekly',
    'EveryTwoWeeks',
    'Monthly',
    'EveryTwoMonths',
    'Quarterly',
    'SemiAnnual',
    'Annual',
  ];
  const frequency = dice.pick(framework === '1.3.6' ? [...usual, 'MonthlyVariable'] : usual);
  const start = 1 + dice.below(60);
  return {
    startDate: dayAfter(start),
    frequency,
    ...(dice.maybe() && { endDate: dayAfter(start + dice.below(700)) }),
    ...(dice.maybe() && { executionRule: dice.pick(['following', 'preceding']) }),
    ...(dice.maybe() && { dayOfExecution: String(1 + dice.below(31)) }),
    ...(frequency === 'MonthlyVariable' && { monthsOfExecution: ['1', '4', '12'].slice(dice.below(3)) }),
  };
}

const painOf = (dice: Dice, payments: number, executionDay: string) => {
  const amounts = Array.from({ length: payments }, () => `${String(1 + dice.below(900))}.${digits(dice, 2)}`);
  const cents = amounts
    .reduce((sum, one) => sum + BigInt(one.replace('.', '')), 0n)
    .toString()
    .padStart(3, '0');
  const sum = `${cents.slice(0, -2)}.${cents.slice(-2)}`;
  const transfers = amounts
    .map(
      (amount, at) =>
        `<CdtTrfTxInf><PmtId><EndToEndId>E${String(at)}</EndToEndId></PmtId><Amt><InstdAmt Ccy="EUR">${amount}</InstdAmt></Amt>` +
        `<Cdtr><Nm>Payee</Nm></Cdtr><CdtrAcct><Id><IBAN>${ibanOf(dice)}</IBAN></Id></CdtrAcct></CdtTrfTxInf>`,
    )
    .join('');
  const count = String(payments);
  return (
    '<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.03"><CstmrCdtTrfInitn>' +
    `<GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-06-10T10:00:00Z</CreDtTm><NbOfTxs>${count}</NbOfTxs><CtrlSum>${sum}</CtrlSum>` +
    '<InitgPty><Nm>Payer</Nm></InitgPty></GrpHdr>' +
    `<PmtInf><PmtInfId>P1</PmtInfId><PmtMtd>TRF</PmtMtd><NbOfTxs>${count}</NbOfTxs><CtrlSum>${sum}</CtrlSum>` +
    `<ReqdExctnDt>${executionDay}</ReqdExctnDt><Dbtr><Nm>Payer</Nm></Dbtr><DbtrAcct><Id><IBAN>${ibanOf(dice)}</IBAN></Id></DbtrAcct>` +
    `<DbtrAgt><FinInstnId><Othr><Id>NOTPROVIDED</Id></Othr></FinInstnId></DbtrAgt><ChrgBr>SLEV</ChrgBr>${transfers}</PmtInf>` +
    '</CstmrCdtTrfInitn></Document>'
  );
};

interface Sent {
  type?: string;
  body: string;
}
const asJson = (value: object): Sent => ({ type: 'application/json', body: JSON.stringify(value) });

function paymentOf(dice: Dice, framework: string, service: string, product: string): Sent {
  if (product.startsWith('pain.001-')) {
    const xml = painOf(dice, service === 'bulk-payments' ? 1 + dice.below(3) : 1, dayAfter(dice.below(9)));
    if (service !== 'periodic-payments') return { type: 'application/xml', body: xml };
    const part = (name: string, type: string, text: string) =>
      `--b1\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: ${type}\r\n\r\n${text}\r\n`;
    const form =
      part('xml_sct', 'application/xml', xml) +
      part('json_standingorderType', 'application/json', JSON.stringify(standingOf(dice, framework)));
    return { type: 'multipart/form-data; boundary=b1', body: `${form}--b1--\r\n` };
  }
  const single = (debtor: boolean) => transferOf(dice, { product, framework, debtor });
  if (service === 'payments') {
    const when = dice.pick([{}, {}, { requestedExecutionDate: dayAfter(dice.below(30)) }]);
    return asJson({ ...single(true), ...when });
  }
  if (service === 'periodic-payments') return asJson({ ...single(true), ...standingOf(dice, framework) });
  return asJson({
    ...(dice.maybe() && { batchBookingPreferred: dice.maybe() }),
    ...(dice.maybe() && { requestedExecutionDate: dayAfter(dice.below(30)) }),
    debtorAccount: { iban: ibanOf(dice) },
    payments: Array.from({ length: 1 + dice.below(4) }, () => single(false)),
  });
}

function accessOf(dice: Dice, framework: string): object {
  const some = () => Array.from({ length: 1 + dice.below(2) }, () => referenceOf(dice));
  const accounts = some();
  return dice.pick<object>([
    { accounts: [] },
    { accounts: [], balances: [], transactions: [] },
    { accounts },
    { balances: some() },
    { accounts: some(), balances: some(), transactions: some() },
    { availableAccounts: 'allAccounts' },
    { allPsd2: 'allAccounts' },
    framework === '1.3.2'
      ? { availableAccounts: 'allAccountsWithBalances' }
      : { availableAccountsWithBalance: dice.pick(['allAccounts', 'allAccountsWithOwnerName']) },
    framework === '1.3.2'
      ? { availableAccountsWithBalances: 'allAccounts' }
      : { accounts, additionalInformation: { ownerName: accounts } },
  ]);
}

function consentOf(dice: Dice, framework: string): object {
  const recurring = dice.maybe();
  return {
    access: accessOf(dice, framework),
    recurringIndicator: recurring,
    validUntil: dice.pick([dayAfter(1), dayAfter(90), dayAfter(180), '9999-12-31']),
    frequencyPerDay: recurring ? 1 + dice.below(4) : 1,
    combinedServiceIndicator: dice.maybe(),
  };
}

const authBodies = (framework: string): readonly object[] => [
  { psuData: { password: 'start123' } },
  { psuData: { encryptedPassword: 'eyJhbGciOiJSU0EtT0FFUC0yNTYifQ.a.b.c.d' } },
  { psuData: { additionalPassword: 'geheim' } },
  { authenticationMethodId: 'sms-1' },
  { scaAuthenticationData: '123456' },
  ...(framework === '1.3.6' ? [{ confirmationCode: '2256ffgh' }] : []),
];

/** The operations by name: method, path, header sets. */
const table: readonly (readonly [operation: string, line: string, sets: string])[] = [
  ['initiatePayment', 'POST /{service}/{product}', 'psu red not ip! explicit funds brand'],
  ['getPaymentInformation', 'GET /{service}/{product}/{id}', 'ip'],
  ['cancelPayment', 'DELETE /{service}/{product}/{id}', 'ip'],
  ['getPaymentInitiationStatus', 'GET /{service}/{product}/{id}/status', 'ip'],
  ...authorisationsOf('/{service}/{product}/{id}/authorisations', [
    'startPaymentAuthorisation',
    'getPaymentInitiationAuthorisation',
    'getPaymentInitiationScaStatus',
    'updatePaymentPsuData',
  ]),
  ...authorisationsOf('/{service}/{product}/{id}/cancellation-authorisations', [
    'startPaymentInitiationCancellationAuthorisation',
    'getPaymentInitiationCancellationAuthorisationInformation',
    'getPaymentCancellationScaStatus',
    'updatePaymentCancellationPsuData',
  ]),
  ['getAccountList', 'GET /accounts?balance', 'consent! ip'],
  ['readAccountDetails', 'GET /accounts/{id}?balance', 'consent! ip'],
  ['getBalances', 'GET /accounts/{id}/balances', 'consent! ip'],
  ['getTransactionList', 'GET /accounts/{id}/transactions?report', 'consent! ip'],
  ['getTransactionDetails', 'GET /accounts/{id}/transactions/{id}', 'consent! ip'],
  ['getCardAccount', 'GET /card-accounts', 'consent! ip'],
  ['ReadCardAccount', 'GET /card-accounts/{id}', 'consent! ip'],
  ['getCardAccountBalances', 'GET /card-accounts/{id}/balances', 'consent! ip'],
  ['getCardAccountTransactionList', 'GET /card-accounts/{id}/transactions?report', 'consent! ip'],
  ['createConsent', 'POST /consents', 'psu red not ip! explicit brand'],
  ['getConsentInformation', 'GET /consents/{id}', 'ip'],
  ['deleteConsent', 'DELETE /consents/{id}', 'ip'],
  ['getConsentStatus', 'GET /consents/{id}/status', 'ip'],
  ...authorisationsOf('/consents/{id}/authorisations', [
    'startConsentAuthorisation',
    'getConsentAuthorisation',
    'getConsentScaStatus',
    'updateConsentsPsuData',
  ]),
  ['checkAvailabilityOfFunds', 'POST /funds-confirmations', 'bare'],
  ['createSigningBasket', 'POST /signing-baskets', 'psu red not ip!'],
  ['getSigningBasket', 'GET /signing-baskets/{id}', 'ip'],
  ['deleteSigningBasket', 'DELETE /signing-baskets/{id}', 'ip'],
  ['getSigningBasketStatus', 'GET /signing-baskets/{id}/status', 'psu ip'],
  ...authorisationsOf('/signing-baskets/{id}/authorisations', [
    'startSigningBasketAuthorisation',
    'getSigningBasketAuthorisation',
    'getSigningBasketScaStatus',
    'updateSigningBasketPsuData',
  ]),
];

function authorisationsOf(
  path: string,
  [start, list, status, update]: readonly [string, string, string, string],
) {
  return [
    [start, `POST ${path}`, 'psu red not ip'],
    [list, `GET ${path}`, 'ip'],
    [status, `GET ${path}/{id}`, 'ip'],
    [update, `PUT ${path}/{id}`, 'psu ip'],
  ] as const;
}

/** The operationIds, each once. */
export const rightOperations: readonly string[] = table.map(([operation]) => operation);

const contextOf = (dice: Dice): [string, string][] =>
  (
    [
      ['PSU-IP-Port', '1234'],
      ['PSU-Accept', 'text/html,application/xhtml+xml;q=0.9'],
      ['PSU-Accept-Charset', 'utf-8'],
      ['PSU-Accept-Encoding', 'gzip, deflate'],
      ['PSU-Accept-Language', 'de-DE,en;q=0.8'],
      ['PSU-User-Agent', 'Mozilla/5.0 (X11; Linux x86_64)'],
      ['PSU-Http-Method', dice.pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])],
      ['PSU-Device-ID', dice.uuid()],
      ['PSU-Geo-Location', dice.pick(['GEO:52.506931;13.144558', 'GEO:-7.000000;-130.123456'])],
    ] as [string, string][]
  ).filter(() => dice.next() < 0.3);

function headersOf(
  dice: Dice,
  framework: string,
  operation: string,
  sets: readonly string[],
): [string, string][] {
  const has = (name: string) => sets.includes(name);
  const found: [string, string][] = [['X-Request-ID', dice.uuid()]];
  if (dice.maybe()) found.push(['Accept', 'application/json']);
  if (dice.maybe()) found.push(['Date', rightDay.toUTCString()]);
  if (dice.maybe()) found.push(['User-Agent', 'my-tpp/1.0'], ['Accept-Encoding', 'gzip']);
  if (has('bare')) return found;
  if (has('ip!') || dice.maybe())
    found.push(['PSU-IP-Address', dice.pick(['192.0.2.7', '198.51.100.255', '2001:db8::1'])]);
  if (has('consent!')) found.push(['Consent-ID', dice.uuid()]);
  if (has('psu') && dice.maybe()) {
    found.push(['PSU-ID', dice.pick(['embedded', 'PSU-1234', 'max.mustermann@bank'])]);
    if (dice.maybe()) found.push(['PSU-ID-Type', 'RETAIL']);
    if (dice.maybe()) found.push(['PSU-Corporate-ID', 'ACME'], ['PSU-Corporate-ID-Type', 'CORP']);
  }
  if (has('red')) {
    // Each approach: redirect, no redirect, the bank's choice, and OAuth.
    const approach = dice.below(4);
    if (approach === 0) found.push(['TPP-Redirect-Preferred', 'true']);
    if (approach === 1) found.push(['TPP-Redirect-Preferred', 'false']);
    if (approach !== 1)
      found.push(['TPP-Redirect-URI', dice.pick(['https://tpp.example/cb?x=1', 'myapp://back'])]);
    if (approach !== 1 && dice.maybe()) found.push(['TPP-Nok-Redirect-URI', 'https://tpp.example/nok']);
  }
  if (has('explicit') && dice.maybe())
    found.push(['TPP-Explicit-Authorisation-Preferred', dice.pick(['true', 'false'])]);
  if (has('funds') && dice.maybe()) found.push(['TPP-Rejection-NoFunds-Preferred', 'true']);
  if (has('not') && dice.next() < 0.2)
    found.push(
      ['TPP-Notification-URI', 'https://tpp.example/push'],
      [
        'TPP-Notification-Content-Preferred',
        dice.pick(['status=SCA', 'status=PROCESS, LAST', 'status=SCA,LAST']),
      ],
    );
  if (framework === '1.3.6' && has('brand') && dice.maybe())
    found.push(['TPP-Brand-Logging-Information', 'Brand One']);
  if (dice.next() < 0.3 && operation !== 'createConsent')
    found.push(['Authorization', `Bearer ${dice.hex(24)}`]);
  return [...found, ...contextOf(dice)];
}

function queryOf(dice: Dice, kind: string | undefined, framework: string): string {
  if (kind === 'balance') return dice.pick(['', '?withBalance=true', '?withBalance=false', '?withBalance']);
  if (kind !== 'report') return '';
  const from = dayAfter(-dice.below(90));
  return dice.pick([
    `?bookingStatus=booked&dateFrom=${from}`,
    `?dateFrom=${from}&dateTo=${dayAfter(0)}&bookingStatus=both&withBalance=true`,
    `?bookingStatus=pending&dateFrom=${from}`,
    '?bookingStatus=booked&deltaList=true',
    '?bookingStatus=booked&entryReferenceFrom=1234567',
    `?bookingStatus=booked&dateFrom=${from}&cursor=${dice.hex(20)}`,
    ...(framework === '1.3.6' ? ['?bookingStatus=information'] : []),
  ]);
}

function bodyFor(dice: Dice, framework: string, operation: string, service: string, product: string): Sent {
  if (operation === 'initiatePayment') return paymentOf(dice, framework, service, product);
  if (operation === 'createConsent') return asJson(consentOf(dice, framework));
  if (operation === 'checkAvailabilityOfFunds')
    return asJson({
      ...(dice.maybe() && { cardNumber: digits(dice, 16) }),
      account: referenceOf(dice),
      ...(dice.maybe() && { payee: dice.text(70) }),
      instructedAmount: amountOf(dice, 'EUR'),
    });
  if (operation === 'createSigningBasket')
    return asJson(
      dice.pick<object>([
        { paymentIds: [dice.uuid(), dice.uuid()] },
        { consentIds: [dice.uuid()] },
        { paymentIds: [dice.uuid()], consentIds: [dice.uuid()] },
      ]),
    );
  if (operation.startsWith('start')) {
    const ofOlder = framework === '1.3.2' && operation.includes('Cancellation');
    return dice.pick([
      { body: '' },
      ...(ofOlder ? [] : [asJson({}), asJson({ psuData: { password: 'start123' } })]),
    ]);
  }
  if (operation.startsWith('update')) return asJson(dice.pick(authBodies(framework)));
  return { body: '' };
}

/** Makes one right request of an operation, not signed. */
export function rightRequest(dice: Dice, framework: '1.3.2' | '1.3.6', operation: string): RightRequest {
  const [, line = '', sets = ''] = table.find(([id]) => id === operation) ?? [];
  const [method = '', template = ''] = line.split(' ');
  const [path = '', query] = template.split('?');
  const service = dice.pick(['payments', 'bulk-payments', 'periodic-payments']);
  const product = (dice.next() < 0.25 ? 'pain.001-' : '') + dice.pick(jsonProducts);
  const filled = path
    .replace('{service}', service)
    .replace('{product}', product)
    .replaceAll('{id}', () => dice.uuid());
  const { type, body } = bodyFor(dice, framework, operation, service, product);
  const headers = headersOf(dice, framework, operation, sets.split(' '));
  if (type !== undefined) headers.push(['Content-Type', type]);
  const prefix = framework === '1.3.2' ? '/v1' : '/v136';
  return {
    framework,
    operation,
    method,
    target: prefix + filled + queryOf(dice, query, framework),
    headers,
    body: Buffer.from(body),
  };
}
