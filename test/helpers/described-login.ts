import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { DescribedBank, Told } from './described-bank.ts';

/** Where the browser of a PSU comes back to. */
export const back = 'http://127.0.0.1:1/back';
/** The organizationIdentifier of the bank's own TPP. */
export const clientId = 'PSDDE-BAFIN-999999';

type Parameters = Record<string, string | undefined>;

/** An authorization request with the verifier of its code. */
export function loginRequest(change: Parameters = {}, octets = 32): { verifier: string; path: string } {
  const verifier = randomBytes(octets).toString('base64url');
  const all: Parameters = {
    ...{ response_type: 'code', client_id: clientId, scope: 'PIS AIS', state: 's-1', redirect_uri: back },
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...change,
  };
  const given = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return { verifier, path: `/oauth/authorize?${new URLSearchParams(given).toString()}` };
}

/** Asks for a token by a form. */
export const askToken = ({ ask }: DescribedBank, form: Record<string, string>, query = ''): Promise<Told> =>
  ask('POST', `/oauth/token${query}`, {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });

/** The code that a PSU who logs in brings back. */
export const codeOfLogin = ({ bank }: DescribedBank, path: string, psuId: string): string =>
  new URL(bank.decide('approve', bank.baseUrl + path, psuId).redirectedTo ?? '').searchParams.get('code') ??
  '';

/** The grant of a PSU who has logged in. */
export function grantOf(bank: DescribedBank, change: Parameters = {}, octets = 32): Record<string, string> {
  const { verifier, path } = loginRequest(change, octets);
  return {
    ...{ grant_type: 'authorization_code', client_id: clientId, redirect_uri: back },
    ...{ code: codeOfLogin(bank, path, 'redirect'), code_verifier: verifier },
  };
}

/** The tokens of a PSU who has logged in. */
export async function tokensOf(
  bank: DescribedBank,
): Promise<{ access_token: string; refresh_token?: string; expires_in?: number }> {
  const told = await askToken(bank, grantOf(bank));
  expect(told.status, told.text).toBe(200);
  return told.json as { access_token: string };
}

/** Shows a refresh token. */
export const refreshed = (bank: DescribedBank, refresh_token = ''): Promise<Told> =>
  askToken(bank, { grant_type: 'refresh_token', client_id: clientId, refresh_token });
