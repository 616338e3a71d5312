/** How the two frameworks and the two surfaces differ, as data over the operations table. */
import { isOperationId, operations } from './operations.ts';
import type { HeaderSet } from './header-rows.ts';
import type { BodyKind, Operation, OperationId, ParamName } from './operations.ts';
import { always, both, frameworkNames, inFile, inGuidelines, isIn } from './origin.ts';
import type { Framework, Origin } from './origin.ts';

export { frameworkNames } from './origin.ts';
export type { Framework } from './origin.ts';
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

/** A name of `presets`. */
export type PresetName = keyof typeof presets;

/** The names of `presets`, oldest framework first. */
export const presetNames = Object.keys(presets) as readonly PresetName[];

/** The framework that a bank is taken for where nothing says which it speaks: the newest one of the service. */
export const usualFramework: Framework = presets.v136.framework;

/** Where banks of a framework are found that the service does not list: they kept the first prefix, and offer all of it. */
export function variantOf(framework: Framework): Variant {
  return (
    Object.values(presets).find((preset) => preset.framework === framework) ?? {
      framework,
      prefix: presets.v1.prefix,
      surface: 'framework',
    }
  );
}

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

/**
 * How a consent asks for all accounts with balances: `file` is a value, of the older file; `plural` and `singular` are names of
 * a member. Who says them: `wireChanges`.
 */
export type BalanceAccessForm = 'file' | 'plural' | 'singular';

/** The facts that differ between frameworks, besides the tables whose rows have an `Origin`. */
export interface FrameworkFacts {
  /** The operations that each surface leaves out, with the reason to tell a person. */
  readonly absent: Readonly<Record<Surface, Readonly<Partial<Record<OperationId, string>>>>>;
  /** The path parameters that each surface prints under another name than the internal one. */
  readonly paramNames: Readonly<
    Record<Surface, { readonly transactionId: string; readonly cancellation: string }>
  >;
  /** The forms of all accounts with balances that its banks take, first that of its own text (`wireChanges`). */
  readonly balanceAccessForms: readonly BalanceAccessForm[];
  /** True where PSU-ID may stand beside a token that names the PSU (OAuth pre-step). Source: guidelines 1.3.6. */
  readonly psuIdBesideLogin: boolean;
  /** True where banks may number the pages of a list: pageIndex and itemsPerPage (adorsys dialect). */
  readonly pageNumbers: boolean;
  /** True where the fees are also stated in the answers to the PSU, with the total. Source: file 1.3.6. */
  readonly feesInAnswers: boolean;
  /** True where a structured reference outside an array may be a text (140). Source: file 1.3.6. */
  readonly referenceAsText: boolean;
}

/** The service lists no framework after 1.3.6, so it leaves none of their operations out. */
const later: FrameworkFacts = {
  absent: { framework: {}, service: {} },
  paramNames: {
    service: { transactionId: 'transactionId', cancellation: 'authorisationId' },
    framework: { transactionId: 'transactionId', cancellation: 'authorisationId' },
  },
  balanceAccessForms: ['singular'],
  psuIdBesideLogin: true,
  pageNumbers: false,
  feesInAnswers: true,
  referenceAsText: true,
};

/** The facts of every framework: a new one is a row here, and the compiler asks for each of them. */
export const frameworkFacts: Readonly<Record<Framework, FrameworkFacts>> = {
  '1.3.2': {
    absent: { framework: {}, service: notInService },
    paramNames: {
      service: { transactionId: 'resourceId', cancellation: 'cancellationId' },
      framework: { transactionId: 'transactionId', cancellation: 'cancellationId' },
    },
    balanceAccessForms: ['file', 'plural', 'singular'],
    psuIdBesideLogin: false,
    pageNumbers: false,
    feesInAnswers: false,
    referenceAsText: false,
  },
  '1.3.6': {
    absent: {
      framework: {},
      service: {
        ...notInService,
        getCardAccount: NO_CARDS,
        ReadCardAccount: NO_CARDS,
        getCardAccountBalances: NO_CARDS,
        getCardAccountTransactionList: NO_CARDS,
        checkAvailabilityOfFunds: NO_FUNDS,
      },
    },
    paramNames: {
      service: { transactionId: 'transactionId', cancellation: 'cancellationId' },
      framework: { transactionId: 'transactionId', cancellation: 'authorisationId' },
    },
    balanceAccessForms: ['singular'],
    psuIdBesideLogin: true,
    pageNumbers: true,
    feesInAnswers: true,
    referenceAsText: true,
  },
  '1.3.8': later,
  '1.3.11': later,
  '1.3.12': later,
};

/** A change that a version of the framework made to the request of an operation; the table has it as in 1.3.2. */
export interface OperationChange {
  readonly id: OperationId;
  readonly headers: readonly HeaderSet[];
  /** The sets that these replace. */
  readonly instead?: readonly HeaderSet[];
  readonly origin: Origin;
  /** True for what an erratum of the guidelines added to text that had forgotten it: a TPP may send it to a bank before, too. */
  readonly corrects?: true;
}

/** The changes of requests, each with its source and version. Source: files 1.3.3 and 1.3.6, guidelines 5.6, 6.3.1, 10.2. */
export const operationChanges: readonly OperationChange[] = [
  { id: 'initiatePayment', headers: ['BRAND'], origin: both('1.3.6') },
  {
    id: 'cancelPayment',
    headers: ['RED'],
    origin: { guidelines: '1.3.4', file: '1.3.5' },
    corrects: true,
  },
  { id: 'cancelPayment', headers: ['EXPLICIT'], origin: both('1.3.5') },
  { id: 'createConsent', headers: ['IPm'], instead: ['IPc'], origin: both('1.3.5') },
  { id: 'createConsent', headers: ['BRAND'], origin: both('1.3.6') },
  { id: 'checkAvailabilityOfFunds', headers: ['CIDc'], origin: inGuidelines('1.3.2') },
  { id: 'checkAvailabilityOfFunds', headers: ['TOKEN'], origin: inFile(['1.3.4', '1.3.11']) },
  { id: 'initiatePayment', headers: ['DECOUPLED'], origin: inFile('1.3.9') },
  { id: 'cancelPayment', headers: ['DECOUPLED'], origin: inFile('1.3.9') },
  { id: 'createConsent', headers: ['DECOUPLED'], origin: inFile('1.3.9') },
];

/** The query parameters that an operation has not always declared; a parameter that is not here has always been there. */
const queryOrigins: Readonly<Partial<Record<OperationId, Readonly<Record<string, Origin>>>>> = {
  getCardAccountTransactionList: { withBalance: both(['1.3.2', '1.3.8']) },
};

/** Returns who says that the operation has the query parameter, and in which versions. */
export function queryOrigin(id: OperationId, name: string): Origin {
  return queryOrigins[id]?.[name] ?? always;
}

/** The names that operations have got since; obk keeps the first one of each, and takes both. */
export const operationNames: Readonly<Partial<Record<OperationId, { name: string; origin: Origin }>>> = {
  getCardAccount: { name: 'getCardAccountList', origin: inFile('1.3.11') },
  ReadCardAccount: { name: 'readCardAccountDetails', origin: inFile('1.3.11') },
};

/** Returns the operation of an operationId, in whichever framework it is called so. */
export function operationNamed(name: string): OperationId | undefined {
  if (isOperationId(name)) return name;
  return operations.find(({ id }) => operationNames[id]?.name === name)?.id;
}

/** Returns the operationId of the framework's file. */
export function operationName(framework: Framework, id: OperationId): string {
  const later = operationNames[id];
  return later !== undefined && isIn(framework, later.origin) ? later.name : id;
}

/** The bodies that an operation has not always declared; a server takes one before, too (its links offer the extended forms). */
export const bodyOrigins: Readonly<Partial<Record<OperationId, Origin>>> = {
  startPaymentInitiationCancellationAuthorisation: both('1.3.6'),
};

/** A thing whose name, form or limit on the wire has changed; readers take every form. The first form of a framework is sent. */
export interface WireChange {
  readonly kind: 'member' | 'media';
  readonly where: string;
  readonly what: string;
  readonly forms: readonly (readonly [form: string, origin: Origin])[];
}

const member = (where: string, what: string, ...forms: WireChange['forms']): WireChange => ({
  kind: 'member',
  where,
  what,
  forms,
});

/** Names and forms that differ by version. Source: files 1.3.3 and 1.3.6, guidelines 5.7, 6.4.1, 14.4. */
export const wireChanges = {
  cancellationList: member(
    'list of cancellation authorisations',
    'name of the list',
    ['cancellationIds', inGuidelines(['1.3.2', '1.3.5'])],
    ['authorisationIds', both('1.3.6')],
  ),
  // The bare array is a mistake of the file, which the guidelines never had; it is read and never written.
  cancellationListForm: member(
    'list of cancellation authorisations',
    'form of the list',
    ['bare array', inFile(['1.3.2', '1.3.5'])],
    ['object', both('1.3.6')],
  ),
  withBalanceAccess: member(
    'access of a consent',
    'all accounts with balances',
    ['availableAccounts = allAccountsWithBalances', inFile(['1.3.2', '1.3.3'])],
    ['availableAccountsWithBalances', inGuidelines(['1.3.2', '1.3.2'])],
    ['availableAccountsWithBalance', { guidelines: '1.3.3', file: '1.3.4' }],
  ),
  consentMessage: member(
    'answer to a consent',
    'text for the PSU',
    ['message', both(['1.3.2', '1.3.4'])],
    ['psuMessage', both('1.3.5')],
  ),
  addressStreet: member(
    'address',
    'street',
    ['street', { guidelines: ['1.3.2', '1.3.2'], file: ['1.3.2', '1.3.3'] }],
    ['streetName', { guidelines: '1.3.3', file: '1.3.4' }],
  ),
  addressTown: member(
    'address',
    'town',
    ['city', { guidelines: ['1.3.2', '1.3.2'], file: ['1.3.2', '1.3.3'] }],
    ['townName', { guidelines: '1.3.3', file: '1.3.4' }],
  ),
  addressPostCode: member(
    'address',
    'post code',
    ['postalCode', { guidelines: ['1.3.2', '1.3.2'], file: ['1.3.2', '1.3.3'] }],
    ['postCode', { guidelines: '1.3.3', file: '1.3.4' }],
  ),
  textLimit: member(
    'tppMessages, psuMessage',
    'longest text',
    ['512', both(['1.3.2', '1.3.4'])],
    ['500', both('1.3.5')],
  ),
  accountNameLimit: member(
    'account, card account',
    'longest name',
    ['35', both(['1.3.2', '1.3.5'])],
    ['70', both('1.3.6')],
  ),
  accountDetailsLimit: member(
    'account',
    'longest details',
    ['140', both(['1.3.2', '1.3.4'])],
    ['500', both('1.3.5')],
  ),
  cardAccountDetailsLimit: member(
    'card account',
    'longest details',
    ['140', both(['1.3.2', '1.3.4'])],
    ['500', both(['1.3.5', '1.3.8'])],
    ['1000', inFile('1.3.9')],
  ),
  cardTransactionDetailsLimit: member(
    'transaction of a card',
    'longest details',
    ['140', both(['1.3.2', '1.3.8'])],
    ['1000', inFile('1.3.9')],
  ),
  creditorAgentNameLimit: member(
    'payment',
    'longest creditorAgentName',
    ['70', both(['1.3.2', '1.3.8'])],
    ['140', inFile('1.3.9')],
  ),
  contractIdentificationLimit: member(
    'exchange rate',
    'longest contractIdentification',
    ['none', both(['1.3.2', '1.3.8'])],
    ['35', inFile('1.3.9')],
  ),
  // The guidelines and the examples of the file have always wrapped them.
  singleReads: member(
    'one account, card account or transaction',
    'object of the answer',
    ['bare', inFile(['1.3.2', '1.3.3'])],
    ['wrapped', { guidelines: '1.3.2', file: '1.3.4' }],
  ),
  // By its schema the later file wraps it twice; its own example and the guidelines wrap it once. Both are read, once is written.
  transactionDetails: member(
    'one transaction',
    'wrappers of the schema',
    ['transactionsDetails', both(['1.3.2', '1.3.6'])],
    ['transactionsDetails/transactionDetails', inFile('1.3.8')],
  ),
  cardReportLink: member(
    'list of transactions of a card',
    'link to the card account',
    ['cardAccount', both(['1.3.2', '1.3.6'])],
    ['cardAccount or card', inFile('1.3.8')],
  ),
  plainReports: {
    kind: 'media',
    where: 'list of transactions',
    what: 'media type of plain text',
    forms: [
      ['application/text', both(['1.3.2', '1.3.4'])],
      ['text/plain', both('1.3.5')],
    ],
  },
} as const satisfies Record<string, WireChange>;

/** The keys of `wireChanges`. */
export type WireName = keyof typeof wireChanges;

/** Returns the form that a framework writes: the first that its file or guidelines have, with who says it. */
export function wireForm(framework: Framework, name: WireName): { form: string; origin: Origin } {
  const found = wireChanges[name].forms.find(([, origin]) => isIn(framework, origin));
  if (found === undefined) throw new Error(`${framework} has no form of ${name}`);
  return { form: found[0], origin: found[1] };
}

const namesIn = (framework: Framework) =>
  Object.fromEntries(
    (Object.keys(wireChanges) as WireName[]).map((name) => [name, wireForm(framework, name).form]),
  ) as Readonly<Record<WireName, string>>;

/** The names and forms of `wireForm`, for every framework. */
export const wireNames = Object.fromEntries(
  frameworkNames.map((framework) => [framework, namesIn(framework)]),
) as Readonly<Record<Framework, Readonly<Record<WireName, string>>>>;

/** Returns the operation as the variant has it: the table's row with the changes that its framework has. */
export function inVariant({ framework }: Variant, op: Operation): Operation {
  const changes = operationChanges.filter(({ id, origin }) => id === op.id && isIn(framework, origin));
  const query = op.query.filter(({ name }) => isIn(framework, queryOrigin(op.id, name)));
  if (changes.length === 0 && query.length === op.query.length) return op;
  const dropped = changes.flatMap(({ instead = [] }) => instead);
  const kept = op.headers.filter((set) => !dropped.includes(set));
  return { ...op, query, headers: [...kept, ...changes.flatMap(({ headers }) => headers)] };
}

/** Returns why an operation is absent in the variant (a clause for a person), or undefined where it is offered. */
export function absence(variant: Variant, id: OperationId): string | undefined {
  return frameworkFacts[variant.framework].absent[variant.surface][id];
}

/** Returns the operations that the variant offers, in table order, each with the variant's changes. */
export function operationsOf(variant: Variant): readonly Operation[] {
  return operations.filter((op) => absence(variant, op.id) === undefined).map((op) => inVariant(variant, op));
}

/** Returns the body that the variant's contract declares for the operation. */
export function declaredBody(variant: Variant, op: Operation): BodyKind {
  return isIn(variant.framework, bodyOrigins[op.id] ?? always) ? op.body : 'none';
}

/** Returns the name that the variant prints for a path parameter of the operation. */
function paramName(variant: Variant, op: Operation, name: ParamName): string {
  const names = frameworkFacts[variant.framework].paramNames[variant.surface];
  if (name === 'transactionId') return names.transactionId;
  if (name === 'authorisationId' && op.parent === 'cancellation') return names.cancellation;
  return name;
}

/** Returns the path template with prefix and the variant's parameter names, e.g. `/v1/accounts/{account-id}`. */
export function pathTemplate(variant: Variant, op: Operation): string {
  const path = op.path.replace(
    /\{([^}]+)\}/g,
    (_, name: string) => `{${paramName(variant, op, name as ParamName)}}`,
  );
  return variant.prefix + path;
}
