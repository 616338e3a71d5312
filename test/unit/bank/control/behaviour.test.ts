import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultKinds } from '../../../../src/settings/records/fault-kinds.ts';
import { openLedger } from '../../../../src/bank/books/ledger.ts';
import { readBank } from '../../../../src/bank/config/read-bank.ts';
import { allFaults } from '../../../../src/bank/rules/faults.ts';
import { startBank } from '../../../helpers/bank.ts';
import type { TestBank } from '../../../helpers/bank.ts';
import { controlOf } from '../../../helpers/control.ts';
import { payment, tppOf } from '../tpp.ts';
import { agreedBy } from './agreed.ts';

/** What the sentences of the document promise, beside forms and statuses. */
let bank: TestBank;
let ask: ReturnType<typeof controlOf>;
let call: ReturnType<typeof tppOf>;
beforeAll(async () => {
  bank = await startBank();
  ask = controlOf(bank);
  call = tppOf(bank);
});
afterAll(() => bank.close());

const path = '/v1/payments/sepa-credit-transfers';
const pay = async (debtor: string, headers: Record<string, string> = {}) =>
  (await call('POST', path, { body: payment(debtor), headers })).json as { paymentId: string };
const statusOf = async (paymentId: string) =>
  (await call('GET', `${path}/${paymentId}/status`)).json.transactionStatus as string;
const agreed = (psuId: string) => agreedBy({ ask, call }, psuId);

it('every fault that the control API accepts stands in the file of the bank, which accepts it as well', async () => {
  const details = [
    {},
    { status: 200 },
    { status: 599 },
    { delayMs: 0 },
    { delayMs: 600_000 },
    { raw: true },
    { edit: '/a=1' },
  ];
  const taken: unknown[] = [];
  for (const kind of faultKinds)
    for (const detail of [...details, { status: 503, raw: true, count: 1_000_000 }]) {
      const { status, json } = await ask('POST', '/faults', { body: { operation: '*', kind, ...detail } });
      if (status === 201) taken.push(json);
      else expect(json.pointer, kind).toMatch(/^\/(?:status|delayMs|raw|edit)$/);
    }
  expect(taken.length).toBeGreaterThan(faultKinds.length);
  const { text } = await ask('GET', '/config');
  await ask('DELETE', '/faults');
  const file = join(mkdtempSync(join(tmpdir(), 'obk-faults-')), 'bank.yaml');
  writeFileSync(file, text);
  const { filling } = await readBank(file);
  const { log } = openLedger(':memory:', new Date(), filling);
  expect(allFaults(log)).toEqual(taken);
});

it.each([100, 199, 600])('a fault never answers %i, which ends no answer', async (status) => {
  const { json } = await ask('POST', '/faults', { body: { operation: '*', kind: 'status', status } });
  expect(json).toMatchObject({ status: 400, pointer: '/status' });
});

it.each([
  ['PATCH', '/scenario', '{"pages":"of-20","pages":"whole"}'],
  ['POST', '/faults', '{"operation":"*","kind":"status","status":500,"status":503}'],
  ['PATCH', '/people/redirect', '{"name":"A","name":"B"}'],
  ['POST', '/people', '{"psuId":"twice","methods":[{"id":"a","id":"b","type":"SMS_OTP"}]}'],
])('a duplicate member is refused: %s %s %s', async (method, at, text) => {
  const before = await ask('GET', '/scenario');
  const { status, json } = await ask(method, at, { body: text });
  expect([status, json.detail]).toEqual([400, expect.stringMatching(/occurs twice/)]);
  expect((await ask('GET', '/scenario')).json).toEqual(before.json);
  expect((await ask('GET', '/faults')).json.faults).toEqual([]);
});

describe('the people of the control API', () => {
  it('are shown as locked, and unlocked by a change', async () => {
    const added = await ask('POST', '/people', { body: { psuId: 'shut', locked: true } });
    expect(added.status, added.text).toBe(201);
    expect((await ask('GET', '/people/shut')).json.locked).toBe(true);
    const unlocked = await ask('PATCH', '/people/shut', { body: { locked: false } });
    expect(unlocked.json).not.toHaveProperty('locked');
  });

  it('exist for TPPs at once, with the secrets, the approach and the money given', async () => {
    const body = {
      psuId: 'erika',
      approach: 'EMBEDDED',
      password: 'geheim',
      otp: '000111',
      balance: '12.50',
    };
    const added = await ask('POST', '/people', { body });
    expect(added.json).toMatchObject({
      psuId: 'erika',
      password: 'geheim',
      otp: '000111',
      start: 'explicit',
    });
    const [{ iban, balance }] = added.json.accounts;
    expect(balance).toBe('12.50');
    const { paymentId } = await pay(iban, { 'PSU-ID': 'erika' });
    const started = await call('POST', `${path}/${paymentId}/authorisations`, {
      body: { psuData: { password: 'geheim' } },
      headers: { 'PSU-ID': 'erika' },
    });
    const { href } = started.json._links.authoriseTransaction;
    const done = await call('PUT', href, { body: { scaAuthenticationData: '000111' } });
    expect(done.json.scaStatus, done.text).toBe('finalised');
    expect(await statusOf(paymentId)).toBe('ACSC');
    expect((await ask('GET', '/people/erika')).json.accounts).toEqual([
      { iban, currency: 'EUR', balance: '0.00' },
    ]);
  });

  it.each(['Jürgen Müller', 'a/b', '100%', "O'Hara", '张三', '../x'])(
    'may have any name: %s',
    async (psuId) => {
      expect((await ask('POST', '/people', { body: { psuId } })).status).toBe(201);
      const read = await ask('GET', `/people/${encodeURIComponent(psuId)}`);
      expect(read.json).toMatchObject({ psuId, approach: 'EMBEDDED' });
    },
  );

  it('can have a number of transactions, a part at a time', async () => {
    const before = (await ask('GET', '/accounts?psuId=embedded-one')).json.accounts[0];
    const generate = (body: object) => ask('POST', '/people/embedded-one/generated-transactions', { body });
    const first = await generate({ count: 4, to: 2 });
    const second = await generate({ count: 4, from: 2 });
    expect(second.json.entries - first.json.entries).toBe(2);
    expect(second.json).toMatchObject({ iban: before.iban, balance: before.balance });
    expect((await generate({ count: 4, from: 4 })).status).toBe(400);
  });
});

describe('the accounts and entries of the control API', () => {
  it('move money in and out, and TPPs see it', async () => {
    const { iban, accountId } = (
      await ask('POST', '/accounts', {
        body: { psuId: 'redirect', iban: 'NL91ABNA0417164300', balance: '10.00' },
      })
    ).json as { iban: string; accountId: string };
    const add = (body: object) => ask('POST', `/accounts/${iban}/entries`, { body });
    await add({ amount: '5.00', counterpartName: 'Employer', remittance: 'Wage', endToEndId: 'E1' });
    await add({ amount: '-0.10', counterpartName: 'Shop', counterpartAccount: 'DE02120300000000202051' });
    const pending = await add({ amount: '-2', status: 'pending', counterpartName: 'Hotel' });
    expect(pending.json).toMatchObject({ status: 'pending', amount: '-2.00' });
    await add({ amount: '3.00', status: 'pending', counterpartName: 'Refund' });
    expect((await ask('GET', `/accounts/${accountId}`)).json.balance).toBe('14.90');
    const listed = (await ask('GET', `/accounts/${iban}/entries?limit=3`)).json.entries;
    expect(listed.map((one: { amount: string; status: string }) => [one.amount, one.status])).toEqual([
      ['-0.10', 'booked'],
      ['-2.00', 'pending'],
      ['3.00', 'pending'],
    ]);
    const { headers } = await agreed('redirect');
    const { accounts } = (await call('GET', '/v1/accounts', { headers })).json;
    const { resourceId } = accounts.find((one: { iban: string }) => one.iban === iban);
    const url = `/v1/accounts/${resourceId}/transactions?bookingStatus=both&dateFrom=2020-01-01`;
    const { transactions } = (await call('GET', url, { headers })).json;
    expect(transactions.booked).toMatchObject([
      { transactionAmount: { amount: '10.00' } },
      { transactionAmount: { amount: '5.00' }, debtorName: 'Employer', endToEndId: 'E1' },
      {
        transactionAmount: { amount: '-0.10' },
        creditorName: 'Shop',
        creditorAccount: { iban: 'DE02120300000000202051' },
      },
    ]);
    expect(transactions.pending).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          creditorName: 'Hotel',
          transactionAmount: { currency: 'EUR', amount: '-2.00' },
        }),
        expect.objectContaining({
          debtorName: 'Refund',
          transactionAmount: { currency: 'EUR', amount: '3.00' },
        }),
      ]),
    );
  });

  it('are opened in any currency, once in each', async () => {
    const open = (currency: string) =>
      ask('POST', '/accounts', {
        body: { psuId: 'redirect', iban: 'FR1420041010050500013M02606', currency, balance: '100' },
      });
    expect((await open('JPY')).json).toMatchObject({ currency: 'JPY', balance: '100' });
    expect((await open('CHF')).json).toMatchObject({ currency: 'CHF', balance: '100.00' });
    expect((await open('CHF')).status).toBe(409);
  });

  it.each([
    [{ amount: '0.00' }, '/amount'],
    [{ amount: 12.5 }, '/amount'],
    [{ amount: '12,50' }, '/amount'],
    [{ amount: '1e3' }, '/amount'],
    [{ amount: '1.001' }, '/amount'],
    [{ amount: '1', bookingDate: '2999-01-01' }, '/bookingDate'],
    [{ amount: '1', bookingDate: '2026-02-30' }, '/bookingDate'],
    [{ amount: '1', counterpartname: 'x' }, '/counterpartname'],
    [{ amount: '1', remittance: '' }, '/remittance'],
  ])('are not made from %j', async (body, pointer) => {
    const { iban } = bank.person('redirect').accounts[0]!;
    const before = (await ask('GET', `/accounts/${iban}`)).json.balance;
    const answer = await ask('POST', `/accounts/${iban}/entries`, { body });
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ pointer, detail: expect.any(String), next: [expect.any(String)] });
    expect((await ask('GET', `/accounts/${iban}`)).json.balance).toBe(before);
  });
});

describe('the behaviour set by the control API', () => {
  it('changes in all named switches or in none, and the answer shows which was meant', async () => {
    const valueOf = async (name: string) =>
      (await ask('GET', '/scenario')).json.switches.find((one: { name: string }) => one.name === name)
        .value as string;
    const wrong = await ask('PATCH', '/scenario', { body: { bulk: 'partial', lifecycle: 'next-day' } });
    expect(wrong.json).toMatchObject({
      status: 400,
      pointer: '/lifecycle',
      next: ['Did you mean lifeCycle?'],
    });
    expect(await valueOf('bulk')).toBe('whole');
    expect((await ask('PATCH', '/scenario', { body: { bulk: 'partiel' } })).json.next).toEqual([
      'Did you mean partial?',
    ]);
    await ask('PATCH', '/scenario', { body: { bulk: 'partial', errors: 'problem' } });
    expect([await valueOf('bulk'), await valueOf('errors')]).toEqual(['partial', 'problem']);
    await ask('PATCH', '/scenario', { body: { bulk: 'whole', errors: 'tpp-messages' } });
  });

  it('has faults that strike a set number of times, and none of another form', async () => {
    const add = (body: object) => ask('POST', '/faults', { body });
    await add({ operation: 'getPaymentInitiationStatus', kind: 'status', status: 503, count: 2, raw: true });
    const read = () => call('GET', `${path}/x/status`);
    expect([(await read()).status, (await read()).status, (await read()).status]).toEqual([503, 503, 404]);
    // By the name of a later framework.
    const later = await add({ operation: 'getCardAccountList', kind: 'html' });
    expect([later.status, later.json.operation]).toEqual([201, 'getCardAccount']);
    await ask('DELETE', '/faults');
    for (const [body, pointer] of [
      [{ operation: 'getPaymentInitationStatus', kind: 'html' }, '/operation'],
      [{ operation: '*', kind: 'htm' }, '/kind'],
      [{ operation: '*', kind: 'status' }, '/status'],
      [{ operation: '*', kind: 'html', delayMs: 1 }, '/delayMs'],
      [{ operation: '*', kind: 'html', raw: true }, '/raw'],
      [{ operation: '*', kind: 'html', count: 0 }, '/count'],
      [{ kind: 'html' }, '/operation'],
    ] as const)
      expect((await add(body)).json, JSON.stringify(body)).toMatchObject({ status: 400, pointer });
    expect((await ask('GET', '/faults')).json.faults).toEqual([]);
  });

  it('has a clock that goes forward, and back by reset; what is due is done', async () => {
    await ask('PATCH', '/scenario', { body: { lifeCycle: 'next-day' } });
    const { paymentId } = await pay(bank.person('redirect').accounts[0]!.iban, {
      'PSU-ID': 'redirect',
      'TPP-Redirect-URI': 'https://tpp.example/cb',
    });
    await ask('POST', '/decisions', { body: { id: paymentId, decision: 'approve' } });
    expect((await ask('GET', `/payments/${paymentId}`)).json.status).not.toBe('ACSC');
    const set = new Date(Date.now() + 3 * 86_400_000).toISOString();
    expect((await ask('POST', '/clock', { body: { set } })).json.now.slice(0, 16)).toBe(set.slice(0, 16));
    expect((await ask('GET', `/payments/${paymentId}`)).json.status).toBe('ACSC');
    expect((await ask('POST', '/clock', { body: { set: '2020-01-01T00:00:00Z' } })).status).toBe(400);
    expect((await ask('POST', '/clock', { body: { set, move: '+1d' } })).status).toBe(400);
    expect((await ask('POST', '/clock', { body: {} })).status).toBe(400);
    expect((await ask('POST', '/clock', { body: { reset: false } })).json).toMatchObject({
      status: 400,
      pointer: '/reset',
    });
    expect((await ask('POST', '/clock', { body: { reset: true } })).json.movedMs).toBe(0);
    await ask('PATCH', '/scenario', { body: { lifeCycle: 'by-person' } });
  });
});

describe('a decision by the control API', () => {
  it('approves, refuses and revokes, once', async () => {
    const { iban } = bank.person('decoupled').accounts[0]!;
    const { paymentId } = await pay(iban, { 'PSU-ID': 'decoupled' });
    const started = await call('POST', `${path}/${paymentId}/authorisations`, {
      headers: { 'PSU-ID': 'decoupled' },
    });
    const open = (await ask('GET', '/authorisations?open=true')).json.authorisations;
    expect(open.at(-1)).toMatchObject({ authorisationId: started.json.authorisationId, parentId: paymentId });
    const refused = await ask('POST', '/decisions', { body: { id: paymentId, decision: 'refuse' } });
    expect(refused.json).toMatchObject({ decision: 'refuse', scaStatus: 'failed' });
    expect(await statusOf(paymentId)).toBe('RJCT');
    expect((await ask('POST', '/decisions', { body: { id: paymentId, decision: 'approve' } })).status).toBe(
      409,
    );
    expect((await ask('POST', '/decisions', { body: { id: paymentId, decision: 'revoke' } })).status).toBe(
      400,
    );
    const consent = await agreed('redirect');
    const revoked = await ask('POST', '/decisions', { body: { id: consent.id, decision: 'revoke' } });
    expect(revoked.json).toEqual({ id: consent.id, decision: 'revoke', consentStatus: 'revokedByPsu' });
    expect((await ask('GET', `/consents/${consent.id}`)).json.status).toBe('revokedByPsu');
    const after = (await ask('GET', `/consents?after=${consent.id}`)).json.consents;
    expect(after).toEqual([]);
  });

  it('is made for a link to the page of the bank, and shows where the browser would be led', async () => {
    const { iban } = bank.person('redirect').accounts[0]!;
    const headers = { 'PSU-ID': 'redirect', 'TPP-Redirect-URI': 'https://tpp.example/cb?x=1' };
    const { json } = await call('POST', path, { body: payment(iban), headers });
    const id = String(json._links.scaRedirect.href);
    const done = await ask('POST', '/decisions', { body: { id, decision: 'approve' } });
    expect(done.json).toMatchObject({ scaStatus: 'finalised', redirectedTo: 'https://tpp.example/cb?x=1' });
    const metadata = `${new URL(id).origin}/.well-known/oauth-authorization-server`;
    const lost = await ask('POST', '/decisions', { body: { id: metadata, decision: 'approve' } });
    expect([lost.status, lost.json.detail]).toEqual([
      409,
      expect.stringContaining('scaOAuth names the metadata'),
    ]);
  });
});

describe('a request to the control API', () => {
  it.each([
    ['GET', '/nothing', 404],
    ['PUT', '/clock', 405],
    ['POST', '/people/redirect', 405],
    ['GET', '/people?psuId=x', 400],
    ['GET', '/calls?limit=0', 400],
    ['GET', '/calls?limit=1&limit=2', 400],
    ['GET', '/calls/1.5', 400],
    ['GET', '/accounts/..%2f..%2fetc', 404],
  ])('is refused with cause, explanation and next step: %s %s', async (method, place, status) => {
    const answer = await ask(method, place);
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(answer.json).toMatchObject({ status, title: expect.any(String), detail: expect.any(String) });
    expect(answer.json.next.length).toBeGreaterThan(0);
    if (status === 405) expect(answer.headers['allow']).toBeDefined();
  });

  it.each(['', 'null', '[]', '"x"', '{', '{"__proto__":{"psuId":"x"}}', '{"constructor":1}'])(
    'is refused where its body has another form: %s',
    async (body) => {
      expect((await ask('POST', '/people', { body })).status).toBe(400);
    },
  );

  it('is accepted from a web page only of the bank itself, with the token', async () => {
    const from = (headers: Record<string, string>) => ask('GET', '/clock', { headers });
    expect((await from({ Origin: bank.baseUrl })).status).toBe(200);
    expect((await from({ Origin: bank.baseUrl, 'Sec-Fetch-Site': 'same-origin' })).status).toBe(200);
    expect((await from({ Origin: 'null' })).status).toBe(403);
    expect((await from({ Origin: 'http://127.0.0.1:1' })).status).toBe(403);
    expect((await from({ 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    const asked = await from({ Origin: bank.baseUrl });
    expect(Object.keys(asked.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect((await ask('OPTIONS', '/clock', { headers: { Origin: 'https://other.example' } })).status).toBe(
      403,
    );
  });

  it('needs no token for health and readiness, which reveal nothing of the bank', async () => {
    for (const place of ['/health', '/readiness']) {
      const answer = await ask('GET', place, { token: '' });
      expect(answer.status).toBe(200);
      expect(Object.keys(answer.json)).toEqual(['status']);
    }
    for (const token of ['', 'wrong', ' ']) expect((await ask('GET', '/people', { token })).status).toBe(401);
  });
});

it('a bank is exported as the file that another bank starts with', async () => {
  await ask('POST', '/people', { body: { psuId: 'written', password: 'pw-of-written' } });
  const { text } = await ask('GET', '/config');
  const { parse } = await import('yaml');
  const { people } = parse(text) as { people: unknown[] };
  expect(people).toContainEqual(expect.objectContaining({ psuId: 'written', password: 'pw-of-written' }));
});

it('a bank is reset: what was added, set and moved is gone', async () => {
  await ask('POST', '/people', { body: { psuId: 'gone' } });
  await ask('PATCH', '/scenario', { body: { bulk: 'partial' } });
  await ask('POST', '/faults', { body: { operation: '*', kind: 'html' } });
  await ask('POST', '/clock', { body: { move: '+1d' } });
  expect((await ask('POST', '/reset')).status).toBe(204);
  expect((await ask('GET', '/people/gone')).status).toBe(404);
  expect((await ask('GET', '/faults')).json.faults).toEqual([]);
  expect((await ask('GET', '/clock')).json.movedMs).toBe(0);
  const { switches } = (await ask('GET', '/scenario')).json;
  expect(switches.find((one: { name: string }) => one.name === 'bulk').value).toBe('whole');
  expect((await ask('GET', '/payments')).json.payments).toEqual([]);
});
