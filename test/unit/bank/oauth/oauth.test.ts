import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startBank } from '../../../helpers/bank.ts';
import type { TestBank } from '../../../helpers/bank.ts';
import { browser } from '../browser.ts';
import { judgedTpp, payment, send, testJudge, tppOf } from '../tpp.ts';
import type { TestAnswer } from '../tpp.ts';

const clock = { ms: Date.parse('2026-06-01T12:00:00Z'), now: () => new Date(clock.ms) };
let bank: TestBank;
let call: ReturnType<typeof judgedTpp>;
beforeAll(async () => {
  bank = await startBank({ clock });
  call = judgedTpp(bank);
});
beforeEach(() => {
  clock.ms += 60_001;
});
afterAll(() => bank.close());

testJudge(() => bank);

const clientId = 'PSDDE-BAFIN-999999';
const back = 'http://127.0.0.1:9/back?x=1';
const path = '/v136/payments/sepa-credit-transfers';

async function create(psuId: string, prefix = 'v136') {
  const body = payment(bank.person(psuId).accounts[0]!.iban, '1.00');
  const created = await call('POST', path.replace('v136', prefix), {
    body,
    headers: { 'PSU-ID': psuId, 'TPP-Redirect-URI': back },
  });
  expect([created.status, created.headers['aspsp-sca-approach']], created.text).toEqual([201, 'REDIRECT']);
  const links = created.json._links;
  if (links.startAuthorisation === undefined) return { id: created.json.paymentId as string, links };
  const started = await call('POST', links.startAuthorisation.href);
  return { id: created.json.paymentId as string, links: { ...links, ...started.json._links } };
}

/** What the OAuth flow of a TPP needs to remember. */
function flow(id: string) {
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const query = {
    response_type: 'code',
    client_id: clientId,
    scope: `PIS:${id}`,
    state: 'st&te',
    redirect_uri: back,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  };
  return { verifier, query };
}

const get = (url: string) => send(url, 'GET', {}, Buffer.alloc(0));
const authorizeUrl = (query: object) =>
  `${bank.baseUrl}/oauth/authorize?${new URLSearchParams(query as Record<string, string>).toString()}`;

function tokenOf(form: Record<string, string>): Promise<TestAnswer> {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  return send(
    `${bank.baseUrl}/oauth/token`,
    'POST',
    headers,
    Buffer.from(new URLSearchParams(form).toString()),
  );
}
const grant = (code: string, verifier: string) => ({
  grant_type: 'authorization_code',
  client_id: clientId,
  code,
  redirect_uri: back,
  code_verifier: verifier,
});

/** Approves in a browser; gives the address that it is led to. */
async function approve(
  psuId: string,
  query: object,
  decision: 'approve' | 'refuse' = 'approve',
): Promise<URL> {
  const person = bank.person(psuId);
  const url = authorizeUrl(query);
  const { visit, submit } = browser();
  const sent = await visit(url);
  const at = new URL(String(sent.headers['location']), url).href;
  const confirm = await submit(at, await visit(at), { psuId, password: person.password });
  const done = await submit(at, confirm, { otp: person.otp, decision });
  return new URL(String(done.headers['location']));
}

describe('integrated OAuth', () => {
  it('has its metadata where scaOAuth leads', async () => {
    const { links } = await create('oauth');
    expect(Object.keys(links)).toEqual(['scaOAuth', 'scaStatus', 'self', 'status']);
    const { json } = await get(links.scaOAuth.href as string);
    expect(json).toMatchObject({
      issuer: bank.baseUrl,
      authorization_endpoint: `${bank.baseUrl}/oauth/authorize`,
      token_endpoint: `${bank.baseUrl}/oauth/token`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
    });
  });

  it.each([
    ['oauth', 'v1'],
    ['oauth', 'v136'],
    ['oauth-explicit', 'v136'],
    ['oauth-confirm', 'v1'],
  ])('ends for %s under /%s in a booked payment and a token', async (psuId, prefix) => {
    const { id, links } = await create(psuId, prefix);
    const { verifier, query } = flow(id);
    const returned = await approve(psuId, query);
    const named = ['x', 'state', 'iss'].map((name) => returned.searchParams.get(name));
    expect(named).toEqual(['1', 'st&te', bank.baseUrl]);
    expect((await call('GET', links.scaStatus.href)).json.scaStatus).toBe('finalised');
    expect((await call('GET', links.status.href)).json.transactionStatus).toBe('ACSC');
    const token = await tokenOf(grant(returned.searchParams.get('code') ?? '', verifier));
    expect(token.json).toMatchObject({ token_type: 'Bearer', scope: `PIS:${id}` });
    expect(token.headers['cache-control']).toBe('no-store');
    const headers = { Authorization: `Bearer ${String(token.json.access_token)}` };
    expect((await call('GET', links.status.href, { headers })).status).toBe(200);
  });

  it('authorises a consent, whose scope is AIS', async () => {
    const created = await call('POST', '/v136/consents', {
      body: {
        access: { allPsd2: 'allAccounts' },
        recurringIndicator: true,
        validUntil: '2026-12-31',
        frequencyPerDay: 4,
        combinedServiceIndicator: false,
      },
      headers: { 'PSU-ID': 'oauth', 'TPP-Redirect-URI': back },
    });
    const id = created.json.consentId as string;
    const { verifier, query } = flow(id);
    expect((await get(authorizeUrl(query))).status).toBe(404);
    const returned = await approve('oauth', { ...query, scope: `AIS:${id} offline_access` });
    const token = await tokenOf(grant(returned.searchParams.get('code') ?? '', verifier));
    expect(token.json).toMatchObject({ token_type: 'Bearer', scope: `AIS:${id}` });
    const headers = { Authorization: `Bearer ${String(token.json.access_token)}` };
    const answer = await call('GET', `/v136/consents/${id}/status`, { headers });
    expect(answer.json, answer.text).toEqual({ consentStatus: 'valid' });
    // The token says which consent is used; the official files want Consent-ID all the same.
    const list = await tppOf(bank)('GET', '/v136/accounts', { headers });
    expect([list.status, list.json.accounts?.length], list.text).toEqual([200, 2]);
    const same = { ...headers, 'Consent-ID': id };
    expect((await call('GET', '/v136/accounts', { headers: same })).status).toBe(200);
    const other = await call('GET', '/v136/accounts', { headers: { ...headers, 'Consent-ID': 'x' } });
    expect([other.status, other.json.tppMessages[0].code]).toEqual([401, 'CONSENT_INVALID']);
  });

  it('executes with confirmation nothing before the token confirms', async () => {
    const { id, links } = await create('oauth-confirm');
    expect(Object.keys(links)).toEqual(['scaOAuth', 'confirmation', 'scaStatus', 'self', 'status']);
    const { verifier, query } = flow(id);
    const returned = await approve('oauth-confirm', query);
    const state = async () => [
      (await call('GET', links.scaStatus.href)).json,
      (await call('GET', links.status.href)).json.transactionStatus,
    ];
    expect(await state()).toEqual([{ scaStatus: 'unconfirmed' }, 'RCVD']);
    // Without a token it is an identification, which changes nothing.
    expect((await call('PUT', links.confirmation.href)).json.scaStatus).toBe('unconfirmed');
    const token = await tokenOf(grant(returned.searchParams.get('code') ?? '', verifier));
    const headers = { Authorization: `Bearer ${String(token.json.access_token)}` };
    const confirmed = await call('PUT', links.confirmation.href, { headers });
    expect([confirmed.status, confirmed.json.scaStatus]).toEqual([200, 'finalised']);
    expect(await state()).toEqual([{ scaStatus: 'finalised' }, 'ACSC']);
  });

  it('reports a refusal', async () => {
    const { id, links } = await create('oauth');
    const returned = await approve('oauth', flow(id).query, 'refuse');
    expect(returned.searchParams.get('error')).toBe('access_denied');
    expect(returned.searchParams.get('state')).toBe('st&te');
    expect((await call('GET', links.status.href)).json.transactionStatus).toBe('RJCT');
  });

  it('is decided by the hand of the PSU without a browser', async () => {
    const { id } = await create('oauth');
    const { verifier, query } = flow(id);
    const decided = await bank.bank.decide('approve', authorizeUrl(query));
    expect(decided.scaStatus).toBe('finalised');
    const code = new URL(decided.redirectedTo ?? '').searchParams.get('code') ?? '';
    expect((await tokenOf(grant(code, verifier))).status).toBe(200);
  });

  it('gives its code to the request through which the PSU approved, and to no other', async () => {
    const { id } = await create('oauth');
    const { query } = flow(id);
    const other = await get(authorizeUrl({ ...query, state: 'other' }));
    await approve('oauth', query);
    const late = await get(bank.baseUrl + String(other.headers['location']));
    expect(late.text).toContain('error=access_denied');
    expect(late.text).not.toContain('code=');
    expect((await get(authorizeUrl(query))).status).toBe(404);
  });
});

describe('an authorization request', () => {
  it.each<[string, object, number, string | undefined]>([
    ['of another client', { client_id: 'PSDDE-BAFIN-1' }, 404, undefined],
    ['for another scope', { scope: 'PIS:unknown' }, 404, undefined],
    ['to another address', { redirect_uri: 'http://127.0.0.1:9/evil' }, 404, undefined],
    ['for a token', { response_type: 'token' }, 303, 'unsupported_response_type'],
    ['without PKCE', { code_challenge: '' }, 303, 'invalid_request'],
    ['with plain PKCE', { code_challenge_method: 'plain' }, 303, 'invalid_request'],
    ['without state', { state: '' }, 303, 'invalid_request'],
  ])('is refused %s', async (_what, change, status, error) => {
    const { id } = await create('oauth');
    const answer = await get(authorizeUrl({ ...flow(id).query, ...change }));
    expect(answer.status).toBe(status);
    if (error === undefined) return;
    const target = new URL(String(answer.headers['location']));
    expect([target.host, target.searchParams.get('error')]).toEqual(['127.0.0.1:9', error]);
  });

  it.each<[string, number]>([
    ['client_id', 404],
    ['redirect_uri', 404],
    ['scope', 404],
    ['state', 303],
    ['code_challenge', 303],
  ])('is refused with two of %s, whatever they contain', async (name, status) => {
    const { id } = await create('oauth');
    const { query } = flow(id);
    const again = new URLSearchParams({ [name]: query[name as keyof typeof query] });
    const answer = await get(`${authorizeUrl(query)}&${again.toString()}`);
    expect(answer.status).toBe(status);
    if (status === 404) return;
    const target = new URL(String(answer.headers['location']));
    expect(target.searchParams.get('error')).toBe('invalid_request');
  });

  it('is all that leads to the page of an OAuth authorisation', async () => {
    const { id } = await create('oauth');
    const answer = await get(authorizeUrl(flow(id).query));
    const page = bank.baseUrl + String(answer.headers['location']);
    expect((await get(page)).status).toBe(200);
    expect((await get(page.replace(/\?.*/, ''))).status).toBe(404);
  });
});

describe('an authorization code', () => {
  const coded = async () => {
    const { id, links } = await create('oauth');
    const { verifier, query } = flow(id);
    const returned = await approve('oauth', query);
    return { code: returned.searchParams.get('code') ?? '', verifier, links };
  };

  it.each<[string, object, string]>([
    ['with another grant', { grant_type: 'password' }, 'unsupported_grant_type'],
    ['of another client', { client_id: 'PSDDE-BAFIN-1' }, 'invalid_grant'],
    ['for another address', { redirect_uri: 'http://127.0.0.1:9/' }, 'invalid_grant'],
    ['with another verifier', { code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
    ['with a short verifier', { code_verifier: 'x' }, 'invalid_grant'],
    ['that is none', { code: 'x' }, 'invalid_grant'],
  ])('is refused %s', async (_what, change, error) => {
    const { code, verifier } = await coded();
    const answer = await tokenOf({ ...grant(code, verifier), ...change });
    expect([answer.status, answer.json.error]).toEqual([400, error]);
  });

  it('is refused with a duplicate parameter, and can still be redeemed', async () => {
    const { code, verifier } = await coded();
    const form = new URLSearchParams(grant(code, verifier));
    const body = Buffer.from(`${form.toString()}&code=${code}`);
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const answer = await send(`${bank.baseUrl}/oauth/token`, 'POST', headers, body);
    expect([answer.status, answer.json.error]).toEqual([400, 'invalid_request']);
    expect((await tokenOf(grant(code, verifier))).status).toBe(200);
  });

  it('is valid for five minutes, and once: the second use revokes the token', async () => {
    const late = await coded();
    clock.ms += 5 * 60_000;
    expect((await tokenOf(grant(late.code, late.verifier))).json.error).toBe('invalid_grant');
    const { code, verifier, links } = await coded();
    const { access_token: token } = (await tokenOf(grant(code, verifier))).json as { access_token: string };
    const headers = { Authorization: `Bearer ${token}` };
    expect((await call('GET', links.status.href, { headers })).status).toBe(200);
    expect((await tokenOf(grant(code, verifier))).json.error).toBe('invalid_grant');
    const gone = await call('GET', links.status.href, { headers });
    expect([gone.status, gone.json.tppMessages[0].code]).toEqual([401, 'TOKEN_UNKNOWN']);
  });
});

describe('an access token', () => {
  const issued = async () => {
    const { id, links } = await create('oauth');
    const { verifier, query } = flow(id);
    const returned = await approve('oauth', query);
    const { json } = await tokenOf(grant(returned.searchParams.get('code') ?? '', verifier));
    return { links, headers: { Authorization: `Bearer ${String(json.access_token)}` } };
  };
  const codeOf = ({ status, json }: TestAnswer) => [status, json.tppMessages?.[0].code];

  it('is for its payment, for an hour, and a token', async () => {
    const { links, headers } = await issued();
    const { links: others } = await create('oauth');
    expect(codeOf(await call('GET', others.status.href, { headers }))).toEqual([401, 'TOKEN_INVALID']);
    const basic = { Authorization: 'Basic x' };
    expect(codeOf(await call('GET', links.status.href, { headers: basic }))).toEqual([401, 'TOKEN_INVALID']);
    clock.ms += 3600_000;
    expect(codeOf(await call('GET', links.status.href, { headers }))).toEqual([401, 'TOKEN_EXPIRED']);
  });

  it('is followed by others through a refresh token, which is valid once', async () => {
    const { id, links } = await create('oauth');
    const { verifier, query } = flow(id);
    const returned = await approve('oauth', query);
    const first = (await tokenOf(grant(returned.searchParams.get('code') ?? '', verifier))).json;
    const refresh = (token: string, client = clientId) =>
      tokenOf({ grant_type: 'refresh_token', client_id: client, refresh_token: token });
    const status = async (token: string) =>
      codeOf(await call('GET', links.status.href, { headers: { Authorization: `Bearer ${token}` } }));
    clock.ms += 3600_000;
    expect(await status(first.access_token)).toEqual([401, 'TOKEN_EXPIRED']);
    expect((await refresh(first.refresh_token, 'PSDDE-BAFIN-1')).json.error).toBe('invalid_grant');
    const second = (await refresh(first.refresh_token)).json;
    expect(second).toMatchObject({ token_type: 'Bearer', scope: `PIS:${id}`, expires_in: 3600 });
    expect(await status(second.access_token)).toEqual([200, undefined]);
    expect(await status(second.refresh_token)).toEqual([401, 'TOKEN_UNKNOWN']);
    expect((await refresh(first.refresh_token)).json.error).toBe('invalid_grant');
    expect(await status(second.access_token)).toEqual([401, 'TOKEN_UNKNOWN']);
    expect((await refresh(second.refresh_token)).json.error).toBe('invalid_grant');
  });

  it('is valid for a minute where the scenario sets it so', async () => {
    bank.scenario({ tokenLifetime: '1-minute' });
    const { links, headers } = await issued();
    expect((await call('GET', links.status.href, { headers })).status).toBe(200);
    clock.ms += 60_000;
    expect(codeOf(await call('GET', links.status.href, { headers }))).toEqual([401, 'TOKEN_EXPIRED']);
    bank.scenario({ tokenLifetime: '1-hour' });
  });

  it('is required where the scenario sets it so', async () => {
    const { links, headers } = await issued();
    expect((await call('GET', links.status.href)).status).toBe(200);
    bank.scenario({ oauthToken: 'required' });
    expect(codeOf(await call('GET', links.status.href))).toEqual([401, 'TOKEN_UNKNOWN']);
    expect((await call('GET', links.status.href, { headers })).status).toBe(200);
    bank.scenario({ oauthToken: 'optional' });
  });
});
