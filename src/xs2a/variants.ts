/** How the two frameworks and the two surfaces differ, as data over the operations table. */
import { operations } from './operations.ts';
import type { BodyKind, HeaderSet, Operation, OperationId, ParamName, QueryRule } from './operations.ts';

/** The framework version whose contract is spoken: 1.3.2 (official file 1.3.3) or 1.3.6. */
export type Framework = '1.3.2' | '1.3.6';
/** `service`: the operations that the service lists; `framework`: all that the guidelines have. */
export type Surface = 'service' | 'framework';

/** The three settings that decide what is spoken; the prefix begins with a slash and ends without one. */
export interface Variant {
  readonly framework: Framework;
  readonly prefix: string;
  readonly surface: Surface;
}

/** The two listed variants of the service (27 and 25 operations). Source: service sections 4 and 9. */
export const presets = {
  v1: { framework: '1.3.2', prefix: '/v1', surface: 'service' },
  v136: { framework: '1.3.6', prefix: '/v136', surface: 'service' },
} as const satisfies Record<string, Variant>;

const CARD_DETAILS = 'the service lists card accounts only, without details, balances and transactions';
const BASKETS = 'the service has no signing baskets';
const NO_CARDS = 'the v136 service has no card accounts';
const NO_FUNDS = 'the v136 service has no funds confirmation';

const notInService: Partial<Record<OperationId, string>> = {
  ReadCardAccount: CARD_DETAILS,
  getCardAccountBalances: CARD_DETAILS,
  getCardAccountTransactionList: CARD_DETAILS,
  createSigningBasket: BASKETS,
  getSigningBasket: BASKETS,
  deleteSigningBasket: BASKETS,
  getSigningBasketStatus: BASKETS,
  startSigningBasketAuthorisation: BASKETS,
  getSigningBasketAuthorisation: BASKETS,
  getSigningBasketScaStatus: BASKETS,
  updateSigningBasketPsuData: BASKETS,
};

/** What a surface leaves out of the framework, with the reason to tell a person. */
export const absences: Readonly<
  Record<Surface, Record<Framework, Readonly<Partial<Record<OperationId, string>>>>>
> = {
  framework: { '1.3.2': {}, '1.3.6': {} },
  service: {
    '1.3.2': notInService,
    '1.3.6': {
      ...notInService,
      getCardAccount: NO_CARDS,
      ReadCardAccount: NO_CARDS,
      getCardAccountBalances: NO_CARDS,
      getCardAccountTransactionList: NO_CARDS,
      checkAvailabilityOfFunds: NO_FUNDS,
    },
  },
};

/** The path parameters that are printed under another name than the internal one. */
export const paramNames: Readonly<
  Record<Surface, Record<Framework, { readonly transactionId: string; readonly cancellation: string }>>
> = {
  service: {
    '1.3.2': { transactionId: 'resourceId', cancellation: 'cancellationId' },
    '1.3.6': { transactionId: 'transactionId', cancellation: 'cancellationId' },
  },
  framework: {
    '1.3.2': { transactionId: 'transactionId', cancellation: 'cancellationId' },
    '1.3.6': { transactionId: 'transactionId', cancellation: 'authorisationId' },
  },
};

/** What 1.3.6 changes in an operation of the table; `drop` goes before `add`. */
export interface OperationChange {
  readonly id: OperationId;
  readonly dropHeaders?: readonly HeaderSet[];
  readonly addHeaders?: readonly HeaderSet[];
  readonly addQuery?: readonly QueryRule[];
}

/** The request differences of 1.3.6 against the table, which is written as 1.3.2. Source: protocol 1.2, 1.3, 1.7. */
export const changes136: readonly OperationChange[] = [
  { id: 'initiatePayment', addHeaders: ['BRAND'] },
  { id: 'cancelPayment', addHeaders: ['EXPLICIT'] },
  { id: 'createConsent', dropHeaders: ['IPc'], addHeaders: ['IPm', 'BRAND'] },
  { id: 'checkAvailabilityOfFunds', addHeaders: ['CIDo'] },
  {
    id: 'getTransactionList',
    addQuery: [
      { name: 'pageIndex', type: 'integer', need: 'o', ifSupported: true },
      { name: 'itemsPerPage', type: 'integer', need: 'o', ifSupported: true },
    ],
  },
];

/** The operation that declares no body in 1.3.2; a server still takes one (its links offer the extended forms). */
export const undeclaredBodies: Readonly<Record<Framework, readonly OperationId[]>> = {
  '1.3.2': ['startPaymentInitiationCancellationAuthorisation'],
  '1.3.6': [],
};

/** Names and limits on the wire that differ by framework; readers take both. Source: protocol 1.7. */
export const wireNames = {
  '1.3.2': {
    cancellationList: 'cancellationIds',
    withBalanceAccess: 'availableAccountsWithBalances',
    consentMessage: 'message',
    addressStreet: 'street',
    addressTown: 'city',
    addressPostCode: 'postalCode',
    challengeData: 'string',
    textLimit: 512,
    singleReads: 'bare',
  },
  '1.3.6': {
    cancellationList: 'authorisationIds',
    withBalanceAccess: 'availableAccountsWithBalance',
    consentMessage: 'psuMessage',
    addressStreet: 'streetName',
    addressTown: 'townName',
    addressPostCode: 'postCode',
    challengeData: 'array',
    textLimit: 500,
    singleReads: 'wrapped',
  },
} as const satisfies Record<Framework, Record<string, string | number>>;

/** Gives the operation as the variant has it: the table's row with the changes of its framework. */
export function inVariant(variant: Variant, op: Operation): Operation {
  const change = variant.framework === '1.3.6' ? changes136.find((row) => row.id === op.id) : undefined;
  if (change === undefined) return op;
  const kept = op.headers.filter((set) => !(change.dropHeaders ?? []).includes(set));
  return {
    ...op,
    headers: [...kept, ...(change.addHeaders ?? [])],
    query: [...op.query, ...(change.addQuery ?? [])],
  };
}

/** Gives why an operation is absent in the variant (a clause for a person), or undefined where it is offered. */
export function absence(variant: Variant, id: OperationId): string | undefined {
  return absences[variant.surface][variant.framework][id];
}

/** Gives the operations that the variant offers, in table order, each with the variant's changes. */
export function operationsOf(variant: Variant): readonly Operation[] {
  return operations.filter((op) => absence(variant, op.id) === undefined).map((op) => inVariant(variant, op));
}

/** Gives the body that the variant's contract declares for the operation. */
export function declaredBody(variant: Variant, op: Operation): BodyKind {
  return undeclaredBodies[variant.framework].includes(op.id) ? 'none' : op.body;
}

/** Gives the name that the variant prints for a path parameter of the operation. */
export function paramName(variant: Variant, op: Operation, name: ParamName): string {
  const names = paramNames[variant.surface][variant.framework];
  if (name === 'transactionId') return names.transactionId;
  if (name === 'authorisationId' && op.parent === 'cancellation') return names.cancellation;
  return name;
}

/** Gives the path template with prefix and the variant's parameter names, e.g. `/v1/accounts/{account-id}`. */
export function pathTemplate(variant: Variant, op: Operation): string {
  const path = op.path.replace(
    /\{([^}]+)\}/g,
    (_, name: string) => `{${paramName(variant, op, name as ParamName)}}`,
  );
  return variant.prefix + path;
}
