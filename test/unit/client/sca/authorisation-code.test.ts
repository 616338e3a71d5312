// An OAuth server typed by hand from RFC 6749, 7636, 8414 and 9207: not ours, and on another host than the bank.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { fakePerson } from '../../../helpers/fakes/index.ts';
import { world } from '../../../helpers/world.ts';
import type { Wish, World } from '../../../helpers/world.ts';
import { auth, finalised, one, payment, reopened, run, saved, settled, started } from '../payer.ts';
import { failedWith } from '../../../helpers/failed-with.ts';

const issuer = 'https://login.bank.example/tenant-7';
const metadataUrl = 'https://login.bank.example/.well-known/oauth-authorization-server/tenant-7?bic=TESTDEFF';
const token = 'tok-0123456789abcdef';
const metadata = {
  issuer,
  authorization_endpoint: 'https://web.bank.example/authorize?bic=TESTDEFF',
  token_endpoint: 'https://token.bank.example/token',
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
};
const resource = { ...payment, redirect: { uri: 'https://tpp.example/cb?lang=de' } };
const oauth = (more = {}) =>
  started({
    approach: 'REDIRECT',
    authorisationId: 'auth-1',
    links: { scaOAuth: metadataUrl, scaStatus: auth, ...more },
  });
const origins = ['https://token.bank.example'];
const profile = { origins, oauth: { clientId: 'PSDDE-BAFIN-125314' } };
const wish: Wish = { profile };
const tokenAnswer = { access_token: token, token_type: 'Bearer', expires_in: 300, scope: 'PIS:pay-1' };

/** The first process: prints the address and ends. */
async function away(there: World, conversation = oauth(), answer: object = metadata): Promise<URL> {
  there.http.expect('GET', metadataUrl, { body: answer });
  const ended = await run(there, conversation, { wait: false }, resource);
  expect(ended).toMatchObject({ success: undefined, timedOut: false });
  there.verify();
  return new URL(ended.conversation.oauth?.url ?? '');
}

/** Another process: the browser has ended at this address. */
async function back(before: World, url: string, expected: (there: World) => void, more: Wish = {}) {
  const person = fakePerson({ present: false }).answer('return-url', url);
  const there = await reopened(before, { ...wish, ...more, person });
  expected(there);
  const [conversation] = await saved(there);
  if (conversation === undefined) throw new Error('nothing saved');
  const ended = await run(there, conversation, { wait: false, resumed: true }, resource).catch(
    (e: unknown) => e,
  );
  there.verify();
  return { there, ended };
}

const cb = (state: string, more = '') =>
  `https://tpp.example/cb?lang=de&code=c-secret-0123456789&state=${state}${more}`;

describe('the authorization request', () => {
  it.each([
    ['is that of another issuer', {}, false],
    [
      'is that of an issuer whose origin the profile declares',
      { origins: [...origins, 'https://evil.example'] },
      true,
    ],
    [
      'is that of the issuer that the profile names',
      { oauth: { ...profile.oauth, issuer: 'https://evil.example' } },
      true,
    ],
    ['is that of another issuer than the profile names', { oauth: { ...profile.oauth, issuer } }, false],
  ])('uses a document at an address of its own where that %s', async (_, more, good) => {
    const there = await world({ profile: { ...profile, ...more } });
    const place = 'https://login.bank.example/oauth-metadata.json';
    there.http.expect('GET', place, { body: { ...metadata, issuer: 'https://evil.example' } });
    const ended = run(there, oauth({ scaOAuth: place }), { wait: false }, resource);
    if (good) expect((await ended).conversation.oauth?.url).toContain('https://web.bank.example/authorize');
    else await expect(ended).rejects.toMatchObject({ code: 'ANSWER_UNREADABLE' });
    there.verify();
  });

  // RFC 8414 sections 2 and 3.1: compared letter by letter, and without its slash in the address of the metadata.
  it.each([issuer, `${issuer}/`])('uses the document of the issuer %s as it is written', async (named) => {
    const there = await world({ profile: { ...profile, oauth: { ...profile.oauth, issuer: named } } });
    there.http.expect('GET', metadataUrl, { body: { ...metadata, issuer: named } });
    const ended = await run(there, oauth({ scaOAuth: metadataUrl }), { wait: false }, resource);
    expect(ended.conversation.oauth?.issuer).toBe(named);
    there.verify();
  });

  it.each([
    [issuer, `${issuer}/`],
    [`${issuer}/`, issuer],
    [`${issuer}/`, `${issuer}//`],
  ])('ignores the document of the issuer %s at %s', async (named, told) => {
    const there = await world({ profile: { ...profile, oauth: { ...profile.oauth, issuer: named } } });
    there.http.expect('GET', metadataUrl, { body: { ...metadata, issuer: told } });
    const ended = run(there, oauth({ scaOAuth: metadataUrl }), { wait: false }, resource);
    await expect(ended).rejects.toMatchObject({ code: 'ANSWER_UNREADABLE' });
    there.verify();
  });

  it('leads nobody to a bank whose token endpoint is at an origin that the profile does not declare', async () => {
    const there = await world({ profile: { oauth: profile.oauth } });
    there.http.expect('GET', metadataUrl, { body: metadata });
    const refused = run(there, oauth(), { wait: false }, resource);
    await expect(refused).rejects.toMatchObject({
      code: 'LINK_REFUSED',
      detail: expect.stringContaining('https://token.bank.example/token') as string,
      hint: [expect.stringContaining('--origin https://token.bank.example') as string],
    });
    expect((await there.store.credentials.read('acme')).verifiers).toBeUndefined();
    there.verify();
  });

  it.each(['tok\r\nX-Evil: 1', 'tok en', 'tok\u0000en', 'tökén'])(
    'accepts no token that could be more than a word of a header: %j',
    async (broken) => {
      const first = await world(wish);
      const state = (await away(first)).searchParams.get('state') ?? '';
      const { there, ended } = await back(first, cb(state), ({ http }) =>
        http.expect('POST', metadata.token_endpoint, { body: { ...tokenAnswer, access_token: broken } }),
      );
      expect(ended).toBeInstanceOf(Error);
      expect((await there.store.credentials.read('acme')).tokens ?? []).toEqual([]);
    },
  );

  it('has what the guidelines require, and another process finishes with the code', async () => {
    const first = await world(wish);
    const url = await away(first);
    expect(url.origin + url.pathname).toBe('https://web.bank.example/authorize');
    const query = Object.fromEntries(url.searchParams);
    expect(query).toEqual({
      bic: 'TESTDEFF',
      response_type: 'code',
      client_id: 'PSDDE-BAFIN-125314',
      scope: 'PIS:pay-1',
      state: expect.stringMatching(/^[A-Za-z0-9_-]{32}$/),
      redirect_uri: 'https://tpp.example/cb?lang=de',
      code_challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      code_challenge_method: 'S256',
    });
    const state = query['state'] ?? '';

    const { there, ended } = await back(first, cb(state), ({ http }) =>
      http
        .expect('POST', metadata.token_endpoint, {
          body: tokenAnswer,
          check: (request) => {
            const form = Object.fromEntries(new URLSearchParams(request.body));
            expect(form).toEqual({
              grant_type: 'authorization_code',
              client_id: 'PSDDE-BAFIN-125314',
              code: 'c-secret-0123456789',
              redirect_uri: 'https://tpp.example/cb?lang=de',
              code_verifier: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
            });
            const hash = createHash('sha256')
              .update(form['code_verifier'] ?? '')
              .digest('base64url');
            expect(hash).toBe(query['code_challenge']);
            expect(request.header('Authorization')).toBeUndefined();
            expect(request.header('Content-Type')).toMatch(/^application\/x-www-form-urlencoded/);
            expect(request.fresh).toBe(true);
          },
        })
        .expect('GET', auth, {
          ...finalised,
          check: (request) => {
            expect(request.header('Authorization')).toBe(`Bearer ${token}`);
          },
        })
        .expect('GET', `${one}/status`, {
          ...settled,
          check: (request) => {
            expect(request.header('Authorization')).toBe(`Bearer ${token}`);
          },
        }),
    );
    expect(ended).toMatchObject({ success: true, resource: { status: 'ACSC' } });
    const credentials = await there.store.credentials.read('acme');
    expect(credentials.verifiers).toBeUndefined();
    expect(credentials.tokens).toMatchObject([{ resource: 'pay-1', authorisationId: 'auth-1' }]);
    const kept = JSON.stringify([await saved(there), there.journal.records, there.notices]);
    for (const secret of [token, 'c-secret-0123456789']) expect(kept).not.toContain(secret);
  });

  it('is made although an answer with the metadata was lost', async () => {
    const there = await world(wish);
    there.http.expectFailure('GET', metadataUrl, { sent: true, reason: 'reset' });
    expect((await away(there)).pathname).toBe('/authorize');
  });

  it('stays the same while it is under way', async () => {
    const first = await world(wish);
    const url = await away(first);
    const second = await reopened(first, wish);
    second.http.expect('GET', auth, { body: { scaStatus: 'received' } });
    const [conversation] = await saved(second);
    const ended = await run(second, conversation!, { wait: false, resumed: true }, resource);
    expect(ended.conversation.oauth?.url).toBe(url.href);
    second.verify();
  });

  it.each([
    ['a scope of the profile for this kind', 'PIS: {paymentId} offline_access', 'PIS: pay-1 offline_access'],
    ['not one for another kind', 'AIS:{consentId}', 'PIS:pay-1'],
  ])('carries the scope: %s', async (_, scope, expected) => {
    const there = await world({ profile: { origins, oauth: { clientId: 'x', scope } } });
    const url = await away(there);
    expect(url.searchParams.get('scope')).toBe(expected);
    expect(url.search).not.toContain('+');
  });

  it.each([
    ['another issuer', { issuer: 'https://evil.example' }, 'ANSWER_UNREADABLE'],
    ['no token endpoint', { token_endpoint: undefined }, 'LINK_REFUSED'],
    ['a plain token endpoint', { token_endpoint: 'http://token.bank.example/t' }, 'LINK_REFUSED'],
    ['an odd authorization endpoint', { authorization_endpoint: 'javascript:alert(1)' }, 'LINK_REFUSED'],
  ])('is not made from metadata with %s', async (_, wrong, code) => {
    const there = await world(wish);
    there.http.expect('GET', metadataUrl, { body: { ...metadata, ...wrong } });
    expect(await failedWith(run(there, oauth(), { wait: false }, resource))).toMatchObject({
      code,
      resource: { paymentId: 'pay-1' },
    });
    expect((await there.store.credentials.read('acme')).verifiers).toBeUndefined();
  });

  it.each(['http://login.bank.example/m', 'file:///etc/passwd', '/oauth/metadata'])(
    'asks no %s for metadata',
    async (scaOAuth) => {
      const there = await world(wish);
      expect(await failedWith(run(there, oauth({ scaOAuth }), { wait: false }, resource))).toMatchObject({
        code: 'LINK_REFUSED',
      });
      there.verify();
    },
  );

  it('needs an address to return to', async () => {
    const there = await world(wish);
    expect(await failedWith(run(there, oauth(), { wait: false }))).toMatchObject({ code: 'PROFILE_INVALID' });
    there.verify();
  });
});

describe('a token request', () => {
  it.each([
    ['without a state', () => 'https://tpp.example/cb?lang=de&code=c-secret-0123456789'],
    ['with another state', () => cb('other')],
    ['at another address', (state: string) => cb(state).replace('/cb', '/bc')],
    ['with an error that has no state', () => 'https://tpp.example/cb?error=access_denied'],
    ['with another issuer', (state: string) => cb(state, '&iss=https%3A%2F%2Fevil.example')],
  ])('is not sent for a return %s', async (_, url) => {
    const first = await world(wish);
    const state = (await away(first)).searchParams.get('state') ?? '';
    const { there, ended } = await back(first, url(state), () => undefined);
    expect(ended).toMatchObject({ code: 'RETURN_REFUSED', exit: 2, resource: { paymentId: 'pay-1' } });
    expect((await there.store.credentials.read('acme')).verifiers).toHaveLength(1);
  });

  it('is not sent where the issuer is promised and missing', async () => {
    const first = await world(wish);
    const url = await away(first, oauth(), {
      ...metadata,
      authorization_response_iss_parameter_supported: true,
    });
    const { ended } = await back(first, cb(url.searchParams.get('state') ?? ''), () => undefined);
    expect(ended).toMatchObject({ code: 'RETURN_REFUSED' });
  });

  it('is not sent after a refusal: the status decides', async () => {
    const first = await world(wish);
    const state = (await away(first)).searchParams.get('state') ?? '';
    const url = `https://tpp.example/cb?error=access_denied&state=${state}`;
    const { there, ended } = await back(first, url, ({ http }) =>
      http
        .expect('GET', auth, { body: { scaStatus: 'failed' } })
        .expect('GET', `${one}/status`, { body: { transactionStatus: 'RJCT' } }),
    );
    expect(ended).toMatchObject({ success: false });
    expect(there.notices.said).toContain('The PSU is back without having approved (access_denied).');
  });

  it('is not sent a second time with the same code', async () => {
    const first = await world(wish);
    const state = (await away(first)).searchParams.get('state') ?? '';
    const refused = await back(first, cb(state), ({ http }) =>
      http.expect('POST', metadata.token_endpoint, { status: 400, body: { error: 'invalid_grant' } }),
    );
    expect(refused.ended).toMatchObject({
      code: 'AUTH_NEEDED',
      exit: 4,
      title: expect.stringContaining('invalid_grant'),
    });
    const again = await back(refused.there, cb(state), () => undefined);
    expect(again.ended).toMatchObject({ code: 'RETURN_REFUSED' });
  });

  it('is not repeated where the answer was lost; but where nothing had left the code is as good as before', async () => {
    const first = await world(wish);
    const state = (await away(first)).searchParams.get('state') ?? '';
    const unsent = await back(first, cb(state), ({ http }) =>
      http.expectFailure('POST', metadata.token_endpoint, { sent: false, reason: 'connect' }),
    );
    expect(unsent.ended).toMatchObject({ code: 'NOT_SENT', exit: 7 });
    const lost = await back(unsent.there, cb(state), ({ http }) =>
      http.expectFailure('POST', metadata.token_endpoint, { sent: true, reason: 'reset' }),
    );
    expect(lost.ended).toMatchObject({ code: 'ANSWER_LOST', exit: 6 });
    const again = await back(lost.there, cb(state), () => undefined);
    expect(again.ended).toMatchObject({ code: 'RETURN_REFUSED' });
    expect(await again.there.journal.openRuns()).toEqual([]);
  });

  it('is not a success with what is not a bearer token', async () => {
    const first = await world(wish);
    const state = (await away(first)).searchParams.get('state') ?? '';
    const { ended } = await back(first, cb(state), ({ http }) =>
      http.expect('POST', metadata.token_endpoint, { body: { ...tokenAnswer, token_type: 'mac' } }),
    );
    expect(ended).toMatchObject({ code: 'ANSWER_UNREADABLE' });
  });
});

describe('a confirmation by OAuth', () => {
  it('is a PUT without a body, with the token, after it and once', async () => {
    const first = await world({ ...wish, variant: 'v136' });
    const put = auth.replace('/v1/', '/v136/');
    const status = `${one.replace('/v1/', '/v136/')}/status`;
    const conversation = oauth({ confirmation: put, scaStatus: put });
    const state = (await away(first, conversation)).searchParams.get('state') ?? '';
    const { ended } = await back(
      first,
      cb(state),
      ({ http }) =>
        http
          .expect('POST', metadata.token_endpoint, { body: tokenAnswer })
          .expect('GET', put, { body: { scaStatus: 'unconfirmed' } })
          .expect('PUT', put, {
            body: { scaStatus: 'finalised' },
            check: (request) => {
              expect(request.body).toBe('');
              expect(request.header('Authorization')).toBe(`Bearer ${token}`);
            },
          })
          .expect('GET', status, settled),
      { variant: 'v136' },
    );
    expect(ended).toMatchObject({ success: true });
  });
});

describe('watching the browser', () => {
  it('gives the code its time after a final status, and a pasted code wins', async () => {
    const there = await world({ ...wish, person: fakePerson() });
    there.http.expect('GET', metadataUrl, { body: metadata }).expect('GET', auth, finalised);
    there.http.expect('GET', `${one}/status`, settled);
    const ended = await run(there, oauth(), {}, resource);
    expect(ended).toMatchObject({ success: true });
    expect(there.notices.said.slice(0, 2)).toEqual([
      'Open this link to approve:',
      ended.conversation.oauth?.url,
    ]);
    expect(there.notices.warned.join()).toContain('no token');
    expect(there.clock.slept).toContain(30_000);
  });

  it('is not ended by a status that nobody may read without the token', async () => {
    const there = await world({ ...wish, person: fakePerson() });
    there.http.expect('GET', metadataUrl, { body: metadata }).expect('GET', auth, {
      status: 401,
      body: { tppMessages: [{ category: 'ERROR', code: 'TOKEN_UNKNOWN' }] },
    });
    await expect(run(there, oauth(), {}, resource)).resolves.toMatchObject({
      success: undefined,
      timedOut: true,
    });
  });
});
