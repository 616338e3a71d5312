/** A right request as a TPP sends it. */
interface Typed {
  call: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`;
  headers?: Readonly<Record<string, string>>;
  body?: object;
}

const money = (amount: string, currency = 'EUR') => ({ currency, amount });
const iban = { iban: 'DE89370400440532013000' };
const other = { iban: 'NL91ABNA0417164300' };
const ip = { 'PSU-IP-Address': '192.0.2.1' };
const reads = { 'Consent-ID': 'k-1' };
const transfer = {
  debtorAccount: iban,
  instructedAmount: money('123.50'),
  creditorAccount: other,
  creditorName: 'Merchant',
};
const { debtorAccount: _, ...entry } = transfer;
const payment = '/payments/sepa-credit-transfers/p-1';
const range = 'bookingStatus=booked&dateFrom=2026-01-01&dateTo=2026-01-31';

/** Right requests, typed by the framework; each row of the tables below changes one of them. */
export const typedRequests = {
  pay: { call: 'POST /payments/sepa-credit-transfers', headers: ip, body: transfer },
  'pay abroad': {
    call: 'POST /payments/cross-border-credit-transfers',
    headers: ip,
    body: {
      ...transfer,
      instructedAmount: money('1000', 'JPY'),
      creditorAccount: { bban: '1234567' },
      creditorAgent: 'BOTKJPJT',
      creditorAddress: { townName: 'Tokyo', country: 'JP' },
      chargeBearer: 'SHAR',
    },
  },
  bulk: {
    call: 'POST /bulk-payments/sepa-credit-transfers',
    headers: ip,
    body: { debtorAccount: iban, batchBookingPreferred: true, payments: [entry, structuredClone(entry)] },
  },
  periodic: {
    call: 'POST /periodic-payments/sepa-credit-transfers',
    headers: ip,
    body: { ...transfer, startDate: '2099-01-01', frequency: 'Monthly', dayOfExecution: '15' },
  },
  'pay status': { call: `GET ${payment}/status` },
  'pay start': { call: `POST ${payment}/authorisations`, body: { psuData: { password: 'secret' } } },
  'pay update': { call: `PUT ${payment}/authorisations/a-1`, body: { scaAuthenticationData: '123456' } },
  cancel: { call: `DELETE ${payment}` },
  'cancel start': {
    call: `POST ${payment}/cancellation-authorisations`,
    headers: { 'PSU-ID': 'anna' },
    body: {},
  },
  consent: {
    call: 'POST /consents',
    headers: ip,
    body: {
      access: { accounts: [iban], balances: [iban] },
      recurringIndicator: true,
      validUntil: '2099-12-31',
      frequencyPerDay: 4,
      combinedServiceIndicator: false,
    },
  },
  'consent read': { call: 'GET /consents/k-1' },
  'consent start': { call: 'POST /consents/k-1/authorisations', headers: { 'PSU-ID': 'anna' }, body: {} },
  accounts: { call: 'GET /accounts?withBalance=true', headers: reads },
  transactions: { call: `GET /accounts/3dc3d5b3/transactions?${range}`, headers: reads },
  'card transactions': { call: `GET /card-accounts/3d9a81b3/transactions?${range}`, headers: reads },
  funds: {
    call: 'POST /funds-confirmations',
    headers: { 'Consent-ID': 'k-2' },
    body: { account: iban, instructedAmount: money('1.00') },
  },
  basket: { call: 'POST /signing-baskets', headers: ip, body: { paymentIds: ['p-1', 'p-2'] } },
  'basket delete': { call: 'DELETE /signing-baskets/s-1' },
} as const satisfies Readonly<Record<string, Typed>>;

export type TypedRequest = keyof typeof typedRequests;
/** Where the request is changed and to what: `/member/0` of its body, `call`, `body` or a header; without a value it is left out. */
export type Change = readonly [where: string, value?: unknown];

interface Wire {
  method: string;
  target: string;
  headers: readonly (readonly [string, string])[];
  body: string | undefined;
}

export function typedRequest(name: TypedRequest, changes: readonly Change[]): Wire {
  const { call, headers = {}, body: typed }: Typed = typedRequests[name];
  const given: Record<string, string | undefined> = {
    Host: 'bank.example',
    'X-Request-ID': '99391c7e-ad88-49ec-a2ad-99ddcb1f7721',
    ...(typed !== undefined && { 'Content-Type': 'application/json' }),
    ...headers,
  };
  const made: { call: string; body: unknown } = { call, body: structuredClone(typed) };
  for (const [where, value] of changes) {
    if (where === 'call') made.call = String(value);
    else if (where === 'body') made.body = value;
    else if (!where.startsWith('/')) given[where] = value as string | undefined;
    else {
      const steps = where.slice(1).split('/');
      const last = steps.pop() ?? '';
      const inner = steps.reduce<unknown>((one, step) => (one as Record<string, unknown>)[step], made.body);
      if (value === undefined) Reflect.deleteProperty(inner as object, last);
      else (inner as Record<string, unknown>)[last] = value;
    }
  }
  const [method = '', path = ''] = made.call.split(' ');
  const { body } = made;
  return {
    method,
    target: path.startsWith('//') ? path.slice(1) : `/v136${path}`,
    headers: Object.entries(given).filter((one): one is [string, string] => one[1] !== undefined),
    body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
  };
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** The ways in which a request may have been logged. */
export const notations: Readonly<Record<string, (wire: Wire) => string>> = {
  http: ({ method, target, headers, body }) =>
    [
      `${method} ${target} HTTP/1.1`,
      ...headers.map(([name, value]) => `${name}: ${value}`),
      '',
      body ?? '',
    ].join('\r\n'),
  curl: ({ method, target, headers, body }) =>
    [
      `curl -X ${method} ${quoted(`https://bank.example${target}`)}`,
      ...headers
        .filter(([name]) => name !== 'Host')
        .map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
      // Else curl would say that it is a form.
      ...(body !== undefined && headers.every(([name]) => name !== 'Content-Type')
        ? [`-H 'Content-Type:'`]
        : []),
      ...(body === undefined ? [] : [`--data-raw ${quoted(body)}`]),
    ].join(' \\\n  '),
  har: ({ method, target, headers, body }) =>
    JSON.stringify({
      log: {
        version: '1.2',
        creator: { name: 'typed', version: '1' },
        entries: [
          {
            request: {
              method,
              url: `https://bank.example${target}`,
              headers: headers.map(([name, value]) => ({ name, value })),
              bodySize: Buffer.byteLength(body ?? ''),
              ...(body !== undefined && { postData: { mimeType: 'application/json', text: body } }),
            },
          },
        ],
      },
    }),
};

type Wrong = readonly [name: TypedRequest, change: Change, rule: string, pointer: string];

/** Requests with one mistake, and the rule and the place that find it. */
export const mistakenRequests: readonly Wrong[] = [
  ['pay', ['X-Request-ID'], 'header-missing', 'X-Request-ID'],
  ['pay', ['X-Request-ID', '12345'], 'header-form', 'X-Request-ID'],
  ['pay', ['X-Request-ID', '00000000-0000-0000-0000-000000000000'], 'request-id-nil', 'X-Request-ID'],
  ['pay', ['PSU-IP-Address'], 'header-missing', 'PSU-IP-Address'],
  ['pay', ['PSU-IP-Address', '192.0.2.256'], 'header-form', 'PSU-IP-Address'],
  ['pay', ['PSU-IP-Port', '70000'], 'header-form', 'PSU-IP-Port'],
  ['pay', ['PSU-Http-Method', 'HEAD'], 'header-form', 'PSU-Http-Method'],
  ['pay', ['PSU-Geo-Location', '52.506931,13.144558'], 'header-form', 'PSU-Geo-Location'],
  ['pay', ['PSU-Device-ID', 'phone'], 'header-form', 'PSU-Device-ID'],
  ['pay', ['PSU-ID-Type', 'LOGIN'], 'psu-id-type-alone', 'PSU-ID-Type'],
  ['pay', ['TPP-Redirect-Preferred', 'yes'], 'header-form', 'TPP-Redirect-Preferred'],
  ['pay', ['TPP-Redirect-Preferred', 'true'], 'redirect-uri-missing', 'TPP-Redirect-URI'],
  ['pay', ['TPP-Redirect-URI', 'tpp.example/back'], 'redirect-uri-form', 'TPP-Redirect-URI'],
  ['pay', ['TPP-Redirect-URI', 'javascript:alert(1)'], 'redirect-uri-form', 'TPP-Redirect-URI'],
  ['pay', ['TPP-Redirect-Url', 'https://tpp.example/back'], 'header-misspelt', 'TPP-Redirect-Url'],
  [
    'pay',
    ['TPP-Explicit-Authorization-Preferred', 'true'],
    'header-misspelt',
    'TPP-Explicit-Authorization-Preferred',
  ],
  [
    'pay',
    ['TPP-Notification-Content-Preferred', 'status=LAST'],
    'notification-address',
    'TPP-Notification-Content-Preferred',
  ],
  ['pay', ['Authorization', 'Basic YTpi'], 'authorization', 'Authorization'],
  ['pay', ['Content-Type', 'text/plain'], 'content-type', 'Content-Type'],
  ['pay', ['call', 'POST /payments/sepa-credit-transfer'], 'path-product', 'payment-product'],
  ['pay', ['call', 'POST /payment/sepa-credit-transfers'], 'path-unknown', 'payment'],
  ['pay', ['call', 'POST /payments/sepa-credit-transfers/'], 'path-slash', '/'],
  ['pay', ['call', 'PUT /payments/sepa-credit-transfers'], 'method', 'PUT'],
  ['pay', ['body', '{"instructedAmount":'], 'body-unreadable', ''],
  ['pay', ['/debtorAccount'], 'body-member-missing', '/debtorAccount'],
  ['pay', ['/creditorName'], 'body-member-missing', '/creditorName'],
  ['pay', ['/creditorName', ''], 'body-length', '/creditorName'],
  ['pay', ['/creditorName', 'x'.repeat(71)], 'body-length', '/creditorName'],
  ['pay', ['/endToEndIdentification', 'x'.repeat(36)], 'body-length', '/endToEndIdentification'],
  [
    'pay',
    ['/remittanceInformationUnstructured', 'x'.repeat(141)],
    'body-length',
    '/remittanceInformationUnstructured',
  ],
  ['pay', ['/instructedAmount/amount', 123.5], 'body-type', '/instructedAmount/amount'],
  ['pay', ['/instructedAmount/amount', '-1.00'], 'body-amount', '/instructedAmount/amount'],
  ['pay', ['/instructedAmount/amount', '1.005'], 'body-amount', '/instructedAmount/amount'],
  ['pay', ['/instructedAmount/amount', '0.00'], 'body-amount', '/instructedAmount/amount'],
  ['pay', ['/instructedAmount/currency', 'USD'], 'body-currency', '/instructedAmount/currency'],
  ['pay', ['/instructedAmount/currency', 'EURO'], 'body-currency', '/instructedAmount/currency'],
  ['pay', ['/creditorAccount/iban', 'NL91ABNA0417164301'], 'body-iban', '/creditorAccount/iban'],
  ['pay', ['/creditorAccount/iban', 'NL91 ABNA 0417 1643 00'], 'body-iban', '/creditorAccount/iban'],
  [
    'pay',
    ['/creditorAccount', { ...other, bban: '0417164300' }],
    'body-account-reference',
    '/creditorAccount',
  ],
  ['pay', ['/creditorAccount', {}], 'body-account-reference', '/creditorAccount'],
  ['pay', ['/creditorAgent', 'ABNANL2'], 'body-bic', '/creditorAgent'],
  ['pay', ['/creditorAddress', { townName: 'Town' }], 'body-member-missing', '/creditorAddress/country'],
  ['pay', ['/requestedExecutionDate', '2026-02-30'], 'body-date', '/requestedExecutionDate'],
  ['pay', ['/requestedExecutionDate', '2020-01-01'], 'body-date-passed', '/requestedExecutionDate'],
  ['pay', ['/creditorNames', 'Merchant'], 'body-member-unknown', '/creditorNames'],
  ['pay abroad', ['/instructedAmount/amount', '1000.5'], 'body-amount', '/instructedAmount/amount'],
  ['pay abroad', ['/chargeBearer', 'SHARED'], 'body-code', '/chargeBearer'],
  ['pay abroad', ['/creditorAddress/country', 'JPN'], 'body-code', '/creditorAddress/country'],
  ['bulk', ['/payments', []], 'body-list', '/payments'],
  ['bulk', ['/payments', entry], 'body-type', '/payments'],
  ['bulk', ['/payments/1/instructedAmount'], 'body-member-missing', '/payments/1/instructedAmount'],
  ['bulk', ['/batchBookingPreferred', 'true'], 'body-type', '/batchBookingPreferred'],
  ['periodic', ['/startDate'], 'body-member-missing', '/startDate'],
  ['periodic', ['/frequency', 'monthly'], 'body-code', '/frequency'],
  ['periodic', ['/dayOfExecution', '32'], 'body-code', '/dayOfExecution'],
  ['periodic', ['/executionRule', 'next'], 'body-code', '/executionRule'],
  ['periodic', ['/endDate', '2098-12-31'], 'body-date-passed', '/endDate'],
  ['pay status', ['PSU-ID', 'anna'], 'header-undeclared', 'PSU-ID'],
  ['pay status', ['call', `GET ${payment}/state`], 'path-unknown', 'state'],
  ['pay status', ['Accept', 'text/csv'], 'accept', 'Accept'],
  ['pay status', ['body', '{}'], 'body-unexpected', ''],
  ['pay start', ['/psuData', {}], 'body-combination', '/psuData'],
  ['pay start', ['/psuData/password', 1234], 'body-type', '/psuData/password'],
  ['pay update', ['/scaAuthenticationData', 123456], 'body-type', '/scaAuthenticationData'],
  ['pay update', ['body', {}], 'psu-id-missing', 'PSU-ID'],
  ['cancel', ['TPP-Redirect-Preferred', '1'], 'header-form', 'TPP-Redirect-Preferred'],
  ['consent', ['/access'], 'body-member-missing', '/access'],
  ['consent', ['/access', { allPsd2: 'all' }], 'body-code', '/access/allPsd2'],
  ['consent', ['/access/accounts', [{}]], 'body-account-reference', '/access/accounts/0'],
  ['consent', ['/recurringIndicator', 'true'], 'body-type', '/recurringIndicator'],
  ['consent', ['/validUntil', '2020-12-31'], 'consent-validity', '/validUntil'],
  ['consent', ['/validUntil', '31.12.2099'], 'body-date', '/validUntil'],
  ['consent', ['/frequencyPerDay', '4'], 'body-type', '/frequencyPerDay'],
  ['consent', ['/frequencyPerDay', 0], 'body-number', '/frequencyPerDay'],
  ['consent', ['/recurringIndicator', false], 'consent-frequency', '/frequencyPerDay'],
  ['consent', ['/combinedServiceIndicator'], 'body-member-missing', '/combinedServiceIndicator'],
  [
    'consent',
    ['/access', { accounts: [iban], allPsd2: 'allAccounts' }],
    'body-combination',
    '/access/accounts',
  ],
  ['consent read', ['call', 'GET /consents/k-1?withBalance=true'], 'query-unknown', 'withBalance'],
  ['accounts', ['Consent-ID'], 'header-missing', 'Consent-ID'],
  ['accounts', ['call', 'GET /accounts?withBalance=yes'], 'query-form', 'withBalance'],
  ['accounts', ['call', 'GET /accounts?withBalance=true&withBalance=true'], 'query-twice', 'withBalance'],
  ['accounts', ['call', 'GET /accounts/DE89370400440532013000'], 'path-account-number', 'account-id'],
  [
    'transactions',
    ['call', 'GET /accounts/3dc3d5b3/transactions?dateFrom=2026-01-01'],
    'query-missing',
    'bookingStatus',
  ],
  [
    'transactions',
    ['call', 'GET /accounts/3dc3d5b3/transactions?bookingStatus=booked'],
    'query-missing',
    'dateFrom',
  ],
  [
    'transactions',
    ['call', 'GET /accounts/3dc3d5b3/transactions?bookingStatus=all&dateFrom=2026-01-01'],
    'query-form',
    'bookingStatus',
  ],
  [
    'transactions',
    ['call', 'GET /accounts/3dc3d5b3/transactions?bookingStatus=booked&dateFrom=01.01.2026'],
    'query-form',
    'dateFrom',
  ],
  [
    'transactions',
    [
      'call',
      'GET /accounts/3dc3d5b3/transactions?bookingStatus=booked&dateFrom=2026-02-01&dateTo=2026-01-01',
    ],
    'period',
    'dateFrom',
  ],
  [
    'transactions',
    ['call', 'GET /accounts/3dc3d5b3/transactions?bookingStatus=booked&dateFrom=2099-02-01'],
    'period-future',
    'dateFrom',
  ],
  [
    'transactions',
    ['call', 'GET /accounts/3dc3d5b3/transactions?bookingStatus=booked&deltaList=true&entryReferenceFrom=1'],
    'query-combination',
    'entryReferenceFrom',
  ],
  ['funds', ['/instructedAmount'], 'body-member-missing', '/instructedAmount'],
  ['funds', ['/cardNumber', 'x'.repeat(36)], 'body-length', '/cardNumber'],
  ['basket', ['body', {}], 'body-combination', ''],
  ['basket', ['/paymentIds', []], 'body-list', '/paymentIds'],
  ['basket', ['/paymentIds', ['p-1', 'p-1']], 'body-twice', '/paymentIds'],
  ['basket', ['/paymentIds', 'p-1'], 'body-type', '/paymentIds'],
  ['basket delete', ['call', 'DELETE /signing-baskets/s-1/status'], 'method', 'DELETE'],
  ['basket delete', ['call', 'DELETE /signing-baskets/s%252D1'], 'path-id', 'basketId'],
];

/** Requests that are unusual and right. */
export const unusualRequests: readonly (readonly [name: TypedRequest, changes: readonly Change[]])[] = [
  // Logs leave bodies out.
  ['pay', [['body']]],
  ['pay', [['X-Request-ID', '99391C7E-AD88-49EC-A2AD-99DDCB1F7721']]],
  ['pay', [['X-Request-ID', '017f22e2-79b0-7cc3-98c4-dc0c0c07398f']]],
  ['pay', [['PSU-IP-Address', '2001:db8::1']]],
  ['pay', [['PSU-IP-Port', '65535']]],
  ['pay', [['PSU-Geo-Location', 'GEO:52.506931;13.144558']]],
  ['pay', [['PSU-Geo-Location', 'GEO:-52.506931;-13.144558']]],
  ['pay', [['PSU-Device-ID', '99435c7e-ad88-49ec-a2ad-99ddcb1f5555']]],
  ['pay', [['PSU-Http-Method', 'PATCH']]],
  ['pay', [['PSU-Accept-Language', 'de-DE,de;q=0.9,en;q=0.8']]],
  [
    'pay',
    [
      ['PSU-ID', 'anna'],
      ['PSU-ID-Type', 'LOGIN'],
    ],
  ],
  [
    'pay',
    [
      ['PSU-ID', 'anna'],
      ['PSU-Corporate-ID', 'acme'],
      ['PSU-Corporate-ID-Type', 'HBCI'],
    ],
  ],
  ['pay', [['TPP-Redirect-Preferred', 'false']]],
  [
    'pay',
    [
      ['TPP-Redirect-Preferred', 'true'],
      ['TPP-Redirect-URI', 'https://tpp.example/back?a=1#x'],
    ],
  ],
  [
    'pay',
    [
      ['TPP-Redirect-URI', 'https://tpp.example/ok'],
      ['TPP-Nok-Redirect-URI', 'https://tpp.example/nok'],
    ],
  ],
  ['pay', [['TPP-Redirect-URI', 'example.tpp.app://back']]],
  ['pay', [['TPP-Brand-Logging-Information', 'Shop of Anna']]],
  ['pay', [['TPP-Rejection-NoFunds-Preferred', 'true']]],
  [
    'pay',
    [
      ['TPP-Notification-URI', 'https://tpp.example/n'],
      ['TPP-Notification-Content-Preferred', 'status=SCA,PROCESS'],
    ],
  ],
  ['pay', [['Authorization', 'Bearer abc.def-_~+/=']]],
  ['pay', [['Consent-ID', 'k-1']]],
  ['pay', [['Content-Type', 'application/json; charset=utf-8']]],
  ['pay', [['Content-Type', 'APPLICATION/JSON']]],
  ['pay', [['Accept', '*/*']]],
  ['pay', [['Accept', 'application/json;q=0.9, application/problem+json']]],
  [
    'pay',
    [
      ['User-Agent', 'curl/8'],
      ['Accept-Encoding', 'gzip, br'],
      ['Traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'],
    ],
  ],
  ['pay', [['X-Forwarded-For', '10.0.0.1']]],
  ['pay', [['/instructedAmount/amount', '123']]],
  ['pay', [['/instructedAmount/amount', '0.01']]],
  ['pay', [['/instructedAmount/amount', '999999999.99']]],
  ['pay', [['/debtorAccount/currency', 'EUR']]],
  ['pay', [['/creditorName', "/-?:().,'+ Zaz09"]]],
  ['pay', [['/creditorName', 'x'.repeat(70)]]],
  ['pay', [['/creditorAgent', 'ABNANL2AXXX']]],
  ['pay', [['/creditorAddress', { country: 'NL' }]]],
  ['pay', [['/endToEndIdentification', 'x'.repeat(35)]]],
  ['pay', [['/remittanceInformationUnstructured', 'x'.repeat(140)]]],
  ['pay', [['/requestedExecutionDate', '2099-01-01']]],
  ['pay', [['call', 'POST /payments/instant-sepa-credit-transfers']]],
  ['pay', [['call', 'POST /payments/target-2-payments']]],
  ['pay abroad', [['/creditorAgent']]],
  ['pay abroad', [['/chargeBearer', 'SLEV']]],
  ['pay abroad', [['/instructedAmount', money('1.125', 'BHD')]]],
  ['bulk', [['/batchBookingPreferred']]],
  ['bulk', [['/requestedExecutionDate', '2099-01-01']]],
  ['bulk', [['/payments', [entry]]]],
  ['periodic', [['/frequency', 'MonthlyVariable'], ['/dayOfExecution'], ['/monthsOfExecution', ['1', '7']]]],
  ['periodic', [['/endDate', '2099-01-01']]],
  [
    'periodic',
    [
      ['/executionRule', 'preceding'],
      ['/dayOfExecution', '31'],
    ],
  ],
  [
    'pay start',
    [
      ['body', {}],
      ['PSU-ID', 'anna'],
    ],
  ],
  ['pay start', [['/psuData', { encryptedPassword: 'abc' }]]],
  ['pay start', [['/psuData', { additionalPassword: 'x' }]]],
  ['pay update', [['body', { authenticationMethodId: 'm-1' }]]],
  ['pay update', [['body', { confirmationCode: '123' }]]],
  [
    'pay update',
    [
      ['body', {}],
      ['PSU-ID', 'anna'],
    ],
  ],
  [
    'cancel',
    [
      ['TPP-Redirect-Preferred', 'true'],
      ['TPP-Redirect-URI', 'https://tpp.example/back'],
    ],
  ],
  ['cancel', [['TPP-Explicit-Authorisation-Preferred', 'false']]],
  ['cancel start', [['body', { psuData: { password: 'x' } }]]],
  ['consent', [['/access', { accounts: [] }]]],
  ['consent', [['/access', { allPsd2: 'allAccounts' }]]],
  [
    'consent',
    [
      ['/access', { availableAccounts: 'allAccounts' }],
      ['/recurringIndicator', false],
      ['/frequencyPerDay', 1],
    ],
  ],
  [
    'consent',
    [
      ['/access', { availableAccountsWithBalance: 'allAccountsWithOwnerName' }],
      ['/recurringIndicator', false],
      ['/frequencyPerDay', 1],
    ],
  ],
  ['consent', [['/validUntil', '9999-12-31']]],
  [
    'consent',
    [
      [
        '/access/accounts',
        [
          { ...iban, currency: 'EUR' },
          { ...iban, currency: 'USD' },
        ],
      ],
    ],
  ],
  ['consent', [['/access/accounts', [{ maskedPan: '525412******3241' }]]]],
  ['consent', [['/access/additionalInformation', { ownerName: [iban] }]]],
  ['consent start', [['body', { psuData: { password: 'x' } }]]],
  ['accounts', [['call', 'GET /accounts']]],
  [
    'accounts',
    [
      ['PSU-IP-Address', '192.0.2.1'],
      ['PSU-User-Agent', 'Firefox'],
    ],
  ],
  ['transactions', [['call', 'GET /accounts/3dc3d5b3/transactions?bookingStatus=both&dateFrom=2026-01-01']]],
  [
    'transactions',
    [['call', 'GET /accounts/3dc3d5b3/transactions?bookingStatus=booked&entryReferenceFrom=E-1']],
  ],
  ['transactions', [['call', 'GET /accounts/3dc3d5b3/transactions?bookingStatus=booked&deltaList=true']]],
  ['transactions', [['call', 'GET /accounts/3dc3d5b3/transactions?bookingStatus=information']]],
  ['transactions', [['Accept', 'application/xml']]],
  ['transactions', [['Accept', 'text/plain']]],
  ['transactions', [['call', 'GET /accounts/a%2Fb/transactions?bookingStatus=booked&dateFrom=2026-01-01']]],
  [
    'transactions',
    [
      [
        'call',
        'GET /accounts/3dc3d5b3/transactions?bookingStatus=booked&dateFrom=2026-01-01&dateTo=2026-01-01',
      ],
    ],
  ],
  [
    'card transactions',
    [['call', 'GET /card-accounts/3d9a81b3/transactions?bookingStatus=both&dateFrom=2026-01-01']],
  ],
  ['funds', [['/account', { pan: '5254121234563241' }]]],
  [
    'funds',
    [
      ['/payee', 'Shop'],
      ['/cardNumber', '5254121234563241'],
    ],
  ],
  ['basket', [['body', { consentIds: ['k-1', 'k-2'] }]]],
  ['basket', [['/consentIds', ['k-1']]]],
];
