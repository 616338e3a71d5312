import { consentOf, payments } from '../../../helpers/described-bank.ts';
import { access, cancel, consent, day, get, list, own, pay, psu, rule, statusTwice, twice } from './row.ts';
import type { Row } from './row.ts';

/** The banks of single settings of calls, consents, payments and account data. */
export const interfaceRows: readonly Row[] = [
  {
    settings: { prefix: '/psd2' },
    ask: ({ ask }) => ask('POST', '/psd2/consents', { headers: psu, json: access }),
    told: /^201/,
  },
  {
    settings: { framework: '1.3.2' },
    ask: consent({ access: { availableAccounts: 'allAccountsWithBalances' } }),
    told: /^201/,
  },
  { settings: { surface: 'framework' }, ask: get('/v1/card-accounts'), told: /^200/ },
  { settings: { links: { shape: 'string' } }, ask: consent(), told: /"scaRedirect":"/ },
  { settings: { links: { host: 'ignore' } }, ask: consent(), told: /"href":"https:\/\/gateway\.invalid/ },
  { settings: { links: { aliases: { weiter: 'scaStatus' } } }, ask: consent(), told: /"weiter":/ },
  { settings: { errors: { traceHeaders: ['X-Trace'] } }, ask: consent(), told: /x-trace: trace-/ },
  {
    settings: { errors: { shapes: ['oauth'] } },
    ask: consent({ access: 7 }),
    told: /^400 \{"error":"format_error"/,
  },
  {
    settings: { errors: { statusMeaning: { createConsent: { 207: 'done' } } } },
    ask: consent(),
    told: /^207/,
  },
  {
    settings: { consent: { statusAliases: { OPEN: 'received' } } },
    ask: consent(),
    told: /"consentStatus":"OPEN"/,
  },
  { settings: { consent: { types: ['detailed'] } }, ask: consent(), told: /^400.*SERVICE_INVALID/ },
  {
    settings: { consent: { recurringOnly: true } },
    ask: consent({ recurringIndicator: false, frequencyPerDay: 1 }),
    told: /^400/,
  },
  {
    settings: { consent: { maxFrequency: 2 } },
    ask: async (bank) => {
      const { json } = await consent()(bank);
      return bank.ask('GET', `/v1/consents/${(json as { consentId: string }).consentId}`);
    },
    told: /"frequencyPerDay":2/,
  },
  { settings: { consent: { none: true } }, ask: consent(), told: /^40[45]/ },
  {
    settings: { consent: { deleteStatus: [202] } },
    ask: async (bank) => bank.ask('DELETE', `/v1/consents/${await consentOf(bank)}`),
    told: /^202/,
  },
  {
    settings: { payments: { statusAliases: { OPEN: 'RCVD' } } },
    ask: pay(),
    told: /"transactionStatus":"OPEN"/,
  },
  {
    settings: { payments: { requiredFields: [{ field: '/creditorAddress/country' }] } },
    ask: pay(),
    told: /^400.*creditorAddress/,
  },
  {
    about: 'of another product',
    settings: {
      payments: {
        requiredFields: [
          { field: '/creditorAgent', products: ['target-2-payments'] },
          { field: '/creditorAddress/country' },
        ],
      },
    },
    ask: pay(),
    told: /^400(?!.*creditorAgent).*creditorAddress/,
  },
  {
    settings: { payments: { rename: { '/remittanceInformationUnstructured': 'paymentText' } } },
    ask: async (bank) => {
      const { json } = await pay({ remittanceInformationUnstructured: 'Rent' })(bank);
      return bank.ask('GET', `${payments}/${(json as { paymentId: string }).paymentId}`);
    },
    told: /"paymentText":"Rent"/,
  },
  {
    settings: { payments: { enums: { '/chargeBearer': { SHAR: 'SHARED' } } } },
    ask: pay({ chargeBearer: 'SHARED' }, {}, '/v1/payments/target-2-payments'),
    told: /^201/,
  },
  { settings: { payments: { limits: { remittance: 5 } } }, ask: pay(), told: /^400.*5 characters/ },
  {
    settings: { payments: { limits: { charset: 'sepa' } } },
    ask: pay({ creditorName: 'Müller' }),
    told: /^400.*ü/,
  },
  {
    settings: { payments: { debtorAccount: 'required' } },
    ask: pay({ debtorAccount: undefined }),
    told: /^400.*this bank needs it/,
  },
  {
    settings: { payments: { matrix: { payments: { 'domestic-transfers': ['json'] } } } },
    ask: pay({}, {}, own),
    told: /^201/,
  },
  { settings: { payments: { cancel: { allowed: false } } }, ask: cancel(), told: /^405/ },
  { settings: { payments: { cancel: { needsSca: true } } }, ask: cancel(), told: /^202/ },
  { settings: { payments: { redirectOnCancel: true } }, ask: cancel(), told: /^400.*TPP-Redirect-URI/ },
  { settings: rule({}), ask: consent(), told: /^400.*X-Key is missing/ },
  {
    settings: { headers: { psuIdType: { values: ['A'] } } },
    ask: consent({}, { 'PSU-ID-Type': 'B' }),
    told: /^400.*one of A/,
  },
  {
    settings: { headers: { psuIdType: { default: 'A' } } },
    ask: consent(),
    told: /^400.*PSU-ID-Type is missing/,
  },
  {
    settings: { headers: { accept: { getAccountList: 'application/xml' } } },
    ask: get('/v1/accounts', { Accept: 'application/json' }),
    told: /^406/,
  },
  {
    settings: { headers: { contentType: { createConsent: 'application/vnd.bank+json' } } },
    ask: consent(),
    told: /^415/,
  },
  {
    settings: { spec: { operations: { getAccountList: { path: '/v3/accounts' } } } },
    ask: get('/v3/accounts'),
    told: /^200.*"accounts"/,
  },
  {
    settings: { spec: { operations: { getAccountList: { supported: false } } } },
    ask: get('/v1/accounts'),
    told: /^40[45]/,
  },
  {
    settings: { ais: { params: { getAccountList: { allow: [] } } } },
    ask: get('/v1/accounts?withBalance=true'),
    told: /^400.*no parameter/,
  },
  {
    settings: { ais: { params: { getAccountList: { forbid: ['withBalance'] } } } },
    ask: get('/v1/accounts?withBalance=true'),
    told: /^400.*no parameter/,
  },
  {
    about: 'of all operations',
    settings: { ais: { params: { '*': { add: { x: '1' } } } } },
    ask: ({ ask }) => ask('GET', '/v1/consents/c-1/status'),
    told: /^400.*x is missing/,
  },
  {
    about: 'in links',
    settings: { ais: { params: { '*': { add: { x: '1' } } } } },
    ask: ({ ask }) => ask('POST', '/v1/consents?x=1', { headers: psu, json: access }),
    told: /"status":\{"href":"\/v1\/consents\/[^"]+\/status\?x=1"/,
  },
  {
    settings: { ais: { params: { getAccountList: { add: { x: '1' } } } } },
    ask: get('/v1/accounts'),
    told: /^400.*x is missing/,
  },
  {
    settings: { ais: { withBalance: false } },
    ask: get('/v1/accounts?withBalance=true'),
    told: /^400.*not supported/,
  },
  {
    always: { surface: 'framework' },
    settings: { ais: { cardAccounts: false } },
    ask: get('/v1/card-accounts'),
    told: /^40[45]/,
  },
  {
    settings: { ais: { wrappers: { getAccountList: '/data/all' } } },
    ask: get('/v1/accounts'),
    told: /^200 \{"data":\{"all":\{"accounts"/,
  },
  {
    settings: { ais: { bookingStatus: ['booked'] } },
    ask: list(`bookingStatus=pending&dateFrom=${day(30)}`),
    told: /^400/,
  },
  {
    settings: { ais: { transactionFormats: ['camt.052'] } },
    ask: list(`bookingStatus=booked&dateFrom=${day(30)}`, { Accept: 'application/json' }),
    told: /^406/,
  },
  {
    settings: { ais: { history: { windowDays: 14 } } },
    ask: list(`bookingStatus=booked&dateFrom=${day(40)}&dateTo=${day(1)}`),
    told: /^400.*14 days/,
  },
  {
    settings: { ais: { history: { maxDays: 30 } } },
    ask: list(`bookingStatus=booked&dateFrom=${day(60)}`),
    told: /^400.*30 days/,
  },
  { settings: { decode: { numberAmounts: true } }, ask: list(), told: /"amount":-?\d/ },
  {
    settings: { decode: { remittanceObject: true } },
    ask: list(),
    told: /"remittanceInformationUnstructured":\{/,
  },
  { settings: { decode: { nulls: true } }, ask: consent(), told: /"psuMessage":null/ },
  {
    settings: { limits: { rate: '1/1h' } },
    ask: async (bank) => (await consent()(bank), consent()(bank)),
    told: /^429/,
  },
  {
    settings: { limits: { perOperation: { createConsent: '1/1h' } } },
    ask: async (bank) => (await consent()(bank), consent()(bank)),
    told: /^429/,
  },
  {
    settings: { limits: { rate: '9', header: { name: 'X-Left', format: 'json' } } },
    ask: consent(),
    told: /x-left: \{"limit":9,"remaining":8\}/,
  },
  { settings: { sca: { approaches: ['decoupled'] } }, ask: consent(), told: /aspsp-sca-approach: DECOUPLED/ },
  { settings: { sca: { preferred: 'decoupled' } }, ask: consent(), told: /aspsp-sca-approach: DECOUPLED/ },
  { settings: { auth: { mode: 'preStep' } }, ask: consent(), told: /^401.*TOKEN_UNKNOWN/ },
  {
    settings: { auth: { operations: { createConsent: 'preStep' } } },
    ask: consent(),
    told: /^401.*TOKEN_UNKNOWN/,
  },
  { settings: { signing: { mode: 'cavage' } }, ask: consent(), told: /^401.*SIGNATURE_MISSING/ },
  {
    always: { framework: '1.3.2' },
    settings: { consent: { withBalances: 'plural' } },
    ask: consent({ access: { availableAccounts: 'allAccountsWithBalances' } }),
    told: /^400.*in the form plural/,
  },
  {
    settings: { payments: { remittanceStructured: 'object' } },
    ask: pay({
      remittanceInformationUnstructured: undefined,
      remittanceInformationStructured: 'RF18539007547034',
    }),
    told: /^400.*object at this bank/,
  },
  {
    settings: { payments: { remittanceStructured: 'string' } },
    ask: pay({
      remittanceInformationUnstructured: undefined,
      remittanceInformationStructured: { reference: 'RF18539007547034' },
    }),
    told: /^400.*string at this bank/,
  },
  {
    settings: { payments: { duplicateWindowMin: 10 } },
    ask: twice(pay({ remittanceInformationUnstructured: 'Order 7' })),
    told: /^400.*PAYMENT_FAILED/,
  },
  { settings: { sca: { poll: { maxPerSecond: 1 } } }, ask: statusTwice, told: /^429/ },
  { settings: { sca: { poll: { minIntervalMs: 60_000 } } }, ask: statusTwice, told: /^429/ },
  {
    settings: { requestIdSemantics: 'reject-duplicate' },
    ask: twice(consent({}, { 'X-Request-ID': '99391c7e-ad88-49ec-a2ad-99ddcb1f7721' })),
    told: /^4\d\d/,
  },
  { settings: { headers: { psuId: { first: 3 } } }, ask: consent(), told: /^400.*3 characters at most/ },
  {
    about: 'of several customers',
    settings: { headers: { psuId: { first: 10 } } },
    ask: consent({}, { 'PSU-ID': 'embedded-o' }),
    told: /^401.*characters of a PSU-ID.*embedded-one, .*embedded-otp/,
  },
  {
    settings: { sca: { startMode: 'explicit' } },
    ask: consent(),
    told: /^201(?!.*scaRedirect).*startAuthorisation/,
  },
];
