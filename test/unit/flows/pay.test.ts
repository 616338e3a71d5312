import { describe, expect, it } from 'vitest';
import { ObkError } from '../../../src/errors.ts';
import { DryRun } from '../../../src/flows/call.ts';
import { intentHash } from '../../../src/flows/intent.ts';
import { cancelPayment } from '../../../src/flows/cancel.ts';
import { initiatePayment } from '../../../src/flows/pay.ts';
import type { InitOptions } from '../../../src/flows/pay.ts';
import { buildPayment } from '../../../src/flows/payment-body.ts';
import { latest, readPaymentStatus } from '../../../src/flows/saved-payment.ts';
import { unknownWrites } from '../../../src/flows/unknown-writes.ts';
import type { SavedResource } from '../../../src/ports.ts';
import { absorb } from '../../../src/sca/state.ts';
import type { fakeHttp } from '../../helpers/fakes/index.ts';
import { fakeListener, journalState, memoryJournal, memoryStore } from '../../helpers/fakes/index.ts';
import { world } from '../../helpers/world.ts';
import type { Wish, World } from '../../helpers/world.ts';

const hash = intentHash('acme', 'k');
const order = buildPayment(
  'payments',
  'sepa-credit-transfers',
  {
    debtor: 'DE40100100103307118608',
    creditorAccount: 'DE02100100109307118603',
    creditorName: 'Shop',
    amount: '12.50',
  },
  hash,
);
const once: InitOptions = { intent: { hash, key: 'k', chosen: true, allowDuplicate: false } };
const path = '/v1/payments/sepa-credit-transfers';
const one = `${path}/pay-1`;
const created = {
  status: 201,
  headers: { 'ASPSP-SCA-Approach': 'EMBEDDED' },
  body: {
    transactionStatus: 'RCVD',
    paymentId: 'pay-1',
    _links: {
      startAuthorisationWithPsuAuthentication: { href: `${one}/authorisations` },
      self: { href: one },
    },
  },
};

const failedWith = (promise: Promise<unknown>) =>
  promise.then(
    () => {
      throw new Error('it should have failed');
    },
    (error: unknown) => error as ObkError,
  );

describe('a new payment', () => {
  it('is sent once, with what banks demand, and saved with all that is needed later', async () => {
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
    await expect(there.store.resource('acme', 'payment', 'pay-1')).resolves.toEqual(result.resource);
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
    await expect(there.store.conversations('acme', 'payment', 'pay-1')).resolves.toEqual([
      result.conversation,
    ]);
    expect((await there.journal.intent(hash))?.resourceId).toBe('pay-1');
  });

  it('can be found later by the id that its body carries', async () => {
    const there = await world();
    there.http.expectFailure('POST', path, { sent: true, reason: 'reset' });
    await failedWith(initiatePayment(there.target, order, once));
    const id = `OBK${hash.slice(0, 29).toUpperCase()}`;
    expect(there.http.requests[0]?.json()).toMatchObject({ endToEndIdentification: id });
    expect((await there.journal.intent(hash))?.endToEndIdentification).toBe(id);
  });

  it('is never sent from an address that was made up', async () => {
    const there = await world({ profile: { psu: {} } });
    expect(await failedWith(initiatePayment(there.target, order, once))).toMatchObject({
      exit: 2,
      title: 'Missing --psu-ip.',
    });
    expect(there.journal.records).toEqual([]);
    const wrong = await world({ profile: { psu: { ipAddress: '300.1.1.1' } } });
    expect(await failedWith(initiatePayment(wrong.target, order, once))).toMatchObject({
      code: 'INPUT_INVALID',
    });
  });

  it('of a sandbox profile may come from this machine', async () => {
    const there = await world({ environment: 'sandbox', profile: { psu: {} } });
    there.http.expect('POST', path, created);
    await initiatePayment(there.target, order, once);
    expect(there.http.requests[0]?.header('PSU-IP-Address')).toBe('127.0.0.1');
  });

  it('that could not be saved still names its id', async () => {
    const there = await world();
    there.http.expect('POST', path, created);
    there.store.failWrites(new ObkError({ code: 'STATE_NOT_WRITTEN', title: 'full' }));
    expect(await failedWith(initiatePayment(there.target, order, once))).toMatchObject({
      exit: 3,
      resource: { paymentId: 'pay-1' },
    });
  });

  it('that was refused leaves nothing behind', async () => {
    const there = await world();
    there.http.expect('POST', path, {
      status: 400,
      body: { tppMessages: [{ category: 'ERROR', code: 'FORMAT_ERROR' }] },
    });
    expect(await failedWith(initiatePayment(there.target, order, once))).toMatchObject({ exit: 5 });
    await expect(there.store.resources('acme', 'payment')).resolves.toEqual([]);
  });

  it('in a dry run claims nothing, writes nothing and opens no socket, not even of its own', async () => {
    const listener = fakeListener();
    const there = await world({ environment: 'sandbox', run: { dryRun: true }, listener });
    const error = await initiatePayment(there.target, order, once).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DryRun);
    expect(listener.listening).toEqual([]);
    expect(there.http.requests).toEqual([]);
    expect(there.journal.records).toEqual([]);
    await expect(there.journal.intent(hash)).resolves.toBeUndefined();
    await expect(there.store.resources('acme', 'payment')).resolves.toEqual([]);
  });
});

describe('where the PSU returns to', () => {
  it('is made once for a sandbox profile: a listener of our own, its state in our own query', async () => {
    const there = await world({ environment: 'sandbox' });
    there.http.expect('POST', path, created);
    const { resource } = await initiatePayment(there.target, order, once);
    const { listener, uri, nokUri } = resource.redirect ?? {};
    if (listener === undefined) throw new Error('no listener');
    expect(uri).toBe(`http://127.0.0.1:${listener.port}${listener.path}?state=${listener.state}`);
    expect(nokUri).toBe(`http://127.0.0.1:${listener.port}${listener.path}/nok?state=${listener.state}`);
    expect(listener.state.length).toBeGreaterThanOrEqual(22);
    expect(listener.path.length).toBeGreaterThanOrEqual(23);
    expect(there.http.requests[0]?.header('TPP-Redirect-URI')).toBe(uri);
    expect(there.http.requests[0]?.header('TPP-Nok-Redirect-URI')).toBe(nokUri);
    expect(there.listener.listening.every((entry) => entry.closed)).toBe(true);
  });

  it('is the registered address elsewhere, listened to where it is on this machine', async () => {
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

  it.each(['https://tpp.example/cb', 'http://tpp.example:80/cb', 'http://127.0.0.1/cb', 'myapp://cb'])(
    '%s is not listened to',
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

class Crash extends Error {}

/** Where a process dies, and what a second one with the same intent key comes to. */
const crashes: Record<
  string,
  { crash: (there: World) => void; arrives: boolean; then: 'sends' | 'reuses' | 12 }
> = {
  'before prepared': {
    crash: (there) => {
      dieAtRecord(there, 'prepared', false);
    },
    arrives: false,
    then: 'sends',
  },
  'after prepared': {
    crash: (there) => {
      dieAtRecord(there, 'prepared', true);
    },
    arrives: false,
    then: 'sends',
  },
  'before sending': {
    crash: (there) => {
      dieAtRecord(there, 'sending', false);
    },
    arrives: false,
    then: 'sends',
  },
  'after sending': {
    crash: (there) => {
      dieAtRecord(there, 'sending', true);
    },
    arrives: false,
    then: 12,
  },
  'on the wire': {
    crash: (there) => {
      there.http.expect('POST', path, {
        ...created,
        check: () => {
          throw new Crash();
        },
      });
    },
    arrives: true,
    then: 12,
  },
  'before answered': {
    crash: (there) => {
      dieAtRecord(there, 'answered', false);
    },
    arrives: true,
    then: 12,
  },
  'after answered': {
    crash: (there) => {
      dieAtRecord(there, 'answered', true);
    },
    arrives: true,
    then: 'reuses',
  },
  'before the payment is saved': {
    crash: (there) => {
      dieIn(there.store, 'saveResource', false);
    },
    arrives: true,
    then: 'reuses',
  },
  'after the payment is saved': {
    crash: (there) => {
      dieIn(there.store, 'saveResource', true);
    },
    arrives: true,
    then: 'reuses',
  },
  'after the conversation is saved': {
    crash: (there) => {
      dieIn(there.store, 'saveConversation', true);
    },
    arrives: true,
    then: 'reuses',
  },
  'after all is saved': {
    crash: (there) => {
      dieIn(there.journal, 'noteResource', true);
    },
    arrives: true,
    then: 'reuses',
  },
};

/** From this record on nothing reaches the disk any more. */
function dieAtRecord({ journal }: World, type: string, written: boolean): void {
  const append = journal.append.bind(journal);
  let dead = false;
  journal.append = async (record, options) => {
    if (dead || (record.type === type && !written)) {
      dead = true;
      throw new Crash();
    }
    await append(record, options);
    if (record.type !== type) return;
    dead = true;
    throw new Crash();
  };
}

function dieIn<Name extends string>(
  port: Record<Name, (...args: never[]) => Promise<unknown>>,
  name: Name,
  done: boolean,
): void {
  const work = port[name].bind(port);
  port[name] = async (...args) => {
    if (done) await work(...args);
    throw new Crash();
  };
}

describe('a crash, and the same intent key again', () => {
  it.each(Object.entries(crashes))('%s', async (_, { crash, arrives, then }) => {
    const state = journalState();
    const shared = memoryStore();
    let arrivals = 0;
    const run = async (plan?: (there: World) => void): Promise<World> => {
      // The disk is shared, the methods that die are not.
      const there = await world({
        environment: 'sandbox',
        store: { ...shared },
        journal: memoryJournal({ state }),
        listener: fakeListener({ port: 40_000 + arrivals }),
      });
      plan?.(there);
      there.http.expect('POST', path, created);
      const send = there.http.send.bind(there.http);
      there.target.ports.http = {
        ...there.http,
        send: (request, options) =>
          send(request, {
            ...options,
            onSending: async () => {
              await options.onSending?.();
              arrivals += 1;
            },
          }),
      };
      return there;
    };

    const first = await run(crash);
    expect(await failedWith(initiatePayment(first.target, order, once))).toBeInstanceOf(Crash);
    first.journal.die();
    expect(arrivals).toBe(arrives ? 1 : 0);
    // Another process may have gone on with the payment meanwhile.
    const [before] = await shared.conversations('acme', 'payment', 'pay-1');
    if (before !== undefined) {
      const got = absorb(before, {
        method: 'POST',
        status: 201,
        hasLinks: true,
        links: {},
        unknownLinks: [],
        authorisationId: 'auth-1',
        scaStatus: 'psuAuthenticated',
      });
      await shared.saveConversation('acme', got);
    }

    const second = await run();
    const outcome = await initiatePayment(second.target, order, once).catch(
      (error: unknown) => error as ObkError,
    );
    if (then === 12) {
      expect(outcome).toMatchObject({ exit: 12, intent: hash });
      await expect(unknownWrites(second.target.ports, 'acme')).resolves.toMatchObject([{ intent: { hash } }]);
    } else {
      expect(outcome).toMatchObject({ reused: then === 'reuses', resource: { id: 'pay-1' } });
      expect(arrivals).toBe(1);
    }
    expect(arrivals).toBeLessThanOrEqual(1);
    if (then !== 'reuses') return;

    const saved = await shared.resource('acme', 'payment', 'pay-1');
    const sent = first.http.requests[0];
    // The bank compares the redirect address of every later call with the first one.
    expect(saved?.redirect?.uri).toBe(sent?.header('TPP-Redirect-URI'));
    expect(saved?.redirect?.nokUri).toBe(sent?.header('TPP-Nok-Redirect-URI'));
    expect(saved?.redirect?.listener?.state).toBe(
      new URL(saved?.redirect?.uri ?? '').searchParams.get('state'),
    );
    expect((await second.journal.intent(hash))?.resourceId).toBe('pay-1');
    if (before !== undefined && !(outcome instanceof Error)) {
      expect(outcome.conversation?.scaStatus).toBe('psuAuthenticated');
    }
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

  it('that was refused is told again, and not sent', async () => {
    const again = await earlier({
      status: 403,
      body: { tppMessages: [{ category: 'ERROR', code: 'PRODUCT_INVALID', text: 'not for you' }] },
    });
    expect(await failedWith(initiatePayment(again.target, order, once))).toMatchObject({
      exit: 5,
      bankCode: 'PRODUCT_INVALID',
      messages: [{ text: 'not for you' }],
    });
    again.verify();
  });

  it('that was refused for its certificate is sent again', async () => {
    const again = await earlier({
      status: 401,
      body: { tppMessages: [{ category: 'ERROR', code: 'CERTIFICATE_EXPIRED' }] },
    });
    again.http.expect('POST', path, created);
    await expect(initiatePayment(again.target, order, once)).resolves.toMatchObject({ reused: false });
  });

  it('with a huge challenge is read back whole from the journal', async () => {
    const image = 'A'.repeat(300_000);
    const again = await earlier({ ...created, body: { ...created.body, challengeData: { image } } });
    const resources = await again.store.resources('acme', 'payment');
    expect(resources).toHaveLength(1);
    const fresh = await world({ store: memoryStore(), journal: again.journal });
    const result = await initiatePayment(fresh.target, order, once);
    expect(result).toMatchObject({ reused: true, conversation: { challengeData: { image } } });
  });

  it('that a person has found at the bank goes on with it', async () => {
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
    expect(await failedWith(initiatePayment(again.target, order, once))).toMatchObject({
      code: 'RESOURCE_NOT_SAVED',
      hint: ['obk payment status pay-1 --service payments --product sepa-credit-transfers'],
    });
  });
});

const saved: SavedResource = {
  schemaVersion: 1,
  profile: 'acme',
  environment: 'test',
  noun: 'payment',
  id: 'pay-1',
  createdAt: '2026-11-21T09:00:00.000Z',
  updatedAt: '2026-11-21T09:00:00.000Z',
  framework: '1.3.2',
  prefix: '/v1',
  baseUrl: 'https://bank.example',
  service: 'payments',
  product: 'sepa-credit-transfers',
  status: 'ACTC',
  links: {},
  redirect: { uri: 'https://tpp.example/cb', nokUri: 'https://tpp.example/nok' },
};

describe('a cancellation', () => {
  it.each([
    ['204', { status: 204 }],
    ['200 without a body', { status: 200 }],
    ['202 that says CANC', { status: 202, body: { transactionStatus: 'CANC' } }],
  ])('answered %s is done', async (_, answer) => {
    const there = await world();
    there.http.expect('DELETE', one, answer);
    await expect(cancelPayment(there.target, saved)).resolves.toMatchObject({
      kind: 'cancelled',
      resource: { status: 'CANC' },
    });
    const [request] = there.http.requests;
    expect(request?.body).toBe('');
    expect(request?.header('TPP-Redirect-URI')).toBe('https://tpp.example/cb');
    expect(request?.header('TPP-Nok-Redirect-URI')).toBe('https://tpp.example/nok');
  });

  it('that is impossible is a result', async () => {
    const there = await world();
    there.http.expect('DELETE', one, {
      status: 405,
      body: { tppMessages: [{ category: 'ERROR', code: 'CANCELLATION_INVALID' }] },
    });
    await expect(cancelPayment(there.target, saved)).resolves.toMatchObject({
      kind: 'impossible',
      error: { exit: 9 },
    });
  });

  it('that the bank does not offer is a refusal', async () => {
    const there = await world();
    there.http.expect('DELETE', one, { status: 405 });
    expect(await failedWith(cancelPayment(there.target, saved))).toMatchObject({
      exit: 5,
      resource: { paymentId: 'pay-1' },
    });
  });

  it('whose answer is lost is done where the status says so, and pending no more', async () => {
    const there = await world();
    there.http
      .expectFailure('DELETE', one, { sent: true, reason: 'reset' })
      .expect('GET', `${one}/status`, { body: { transactionStatus: 'CANC' } });
    await expect(cancelPayment(there.target, saved)).resolves.toMatchObject({
      kind: 'cancelled',
      resource: { status: 'CANC' },
    });
    await expect(unknownWrites(there.target.ports, 'acme')).resolves.toEqual([]);
    expect(there.journal.records.at(-1)).toMatchObject({ type: 'resolved', resolution: 'done', by: 'bank' });
  });

  it.each([
    [
      'says otherwise',
      { body: { transactionStatus: 'ACTC' } },
      { paymentId: 'pay-1', transactionStatus: 'ACTC' },
    ],
    ['cannot be read', { status: 500 }, { paymentId: 'pay-1' }],
  ])(
    'whose answer is lost stays unknown where the status %s; it is not sent again',
    async (_, status, resource) => {
      const there = await world();
      there.http.expect('DELETE', one, { status: 502 }).expect('GET', `${one}/status`, status);
      expect(await failedWith(cancelPayment(there.target, saved))).toMatchObject({ exit: 12, resource });
      await expect(unknownWrites(there.target.ports, 'acme')).resolves.toMatchObject([
        { operation: 'cancelPayment' },
      ]);
      there.verify();
    },
  );
});

describe('a payment from elsewhere', () => {
  it('needs service and product', async () => {
    const there = await world();
    const { service: _, product: __, ...foreign } = saved;
    expect(await failedWith(readPaymentStatus(there.target, foreign))).toMatchObject({
      exit: 2,
      resource: { paymentId: 'pay-1' },
    });
  });

  it('is saved once its status was read', async () => {
    const there = await world();
    there.http.expect('GET', `${one}/status`, { body: { transactionStatus: 'ACSC' } });
    await readPaymentStatus(there.target, saved);
    await expect(there.store.resource('acme', 'payment', 'pay-1')).resolves.toMatchObject({ status: 'ACSC' });
  });
});

describe('the newest conversation', () => {
  const parent = (kind: 'payment' | 'cancellation') => ({ kind, id: 'pay-1' });
  const one = (kind: 'payment' | 'cancellation', startedAt: string, authorisationId: string) => ({
    schemaVersion: 1 as const,
    parent: parent(kind),
    startedAt,
    authorisationId,
    steering: {},
    standing: {},
    unknownLinks: [],
    refused: [],
  });

  it('is of its kind', () => {
    const all = [
      one('payment', '2026-11-21T10:00:00.000Z', 'a'),
      one('payment', '2026-11-21T11:00:00.000Z', 'b'),
      one('cancellation', '2026-11-21T12:00:00.000Z', 'c'),
    ];
    expect(latest(all, 'payment')?.authorisationId).toBe('b');
    expect(latest(all, 'cancellation')?.authorisationId).toBe('c');
    expect(latest(all, 'consent')).toBeUndefined();
  });
});
