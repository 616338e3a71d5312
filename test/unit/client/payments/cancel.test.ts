import { describe, expect, it } from 'vitest';
import { call } from '../../../../src/client/call/call.ts';
import { cancelPayment } from '../../../../src/client/payments/cancel.ts';
import { latest, refreshResource } from '../../../../src/client/resources/saved-resource.ts';
import { unknownWrites } from '../../../../src/client/resources/unknown-writes.ts';
import { newConversation } from '../../../../src/standard/sca/state.ts';
import type { Approach, ScaAnswer } from '../../../../src/standard/sca/state.ts';
import { world } from '../../../helpers/world.ts';
import { one, saved } from '../orders.ts';
import { failedWith } from '../../../helpers/failed-with.ts';

describe('a cancellation', () => {
  it.each([
    ['204', { status: 204 }],
    ['202 that says CANC', { status: 202, body: { transactionStatus: 'CANC' } }],
  ])('is done where it is answered %s', async (_, answer) => {
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

  it.each([
    ['FORMAT_ERROR', 400, true],
    ['PARAMETER_NOT_SUPPORTED', 400, true],
    ['RESOURCE_UNKNOWN', 400, false],
    ['FORMAT_ERROR', 403, false],
  ])(
    'is sent in 1.3.2 once more without the addresses where it is refused with %s, %i: %s',
    async (code, status, again) => {
      const there = await world();
      const tppMessages = [{ category: 'ERROR', code, text: 'no' }];
      there.http.expect('DELETE', one, { status, body: { tppMessages } });
      if (again) there.http.expect('DELETE', one, { status: 204 });
      const done = cancelPayment(there.target, saved);
      if (again) await expect(done).resolves.toMatchObject({ kind: 'cancelled' });
      else await expect(done).rejects.toMatchObject({ bankCode: code });
      const sent = there.http.requests.map((request) => request.header('TPP-Redirect-URI') !== undefined);
      expect(sent).toEqual(again ? [true, false] : [true]);
    },
  );

  it.each([
    [true, 'EMBEDDED', true],
    [false, 'REDIRECT', false],
  ] as const)(
    'has the addresses in 1.3.2 always or never by redirectOnCancel: %s',
    async (always, approach, sent) => {
      const there = await world({ profile: { payments: { redirectOnCancel: always } } });
      await there.target.ports.resources.saveConversation(there.target.name, conversationOf(approach));
      there.http.expect('DELETE', one, { status: 400, body: { tppMessages: [] } });
      await expect(cancelPayment(there.target, saved)).rejects.toMatchObject({ httpStatus: 400 });
      const addresses = there.http.requests.map(
        (request) => request.header('TPP-Redirect-URI') !== undefined,
      );
      expect(addresses).toEqual([sent]);
    },
  );

  const conversationOf = (approach: Approach) => ({
    ...newConversation({ kind: 'payment', id: saved.id } as const, started, '2026-11-20T10:00:00Z'),
    approach,
  });
  const started: ScaAnswer = { method: 'POST', status: 201, hasLinks: false, links: {}, unknownLinks: [] };
  it.each<[string, string, Approach | undefined, boolean | undefined, boolean]>([
    ['1.3.2', 'it is not known how the PSU authorises', undefined, undefined, true],
    ['1.3.2', 'the PSU was redirected', 'REDIRECT', undefined, true],
    ['1.3.2', 'the PSU logged in at the bank', 'OAUTH', undefined, true],
    ['1.3.2', 'the PSU was not redirected', 'EMBEDDED', undefined, false],
    ['1.3.2', 'the PSU used an app', 'DECOUPLED', undefined, false],
    ['1.3.2', 'no redirect is wanted', undefined, false, false],
    ['1.3.2', 'a redirect is wanted', 'EMBEDDED', true, true],
    ['1.3.6', 'the framework has them', 'EMBEDDED', undefined, true],
  ])('names the return address in %s: %s', async (framework, _, approach, redirect, sent) => {
    const there = await world({ profile: { framework: framework as '1.3.2' } });
    if (approach !== undefined) {
      await there.target.ports.resources.saveConversation(there.target.name, conversationOf(approach));
    }
    there.http.expect('DELETE', one, { status: 204 });
    await cancelPayment(there.target, saved, redirect === undefined ? {} : { redirect });
    const [request] = there.http.requests;
    expect(request?.header('TPP-Redirect-URI') !== undefined).toBe(sent);
    expect(request?.header('TPP-Redirect-Preferred')).toBe(
      redirect === undefined ? undefined : String(redirect),
    );
  });

  it.each<[string, string[], string | undefined, string | undefined]>([
    ['the PSU of the payment', ['anna'], undefined, 'anna'],
    ['the PSU of this run', ['anna'], 'bert', 'bert'],
    ['nobody where several have authorised', ['anna', 'bert'], undefined, undefined],
  ])('is started for %s', async (_, psuIds, ofRun, psuId) => {
    const there = await world();
    const { resources } = there.target.ports;
    for (const [at, one] of psuIds.entries())
      await resources.saveConversation(there.target.name, {
        ...conversationOf('EMBEDDED'),
        ...{ psuId: one, authorisationId: `auth-${String(at)}` },
      });
    const psu = ofRun === undefined ? {} : { id: ofRun };
    const run = { ...there.target.run, psu };
    const target = { ...there.target, run, psu: { ...there.target.psu, ...psu } };
    const links = { startAuthorisation: { href: `${one}/cancellation-authorisations` } };
    there.http.expect('DELETE', one, { status: 202, body: { transactionStatus: 'RCVD', _links: links } });
    const cancelled = await cancelPayment(target, saved);
    if (cancelled.kind !== 'authorise') throw new Error(cancelled.kind);
    expect(cancelled.conversation.psuId).toBe(psuId);
  });

  it.each([
    ['200 without a body', { status: 200 }],
    ['200 with an empty object', { status: 200, body: {} }],
    ['202 without a body', { status: 202 }],
    ['202 with an empty object', { status: 202, body: {} }],
    ['202 with ACSC', { status: 202, body: { transactionStatus: 'ACSC' } }],
    ['202 with RJCT', { status: 202, body: { transactionStatus: 'RJCT' } }],
    ['202 with a status that nobody knows', { status: 202, body: { transactionStatus: 'ZZZZ' } }],
    ['202 with links that lead nowhere', { status: 202, body: { _links: { self: { href: one } } } }],
  ])('is what the status then shows where it is answered %s', async (_, answer) => {
    for (const status of ['CANC', 'RJCT', 'ACSC', 'ACTC', 'ZZZZ']) {
      const there = await world();
      const body = { transactionStatus: status, psuMessage: 'So steht es.' };
      there.http.expect('DELETE', one, answer).expect('GET', `${one}/status`, { body });
      await expect(cancelPayment(there.target, saved)).resolves.toMatchObject({
        kind: status === 'CANC' ? 'cancelled' : 'untold',
        resource: { status },
        said: { psuMessage: 'So steht es.' },
      });
      there.verify();
    }
  });

  it('is not taken for done where the status cannot be read then', async () => {
    const there = await world();
    there.http.expect('DELETE', one, { status: 200 }).expect('GET', `${one}/status`, { status: 500 });
    const { status: before } = saved;
    await expect(cancelPayment(there.target, saved)).resolves.toMatchObject({
      kind: 'untold',
      resource: { status: before },
    });
    expect(there.notices.warned).toHaveLength(1);
  });

  it('ends as a result where it is impossible', async () => {
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

  it('ends as a refusal where the bank does not offer it', async () => {
    const there = await world();
    there.http.expect('DELETE', one, { status: 405 });
    expect(await failedWith(cancelPayment(there.target, saved))).toMatchObject({
      exit: 5,
      resource: { paymentId: 'pay-1' },
    });
  });

  it('is done where its answer is lost and the status shows it, and no longer pending', async () => {
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
    'stays unknown where its answer is lost and the status %s; it is not sent again',
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

describe('a status after a lost cancellation', () => {
  it('resolves the cancellation, and nothing else that is unknown of the payment', async () => {
    const there = await world();
    const lost = { sent: true, reason: 'reset' } as const;
    const start = {
      operation: 'startPaymentAuthorisation',
      params: {
        'payment-service': 'payments',
        'payment-product': 'sepa-credit-transfers',
        paymentId: 'pay-1',
      },
      resource: { paymentId: 'pay-1' },
    } as const;
    there.http
      .expectFailure('POST', `${one}/authorisations`, lost)
      .expectFailure('DELETE', one, lost)
      .expect('GET', `${one}/status`, { body: { transactionStatus: 'CANC' } });
    await failedWith(call(there.target, start));
    await cancelPayment(there.target, saved);
    await expect(unknownWrites(there.target.ports, 'acme')).resolves.toMatchObject([
      { operation: 'startPaymentAuthorisation' },
    ]);
  });
});

describe('a payment from elsewhere', () => {
  it('needs service and product', async () => {
    const there = await world();
    const { service: _, product: __, ...foreign } = saved;
    expect(await failedWith(refreshResource(there.target, foreign))).toMatchObject({
      exit: 2,
      resource: { paymentId: 'pay-1' },
    });
  });

  it('is saved once its status was read', async () => {
    const there = await world();
    there.http.expect('GET', `${one}/status`, { body: { transactionStatus: 'ACSC' } });
    await refreshResource(there.target, saved);
    await expect(there.store.resources.find('acme', 'payment', 'pay-1')).resolves.toMatchObject({
      status: 'ACSC',
    });
  });
});

describe('the newest conversation of a payment', () => {
  const parent = (kind: 'payment' | 'cancellation') => ({ kind, id: 'pay-1' });
  const one = (kind: 'payment' | 'cancellation', startedAt: string, authorisationId: string) => ({
    schemaVersion: 1 as const,
    parent: parent(kind),
    startedAt,
    authorisationId,
    steering: {},
    standing: {},
    unknownLinks: [],
    sent: [],
  });

  it('is of the kind that is continued', () => {
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
