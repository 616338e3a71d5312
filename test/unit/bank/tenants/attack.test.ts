import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../../../src/standard/xs2a/operations.ts';
import type { Operation } from '../../../../src/standard/xs2a/operations.ts';
import { startBank } from '../../../helpers/bank.ts';
import type { TestBank } from '../../../helpers/bank.ts';
import { agreedBy } from '../control/agreed.ts';
import { loginRequest } from '../oauth-login.ts';
import { payment, send } from '../tpp.ts';
import type { TestAnswer } from '../tpp.ts';
import { tenantOf } from './tenant-of.ts';

/** One tenant has everything; another one of the same bank tries to get at it. */
let bank: TestBank;
let victim: ReturnType<typeof tenantOf>;
let thief: ReturnType<typeof tenantOf>;
/** Ids of the victim by the names of the parameters of paths. */
let ids: Record<string, string>;
let links: Record<string, string>;
let token: string;

const base = '/tenant/';
const redirect = { 'PSU-ID': 'redirect', 'TPP-Redirect-URI': 'https://tpp.example/cb' };
const place = { 'payment-service': 'payments', 'payment-product': 'sepa-credit-transfers' };

beforeAll(async () => {
  bank = await startBank({ doors: { tenants: 'header:X-Tenant' } });
  [victim, thief] = [tenantOf(bank, 'victim'), tenantOf(bank, 'thief')];
  for (const { ask } of [victim, thief]) {
    expect((await ask('PUT', '')).status).toBe(200);
    const change = await ask('PATCH', '/scenario', { body: { surface: 'framework', rateLimit: 'off' } });
    expect(change.status, change.text).toBe(200);
  }
  const own = (await victim.ask('GET', '/people/redirect')).json;
  const iban = String(own.accounts[0].iban);
  const created = await victim.call('POST', '/v136/payments/sepa-credit-transfers', {
    body: payment(iban, '1.00'),
    headers: redirect,
  });
  expect(created.status, created.text).toBe(201);
  const paymentId = String(created.json.paymentId);
  const authorisations = `/v136/payments/sepa-credit-transfers/${paymentId}/authorisations`;
  const { json: known } = await victim.call('GET', authorisations);
  const consent = await agreedBy(victim, 'redirect');
  const list = await victim.call('GET', '/v136/accounts', { headers: consent.headers });
  const accountId = String(list.json.accounts[0].resourceId);
  const entries = await victim.call(
    'GET',
    `/v136/accounts/${accountId}/transactions?bookingStatus=booked&dateFrom=2020-01-01`,
    {
      headers: consent.headers,
    },
  );
  const basket = await victim.call('POST', '/v136/signing-baskets', {
    body: { paymentIds: [await payOnce(victim, iban), await payOnce(victim, iban)] },
    headers: redirect,
  });
  expect(basket.status, basket.text).toBe(201);
  ids = {
    paymentId,
    consentId: consent.id,
    basketId: String(basket.json.basketId),
    authorisationId: String(known.authorisationIds[0]),
    'account-id': accountId,
    transactionId: String(entries.json?.transactions?.booked?.[0]?.transactionId ?? 'none'),
  };
  links = { sca: String(created.json._links.scaRedirect.href) };
  const { url, verifier } = loginRequest(bank);
  const asked = await page(`${base}victim/oauth/authorize${new URL(url).search}`);
  links['login'] = String(asked.headers.location);
  const decided = await victim.ask('POST', '/decisions', {
    body: { id: url, decision: 'approve', psuId: 'redirect' },
  });
  expect(decided.status, decided.text).toBe(201);
  const code = new URL(String(decided.json.redirectedTo)).searchParams.get('code') ?? '';
  const form = { grant_type: 'authorization_code', client_id: 'PSDDE-BAFIN-999999', code };
  const back = { redirect_uri: 'http://127.0.0.1:9/back', code_verifier: verifier };
  const stolen = await oauth('thief', 'token', { ...form, ...back });
  expect([stolen.status, stolen.json.error]).toEqual([400, 'invalid_grant']);
  const given = await oauth('victim', 'token', { ...form, ...back });
  expect(given.status, given.text).toBe(200);
  token = String(given.json.access_token);
  links['refresh'] = String(given.json.refresh_token);
});
afterAll(() => bank.close());

async function payOnce({ call }: typeof victim, iban: string): Promise<string> {
  const { json, text } = await call('POST', '/v136/payments/sepa-credit-transfers', {
    body: payment(iban, '2.00'),
    headers: { ...redirect, 'TPP-Explicit-Authorisation-Preferred': 'true' },
  });
  expect(json?.paymentId, text).toBeTypeOf('string');
  return String(json.paymentId);
}

const page = (path: string, headers = {}): Promise<TestAnswer> =>
  send(path.startsWith('http') ? path : bank.baseUrl + path, 'GET', headers, Buffer.alloc(0));

function oauth(
  tenant: string,
  path: string,
  form: Record<string, string>,
  headers = {},
): Promise<TestAnswer> {
  const type = { 'Content-Type': 'application/x-www-form-urlencoded', ...headers };
  const body = Buffer.from(new URLSearchParams(form).toString());
  return send(`${bank.baseUrl}${tenant === '' ? '' : base + tenant}/oauth/${path}`, 'POST', type, body);
}

/** What somebody can learn from an answer: all of it, with the ids that were asked for taken out. */
const learnt = ({ status, text, headers }: TestAnswer, asked: readonly string[]): unknown => [
  status,
  asked.reduce((whole, id) => whole.replaceAll(id, 'ID'), text),
  Object.keys(headers)
    .filter((name) => name !== 'date')
    .toSorted(),
  headers['location'] ?? null,
];

const bodies: Readonly<Record<string, unknown>> = {
  authorisation: {},
  basket: undefined,
  consent: undefined,
};

/** Calls an operation with ids in its path, its headers and its body. */
function reach(
  operation: Operation,
  given: Record<string, string>,
  more: object = {},
  who = thief,
): Promise<TestAnswer> {
  const all: Record<string, string> = { ...place, ...given };
  const path = operation.path.replace(
    /\{([\w-]+)\}/g,
    (_whole, name: string) => all[name] ?? given['authorisationId'] ?? name,
  );
  const query = operation.query.some(({ name }) => name === 'bookingStatus')
    ? '?bookingStatus=booked&dateFrom=2020-01-01'
    : '';
  const body: unknown =
    operation.id === 'createSigningBasket'
      ? { paymentIds: [given['paymentId'], given['paymentId']], consentIds: [given['consentId']] }
      : operation.id === 'checkAvailabilityOfFunds'
        ? {
            account: { iban: 'DE89370400440532013000' },
            instructedAmount: { currency: 'EUR', amount: '1.00' },
          }
        : operation.id === 'createConsent'
          ? {
              access: { allPsd2: 'allAccounts' },
              recurringIndicator: true,
              validUntil: '9999-12-31',
              frequencyPerDay: 4,
              combinedServiceIndicator: false,
            }
          : operation.id === 'initiatePayment'
            ? payment('DE89370400440532013000', '1.00')
            : operation.method === 'GET' || operation.method === 'DELETE'
              ? undefined
              : (bodies[operation.body] ?? { psuData: { password: 'x' } });
  return who.call(operation.method, `/v136${path}${query}`, {
    ...(body !== undefined && { body }),
    headers: { 'Consent-ID': given['consentId'], ...redirect, ...more },
  });
}

const unknown = (): Record<string, string> =>
  Object.fromEntries(Object.keys(ids).map((name) => [name, randomUUID()]));
/** They make something of their own, whatever ids come with them. */
const makes = new Set(['initiatePayment', 'createConsent', 'checkAvailabilityOfFunds']);

const mine = [
  'getPaymentInformation',
  'getPaymentInitiationAuthorisation',
  'getPaymentInitiationScaStatus',
  'getConsentInformation',
  'getSigningBasket',
  'getAccountList',
  'readAccountDetails',
  'getTransactionList',
];

describe('a tenant of a bank', () => {
  it.each(
    operations.filter(({ id }) => !makes.has(id)).map((operation) => [operation.id, operation] as const),
  )('learns nothing of the ids of another one: %s', async (_id, operation) => {
    const others = unknown();
    const stolen = await reach(operation, ids);
    const never = await reach(operation, others);
    expect(learnt(stolen, Object.values(ids))).toEqual(learnt(never, Object.values(others)));
    expect(stolen.status, stolen.text).toBeGreaterThanOrEqual(400);
    // The one to whom they belong gets on.
  });

  it.each(mine)('works on its own: %s', async (name) => {
    const [operation] = operations.filter(({ id }) => id === name);
    const answer = await reach(operation!, ids, {}, victim);
    expect(answer.status, answer.text).toBe(200);
  });

  it('cannot use a token of another one', async () => {
    const [list] = operations.filter(({ id }) => id === 'getAccountList');
    const headers = (value: string) => ({ Authorization: `Bearer ${value}` });
    const [stolen, never] = [
      await reach(list!, ids, headers(token)),
      await reach(list!, ids, headers('never-issued')),
    ];
    expect(learnt(stolen, [])).toEqual(learnt(never, []));
    expect(stolen.json.tppMessages[0].code).toBe('TOKEN_UNKNOWN');
    const form = { grant_type: 'refresh_token', client_id: 'PSDDE-BAFIN-999999' };
    for (const value of [links['refresh']!, 'never-issued']) {
      const answer = await oauth('thief', 'token', { ...form, refresh_token: value });
      expect([answer.status, answer.json.error]).toEqual([400, 'invalid_grant']);
      await oauth('thief', 'revoke', { client_id: form.client_id, token: value });
    }
    const own = await oauth('victim', 'token', { ...form, refresh_token: links['refresh']! });
    expect(own.status, own.text).toBe(200);
  });

  it('finds no page of another one, by whatever path', async () => {
    const there = await page(links['sca']!);
    expect([there.status, new URL(links['sca']!).pathname.startsWith(`${base}victim/sca/`)]).toEqual([
      200,
      true,
    ]);
    expect((await page(links['login']!)).status).toBe(200);
    for (const link of [links['sca']!, links['login']!].map((one) => new URL(one, bank.baseUrl).pathname)) {
      const moved = link.replace('victim', 'thief');
      const never = moved.replace(/[^/]+$/, 'never-was-a-token-of-any');
      expect(learnt(await page(moved), [])).toEqual(learnt(await page(never), []));
      // Without a tenant, with one that is not there, and with one who is said to be another one, there is nothing.
      const nowhere = await page('/nowhere');
      const paths = [
        link.replace(`${base}victim`, ''),
        link.replace('victim', 'nobody'),
        link.replace('victim', '_56ictim'),
      ];
      for (const path of paths) expect(learnt(await page(path), []), path).toEqual(learnt(nowhere, []));
      expect(learnt(await page(link, { 'X-Tenant': 'thief' }), [])).toEqual(learnt(nowhere, []));
    }
  });

  it('is not steered with the ids of another one', async () => {
    const pairs = [
      [ids['paymentId']!, randomUUID()],
      [ids['consentId']!, randomUUID()],
      [links['sca']!, links['sca']!.replace(/[^/]+$/, 'never-was-a-token-of-any')],
    ] as const;
    for (const [id, other] of pairs) {
      const stolen = await thief.ask('POST', '/decisions', { body: { id, decision: 'approve' } });
      const never = await thief.ask('POST', '/decisions', {
        body: { id: other, decision: 'approve' },
      });
      expect(stolen.status).toBe(never.status);
    }
    for (const path of ['payments', 'consents'])
      expect((await thief.ask('GET', `/${path}`)).json[path]).toEqual([]);
    expect((await victim.ask('GET', '/payments')).json.payments.length).toBeGreaterThan(0);
  });

  it('has pages with sessions of their own', async () => {
    const { json: person } = await victim.ask('GET', '/people/redirect');
    const first = await page(`${base}victim/consents`);
    const cookie = String(first.headers['set-cookie']);
    expect(cookie).toContain(`Path=${base}victim/consents`);
    const csrf = /name="csrf" value="([^"]+)"/.exec(first.text)?.[1] ?? '';
    const form = new URLSearchParams({ csrf, psuId: 'redirect', password: person.password }).toString();
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Cookie: cookie.split(';')[0]! };
    const logged = await send(`${bank.baseUrl}${base}victim/consents`, 'POST', headers, Buffer.from(form));
    expect(logged.status, logged.text).toBe(303);
    const session = { Cookie: String(logged.headers['set-cookie']).split(';')[0]! };
    expect((await page(`${base}victim/consents`, session)).text).toContain('Revoke');
    expect((await page(`${base}thief/consents`, session)).text).toContain('name="password"');
  });
});

describe('the control API of a bank with tenants', () => {
  it('refuses what concerns a ledger where no tenant is named, and acts for none', async () => {
    const { ask } = tenantOf(bank, '..');
    for (const [method, path] of [
      ['POST', '/reset'],
      ['GET', '/people'],
      ['GET', '/calls'],
      ['GET', '/events'],
    ] as const) {
      const answer = await tenantOf(bank, 'x').ask(method, `/../..${path}`);
      expect([answer.status, answer.json.title], path).toEqual([400, 'The path names no tenant.']);
    }
    expect((await ask('GET', '/health')).status).toBe(200);
    expect((await tenantOf(bank, 'nobody').ask('POST', '/reset')).status).toBe(404);
    expect((await tenantOf(bank, 'victim').ask('GET', '/people', { token: 'wrong' })).status).toBe(401);
    expect((await tenantOf(bank, 'nobody').ask('GET', '/people', { token: 'wrong' })).status).toBe(401);
  });
});
