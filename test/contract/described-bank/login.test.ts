// The bank inside as a description has it, where tokens are got and shown: what is sent is written by hand from what is known of
// such banks, and obk has no part in it.
import { describe, expect, it } from 'vitest';
import { codeOf, consentOf, describedBanks, paymentOf, payments } from '../../helpers/described-bank.ts';
import type { DescribedBank } from '../../helpers/described-bank.ts';
import {
  askToken as token,
  back,
  clientId as client_id,
  codeOfLogin,
  loginRequest,
  refreshed,
} from '../../helpers/described-login.ts';

const describedBank = describedBanks();

/** The tokens of a PSU, for this scope. */
async function loggedIn(bank: DescribedBank, psuId = 'redirect', change: Record<string, string> = {}) {
  const { verifier, path } = loginRequest(change);
  const code = codeOfLogin(bank, path, psuId);
  const grant = { grant_type: 'authorization_code', client_id, code, redirect_uri: back };
  const told = await token(bank, { ...grant, code_verifier: verifier });
  expect(told.status, told.text).toBe(200);
  return told.json as { access_token: string; refresh_token?: string; expires_in?: number };
}

it("auth.authorize, responseType, state and scope are the bank's own words, and no others", async () => {
  const bank = await describedBank({
    auth: {
      authorize: {
        rename: { response_type: 'responseType', client_id: 'clientId' },
        add: { bic: 'BANKDEFF' },
      },
      responseType: 'CODE',
      state: { maxLength: 24, forbid: ['localhost'] },
      scope: { ais: 'DEDICATED_AISP', pis: 'PIS: {paymentId}' },
    },
  });
  const own = {
    ...{ response_type: undefined, client_id: undefined, responseType: 'CODE', clientId: client_id },
    ...{ bic: 'BANKDEFF', scope: 'DEDICATED_AISP' },
  };
  const visit = (change: Record<string, string | undefined>) =>
    bank.ask('GET', loginRequest({ ...own, ...change }).path);
  const good = await visit({});
  expect([good.status, good.headers.get('location')]).toEqual([303, expect.stringMatching(/^\/login\//)]);
  const wrong = [
    { response_type: 'CODE', responseType: undefined },
    { responseType: 'code' },
    { clientId: undefined, client_id },
    { bic: undefined },
    { scope: 'AIS' },
    { state: 'x'.repeat(25) },
    { state: 'at-LOCALHOST' },
  ];
  for (const change of wrong) {
    const answer = await visit(change);
    expect([change, answer.status === 303 && !/error=/.test(answer.headers.get('location') ?? '')]).toEqual([
      change,
      false,
    ]);
  }
});

it('auth.token and auth.pkce put the parameters in the query and set the length of the verifier', async () => {
  const bank = await describedBank({
    auth: {
      token: { placement: 'query', add: { role: 'AISP' }, rename: { code: 'authCode' } },
      pkce: { verifierOctets: 33 },
    },
  });
  const ask = async (octets: number, more: Record<string, string>, inForm = false) => {
    const { verifier, path } = loginRequest({}, octets);
    const authCode = codeOfLogin(bank, path, 'redirect');
    const grant = {
      grant_type: 'authorization_code',
      client_id,
      authCode,
      redirect_uri: back,
      code_verifier: verifier,
      ...more,
    };
    return token(bank, inForm ? grant : {}, inForm ? '' : `?${new URLSearchParams(grant).toString()}`);
  };
  expect((await ask(33, { role: 'AISP' })).status).toBe(200);
  for (const answer of [
    await ask(32, { role: 'AISP' }),
    await ask(33, {}),
    await ask(33, { role: 'AISP' }, true),
  ])
    expect([answer.status, answer.json.error]).toEqual([400, 'invalid_request']);
});

it('auth.lifetimes and auth.refresh end a chain of tokens that serve once or for long', async () => {
  const chain = await describedBank({ auth: { refresh: { rotates: true, chainDays: 2 } } });
  const first = await loggedIn(chain);
  expect(first.expires_in).toBe(3600);
  chain.bank.clock('+1d');
  const second = (await refreshed(chain, first.refresh_token)).json as { refresh_token: string };
  expect((await refreshed(chain, first.refresh_token)).json.error).toBe('invalid_grant');
  // The second use ended the family, so a login of its own is measured.
  expect((await refreshed(chain, second.refresh_token)).json.error).toBe('invalid_grant');
  const again = await loggedIn(chain);
  chain.bank.clock('+1d');
  const later = (await refreshed(chain, again.refresh_token)).json as { refresh_token: string };
  chain.bank.clock('+25h');
  expect((await refreshed(chain, later.refresh_token)).json.error).toBe('invalid_grant');

  const kept = await describedBank({ auth: { refresh: { rotates: false }, lifetimes: { accessS: 300 } } });
  const { refresh_token, expires_in } = await loggedIn(kept);
  expect(expires_in).toBeUndefined();
  for (let round = 0; round < 2; round += 1) {
    const answer = await refreshed(kept, refresh_token);
    expect([answer.status, answer.json.refresh_token]).toEqual([200, undefined]);
  }
  const { access_token } = await loggedIn(kept);
  const headers = { Authorization: `Bearer ${access_token}` };
  kept.bank.clock('+301s');
  const late = await kept.ask('POST', payments, { headers, json: paymentOf(kept, 'redirect') });
  expect(codeOf(late)).toEqual([401, 'TOKEN_EXPIRED']);
});

it('auth.psuIdFrom reads the PSU-ID from a claim of a token in JWT', async () => {
  const bank = await describedBank({ auth: { mode: 'preStep', psuIdFrom: 'sub' } });
  const { access_token } = await loggedIn(bank);
  const claims = JSON.parse(Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString()) as object;
  expect(claims).toMatchObject({ sub: 'redirect' });
  const headers = { Authorization: `Bearer ${access_token}` };
  const json = paymentOf(bank, 'redirect');
  expect(codeOf(await bank.ask('POST', payments, { headers, json }))).toEqual([400, 'FORMAT_ERROR']);
  const both = { ...headers, 'PSU-ID': 'redirect' };
  expect((await bank.ask('POST', payments, { headers: both, json })).status).toBe(201);
  expect(codeOf(await bank.ask('POST', payments, { json }))).toEqual([401, 'TOKEN_UNKNOWN']);
});

describe('auth.mode', () => {
  it('requires with clientCredentials a token of the TPP before anything begins', async () => {
    const bank = await describedBank({
      auth: { mode: 'clientCredentials', scope: { app: 'xs2a' }, clientId: 'tokenReply' },
    });
    const json = paymentOf(bank, 'redirect');
    expect(codeOf(await bank.ask('POST', payments, { json }))).toEqual([401, 'TOKEN_UNKNOWN']);
    expect((await token(bank, { grant_type: 'client_credentials', client_id })).json.error).toBe(
      'invalid_scope',
    );
    const got = await token(bank, { grant_type: 'client_credentials', client_id, scope: 'xs2a' });
    expect(got.json).toMatchObject({
      token_type: 'Bearer',
      scope: 'xs2a',
      client_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    const headers = { Authorization: `Bearer ${got.json.access_token as string}` };
    expect((await bank.ask('POST', payments, { headers, json })).status).toBe(201);
    const standard = await describedBank({});
    expect((await token(standard, { grant_type: 'client_credentials', client_id })).json.error).toBe(
      'unsupported_grant_type',
    );
  });

  it('requires with operations a token for one operation, and none for the others', async () => {
    const bank = await describedBank({ auth: { operations: { initiatePayment: 'preStep' } } });
    expect(codeOf(await bank.ask('POST', payments, { json: paymentOf(bank, 'redirect') }))).toEqual([
      401,
      'TOKEN_UNKNOWN',
    ]);
    expect(await consentOf(bank)).toBeTruthy();
  });

  it("makes with integrated the login that of the resource, whose scope is in the bank's words, with its token on later calls", async () => {
    const bank = await describedBank({ auth: { mode: 'integrated', scope: { pis: 'PIS: {paymentId}' } } });
    const made = await bank.ask('POST', payments, {
      headers: { 'PSU-ID': 'redirect', 'TPP-Redirect-URI': back },
      json: paymentOf(bank, 'redirect'),
    });
    expect(Object.keys(made.json._links)).toContain('scaOAuth');
    const paymentId = String(made.json.paymentId);
    const { access_token } = await loggedIn(bank, 'redirect', { scope: `PIS: ${paymentId}` });
    const status = `${payments}/${paymentId}/status`;
    expect(codeOf(await bank.ask('GET', status))).toEqual([401, 'TOKEN_UNKNOWN']);
    const headers = { Authorization: `Bearer ${access_token}` };
    expect((await bank.ask('GET', status, { headers })).status).toBe(200);
  });
});

it('auth.tokenHeader and auth.consent set where token and consent are read', async () => {
  const bank = await describedBank({ auth: { tokenHeader: 'PSD2-AUTHORIZATION', consent: 'header' } });
  const consent = await consentOf(bank);
  const { access_token } = await loggedIn(bank);
  const carried = { 'PSD2-AUTHORIZATION': `Bearer ${access_token}` };
  expect(codeOf(await bank.ask('GET', '/v1/accounts', { headers: { ...carried } }))).toEqual([
    400,
    'FORMAT_ERROR',
  ]);
  expect(
    (await bank.ask('GET', '/v1/accounts', { headers: { ...carried, 'Consent-ID': consent } })).status,
  ).toBe(200);
  const mode = await describedBank({ auth: { tokenHeader: 'PSD2-AUTHORIZATION', mode: 'preStep' } });
  const other = await loggedIn(mode);
  const json = paymentOf(mode, 'redirect');
  const headers = { Authorization: `Bearer ${other.access_token}` };
  expect(codeOf(await mode.ask('POST', payments, { headers, json }))).toEqual([401, 'TOKEN_UNKNOWN']);
});
