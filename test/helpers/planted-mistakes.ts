// Mistakes of clients, each one change to a right request, with the finding that the referee must report.
import type { RightRequest } from './right-requests.ts';
import type { Known, Terms } from '../../src/referee/request.ts';

/** A mistake: how a right request of the operation is changed, and what must be found. */
export interface PlantedMistake {
  name: string;
  operation: string;
  framework: '1.3.2' | '1.3.6';
  /** Changes the request before it is signed, or (with `after`) when it is signed. */
  change?: (request: RightRequest) => void;
  after?: (request: RightRequest) => void;
  /** What the bank knows, or wants. */
  known?: Known;
  terms?: Partial<Terms>;
  /** Another certificate than the usual one. */
  seal?: 'expired' | 'early' | 'stranger' | 'account-reader' | 'qwac';
  rule: string;
  pointer: string;
  code: string;
}

type Change = (request: RightRequest) => void;
type Fields = Record<string, unknown>;

const set =
  (name: string, value: string): Change =>
  (request) => {
    drop(name)(request);
    request.headers.push([name, value]);
  };
const drop =
  (name: string): Change =>
  (request) => {
    request.headers = request.headers.filter(([one]) => one.toLowerCase() !== name.toLowerCase());
  };
const also =
  (name: string, value: string): Change =>
  (request) => {
    request.headers.push([name, value]);
  };
const target =
  (from: string | RegExp, to: string): Change =>
  (request) => {
    request.target = request.target.replace(from, to);
  };
const query =
  (text: string): Change =>
  (request) => {
    request.target = `${request.target.split('?')[0] ?? ''}?${text}`;
  };
const body =
  (change: (fields: Fields) => void): Change =>
  (request) => {
    const fields = JSON.parse(request.body.toString()) as Fields;
    change(fields);
    request.body = Buffer.from(JSON.stringify(fields));
  };
const bytes =
  (text: string): Change =>
  (request) => {
    request.body = Buffer.from(text);
  };
/** Puts a value at a JSON pointer; without one the member goes. */
const at = (pointer: string, value?: unknown): Change =>
  body((fields) => {
    const names = pointer.split('/').slice(1);
    const last = names.pop() ?? '';
    const parent = names.reduce<Fields>((one, name) => one[name] as Fields, fields);
    if (value === undefined) Reflect.deleteProperty(parent, last);
    else parent[last] = value;
  });
const inSignature =
  (from: string | RegExp, to: string): Change =>
  (request) => {
    request.headers = request.headers.map(([name, value]) => [
      name,
      name === 'Signature' ? value.replace(from, to) : value,
    ]);
  };

type Case = readonly [
  name: string,
  Change | undefined,
  rule: string,
  pointer: string,
  code: string,
  more?: Partial<PlantedMistake>,
];

/** Mistakes of one operation and framework. */
const of = (operation: string, framework: '1.3.2' | '1.3.6', ...cases: readonly Case[]): PlantedMistake[] =>
  cases.map(([name, change, rule, pointer, code, more]) => ({
    name,
    operation,
    framework,
    ...(change && { change }),
    rule,
    pointer,
    code,
    ...more,
  }));

const bad = 'FORMAT_ERROR';
const wrongSignature = 'SIGNATURE_INVALID';
/** The file of 1.3.6 has it for payments. */
const withoutKid = 'REQUIRED_KID_MISSING';
const longText = 'x'.repeat(141);
const unknown = 'RESOURCE_UNKNOWN';
const amount = (text: string) => at('/instructedAmount/amount', text);

/** The mistakes, in the order in which a request is read. */
export const plantedMistakes: readonly PlantedMistake[] = [
  // path
  ...of(
    'initiatePayment',
    '1.3.6',
    ['a service in the singular', target('/payments/', '/payment/'), 'path-unknown', 'payment', unknown],
    ['another version', target('/v136/', '/v2/'), 'path-prefix', '/v2', unknown],
    ['no version', target('/v136/', '/'), 'path-prefix', '/payments', unknown],
    [
      'a misspelt product',
      target('sepa-credit-transfers', 'sepa-credit-transfer'),
      'path-product',
      'payment-product',
      'PRODUCT_UNKNOWN',
    ],
    ['no product', target('/sepa-credit-transfers', ''), 'path-unknown', 'payments', unknown],
    ['PUT instead of POST', (r) => (r.method = 'PUT'), 'method', 'PUT', 'SERVICE_INVALID'],
    ['a slash at the end', target(/$/, '/'), 'path-slash', '/', unknown],
  ),
  ...of(
    'getPaymentInitiationStatus',
    '1.3.6',
    ['an id that is undefined', target(/[0-9a-f-]{36}/, 'undefined'), 'path-id', 'paymentId', unknown],
    [
      'a template that was not filled in',
      target(/[0-9a-f-]{36}/, '%7BpaymentId%7D'),
      'path-id',
      'paymentId',
      unknown,
    ],
    ['an id encoded twice', target(/([0-9a-f]{8})-/, '$1%252D'), 'path-id', 'paymentId', unknown],
    ['two slashes', target('/status', '//status'), 'path-id', '', unknown],
  ),
  ...of('getBalances', '1.3.6', [
    'an IBAN for the account',
    target(/[0-9a-f-]{36}/, 'DE40100100103307118608'),
    'path-account-number',
    'account-id',
    unknown,
  ]),
  ...of('getCardAccount', '1.3.6', [
    'an operation that the service leaves out',
    undefined,
    'path-absent',
    '/v136/card-accounts',
    unknown,
    { terms: { variant: { framework: '1.3.6', prefix: '/v136', surface: 'service' } } },
  ]),
  // headers
  ...of(
    'initiatePayment',
    '1.3.6',
    ['no X-Request-ID', drop('X-Request-ID'), 'header-missing', 'X-Request-ID', bad],
    ['an X-Request-ID that is no UUID', set('X-Request-ID', '12345'), 'header-form', 'X-Request-ID', bad],
    [
      'the X-Request-ID of zeros',
      set('X-Request-ID', '00000000-0000-0000-0000-000000000000'),
      'request-id-nil',
      'X-Request-ID',
      bad,
    ],
    [
      'X-Request-ID twice',
      also('X-Request-ID', '99391c7e-ad88-49ec-a2ad-99ddcb1f7721'),
      'header-twice',
      'X-Request-ID',
      bad,
    ],
    ['no PSU-IP-Address', drop('PSU-IP-Address'), 'header-missing', 'PSU-IP-Address', bad],
    [
      'a PSU-IP-Address with its port',
      set('PSU-IP-Address', '192.0.2.1:443'),
      'header-form',
      'PSU-IP-Address',
      bad,
    ],
    [
      'PSU-IP-Adress',
      (r) => {
        drop('PSU-IP-Address')(r);
        also('PSU-IP-Adress', '192.0.2.1')(r);
      },
      'header-misspelt',
      'PSU-IP-Adress',
      bad,
    ],
    [
      'PSU-ID-Type without PSU-ID',
      (r) => {
        drop('PSU-ID')(r);
        set('PSU-ID-Type', 'X')(r);
      },
      'psu-id-type-alone',
      'PSU-ID-Type',
      bad,
    ],
    [
      'a blank PSU-ID-Type',
      (r) => {
        set('PSU-ID', 'x')(r);
        set('PSU-ID-Type', '')(r);
      },
      'header-form',
      'PSU-ID-Type',
      bad,
    ],
    [
      'a redirect without its address',
      (r) => {
        set('TPP-Redirect-Preferred', 'true')(r);
        drop('TPP-Redirect-URI')(r);
      },
      'redirect-uri-missing',
      'TPP-Redirect-URI',
      bad,
    ],
    [
      'a preference that is no boolean',
      set('TPP-Redirect-Preferred', 'yes'),
      'header-form',
      'TPP-Redirect-Preferred',
      bad,
    ],
    [
      'a redirect to a script',
      set('TPP-Redirect-URI', 'javascript:alert(1)'),
      'redirect-uri-form',
      'TPP-Redirect-URI',
      bad,
    ],
    ['a redirect to a path', set('TPP-Redirect-URI', '/back'), 'redirect-uri-form', 'TPP-Redirect-URI', bad],
    [
      'a place with a comma',
      set('PSU-Geo-Location', 'GEO:52.506931,13.144558'),
      'header-form',
      'PSU-Geo-Location',
      bad,
    ],
    ['a device that is no UUID', set('PSU-Device-ID', 'phone'), 'header-form', 'PSU-Device-ID', bad],
    ['an unknown method of the PSU', set('PSU-Http-Method', 'get'), 'header-form', 'PSU-Http-Method', bad],
    [
      'an answer header',
      set('ASPSP-SCA-Approach', 'REDIRECT'),
      'header-undeclared',
      'ASPSP-SCA-Approach',
      bad,
    ],
    [
      'basic authorization',
      set('Authorization', 'Basic dXNlcjpwYXNz'),
      'authorization',
      'Authorization',
      'TOKEN_INVALID',
    ],
    ['a Date of another form', set('Date', '2026-06-10T12:00:00Z'), 'header-form', 'Date', bad],
    [
      'notifications to nowhere',
      (r) => {
        drop('TPP-Notification-URI')(r);
        set('TPP-Notification-Content-Preferred', 'status=SCA')(r);
      },
      'notification-address',
      'TPP-Notification-Content-Preferred',
      bad,
    ],
    [
      'form data for JSON',
      set('Content-Type', 'application/x-www-form-urlencoded'),
      'content-type',
      'Content-Type',
      '',
    ],
    ['no Content-Type', drop('Content-Type'), 'content-type', 'Content-Type', ''],
    [
      'another charset',
      set('Content-Type', 'application/json; charset=iso-8859-1'),
      'content-type',
      'Content-Type',
      '',
    ],
  ),
  ...of('initiatePayment', '1.3.2', [
    'a header of a later framework',
    set('TPP-Brand-Logging-Information', 'Brand'),
    'header-undeclared',
    'TPP-Brand-Logging-Information',
    bad,
  ]),
  ...of('createConsent', '1.3.6', [
    'a consent without PSU-IP-Address',
    drop('PSU-IP-Address'),
    'header-missing',
    'PSU-IP-Address',
    bad,
  ]),
  ...of(
    'getAccountList',
    '1.3.6',
    ['no Consent-ID', drop('Consent-ID'), 'header-missing', 'Consent-ID', bad],
    ['a blank Consent-ID', set('Consent-ID', ''), 'header-form', 'Consent-ID', bad],
    ['PSU-ID on a read', set('PSU-ID', 'x'), 'header-undeclared', 'PSU-ID', bad],
    ['a body on a GET', bytes('{}'), 'body-unexpected', '', bad],
    ['only XML accepted', set('Accept', 'application/xml'), 'accept', 'Accept', 'REQUESTED_FORMATS_INVALID'],
    ['withBalance as a number', query('withBalance=1'), 'query-form', 'withBalance', bad],
    ['an unknown parameter', query('currency=EUR'), 'query-unknown', 'currency', 'PARAMETER_NOT_SUPPORTED'],
  ),
  ...of('createSigningBasket', '1.3.6', [
    'a basket that is not authorised explicitly',
    set('TPP-Explicit-Authorisation-Preferred', 'false'),
    'explicit-basket',
    'TPP-Explicit-Authorisation-Preferred',
    bad,
  ]),
  ...of('updatePaymentPsuData', '1.3.6', [
    'an update of nothing',
    (r) => {
      drop('PSU-ID')(r);
      drop('PSU-Corporate-ID')(r);
      drop('PSU-ID-Type')(r);
      drop('PSU-Corporate-ID-Type')(r);
      drop('Authorization')(r);
      bytes('{}')(r);
    },
    'psu-id-missing',
    'PSU-ID',
    bad,
  ]),
  // query
  ...of(
    'getTransactionList',
    '1.3.6',
    ['no bookingStatus', query('dateFrom=2026-06-01'), 'query-missing', 'bookingStatus', bad],
    ['no dateFrom', query('bookingStatus=booked'), 'query-missing', 'dateFrom', bad],
    [
      'an unknown bookingStatus',
      query('bookingStatus=BOOKED&dateFrom=2026-06-01'),
      'query-form',
      'bookingStatus',
      bad,
    ],
    [
      'a day of another form',
      query('bookingStatus=booked&dateFrom=01.06.2026'),
      'query-form',
      'dateFrom',
      bad,
    ],
    [
      'a day that does not exist',
      query('bookingStatus=booked&dateFrom=2026-02-30'),
      'query-form',
      'dateFrom',
      bad,
    ],
    [
      'a period backwards',
      query('bookingStatus=booked&dateFrom=2026-06-09&dateTo=2026-06-01'),
      'period',
      'dateFrom',
      'PERIOD_INVALID',
    ],
    [
      'a period to come',
      query('bookingStatus=booked&dateFrom=2027-01-01'),
      'period-future',
      'dateFrom',
      'PERIOD_INVALID',
    ],
    [
      'a parameter twice',
      query('bookingStatus=booked&dateFrom=2026-06-01&dateFrom=2026-06-02'),
      'query-twice',
      'dateFrom',
      bad,
    ],
    [
      'a misspelt parameter',
      query('bookingStatus=booked&dateFrom=2026-06-01&date_to=2026-06-02'),
      'query-unknown',
      'date_to',
      'PARAMETER_NOT_SUPPORTED',
    ],
    [
      'dateFrom with deltaList',
      query('bookingStatus=booked&deltaList=true&dateFrom=2026-06-01'),
      'query-ignored',
      'dateFrom',
      'PARAMETER_NOT_CONSISTENT',
    ],
    [
      'two kinds of delta',
      query('bookingStatus=booked&deltaList=true&entryReferenceFrom=1'),
      'query-combination',
      'entryReferenceFrom',
      bad,
    ],
    [
      'what is new of what is pending',
      query('bookingStatus=pending&deltaList=true'),
      'query-combination',
      'deltaList',
      'PARAMETER_NOT_CONSISTENT',
    ],
  ),
  ...of('getTransactionList', '1.3.2', [
    'standing orders before they were there',
    query('bookingStatus=information'),
    'query-form',
    'bookingStatus',
    bad,
  ]),
  // body of a payment
  ...of(
    'initiatePayment',
    '1.3.6',
    ['no body', bytes(''), 'body-missing', '', bad],
    ['half a body', bytes('{"instructedAmount":'), 'body-unreadable', '', bad],
    ['a member twice', bytes('{"creditorName":"a","creditorName":"b"}'), 'body-unreadable', '', bad],
    ['a list for a payment', bytes('[]'), 'body-type', '', bad],
    ['no creditorName', at('/creditorName'), 'body-member-missing', '/creditorName', bad],
    [
      'an amount as a number',
      at('/instructedAmount/amount', 12.5),
      'body-type',
      '/instructedAmount/amount',
      bad,
    ],
    [
      'an amount with a comma',
      at('/instructedAmount/amount', '12,50'),
      'body-amount',
      '/instructedAmount/amount',
      bad,
    ],
    [
      'an amount with three decimals',
      at('/instructedAmount/amount', '12.505'),
      'body-amount',
      '/instructedAmount/amount',
      bad,
    ],
    [
      'nothing to pay',
      at('/instructedAmount/amount', '0.00'),
      'body-amount',
      '/instructedAmount/amount',
      bad,
    ],
    [
      'a currency in small letters',
      at('/instructedAmount/currency', 'eur'),
      'body-currency',
      '/instructedAmount/currency',
      bad,
    ],
    [
      'another currency than the product has',
      at('/instructedAmount/currency', 'USD'),
      'body-currency',
      '/instructedAmount/currency',
      bad,
    ],
    [
      'an IBAN with wrong check digits',
      at('/creditorAccount/iban', 'DE41100100103307118608'),
      'body-iban',
      '/creditorAccount/iban',
      bad,
    ],
    [
      'an IBAN in groups',
      at('/creditorAccount/iban', 'DE40 1001 0010 3307 1186 08'),
      'body-iban',
      '/creditorAccount/iban',
      bad,
    ],
    [
      'two ids for an account',
      at('/debtorAccount', { iban: 'DE40100100103307118608', bban: '1' }),
      'body-account-reference',
      '/debtorAccount',
      bad,
    ],
    [
      'no id for an account',
      at('/debtorAccount', { currency: 'EUR' }),
      'body-account-reference',
      '/debtorAccount',
      bad,
    ],
    [
      'an account as a text',
      at('/debtorAccount', 'DE40100100103307118608'),
      'body-type',
      '/debtorAccount',
      bad,
    ],
    ['a BIC of nine', at('/creditorAgent', 'COBADEFFX'), 'body-bic', '/creditorAgent', bad],
    [
      'a text that is too long',
      at('/remittanceInformationUnstructured', longText),
      'body-length',
      '/remittanceInformationUnstructured',
      bad,
    ],
    ['a line end in a text', at('/creditorName', 'a\nb'), 'body-length', '/creditorName', bad],
    ['an empty text', at('/endToEndIdentification', ''), 'body-length', '/endToEndIdentification', bad],
    ['a misspelt member', at('/creditorname', 'x'), 'body-member-unknown', '/creditorname', bad],
    ['null', at('/creditorAgent', null), 'body-type', '/creditorAgent', bad],
    ['an unknown chargeBearer', at('/chargeBearer', 'OUR'), 'body-code', '/chargeBearer', bad],
    [
      'a day that has passed',
      at('/requestedExecutionDate', '2026-06-09'),
      'body-date-passed',
      '/requestedExecutionDate',
      'EXECUTION_DATE_INVALID',
    ],
    [
      'a day with its time',
      at('/requestedExecutionDate', '2026-07-01T00:00:00Z'),
      'body-date',
      '/requestedExecutionDate',
      bad,
    ],
    [
      'a country in words',
      at('/creditorAddress', { country: 'Germany' }),
      'body-code',
      '/creditorAddress/country',
      bad,
    ],
    [
      'an address under its old names',
      at('/creditorAddress', { country: 'DE', street: 'Main' }),
      'body-member-later',
      '/creditorAddress/street',
      bad,
    ],
  ),
  ...of(
    'bulk',
    '1.3.6',
    ['a bulk of nothing', at('/payments', []), 'body-list', '/payments', bad],
    [
      'a payer for each payment',
      at('/payments/0/debtorAccount', { iban: 'DE40100100103307118608' }),
      'body-combination',
      '/payments/0/debtorAccount',
      bad,
    ],
    [
      'a wrong amount in the bulk',
      at('/payments/0/instructedAmount/amount', '1e3'),
      'body-amount',
      '/payments/0/instructedAmount/amount',
      bad,
    ],
    ['a flag as a text', at('/batchBookingPreferred', 'true'), 'body-type', '/batchBookingPreferred', bad],
  ),
  ...of(
    'periodic',
    '1.3.6',
    ['no startDate', at('/startDate'), 'body-member-missing', '/startDate', bad],
    ['monthly in small letters', at('/frequency', 'monthly'), 'body-code', '/frequency', bad],
    ['a day with a zero in front', at('/dayOfExecution', '01'), 'body-code', '/dayOfExecution', bad],
    [
      'an end before the start',
      at('/endDate', '2026-06-10'),
      'body-date-passed',
      '/endDate',
      'EXECUTION_DATE_INVALID',
    ],
    [
      'months without their frequency',
      (r) => {
        at('/frequency', 'Monthly')(r);
        at('/monthsOfExecution', ['1'])(r);
      },
      'body-combination',
      '/monthsOfExecution',
      bad,
    ],
  ),
  ...of(
    'xml',
    '1.3.6',
    [
      'XML that ends too early',
      (r) => {
        r.body = r.body.subarray(0, 300);
      },
      'body-unreadable',
      '/PmtInf[1]',
      bad,
    ],
    [
      'a wrong IBAN in XML',
      (r) => {
        r.body = Buffer.from(
          r.body.toString().replace(/<CdtrAcct><Id><IBAN>(..)../, '<CdtrAcct><Id><IBAN>$100'),
        );
      },
      'body-iban',
      '/PmtInf[1]/CdtTrfTxInf[1]/CdtrAcct/Id/IBAN',
      bad,
    ],
    ['JSON for XML', set('Content-Type', 'application/json'), 'content-type', 'Content-Type', ''],
  ),
  // other bodies
  ...of(
    'createConsent',
    '1.3.6',
    ['no access', at('/access'), 'body-member-missing', '/access', bad],
    ['access to nothing', at('/access', {}), 'body-combination', '/access', bad],
    [
      'some empty lists',
      at('/access', { accounts: [], balances: [{ iban: 'DE40100100103307118608' }] }),
      'body-combination',
      '/access',
      bad,
    ],
    [
      'an unknown form of access',
      at('/access', { allAccounts: true }),
      'body-member-unknown',
      '/access/allAccounts',
      bad,
    ],
    [
      'a form of the older framework',
      at('/access', { availableAccountsWithBalances: 'allAccounts' }),
      'body-member-later',
      '/access/availableAccountsWithBalances',
      bad,
    ],
    ['a flag as a text', at('/recurringIndicator', 'true'), 'body-type', '/recurringIndicator', bad],
    ['a validUntil that has passed', at('/validUntil', '2026-06-09'), 'consent-validity', '/validUntil', bad],
    ['never', at('/frequencyPerDay', 0), 'body-number', '/frequencyPerDay', bad],
    [
      'one use, four times a day',
      (r) => {
        at('/recurringIndicator', false)(r);
        at('/frequencyPerDay', 4)(r);
      },
      'consent-frequency',
      '/frequencyPerDay',
      bad,
    ],
    [
      'no combinedServiceIndicator',
      at('/combinedServiceIndicator'),
      'body-member-missing',
      '/combinedServiceIndicator',
      bad,
    ],
  ),
  ...of(
    'checkAvailabilityOfFunds',
    '1.3.2',
    ['funds for no account', at('/account'), 'body-member-missing', '/account', bad],
    [
      'funds for less than nothing',
      at('/instructedAmount/amount', '-1.00'),
      'body-amount',
      '/instructedAmount/amount',
      bad,
    ],
  ),
  ...of(
    'createSigningBasket',
    '1.3.6',
    ['an empty basket', bytes('{}'), 'body-combination', '', bad],
    ['an empty list of payments', bytes('{"paymentIds":[]}'), 'body-list', '/paymentIds', bad],
    ['a payment twice', bytes('{"paymentIds":["a","a"]}'), 'body-twice', '/paymentIds', bad],
  ),
  ...of(
    'updatePaymentPsuData',
    '1.3.6',
    ['a list for an authorisation', bytes('[]'), 'body-type', '', bad],
    [
      'two steps at once',
      bytes('{"authenticationMethodId":"a","scaAuthenticationData":"1"}'),
      'body-combination',
      '/scaAuthenticationData',
      bad,
    ],
    [
      'an OTP as a number',
      bytes('{"scaAuthenticationData":123456}'),
      'body-type',
      '/scaAuthenticationData',
      bad,
    ],
    ['a password outside psuData', bytes('{"password":"x"}'), 'body-member-unknown', '/password', bad],
    ['psuData without a password', bytes('{"psuData":{}}'), 'body-combination', '/psuData', bad],
  ),
  ...of('updatePaymentPsuData', '1.3.2', [
    'a confirmation code before there was one',
    bytes('{"confirmationCode":"x"}'),
    'body-member-later',
    '/confirmationCode',
    bad,
  ]),
  // signature
  ...of(
    'initiatePayment',
    '1.3.6',
    [
      'no signature where one is due',
      undefined,
      'signature-missing',
      'Signature',
      'SIGNATURE_MISSING',
      {
        after: drop('Signature'),
        terms: {
          signing: {
            signature: 'required',
            signatureProfile: 'guidelines',
            keyId: 'parsed',
            dateHeader: 'ignored',
          },
        },
      },
    ],
    [
      'a Digest alone',
      undefined,
      'digest-alone',
      'Digest',
      'SIGNATURE_MISSING',
      { after: drop('Signature') },
    ],
    [
      'no certificate',
      undefined,
      'certificate-missing',
      'TPP-Signature-Certificate',
      'CERTIFICATE_MISSING',
      { after: drop('TPP-Signature-Certificate') },
    ],
    [
      'a certificate that is none',
      undefined,
      'certificate-form',
      'TPP-Signature-Certificate',
      'CERTIFICATE_INVALID',
      { after: set('TPP-Signature-Certificate', 'AAAA') },
    ],
    [
      'a certificate of nobody',
      undefined,
      'certificate-issuer',
      'TPP-Signature-Certificate',
      'CERTIFICATE_INVALID',
      { seal: 'stranger' },
    ],
    [
      'a certificate that has expired',
      undefined,
      'certificate-expired',
      'TPP-Signature-Certificate',
      'CERTIFICATE_EXPIRED',
      { seal: 'expired' },
    ],
    [
      'a certificate that is not valid yet',
      undefined,
      'certificate-not-yet-valid',
      'TPP-Signature-Certificate',
      'CERTIFICATE_INVALID',
      { seal: 'early' },
    ],
    [
      'a TPP without the role',
      undefined,
      'role',
      'TPP-Signature-Certificate',
      'ROLE_INVALID',
      { seal: 'account-reader' },
    ],
    [
      'a QWAC for signatures',
      undefined,
      'certificate-use',
      'TPP-Signature-Certificate',
      'CERTIFICATE_INVALID',
      {
        seal: 'qwac',
        terms: {
          signing: {
            signature: 'strict',
            signatureProfile: 'guidelines',
            keyId: 'parsed',
            dateHeader: 'ignored',
          },
        },
      },
    ],
    ['no Digest', undefined, 'digest-missing', 'Digest', wrongSignature, { after: drop('Digest') }],
    [
      'a Digest without its algorithm',
      undefined,
      'digest-form',
      'Digest',
      wrongSignature,
      {
        after: (r) => {
          r.headers = r.headers.map(([name, value]) => [name, name === 'Digest' ? value.slice(8) : value]);
        },
      },
    ],
    [
      'the Digest of another body',
      undefined,
      'digest-wrong',
      'Digest',
      wrongSignature,
      {
        after: (r) => {
          r.body = Buffer.concat([r.body, Buffer.from(' ')]);
        },
      },
    ],
    [
      'a Signature that cannot be read',
      undefined,
      'signature-form',
      'Signature',
      wrongSignature,
      { after: inSignature('keyId="', 'keyId=') },
    ],
    [
      'a Signature of a payment without keyId',
      undefined,
      'key-id',
      'Signature',
      withoutKid,
      { after: inSignature(/keyId="[^"]*",/, '') },
    ],
    [
      'another serial number',
      undefined,
      'key-id',
      'Signature',
      wrongSignature,
      { after: inSignature('SN=', 'SN=1') },
    ],
    [
      'another issuer',
      undefined,
      'key-id',
      'Signature',
      wrongSignature,
      { after: inSignature('CA=', 'CA=CN=x,') },
    ],
    [
      'X-Request-ID not signed',
      undefined,
      'signed-names',
      'Signature',
      wrongSignature,
      { after: inSignature(' x-request-id', '') },
    ],
    [
      'PSU-ID not signed',
      undefined,
      'signed-names',
      'Signature',
      wrongSignature,
      { after: set('PSU-ID', 'somebody') },
    ],
    [
      'the request target signed',
      undefined,
      'signed-names',
      'Signature',
      wrongSignature,
      { after: inSignature('headers="', 'headers="(request-target) ') },
    ],
    [
      'an algorithm of another key',
      undefined,
      'signature-algorithm',
      'Signature',
      wrongSignature,
      { after: inSignature(/algorithm="[a-z]+/, 'algorithm="hmac') },
    ],
    [
      'another X-Request-ID than was signed',
      undefined,
      'signature-wrong',
      'Signature',
      wrongSignature,
      { after: set('X-Request-ID', '99391c7e-ad88-49ec-a2ad-99ddcb1f7721') },
    ],
    [
      'a Date of yesterday',
      set('Date', 'Tue, 09 Jun 2026 12:00:00 GMT'),
      'date-far',
      'Date',
      'TIMESTAMP_INVALID',
    ],
    [
      'no Date where it is due',
      drop('Date'),
      'date-missing',
      'Date',
      bad,
      {
        terms: {
          signing: {
            signature: 'required',
            signatureProfile: 'guidelines',
            keyId: 'parsed',
            dateHeader: 'required',
          },
        },
      },
    ],
    [
      'no client certificate',
      undefined,
      'client-certificate-missing',
      'client certificate',
      'CERTIFICATE_MISSING',
      { terms: { needsClientCertificate: true } },
    ],
  ),
  ...of('initiatePayment', '1.3.2', [
    'a TPP without the role, before there was a code for it',
    undefined,
    'role',
    'TPP-Signature-Certificate',
    'CERTIFICATE_INVALID',
    { seal: 'account-reader' },
  ]),
  // order of calls
  ...of('initiatePayment', '1.3.6', [
    'an X-Request-ID again',
    undefined,
    'request-id-again',
    'X-Request-ID',
    bad,
    {
      known: {
        sameRequestId: { method: 'POST', path: '/v136/consents', samePlace: false, sameBody: false },
      },
    },
  ]),
  ...of(
    'startPaymentAuthorisation',
    '1.3.6',
    [
      'a payment authorised twice',
      undefined,
      'already-authorised',
      'paymentId',
      'STATUS_INVALID',
      { known: { resource: { kind: 'payment', status: 'ACSC' } } },
    ],
    [
      'another address for the redirect',
      set('TPP-Redirect-URI', 'https://tpp.example/other'),
      'redirect-uri-changed',
      'TPP-Redirect-URI',
      bad,
      { known: { resource: { kind: 'payment', status: 'RCVD', redirectUri: 'https://tpp.example/cb' } } },
    ],
    [
      'an unknown payment',
      undefined,
      'resource-unknown',
      'paymentId',
      unknown,
      { known: { resource: null } },
    ],
  ),
  ...of('updatePaymentPsuData', '1.3.6', [
    'an authorisation that has ended',
    undefined,
    'authorisation-ended',
    'authorisationId',
    'SCA_INVALID',
    { known: { resource: { kind: 'payment', status: 'RCVD' }, scaStatus: 'failed' } },
  ]),
  ...of('updatePaymentPsuData', '1.3.2', [
    'an authorisation that has ended, before there was a code for it',
    undefined,
    'authorisation-ended',
    'authorisationId',
    'STATUS_INVALID',
    { known: { resource: { kind: 'payment', status: 'RCVD' }, scaStatus: 'finalised' } },
  ]),
  ...of('cancelPayment', '1.3.6', [
    'a cancellation after the payment',
    undefined,
    'cancellation-late',
    'paymentId',
    'CANCELLATION_INVALID',
    { known: { resource: { kind: 'payment', status: 'ACSC' } } },
  ]),
  ...of(
    'getAccountList',
    '1.3.6',
    [
      'an account read before the consent is valid',
      undefined,
      'consent-not-valid',
      'Consent-ID',
      'CONSENT_INVALID',
      { known: { consentStatus: 'received' } },
    ],
    [
      'an account read after the consent',
      undefined,
      'consent-expired',
      'Consent-ID',
      'CONSENT_EXPIRED',
      { known: { consentStatus: 'expired' } },
    ],
    [
      'an account read under no consent',
      undefined,
      'consent-unknown',
      'Consent-ID',
      'CONSENT_UNKNOWN',
      { known: { consentStatus: null } },
    ],
  ),
  ...of('getPaymentInitiationStatus', '1.3.6', [
    'polling without a pause',
    undefined,
    'polling-fast',
    'getPaymentInitiationStatus',
    '',
    { known: { callsInLastSecond: 5 } },
  ]),
  // What programs leave behind, other spellings and other types, as gateways and banks have reported them.
  ...of(
    'startConsentAuthorisation',
    '1.3.6',
    [
      'authorizations',
      target('/authorisations', '/authorizations'),
      'path-unknown',
      'authorizations',
      unknown,
    ],
    ['a version in capitals', target('/v136/', '/V136/'), 'path-prefix', '/V136', unknown],
    ['an id that is null', target(/[0-9a-f-]{36}/, 'null'), 'path-id', 'consentId', unknown],
    [
      'an object for an id',
      target(/[0-9a-f-]{36}/, '%5Bobject%20Object%5D'),
      'path-id',
      'consentId',
      unknown,
    ],
  ),
  ...of(
    'initiatePayment',
    '1.3.6',
    [
      'a product in capitals',
      target('sepa-credit', 'SEPA-credit'),
      'path-product',
      'payment-product',
      'PRODUCT_UNKNOWN',
    ],
    [
      'an X-Request-ID in braces',
      set('X-Request-ID', '{99391c7e-ad88-49ec-a2ad-99ddcb1f7721}'),
      'header-form',
      'X-Request-ID',
      bad,
    ],
    [
      'an X-Request-ID without hyphens',
      set('X-Request-ID', '99391c7ead8849eca2ad99ddcb1f7721'),
      'header-form',
      'X-Request-ID',
      bad,
    ],
    [
      'a PSU-IP-Address of a proxy chain',
      set('PSU-IP-Address', '192.0.2.1, 198.51.100.7'),
      'header-form',
      'PSU-IP-Address',
      bad,
    ],
    ['a host for PSU-IP-Address', set('PSU-IP-Address', 'localhost'), 'header-form', 'PSU-IP-Address', bad],
    ['a port that is none', set('PSU-IP-Port', 'https'), 'header-form', 'PSU-IP-Port', bad],
    ['a port beyond all', set('PSU-IP-Port', '70000'), 'header-form', 'PSU-IP-Port', bad],
    ['a PSU-ID that is undefined', set('PSU-ID', 'undefined'), 'header-form', 'PSU-ID', bad],
    ['a PSU-ID that is null', set('PSU-ID', 'null'), 'header-form', 'PSU-ID', bad],
    [
      'a preference in capitals',
      set('TPP-Redirect-Preferred', 'True'),
      'header-form',
      'TPP-Redirect-Preferred',
      bad,
    ],
    [
      'a redirect to no host',
      set('TPP-Redirect-URI', 'https://'),
      'redirect-uri-form',
      'TPP-Redirect-URI',
      bad,
    ],
    [
      'a redirect with a blank',
      set('TPP-Redirect-URI', 'https://tpp.example/a b'),
      'redirect-uri-form',
      'TPP-Redirect-URI',
      bad,
    ],
    [
      'notifications to a path',
      set('TPP-Notification-URI', '/push'),
      'header-form',
      'TPP-Notification-URI',
      bad,
    ],
    [
      'a token that is undefined',
      set('Authorization', 'Bearer undefined'),
      'authorization',
      'Authorization',
      'TOKEN_INVALID',
    ],
    [
      'a token without its scheme',
      set('Authorization', 'eyJhbGciOiJSUzI1NiJ9.e30.sig'),
      'authorization',
      'Authorization',
      'TOKEN_INVALID',
    ],
    [
      'Bearer twice',
      set('Authorization', 'Bearer Bearer abc'),
      'authorization',
      'Authorization',
      'TOKEN_INVALID',
    ],
    ['text for JSON', set('Content-Type', 'text/plain'), 'content-type', 'Content-Type', ''],
    ['only a web page accepted', set('Accept', 'text/html'), 'accept', 'Accept', ''],
    ['a Date with an offset', set('Date', 'Wed, 10 Jun 2026 14:00:00 +0200'), 'header-form', 'Date', bad],
  ),
  ...of(
    'getAccountList',
    '1.3.6',
    ['a Consent-ID that is undefined', set('Consent-ID', 'undefined'), 'header-form', 'Consent-ID', bad],
    ['Consent-ID in both spellings', also('consentId', 'c-2'), 'header-twice', 'Consent-ID', bad],
    ['ConsentID', also('Consent_ID', 'c-2'), 'header-misspelt', 'Consent_ID', bad],
    ['withBalance in capitals', query('withBalance=TRUE'), 'query-form', 'withBalance', bad],
  ),
  ...of(
    'getTransactionList',
    '1.3.6',
    [
      'a day with its time',
      query('bookingStatus=booked&dateFrom=2026-06-01T00:00:00Z'),
      'query-form',
      'dateFrom',
      bad,
    ],
    [
      'a day with a blank',
      query('bookingStatus=booked&dateFrom=2026-06-01%20'),
      'query-form',
      'dateFrom',
      bad,
    ],
    ['an empty day', query('bookingStatus=booked&dateFrom='), 'query-form', 'dateFrom', bad],
    ['an end alone', query('bookingStatus=booked&dateTo=2026-06-01'), 'query-missing', 'dateFrom', bad],
    [
      'two values in one',
      query('bookingStatus=booked,pending&dateFrom=2026-06-01'),
      'query-form',
      'bookingStatus',
      bad,
    ],
    [
      'bookingstatus',
      query('bookingstatus=booked&dateFrom=2026-06-01'),
      'query-missing',
      'bookingStatus',
      bad,
    ],
    [
      'a bookingStatus of a later framework',
      query('bookingStatus=all&dateFrom=2026-06-01'),
      'query-form',
      'bookingStatus',
      bad,
    ],
    ['deltaList as a number', query('bookingStatus=booked&deltaList=1'), 'query-form', 'deltaList', bad],
    [
      'an empty entryReferenceFrom',
      query('bookingStatus=booked&entryReferenceFrom='),
      'query-form',
      'entryReferenceFrom',
      bad,
    ],
    [
      'an end that is no day',
      query('bookingStatus=booked&dateFrom=2026-06-01&dateTo=today'),
      'query-form',
      'dateTo',
      bad,
    ],
    [
      'a query in two question marks',
      query('bookingStatus=booked?dateFrom=2026-06-01'),
      'query-form',
      'bookingStatus',
      bad,
    ],
  ),
  ...of(
    'initiatePayment',
    '1.3.2',
    ['an amount with its sign', amount('+1.00'), 'body-amount', '/instructedAmount/amount', bad],
    ['an amount with an exponent', amount('1e3'), 'body-amount', '/instructedAmount/amount', bad],
    ['an amount with a blank', amount(' 1.00'), 'body-amount', '/instructedAmount/amount', bad],
    ['an amount in thousands', amount('1,000.00'), 'body-amount', '/instructedAmount/amount', bad],
    [
      'a currency as a sign',
      at('/instructedAmount/currency', '€'),
      'body-currency',
      '/instructedAmount/currency',
      bad,
    ],
    [
      'a currency that is none',
      at('/debtorAccount/currency', 'Euro'),
      'body-currency',
      '/debtorAccount/currency',
      bad,
    ],
    [
      'a day without its zeros',
      at('/requestedExecutionDate', '2026-7-1'),
      'body-date',
      '/requestedExecutionDate',
      bad,
    ],
    [
      'an IBAN in small letters',
      at('/creditorAccount/iban', 'de89370400440532013000'),
      'body-iban',
      '/creditorAccount/iban',
      bad,
    ],
    [
      'an account by another name',
      at('/creditorAccount', { accountNumber: '1' }),
      'body-account-reference',
      '/creditorAccount',
      bad,
    ],
    ['a name of 71', at('/creditorName', 'x'.repeat(71)), 'body-length', '/creditorName', bad],
    ['blanks for a name', at('/creditorName', '   '), 'body-length', '/creditorName', bad],
    [
      'an endToEndIdentification of 36',
      at('/endToEndIdentification', 'x'.repeat(36)),
      'body-length',
      '/endToEndIdentification',
      bad,
    ],
    [
      'a remittance as a list',
      at('/remittanceInformationUnstructured', ['x']),
      'body-type',
      '/remittanceInformationUnstructured',
      bad,
    ],
    ['JSON with a comma at its end', bytes('{"creditorName":"x",}'), 'body-unreadable', '', bad],
    ['JSON in single quotes', bytes("{'creditorName':'x'}"), 'body-unreadable', '', bad],
    ['JSON within a text', bytes('"{}"'), 'body-type', '', bad],
    ['a form for JSON', bytes('creditorName=x'), 'body-unreadable', '', bad],
    ['a byte order mark', bytes('\ufeff{}'), 'body-unreadable', '', bad],
    [
      'ISO 8859-1',
      (r) => (r.body = Buffer.from('{"creditorName":"M\xfcller"}', 'latin1')),
      'body-unreadable',
      '',
      bad,
    ],
  ),
  ...of(
    'bulk',
    '1.3.2',
    ['a bulk without its payer', at('/debtorAccount'), 'body-member-missing', '/debtorAccount', bad],
    ['payments as an object', at('/payments', {}), 'body-type', '/payments', bad],
    [
      'a day for each payment',
      at('/payments/0/requestedExecutionDate', '2026-07-01'),
      'body-combination',
      '/payments/0/requestedExecutionDate',
      bad,
    ],
  ),
  ...of(
    'periodic',
    '1.3.6',
    ['no frequency', at('/frequency'), 'body-member-missing', '/frequency', bad],
    ['a day of execution as a number', at('/dayOfExecution', 1), 'body-type', '/dayOfExecution', bad],
    ['the 32nd', at('/dayOfExecution', '32'), 'body-code', '/dayOfExecution', bad],
    ['an execution rule in capitals', at('/executionRule', 'FOLLOWING'), 'body-code', '/executionRule', bad],
    [
      'a start that has passed',
      at('/startDate', '2026-06-01'),
      'body-date-passed',
      '/startDate',
      'EXECUTION_DATE_INVALID',
    ],
  ),
  ...of(
    'createConsent',
    '1.3.6',
    ['validUntil with its time', at('/validUntil', '2026-09-01T00:00:00Z'), 'body-date', '/validUntil', bad],
    ['no validUntil', at('/validUntil'), 'body-member-missing', '/validUntil', bad],
    ['a frequency as a text', at('/frequencyPerDay', '4'), 'body-type', '/frequencyPerDay', bad],
    ['half a time a day', at('/frequencyPerDay', 0.5), 'body-number', '/frequencyPerDay', bad],
    ['access as a list', at('/access', []), 'body-type', '/access', bad],
    [
      'accounts as an object',
      at('/access', { accounts: { iban: 'DE89370400440532013000' } }),
      'body-type',
      '/access/accounts',
      bad,
    ],
    [
      'accounts as texts',
      at('/access', { accounts: ['DE89370400440532013000'] }),
      'body-type',
      '/access/accounts/0',
      bad,
    ],
    ['all accounts as a flag', at('/access', { allPsd2: true }), 'body-type', '/access/allPsd2', bad],
    [
      'all accounts beside some',
      at('/access', { allPsd2: 'allAccounts', accounts: [] }),
      'body-combination',
      '/access/accounts',
      bad,
    ],
  ),
  ...of(
    'checkAvailabilityOfFunds',
    '1.3.6',
    ['funds for no amount', at('/instructedAmount'), 'body-member-missing', '/instructedAmount', bad],
    [
      'funds for an amount without a currency',
      at('/instructedAmount/currency'),
      'body-member-missing',
      '/instructedAmount/currency',
      bad,
    ],
  ),
  ...of(
    'createSigningBasket',
    '1.3.2',
    ['an id for a list', bytes('{"paymentIds":"a"}'), 'body-type', '/paymentIds', bad],
    ['an empty id', bytes('{"paymentIds":[""]}'), 'body-length', '/paymentIds/0', bad],
    ['payments of another name', bytes('{"payments":["a"]}'), 'body-member-unknown', '/payments', bad],
  ),
  ...of(
    'updateConsentsPsuData',
    '1.3.6',
    [
      'a method that is empty',
      bytes('{"authenticationMethodId":""}'),
      'body-length',
      '/authenticationMethodId',
      bad,
    ],
    ['psuData as a text', bytes('{"psuData":"secret"}'), 'body-type', '/psuData', bad],
    [
      'two passwords',
      bytes('{"psuData":{"password":"a","encryptedPassword":"b"}}'),
      'body-combination',
      '/psuData',
      bad,
    ],
    ['an empty OTP', bytes('{"scaAuthenticationData":""}'), 'body-length', '/scaAuthenticationData', bad],
  ),
  ...of(
    'createConsent',
    '1.3.2',
    [
      'a Digest in hexadecimal',
      undefined,
      'digest-form',
      'Digest',
      wrongSignature,
      { after: set('Digest', `SHA-256=${'ab'.repeat(32)}`) },
    ],
    [
      'a Digest by MD5',
      undefined,
      'digest-form',
      'Digest',
      wrongSignature,
      { after: set('Digest', 'MD5=1B2M2Y8AsgTpgAmY7PhCfg==') },
    ],
    [
      'a Signature with its scheme',
      undefined,
      'signature-form',
      'Signature',
      wrongSignature,
      { after: inSignature(/^/, 'Signature ') },
    ],
    [
      'a Signature twice',
      undefined,
      'header-twice',
      'Signature',
      bad,
      { after: also('Signature', 'keyId="x"') },
    ],
    [
      'a certificate in PEM',
      undefined,
      'certificate-form',
      'TPP-Signature-Certificate',
      'CERTIFICATE_INVALID',
      { after: set('TPP-Signature-Certificate', '-----BEGIN CERTIFICATE-----MIIB-----END CERTIFICATE-----') },
    ],
    [
      'an algorithm of another name',
      undefined,
      'signature-algorithm',
      'Signature',
      wrongSignature,
      { after: inSignature(/algorithm="[^"]*"/, 'algorithm="RS256"') },
    ],
  ),
];
