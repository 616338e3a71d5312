import { readFileSync } from 'node:fs';
import { X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { listenForPushes } from '../../../helpers/push-listener.ts';
import type { PushListener } from '../../../helpers/push-listener.ts';
import { presets } from '../../../../src/standard/xs2a/variants.ts';
import { consentsOf } from '../consent-scene.ts';
import { back, href, useScene } from '../scene.ts';

// Signing baskets are on the surface of the framework only.
const scene = useScene({
  v1: { ...presets.v1, surface: 'framework' },
  v136: { ...presets.v136, surface: 'framework' },
});
const consents = consentsOf(scene);
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const listeners: PushListener[] = [];
const listening = async (options: Parameters<typeof listenForPushes>[0] = {}): Promise<PushListener> => {
  const listener = await listenForPushes(options);
  listeners.push(listener);
  return listener;
};

afterEach(async () => {
  await Promise.all(listeners.splice(0).map((one) => one.close()));
  await scene.bank.bank.clearFaults();
  scene.bank.scenario({ notifications: 'offered', lifeCycle: 'by-person' });
});

const wish = (uri: string, content?: string) => ({
  'TPP-Notification-URI': uri,
  ...(content !== undefined && { 'TPP-Notification-Content-Preferred': content }),
});
const bodies = (all: readonly { json: unknown }[]) => all.map(({ json }) => json);
const support = (answer: { headers: Readonly<Record<string, unknown>> }) => [
  answer.headers['aspsp-notification-support'],
  answer.headers['aspsp-notification-content'],
];
/** What the bank has noted of this resource, once so much is there. */
const noted = async (resourceId: string, count: number) =>
  expect
    .poll(async () => (await scene.bank.bank.pushes(0)).filter((one) => one.resourceId === resourceId), {
      timeout: 9000,
    })
    .toHaveLength(count)
    .then(async () => (await scene.bank.bank.pushes(0)).filter((one) => one.resourceId === resourceId));

describe('the answer to a wish for notifications', () => {
  it('states what will be sent: SCA and PROCESS without a preference', async () => {
    const { uri } = await listening();
    const usual = await scene.create('redirect', { headers: wish(uri) });
    expect(support(usual.created)).toEqual(['true', 'status=SCA,PROCESS']);
    const last = await scene.create('redirect', { headers: wish(uri, 'status=LAST, SCA') });
    expect(support(last.created)).toEqual(['true', 'status=SCA,LAST']);
    const consent = await consents.ask('redirect', { headers: wish(uri, 'status=PROCESS') });
    expect(support(consent)).toEqual(['true', 'status=PROCESS']);
    scene.bank.scenario({ surface: 'framework' });
    const basket = await scene.call('POST', '/v136/signing-baskets', {
      body: { paymentIds: [usual.id] },
      headers: wish(uri, 'status=LAST'),
    });
    expect([basket.status, ...support(basket)]).toEqual([201, 'true', 'status=LAST']);
    scene.bank.scenario({ surface: 'service' });
  });

  it('is false beyond this machine, with the reason in the log', async () => {
    const { created, id } = await scene.create('redirect', { headers: wish('https://tpp.example/push') });
    expect(support(created)).toEqual(['false', undefined]);
    const [declined] = await noted(id, 1);
    expect(declined).toMatchObject({ body: null, status: null, failure: expect.stringContaining('QWAC') });
    scene.bank.scenario({ notifications: 'declined' });
    const other = await scene.create('redirect', { headers: wish('http://127.0.0.1:9/') });
    expect(support(other.created)).toEqual(['false', undefined]);
  });

  it('is missing without a wish, at a bank without the service, and where the framework has no header for it', async () => {
    expect(support((await scene.create('redirect')).created)).toEqual([undefined, undefined]);
    scene.bank.scenario({ notifications: 'none' });
    const none = await scene.create('redirect', { headers: wish('http://127.0.0.1:9/') });
    expect(support(none.created)).toEqual([undefined, undefined]);
    scene.bank.scenario({ notifications: 'offered' });
    const old = await scene.create('redirect', { prefix: 'v1', headers: wish('http://127.0.0.1:9/') });
    expect(support(old.created)).toEqual([undefined, undefined]);
  });

  it.each(['status=SCA,SCA', 'SCA', 'status=', 'status=ALL'])('is FORMAT_ERROR to %s', async (content) => {
    const answer = await scene.call('POST', '/v136/consents', {
      body: {},
      headers: wish('http://127.0.0.1:9/', content),
    });
    expect([answer.status, answer.json.tppMessages[0].code]).toEqual([400, 'FORMAT_ERROR']);
  });
});

describe('a push', () => {
  it('is one POST of JSON with an X-Request-ID and nothing else that the guide does not have', async () => {
    const listener = await listening();
    const { id } = await scene.create('redirect', { headers: wish(listener.uri, 'status=LAST') });
    scene.bank.decide('approve', id);
    const [push] = await listener.arrived(1);
    expect(push).toMatchObject({
      method: 'POST',
      url: '/push',
      json: { paymentId: id, transactionStatus: 'ACSC' },
    });
    expect(push!.headers['x-request-id']).toMatch(uuid);
    const names = Object.keys(push!.headers).sort();
    expect(names).toEqual(['connection', 'content-length', 'content-type', 'host', 'x-request-id']);
    expect(push!.headers['content-type']).toBe('application/json');
    const [told] = await noted(id, 1);
    expect(told).toMatchObject({
      uri: listener.uri,
      body: push!.json,
      status: 200,
      failure: null,
      fault: null,
    });
    expect(told!.requestId).toBe(push!.headers['x-request-id']);
  });

  it('reports every change of the authorisation and of the payment, in order', async () => {
    const listener = await listening();
    scene.bank.scenario({ lifeCycle: 'stepwise' });
    const { id, created } = await scene.create('embedded-one-implicit', { headers: wish(listener.uri) });
    const links = created.json._links;
    const person = scene.bank.person('embedded-one-implicit');
    const update = href(links, 'updatePsuAuthentication');
    const authorisationId = update.split('/').at(-1);
    await scene.call('PUT', update, { body: { psuData: { password: person.password } } });
    await scene.call('PUT', update, { body: { scaAuthenticationData: person.otp } });
    scene.clock.ms += 10_000;
    const all = await listener.arrived(8);
    expect(bodies(all)).toEqual([
      { paymentId: id, authorisationId, scaStatus: 'scaMethodSelected' },
      { paymentId: id, authorisationId, scaStatus: 'finalised' },
      ...['ACTC', 'PDNG', 'ACCP', 'ACFC', 'ACSP', 'ACSC'].map((transactionStatus) => ({
        paymentId: id,
        transactionStatus,
      })),
    ]);
    expect(new Set(all.map(({ headers }) => headers['x-request-id'])).size).toBe(8);
  });

  it('reports with LAST only the end, of any life', async () => {
    const listener = await listening();
    const ends = {
      'batch-actc': 'ACTC',
      'with-change': 'ACSC',
      'rejected-later': 'RJCT',
      instant: 'ACCC',
    } as const;
    for (const [lifeCycle, last] of Object.entries(ends)) {
      scene.bank.scenario({ lifeCycle: lifeCycle as keyof typeof ends });
      const { id } = await scene.create('redirect', { headers: wish(listener.uri, 'status=LAST') });
      scene.bank.decide('approve', id);
      scene.clock.ms += 2 * 86_400_000;
      await noted(id, 1);
      expect(listener.pushes.at(-1)!.json).toEqual({ paymentId: id, transactionStatus: last });
    }
  });

  it('names the cancellation by the wish of the payment', async () => {
    const listener = await listening();
    const { id, links } = await scene.create('redirect', {
      headers: wish(listener.uri),
      more: { requestedExecutionDate: '2027-09-01' },
    });
    scene.bank.decide('approve', id);
    await noted(id, 2);
    await scene.call('DELETE', href(links, 'self'));
    const list = await scene.call('GET', `${href(links, 'self')}/cancellation-authorisations`);
    const [cancellationId] = list.json.authorisationIds as string[];
    scene.bank.decide('approve', cancellationId!);
    const [, , ...rest] = await noted(id, 4);
    expect(rest.map(({ body }) => body)).toEqual([
      { paymentId: id, cancellationId, scaStatus: 'finalised' },
      { paymentId: id, transactionStatus: 'CANC' },
    ]);
  });

  it('reports each authorisation of several PSUs; a status that the file does not know is a link', async () => {
    const listener = await listening();
    const asked = await consents.ask('pair-a', { headers: wish(listener.uri) });
    const { consentId: id, _links } = asked.json;
    const start = `${href(_links, 'self')}/authorisations`;
    const authorisers = ['pair-a', 'pair-b'];
    const ids: string[] = [];
    for (const psuId of authorisers) {
      const started = await scene.call('POST', start, { headers: { 'PSU-ID': psuId } });
      expect(started.status, started.text).toBe(201);
      ids.push(started.json.authorisationId as string);
      scene.bank.decide('approve', ids.at(-1)!, psuId);
    }
    const all = await noted(id as string, 4);
    expect(all.map(({ body }) => body)).toEqual([
      { consentId: id, authorisationId: ids[0], scaStatus: 'finalised' },
      { consentId: id, _links: { status: { href: `/v136/consents/${id as string}/status` } } },
      { consentId: id, authorisationId: ids[1], scaStatus: 'finalised' },
      { consentId: id, consentStatus: 'valid' },
    ]);
  });

  it('reports a basket and its members by the wish of each', async () => {
    scene.bank.scenario({ surface: 'framework' });
    const listener = await listening();
    const explicit = { 'TPP-Explicit-Authorisation-Preferred': 'true' };
    const paid = await scene.create('redirect', {
      headers: { ...explicit, ...wish(listener.uri, 'status=LAST') },
    });
    const basket = await scene.call('POST', '/v136/signing-baskets', {
      body: { paymentIds: [paid.id] },
      headers: { 'PSU-ID': 'redirect', 'TPP-Redirect-URI': back, ...wish(listener.uri) },
    });
    const { basketId, _links } = basket.json;
    const started = await scene.call('POST', href(_links, 'startAuthorisation'));
    const { authorisationId } = started.json;
    scene.bank.decide('approve', authorisationId as string);
    await listener.arrived(3);
    const of = (name: string) => bodies(listener.pushes).filter((body) => name in (body as object));
    expect(of('basketId')).toEqual([
      { basketId, authorisationId, scaStatus: 'finalised' },
      { basketId, transactionStatus: 'ACTC' },
    ]);
    expect(of('paymentId')).toEqual([{ paymentId: paid.id, transactionStatus: 'ACSC' }]);
    scene.bank.scenario({ surface: 'service' });
  });

  it('reports a consent that ends by itself when it ends', async () => {
    const listener = await listening();
    const { id } = await consents.valid('redirect', {
      headers: wish(listener.uri, 'status=LAST'),
      more: { validUntil: scene.clock.now().toISOString().slice(0, 10) },
    });
    expect(listener.pushes).toEqual([]);
    scene.clock.ms += 2 * 86_400_000;
    expect(bodies(await listener.arrived(1))).toEqual([{ consentId: id, consentStatus: 'expired' }]);
  });

  it('comes in v1, too', async () => {
    const listener = await listening();
    const { id } = await scene.create('redirect', {
      prefix: 'v1',
      headers: wish(listener.uri, 'status=LAST'),
    });
    scene.bank.decide('refuse', id);
    expect(bodies(await listener.arrived(1))).toEqual([{ paymentId: id, transactionStatus: 'RJCT' }]);
  });
});

describe('the answer of a TPP to a push', () => {
  it.each([
    [503, null],
    [200, 'The answer does not repeat the X-Request-ID.'],
    [307, null],
  ])('is recorded as %i, and the push is not repeated', async (status, failure) => {
    const listener = await listening({
      answer: (_incoming, outgoing) => {
        outgoing.writeHead(status, { Location: '/elsewhere' }).end();
      },
    });
    const { id } = await scene.create('redirect', { headers: wish(listener.uri, 'status=LAST') });
    scene.bank.decide('refuse', id);
    expect(await noted(id, 1)).toMatchObject([{ status, failure }]);
    await scene.create('redirect');
    expect(listener.pushes).toHaveLength(1);
  });

  it('is a failure where nobody listens, and a silent listener holds up nobody else', async () => {
    const silent = await listening({ answer: () => undefined });
    const listener = await listening();
    const waits = await scene.create('redirect', { headers: wish(silent.uri, 'status=LAST') });
    scene.bank.decide('refuse', waits.id);
    await silent.arrived(1);
    const other = await scene.create('redirect', { headers: wish(listener.uri, 'status=LAST') });
    scene.bank.decide('refuse', other.id);
    await listener.arrived(1);
    const { uri } = listener;
    await listener.close();
    const third = await scene.create('redirect', { headers: wish(uri, 'status=LAST') });
    scene.bank.decide('refuse', third.id);
    expect(await noted(third.id, 1)).toMatchObject([
      { status: null, failure: expect.stringContaining('ECONNREFUSED') },
    ]);
    expect(await noted(waits.id, 1)).toMatchObject([
      { status: null, failure: expect.stringContaining('5000 ms') },
    ]);
  });
});

describe('a push by TLS', () => {
  const tlsListener = () => {
    const { caPath } = scene.bank;
    const folder = join(caPath, '..');
    const ca = readFileSync(caPath, 'utf8');
    // The QWAC of the TPP, as it would stand behind its address.
    const cert = readFileSync(scene.bank.tlsCertificatePath, 'utf8');
    const key = readFileSync(scene.bank.tlsKeyPath, 'utf8');
    const own = new X509Certificate(readFileSync(join(folder, 'server.pem'))).fingerprint256;
    return { own, start: () => listening({ tls: { cert, key, ca } }) };
  };

  it("shows the certificate of the bank's own web site", async () => {
    const { own, start } = tlsListener();
    const listener = await start();
    const { id } = await scene.create('redirect', { headers: wish(listener.uri, 'status=LAST') });
    scene.bank.decide('refuse', id);
    const [push] = await listener.arrived(1);
    expect(push!.peer).toEqual({ fingerprint: own, authorized: true });
  });

  it('shows with the fault push-foreign-certificate another one, which nobody vouches for', async () => {
    const { own, start } = tlsListener();
    const listener = await start();
    scene.bank.fault({ operation: 'initiatePayment', kind: 'push-foreign-certificate' });
    const plain = await scene.create('redirect', { headers: wish((await listening()).uri, 'status=LAST') });
    scene.bank.decide('refuse', plain.id);
    // By http no certificate is shown.
    expect(await noted(plain.id, 1)).toMatchObject([{ status: 200, fault: null }]);
    const { id } = await scene.create('redirect', { headers: wish(listener.uri, 'status=LAST') });
    scene.bank.decide('refuse', id);
    const [push] = await listener.arrived(1);
    expect(push!.peer!.authorized).toBe(false);
    expect(push!.peer!.fingerprint).not.toBe(own);
    expect(await noted(id, 1)).toMatchObject([{ status: 200, fault: 'push-foreign-certificate' }]);
  });
});

describe('a fault of pushes', () => {
  const told = async (
    kind: 'push-lost' | 'push-twice' | 'push-out-of-order',
    attempts: number,
    count = 1,
  ) => {
    const listener = await listening();
    scene.bank.fault({ operation: 'initiatePayment', kind, count });
    const { id } = await scene.create('redirect', { headers: wish(listener.uri, 'status=PROCESS') });
    scene.bank.decide('approve', id);
    return { listener, all: await noted(id, attempts) };
  };
  const statuses = (all: readonly { json: { transactionStatus?: string } }[]) =>
    all.map(({ json }) => json.transactionStatus);

  it('loses one with push-lost', async () => {
    const { listener, all } = await told('push-lost', 2);
    expect(statuses(listener.pushes)).toEqual(['ACSC']);
    expect(all[0]).toMatchObject({ status: null, fault: 'push-lost', body: { transactionStatus: 'ACTC' } });
  });

  it('repeats one with the same X-Request-ID with push-twice', async () => {
    const { listener } = await told('push-twice', 3);
    expect(statuses(listener.pushes)).toEqual(['ACTC', 'ACTC', 'ACSC']);
    const [first, second] = listener.pushes.map(({ headers }) => headers['x-request-id']);
    expect(second).toBe(first);
  });

  it('lets the next one go first with push-out-of-order', async () => {
    const { listener } = await told('push-out-of-order', 2);
    expect(statuses(listener.pushes)).toEqual(['ACSC', 'ACTC']);
  });

  it('reports the newer one first also of the only two with push-out-of-order', async () => {
    const { listener } = await told('push-out-of-order', 2, 2);
    expect(statuses(listener.pushes)).toEqual(['ACSC', 'ACTC']);
  });

  it('can strike only existing notifications', () => {
    expect(() => {
      scene.bank.fault({ operation: 'getConsentStatus', kind: 'push-lost' });
    }).toThrow('There are no notifications of getConsentStatus');
  });

  it('strikes no call, and a fault of calls strikes no push', async () => {
    scene.bank.fault({ operation: 'initiatePayment', kind: 'push-lost' });
    await scene.create('redirect');
    scene.bank.fault({ operation: 'getConsentStatus', kind: 'status', status: 500 });
    expect((await scene.bank.bank.faults()).map(({ kind }) => kind)).toEqual(['push-lost', 'status']);
  });
});

describe('the command resend', () => {
  it('repeats a push for the tester, with an X-Request-ID of its own', async () => {
    const listener = await listening();
    const { id } = await scene.create('redirect', { headers: wish(listener.uri, 'status=LAST') });
    scene.bank.decide('refuse', id);
    const [first] = await noted(id, 1);
    expect(await scene.bank.bank.resend(id)).toEqual({ resent: first!.number });
    expect(await scene.bank.bank.resend(String(first!.number))).toEqual({ resent: first!.number });
    const all = await noted(id, 3);
    expect(all.map(({ resendOf }) => resendOf)).toEqual([null, first!.number, first!.number]);
    expect(listener.pushes[2]!.text).toBe(listener.pushes[0]!.text);
    expect(new Set(listener.pushes.map(({ headers }) => headers['x-request-id'])).size).toBe(3);
    await expect(scene.bank.bank.resend('nothing')).rejects.toMatchObject({ code: 'USAGE' });
  });
});
