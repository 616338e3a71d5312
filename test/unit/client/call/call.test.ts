import { describe, expect, it } from 'vitest';
import { ObkError, OutcomeUnknown } from '../../../../src/base/errors.ts';
import { call, tryCall } from '../../../../src/client/call/call.ts';
import { fakeClock, fakeHttp } from '../../../helpers/fakes/index.ts';
import { world } from '../../../helpers/world.ts';
import { created, get, getPath, post, postPath, put, putPath, read } from '../calls.ts';
import { DryRun } from '../../../../src/client/exchange/prepared.ts';
import type { Header } from '../../../../src/settings/records/wire.ts';
import { failedWith } from '../../../helpers/failed-with.ts';

describe('the repetition of a call', () => {
  it.each([
    ['dns', false, 3],
    ['connect', false, 3],
    ['reset', true, 3],
    ['truncated', true, 3],
    // The time of the call is used up, or another try would end the same way.
    ['timeout', true, 1],
    ['tls', false, 1],
    ['malformed', true, 1],
    ['too-large', true, 1],
    ['invalid', false, 1],
  ] as const)(
    'ends after a read that fails by %s (sent: %s) was tried %d times',
    async (reason, sent, times) => {
      const there = await world();
      for (let i = 0; i < times; i += 1) there.http.expectFailure('GET', getPath, { sent, reason });
      await failedWith(call(there.target, get));
      there.verify();
      const ids = there.http.requests.map((request) => request.header('X-Request-ID'));
      expect(new Set(ids).size).toBe(times);
    },
  );

  it('ends in success where a read works at last', async () => {
    const there = await world();
    there.http.expectFailure('GET', getPath, { sent: true, reason: 'reset' }).expect('GET', getPath, read);
    await expect(call(there.target, get)).resolves.toMatchObject({ transactionStatus: 'RCVD' });
    expect(there.clock.slept).toEqual([200]);
  });

  it.each([
    ['429 as long as it says', 429, { 'Retry-After': '7' }, {}, [7000, 7000], 11],
    [
      '429 until a date, and a little more where it is over',
      429,
      { 'Retry-After': 'Sat, 21 Nov 2026 10:00:30 GMT' },
      {},
      [30_000, 2000],
      11,
    ],
    ['429 that wants too long', 429, { 'Retry-After': '3600' }, {}, [], 11],
    ['a status of any kind that asks for it', 500, { 'Retry-After': '5' }, {}, [5000, 5000], 6],
    ['404 that asks for it', 404, { 'Retry-After': '1' }, {}, [1000, 1000], 5],
    ['two minutes in all', 503, { 'Retry-After': '70' }, {}, [70_000], 6],
    ['503', 503, {}, {}, [1000, 2000], 6],
    ['500', 500, {}, {}, [], 6],
    ['404', 404, {}, {}, [], 5],
    ['ACCESS_EXCEEDED', 429, {}, { tppMessages: [{ category: 'ERROR', code: 'ACCESS_EXCEEDED' }] }, [], 11],
  ])('waits for %s', async (_, status, headers: Record<string, string>, body, sleeps, exit) => {
    const there = await world();
    for (let i = 0; i <= sleeps.length; i += 1) there.http.expect('GET', getPath, { status, headers, body });
    const error = await failedWith(call(there.target, get));
    expect(there.clock.slept).toEqual(sleeps);
    expect(error.exit).toBe(exit);
    there.verify();
  });

  it('reports each wait that a bank asks for, and stays within --timeout', async () => {
    const there = await world({ run: { timeoutMs: 10_000 } });
    const busy = { status: 503, headers: { 'Retry-After': '6' }, body: {} };
    there.http.expect('GET', getPath, busy).expect('GET', getPath, busy);
    expect((await failedWith(call(there.target, get))).exit).toBe(6);
    expect(there.clock.slept).toEqual([6_000]);
    expect(there.notices.said).toEqual(['Waiting 6 s: the bank answered 503 and asks for it (Retry-After).']);
    there.verify();
  });

  it.each([
    ['not sent', { sent: false, reason: 'connect' }],
    ['lost', { sent: true, reason: 'reset' }],
    ['timed out', { sent: true, reason: 'timeout' }],
  ] as const)('does not happen for a write that is %s', async (_, failure) => {
    for (const [input, method, path] of [
      [post, 'POST', postPath],
      [put, 'PUT', putPath],
      [{ ...get, operation: 'cancelPayment' }, 'DELETE', `${postPath}/p1`],
    ] as const) {
      const there = await world();
      there.http.expectFailure(method, path, failure);
      const error = await failedWith(call(there.target, input));
      expect(error.exit).toBe(failure.sent ? 12 : 7);
      there.verify();
    }
  });

  it.each([307, 408, 409, 425, 429, 500, 503])('does not happen for a write answered %d', async (status) => {
    const there = await world();
    there.http.expect('POST', postPath, {
      status,
      headers: { 'Retry-After': '1', Location: '/v1/elsewhere' },
    });
    await failedWith(call(there.target, post));
    expect(there.clock.slept).toEqual([]);
    there.verify();
  });

  it('shares a connection among reads, while a write has its own', async () => {
    const there = await world();
    there.http.expect('POST', postPath, created).expect('GET', getPath, read);
    await call(there.target, post);
    await call(there.target, get);
    expect(there.http.requests.map((request) => request.fresh)).toEqual([true, false]);
  });
});

describe('the request id', () => {
  const mine = '99391c7e-ad88-49ec-a2ad-99ddcb1f7721';

  it('is used for the first call only where the caller gives it', async () => {
    const there = await world({ run: { requestId: mine } });
    there.http.expect('POST', postPath, created).expect('GET', getPath, read);
    await call(there.target, post);
    await call(there.target, get);
    expect(there.http.requests[0]?.header('X-Request-ID')).toBe(mine);
    expect(there.http.requests[1]?.header('X-Request-ID')).not.toBe(mine);
  });

  it('is not sent again with a second try where the caller gave it', async () => {
    const there = await world({ run: { requestId: mine } });
    there.http.expectFailure('GET', getPath, { sent: true, reason: 'reset' }).expect('GET', getPath, read);
    await call(there.target, get);
    expect(there.http.requests.map((request) => request.header('X-Request-ID') === mine)).toEqual([
      true,
      false,
    ]);
  });

  it.each([
    ['none', undefined, 0],
    ['ours in capitals', mine.toUpperCase(), 0],
    ['another one', '00000000-0000-4000-8000-00000000ffff', 1],
  ])('is compared with the one in the answer: %s', async (_, echoed, warnings) => {
    const there = await world({ run: { requestId: mine } });
    const headers: Header[] = echoed === undefined ? [] : [['X-Request-ID', echoed]];
    there.http.expect('GET', getPath, { ...read, headers });
    await call(there.target, get);
    expect(there.notices.warned).toHaveLength(warnings);
  });
});

describe('a dry run', () => {
  it('prints the request and touches neither network nor journal', async () => {
    const there = await world({ run: { dryRun: true } });
    const error = await call(there.target, post).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DryRun);
    expect(error).toMatchObject({ prepared: { path: postPath, shownBody: '{"a":1}' } });
    expect(there.journal.records).toEqual([]);
    expect(there.http.requests).toEqual([]);
  });
});

describe('an interrupt', () => {
  const interrupted = new ObkError({ code: 'INTERRUPTED', title: 'Interrupted.' });

  it('ends a call that has not been sent as an interrupt', async () => {
    const stop = new AbortController();
    stop.abort(interrupted);
    for (const [input, method, path] of [
      [post, 'POST', postPath],
      [get, 'GET', getPath],
    ] as const) {
      const there = await world({ run: { signal: stop.signal } });
      there.http.expect(method, path, created);
      expect(await failedWith(call(there.target, input))).toBe(interrupted);
      expect(there.journal.records.at(-1)).toMatchObject({ type: 'failed', outcome: 'NOT_SENT' });
      there.verify();
    }
  });

  it('leaves a write on its way with an unknown outcome', async () => {
    const stop = new AbortController();
    const there = await world({ run: { signal: stop.signal } });
    there.http.expectFailure('POST', postPath, {
      sent: true,
      reason: 'aborted',
      check: () => {
        stop.abort(interrupted);
      },
    });
    const error = await failedWith(call(there.target, post));
    expect(error).toBeInstanceOf(OutcomeUnknown);
    expect(error.exit).toBe(12);
  });

  it('ends the pause before the next try', async () => {
    const stop = new AbortController();
    const there = await world({ run: { signal: stop.signal }, clock: fakeClock({ manual: true }) });
    there.http.expectFailure('GET', getPath, { sent: true, reason: 'reset' });
    const ended = failedWith(call(there.target, get));
    await new Promise((resolve) => setImmediate(resolve));
    stop.abort(interrupted);
    expect(await ended).toBe(interrupted);
  });
});

describe('a request that is sent', () => {
  it('has the headers of every request, its body untouched, and the token', async () => {
    const there = await world({ token: 'tok-123456789012' });
    const bytes = Buffer.from('{ "b" : 1.50 }\r\n');
    there.http.expect('POST', postPath, created);
    await call(there.target, {
      ...post,
      body: { bytes, contentType: 'application/json' },
      headers: [['PSU-ID', 'anna']],
    });
    const [request] = there.http.requests;
    expect(request?.bytes).toEqual(bytes);
    expect(request?.headers).toEqual([
      ['X-Request-ID', expect.stringMatching(/^[0-9a-f-]{36}$/)],
      ['Date', 'Sat, 21 Nov 2026 10:00:00 GMT'],
      ['Content-Type', 'application/json'],
      ['Accept', 'application/json'],
      ['PSU-ID', 'anna'],
      ['Authorization', 'Bearer tok-123456789012'],
    ]);
  });

  it('is refused beforehand where a header cannot be sent', async () => {
    const there = await world();
    const error = await failedWith(call(there.target, { ...post, headers: [['PSU-ID', 'an\nna']] }));
    expect(error).toMatchObject({ code: 'INPUT_INVALID', exit: 2 });
    expect(there.http.requests).toEqual([]);
  });

  it('is refused beforehand where the profile does not offer it', async () => {
    const there = await world({ variant: 'v136' });
    const error = await failedWith(
      call(there.target, { operation: 'checkAvailabilityOfFunds', body: { json: {} } }),
    );
    expect(error).toMatchObject({ code: 'NOT_OFFERED', exit: 2 });
  });

  it('follows a link as it stands, below the base of the provider', async () => {
    const there = await world({ profile: { baseUrl: 'https://bank.example/psd2/' } });
    there.http.expect('GET', '/psd2/v1/payments/x/p%2F1/status?a=%27b', read);
    await call(there.target, { ...get, href: '/v1/payments/x/p%2F1/status?a=%27b' });
    there.verify();
  });

  it.each([
    'https://evil.example/v1/payments/p1/status',
    '//evil.example/v1/x',
    'http://bank.example/v1/x',
    'https://bank.example:444/v1/x',
    'https://user@bank.example/v1/x',
    'https://bank.example/v2/x',
    '/v1/../admin',
    '/v1/%2e%2e/admin',
    'javascript:alert(1)',
    '\\\\evil\\v1',
  ])('never follows %s', async (href) => {
    const there = await world();
    for (const input of [get, put]) {
      const error = await failedWith(call(there.target, { ...input, href, resource: { paymentId: 'p1' } }));
      expect(error).toMatchObject({ code: 'LINK_REFUSED', exit: 5, resource: { paymentId: 'p1' } });
    }
    expect(there.http.requests).toEqual([]);
    expect(there.journal.records).toEqual([]);
  });

  it('goes to another origin only where the profile names it', async () => {
    const there = await world({ profile: { origins: ['https://api2.bank.example'] } });
    there.http.expect('GET', 'https://api2.bank.example/v1/x', read);
    await call(there.target, { ...get, href: 'https://api2.bank.example/v1/x' });
    there.verify();
  });

  it('uses only path and query of a gateway that leaks inner hosts, where the profile says so', async () => {
    const there = await world({ profile: { links: { host: 'ignore' } } });
    there.http.expect('GET', 'https://bank.example/v1/x?y=1', read);
    await call(there.target, { ...get, href: 'http://inner-7.local:8080/v1/x?y=1' });
    there.verify();
  });
});

describe('a refused call', () => {
  it('carries the links of its body', async () => {
    const there = await world();
    there.http.expect('PUT', putPath, {
      status: 401,
      body: {
        tppMessages: [{ category: 'ERROR', code: 'PSU_CREDENTIALS_INVALID' }],
        _links: { authoriseTransaction: { href: putPath } },
      },
    });
    await expect(tryCall(there.target, put)).resolves.toMatchObject({
      ok: false,
      error: { exit: 9 },
      refusal: { hasLinks: true, links: { known: { authoriseTransaction: putPath } } },
    });
  });

  it('is recorded in the journal with its messages', async () => {
    const there = await world();
    const messages = [{ category: 'ERROR', code: 'FORMAT_ERROR', text: 'bad' }];
    there.http.expect('POST', postPath, { status: 400, body: { tppMessages: messages } });
    await failedWith(call(there.target, post));
    expect(there.journal.records.at(-1)).toMatchObject({ outcome: 'REJECTED', messages });
  });
});

describe('a profile', () => {
  it('may shorten every deadline', async () => {
    const http = fakeHttp().expect('GET', getPath, read);
    const there = await world({ http, run: { timeoutMs: 5_000 }, profile: { timeoutMs: 50_000 } });
    await call(there.target, get);
    expect(http.requests[0]?.limits).toEqual({
      connectMs: 5_000,
      firstByteMs: 5_000,
      deadlineMs: 5_000,
      maxBytes: 10 * 1024 * 1024,
    });
  });
});
