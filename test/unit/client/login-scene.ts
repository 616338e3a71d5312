// An OAuth server typed by hand from RFC 6749, 7009, 7636, 8414 and 9207; not ours.
import { expect } from 'vitest';
import { logIn } from '../../../src/client/browser/login.ts';
import { fakePerson } from '../../helpers/fakes/index.ts';
import { world } from '../../helpers/world.ts';
import type { Wish, World } from '../../helpers/world.ts';
import type { Profile } from '../../../src/settings/records/profile.ts';

export const issuer = 'https://login.bank.example';
export const document = `${issuer}/.well-known/oauth-authorization-server`;
export const metadata = {
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  revocation_endpoint: `${issuer}/revoke`,
  authorization_response_iss_parameter_supported: true,
};
export const access = 'acc-0123456789abcdef';
export const renewed = 'new-0123456789abcdef';
export const refreshing = 'ref-0123456789abcdef';
export const answer = {
  ...{ access_token: access, token_type: 'Bearer', expires_in: 300 },
  ...{ refresh_token: refreshing, scope: 'PIS AIS' },
};
export const profile: Partial<Profile> = {
  redirectUri: 'https://tpp.example/cb',
  oauth: { clientId: 'PSDDE-BAFIN-125314', issuer },
};
export const options = { wait: false, timeoutMs: 1000, browser: 'never' } as const;
export const iss = `iss=${encodeURIComponent(issuer)}`;

/** The next process on the same machine. */
export function next({ store, journal, clock }: World, psu: string, wish: Wish = {}): Promise<World> {
  return world({ profile, store, journal, clock, run: { psu: { id: psu } }, ...wish });
}

export async function begun(psu = 'anna', before?: World): Promise<{ there: World; state: string }> {
  const wish: Wish = { profile, run: { psu: { id: psu } } };
  const there = await (before === undefined ? world(wish) : next(before, psu));
  // Chance is counted in each world anew.
  if (before !== undefined) there.target.ports.ids.token(24);
  there.http.expect('GET', document, { body: metadata });
  const ended = await logIn(there.target, options);
  there.verify();
  const { searchParams } = new URL('url' in ended ? ended.url : '');
  expect(searchParams.get('scope')).toBe('PIS AIS');
  return { there, state: searchParams.get('state') ?? '' };
}

export async function returned(before: World, url: string, psu = 'anna', token?: object) {
  const there = await next(before, psu, {
    person: fakePerson({ present: false }).answer('return-url', url),
  });
  if (token !== undefined) there.http.expect('POST', metadata.token_endpoint, token);
  const ended = await logIn(there.target, options).catch((error: unknown) => error);
  there.http.verify();
  return { there, ended };
}

export async function loggedIn(psu = 'anna', before?: World, token: object = answer): Promise<World> {
  const { there, state } = await begun(psu, before);
  const url = `https://tpp.example/cb?code=code-0123456789&state=${state}&${iss}`;
  const { there: after, ended } = await returned(there, url, psu, { body: token });
  expect(ended).toMatchObject({ token: { psuId: psu } });
  return next(after, psu);
}
