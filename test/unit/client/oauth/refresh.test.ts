import { describe, expect, it } from 'vitest';
import { ObkError } from '../../../../src/base/errors.ts';
import { call } from '../../../../src/client/call/call.ts';
import { openTarget } from '../../../../src/client/exchange/open-target.ts';
import { refresh } from '../../../../src/client/oauth/refresh.ts';
import { keepToken, tokenFor } from '../../../../src/client/oauth/tokens.ts';
import { Secret } from '../../../../src/base/secret.ts';
import type { World } from '../../../helpers/world.ts';
import { metadata, renewed, answer, loggedIn, next } from '../login-scene.ts';

describe('a token refresh', () => {
  const granted = { body: { ...answer, access_token: renewed, refresh_token: 'rotated-0123456789' } };
  const read = { operation: 'getAccountList', headers: [['Consent-ID', 'c']] } as const;
  const expired = { status: 401, body: { tppMessages: [{ category: 'ERROR', code: 'TOKEN_EXPIRED' }] } };
  const withNew = {
    body: { accounts: [] },
    check: (request: { header(name: string): string | undefined }) => {
      expect(request.header('Authorization')).toBe(`Bearer ${renewed}`);
    },
  };

  it('comes before a call whose token is near its end, once for all that wait', async () => {
    const there = await loggedIn();
    await there.clock.sleep(271_000);
    there.http.expect('POST', metadata.token_endpoint, granted);
    for (let n = 0; n < 8; n += 1) there.http.expect('GET', '/v1/accounts', withNew);
    await Promise.all(Array.from({ length: 8 }, () => call(there.target, read)));
    there.verify();
  });

  it('notes what was tidied in its answer', async () => {
    const { store, journal, clock } = await loggedIn();
    const noted: unknown[] = [];
    const onExchange = ({ tolerated }: { tolerated: readonly { at: string }[] }) =>
      void noted.push(tolerated.map(({ at }) => at));
    const there = await next({ store, journal, clock } as World, 'anna', {
      run: { psu: { id: 'anna' }, onExchange },
    });
    await there.clock.sleep(271_000);
    there.http.expect('POST', metadata.token_endpoint, { body: { ...granted.body, scope: null } });
    there.http.expect('GET', '/v1/accounts', withNew);
    await call(there.target, read);
    expect(noted).toEqual([['/scope'], []]);
  });

  it('follows TOKEN_EXPIRED, and a read is repeated once', async () => {
    const there = await loggedIn();
    there.http.expect('GET', '/v1/accounts', expired);
    there.http.expect('POST', metadata.token_endpoint, granted).expect('GET', '/v1/accounts', expired);
    await expect(call(there.target, read)).rejects.toMatchObject({ exit: 4 });
    there.verify();
  });

  it('follows TOKEN_EXPIRED of a write, which is not repeated', async () => {
    const there = await loggedIn();
    there.http.expect('POST', '/v1/consents', expired).expect('POST', metadata.token_endpoint, granted);
    const write = { operation: 'createConsent', body: { json: {} } } as const;
    await expect(call(there.target, write)).rejects.toMatchObject({
      exit: 4,
      hint: ['Run the same command again.'],
    });
    there.verify();
  });

  it('is not repeated where its answer was lost: the old token serves while it is good, then a login', async () => {
    const there = await loggedIn();
    await there.clock.sleep(280_000);
    there.http.expectFailure('POST', metadata.token_endpoint, { sent: true, reason: 'reset' });
    there.http.expect('GET', '/v1/accounts', { body: { accounts: [] } });
    await call(there.target, read);
    await there.clock.sleep(30_000);
    await expect(call(there.target, read)).rejects.toMatchObject({
      code: 'AUTH_NEEDED',
      hint: ['obk auth login --profile acme --psu-id anna'],
    });
    there.verify();
  });

  it('may be tried again where it never left', async () => {
    const there = await loggedIn();
    await there.clock.sleep(280_000);
    there.http.expectFailure('POST', metadata.token_endpoint, { sent: false, reason: 'connect' });
    there.http.expect('GET', '/v1/accounts', { body: { accounts: [] } });
    await call(there.target, read);
    there.http.expect('POST', metadata.token_endpoint, granted).expect('GET', '/v1/accounts', withNew);
    await call(there.target, read);
    there.verify();
  });

  it('reports the new token as lost where it cannot be kept, and how to log in again', async () => {
    const there = await loggedIn();
    await there.clock.sleep(280_000);
    there.http.expect('POST', metadata.token_endpoint, {
      ...granted,
      check: () => {
        there.store.failWrites(
          new ObkError({
            code: 'CONFIG_NOT_WRITTEN',
            title: 'full',
            detail: 'x: the disk is full.',
            hint: ['Make room.'],
          }),
        );
      },
    });
    await expect(call(there.target, read)).rejects.toMatchObject({
      exit: 3,
      title: 'The new token could not be kept, and is lost.',
      detail: 'x: the disk is full.',
      hint: ['Make room.', 'obk auth login --profile acme --psu-id anna'],
    });
    there.verify();
  });

  it('erases the token where it is refused', async () => {
    const there = await loggedIn();
    const body = { error: 'invalid_grant' };
    there.http.expect('POST', metadata.token_endpoint, { status: 400, body });
    const result = await refresh(there.target, there.target.logins[0]!);
    expect(result).toMatchObject({ why: { exit: 4, hint: ['obk auth login --profile acme --psu-id anna'] } });
    expect((await there.store.credentials.read('acme')).tokens).toBeUndefined();
    const { ports } = there.target;
    const chosen = { name: 'acme', profile: there.target.profile, origin: 'flag', builtIn: false } as const;
    expect((await openTarget(ports, chosen, { dryRun: false })).logins).toEqual([]);
  });
});

describe('a token refresh whose lock was lost, as one that a connection holds can be,', () => {
  const newer = { token: new Secret('of-another-0123456789'), refreshToken: new Secret('next-0123456789') };
  const stored = async (there: Awaited<ReturnType<typeof loggedIn>>) =>
    (await there.store.credentials.read('acme')).tokens ?? [];
  /** What another process does, that has no lock to wait for. */
  const elsewhere = (there: Awaited<ReturnType<typeof loggedIn>>, change: object) =>
    there.store.credentials.update('acme', ({ tokens = [], ...rest }) => ({
      ...rest,
      tokens: tokens.map((one) => ({ ...one, ...change })),
    }));

  it('does not erase the token that another process has fetched meanwhile, and goes on with that one', async () => {
    const there = await loggedIn();
    const [old] = there.target.logins;
    there.http.expect('POST', metadata.token_endpoint, {
      status: 400,
      body: { error: 'invalid_grant' },
      check: () => void elsewhere(there, newer),
    });
    const result = await refresh(there.target, old!);
    expect('token' in result && result.token.token.reveal()).toBe('of-another-0123456789');
    expect((await stored(there)).map(({ token }) => token.reveal())).toEqual(['of-another-0123456789']);
  });

  it('sends nothing where another process has marked the token since it looked', async () => {
    const there = await loggedIn();
    const { credentials } = there.target.ports;
    const ports = {
      ...there.target.ports,
      credentials: {
        ...credentials,
        read: async (profile: string) => {
          const before = await credentials.read(profile);
          await elsewhere(there, { refreshSentAt: '2026-11-21T10:00:00.000Z', refreshRun: 'another' });
          return before;
        },
      },
    };
    const result = await refresh({ ...there.target, ports }, there.target.logins[0]!);
    expect(result).toMatchObject({ why: { detail: 'Another process is refreshing it.' } });
    expect(there.http.requests).toHaveLength(0);
    expect(await stored(there)).toMatchObject([{ refreshRun: 'another' }]);
  });
});

describe('the life of a refresh token in a bank description', () => {
  const day = 86_400_000;
  /** What a refresh does so long after the login, with these settings of auth. */
  async function after(ms: number, auth: object, lost = false) {
    const there = await loggedIn();
    const target = { ...there.target, profile: { ...there.target.profile, auth } };
    if (lost) {
      there.http.expectFailure('POST', metadata.token_endpoint, { sent: true, reason: 'reset' });
      await refresh(target, target.logins[0]!);
    }
    await there.clock.sleep(ms);
    const before = there.http.requests.length;
    there.http.expect('POST', metadata.token_endpoint, { body: { ...answer, access_token: renewed } });
    const result = await refresh(target, target.logins[0]!);
    return { result, sent: there.http.requests.length - before };
  }

  it.each<[string, number, object, RegExp]>([
    [
      'auth.lifetimes.refreshS',
      3_600_001,
      { lifetimes: { refreshS: 3600 } },
      /ended at .*auth\.lifetimes\.refreshS/,
    ],
    ['auth.refresh.chainDays', 180 * day + 1, { refresh: { chainDays: 180 } }, /every 180 days/],
  ])('ends by %s, and nothing is sent', async (_, ms, auth, why) => {
    const { result, sent } = await after(ms, auth);
    expect(sent).toBe(0);
    expect(result).toMatchObject({
      why: {
        code: 'AUTH_NEEDED',
        detail: expect.stringMatching(why) as string,
        hint: [expect.stringContaining('obk auth login') as string],
      },
    });
    expect((await after(ms, {})).sent).toBe(1);
    expect((await after(ms - 10_000, auth)).sent).toBe(1);
  });

  it('begins anew with each refresh token, while their chain does not', async () => {
    const there = await loggedIn();
    const auth = { lifetimes: { refreshS: 3600 }, refresh: { chainDays: 2 } };
    const target = { ...there.target, profile: { ...there.target.profile, auth } };
    const login = async () => (await there.store.credentials.read('acme')).tokens?.[0];
    for (let hour = 0; hour < 49; hour += 1) {
      await there.clock.sleep(3_500_000);
      there.http.expect('POST', metadata.token_endpoint, {
        body: { ...answer, access_token: `a-${String(hour)}`, refresh_token: `r-${String(hour)}` },
      });
      expect(await refresh(target, (await login())!)).toHaveProperty('token');
    }
    await there.clock.sleep(3_500_000);
    expect(await refresh(target, (await login())!)).toMatchObject({
      why: { detail: expect.stringContaining('every 2 days') as string },
    });
  });

  it('allows a repetition after a lost answer where the token works again and again (auth.refresh.rotates: false)', async () => {
    expect((await after(0, { refresh: { rotates: false } }, true)).sent).toBe(1);
    expect((await after(0, {}, true)).sent).toBe(0);
  });
});

it('a token of a bank whose tokens are not kept lasts for its run only (auth.store)', async () => {
  const there = await loggedIn();
  const target = { ...there.target, profile: { ...there.target.profile, auth: { store: 'never' as const } } };
  const before = JSON.stringify(await there.store.credentials.read('acme'));
  await keepToken(target, { resource: 'c-1', noun: 'consent', token: new Secret('of-c-1') });
  const read = { operation: 'getConsentStatus', params: { consentId: 'c-1' } } as const;
  expect((await tokenFor(target, read))?.reveal()).toBe('of-c-1');
  expect(JSON.stringify(await there.store.credentials.read('acme'))).toBe(before);
  const next = { ...target, state: { ...target.state } };
  expect(await tokenFor(next, read)).toBeUndefined();
});
