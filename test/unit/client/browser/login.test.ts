import { describe, expect, it } from 'vitest';
import { logIn } from '../../../../src/client/browser/login.ts';
import { call } from '../../../../src/client/call/call.ts';
import { psuHeaders } from '../../../../src/client/call/psu-headers.ts';
import { logOut } from '../../../../src/client/oauth/logout.ts';
import { fakePerson } from '../../../helpers/fakes/index.ts';
import { world } from '../../../helpers/world.ts';
import {
  issuer,
  document,
  metadata,
  access,
  refreshing,
  answer,
  profile,
  options,
  iss,
  next,
  begun,
  returned,
  loggedIn,
} from '../login-scene.ts';

describe('a login', () => {
  it('sends no code, and loses none, where the profile no longer names its issuer', async () => {
    const { there, state } = await begun();
    const url = `https://tpp.example/cb?code=code-0123456789&state=${state}&${iss}`;
    const person = () => fakePerson({ present: false }).answer('return-url', url);
    const others = { ...profile, oauth: { ...profile.oauth, issuer: 'https://login.other.example' } };
    const moved = await next(there, 'anna', { profile: others, person: person() });
    const refusal = { code: 'CREDENTIALS_ELSEWHERE', title: expect.stringContaining(issuer) };
    await expect(logIn(moved.target, options)).rejects.toMatchObject(refusal);
    const { ended } = await returned(there, url, 'anna', { body: answer });
    expect(ended).toMatchObject({ token: { psuId: 'anna' } });
  });

  it('gives a token that goes with every call of its PSU and with none of another', async () => {
    const anna = await loggedIn();
    const bearer = (want: string | undefined) => ({
      body: { accounts: [] },
      check: (request: { header(name: string): string | undefined }) => {
        expect(request.header('Authorization')).toBe(want);
      },
    });
    anna.http.expect('GET', '/v1/accounts', bearer(`Bearer ${access}`));
    await call(anna.target, { operation: 'getAccountList', headers: [['Consent-ID', 'c']] });
    expect(psuHeaders(anna.target)).toEqual([]);

    const bert = await next(anna, 'bert');
    expect(psuHeaders(bert.target)).toEqual([['PSU-ID', 'bert']]);
    bert.http.expect('GET', '/v1/accounts', bearer(undefined));
    await call(bert.target, { operation: 'getAccountList', headers: [['Consent-ID', 'c']] });
    expect(psuHeaders(anna.target, 'bert')).toEqual([['PSU-ID', 'bert']]);

    const kept = JSON.stringify([anna.journal.records, anna.notices, bert.journal.records]);
    for (const secret of [access, refreshing, 'code-0123456789']) expect(kept).not.toContain(secret);
    expect(kept).toContain('oauthToken');
  });

  it('accepts what a person pastes once it is the right address', async () => {
    const person = fakePerson();
    const there = await world({ profile, run: { psu: { id: 'anna' } }, person });
    // Chance is counted: the state is the first token of a world.
    const state = (await world()).target.ports.ids.token(24);
    for (const line of ['', 'https://tpp.example/cb?code=c&state=other', at(good(state))])
      person.pastes(line);
    there.http.expect('GET', document, { body: metadata });
    there.http.expect('POST', metadata.token_endpoint, {
      body: answer,
      check: ({ body }) => {
        expect(new URLSearchParams(body).get('code')).toBe('code-0123456789');
      },
    });
    expect(await logIn(there.target, { ...options, timeoutMs: 60_000 })).toMatchObject({
      token: { psuId: 'anna' },
    });
    expect(there.notices.warned.filter((line) => line.startsWith('That is not used'))).toHaveLength(2);
    there.verify();
  });

  it('is not used where several have logged in and nobody states who calls', async () => {
    const both = await loggedIn('bert', await loggedIn('anna'));
    const { store, clock, journal } = both;
    const there = await world({ profile, store, clock, journal });
    await expect(call(there.target, { operation: 'getAccountList' })).rejects.toMatchObject({
      code: 'AUTH_NEEDED',
      hint: ['--psu-id anna', '--psu-id bert'],
    });
    there.verify();
  });

  it.each([
    'https://bank.example.evil.example/v1/accounts',
    'https://evil.example/v1/accounts',
    'https://bank.example@evil.example/v1/accounts',
    'https://evil.example\\@bank.example/v1/accounts',
    'https://bank.example:444/v1/accounts',
    'http://bank.example/v1/accounts',
    '//evil.example/v1/accounts',
    '\\\\evil.example/v1/accounts',
    'https://login.bank.example/v1/accounts',
    'https://bank.example/admin',
    'https://bank.example/v1/../admin',
  ])('leads to no foreign address: %s', async (href) => {
    const there = await loggedIn();
    await expect(call(there.target, { operation: 'getAccountList', href })).rejects.toMatchObject({
      code: 'LINK_REFUSED',
    });
    there.verify();
  });

  it('leads to the origins that the profile names', async () => {
    const before = await loggedIn();
    const there = await next(before, 'anna', {
      profile: { ...profile, origins: ['https://api2.bank.example'] },
    });
    const href = 'https://api2.bank.example/v1/accounts';
    there.http.expect('GET', href, {
      body: { accounts: [] },
      check: (request) => {
        expect(request.header('Authorization')).toBe(`Bearer ${access}`);
      },
    });
    await call(there.target, { operation: 'getAccountList', href });
    there.verify();
  });

  it.each<[string, object, string]>([
    ['another issuer', { issuer: 'https://evil.example' }, 'ANSWER_UNREADABLE'],
    ['an issuer that is none', { issuer: 7 }, 'ANSWER_UNREADABLE'],
    ['the issuer and a path', { issuer: `${issuer}/x` }, 'ANSWER_UNREADABLE'],
    ['no token endpoint', { token_endpoint: undefined }, 'LINK_REFUSED'],
    ['a plain token endpoint', { token_endpoint: 'http://login.bank.example/token' }, 'LINK_REFUSED'],
    ['a plain revocation endpoint', { revocation_endpoint: 'http://login.bank.example/r' }, 'LINK_REFUSED'],
    ['an odd authorization endpoint', { authorization_endpoint: 'javascript:alert(1)' }, 'LINK_REFUSED'],
  ])('is not started at a server whose metadata have %s', async (_, wrong, code) => {
    const there = await world({ profile, run: { psu: { id: 'anna' } } });
    there.http.expect('GET', document, { body: { ...metadata, ...wrong } });
    await expect(logIn(there.target, options)).rejects.toMatchObject({ code });
    there.verify();
    expect(await there.store.credentials.read('acme')).toEqual({});
  });

  it.each<[string, object, string]>([
    ['lead elsewhere', { status: 302, body: '' }, 'The server answered 302, not 200.'],
    ['are not there', { status: 404, body: { error: 'x' } }, 'The server answered 404, not 200.'],
    ['are a page', { body: '<html>' }, 'They are not an object of JSON.'],
    ['are empty', { body: '' }, 'They are not an object of JSON.'],
    ['are null', { body: 'null' }, 'They are not an object of JSON.'],
    ['are a list', { body: [] }, 'They are not an object of JSON.'],
    ['name no issuer', { body: {} }, 'They name no issuer.'],
    ['have an issuer that is none', { body: { issuer: 'me' } }, 'They name no issuer.'],
  ])('reports that the metadata %s', async (_, replied, detail) => {
    const elsewhere = `${issuer}/metadata.json`;
    const ways = [
      { at: document, way: profile },
      { at: elsewhere, way: { ...profile, oauth: { metadata: elsewhere } } },
    ];
    for (const { at: url, way } of ways) {
      const there = await world({ profile: way, run: { psu: { id: 'anna' } } });
      there.http.expect('GET', url, { headers: { 'content-type': 'application/json' }, ...replied });
      await expect(logIn(there.target, options)).rejects.toMatchObject({ code: 'ANSWER_UNREADABLE', detail });
    }
  });

  it("is not started at a server other than the profile's, whatever address leads there", async () => {
    const elsewhere = 'https://meta.bank.example/oauth.json';
    const { redirectUri, oauth } = profile as { redirectUri: string; oauth: object };
    const there = await world({ profile: { redirectUri, oauth: { ...oauth, metadata: elsewhere } } });
    there.http.expect('GET', elsewhere, { body: { ...metadata, issuer: 'https://evil.example' } });
    await expect(logIn(there.target, options)).rejects.toMatchObject({ code: 'ANSWER_UNREADABLE' });
    there.http.expect('GET', elsewhere, { body: { ...metadata, issuer: `${issuer}/` } });
    expect(await logIn(there.target, options)).toMatchObject({ timedOut: false });
    there.verify();
  });

  it('is suggested where the bank requires it, for the PSU who calls', async () => {
    const there = await world({ profile, run: { psu: { id: 'anna' } } });
    const body = {
      tppMessages: [{ category: 'ERROR', code: 'TOKEN_UNKNOWN' }],
      _links: { scaOAuth: { href: document } },
    };
    there.http.expect('GET', '/v1/accounts', { status: 401, body });
    await expect(call(there.target, { operation: 'getAccountList' })).rejects.toMatchObject({
      exit: 4,
      hint: ['obk auth login --profile acme --psu-id anna'],
    });
    const known = await loggedIn();
    const invalid = { tppMessages: [{ category: 'ERROR', code: 'TOKEN_INVALID' }] };
    known.http.expect('GET', '/v1/accounts', { status: 401, body: invalid });
    await expect(call(known.target, { operation: 'getAccountList' })).rejects.toMatchObject({
      hint: ['obk auth login --profile acme --psu-id anna'],
    });
  });

  it('leaves Consent-ID out where the bank reads the consent from the token', async () => {
    const before = await loggedIn();
    const there = await next(before, 'anna', { profile: { ...profile, auth: { consent: 'token' } } });
    there.http.expect('GET', '/v1/accounts', {
      body: { accounts: [] },
      check: (request) => {
        expect(request.header('Consent-ID')).toBeUndefined();
        expect(request.header('Authorization')).toBe(`Bearer ${access}`);
      },
    });
    await call(there.target, { operation: 'getAccountList', headers: [['Consent-ID', 'c']] });
  });

  it('asks the bank for its OAuth server where nothing else names it', async () => {
    const there = await world({ profile: { ...profile, oauth: { clientId: 'x' } } });
    const refused = {
      status: 401,
      body: {
        tppMessages: [{ category: 'ERROR', code: 'TOKEN_UNKNOWN' }],
        _links: { scaOAuth: { href: document } },
      },
    };
    there.http.expect('GET', '/v1/accounts', refused).expect('GET', document, { body: metadata });
    expect(await logIn(there.target, options)).toMatchObject({ timedOut: false });
  });

  it('ends everywhere, and at the bank where the bank can end it', async () => {
    const there = await loggedIn();
    there.http.expect('POST', metadata.revocation_endpoint, {
      check: ({ body }) => {
        expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
          token: refreshing,
          client_id: 'PSDDE-BAFIN-125314',
        });
      },
    });
    expect(await logOut(there.target, false)).toEqual({ erased: 1, revoked: 1 });
    expect(await there.store.credentials.read('acme')).toEqual({});
  });
});

const good = (state: string) => `code=code-0123456789&state=${state}&${iss}`;
const at = (query: string) => `https://tpp.example/cb?${query}`;

describe('a return that does not fit the login', () => {
  it.each<[string, (state: string) => string]>([
    ['without a state', () => at(`code=c&${iss}`)],
    ['with an empty state', () => at(`code=c&state=&${iss}`)],
    ['with another state', () => at(good('other'))],
    ['with a longer state', (state) => at(good(`${state}x`))],
    ['with a shorter state', (state) => at(good(state.slice(1)))],
    ['with two states', (state) => at(`${good(state)}&state=${state}`)],
    ['with two different states', (state) => at(`state=x&${good(state)}`)],
    ['with two codes', (state) => at(`${good(state)}&code=d`)],
    ['without a code', (state) => at(`state=${state}&${iss}`)],
    ['without an issuer', (state) => at(`code=c&state=${state}`)],
    ['with another issuer', (state) => at(`code=c&state=${state}&iss=https%3A%2F%2Fevil.example`)],
    ['with the issuer and a slash', (state) => at(`code=c&state=${state}&${iss}%2F`)],
    ['with two issuers', (state) => at(`${good(state)}&${iss}`)],
    ['with an error that has no state', () => at(`error=access_denied&${iss}`)],
    ['with an error and another state', () => at(`error=access_denied&state=other&${iss}`)],
    ['at another path', (state) => at(good(state)).replace('/cb?', '/bc?')],
    ['at a path below', (state) => at(good(state)).replace('/cb?', '/cb/x?')],
    ['at another host', (state) => at(good(state)).replace('tpp.', 'evil.')],
    ['at another port', (state) => at(good(state)).replace('.example/', '.example:444/')],
    ['over plain http', (state) => at(good(state)).replace('https:', 'http:')],
    ['in the fragment', (state) => at(good(state)).replace('?', '#')],
    ['that is no address', (state) => good(state)],
    ['that is empty', () => ' '],
  ])('gets no token: %s', async (_, url) => {
    const { there, state } = await begun();
    const { ended } = await returned(there, url(state));
    expect(ended).toMatchObject({ code: 'RETURN_REFUSED', exit: 2 });
    expect((await there.store.credentials.read('acme')).tokens).toBeUndefined();
  });

  it('gets no token where it is of an earlier login of the same PSU (a second tab)', async () => {
    const first = await begun();
    const second = await begun('anna', first.there);
    expect(second.state).not.toBe(first.state);
    const { ended } = await returned(second.there, at(good(first.state)));
    expect(ended).toMatchObject({ code: 'RETURN_REFUSED' });
  });

  it('gets no token where it is of the login of another PSU', async () => {
    const anna = await begun();
    const bert = await begun('bert', anna.there);
    expect(bert.state).not.toBe(anna.state);
    const { ended } = await returned(bert.there, at(good(anna.state)), 'bert');
    expect(ended).toMatchObject({ code: 'RETURN_REFUSED' });
  });

  it('gets no token where it is a refusal, nor after one', async () => {
    const { there, state } = await begun();
    const refused = await returned(there, at(`error=access_denied&state=${state}&${iss}`));
    expect(refused.ended).toMatchObject({ code: 'DECLINED', exit: 9 });
    const again = await returned(there, at(good(state)));
    expect(again.ended).toMatchObject({ code: 'RETURN_REFUSED' });
  });
});
