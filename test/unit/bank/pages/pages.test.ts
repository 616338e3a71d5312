import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBank } from '../../../helpers/bank.ts';
import type { TestBank } from '../../../helpers/bank.ts';
import { browser } from '../browser.ts';
import { creditor, payment, tppOf } from '../tpp.ts';

let bank: TestBank;
let call: ReturnType<typeof tppOf>;
beforeAll(async () => {
  bank = await startBank();
  call = tppOf(bank);
});
afterAll(() => bank.close());

const path = '/v1/payments/sepa-credit-transfers';
const redirect = {
  'TPP-Redirect-URI': 'http://127.0.0.1:9/ok?a=1',
  'TPP-Nok-Redirect-URI': 'http://127.0.0.1:9/nok',
};
const h1 = (text: string) => /<h1>([^<]*)<\/h1>/.exec(text)?.[1];

async function create(psuId: string, headers: Record<string, string> = redirect, named = true) {
  const debtor = bank.person(psuId).accounts[0]!.iban;
  const created = await call('POST', path, {
    body: payment(debtor, '3.00'),
    headers: { ...headers, ...(named && { 'PSU-ID': psuId }) },
  });
  expect(created.status, created.text).toBe(201);
  return { id: created.json.paymentId as string, links: created.json._links, headers: created.headers };
}
const statusOf = async (id: string) =>
  (await call('GET', `${path}/${id}/status`)).json.transactionStatus as string;

describe('the redirect page', () => {
  it.each([true, false])('leads to a booked payment and back (PSU-ID sent: %s)', async (named) => {
    const person = bank.person('redirect');
    const { id, links, headers } = await create('redirect', redirect, named);
    expect(headers['aspsp-sca-approach']).toBe('REDIRECT');
    const url = String(links.scaRedirect.href);
    expect(url.startsWith(`${bank.baseUrl}/sca/`)).toBe(true);
    expect((await call('GET', links.scaStatus.href)).json.scaStatus).toBe(
      named ? 'psuIdentified' : 'received',
    );
    const { visit, submit } = browser();
    const login = await visit(url);
    expect(h1(login.text)).toBe('Log in to your bank');
    const wrong = await submit(url, login, { psuId: 'redirect', password: 'wrong' });
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('role="alert"')]);
    const confirm = await submit(url, wrong, { psuId: 'redirect', password: person.password });
    expect(h1(confirm.text)).toBe('Approve the payment');
    for (const shown of ['Shop', creditor, '3.00 EUR']) expect(confirm.text).toContain(shown);
    expect((await call('GET', links.scaStatus.href)).json.scaStatus).toBe('scaMethodSelected');
    const back = await submit(url, confirm, { otp: person.otp, decision: 'approve' });
    expect([back.status, back.headers['location']]).toEqual([303, 'http://127.0.0.1:9/ok?a=1']);
    expect((await call('GET', links.scaStatus.href)).json.scaStatus).toBe('finalised');
    expect(await statusOf(id)).toBe('ACSC');
    expect((await visit(url)).text).toContain('It is approved.');
  });

  it('lets the PSU choose a method, starts explicitly, and gives state back', async () => {
    const person = bank.person('redirect-explicit');
    const { id, links } = await create('redirect-explicit');
    expect(Object.keys(links)).toEqual(['startAuthorisation', 'self', 'status']);
    const started = await call('POST', links.startAuthorisation.href);
    expect(started.status, started.text).toBe(201);
    const url = `${String(started.json._links.scaRedirect.href)}?state=x%26y`;
    const { visit, submit } = browser();
    const choose = await submit(url, await visit(url), { psuId: person.psuId, password: person.password });
    expect(h1(choose.text)).toBe('Choose a method');
    const none = await submit(url, choose, {});
    expect(none.status).toBe(422);
    const confirm = await submit(url, none, { method: 'chip' });
    const back = await submit(url, confirm, { otp: person.otp, decision: 'approve' });
    expect(back.headers['location']).toBe('http://127.0.0.1:9/ok?a=1&state=x%26y');
    expect(await statusOf(id)).toBe('ACSC');
  });

  it('refuses without a one-time password and leads to the Nok URI', async () => {
    const { id, links } = await create('redirect');
    const url = String(links.scaRedirect.href);
    const person = bank.person('redirect');
    const { visit, submit } = browser();
    const confirm = await submit(url, await visit(url), { psuId: person.psuId, password: person.password });
    const back = await submit(url, confirm, { otp: '', decision: 'refuse' });
    expect([back.status, back.headers['location']]).toEqual([303, redirect['TPP-Nok-Redirect-URI']]);
    expect(await statusOf(id)).toBe('RJCT');
  });

  it('fails the authorisation after five wrong secrets', async () => {
    const { id, links } = await create('redirect');
    const url = String(links.scaRedirect.href);
    const { visit, submit } = browser();
    let shown = await visit(url);
    for (let attempt = 0; attempt < 5; attempt++)
      shown = await submit(url, shown, { psuId: 'redirect', password: 'x' });
    expect([shown.status, shown.headers['location']]).toEqual([303, redirect['TPP-Nok-Redirect-URI']]);
    expect(await statusOf(id)).toBe('RJCT');
  });

  it('ends on a page of its own where the TPP gave no address', async () => {
    const { links } = await create('redirect', {});
    const url = String(links.scaRedirect.href);
    const person = bank.person('redirect');
    const { visit, submit } = browser();
    const confirm = await submit(url, await visit(url), { psuId: person.psuId, password: person.password });
    const done = await submit(url, confirm, { otp: person.otp, decision: 'approve' });
    expect([done.status, h1(done.text)]).toEqual([200, 'Done']);
  });

  it.each([
    ['nobody', 'The bank knows no such PSU-ID.'],
    ['embedded-one', 'You are not involved in this authorisation.'],
    ['locked', 'Your access is blocked.'],
  ])('does not let %s in', async (psuId, text) => {
    const { links } = await create('redirect', redirect, false);
    const url = String(links.scaRedirect.href);
    const { visit, submit } = browser();
    const refused = await submit(url, await visit(url), { psuId, password: 'x' });
    expect(refused.text).toContain(text);
  });

  it('accepts no form made by another page', async () => {
    const { links } = await create('redirect');
    const url = String(links.scaRedirect.href);
    const { visit } = browser();
    await visit(url);
    const person = bank.person('redirect');
    const forged = await visit(url, { psuId: person.psuId, password: person.password, csrf: 'forged' });
    expect(forged.status).toBe(403);
    expect((await call('GET', links.scaStatus.href)).json.scaStatus).toBe('psuIdentified');
  });

  it('needs the login in each browser', async () => {
    const { links } = await create('redirect');
    const url = String(links.scaRedirect.href);
    const person = bank.person('redirect');
    const first = browser();
    await first.submit(url, await first.visit(url), { psuId: person.psuId, password: person.password });
    const second = browser();
    const shown = await second.visit(url);
    expect(h1(shown.text)).toBe('Log in to your bank');
    const confirm = await second.submit(url, shown, { psuId: person.psuId, password: person.password });
    expect(h1(confirm.text)).toBe('Approve the payment');
  });

  it('is guarded by its headers and by the name of the host', async () => {
    const { links } = await create('redirect');
    const { visit } = browser();
    const { headers } = await visit(String(links.scaRedirect.href));
    expect(headers['content-security-policy']).toMatch(
      /default-src 'none'.*form-action 'self' http: https:;/,
    );
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['set-cookie']?.[0]).toMatch(/HttpOnly; SameSite=Lax/);
    expect(headers['access-control-allow-origin']).toBeUndefined();
    const foreign = await call('GET', `${path}/x`, { headers: { Host: 'bank.example' } });
    expect(foreign.status).toBe(421);
    expect((await visit(`${bank.baseUrl}/sca/unknown`)).status).toBe(404);
  });

  it('escapes what the TPP wrote', async () => {
    const body = {
      ...payment(bank.person('redirect').accounts[0]!.iban),
      creditorName: '<script>alert(1)</script>',
    };
    const created = await call('POST', path, { body });
    const url = String(created.json._links.scaRedirect.href);
    const person = bank.person('redirect');
    const { visit, submit } = browser();
    const confirm = await submit(url, await visit(url), { psuId: person.psuId, password: person.password });
    expect(confirm.text).toContain('&lt;script&gt;');
    expect(confirm.text).not.toContain('<script');
  });
});

describe('the page of the phone', () => {
  it.each(['decoupled', 'decoupled-implicit'])('decides for %s', async (psuId) => {
    const person = bank.person(psuId);
    const { id, links, headers } = await create(psuId, {});
    expect(headers['aspsp-sca-approach']).toBe('DECOUPLED');
    const started =
      psuId === 'decoupled' ? (await call('POST', links.startAuthorisation.href)).json._links : links;
    expect(Object.keys(started).filter((name) => !['self', 'status'].includes(name))).toEqual(['scaStatus']);
    expect((await call('GET', started.scaStatus.href)).json.scaStatus).toBe('started');
    const url = `${bank.baseUrl}/phone`;
    const { visit, submit } = browser();
    const refused = await submit(url, await visit(url), { psuId, password: 'wrong' });
    expect(refused.status).toBe(422);
    const waiting = await submit(url, refused, { psuId, password: person.password });
    expect(waiting.text).toContain('3.00 EUR');
    const done = await submit(url, waiting, { decision: 'approve' });
    expect(done.text).toContain('It is approved.');
    expect((await call('GET', started.scaStatus.href)).json.scaStatus).toBe('finalised');
    expect(await statusOf(id)).toBe('ACSC');
  });
});
