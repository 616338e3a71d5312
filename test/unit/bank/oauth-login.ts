import { createHash, randomBytes } from 'node:crypto';
import type { TestBank } from '../../helpers/bank.ts';
import { back } from './scene.ts';
import { send } from './tpp.ts';
import type { TestAnswer } from './tpp.ts';

export const clientId = 'PSDDE-BAFIN-999999';

export const get = (url: string): Promise<TestAnswer> => send(url, 'GET', {}, Buffer.alloc(0));

/** POSTs a form to the OAuth server. */
export function post(bank: TestBank, path: string, form: Record<string, string>): Promise<TestAnswer> {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const body = Buffer.from(new URLSearchParams(form).toString());
  return send(`${bank.baseUrl}/oauth/${path}`, 'POST', headers, body);
}

/** An authorization request for a login before any call, as a TPP of the tests' own makes it. */
export function loginRequest(bank: TestBank, change: Record<string, string> = {}) {
  const verifier = randomBytes(32).toString('base64url');
  const query = {
    response_type: 'code',
    client_id: clientId,
    scope: 'PIS AIS',
    state: 'st&te',
    redirect_uri: back,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...change,
  };
  return { verifier, url: `${bank.baseUrl}/oauth/authorize?${new URLSearchParams(query).toString()}` };
}

/** Redeems the code of a return. */
export function redeem(bank: TestBank, returned: string, verifier: string): Promise<TestAnswer> {
  const code = new URL(returned).searchParams.get('code') ?? '';
  return post(bank, 'token', {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    redirect_uri: back,
    code_verifier: verifier,
  });
}

/** The tokens of a PSU who has logged in by their own hand, without a page. */
export async function tokensOf(bank: TestBank, psuId: string, scope = 'PIS AIS') {
  const { verifier, url } = loginRequest(bank, { scope });
  const { redirectedTo = '' } = bank.decide('approve', url, psuId);
  const { json } = await redeem(bank, redirectedTo, verifier);
  return json as { access_token: string; refresh_token: string; scope: string };
}

/** The header of a PSU who has logged in. */
export async function bearerOf(bank: TestBank, psuId: string, scope?: string) {
  return { Authorization: `Bearer ${(await tokensOf(bank, psuId, scope)).access_token}` };
}
