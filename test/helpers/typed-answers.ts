import type { Exchange } from './contract.ts';

/** A right answer: the call, what was sent with it, and what came. */
interface Typed {
  call: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`;
  sent?: object;
  status: number;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
}

export const money = (amount: string, currency = 'EUR') => ({ currency, amount });
export const href = (path: string) => ({ href: `/v136${path}` });
export const iban = { iban: 'DE89370400440532013000' };
export const payee = { iban: 'FR7612345987650123456789014' };
export const card = '525412******3241';
const embedded = { 'ASPSP-SCA-Approach': 'EMBEDDED' };
const method = { authenticationType: 'SMS_OTP', authenticationMethodId: 'm-1', name: 'SMS' };
export const cardAccount = {
  resourceId: '3d9a81b3',
  maskedPan: card,
  currency: 'EUR',
  name: 'Main',
  product: 'Basic Credit',
  status: 'enabled',
  usage: 'PRIV',
  creditLimit: money('15000'),
  balances: [
    { balanceType: 'interimBooked', balanceAmount: money('14355.78') },
    { balanceType: 'nonInvoiced', balanceAmount: money('4175.86') },
  ],
  _links: { transactions: href('/card-accounts/3d9a81b3/transactions') },
};
const account = {
  resourceId: '3dc3d5b3',
  ...iban,
  currency: 'EUR',
  name: 'Main Account',
  product: 'Girokonto',
  cashAccountType: 'CACC',
  status: 'enabled',
  usage: 'PRIV',
  _links: {
    balances: href('/accounts/3dc3d5b3/balances'),
    transactions: href('/accounts/3dc3d5b3/transactions'),
  },
};
export const entry = {
  transactionId: '1234567',
  entryReference: 'E-1',
  creditorName: 'John Miles',
  creditorAccount: payee,
  transactionAmount: money('-256.67'),
  bookingDate: '2026-10-25',
  valueDate: '2026-10-26',
  remittanceInformationUnstructured: 'Example 1',
  bankTransactionCode: 'PMNT-ICDT-ESCT',
};
const single = {
  debtorAccount: iban,
  instructedAmount: money('123.50'),
  creditorAccount: payee,
  creditorName: 'Merchant123',
};
const bulk = {
  debtorAccount: iban,
  payments: [
    { instructedAmount: money('123.50'), creditorAccount: payee, creditorName: 'Merchant123' },
    { instructedAmount: money('34.10'), creditorAccount: payee, creditorName: 'Merchant456' },
  ],
};
const periodic = { ...single, startDate: '2027-03-01', frequency: 'Monthly', executionRule: 'preceding' };
export const bulkPath = '/bulk-payments/sepa-credit-transfers/b-1';
const cancelling = '/payments/sepa-credit-transfers/p-1/cancellation-authorisations';
const wish = {
  access: { balances: [iban], transactions: [iban] },
  recurringIndicator: true,
  validUntil: '2027-01-31',
  frequencyPerDay: 4,
  combinedServiceIndicator: false,
};
const refusal = (code: string) => ({ tppMessages: [{ category: 'ERROR', code, text: 'no' }] });

/** Right answers, typed by the schemas of the framework; each row of the tables below changes one of them. */
export const typedAnswers = {
  cards: { call: 'GET /card-accounts?withBalance=true', status: 200, body: { cardAccounts: [cardAccount] } },
  card: { call: 'GET /card-accounts/3d9a81b3', status: 200, body: { cardAccount } },
  'card balances': {
    call: 'GET /card-accounts/3d9a81b3/balances',
    status: 200,
    body: { cardAccount: { maskedPan: card }, balances: cardAccount.balances },
  },
  'card transactions': {
    call: 'GET /card-accounts/3d9a81b3/transactions?bookingStatus=both&dateFrom=2026-10-01&dateTo=2026-10-31',
    status: 200,
    body: {
      cardAccount: { maskedPan: card },
      cardTransactions: {
        booked: [
          {
            cardTransactionId: '201710020036959',
            transactionAmount: money('-256.67'),
            transactionDate: '2026-10-25',
            bookingDate: '2026-10-26',
            originalAmount: money('-2499', 'SEK'),
            cardAcceptorAddress: { townName: 'STOCKHOLM', country: 'SE' },
            maskedPAN: card,
            merchantCategoryCode: '5411',
            invoiced: false,
            transactionDetails: 'WIFIMARKET.SE',
          },
        ],
        pending: [],
        _links: { cardAccount: href('/card-accounts/3d9a81b3') },
      },
    },
  },
  accounts: { call: 'GET /accounts', status: 200, body: { accounts: [account] } },
  balances: {
    call: 'GET /accounts/3dc3d5b3/balances',
    status: 200,
    body: {
      account: iban,
      balances: [
        {
          balanceType: 'closingBooked',
          balanceAmount: money('500.00'),
          referenceDate: '2026-10-25',
          lastChangeDateTime: '2026-10-25T15:30:35.035Z',
        },
        { balanceType: 'expected', balanceAmount: money('900.00'), creditLimitIncluded: true },
      ],
    },
  },
  transactions: {
    call: 'GET /accounts/3dc3d5b3/transactions?bookingStatus=booked&dateFrom=2026-10-01&dateTo=2026-10-31',
    status: 200,
    body: {
      account: iban,
      transactions: {
        booked: [entry],
        _links: {
          account: href('/accounts/3dc3d5b3'),
          next: href('/accounts/3dc3d5b3/transactions?bookingStatus=booked&dateFrom=2026-10-01&page=2'),
        },
      },
    },
  },
  details: {
    call: 'GET /accounts/3dc3d5b3/transactions/1234567',
    status: 200,
    body: { transactionsDetails: entry },
  },
  funds: {
    call: 'POST /funds-confirmations',
    sent: { account: iban, instructedAmount: money('123.00') },
    status: 200,
    body: { fundsAvailable: true },
  },
  basket: {
    call: 'POST /signing-baskets',
    sent: { paymentIds: ['p-1', 'p-2'] },
    status: 201,
    headers: { Location: '/v136/signing-baskets/s-1' },
    body: {
      transactionStatus: 'RCVD',
      basketId: 's-1',
      _links: {
        self: href('/signing-baskets/s-1'),
        status: href('/signing-baskets/s-1/status'),
        startAuthorisation: href('/signing-baskets/s-1/authorisations'),
      },
    },
  },
  'basket read': {
    call: 'GET /signing-baskets/s-1',
    status: 200,
    body: { payments: ['p-1', 'p-2'], transactionStatus: 'ACTC' },
  },
  'basket status': {
    call: 'GET /signing-baskets/s-1/status',
    status: 200,
    body: { transactionStatus: 'RCVD' },
  },
  'basket authorisations': {
    call: 'GET /signing-baskets/s-1/authorisations',
    status: 200,
    body: { authorisationIds: ['a-1'] },
  },
  'basket deleted': { call: 'DELETE /signing-baskets/s-1', status: 204 },
  bulk: {
    call: 'POST /bulk-payments/sepa-credit-transfers',
    sent: bulk,
    status: 201,
    headers: { Location: `/v136${bulkPath}` },
    body: {
      transactionStatus: 'RCVD',
      paymentId: 'b-1',
      _links: { self: href(bulkPath), startAuthorisation: href(`${bulkPath}/authorisations`) },
    },
  },
  'bulk read': { call: `GET ${bulkPath}`, status: 200, body: { ...bulk, transactionStatus: 'PART' } },
  'bulk status': { call: `GET ${bulkPath}/status`, status: 200, body: { transactionStatus: 'PATC' } },
  'periodic read': {
    call: 'GET /periodic-payments/sepa-credit-transfers/r-1',
    status: 200,
    body: { ...periodic, transactionStatus: 'ACSP' },
  },
  cancel: {
    call: 'DELETE /payments/sepa-credit-transfers/p-1',
    status: 202,
    body: { transactionStatus: 'ACTC', _links: { startAuthorisation: href(cancelling) } },
  },
  'cancel start': {
    call: `POST ${cancelling}`,
    sent: { psuData: { password: 'x' } },
    status: 201,
    headers: embedded,
    body: {
      scaStatus: 'psuAuthenticated',
      authorisationId: 'c-1',
      scaMethods: [method],
      _links: { selectAuthenticationMethod: href(`${cancelling}/c-1`), scaStatus: href(`${cancelling}/c-1`) },
    },
  },
  'cancel list': { call: `GET ${cancelling}`, status: 200, body: { authorisationIds: ['c-1', 'c-2'] } },
  'cancel sca': { call: `GET ${cancelling}/c-1`, status: 200, body: { scaStatus: 'finalised' } },
  'cancel method': {
    call: `PUT ${cancelling}/c-1`,
    sent: { authenticationMethodId: 'm-1' },
    status: 200,
    headers: embedded,
    body: {
      scaStatus: 'scaMethodSelected',
      chosenScaMethod: method,
      challengeData: { otpMaxLength: 6, otpFormat: 'integer', data: ['12345'] },
      _links: { authoriseTransaction: href(`${cancelling}/c-1`) },
    },
  },
  consent: {
    call: 'POST /consents',
    sent: wish,
    status: 201,
    headers: { Location: '/v136/consents/k-1' },
    body: {
      consentStatus: 'received',
      consentId: 'k-1',
      _links: { startAuthorisation: href('/consents/k-1/authorisations') },
    },
  },
  'consent read': {
    call: 'GET /consents/k-1',
    status: 200,
    body: {
      access: wish.access,
      recurringIndicator: true,
      validUntil: '2027-01-31',
      frequencyPerDay: 4,
      lastActionDate: '2026-11-01',
      consentStatus: 'valid',
      _links: { account: href('/accounts') },
    },
  },
  'consent sca': {
    call: 'GET /consents/k-1/authorisations/a-1',
    status: 200,
    body: { scaStatus: 'finalised', trustedBeneficiaryFlag: false },
  },
  'too many': {
    call: 'GET /accounts',
    status: 429,
    body: refusal('ACCESS_EXCEEDED'),
  },
  'consent ended': { call: 'GET /accounts', status: 401, body: refusal('CONSENT_EXPIRED') },
  'not cancelled': {
    call: 'DELETE /payments/sepa-credit-transfers/p-1',
    status: 405,
    body: refusal('CANCELLATION_INVALID'),
  },
  'no card': {
    call: 'POST /funds-confirmations',
    sent: { account: iban, instructedAmount: money('1.00') },
    status: 400,
    body: refusal('CARD_INVALID'),
  },
  'mixed basket': {
    call: 'POST /signing-baskets',
    sent: { paymentIds: ['p-1'], consentIds: ['k-1'] },
    status: 400,
    body: refusal('REFERENCE_MIX_INVALID'),
  },
  'no product': {
    call: 'POST /payments/instant-sepa-credit-transfers',
    sent: single,
    status: 404,
    body: refusal('PRODUCT_UNKNOWN'),
  },
  'no format': {
    call: 'GET /accounts/3dc3d5b3/transactions?bookingStatus=booked&dateFrom=2026-10-01',
    status: 406,
    body: refusal('REQUESTED_FORMATS_INVALID'),
  },
} as const satisfies Readonly<Record<string, Typed>>;

export type TypedAnswer = keyof typeof typedAnswers;
/**
 * Where the answer is changed and to what: `/member/0` of its body (without a value it is left out), `status`, a header, or `body`
 * for all of it.
 */
export type Change = readonly [where: string, value?: unknown];

/** The exchange with its changes. */
export function typedExchange(name: TypedAnswer, changes: readonly Change[] = []): Exchange {
  const { call, sent, status, headers = {}, body }: Typed = typedAnswers[name];
  const [method = '', path = ''] = call.split(' ');
  const requestId = '99391c7e-ad88-49ec-a2ad-99ddcb1f7721';
  const answer: { status: number; body: unknown } = { status, body: structuredClone(body) };
  const answerHeaders: Record<string, string | undefined> = {
    'X-Request-ID': requestId,
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...headers,
  };
  for (const [where, value] of changes) {
    if (where === 'status') answer.status = Number(value);
    else if (where === 'body') answer.body = value;
    else if (!where.startsWith('/')) answerHeaders[where] = value as string | undefined;
    else {
      const steps = where.slice(1).split('/');
      const last = steps.pop() ?? '';
      const inner = steps.reduce<unknown>((one, step) => (one as Record<string, unknown>)[step], answer.body);
      const holder = inner as Record<string, unknown>;
      if (value === undefined) Reflect.deleteProperty(holder, last);
      else holder[last] = value;
    }
  }
  const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
  return {
    method,
    path: `/v136${path}`,
    requestHeaders: {
      'X-Request-ID': requestId,
      ...(/accounts/.test(path) && { 'Consent-ID': 'k-1' }),
      ...(sent !== undefined && { 'Content-Type': 'application/json' }),
    },
    requestBody: sent === undefined ? '' : JSON.stringify(sent),
    status: answer.status,
    responseHeaders: Object.fromEntries(
      Object.entries(answerHeaders).filter((one): one is [string, string] => one[1] !== undefined),
    ),
    responseBody: answer.body === undefined ? '' : text,
  };
}
