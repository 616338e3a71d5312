import { describe, expect, it } from 'vitest';
import { ObkError } from '../../../../src/base/errors.ts';
import { watchPayment } from '../../../../src/client/payments/payment-status.ts';
import { newsOf } from '../../../../src/client/resources/news.ts';
import { newResource } from '../../../../src/client/resources/saved-resource.ts';
import type {
  NotificationPlace,
  Notifications,
  ReceivedNotification,
} from '../../../../src/client/ports/notifications.ts';
import type { Profile } from '../../../../src/settings/records/profile.ts';
import { fakeClock } from '../../../helpers/fakes/index.ts';
import { world } from '../../../helpers/world.ts';

const uri = 'http://127.0.0.1:8091/push';

/** A world whose notification address is this, with a listener to which the test pushes. */
async function listening(address = uri, failure?: ObkError, further: Partial<Profile> = {}) {
  const there = await world({
    clock: fakeClock({ manual: true }),
    profile: { ...(address === '' ? {} : { notification: { uri: address } }), ...further },
  });
  const places: NotificationPlace[] = [];
  const takers: ((received: ReceivedNotification | undefined) => void)[] = [];
  let closed = 0;
  const notifications: Notifications = {
    listen(place) {
      places.push(place);
      if (failure !== undefined) return Promise.reject(failure);
      return Promise.resolve({
        port: place.port,
        next: () => new Promise((resolve) => takers.push(resolve)),
        close() {
          closed += 1;
          for (const taker of takers.splice(0)) taker(undefined);
          return Promise.resolve();
        },
      });
    },
  };
  there.target.ports.notifications = notifications;
  const push = (body: object) =>
    new Promise<number>((answer) => {
      takers.shift()!({
        requestId: 'r',
        body: Buffer.from(JSON.stringify(body)),
        certificate: undefined,
        answer,
      });
    });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return { there, places, push, turn, closed: () => closed };
}

describe('a notification about a resource', () => {
  it.each([
    '',
    'https://tpp.example/push',
    'https://127.0.0.1:8091/push',
    'http://127.0.0.1/push',
    'http://tpp.example:8091/',
  ])('is not listened for at %s', async (address) => {
    const { there, places } = await listening(address);
    const news = await newsOf(there.target, 'pay-1');
    expect([places, news.expected]).toEqual([[], false]);
    await news.close();
  });

  it('ends a sleep, unless it is about another resource', async () => {
    const { there, places, push, turn, closed } = await listening();
    const news = await newsOf(there.target, 'pay-1');
    expect(places).toEqual([{ address: '127.0.0.1', port: 8091, path: '/push' }]);
    const state = { over: false };
    const slept = news.sleep(60_000).then(() => {
      state.over = true;
    });
    expect(await push({ paymentId: 'pay-2', transactionStatus: 'ACSC' })).toBe(404);
    expect(await push({ nothing: 1 })).toBe(400);
    await turn();
    expect(state.over).toBe(false);
    expect(await push({ 'payment-ID': 'pay-1', transactionStatus: 'ACSC' })).toBe(200);
    await slept;
    // What came meanwhile is not lost.
    await push({ paymentId: 'pay-1' });
    await news.sleep(60_000);
    await news.close();
    expect([closed(), there.clock.sleeping]).toEqual([1, 0]);
  });

  it('arrives by TLS with the certificate of the profile where the address is https', async () => {
    const files = { tlsCertificate: 'qwac.pem', tlsKey: 'qwac-key.pem' };
    const { there, places, push } = await listening('https://localhost:8091/push', undefined, files);
    there.target.ports.files.read = (path) => Promise.resolve(Buffer.from(`content of ${path}`));
    const news = await newsOf(there.target, 'pay-1');
    const [place] = places;
    expect([place?.address, place?.tls?.certificate, place?.tls?.key.reveal()]).toEqual([
      '127.0.0.1',
      'content of qwac.pem',
      'content of qwac-key.pem',
    ]);
    const slept = news.sleep(60_000);
    expect(await push({ paymentId: 'pay-1' })).toBe(200);
    await slept;
    await news.close();
  });

  it('causes a limited number of looks at most', async () => {
    const { there, push, turn } = await listening();
    const news = await newsOf(there.target, 'pay-1');
    for (let look = 0; look < 60; look++) {
      await push({ paymentId: 'pay-1' });
      await news.sleep(60_000);
    }
    const state = { over: false };
    void news.sleep(60_000).then(() => {
      state.over = true;
    });
    await push({ paymentId: 'pay-1' });
    await turn();
    expect(state.over).toBe(false);
    await news.close();
  });

  it('is replaced by polling where the port is taken', async () => {
    const taken = new ObkError({ code: 'LISTENER_FAILED', title: 'Port 8091 is taken.' });
    const { there } = await listening(uri, taken);
    const news = await newsOf(there.target, 'pay-1');
    const slept = news.sleep(1000);
    there.clock.advance(1000);
    await slept;
    expect(news.expected).toBe(false);
  });

  it('causes a status that is waited for to be read at once', async () => {
    const { there, push, turn, closed } = await listening();
    const path = '/v1/payments/sepa-credit-transfers/pay-1/status';
    const place = { service: 'payments', product: 'sepa-credit-transfers' };
    const payment = { ...newResource(there.target, 'payment', 'pay-1'), ...place };
    await there.store.resources.save(payment);
    there.http.expect('GET', path, { body: { transactionStatus: 'RCVD' } });
    there.http.expect('GET', path, { body: { transactionStatus: 'ACSC' } });
    const pace = { until: 'ACSC', intervalMs: 60_000, timeoutMs: 600_000 };
    const readings = watchPayment(there.target, payment, pace);
    await readings.next();
    const next = readings.next();
    await expect.poll(() => there.clock.sleeping).toBe(1);
    expect(await push({ paymentId: 'pay-1', transactionStatus: 'ACSC' })).toBe(200);
    expect((await next).value).toMatchObject({ state: { transactionStatus: 'ACSC' } });
    expect((await readings.next()).value).toMatchObject({ end: 'reached' });
    await turn();
    expect([closed(), there.clock.monotonic()]).toEqual([1, 1000]);
  });
});
