import { defined } from '../../../base/defined.ts';
import type { ExchangeView } from '../../../settings/records/exchange.ts';
import { paramsOf, pathOf } from '../../../standard/xs2a/path-params.ts';
import { operations } from '../../../standard/xs2a/operations.ts';
import { consentFlags } from './access-of.ts';
import { expectOf, lastStatus } from './expect-of.ts';
import type { Names } from './names.ts';
import { amountFlags, accountText, orderFlags } from './order-of.ts';
import { psuOf } from './psu-of.ts';
import { answered, headerOf, isOauth, isTaken, membersOf } from './recorded.ts';
import type { RecordedRun, RecordedStep } from './recorded.ts';

type Flags = Record<string, string | readonly string[]>;

/** Makes steps of a run; undefined where nothing of it can be one. */
type Recorder = (run: RecordedRun, names: Names) => RecordedStep[] | undefined;

const of = ({ exchanges }: RecordedRun, operation: string) =>
  exchanges.find((one) => one.operation === operation);

const preferences = {
  'TPP-Redirect-Preferred': 'redirect',
  'TPP-Explicit-Authorisation-Preferred': 'explicit',
  'TPP-Decoupled-Preferred': 'decoupled',
  'TPP-Rejection-NoFunds-Preferred': 'reject-no-funds',
} as const;
const naming = {
  'PSU-ID': 'psu-id',
  'PSU-ID-Type': 'psu-id-type',
  'PSU-Corporate-ID': 'psu-corporate-id',
  'PSU-Corporate-ID-Type': 'psu-corporate-id-type',
} as const;

/** The flags of the headers of a call. */
function headerFlags(exchange: ExchangeView, names: Names): Flags {
  const flags: Flags = {};
  for (const [header, flag] of Object.entries(naming)) {
    const value = headerOf(exchange, header);
    if (value === undefined) continue;
    flags[flag] = flag === 'psu-id' ? names.variable('psuId', value) : names.text(value);
  }
  for (const [header, flag] of Object.entries(preferences)) {
    const value = headerOf(exchange, header);
    if (value !== undefined) flags[flag] = value === 'true' ? 'yes' : 'no';
  }
  const isByLogin = names.login !== undefined && headerOf(exchange, 'Authorization') !== undefined;
  if (isByLogin) flags['psu-id'] ??= names.login ?? '';
  const consent = headerOf(exchange, 'Consent-ID');
  if (consent !== undefined) flags['consent'] = names.id('consentId', consent);
  return flags;
}

interface Creation {
  operation: string;
  command: string;
  noun: 'payment' | 'consent' | 'basket';
  flags: (exchange: ExchangeView, names: Names) => { flags: Flags; input?: string } | undefined;
}

const creations: readonly Creation[] = [
  {
    operation: 'initiatePayment',
    command: 'payment init',
    noun: 'payment',
    flags: ({ url, request }, names) => {
      const params = paramsOf('initiatePayment', url);
      const service = params?.['payment-service'];
      const where: Flags = {
        ...(service !== undefined && service !== 'payments' && { service }),
        product: names.text(params?.['payment-product'] ?? ''),
      };
      const flags = service === 'bulk-payments' ? undefined : orderFlags(request.body, names);
      if (flags !== undefined) return { flags: { ...where, ...flags } };
      return { flags: { ...where, input: '-' }, input: names.body(request.body) };
    },
  },
  {
    operation: 'createConsent',
    command: 'consent create',
    noun: 'consent',
    flags: ({ request, at = '' }, names) => {
      const flags = consentFlags(request.body, names, at);
      return flags && { flags };
    },
  },
  {
    operation: 'createSigningBasket',
    command: 'basket create',
    noun: 'basket',
    flags: ({ request }, names) => {
      const { paymentIds, consentIds } = membersOf(request.body);
      const list = (ids: unknown, name: string) =>
        Array.isArray(ids) ? (ids as string[]).map((id) => names.id(name, id)) : [];
      const [payment, consent] = [list(paymentIds, 'paymentId'), list(consentIds, 'consentId')];
      return { flags: { ...(payment.length > 0 && { payment }), ...(consent.length > 0 && { consent }) } };
    },
  },
];

/** The step that makes what a run has made, with all calls about it. */
function creation(
  { operation, command, noun, flags: read }: Creation,
  run: RecordedRun,
  names: Names,
): RecordedStep | undefined {
  const exchange = of(run, operation);
  if (exchange === undefined) return undefined;
  const asked = read(exchange, names);
  if (asked === undefined) return undefined;
  const id = answered(exchange)[`${noun}Id`];
  const psu = psuOf(run.exchanges);
  const given: Flags = { ...headerFlags(exchange, names), ...asked.flags };
  if (psu === undefined && isLeftOpen(exchange)) given['authorise-later'] = 'true';
  const expect = expectOf(run, noun);
  const made = typeof id === 'string' ? { save: names.save(noun), id } : undefined;
  if (made !== undefined) names.know(made.id, `${made.save}.${noun}Id`);
  return {
    command,
    given,
    ...defined({ input: asked.input, psu }),
    ...(made !== undefined && { save: made.save }),
    ...(expect && { expect }),
  };
}

/** Nobody has gone on with the authorisation that the answer offers. */
function isLeftOpen(exchange: ExchangeView): boolean {
  if (!isTaken(exchange)) return false;
  const { _links: links, transactionStatus } = answered(exchange);
  const offers = Object.keys(links ?? {}).some((name) => /^(?:start|sca)/.test(name));
  return offers && (transactionStatus === undefined || transactionStatus === 'RCVD');
}

const created =
  (operation: string): Recorder =>
  (run, names) => {
    const found = creations.find((one) => one.operation === operation);
    const step = found && creation(found, run, names);
    return step && [step];
  };

type Noun = 'payment' | 'consent' | 'basket';

/** The id that the calls of a run are about. */
function subjectOf(run: RecordedRun): { noun: Noun; id: string } | undefined {
  for (const { operation, url } of run.exchanges) {
    const { paymentId, consentId, basketId } = paramsOf(operation, url) ?? {};
    if (paymentId !== undefined) return { noun: 'payment', id: paymentId };
    if (consentId !== undefined) return { noun: 'consent', id: consentId };
    if (basketId !== undefined) return { noun: 'basket', id: basketId };
  }
  return undefined;
}

/** A step about what is there already. */
const about =
  (command: (noun: Noun) => string): Recorder =>
  (run, names) => {
    const subject = subjectOf(run);
    if (subject === undefined) return undefined;
    const { noun, id } = subject;
    const reference = names.id(`${noun}Id`, id);
    const words = command(noun);
    const psu = psuOf(run.exchanges);
    const start = run.exchanges.find((one) => /^start.*Authorisation$/.test(one.operation));
    const flags = start === undefined ? {} : headerFlags(start, names);
    const isNew = words.endsWith('authorise') && start !== undefined && lastStatus(run, noun) !== undefined;
    const more: Flags = { ...flags, ...(isNew && isSecond(run) && { new: 'true' }) };
    const { consent: _, ...own } = more;
    const expect = expectOf(run, noun);
    return [
      {
        command: words,
        given: Object.keys(own).length === 0 ? reference : { id: reference, ...own },
        ...defined({ psu }),
        ...(expect && { expect }),
      },
    ];
  };

/** The run began with another authorisation, and so went on with none. */
const isSecond = ({ exchanges }: RecordedRun): boolean =>
  /^start/.test(exchanges.find(({ operation }) => !/^get.*Status$|^oauth/.test(operation))?.operation ?? '');

/** A read of accounts; where its run made a consent first, that is a step of its own. */
const reading =
  (operation: string): Recorder =>
  (run, names) => {
    const exchange = of(run, operation);
    if (exchange === undefined) return undefined;
    const first = created('createConsent')(before(run, operation), names) ?? [];
    const params = paramsOf(operation, exchange.url);
    const account = params?.['account-id'];
    const isList = operation.endsWith('TransactionList') || operation === 'getTransactionDetails';
    const named = account === undefined ? undefined : accountIn(run, exchange, account, names);
    const given: Flags = {
      ...(params?.transactionId !== undefined && {
        id: names.variable('transactionId', params.transactionId),
      }),
      ...defined({ [isList ? 'account' : 'id']: named }),
      ...queryFlags(exchange, names),
      ...headerFlags(exchange, names),
      ...(headerOf(exchange, 'PSU-IP-Address') !== undefined && { 'psu-present': 'true' }),
      ...(pages(run, operation) > 1 && { all: 'true' }),
    };
    const save = operation === 'getAccountList' && isTaken(exchange) ? names.save('accounts') : undefined;
    if (save !== undefined) {
      const { accounts } = answered(exchange);
      for (const [at, one] of (Array.isArray(accounts) ? accounts : []).entries()) {
        const { resourceId } = one as { resourceId?: unknown };
        if (typeof resourceId === 'string') names.know(resourceId, `${save}.${String(at)}.resourceId`);
      }
    }
    const expect = expectOf(run);
    const command = readings[operation] ?? '';
    return [...first, { command, given, ...defined({ save }), ...(expect && { expect }) }];
  };

/** The part of a run that made the consent of its read. */
const before = (run: RecordedRun, operation: string): RecordedRun => ({
  ...run,
  exit: 0,
  exchanges: run.exchanges.slice(
    0,
    run.exchanges.findIndex((one) => one.operation === operation),
  ),
});

const pages = ({ exchanges }: RecordedRun, operation: string): number =>
  exchanges.filter((one) => one.operation === operation).length;

const readings: Readonly<Record<string, string>> = {
  getAccountList: 'accounts list',
  readAccountDetails: 'accounts get',
  getBalances: 'accounts balances',
  getTransactionList: 'transactions list',
  getTransactionDetails: 'transactions get',
  getCardAccount: 'cards list',
  ReadCardAccount: 'cards get',
  getCardAccountBalances: 'cards balances',
  getCardAccountTransactionList: 'cards transactions',
};

/** The account of a read: as an earlier step saved it, else by its number, else by the id that the bank gave it. */
function accountIn(run: RecordedRun, exchange: ExchangeView, id: string, names: Names): string {
  if (names.knows(id)) return names.id('accountId', id);
  const listed = run.exchanges.flatMap((one) => {
    const { accounts, cardAccounts } = answered(one);
    return [accounts, cardAccounts].flatMap((list) => (Array.isArray(list) ? (list as object[]) : []));
  });
  const found = listed.find((one) => (one as { resourceId?: unknown }).resourceId === id);
  const number = numberOf(found) ?? numberOf(answered(exchange)['account']);
  return number === undefined ? names.variable('accountId', id) : names.variable('account', number);
}

function numberOf(account: unknown): string | undefined {
  const { iban, bban, maskedPan } = (account ?? {}) as Readonly<Record<string, unknown>>;
  const named = iban === undefined ? (bban === undefined ? { maskedPan } : { bban }) : { iban };
  return accountText(named);
}

/** The usual first day is counted from the day of the run. */
const isUsualStart = (day: string, at: string): boolean =>
  new Date(Date.parse(at) - 30 * 86_400_000).toISOString().slice(0, 10) === day;

function queryFlags({ url, at = '' }: ExchangeView, names: Names): Flags {
  const flags: Flags = {};
  for (const [name, value] of new URL(url).searchParams) {
    if (name === 'dateFrom' && !isUsualStart(value, at))
      flags['date-from'] = names.variable('dateFrom', value);
    if (name === 'dateTo') flags['date-to'] = names.variable('dateTo', value);
    if (name === 'bookingStatus' && value !== 'booked') flags['booking-status'] = names.text(value);
    if (name === 'entryReferenceFrom')
      flags['entry-reference-from'] = names.variable('entryReference', value);
    if (name === 'withBalance' && value === 'true') flags['with-balance'] = 'true';
    if (name === 'deltaList' && value === 'true') flags['delta'] = 'true';
  }
  return flags;
}

const funds: Recorder = (run, names) => {
  const exchange = of(run, 'checkAvailabilityOfFunds');
  if (exchange === undefined) return undefined;
  const { account, instructedAmount, payee, cardNumber } = membersOf(exchange.request.body);
  const number = accountText(account);
  const amount = amountFlags(instructedAmount, names);
  if (number === undefined || amount === undefined) return undefined;
  const given: Flags = {
    ...headerFlags(exchange, names),
    account: names.variable('account', number),
    ...amount,
    ...(typeof payee === 'string' && { payee: names.variable('payee', payee) }),
    ...(typeof cardNumber === 'string' && { card: names.variable('card', cardNumber) }),
  };
  const { fundsAvailable } = answered(exchange);
  const expect = expectOf(run) ?? {};
  const known = typeof fundsAvailable === 'boolean' && { body: { fundsAvailable: String(fundsAvailable) } };
  return [{ command: 'funds check', given, expect: { ...expect, ...known } }];
};

/** A login before any call; the calls after it have its token in the place of a PSU-ID. */
const login: Recorder = (run, names) => {
  names.login = names.variable('psuId', run.loggedIn ?? '');
  const psu = {
    does: run.exchanges.some(({ operation }) => operation === 'oauthToken') ? 'approve' : 'leave',
  };
  // The first call only asks where the server is: the bank refuses it.
  const expect = run.exit === 0 ? undefined : { exit: run.exit };
  return [{ command: 'auth login', given: { 'psu-id': names.login }, psu, ...(expect && { expect }) }];
};

/** Any call as `obk api` makes it; one whose body held a secret cannot be made again. */
export const calls: Recorder = (run, names) => {
  const steps = run.exchanges.flatMap((exchange): RecordedStep[] => {
    const { method, operation, url, request, answer } = exchange;
    if (isOauth(exchange) || request.body.includes('[secret]')) return [];
    const template = operations.find(({ id }) => id === operation)?.path.split('/').length ?? 0;
    const path = pathOf(url).split('/');
    const below =
      template > 1 && paramsOf(operation, url) !== undefined ? path.slice(1 - template) : path.slice(1);
    const query = new URL(url).search;
    const { consent, ...flags } = headerFlags(exchange, names);
    const psu = Object.fromEntries(Object.entries(flags).filter(([flag]) => flag.startsWith('psu-')));
    const named = below.map((segment) =>
      names.knows(segment) ? names.id('id', segment) : names.text(segment),
    );
    const status = answer === undefined ? {} : { status: String(answer.status) };
    const exit = run.exit === 0 || run.exchanges.length > 1 ? {} : expectOf(run);
    const save = savedAs(exchange, names);
    return [
      {
        command: 'api',
        given: {
          what: method,
          path: named.join('/') + names.text(query),
          ...psu,
          ...(typeof consent === 'string' && { header: `Consent-ID:${consent}` }),
          ...(request.body !== '' && { input: '-' }),
        },
        ...(request.body !== '' && { input: names.body(request.body) }),
        ...defined({ save }),
        expect: { ...exit, ...status },
      },
    ];
  });
  return steps.length === 0 ? undefined : steps;
};

/** The ids that an answer to a POST gives to what it has made. */
const madeIds = ['paymentId', 'consentId', 'basketId', 'authorisationId'] as const;

/** The name under which a call saves what it has made, whose ids later steps take from there. */
function savedAs(exchange: ExchangeView, names: Names): string | undefined {
  if (exchange.method !== 'POST' || !isTaken(exchange)) return undefined;
  const members = answered(exchange);
  const ids = madeIds.flatMap((name) => {
    const id = members[name];
    return typeof id === 'string' && !names.knows(id) ? [{ name, id }] : [];
  });
  const [first] = ids;
  if (first === undefined) return undefined;
  const save = names.save(first.name.slice(0, -'Id'.length));
  for (const { name, id } of ids) names.know(id, `${save}.${name}`);
  return save;
}

const verbs = ['get', 'status', 'authorise', 'authorisations', 'cancel', 'delete'];
const nouns: readonly Noun[] = ['payment', 'consent', 'basket'];

/** How the runs of each command become steps. */
export const recorders: Readonly<Record<string, Recorder>> = {
  'payment init': created('initiatePayment'),
  'consent create': created('createConsent'),
  'consent renew': created('createConsent'),
  'basket create': created('createSigningBasket'),
  'funds check': funds,
  'auth login': login,
  ...Object.fromEntries(
    nouns.flatMap((noun) => verbs.map((verb) => [`${noun} ${verb}`, about(() => `${noun} ${verb}`)])),
  ),
  ...Object.fromEntries(
    Object.entries(readings).map(([operation, command]) => [command, reading(operation)]),
  ),
  'sca status': about(() => 'sca status'),
  'sca methods': about((noun) => `${noun} authorise`),
  'sca select': about((noun) => `${noun} authorise`),
  'sca submit': about((noun) => `${noun} authorise`),
  'sca open': about((noun) => `${noun} authorise`),
  'pending resume': about((noun) => `${noun} authorise`),
  api: calls,
};
