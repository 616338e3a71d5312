import type { Journey, Oddity } from '../../../helpers/bank-settings.ts';
import { pathOf, refused } from '../../../helpers/bank-settings.ts';
import { payShop } from '../../../helpers/obk.ts';
import type { TypedBank } from '../../../helpers/typed-bank.ts';

const consent = ['consent', 'create', '--all-psd2', '--psu-id', 'anna'];
const pay = [...payShop, '--psu-id', 'anna', '--allow-duplicate'];
const read = (operation: string) => ['api', operation, '-f', 'account-id=a', '-H', 'Consent-ID: c'];
const always =
  (body: unknown, status = 200): TypedBank =>
  () => [status, body];
const authorisation = '/v1/payments/sepa-credit-transfers/p-1/authorisations/x';
const redirect = { scaRedirect: { href: 'https://login.bank.example/c' } };
const validConsent = {
  access: { allPsd2: 'allAccounts' },
  recurringIndicator: true,
  validUntil: '2999-12-31',
  frequencyPerDay: 4,
  lastActionDate: '2026-11-01',
  consentStatus: 'valid',
};

/** A bank with one consent, whose list of transactions is this. */
const listing =
  (list: unknown): TypedBank =>
  (asked) => {
    const path = pathOf(asked);
    if (asked.method === 'POST') return [201, { consentStatus: 'valid', consentId: 'c-1', _links: {} }];
    if (path === '/v1/consents/c-1') return [200, validConsent];
    return path === '/v1/accounts/a/transactions' ? [200, list] : refused(404, 'RESOURCE_UNKNOWN');
  };
const lists = [consent, ['transactions', 'list', '--account', 'a', '--json']];
const entry = {
  transactionId: 't-1',
  bookingDate: '2026-11-01',
  creditorName: 'Shop',
  transactionAmount: { currency: 'EUR', amount: '-1.00' },
};

/** A payment whose authorisation is at its end, in the words of the bank. */
const paid =
  (
    answer: object,
    status: object = { transactionStatus: 'ACSC' },
    sca: TypedBank = () => [200, { scaStatus: 'finalised' }],
  ): TypedBank =>
  (asked) => {
    const path = pathOf(asked);
    if (asked.method === 'POST') return [201, { transactionStatus: 'RCVD', paymentId: 'p-1', ...answer }];
    if (path.endsWith('/status')) return [200, status];
    return path.includes('/authorisations') ? sca(asked) : refused(404, 'RESOURCE_UNKNOWN');
  };

/** Runs the lines and counts how often obk says that an answer departs from the standard. */
const departures =
  (...lines: readonly (readonly string[])[]): Journey =>
  async (obk) => {
    let count = 0;
    for (const line of lines) {
      const { stderr } = await obk([...line, '-v']);
      count += [...stderr.matchAll(/departs from the standard/g)].length;
    }
    return { code: 0, stdout: `${String(count)} departures`, stderr: '' };
  };

/** A finding is waived and another one is not: that of another member, operation or status, or one whose waiver is over. */
function waivers(): Oddity[] {
  const reason = 'one method is not a list there';
  const odd = { consentStatus: 'received', consentId: 'c-1', scaMethods: {}, _links: redirect };
  const twice = { gives: /1 departures/, without: /[02] departures/ };
  return [
    {
      ...twice,
      bank: always({ ...odd, chosenScaMethod: 'sms' }, 201),
      settings: { waivers: [{ rule: 'type', pointer: '/scaMethods', reason }] },
      run: departures(consent),
    },
    {
      ...twice,
      bank: ({ path }) =>
        path === '/v1/consents' ? [201, odd] : [201, { ...odd, transactionStatus: 'RCVD', paymentId: 'p-1' }],
      settings: { waivers: [{ rule: 'type', operation: 'createConsent', reason }] },
      run: departures(consent, pay),
    },
    {
      ...twice,
      bank: ({ path }) =>
        path === '/v1/consents' ? [201, odd] : [200, { ...odd, transactionStatus: 'RCVD', paymentId: 'p-1' }],
      settings: { waivers: [{ rule: 'type', status: 201, reason }] },
      run: departures(consent, pay),
    },
    {
      ...twice,
      bank: always({ ...odd, chosenScaMethod: 'sms' }, 201),
      settings: {
        waivers: [
          { rule: 'type', pointer: '/scaMethods', reason },
          { rule: 'type', until: '2020-01-01', reason },
        ],
      },
      run: departures(consent),
    },
    {
      ...twice,
      bank: always({ ...odd, chosenScaMethod: 'sms' }, 201),
      settings: {
        waivers: [
          { rule: 'type', pointer: '/scaMethods', reason },
          { rule: 'type', since: '2999-01-01', reason },
        ],
      },
      run: departures(consent),
    },
  ];
}

export const answers: readonly Oddity[] = [
  // a bank that writes answers otherwise
  {
    bank: listing(
      '{"transactions":{"booked":[{"transactionId":"t-1","bookingDate":"2026-11-01","creditorName":"Shop","transactionAmount":{"currency":"EUR","amount":-12345678901234567.10}}]}}',
    ),
    settings: { decode: { numberAmounts: true } },
    run: lists,
    without: /amount-as-number/,
    gives: /"-12345678901234567\.10"/,
  },
  {
    bank: listing({
      transactions: { booked: [{ ...entry, remittanceInformationUnstructured: { text: 'Rent of May' } }] },
    }),
    settings: { decode: { remittanceObject: true } },
    run: [consent, ['transactions', 'list', '--account', 'a', '--json']],
    without: /^(?![^]*Rent of May)[^]*$/,
    gives: /"remittanceInformationUnstructured":\s*"Rent of May"/,
  },
  {
    bank: always({
      balances: [
        {
          balanceType: 'expected',
          balanceAmount: { currency: 'EUR', amount: '1.00' },
          lastChangeDateTime: '2026-07-01T12:00:00',
        },
      ],
    }),
    settings: { decode: { naiveZone: 'Europe/Berlin' } },
    run: [[...read('getBalances'), '-v', '--json']],
    without: /times have no zone/,
    gives: /2026-07-01T12:00:00\+02:00/,
  },
  {
    bank: always({
      balances: [
        { balanceType: 'expected', balanceAmount: { currency: 'EUR', amount: '1.00' }, referenceDate: null },
      ],
    }),
    settings: { decode: { nulls: true } },
    run: [[...read('getBalances'), '-v']],
    without: /absent members are null/,
    never: /null/,
  },
  {
    bank: always({ scaStatus: 'started', challengeData: { otpMaxLength: '6' } }),
    settings: { decode: { otpAsString: true } },
    run: [['api', 'getConsentScaStatus', '-f', 'consentId=c', '-f', 'authorisationId=x', '-v']],
    without: /numbers about an OTP are texts/,
  },
  {
    bank: listing({ result: { report: { transactions: { booked: [entry] } } } }),
    settings: { ais: { wrappers: { getTransactionList: '/result/report' } } },
    run: lists,
    gives: /t-1/,
  },
  {
    about: 'of a single answer',
    bank: always({ data: { balances: [] } }),
    settings: { ais: { wrappers: { getBalances: '/data' } } },
    run: [read('getBalances')],
    without: 6,
  },
  {
    bank: paid({ scaStatus: 'finalised', _links: {} }, { transactionStatus: 'ACSC' }, () => [
      200,
      { scaStatus: 'DONE' },
    ]),
    settings: { sca: { statusAliases: { DONE: 'finalised' } } },
    run: [['api', 'getConsentScaStatus', '-f', 'consentId=c', '-f', 'authorisationId=x', '--json']],
    without: /DONE/,
    gives: /finalised/,
  },
  {
    bank: paid({ _links: redirect }, { transactionStatus: 'SETTLED' }),
    settings: { payments: { statusAliases: { SETTLED: 'ACSC' } } },
    run: [pay, ['payment', 'status', 'p-1', '--json']],
    without: /SETTLED/,
    gives: /ACSC/,
  },
  {
    bank: (asked) =>
      asked.method === 'POST'
        ? [201, { consentStatus: 'received', consentId: 'c-1', _links: redirect }]
        : [200, { ...validConsent, consentStatus: 'ACTV' }],
    settings: { consent: { statusAliases: { ACTV: 'valid' } } },
    run: [consent, ['consent', 'status', 'c-1', '--json']],
    without: /ACTV/,
    gives: /"valid"/,
  },
  {
    bank: paid(
      {
        scaStatus: 'psuAuthenticated',
        scaMethods: [
          { authenticationType: 'FOTO', authenticationMethodId: '1' },
          { authenticationType: 'SMS_OTP', authenticationMethodId: '2' },
        ],
        _links: {
          selectAuthenticationMethod: { href: '/v1/payments/sepa-credit-transfers/p-1/authorisations/x' },
        },
      },
      undefined,
      ({ body }) =>
        body.includes('123456')
          ? [200, { scaStatus: 'finalised' }]
          : [
              200,
              { scaStatus: 'scaMethodSelected', _links: { authoriseTransaction: { href: authorisation } } },
            ],
    ),
    env: { OTP: '123456' },
    settings: { sca: { authTypeAliases: { FOTO: 'PHOTO_OTP' } } },
    without: /^(?![^]*ACSC)[^]*$/,
    gives: /ACSC/,
    run: [[...pay, '--sca-method', 'PHOTO_OTP', '--otp-from', 'env:OTP', '--wait']],
  },
  {
    bank: (asked) => {
      if (asked.method === 'POST' && !asked.path.endsWith('/authorisations'))
        return [
          201,
          {
            consentStatus: 'received',
            consentId: 'c-1',
            _links: { startAuthorisation: { href: '/v1/consents/c-1/authorisations' } },
          },
        ];
      if (asked.method === 'POST') return [201, { scaStatus: 'received', _links: redirect }];
      return asked.path === '/v1/consents/c-1/authorisations/c-1'
        ? [200, { scaStatus: 'finalised' }]
        : [200, validConsent];
    },
    settings: { sca: { authorisationIdFrom: 'resourceId' } },
    run: [[...consent, '--json']],
    without: /"consentStatus"[^]*"authorisationId": ?null|^(?![^]*"authorisationId")[^]*$/,
    gives: /"consentStatus"[^]*"authorisationId": ?"c-1"/,
  },
  {
    bank: paid(
      {
        scaStatus: 'scaMethodSelected',
        _links: { authoriseTransaction: { href: authorisation }, scaStatus: { href: authorisation } },
      },
      undefined,
      ({ method }) => (method === 'PUT' ? [200, { scaStatus: 'started' }] : [500, 'no such thing']),
    ),
    without: /could not be read/,
    settings: { sca: { statusFrom: 'resource' } },
    run: [[...pay, '--otp-from', 'env:OTP', '--wait', '--timeout', '3s']],
    env: { OTP: '123456' },
  },
  {
    bank: (asked) =>
      asked.method === 'POST'
        ? [201, { consentStatus: 'valid', consentId: 'c-1', _links: {} }]
        : asked.method === 'DELETE'
          ? [202, '']
          : refused(404, 'RESOURCE_UNKNOWN'),
    settings: { consent: { deleteStatus: [202] } },
    run: [consent, ['consent', 'delete', 'c-1', '--yes']],
    without: 8,
  },
  {
    bank: (asked) =>
      asked.method === 'POST'
        ? [201, { consentStatus: 'valid', consentId: 'c-1', _links: {} }]
        : asked.method === 'DELETE'
          ? [202, { _links: redirect }]
          : [200, validConsent],
    settings: { consent: { deleteNeedsSca: true } },
    run: [consent, ['consent', 'delete', 'c-1', '--yes']],
    without: /^(?![^]*login\.bank)[^]*$/,
    code: 8,
    gives: /https:\/\/login\.bank\.example\/c/,
  },
  {
    about: 'done',
    bank: () => [409, { balances: [] }],
    settings: { errors: { statusMeaning: { getBalances: { 409: 'done' } } } },
    run: [read('getBalances')],
  },
  {
    about: 'refused',
    bank: (asked) => (asked.method === 'POST' ? refused(408, 'FORMAT_ERROR', 'too slow') : [200, {}]),
    settings: { errors: { statusMeaning: { createConsent: { 408: 'refused' } } } },
    run: [consent],
    without: 12,
    code: 5,
  },
  {
    bank: () => [
      400,
      { tppMessages: [{ category: 'ERROR', code: 'FORMAT_ERROR' }] },
      { 'X-Response-ID': 'trace-42' },
    ],
    settings: { errors: { traceHeaders: ['X-Response-ID'] } },
    run: [read('getBalances')],
    code: 5,
    without: /^(?![^]*trace-42)[^]*$/,
    tells: /trace-42/,
  },
  ...waivers(),
];
