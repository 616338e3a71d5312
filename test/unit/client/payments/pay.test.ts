import { describe, expect, it } from 'vitest';
import { ObkError } from '../../../../src/base/errors.ts';
import { DryRun } from '../../../../src/client/exchange/prepared.ts';
import { initiatePayment } from '../../../../src/client/payments/pay.ts';
import { unknownWrites } from '../../../../src/client/resources/unknown-writes.ts';
import { fakeListener, journalState, memoryJournal, memoryStore } from '../../../helpers/fakes/index.ts';
import type { fakeHttp } from '../../../helpers/fakes/index.ts';
import { world } from '../../../helpers/world.ts';
import type { Wish } from '../../../helpers/world.ts';
import { created, hash, once, one, order, path } from '../orders.ts';
import { failedWith } from '../../../helpers/failed-with.ts';

describe('a new payment', () => {
  it('is sent once, with what the bank requires, and saved with all that is needed later', async () => {
    const there = await world({
      profile: { redirectUri: 'https://tpp.example/cb', psu: { ipAddress: '192.0.2.7', id: 'anna' } },
    });
    there.http.expect('POST', path, created);
    const result = await initiatePayment(there.target, order, {
      ...once,
      prefer: { redirect: false, explicit: true, rejectNoFunds: true },
    });
    const [request] = there.http.requests;
    expect(request?.bytes).toEqual(order.bytes);
    expect(request?.headers.slice(4)).toEqual([
      ['PSU-ID', 'anna'],
      ['PSU-IP-Address', '192.0.2.7'],
      ['TPP-Redirect-URI', 'https://tpp.example/cb'],
      ['TPP-Redirect-Preferred', 'false'],
      ['TPP-Explicit-Authorisation-Preferred', 'true'],
      ['TPP-Rejection-NoFunds-Preferred', 'true'],
    ]);
    expect(result).toMatchObject({ reused: false, conversation: { approach: 'EMBEDDED', psuId: 'anna' } });
    await expect(there.store.resources.find('acme', 'payment', 'pay-1')).resolves.toEqual(result.resource);
    expect(result.resource).toMatchObject({
      environment: 'test',
      status: 'RCVD',
      service: 'payments',
      product: 'sepa-credit-transfers',
      intent: hash,
      links: { self: one },
      redirect: { uri: 'https://tpp.example/cb' },
      summary: { amount: '12.50', creditorName: 'Shop' },
    });
    await expect(there.store.resources.conversations('acme', 'payment', 'pay-1')).resolves.toEqual([
      result.conversation,
    ]);
    expect((await there.journal.intents.find(hash))?.resourceId).toBe('pay-1');
  });

  it('can be found later by the id that its body carries', async () => {
    const there = await world();
    there.http.expectFailure('POST', path, { sent: true, reason: 'reset' });
    await failedWith(initiatePayment(there.target, order, once));
    const id = `OBK${hash.slice(0, 29).toUpperCase()}`;
    expect(there.http.requests[0]?.json()).toMatchObject({ endToEndIdentification: id });
    expect((await there.journal.intents.find(hash))?.endToEndIdentification).toBe(id);
  });

  it('is never sent from a made-up address', async () => {
    const there = await world({ profile: { psu: {} } });
    expect(await failedWith(initiatePayment(there.target, order, once))).toMatchObject({
      exit: 2,
      title: 'Missing --psu-ip.',
    });
    expect(there.journal.records).toEqual([]);
    const wrong = await world({ run: { psu: { ipAddress: '300.1.1.1' } } });
    expect(await failedWith(initiatePayment(wrong.target, order, once))).toMatchObject({
      code: 'INPUT_INVALID',
    });
  });

  it('may come from this machine for a sandbox profile', async () => {
    const there = await world({ environment: 'sandbox', profile: { psu: {} } });
    there.http.expect('POST', path, created);
    await initiatePayment(there.target, order, once);
    expect(there.http.requests[0]?.header('PSU-IP-Address')).toBe('127.0.0.1');
  });

  it('is named by its id although it could not be saved', async () => {
    const there = await world();
    there.http.expect('POST', path, created);
    there.store.failWrites(new ObkError({ code: 'STATE_NOT_WRITTEN', title: 'full' }));
    expect(await failedWith(initiatePayment(there.target, order, once))).toMatchObject({
      exit: 12,
      title: 'The bank has made the payment pay-1, but it could not be saved here.',
      detail: expect.stringContaining('The bank said: status RCVD, ') as unknown,
      resource: { paymentId: 'pay-1', transactionStatus: 'RCVD' },
    });
    // The intent knows it, so that the next run does not pay again.
    expect((await there.journal.intents.find(hash))?.resourceId).toBe('pay-1');
  });

  it('leaves nothing behind where it was refused', async () => {
    const there = await world();
    there.http.expect('POST', path, {
      status: 400,
      body: { tppMessages: [{ category: 'ERROR', code: 'FORMAT_ERROR' }] },
    });
    expect(await failedWith(initiatePayment(there.target, order, once))).toMatchObject({ exit: 5 });
    await expect(there.store.resources.list('acme', 'payment')).resolves.toEqual([]);
  });

  it('claims nothing in a dry run, writes nothing and opens no socket, not even its own', async () => {
    const listener = fakeListener();
    const there = await world({ environment: 'sandbox', run: { dryRun: true }, listener });
    const error = await initiatePayment(there.target, order, once).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DryRun);
    expect(listener.listening).toEqual([]);
    expect(there.http.requests).toEqual([]);
    expect(there.journal.records).toEqual([]);
    await expect(there.journal.intents.find(hash)).resolves.toBeUndefined();
    await expect(there.store.resources.list('acme', 'payment')).resolves.toEqual([]);
  });
});

describe('the address to which the PSU returns', () => {
  it('is made once for a sandbox profile: a listener of our own at a path that nobody can guess', async () => {
    const there = await world({ environment: 'sandbox' });
    there.http.expect('POST', path, created);
    const { resource } = await initiatePayment(there.target, order, once);
    const { listener, uri, nokUri } = resource.redirect ?? {};
    if (listener === undefined) throw new Error('no listener');
    // A query of ours would stand beside the state that OAuth and confirmations bring back.
    expect(uri).toBe(`http://127.0.0.1:${listener.port}${listener.path}`);
    expect(nokUri).toBe(`http://127.0.0.1:${listener.port}${listener.path}/nok`);
    expect(listener.path.length).toBeGreaterThanOrEqual(44);
    expect(there.http.requests[0]?.header('TPP-Redirect-URI')).toBe(uri);
    expect(there.http.requests[0]?.header('TPP-Nok-Redirect-URI')).toBe(nokUri);
    expect(there.listener.listening.every((entry) => entry.closed)).toBe(true);
  });

  it('is the registered address otherwise, with a listener where it is on this machine', async () => {
    const profile = {
      redirectUri: 'http://127.0.0.1:9901/cb?state=fixed',
      nokRedirectUri: 'http://127.0.0.1:9901/nok',
    };
    const there = await world({ profile });
    there.http.expect('POST', path, created);
    const { resource } = await initiatePayment(there.target, order, once);
    expect(resource.redirect).toEqual({
      uri: profile.redirectUri,
      nokUri: profile.nokRedirectUri,
      listener: { port: 9901, path: '/cb', state: 'fixed' },
    });
  });

  it('carries a state of the transaction where the profile requires it, and has a listener for it', async () => {
    const profile = {
      redirectUri: 'http://127.0.0.1:9901/cb?lang=de',
      nokRedirectUri: 'http://127.0.0.1:9901/cb/nok',
      redirect: { state: 'query' },
    } as const;
    const there = await world({ profile });
    there.http.expect('POST', path, created);
    const { redirect } = (await initiatePayment(there.target, order, once)).resource;
    const state = redirect?.listener?.state ?? '';
    expect(state.length).toBeGreaterThanOrEqual(32);
    expect(redirect?.uri).toBe(`${profile.redirectUri}&state=${state}`);
    expect(redirect?.nokUri).toBe(`${profile.nokRedirectUri}?state=${state}`);
    expect(there.http.requests[0]?.header('TPP-Redirect-URI')).toBe(redirect?.uri);
  });

  it('is occupied before anything is sent, where a state is due and the run waits', async () => {
    const profile = { redirectUri: 'http://127.0.0.1:9901/cb?state=fixed' };
    const taken = await world({ profile, run: { waits: true }, listener: fakeListener({ taken: true }) });
    const failed = initiatePayment(taken.target, order, once);
    await expect(failed).rejects.toMatchObject({ code: 'LISTENER_FAILED', exit: 3 });
    expect([taken.http.requests, taken.journal.records]).toEqual([[], []]);

    for (const [redirectUri, waits] of [
      [profile.redirectUri, false],
      ['http://127.0.0.1:9901/cb', true],
    ] as const) {
      const listener = fakeListener({ taken: true });
      const there = await world({ profile: { redirectUri }, run: { waits }, listener });
      there.http.expect('POST', path, created);
      await initiatePayment(there.target, order, once);
      there.verify();
    }
  });

  it.each(['https://tpp.example/cb', 'http://tpp.example:80/cb', 'http://127.0.0.1/cb', 'myapp://cb'])(
    'has no listener where it is %s',
    async (redirectUri) => {
      const there = await world({ profile: { redirectUri } });
      there.http.expect('POST', path, created);
      const { resource } = await initiatePayment(there.target, order, once);
      expect(resource.redirect).toEqual({ uri: redirectUri });
    },
  );

  it('is not made up for a real bank', async () => {
    const there = await world();
    there.http.expect('POST', path, created);
    await initiatePayment(there.target, order, once);
    expect(there.http.requests[0]?.header('TPP-Redirect-URI')).toBeUndefined();
    expect(there.listener.listening).toEqual([]);
  });
});

describe('an earlier run of the same key', () => {
  async function earlier(answer: Parameters<ReturnType<typeof fakeHttp>['expect']>[2], wish: Wish = {}) {
    const state = journalState();
    const first = await world({ ...wish, journal: memoryJournal({ state }) });
    first.http.expect('POST', path, answer);
    await initiatePayment(first.target, order, once).catch(() => undefined);
    first.journal.die();
    return world({ ...wish, store: first.store, journal: memoryJournal({ state }) });
  }

  it('is reported again, and not sent, where it was refused', async () => {
    const again = await earlier({
      status: 403,
      body: { tppMessages: [{ category: 'ERROR', code: 'PRODUCT_INVALID', text: 'not for you' }] },
    });
    expect(await failedWith(initiatePayment(again.target, order, once))).toMatchObject({
      exit: 5,
      bankCode: 'PRODUCT_INVALID',
      messages: [{ text: 'not for you' }],
      // As the first run had it.
      path,
    });
    expect(again.notices.said.join()).toMatch(/nothing was sent again: obk log show run-/);
    again.verify();
  });

  it('is sent again where it was refused for its certificate', async () => {
    const again = await earlier({
      status: 401,
      body: { tppMessages: [{ category: 'ERROR', code: 'CERTIFICATE_EXPIRED' }] },
    });
    again.http.expect('POST', path, created);
    await expect(initiatePayment(again.target, order, once)).resolves.toMatchObject({ reused: false });
  });

  it('is read back whole from the journal with a huge challenge', async () => {
    const image = 'A'.repeat(300_000);
    const again = await earlier({ ...created, body: { ...created.body, challengeData: { image } } });
    const resources = await again.store.resources.list('acme', 'payment');
    expect(resources).toHaveLength(1);
    const fresh = await world({ store: memoryStore(), journal: again.journal });
    fresh.http.expect('GET', `${one}/status`, { status: 200, body: { transactionStatus: 'RCVD' } });
    const result = await initiatePayment(fresh.target, order, once);
    expect(result).toMatchObject({ reused: true, conversation: { challengeData: { image } } });
  });

  it('leaves nothing to be authorised where it is over by now', async () => {
    const again = await earlier(created);
    const fresh = await world({ store: memoryStore(), journal: again.journal });
    fresh.http.expect('GET', `${one}/status`, { status: 200, body: { transactionStatus: 'ACSC' } });
    const result = await initiatePayment(fresh.target, order, once);
    expect(result).toMatchObject({ reused: true, resource: { status: 'ACSC' } });
    expect(result.conversation).toBeUndefined();
  });

  it('names its payment now where it was killed before its intent did', async () => {
    const again = await earlier(created);
    const { intents } = again.target.ports;
    const stored = again.journal.state.intents.get(once.intent.hash);
    delete stored?.resourceId;
    expect((await intents.find(once.intent.hash))?.resourceId).toBeUndefined();
    const { resource } = await initiatePayment(again.target, order, once);
    expect((await intents.find(once.intent.hash))?.resourceId).toBe(resource.id);
    expect(again.http.requests).toEqual([]);
  });

  it('is continued where a person found its payment at the bank', async () => {
    const state = journalState();
    const first = await world({ journal: memoryJournal({ state }) });
    first.http.expectFailure('POST', path, { sent: true, reason: 'reset' });
    await failedWith(initiatePayment(first.target, order, once));
    first.journal.die();
    const [write] = await unknownWrites(first.target.ports, 'acme');
    if (write === undefined) throw new Error('nothing unknown');
    await first.journal.resolve(write.run, {
      type: 'resolved',
      at: '2026-11-21T11:00:00.000Z',
      exchange: write.exchange,
      resolution: 'created',
      by: 'person',
      resource: { paymentId: 'pay-1' },
    });
    const again = await world({ journal: memoryJournal({ state }) });
    again.http.expect('GET', `${one}/status`, { status: 404, body: {} });
    expect(await failedWith(initiatePayment(again.target, order, once))).toMatchObject({
      code: 'RESOURCE_NOT_SAVED',
      exit: 8,
      hint: ['obk payment status pay-1 --service payments --product sepa-credit-transfers'],
    });
    again.http.expect('GET', `${one}/status`, { status: 200, body: { transactionStatus: 'RCVD' } });
    await expect(initiatePayment(again.target, order, once)).resolves.toMatchObject({
      reused: true,
      conversation: undefined,
      resource: { id: 'pay-1', status: 'RCVD' },
    });
    again.http.expect('GET', `${one}/status`, { status: 200, body: { transactionStatus: 'ACSC' } });
    await expect(initiatePayment(again.target, order, once)).resolves.toMatchObject({
      reused: true,
      resource: { status: 'ACSC' },
    });
  });
});
