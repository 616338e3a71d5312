import { guardConnection } from '../../../../src/client/exchange/call-guard.ts';
import { describe, expect, it } from 'vitest';
import { call } from '../../../../src/client/call/call.ts';
import { callOauth } from '../../../../src/client/oauth/oauth-transport.ts';
import { Secret } from '../../../../src/base/secret.ts';
import { fakeSecrets } from '../../../helpers/fakes/index.ts';
import { world } from '../../../helpers/world.ts';
import type { Wish } from '../../../helpers/world.ts';
import { get, getPath, put, read } from '../calls.ts';
import type { Profile } from '../../../../src/settings/records/profile.ts';
import { failedWith } from '../../../helpers/failed-with.ts';

const plain: Partial<Profile> = { baseUrl: 'http://bank.example', allowHttp: true };
const otp = { ...put, body: { json: { scaAuthenticationData: new Secret('123456') } } };

describe('plain http beyond this machine', () => {
  it('needs allowHttp, and never in production', async () => {
    const refused = { code: 'CONNECTION_INSECURE', exit: 3 };
    await expect(world({ profile: { baseUrl: 'http://bank.example' } })).rejects.toMatchObject(refused);
    await expect(world({ profile: plain, environment: 'production' })).rejects.toMatchObject(refused);
    await expect(world({ profile: { allowHttp: true }, environment: 'production' })).rejects.toMatchObject(
      refused,
    );
  });

  it('is reported with every call', async () => {
    const there = await world({ profile: plain });
    there.http.expect('GET', getPath, read).expect('GET', getPath, read);
    await call(there.target, get);
    await call(there.target, get);
    expect(there.http.requests.map(({ connection }) => connection.plain)).toEqual([true, true]);
    expect(there.notices.warned.filter((line) => line.startsWith('Plain http to bank.example'))).toHaveLength(
      2,
    );
    there.verify();
  });

  it.each<[string, Wish, Parameters<typeof call>[1]]>([
    ['a token', { token: 'canary' }, get],
    ['an OTP', {}, otp],
  ])('never carries %s', async (_name, wish, input) => {
    const there = await world({ profile: plain, ...wish });
    expect(await failedWith(call(there.target, input))).toMatchObject({
      code: 'CONNECTION_INSECURE',
      exit: 3,
    });
    expect(there.http.requests).toEqual([]);
    expect(there.journal.records).toEqual([]);
  });
});

describe('a secret header of the bank', () => {
  const rules = [{ name: 'X-Key', action: 'default', valueFrom: 'env:KEY' }] as const;
  const secrets = () => fakeSecrets({ 'env:KEY': 'k3y-c4n4ry-of-the-bank' });

  it('never goes where others can read it', async () => {
    for (const wish of [
      { profile: { ...plain, headers: { rules } } },
      { environment: 'sandbox', profile: { headers: { rules } }, run: { insecure: true } },
    ] as const) {
      const there = await world(wish);
      there.target.ports.secrets = secrets();
      expect(await failedWith(call(there.target, get))).toMatchObject({ code: 'CONNECTION_INSECURE' });
      expect(there.http.requests).toEqual([]);
    }
  });

  it('is sent otherwise, and stands in no record', async () => {
    const there = await world({ profile: { headers: { rules } } });
    there.target.ports.secrets = secrets();
    there.http.expect('GET', getPath, read);
    await call(there.target, get);
    expect(there.http.requests[0]?.header('X-Key')).toBe('k3y-c4n4ry-of-the-bank');
    expect(JSON.stringify(there.journal.records)).toContain('["X-Key","[secret]"]');
    there.verify();
  });
});

describe('a service at an address of its own', () => {
  const urls = { perService: { ais: 'http://ais.example' } };

  it('is held to the rules of the first: no plain http, and not unchecked beyond this machine', async () => {
    const refused = { code: 'CONNECTION_INSECURE', exit: 3 };
    await expect(world({ profile: { urls } })).rejects.toMatchObject(refused);
    const here = { baseUrl: 'https://127.0.0.1:8443', urls: { perService: { ais: 'https://ais.example' } } };
    await expect(world({ profile: here, run: { insecure: true } })).rejects.toMatchObject(refused);
  });
});

describe('--insecure', () => {
  const run = { insecure: true };
  it.each<[Wish, boolean]>([
    [{ environment: 'sandbox' }, true],
    [{ environment: 'test' }, false],
    [{ environment: 'production' }, false],
    [{ environment: 'test', profile: { baseUrl: 'https://127.0.0.1:8443' } }, true],
    [{ environment: 'production', profile: { baseUrl: 'https://127.0.0.1:8443' } }, false],
  ])('is allowed for %j: %s', async (wish, may) => {
    const opened = world({ ...wish, run });
    if (!may) await expect(opened).rejects.toMatchObject({ code: 'CONNECTION_INSECURE', exit: 3 });
    else expect(await (await opened).target.connection()).toEqual({ insecure: true });
  });

  it('is reported with every call, the OAuth server included, and never sends a token', async () => {
    const there = await world({ environment: 'sandbox', run });
    there.http.expect('GET', getPath, read).expect('GET', 'https://sso.example/metadata', { body: {} });
    await call(there.target, get);
    await callOauth(
      there.target,
      { id: 'oauthMetadata', method: 'GET', url: 'https://sso.example/metadata' },
      {},
    );
    expect(there.notices.warned.map((line) => /of (\S+) is not checked/.exec(line)?.[1])).toEqual([
      'bank.example',
      'sso.example',
    ]);
    there.verify();
    const known = await world({ environment: 'sandbox', run, token: 'canary' });
    expect(await failedWith(call(known.target, get))).toMatchObject({ code: 'CONNECTION_INSECURE' });
    expect(known.http.requests).toEqual([]);
  });
});

it('a password is not sent with --insecure, just as a token is not', () => {
  const target = {
    name: 'p',
    run: { insecure: true },
    ports: { notices: { warn: () => undefined } },
  } as never;
  const call = (hasSecret: boolean) => ({ hasSecret, request: { url: 'https://b.example/x', headers: [] } });
  expect(() => {
    guardConnection(target, call(true) as never);
  }).toThrow(/password.* is not sent with --insecure/);
  expect(() => {
    guardConnection(target, call(false) as never);
  }).not.toThrow();
});
