/** The 38 operations of the interface, each once: method, path, headers, query, body and success answers. */

import type { HeaderSet, Need } from './header-rows.ts';

/** The official operationId of each operation (OpenAPI files 1.3.3 and 1.3.6). */
export type OperationId =
  | 'initiatePayment'
  | 'getPaymentInformation'
  | 'cancelPayment'
  | 'getPaymentInitiationStatus'
  | 'startPaymentAuthorisation'
  | 'getPaymentInitiationAuthorisation'
  | 'getPaymentInitiationScaStatus'
  | 'updatePaymentPsuData'
  | 'startPaymentInitiationCancellationAuthorisation'
  | 'getPaymentInitiationCancellationAuthorisationInformation'
  | 'getPaymentCancellationScaStatus'
  | 'updatePaymentCancellationPsuData'
  | 'getAccountList'
  | 'readAccountDetails'
  | 'getBalances'
  | 'getTransactionList'
  | 'getTransactionDetails'
  | 'getCardAccount'
  | 'ReadCardAccount'
  | 'getCardAccountBalances'
  | 'getCardAccountTransactionList'
  | 'createConsent'
  | 'getConsentInformation'
  | 'deleteConsent'
  | 'getConsentStatus'
  | 'startConsentAuthorisation'
  | 'getConsentAuthorisation'
  | 'getConsentScaStatus'
  | 'updateConsentsPsuData'
  | 'checkAvailabilityOfFunds'
  | 'createSigningBasket'
  | 'getSigningBasket'
  | 'deleteSigningBasket'
  | 'getSigningBasketStatus'
  | 'startSigningBasketAuthorisation'
  | 'getSigningBasketAuthorisation'
  | 'getSigningBasketScaStatus'
  | 'updateSigningBasketPsuData';

/** The four methods of the interface. */
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
/** The services of the guidelines; tppMessage codes are listed per service. */
export type Service = 'PIS' | 'AIS' | 'PIIS' | 'SBS';
/** The PSD2 roles of a TPP as its certificate states them (ETSI TS 119 495). */
export type Role = 'PSP_PI' | 'PSP_AI' | 'PSP_IC';
/** The thing that an operation belongs to; the first four are the parents of an authorisation. */
export type Parent = 'payment' | 'cancellation' | 'consent' | 'basket' | 'account' | 'card-account' | 'funds';

/** The path parameters under their one internal name; `variants.ts` has the names of each surface. */
export type ParamName =
  | 'payment-service'
  | 'payment-product'
  | 'paymentId'
  | 'authorisationId'
  | 'consentId'
  | 'account-id'
  | 'transactionId'
  | 'basketId';

/** The kind of a request's body. */
export type BodyKind = 'none' | 'payment' | 'authorisation' | 'consent' | 'funds' | 'basket';

/** The kind of a success answer's body. */
export type AnswerKind =
  | 'none'
  | 'payment-initiation'
  | 'payment'
  | 'payment-status'
  | 'cancel'
  | 'authorisation-start'
  | 'authorisation-update'
  | 'authorisation-list'
  | 'sca-status'
  | 'account-list'
  | 'account'
  | 'balances'
  | 'transactions'
  | 'transaction'
  | 'card-account-list'
  | 'card-account'
  | 'card-balances'
  | 'card-transactions'
  | 'consent-creation'
  | 'consent'
  | 'consent-status'
  | 'funds-confirmation'
  | 'basket-creation'
  | 'basket'
  | 'basket-status';

/** A success status and what its body is. */
export interface Success {
  readonly status: number;
  readonly answer: AnswerKind;
}

/** A query parameter; `ifSupported` ones are rejected (PARAMETER_NOT_SUPPORTED) by a bank that does not know them. */
export interface QueryRule {
  readonly name: string;
  readonly type: 'boolean' | 'date' | 'string' | 'integer' | 'bookingStatus';
  readonly need: Need;
  readonly ifSupported?: true;
}

/** One operation as framework 1.3.2 has it; `variants.ts` holds what other variants change. */
export interface Operation {
  readonly id: OperationId;
  readonly method: Method;
  /** Path template without the prefix. */
  readonly path: string;
  readonly service: Service;
  readonly role: Role;
  readonly parent: Parent;
  readonly headers: readonly HeaderSet[];
  readonly query: readonly QueryRule[];
  readonly body: BodyKind;
  readonly success: readonly Success[];
}

const PAYMENT = '/{payment-service}/{payment-product}/{paymentId}';
const CANCELLATIONS = `${PAYMENT}/cancellation-authorisations`;
const READ = ['S', 'CTX', 'IPo'] as const;
const READ_CONSENT = ['S', 'CTX', 'IPc'] as const;
const READ_ACCOUNT = ['S', 'CTX', 'CIDm', 'IPc'] as const;
const START = ['S', 'CTX', 'PSU4o', 'RED', 'NOT', 'IPo'] as const;
const START_CONSENT = ['S', 'CTX', 'PSU4o', 'RED', 'NOT', 'IPc'] as const;
const UPDATE = ['S', 'CTX', 'PSU4c', 'IPo'] as const;
const UPDATE_CONSENT = ['S', 'CTX', 'PSU4c', 'IPc'] as const;

const WITH_BALANCE: QueryRule = { name: 'withBalance', type: 'boolean', need: 'o' };
const REPORT: readonly QueryRule[] = [
  { name: 'dateFrom', type: 'date', need: 'c' },
  { name: 'dateTo', type: 'date', need: 'o' },
  { name: 'entryReferenceFrom', type: 'string', need: 'o', ifSupported: true },
  { name: 'bookingStatus', type: 'bookingStatus', need: 'm' },
  { name: 'deltaList', type: 'boolean', need: 'o', ifSupported: true },
  WITH_BALANCE,
];

const PIS = { service: 'PIS', role: 'PSP_PI', query: [] } as const;
const AIS = { service: 'AIS', role: 'PSP_AI', query: [] } as const;
const SBS = { service: 'SBS', role: 'PSP_PI', query: [] } as const;

/** Every operation of the framework, the same 38 in all versions of its file. GET trusted-beneficiaries is an extended service. */
export const operations: readonly Operation[] = [
  {
    ...PIS,
    id: 'initiatePayment',
    method: 'POST',
    path: '/{payment-service}/{payment-product}',
    parent: 'payment',
    headers: ['S', 'CTX', 'PSU4c', 'CIDo', 'IPm', 'RED', 'EXPLICIT', 'NOFUNDS', 'NOT'],
    body: 'payment',
    success: [{ status: 201, answer: 'payment-initiation' }],
  },
  {
    ...PIS,
    id: 'getPaymentInformation',
    method: 'GET',
    path: PAYMENT,
    parent: 'payment',
    headers: READ,
    body: 'none',
    success: [{ status: 200, answer: 'payment' }],
  },
  {
    ...PIS,
    id: 'cancelPayment',
    method: 'DELETE',
    path: PAYMENT,
    parent: 'payment',
    headers: ['S', 'CTX', 'IPo'],
    body: 'none',
    success: [
      { status: 204, answer: 'none' },
      { status: 202, answer: 'cancel' },
    ],
  },
  {
    ...PIS,
    id: 'getPaymentInitiationStatus',
    method: 'GET',
    path: `${PAYMENT}/status`,
    parent: 'payment',
    headers: ['S', 'CTX', 'IPo', 'ACCEPT'],
    body: 'none',
    success: [{ status: 200, answer: 'payment-status' }],
  },
  {
    ...PIS,
    id: 'startPaymentAuthorisation',
    method: 'POST',
    path: `${PAYMENT}/authorisations`,
    parent: 'payment',
    headers: START,
    body: 'authorisation',
    success: [{ status: 201, answer: 'authorisation-start' }],
  },
  {
    ...PIS,
    id: 'getPaymentInitiationAuthorisation',
    method: 'GET',
    path: `${PAYMENT}/authorisations`,
    parent: 'payment',
    headers: READ,
    body: 'none',
    success: [{ status: 200, answer: 'authorisation-list' }],
  },
  {
    ...PIS,
    id: 'getPaymentInitiationScaStatus',
    method: 'GET',
    path: `${PAYMENT}/authorisations/{authorisationId}`,
    parent: 'payment',
    headers: READ,
    body: 'none',
    success: [{ status: 200, answer: 'sca-status' }],
  },
  {
    ...PIS,
    id: 'updatePaymentPsuData',
    method: 'PUT',
    path: `${PAYMENT}/authorisations/{authorisationId}`,
    parent: 'payment',
    headers: UPDATE,
    body: 'authorisation',
    success: [{ status: 200, answer: 'authorisation-update' }],
  },
  {
    ...PIS,
    id: 'startPaymentInitiationCancellationAuthorisation',
    method: 'POST',
    path: CANCELLATIONS,
    parent: 'cancellation',
    headers: START,
    body: 'authorisation',
    success: [{ status: 201, answer: 'authorisation-start' }],
  },
  {
    ...PIS,
    id: 'getPaymentInitiationCancellationAuthorisationInformation',
    method: 'GET',
    path: CANCELLATIONS,
    parent: 'cancellation',
    headers: READ,
    body: 'none',
    success: [{ status: 200, answer: 'authorisation-list' }],
  },
  {
    ...PIS,
    id: 'getPaymentCancellationScaStatus',
    method: 'GET',
    path: `${CANCELLATIONS}/{authorisationId}`,
    parent: 'cancellation',
    headers: READ,
    body: 'none',
    success: [{ status: 200, answer: 'sca-status' }],
  },
  {
    ...PIS,
    id: 'updatePaymentCancellationPsuData',
    method: 'PUT',
    path: `${CANCELLATIONS}/{authorisationId}`,
    parent: 'cancellation',
    headers: UPDATE,
    body: 'authorisation',
    success: [{ status: 200, answer: 'authorisation-update' }],
  },
  {
    ...AIS,
    id: 'getAccountList',
    method: 'GET',
    path: '/accounts',
    parent: 'account',
    headers: READ_ACCOUNT,
    query: [WITH_BALANCE],
    body: 'none',
    success: [{ status: 200, answer: 'account-list' }],
  },
  {
    ...AIS,
    id: 'readAccountDetails',
    method: 'GET',
    path: '/accounts/{account-id}',
    parent: 'account',
    headers: READ_ACCOUNT,
    query: [WITH_BALANCE],
    body: 'none',
    success: [{ status: 200, answer: 'account' }],
  },
  {
    ...AIS,
    id: 'getBalances',
    method: 'GET',
    path: '/accounts/{account-id}/balances',
    parent: 'account',
    headers: READ_ACCOUNT,
    body: 'none',
    success: [{ status: 200, answer: 'balances' }],
  },
  {
    ...AIS,
    id: 'getTransactionList',
    method: 'GET',
    path: '/accounts/{account-id}/transactions',
    parent: 'account',
    headers: [...READ_ACCOUNT, 'ACCEPT'],
    query: REPORT,
    body: 'none',
    success: [{ status: 200, answer: 'transactions' }],
  },
  {
    ...AIS,
    id: 'getTransactionDetails',
    method: 'GET',
    path: '/accounts/{account-id}/transactions/{transactionId}',
    parent: 'account',
    headers: READ_ACCOUNT,
    body: 'none',
    success: [{ status: 200, answer: 'transaction' }],
  },
  {
    ...AIS,
    id: 'getCardAccount',
    method: 'GET',
    path: '/card-accounts',
    parent: 'card-account',
    headers: READ_ACCOUNT,
    body: 'none',
    success: [{ status: 200, answer: 'card-account-list' }],
  },
  {
    ...AIS,
    id: 'ReadCardAccount',
    method: 'GET',
    path: '/card-accounts/{account-id}',
    parent: 'card-account',
    headers: READ_ACCOUNT,
    body: 'none',
    success: [{ status: 200, answer: 'card-account' }],
  },
  {
    ...AIS,
    id: 'getCardAccountBalances',
    method: 'GET',
    path: '/card-accounts/{account-id}/balances',
    parent: 'card-account',
    headers: READ_ACCOUNT,
    body: 'none',
    success: [{ status: 200, answer: 'card-balances' }],
  },
  {
    ...AIS,
    id: 'getCardAccountTransactionList',
    method: 'GET',
    path: '/card-accounts/{account-id}/transactions',
    parent: 'card-account',
    headers: READ_ACCOUNT,
    query: REPORT,
    body: 'none',
    success: [{ status: 200, answer: 'card-transactions' }],
  },
  {
    ...AIS,
    id: 'createConsent',
    method: 'POST',
    path: '/consents',
    parent: 'consent',
    headers: ['S', 'CTX', 'PSU4c', 'RED', 'EXPLICIT', 'NOT', 'IPc'],
    body: 'consent',
    success: [{ status: 201, answer: 'consent-creation' }],
  },
  {
    ...AIS,
    id: 'getConsentInformation',
    method: 'GET',
    path: '/consents/{consentId}',
    parent: 'consent',
    headers: READ_CONSENT,
    body: 'none',
    success: [{ status: 200, answer: 'consent' }],
  },
  {
    ...AIS,
    id: 'deleteConsent',
    method: 'DELETE',
    path: '/consents/{consentId}',
    parent: 'consent',
    headers: READ_CONSENT,
    body: 'none',
    success: [{ status: 204, answer: 'none' }],
  },
  {
    ...AIS,
    id: 'getConsentStatus',
    method: 'GET',
    path: '/consents/{consentId}/status',
    parent: 'consent',
    headers: READ_CONSENT,
    body: 'none',
    success: [{ status: 200, answer: 'consent-status' }],
  },
  {
    ...AIS,
    id: 'startConsentAuthorisation',
    method: 'POST',
    path: '/consents/{consentId}/authorisations',
    parent: 'consent',
    headers: START_CONSENT,
    body: 'authorisation',
    success: [{ status: 201, answer: 'authorisation-start' }],
  },
  {
    ...AIS,
    id: 'getConsentAuthorisation',
    method: 'GET',
    path: '/consents/{consentId}/authorisations',
    parent: 'consent',
    headers: READ_CONSENT,
    body: 'none',
    success: [{ status: 200, answer: 'authorisation-list' }],
  },
  {
    ...AIS,
    id: 'getConsentScaStatus',
    method: 'GET',
    path: '/consents/{consentId}/authorisations/{authorisationId}',
    parent: 'consent',
    headers: READ_CONSENT,
    body: 'none',
    success: [{ status: 200, answer: 'sca-status' }],
  },
  {
    ...AIS,
    id: 'updateConsentsPsuData',
    method: 'PUT',
    path: '/consents/{consentId}/authorisations/{authorisationId}',
    parent: 'consent',
    headers: UPDATE_CONSENT,
    body: 'authorisation',
    success: [{ status: 200, answer: 'authorisation-update' }],
  },
  {
    id: 'checkAvailabilityOfFunds',
    method: 'POST',
    path: '/funds-confirmations',
    service: 'PIIS',
    role: 'PSP_IC',
    parent: 'funds',
    headers: ['S'],
    query: [],
    body: 'funds',
    success: [{ status: 200, answer: 'funds-confirmation' }],
  },
  {
    ...SBS,
    id: 'createSigningBasket',
    method: 'POST',
    path: '/signing-baskets',
    parent: 'basket',
    headers: ['S', 'CTX', 'PSU4c', 'CIDo', 'IPm', 'RED', 'EXPLICIT', 'NOT'],
    body: 'basket',
    success: [{ status: 201, answer: 'basket-creation' }],
  },
  {
    ...SBS,
    id: 'getSigningBasket',
    method: 'GET',
    path: '/signing-baskets/{basketId}',
    parent: 'basket',
    headers: READ,
    body: 'none',
    success: [{ status: 200, answer: 'basket' }],
  },
  {
    ...SBS,
    id: 'deleteSigningBasket',
    method: 'DELETE',
    path: '/signing-baskets/{basketId}',
    parent: 'basket',
    headers: READ,
    body: 'none',
    success: [{ status: 204, answer: 'none' }],
  },
  {
    ...SBS,
    id: 'getSigningBasketStatus',
    method: 'GET',
    path: '/signing-baskets/{basketId}/status',
    parent: 'basket',
    headers: ['S', 'CTX', 'PSU4c', 'IPo'],
    body: 'none',
    success: [{ status: 200, answer: 'basket-status' }],
  },
  {
    ...SBS,
    id: 'startSigningBasketAuthorisation',
    method: 'POST',
    path: '/signing-baskets/{basketId}/authorisations',
    parent: 'basket',
    headers: START,
    body: 'authorisation',
    success: [{ status: 201, answer: 'authorisation-start' }],
  },
  {
    ...SBS,
    id: 'getSigningBasketAuthorisation',
    method: 'GET',
    path: '/signing-baskets/{basketId}/authorisations',
    parent: 'basket',
    headers: READ,
    body: 'none',
    success: [{ status: 200, answer: 'authorisation-list' }],
  },
  {
    ...SBS,
    id: 'getSigningBasketScaStatus',
    method: 'GET',
    path: '/signing-baskets/{basketId}/authorisations/{authorisationId}',
    parent: 'basket',
    headers: READ,
    body: 'none',
    success: [{ status: 200, answer: 'sca-status' }],
  },
  {
    ...SBS,
    id: 'updateSigningBasketPsuData',
    method: 'PUT',
    path: '/signing-baskets/{basketId}/authorisations/{authorisationId}',
    parent: 'basket',
    headers: UPDATE,
    body: 'authorisation',
    success: [{ status: 200, answer: 'authorisation-update' }],
  },
];

const byId = new Map<string, Operation>(operations.map((op) => [op.id, op]));

/** Returns the operation of that id; throws a plain Error (a bug) for an id outside the table. */
export function operation(id: OperationId): Operation {
  const found = byId.get(id);
  if (found === undefined) throw new Error(`no operation ${id}`);
  return found;
}

/** Tells whether a text is an operationId of the table (exact spelling). */
export function isOperationId(text: string): text is OperationId {
  return byId.has(text);
}
