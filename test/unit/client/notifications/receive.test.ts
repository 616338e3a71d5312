import { describe, expect, it } from 'vitest';
import type { Target } from '../../../../src/client/exchange/target.ts';
import { confirmedNotifications } from '../../../../src/client/notifications/receive.ts';
import { newResource } from '../../../../src/client/resources/saved-resource.ts';
import type { NotificationAnswer, ReceivedNotification } from '../../../../src/client/ports/notifications.ts';
import { world } from '../../../helpers/world.ts';

const requestId = '2f77a125-aa7a-45c0-b414-cea25a116035';

interface Sent {
  body?: unknown;
  certificate?: Uint8Array | null;
}

/** A world with the payment pay-1 and the consent con-1 saved, to which these notifications come one after the other. */
async function received(
  all: readonly Sent[],
  { perMinute = 100, isOf = (): boolean => true, profiles = ['acme'] } = {},
) {
  const there = await world();
  const place = { service: 'payments', product: 'sepa-credit-transfers', status: 'RCVD' };
  await there.store.resources.save({ ...newResource(there.target, 'payment', 'pay-1'), ...place });
  await there.store.resources.save({ ...newResource(there.target, 'consent', 'con-1'), status: 'valid' });
  const answers: NotificationAnswer[] = [];
  const waiting = all.map(
    ({ body = { paymentId: 'pay-1', transactionStatus: 'ACSC' }, certificate }): ReceivedNotification => {
      const at = answers.push(503) - 1;
      let first = true;
      return {
        requestId,
        body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
        certificate,
        answer(status) {
          if (first) answers[at] = status;
          first = false;
        },
      };
    },
  );
  const opened: string[] = [];
  const judged: (Target | Uint8Array)[][] = [];
  const confirmed = confirmedNotifications(
    {
      ports: there.target.ports,
      profiles,
      open: (profile) => {
        opened.push(profile);
        return Promise.resolve(there.target);
      },
      certificates: {
        isOf: (target, certificate) => {
          judged.push([target, certificate]);
          return Promise.resolve(isOf());
        },
      },
      perMinute,
      signal: new AbortController().signal,
    },
    { port: 1, next: () => Promise.resolve(waiting.shift()), close: () => Promise.resolve() },
  );
  const run = async () => {
    const found = [];
    for await (const { received: _, ...one } of confirmed) found.push(one);
    return found;
  };
  return { there, answers, run, judged, opened, confirmed };
}

const statusPath = '/v1/payments/sepa-credit-transfers/pay-1/status';

describe('a notification', () => {
  it('is a hint where it is of a payment: the bank states the status', async () => {
    const { there, answers, run } = await received([{}]);
    there.http.expect('GET', statusPath, { body: { transactionStatus: 'ACTC' } });
    expect(await run()).toMatchObject([
      {
        requestId,
        profile: 'acme',
        noun: 'payment',
        id: 'pay-1',
        told: { transactionStatus: 'ACSC', consentStatus: null, scaStatus: null },
        confirmed: { transactionStatus: 'ACTC', consentStatus: null, scaStatus: null },
        agrees: false,
      },
    ]);
    expect(answers).toEqual([200]);
    expect((await there.store.resources.find('acme', 'payment', 'pay-1'))?.status).toBe('ACTC');
  });

  it('is a hint where it is of a consent, too', async () => {
    const { there, run } = await received([{ body: { consentId: 'con-1', consentStatus: 'expired' } }]);
    there.http.expect('GET', '/v1/consents/con-1/status', { body: { consentStatus: 'expired' } });
    expect(await run()).toMatchObject([
      { noun: 'consent', confirmed: { consentStatus: 'expired' }, agrees: true },
    ]);
  });

  it('asks only for the payment where it is of an unknown authorisation', async () => {
    const body = { paymentId: 'pay-1', authorisationId: 'auth-of-others', scaStatus: 'finalised' };
    const { there, run } = await received([{ body }]);
    there.http.expect('GET', statusPath, { body: { transactionStatus: 'RCVD' } });
    expect(await run()).toMatchObject([
      { authorisationId: 'auth-of-others', confirmed: { scaStatus: null }, agrees: false },
    ]);
    expect(there.http.requests).toHaveLength(1);
  });

  it.each<[string, NotificationAnswer, Sent]>([
    ['garbage', 400, { body: 'garbage' }],
    ['an id that is not ours', 404, { body: { paymentId: 'pay-2', transactionStatus: 'ACSC' } }],
    ['the id of a payment as that of a consent', 404, { body: { consentId: 'pay-1' } }],
    ['no certificate', 401, { certificate: null }],
  ])('makes no call with %s', async (_, status, sent) => {
    const { there, answers, run } = await received([sent]);
    expect(await run()).toEqual([]);
    expect(answers).toEqual([status]);
    expect(there.http.requests).toEqual([]);
  });

  it("must come with the bank's certificate where it comes by TLS", async () => {
    const certificate = Buffer.from('der');
    const good = await received([{ certificate }]);
    good.there.http.expect('GET', statusPath, { body: { transactionStatus: 'ACSC' } });
    expect(await good.run()).toMatchObject([{ agrees: true }]);
    expect(good.judged).toEqual([[good.there.target, certificate]]);
    const bad = await received([{ certificate }], { isOf: () => false });
    expect(await bad.run()).toEqual([]);
    expect([bad.answers, bad.there.http.requests]).toEqual([[403], []]);
  });

  it('makes no call beyond a limit in a minute', async () => {
    const { there, answers, run } = await received([{}, {}, {}], { perMinute: 2 });
    for (let call = 0; call < 2; call++)
      there.http.expect('GET', statusPath, { body: { transactionStatus: 'ACTC' } });
    expect(await run()).toHaveLength(2);
    expect(answers).toEqual([200, 200, 503]);
    there.verify();
  });

  it('does not wait without bound while the bank or the next program is slow', async () => {
    const { there, answers, confirmed } = await received(new Array<Sent>(100).fill({}), { perMinute: 1000 });
    there.http.expect('GET', statusPath, { body: { transactionStatus: 'ACTC' } });
    // Who takes them stops after the first.
    await confirmed.next();
    const told = () => there.notices.warned.filter((text) => text.includes('wait already')).length;
    await expect.poll(told).toBe(10);
    expect(answers.filter((status) => status === 200)).toHaveLength(65);
  });

  it('is confirmed with another profile where the resource belongs to that one', async () => {
    const { there, run, opened } = await received([{}], { profiles: ['empty', 'acme'] });
    there.http.expect('GET', statusPath, { body: { transactionStatus: 'ACSC' } });
    expect(await run()).toMatchObject([{ profile: 'acme', agrees: true }]);
    expect(opened).toEqual(['acme']);
  });

  it('is reported where the bank does not confirm it, and the next one comes', async () => {
    const { there, run } = await received([{}, {}]);
    there.http.expect('GET', statusPath, { status: 500, body: {} });
    there.http.expect('GET', statusPath, { body: { transactionStatus: 'ACSC' } });
    expect(await run()).toMatchObject([{ agrees: true }]);
    expect(JSON.stringify(there.notices)).toContain('did not confirm');
  });
});
