import { afterEach, describe, expect, it } from 'vitest';
import { operations } from '../../../../src/standard/xs2a/operations.ts';
import { browser } from '../browser.ts';
import { bearerOf, clientId, get, loginRequest, post, redeem, tokensOf } from '../oauth-login.ts';
import { back, codeOf, href, leads, useScene } from '../scene.ts';
import type { Links } from '../scene.ts';
import { payment, tppOf } from '../tpp.ts';

const scene = useScene();
const path = '/v136/payments/sepa-credit-transfers';
const anybody = 'embedded-one';

afterEach(() => {
  scene.bank.scenario({ oauthPreStep: 'optional' });
});

/** A payment of a PSU who has logged in: the token says who it is. */
async function pays(psuId: string, prefix = 'v136', headers: object = {}) {
  const token = await bearerOf(scene.bank, psuId);
  const made = await scene.create(psuId, { prefix, named: false, headers: { ...token, ...headers } });
  return { token, ...made };
}

describe('a login before any call', () => {
  it('is made on a page of its own, and gives a token for all calls of the PSU', async () => {
    const { bank } = scene;
    const { url, verifier } = loginRequest(bank, { scope: 'PIS AIS offline_access' });
    const { visit, submit } = browser();
    const sent = await visit(url);
    const at = bank.baseUrl + String(sent.headers['location']);
    const page = await visit(at);
    expect(page.text).toContain('Log in to your bank');
    expect(page.headers['content-security-policy']).toContain("form-action 'self' http: https:");
    const { password } = bank.person(anybody);
    const asked = await submit(at, page, { psuId: anybody, password });
    expect(asked.text).toContain(clientId);
    expect(asked.text).toMatch(/Start payments[^]*Read accounts[^]*Stay logged in/);
    const done = await submit(at, asked, { decision: 'approve' });
    const returned = String(done.headers['location']);
    const answer = new URL(returned).searchParams;
    expect([answer.get('state'), answer.get('iss'), answer.has('error')]).toEqual([
      'st&te',
      bank.baseUrl,
      false,
    ]);
    const token = (await redeem(bank, returned, verifier)).json;
    expect(token).toMatchObject({ token_type: 'Bearer', scope: 'PIS AIS', expires_in: 3600 });
    const Authorization = `Bearer ${String(token.access_token)}`;
    const { links } = await scene.create(anybody, { named: false, headers: { Authorization } });
    expect(leads(links)).toEqual(['startAuthorisation']);

    // The page is used up; a second browser changes nothing.
    const again = await browser().visit(at);
    expect(again.text).toContain('It is approved.');
    expect((await redeem(bank, returned, verifier)).json.error).toBe('invalid_grant');
  });

  it.each<[string, { psuId: string; password: string }, RegExp]>([
    ['a wrong password', { psuId: anybody, password: 'wrong' }, /The password is wrong/],
    ['no password', { psuId: anybody, password: '' }, /Enter the password/],
    ['an unknown PSU', { psuId: 'nobody', password: 'x' }, /no such PSU-ID/],
  ])('is not made by %s', async (_what, typed, told) => {
    const at = scene.bank.baseUrl + String((await get(loginRequest(scene.bank).url)).headers['location']);
    const { visit, submit } = browser();
    const page = await submit(at, await visit(at), typed);
    expect([page.status, page.text]).toEqual([422, expect.stringMatching(told)]);
  });

  it('ends after too many wrong passwords, for a blocked PSU, by a refusal, and by time', async () => {
    const { bank } = scene;
    const open = async () => bank.baseUrl + String((await get(loginRequest(bank).url)).headers['location']);
    const many = await open();
    const { visit, submit } = browser();
    let page = await visit(many);
    for (let n = 0; n < 5; n += 1) page = await submit(many, page, { psuId: anybody, password: 'wrong' });
    expect([page.status, String(page.headers['location'])]).toEqual([
      303,
      expect.stringContaining('error=access_denied'),
    ]);
    const { password } = bank.person(anybody);
    expect((await browser().visit(many)).text).toContain('It is refused.');

    const blocked = await open();
    const locked = { psuId: 'locked', password: bank.person('locked').password };
    const told = await submit(blocked, await visit(blocked), locked);
    expect([told.status, told.text]).toEqual([422, expect.stringContaining('blocked')]);

    const refused = await open();
    const asked = await submit(refused, await visit(refused), { psuId: anybody, password });
    const away = await submit(refused, asked, { decision: 'refuse' });
    expect(String(away.headers['location'])).toContain('error=access_denied&state=st%26te');

    const late = await open();
    scene.clock.ms += 10 * 60_000;
    expect((await visit(late)).status).toBe(404);
  });

  it('accepts no form from another page', async () => {
    const { bank } = scene;
    const at = bank.baseUrl + String((await get(loginRequest(bank).url)).headers['location']);
    const { visit } = browser();
    await visit(at);
    const { password } = bank.person(anybody);
    expect((await visit(at, { psuId: anybody, password, csrf: 'x' })).status).toBe(403);
  });

  it.each<[string, Record<string, string>, number, string | undefined]>([
    ['for nothing that the bank knows', { scope: 'everything' }, 303, 'invalid_scope'],
    ['for no service', { scope: 'offline_access' }, 303, 'invalid_scope'],
    ['of nobody', { client_id: '' }, 404, undefined],
    ['back to a script', { redirect_uri: 'javascript:alert(1)' }, 404, undefined],
    ['without PKCE', { code_challenge: '' }, 303, 'invalid_request'],
  ])('is not asked for %s', async (_what, change, status, error) => {
    const answer = await get(loginRequest(scene.bank, change).url);
    expect(answer.status).toBe(status);
    if (error === undefined) return;
    expect(new URL(String(answer.headers['location'])).searchParams.get('error')).toBe(error);
  });

  it('ends by a revocation, whichever token is named, and only by that of its client', async () => {
    const { bank } = scene;
    for (const which of ['access_token', 'refresh_token'] as const) {
      const tokens = await tokensOf(bank, anybody);
      const headers = { Authorization: `Bearer ${tokens.access_token}` };
      const { links } = await scene.create(anybody, { named: false, headers });
      const status = async () => codeOf(await scene.call('GET', href(links, 'status'), { headers }));
      const revoke = (client_id: string) => post(bank, 'revoke', { token: tokens[which], client_id });
      expect((await revoke('PSDDE-BAFIN-1')).status).toBe(200);
      expect(await status()).toEqual([200, undefined]);
      expect((await revoke(clientId)).status).toBe(200);
      expect(await status()).toEqual([401, 'TOKEN_UNKNOWN']);
      const refreshed = await post(bank, 'token', {
        grant_type: 'refresh_token',
        client_id: clientId,
        refresh_token: tokens.refresh_token,
      });
      expect(refreshed.json.error).toBe('invalid_grant');
    }
  });
});

describe('a bank at which every PSU logs in first', () => {
  const params: Record<string, string> = { 'payment-service': 'payments' };
  const calls = operations
    .filter(({ parent }) => ['payment', 'cancellation', 'consent', 'account'].includes(parent))
    .map(({ id, method, path: template }) => {
      const filled = template.replaceAll(/\{([^}]+)\}/g, (_, name: string) => params[name] ?? 'x-1');
      return [id, method, filled.replace('/payments/x-1', '/payments/sepa-credit-transfers')] as const;
    });

  it('has such calls', () => {
    expect(calls.length).toBeGreaterThan(20);
  });

  it.each(calls)('answers %s without a token by the way to its OAuth server', async (_id, method, route) => {
    scene.bank.scenario({ oauthPreStep: 'required' });
    for (const prefix of ['v1', 'v136']) {
      const answer = await scene.call(method, `/${prefix}${route}`);
      expect(codeOf(answer), answer.text).toEqual([401, 'TOKEN_UNKNOWN']);
      const { json } = await get(answer.json._links.scaOAuth.href as string);
      expect(json).toMatchObject({
        issuer: scene.bank.baseUrl,
        revocation_endpoint: `${scene.bank.baseUrl}/oauth/revoke`,
        scopes_supported: expect.arrayContaining(['PIS', 'AIS', 'offline_access']),
      });
    }
  });

  it('may require this of one PSU only', async () => {
    const body = payment(scene.bank.person('oauth-prestep').accounts[0]!.iban, '1.00');
    const named = await scene.call('POST', path, { body, headers: { 'PSU-ID': 'oauth-prestep' } });
    expect(codeOf(named)).toEqual([401, 'TOKEN_UNKNOWN']);
    expect(leads(named.json._links as Links)).toEqual(['scaOAuth']);
    const { token, links } = await pays('oauth-prestep');
    expect(leads(links)).toEqual(['selectAuthenticationMethod']);
    expect(codeOf(await scene.call('GET', href(links, 'status')))).toEqual([401, 'TOKEN_UNKNOWN']);
    expect((await scene.call('GET', href(links, 'status'), { headers: token })).status).toBe(200);
  });
});

describe('the token of a login', () => {
  it.each([
    ['embedded-one-implicit', 'EMBEDDED', ['authoriseTransaction'], 'scaMethodSelected'],
    ['embedded-choice-implicit', 'EMBEDDED', ['selectAuthenticationMethod'], 'psuAuthenticated'],
    ['embedded-encrypted-implicit', 'EMBEDDED', ['authoriseTransaction'], 'scaMethodSelected'],
    ['embedded-none-implicit', 'EMBEDDED', [], 'exempted'],
    ['decoupled-implicit', 'DECOUPLED', [], 'started'],
    ['redirect', 'REDIRECT', ['scaRedirect'], 'scaMethodSelected'],
    ['oauth', 'REDIRECT', ['scaRedirect'], 'scaMethodSelected'],
  ])('is the first factor of %s: %s, %j, %s', async (psuId, approach, lead, scaStatus) => {
    for (const prefix of ['v1', 'v136']) {
      const { token, created, links } = await pays(psuId, prefix);
      expect(created.headers['aspsp-sca-approach']).toBe(approach);
      expect(leads(links)).toEqual(lead);
      const answer = await scene.call('GET', href(links, 'scaStatus'), { headers: token });
      expect(answer.json.scaStatus).toBe(scaStatus);
      expect(created.json.transactionStatus).toBe(scaStatus === 'exempted' ? 'ACSC' : 'RCVD');
    }
  });

  it.each([
    ['embedded-additional', ['authoriseTransaction'], 'scaMethodSelected'],
    ['embedded-choice', ['selectAuthenticationMethod'], 'psuAuthenticated'],
    ['embedded-none', [], 'exempted'],
    ['redirect-explicit', ['scaRedirect'], 'psuAuthenticated'],
    ['oauth-explicit', ['scaRedirect'], 'scaMethodSelected'],
    ['decoupled', [], 'started'],
    ['pair-a', ['authoriseTransaction'], 'scaMethodSelected'],
  ])('is the first factor of %s whom the TPP starts: %j, %s', async (psuId, lead, scaStatus) => {
    const { token, links } = await pays(psuId);
    expect(leads(links)).toEqual(['startAuthorisation']);
    const started = await scene.call('POST', href(links, 'startAuthorisation'), { headers: token });
    expect([started.status, started.json.scaStatus]).toEqual([201, scaStatus]);
    expect(leads(started.json._links as Links)).toEqual(lead);
  });

  it('is the first factor on the page of the bank, too, which asks only for the one-time password', async () => {
    const { token, links } = await pays('redirect');
    const { visit, submit } = browser();
    const at = href(links, 'scaRedirect');
    const page = await visit(at);
    expect(page.text).toContain('One-time password');
    expect(page.text).not.toContain('Log in');
    await submit(at, page, { decision: 'approve', otp: scene.bank.person('redirect').otp });
    const { json } = await scene.call('GET', href(links, 'status'), { headers: token });
    expect(json.transactionStatus).toBe('ACSC');
  });

  it('is the first factor of a PSU who was unknown before', async () => {
    const anonymous = { named: false, headers: { 'TPP-Redirect-Preferred': 'false' } };
    const { links } = await scene.create('embedded-one', anonymous);
    const headers = await bearerOf(scene.bank, 'embedded-one');
    // The official files have no challenge in the answer to an identification, which a password would follow.
    const put = await tppOf(scene.bank)('PUT', href(links, 'updatePsuIdentification'), { headers, body: {} });
    expect([put.status, put.json.scaStatus], put.text).toEqual([200, 'scaMethodSelected']);
  });
});

describe('a token of one PSU', () => {
  it('is accepted with no PSU-ID in 1.3.2, and with no other one in 1.3.6', async () => {
    const body = payment(scene.bank.person('redirect').accounts[0]!.iban, '1.00');
    const token = await bearerOf(scene.bank, 'redirect');
    const sent = async (prefix: string, psuId: string) =>
      codeOf(
        await scene.call('POST', path.replace('v136', prefix), {
          body,
          headers: { ...token, 'PSU-ID': psuId, 'TPP-Redirect-URI': back },
        }),
      );
    expect(await sent('v1', 'redirect')).toEqual([400, 'FORMAT_ERROR']);
    expect(await sent('v136', 'redirect')).toEqual([201, undefined]);
    expect(await sent('v136', 'embedded-one')).toEqual([401, 'PSU_CREDENTIALS_INVALID']);
  });

  it('opens nothing of another PSU', async () => {
    const { links } = await pays('embedded-one-implicit');
    const others = { headers: await bearerOf(scene.bank, 'redirect') };
    expect(codeOf(await scene.call('GET', href(links, 'status'), others))).toEqual([401, 'TOKEN_INVALID']);
    const iban = scene.bank.person('embedded-one').accounts[0]!.iban;
    const made = await scene.call('POST', path, { body: payment(iban), ...others });
    expect(codeOf(made)).toEqual([400, 'FORMAT_ERROR']);
  });

  it('is not for the authorisation of the other signatory', async () => {
    const { token, links } = await pays('pair-a');
    const start = href(links, 'startAuthorisation');
    const own = await scene.call('POST', start, { headers: token });
    const other = { headers: await bearerOf(scene.bank, 'pair-b') };
    const second = await scene.call('POST', start, other);
    expect(own.json.authorisationId).not.toBe(second.json.authorisationId);
    const put = { body: { scaAuthenticationData: scene.bank.person('pair-a').otp }, ...other };
    const theirs = own.json._links.authoriseTransaction.href as string;
    expect(codeOf(await scene.call('PUT', theirs, put))).toEqual([401, 'PSU_CREDENTIALS_INVALID']);
    const mine = { ...put, headers: token };
    expect((await scene.call('PUT', theirs, mine)).json.scaStatus).toBe('finalised');
    expect(codeOf(await scene.call('POST', start, { headers: token }))).toEqual([409, 'STATUS_INVALID']);
  });

  it('is for the services of its scope', async () => {
    const pis = { headers: await bearerOf(scene.bank, anybody, 'PIS') };
    const ais = { headers: await bearerOf(scene.bank, anybody, 'AIS') };
    expect(codeOf(await scene.call('GET', '/v136/consents/x', pis))).toEqual([401, 'TOKEN_INVALID']);
    expect(codeOf(await scene.call('GET', '/v136/consents/x', ais))).toEqual([403, 'CONSENT_UNKNOWN']);
    expect(codeOf(await scene.call('GET', `${path}/x/status`, ais))).toEqual([401, 'TOKEN_INVALID']);
    expect(codeOf(await scene.call('GET', `${path}/x/status`, pis))).toEqual([404, 'RESOURCE_UNKNOWN']);
  });
});

describe('a signing basket after a login', () => {
  it('is made, authorised and read with the token of its PSU', async () => {
    scene.bank.scenario({ surface: 'framework' });
    const call = tppOf(scene.bank);
    const explicit = { 'TPP-Explicit-Authorisation-Preferred': 'true' };
    const { id, token } = await pays('embedded-one', 'v136', explicit);
    const headers = { ...token, ...explicit };
    const made = await call('POST', '/v136/signing-baskets', { body: { paymentIds: [id] }, headers });
    expect([made.status, leads(made.json._links as Links)]).toEqual([201, ['startAuthorisation']]);
    const basket = `/v136/signing-baskets/${String(made.json.basketId)}`;
    const started = await call('POST', `${basket}/authorisations`, { headers: token });
    expect([started.status, started.json.scaStatus]).toEqual([201, 'scaMethodSelected']);
    const body = { scaAuthenticationData: scene.bank.person('embedded-one').otp };
    const own = started.json._links.authoriseTransaction.href as string;
    expect((await call('PUT', own, { body, headers: token })).json.scaStatus).toBe('finalised');
    expect((await call('GET', `${basket}/status`, { headers: token })).json.transactionStatus).toBe('ACTC');
    const others = await bearerOf(scene.bank, 'redirect');
    expect(codeOf(await call('GET', basket, { headers: others }))).toEqual([401, 'TOKEN_INVALID']);
    scene.bank.scenario({ surface: 'service' });
  });
});

describe('the consent of a token', () => {
  const terms = {
    access: { allPsd2: 'allAccounts' },
    recurringIndicator: true,
    validUntil: '2027-12-31',
    frequencyPerDay: 4,
    combinedServiceIndicator: false,
  };
  const consents = async (headers: object) => {
    const made = await scene.call('POST', '/v136/consents', { body: terms, headers: { ...headers } });
    expect(made.status, made.text).toBe(201);
    return made.json as { consentId: string; consentStatus: string };
  };
  const read = async (headers: object) => {
    // The official files want Consent-ID, whether there is a token or not.
    const answer = await tppOf(scene.bank)('GET', '/v136/accounts', { headers: { ...headers } });
    return answer.status === 200 ? (answer.json.accounts.length as number) : codeOf(answer);
  };

  it('is the newest valid one of its PSU where Consent-ID is absent; another one is refused', async () => {
    const one = await bearerOf(scene.bank, 'embedded-none-implicit');
    const other = await bearerOf(scene.bank, 'decoupled-implicit');
    expect(await read(one)).toEqual([401, 'CONSENT_INVALID']);
    const made = await consents(one);
    expect(made.consentStatus).toBe('valid');
    expect(await read(one)).toBe(2);
    expect(await read({ ...one, 'Consent-ID': made.consentId })).toBe(2);
    expect(await read({ ...other, 'Consent-ID': made.consentId })).toEqual([401, 'CONSENT_INVALID']);
    expect(await read({ ...one, 'Consent-ID': 'x' })).toEqual([400, 'CONSENT_UNKNOWN']);
    expect(await read(other)).toEqual([401, 'CONSENT_INVALID']);
    expect(await read({})).toEqual([400, 'FORMAT_ERROR']);
    const unsigned = await consents(await bearerOf(scene.bank, 'pair-a'));
    // Either of two signatories may name it; that it is not valid yet is another matter.
    for (const psuId of ['pair-a', 'pair-b']) {
      const named = { ...(await bearerOf(scene.bank, psuId)), 'Consent-ID': unsigned.consentId };
      const answer = await tppOf(scene.bank)('GET', '/v136/accounts', { headers: named });
      expect(answer.json.tppMessages[0].text).toContain('The consent is received');
    }
    const pis = await bearerOf(scene.bank, 'embedded-none-implicit', 'PIS');
    expect(await read(pis)).toEqual([401, 'TOKEN_INVALID']);
  });
});
