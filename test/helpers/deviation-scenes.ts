import { randomUUID } from 'node:crypto';
import type { BankFault } from '../../src/settings/records/bank-state.ts';
import { operationsOf, presets } from '../../src/standard/xs2a/variants.ts';
import { matchRequest } from '../../src/standard/xs2a/request.ts';
import { payment, signedHeaders } from '../unit/bank/tpp.ts';
import type { TestBank } from './bank.ts';
import type { Exchange } from './contract.ts';
import type { SceneName } from './planted-deviations.ts';

/** The variant in which the scenes are played: all that the framework has. */
export const playedAs = { ...presets.v136, surface: 'framework' } as const;

type Json = Record<string, unknown>;
const at = (value: unknown, ...path: (string | number)[]): string =>
  String(path.reduce<unknown>((inner, step) => (inner as Json | undefined)?.[step as string], value));

/** The calls of scenes at a bank inside; the last call of each is the one that a fault strikes. */
export async function openScenes(bank: TestBank) {
  const made: Exchange[] = [];
  const call = async (method: string, path: string, body?: object, more: Record<string, string> = {}) => {
    const bytes = body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body));
    const headers = signedHeaders(bank, bytes, {
      'PSU-IP-Address': '192.0.2.1',
      'X-Request-ID': randomUUID(),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...more,
    });
    const target = `/v136${path}`;
    const answer = await fetch(bank.baseUrl + target, {
      method,
      headers,
      ...(body !== undefined && { body: bytes }),
      redirect: 'manual',
    });
    // A byte order mark stays.
    const responseBody = Buffer.from(await answer.arrayBuffer()).toString('utf8');
    made.push({
      ...{ method, path: target, requestHeaders: headers, requestBody: bytes, status: answer.status },
      responseHeaders: Object.fromEntries(answer.headers),
      responseBody,
    });
    try {
      return JSON.parse(responseBody) as unknown;
    } catch {
      return undefined;
    }
  };

  const who = 'embedded-choice';
  const { password, otp, accounts } = bank.person(who);
  const payments = '/payments/sepa-credit-transfers';
  const as = (psuId: string, explicit = true) => ({
    'PSU-ID': psuId,
    ...(explicit && { 'TPP-Explicit-Authorisation-Preferred': 'true' }),
  });
  const pay = async () =>
    at(await call('POST', payments, payment(accounts[0]?.iban ?? ''), as(who)), 'paymentId');
  const start = async () => {
    const id = await pay();
    const started = await call('POST', `${payments}/${id}/authorisations`, {}, { 'PSU-ID': who });
    return { id, path: `${payments}/${id}/authorisations/${at(started, 'authorisationId')}` };
  };
  const entered = async () => {
    const begun = await start();
    const answer = await call('PUT', begun.path, { psuData: { password } }, { 'PSU-ID': who });
    return { ...begun, method: at(answer, 'scaMethods', 0, 'authenticationMethodId') };
  };
  const chosen = async () => {
    const begun = await entered();
    await call('PUT', begun.path, { authenticationMethodId: begun.method });
    return begun;
  };
  const wish = (recurring: boolean) => ({
    access: { allPsd2: 'allAccounts' },
    recurringIndicator: recurring,
    validUntil: new Date(Date.parse(bank.clock()) + 30 * 86_400_000).toISOString().slice(0, 10),
    frequencyPerDay: recurring ? 4 : 1,
    combinedServiceIndicator: false,
  });
  const consent = async (psuId: string, recurring = false, explicit = true) =>
    at(await call('POST', '/consents', wish(recurring), as(psuId, explicit)), 'consentId');
  const open = async (psuId: string) => {
    const id = await consent(psuId, true, false);
    bank.decide('approve', id, psuId);
    return { 'Consent-ID': id };
  };
  const shared = await open('redirect');
  const ofCards = await consent('cards', true);
  {
    const started = await call('POST', `/consents/${ofCards}/authorisations`, {}, { 'PSU-ID': 'cards' });
    const path = `/consents/${ofCards}/authorisations/${at(started, 'authorisationId')}`;
    const person = bank.person('cards');
    let answer = await call('PUT', path, { psuData: { password: person.password } }, { 'PSU-ID': 'cards' });
    const method = at(answer, 'scaMethods', 0, 'authenticationMethodId');
    if (method !== 'undefined') answer = await call('PUT', path, { authenticationMethodId: method });
    await call('PUT', path, { scaAuthenticationData: person.otp });
  }
  const account = at(await call('GET', '/accounts', undefined, shared), 'accounts', 0, 'resourceId');
  const listed = async () => {
    await call('GET', '/accounts', undefined, shared);
    return account;
  };
  const day = (days: number) =>
    new Date(Date.parse(bank.clock()) + days * 86_400_000).toISOString().slice(0, 10);
  const range = `bookingStatus=booked&dateFrom=${day(-90)}&dateTo=${day(0)}`;
  const list = await call('GET', `/accounts/${account}/transactions?${range}`, undefined, shared);
  const transaction = at(list, 'transactions', 'booked', 0, 'transactionId');
  const started = async (path: string, psuId: string) =>
    `${path}/authorisations/${at(await call('POST', `${path}/authorisations`, {}, { 'PSU-ID': psuId }), 'authorisationId')}`;
  /** A payment that is authorised and not booked yet. */
  const authorised = async () => {
    const one = bank.person('next-day');
    const made = await call('POST', payments, payment(one.accounts[0]?.iban ?? ''), as('next-day'));
    const path = `${payments}/${at(made, 'paymentId')}`;
    const conversation = await started(path, 'next-day');
    await call('PUT', conversation, { psuData: { password: one.password } }, { 'PSU-ID': 'next-day' });
    await call('PUT', conversation, { scaAuthenticationData: one.otp });
    return path;
  };
  const cancelling = async () => {
    const path = await authorised();
    await call('DELETE', path);
    return `${path}/cancellation-authorisations`;
  };
  const cancellation = async () => {
    const path = await cancelling();
    const answer = await call('POST', path, {}, { 'PSU-ID': 'next-day' });
    return `${path}/${at(answer, 'authorisationId')}`;
  };
  const of = (iban = '') => payment(iban) as unknown as Json;
  const bulk = () => {
    const { debtorAccount, ...one } = of(accounts[0]?.iban);
    return {
      debtorAccount,
      payments: [one, { ...one, instructedAmount: { currency: 'EUR', amount: '2.00' } }],
    };
  };
  const periodic = () => ({
    ...of(accounts[0]?.iban),
    ...{ startDate: day(30), frequency: 'Monthly', dayOfExecution: '1' },
  });
  const basket = async () => {
    const ids = [await pay(), await pay()];
    return at(await call('POST', '/signing-baskets', { paymentIds: ids }, as(who)), 'basketId');
  };

  /** What comes before the call of a scene, which returns that call. */
  type Call = Parameters<typeof call>;
  const scenes: Readonly<Record<SceneName, () => Promise<Call> | Call>> = {
    pay: () => ['POST', payments, payment(accounts[0]?.iban ?? ''), as(who)],
    'pay status': async () => ['GET', `${payments}/${await pay()}/status`],
    'pay read': async () => ['GET', `${payments}/${await pay()}`],
    'pay refused': () => [
      'POST',
      payments,
      { ...payment(accounts[0]?.iban ?? ''), creditorName: undefined },
      as(who),
    ],
    settled: async () => {
      const { id, path } = await chosen();
      await call('PUT', path, { scaAuthenticationData: otp });
      await call('GET', `${payments}/${id}/status`);
      return ['GET', `${payments}/${id}/status`];
    },
    cancelled: async () => {
      const id = await pay();
      await call('DELETE', `${payments}/${id}`);
      return ['GET', `${payments}/${id}/status`];
    },
    start: async () => ['POST', `${payments}/${await pay()}/authorisations`, {}, { 'PSU-ID': who }],
    password: async () => ['PUT', (await start()).path, { psuData: { password } }, { 'PSU-ID': who }],
    method: async () => {
      const { path, method } = await entered();
      return ['PUT', path, { authenticationMethodId: method }];
    },
    otp: async () => ['PUT', (await chosen()).path, { scaAuthenticationData: otp }],
    'sca status': async () => ['GET', (await start()).path],
    authorisations: async () => ['GET', `${payments}/${(await start()).id}/authorisations`],
    consent: () => ['POST', '/consents', wish(false), as(who)],
    'consent read': async () => ['GET', `/consents/${await consent(who, true)}`],
    'consent status': async () => {
      await call('GET', `/consents/${shared['Consent-ID']}/status`);
      return ['GET', `/consents/${shared['Consent-ID']}/status`];
    },
    'consent delete': async () => ['DELETE', `/consents/${await consent(who)}`],
    accounts: () => ['GET', '/accounts', undefined, shared],
    account: async () => ['GET', `/accounts/${await listed()}`, undefined, shared],
    balances: async () => ['GET', `/accounts/${await listed()}/balances`, undefined, shared],
    transactions: async () => ['GET', `/accounts/${await listed()}/transactions?${range}`, undefined, shared],
    transaction: () => ['GET', `/accounts/${account}/transactions/${transaction}`, undefined, shared],
    cards: () => ['GET', '/card-accounts', undefined, { 'Consent-ID': ofCards }],
    funds: () => [
      'POST',
      '/funds-confirmations',
      { account: { iban: accounts[0]?.iban }, instructedAmount: { currency: 'EUR', amount: '1.00' } },
    ],
    basket: async () => ['POST', '/signing-baskets', { paymentIds: [await pay(), await pay()] }, as(who)],
    'basket status': async () => ['GET', `/signing-baskets/${await basket()}/status`],
    redirect: () => ['POST', '/consents', wish(false), as('redirect', false)],
    'decoupled implicit': () => ['POST', '/consents', wish(false), as('decoupled-implicit', false)],
    authorised: async () => {
      const { path } = await chosen();
      await call('PUT', path, { scaAuthenticationData: otp });
      return ['GET', path];
    },
    cancelling: async () => ['DELETE', await authorised()],
    'cancel start': async () => ['POST', await cancelling(), {}, { 'PSU-ID': 'next-day' }],
    cancellations: async () => ['GET', (await cancellation()).replace(/\/[^/]+$/, '')],
    'cancel status': async () => ['GET', await cancellation()],
    decoupled: async () => [
      'POST',
      `${payments}/${at(await call('POST', payments, of(bank.person('decoupled').accounts[0]?.iban), as('decoupled')), 'paymentId')}/authorisations`,
      {},
      { 'PSU-ID': 'decoupled' },
    ],
    'consent start': async () => [
      'POST',
      `/consents/${await consent(who, true)}/authorisations`,
      {},
      { 'PSU-ID': who },
    ],
    'consent sca status': async () => ['GET', await started(`/consents/${await consent(who, true)}`, who)],
    'consent deleted': async () => {
      const id = await consent(who);
      await call('DELETE', `/consents/${id}`);
      return ['GET', `/consents/${id}/status`];
    },
    bulk: () => ['POST', '/bulk-payments/sepa-credit-transfers', bulk(), as(who)],
    'bulk read': async () => [
      'GET',
      `/bulk-payments/sepa-credit-transfers/${at(await call('POST', '/bulk-payments/sepa-credit-transfers', bulk(), as(who)), 'paymentId')}`,
    ],
    'periodic read': async () => [
      'GET',
      `/periodic-payments/sepa-credit-transfers/${at(await call('POST', '/periodic-payments/sepa-credit-transfers', periodic(), as(who)), 'paymentId')}`,
    ],
    'accounts with balances': () => ['GET', '/accounts?withBalance=true', undefined, shared],
    'basket read': async () => ['GET', `/signing-baskets/${await basket()}`],
    'basket start': async () => [
      'POST',
      `/signing-baskets/${await basket()}/authorisations`,
      {},
      { 'PSU-ID': who },
    ],
    'card transactions': async () => {
      const cards = await call('GET', '/card-accounts', undefined, { 'Consent-ID': ofCards });
      return [
        'GET',
        `/card-accounts/${at(cards, 'cardAccounts', 0, 'resourceId')}/transactions?${range}`,
        undefined,
        { 'Consent-ID': ofCards },
      ];
    },
    card: async () => {
      const cards = await call('GET', '/card-accounts', undefined, { 'Consent-ID': ofCards });
      return [
        'GET',
        `/card-accounts/${at(cards, 'cardAccounts', 0, 'resourceId')}`,
        undefined,
        { 'Consent-ID': ofCards },
      ];
    },
    'read refused': () => ['GET', '/accounts', undefined, { 'Consent-ID': randomUUID() }],
    'status refused': () => ['GET', `${payments}/${randomUUID()}/status`],
  };

  /** Plays a scene, the last call of which has an answer that is edited; returns its exchanges, that one last. */
  return async (name: SceneName, edit?: string): Promise<readonly Exchange[]> => {
    made.length = 0;
    const [method, path, ...rest] = await scenes[name]();
    const matched = matchRequest(playedAs, method, `/v136${path.split('?', 1)[0] ?? ''}`);
    if (!('operation' in matched))
      throw new Error(`${method} ${path} is no operation of ${String(operationsOf(playedAs).length)}`);
    const fault: Omit<BankFault, 'count'> = { operation: matched.operation.id, kind: 'edit' };
    if (edit !== undefined) bank.fault({ ...fault, edit: edit.replaceAll('{path}', `/v136${path}`) });
    await call(method, path, ...rest);
    return [...made];
  };
}
