import { describe, expect, it } from 'vitest';
import { ObkError } from '../../../../src/base/errors.ts';
import { visit } from '../../../../src/client/sca/visit.ts';
import type { VisitOptions } from '../../../../src/client/sca/visit.ts';
import { newConversation } from '../../../../src/standard/sca/state.ts';
import { fakeBrowser, fakeClock, fakeListener, fakePerson } from '../../../helpers/fakes/index.ts';
import { world } from '../../../helpers/world.ts';
import type { Wish, World } from '../../../helpers/world.ts';
import { liveUrl } from '../../../../src/client/exchange/addresses.ts';
import type { SavedResource } from '../../../../src/settings/records/resources.ts';

const auth = '/v1/payments/sepa-credit-transfers/pay-1/authorisations/auth-1';
const url = 'https://login.bank.example/approve?auth=auth-1';
const redirect = {
  uri: 'http://127.0.0.1:9901/abc?state=s-1',
  nokUri: 'http://127.0.0.1:9901/abc/nok?state=s-1',
  listener: { port: 9901, path: '/abc', state: 's-1' },
};
const conversation = newConversation(
  { kind: 'payment', id: 'pay-1', service: 'payments', product: 'sepa-credit-transfers' },
  {
    method: 'POST',
    status: 201,
    hasLinks: true,
    links: { scaRedirect: url, scaStatus: auth },
    unknownLinks: [],
    authorisationId: 'auth-1',
  },
  '2026-11-21T09:00:00.000Z',
);

function payment(own = true): SavedResource {
  return {
    schemaVersion: 1,
    profile: 'acme',
    environment: 'test',
    noun: 'payment',
    id: 'pay-1',
    createdAt: '2026-11-21T09:00:00.000Z',
    updatedAt: '2026-11-21T09:00:00.000Z',
    framework: '1.3.2',
    prefix: '/v1',
    baseUrl: '',
    links: {},
    ...(own ? { redirect } : {}),
  };
}

const status = (scaStatus: string) => ({ body: { scaStatus } });
const patient: VisitOptions = { timeoutMs: 60_000, browser: 'auto' };
const go = (there: World, options: Partial<VisitOptions> = {}, resource = payment(), href = url) =>
  visit(there.target, { resource, conversation }, href, { ...patient, ...options });

/** Time moves only by hand, so that nothing but the return ends the wait. */
const standing = (wish: Wish = {}) => world({ clock: fakeClock({ manual: true }), ...wish });
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('the link to the bank', () => {
  it('is shown before a browser is tried, and the host with it', async () => {
    const there = await world();
    there.http.expect('GET', auth, status('finalised'));
    await go(there);
    expect(there.notices.said.slice(0, 3)).toEqual([
      'Open this link to approve:',
      url,
      'A browser was opened for login.bank.example.',
    ]);
    expect(there.browser.opened).toEqual([url]);
  });

  it.each([
    ['never', true, []],
    ['auto', false, []],
    ['auto', true, [url]],
    ['always', false, [url]],
  ] as const)('is opened with --browser %s and a desktop %s', async (browser, likely, opened) => {
    const there = await world({ browser: fakeBrowser({ likely }) });
    there.http.expect('GET', auth, status('finalised'));
    await go(there, { browser });
    expect(there.browser.opened).toEqual(opened);
  });

  it('is not a failure where no browser starts', async () => {
    const there = await world({ browser: fakeBrowser({ opens: false }) });
    there.http.expect('GET', auth, status('finalised'));
    await expect(go(there)).resolves.toMatchObject({ success: true });
    expect(there.notices.said).toContain('No browser could be opened.');
  });

  it.each([
    'file:///etc/passwd',
    'javascript:alert(1)',
    'http://login.bank.example/x',
    'vscode://x',
    '--help',
  ])('is shown, and never opened: %s', async (href) => {
    const there = await world();
    there.http.expect('GET', auth, status('finalised'));
    await go(there, { browser: 'always' }, payment(), href);
    expect(there.notices.said).toContain(href);
    expect(there.notices.warned[0]).toMatch(/^This link is shown but not opened: /);
    expect(there.browser.opened).toEqual([]);
  });
});

describe('the wait for the PSU', () => {
  it('ends at a final status, without waiting for the return any more', async () => {
    const there = await world({ person: fakePerson() });
    there.http.expect('GET', auth, status('started')).expect('GET', auth, status('finalised'));
    await expect(go(there)).resolves.toMatchObject({
      success: true,
      conversation: { scaStatus: 'finalised' },
    });
    expect(there.listener.listening).toEqual([
      { port: 9901, path: '/abc', state: 's-1', closed: true, lateMs: 1000 },
    ]);
    there.verify();
  });

  it('ends at the return to the listener, and the status is read at once', async () => {
    const listener = fakeListener();
    const there = await standing({ listener });
    there.http.expect('GET', auth, status('finalised'));
    listener.comesBack({ outcome: 'ok', url: redirect.uri });
    await expect(go(there)).resolves.toMatchObject({ success: true });
    expect(there.notices.said).toContain('The PSU is back from the bank.');
    expect(there.listener.listening[0]?.closed).toBe(true);
    there.verify();
  });

  it('ends at a pasted address', async () => {
    const there = await standing({ person: fakePerson().pastes(` ${redirect.uri}&code=1 `) });
    there.http.expect('GET', auth, status('finalised'));
    await expect(go(there)).resolves.toMatchObject({ success: true });
    there.verify();
  });

  it('is not ended by a stray line at the prompt', async () => {
    const person = fakePerson()
      .pastes('')
      .pastes('hello')
      .pastes('https://evil.example/abc?state=s-1')
      .pastes(redirect.uri);
    const there = await standing({ person });
    there.http.expect('GET', auth, status('finalised'));
    await go(there);
    expect(there.notices.warned).toHaveLength(3);
    expect(there.notices.warned[0]).toContain('http://127.0.0.1:9901/abc.');
    expect(there.notices.warned[0]).not.toContain('s-1');
  });

  it("goes on by the status, with a note, where the listener's port is taken", async () => {
    const there = await world({ listener: fakeListener({ taken: true }) });
    there.http.expect('GET', auth, status('finalised'));
    await expect(go(there)).resolves.toMatchObject({ success: true });
    expect(there.notices.warned).toEqual([
      'Port 9901 is taken, so the return of the browser is not seen; the status is read instead.',
    ]);
  });

  it('does not begin where the port is taken, a code is due and nobody is there to paste it', async () => {
    const taken = fakeListener({ taken: true });
    const there = await world({ listener: taken });
    const awaiting = { ...conversation, returnState: 'st-1' };
    const failed = visit(there.target, { resource: payment(), conversation: awaiting }, url, patient);
    await expect(failed).rejects.toMatchObject({ code: 'LISTENER_FAILED', exit: 3 });
    expect([there.http.requests, there.browser.opened, there.notices.said]).toEqual([[], [], []]);

    const person = fakePerson().pastes(`${redirect.uri}&state=st-1&code=1`);
    const pasting = await standing({ listener: taken, person });
    pasting.http.expect('GET', auth, status('finalised'));
    await expect(
      visit(pasting.target, { resource: payment(), conversation: awaiting }, url, patient),
    ).resolves.toMatchObject({
      success: true,
    });
    expect(pasting.notices.warned[0]).toContain('paste the address');
  });

  it('asks nobody for a pasted address where no redirect URI was sent: none could be ours', async () => {
    const person = fakePerson().pastes('http://anything.example/');
    const there = await world({ person });
    there.http.expect('GET', auth, status('finalised'));
    await expect(go(there, {}, payment(false))).resolves.toMatchObject({ success: true });
    expect(there.notices.said).not.toContain('The PSU is back from the bank.');
  });

  it('is not ended by a stray call of an address without a state', async () => {
    const plain = {
      uri: 'http://127.0.0.1:9901/abc',
      listener: { port: 9901, path: '/abc', state: '' },
    };
    const listener = fakeListener();
    listener.comesBack({ outcome: 'ok', url: plain.uri });
    const there = await world({ listener });
    for (let i = 0; i < 8; i += 1) there.http.expect('GET', auth, status('started'));
    there.http.expect('GET', auth, status('finalised'));
    const seen = await go(there, { timeoutMs: 300_000 }, { ...payment(false), redirect: plain });
    expect(seen).toMatchObject({ success: true });
    there.verify();
  });

  it('has no listener where the address is not on this machine', async () => {
    const there = await world();
    there.http.expect('GET', auth, status('finalised'));
    await go(there, {}, payment(false));
    expect(there.listener.listening).toEqual([]);
  });
});

describe('a return that may be forged', () => {
  it.each([
    ['ok', 'finalised', true],
    // A forged or mistaken nok must not hide a success, nor a forged ok a failure.
    ['nok', 'finalised', true],
    ['ok', 'failed', false],
    ['nok', 'failed', false],
  ] as const)('is checked against the status: %s with %s', async (outcome, scaStatus, success) => {
    const listener = fakeListener();
    listener.comesBack({ outcome, url: redirect.uri });
    const there = await standing({ listener });
    there.http.expect('GET', auth, status(scaStatus));
    await expect(go(there)).resolves.toMatchObject({ success });
  });

  it.each([
    ['ok', 10_000],
    ['nok', 4_000],
  ] as const)('is open where it is %s and the status stays open, after %d ms', async (outcome, ms) => {
    const listener = fakeListener();
    listener.comesBack({ outcome, url: redirect.uri });
    const there = await world({ listener });
    for (let i = 0; i < 5; i += 1) there.http.expect('GET', auth, status('started'));
    const seen = await go(there, { timeoutMs: 300_000 });
    expect(seen.success).toBeUndefined();
    // The first sleep is that of the poll that lost the race.
    const [, ...slept] = there.clock.slept;
    expect(slept.reduce((sum, one) => sum + one, 0)).toBe(ms);
  });

  it('is followed by a single poll', async () => {
    const listener = fakeListener();
    listener.comesBack({ outcome: 'ok', url: redirect.uri });
    const there = await world({ listener });
    there.http.expect('GET', auth, status('started')).expect('GET', auth, status('finalised'));
    await expect(go(there)).resolves.toMatchObject({ success: true });
    await turn();
    expect(there.http.requests).toHaveLength(2);
    there.verify();
  });
});

describe('the end of the wait', () => {
  it('comes with the given time', async () => {
    const there = await world();
    for (let i = 0; i < 10; i += 1) there.http.expect('GET', auth, status('started'));
    const seen = await go(there, { timeoutMs: 30_000 });
    expect(seen).toMatchObject({ moved: false, conversation: { scaStatus: 'started' } });
    expect(there.listener.listening[0]?.closed).toBe(true);
  });

  it.each([
    ['while it waits', false],
    ['before it began', true],
  ])('comes with Ctrl-C %s, and closes the listener', async (_, early) => {
    const stop = new AbortController();
    const reason = new ObkError({ code: 'INTERRUPTED', title: 'Interrupted.' });
    const there = await standing({ run: { signal: stop.signal }, person: fakePerson() });
    if (early) stop.abort(reason);
    const ended = go(there).catch((error: unknown) => error);
    await turn();
    if (!early) stop.abort(reason);
    expect(await ended).toBe(reason);
    expect(there.listener.listening.every((entry) => entry.closed)).toBe(true);
  });

  it('comes with Ctrl-C after the return', async () => {
    const stop = new AbortController();
    const listener = fakeListener();
    listener.comesBack({ outcome: 'ok', url: redirect.uri });
    const there = await standing({ run: { signal: stop.signal }, listener });
    there.http.expect('GET', auth, status('started'));
    const ended = go(there).catch((error: unknown) => error);
    for (let i = 0; i < 5; i += 1) await turn();
    stop.abort(new ObkError({ code: 'INTERRUPTED', title: 'Interrupted.' }));
    expect(await ended).toMatchObject({ exit: 130 });
  });
});

describe('the links of the built-in bank', () => {
  const inside = { baseUrl: 'http://127.0.0.1:5000', formerOrigins: ['http://127.0.0.1:4711'] };

  it.each([
    ['http://127.0.0.1:4711/sca/auth-1?x=%20y#z', 'http://127.0.0.1:5000/sca/auth-1?x=%20y#z'],
    ['http://127.0.0.1:5000/sca/auth-1', 'http://127.0.0.1:5000/sca/auth-1'],
    ['http://127.0.0.1:4712/sca/auth-1', 'http://127.0.0.1:4712/sca/auth-1'],
    ['https://login.bank.example/x', 'https://login.bank.example/x'],
    ['no url', 'no url'],
  ])('lead to its present address: %s to %s', async (href, expected) => {
    const there = await world({ inside, environment: 'sandbox' });
    expect(liveUrl(there.target, href)).toBe(expected);
  });

  it('are the only ones that are rewritten', async () => {
    const there = await world();
    expect(liveUrl(there.target, 'http://127.0.0.1:4711/x')).toBe('http://127.0.0.1:4711/x');
  });
});
