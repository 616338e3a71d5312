import { describe, expect, it } from 'vitest';
import { ObkError } from '../../../../src/base/errors.ts';
import { fakeClock, fakePerson } from '../../../helpers/fakes/index.ts';
import { world } from '../../../helpers/world.ts';
import { one, auth, atOtp, payment, started, decoupled, finalised, settled, run } from '../payer.ts';
import { failedWith } from '../../../helpers/failed-with.ts';

describe('an authorisation without a person', () => {
  it.each([
    ['decoupled', decoupled()],
    [
      'redirect',
      started({
        authorisationId: 'auth-1',
        links: { scaRedirect: 'https://login.bank.example/x', scaStatus: auth },
      }),
    ],
  ])('is left open at once unless waiting is requested: %s', async (_, conversation) => {
    const there = await world();
    await expect(run(there, conversation, { wait: false })).resolves.toMatchObject({
      success: undefined,
      timedOut: false,
    });
    there.verify();
    expect(there.browser.opened).toEqual([]);
  });

  it('sees in a resumed run what the PSU has done meanwhile', async () => {
    const there = await world();
    there.http.expect('GET', auth, finalised).expect('GET', `${one}/status`, settled);
    await expect(run(there, decoupled(), { wait: false, resumed: true })).resolves.toMatchObject({
      success: true,
    });
  });

  it('is not needed for a payment that was accepted or rejected at once', async () => {
    for (const [status, success] of [
      ['ACSC', true],
      ['ACTC', true],
      ['RJCT', false],
      ['CANC', false],
    ] as const) {
      const there = await world();
      there.http.expect('GET', `${one}/status`, { body: { transactionStatus: status } });
      const outcome = run(there, started(), { wait: false }, { ...payment, status });
      await expect(outcome).resolves.toMatchObject({ success, resource: { status } });
    }
  });
});

describe('the status after the authorisation', () => {
  const status = (transactionStatus: string) => ({ body: { transactionStatus } });
  const consented = { ...payment, noun: 'consent', id: 'c-1' } as const;
  const basket = { ...payment, noun: 'basket', id: 'b-1' } as const;

  it.each([
    ['finalised', 'RCVD', 'ACSC'],
    ['finalised', 'PDNG', 'ACTC'],
    ['exempted', 'RCVD', 'PATC'],
    ['exempted', 'PDNG', 'RJCT'],
    ['finalised', 'RCVD', 'RVCM'],
  ])('is read at %s while the payment is still %s, until it is %s', async (scaStatus, open, last) => {
    const there = await world();
    there.http.expect('GET', auth, { body: { scaStatus } });
    for (let read = 0; read < 3; read += 1) there.http.expect('GET', `${one}/status`, status(open));
    there.http.expect('GET', `${one}/status`, status(last));
    await expect(run(there, decoupled())).resolves.toMatchObject({
      success: true,
      resource: { status: last },
    });
    there.verify();
    expect(there.clock.slept).toEqual([2000, 2000, 3000, 4500]);
  });

  it.each([
    ['consent', 'received', 'valid', consented, '/v1/consents/c-1'],
    ['basket', 'RCVD', 'ACTC', basket, '/v1/signing-baskets/b-1/status'],
  ] as const)(
    'is read for a %s while it is still %s, until it is %s',
    async (kind, open, last, resource, path) => {
      const there = await world({ profile: { surface: 'framework' } });
      const name = kind === 'consent' ? 'consentStatus' : 'transactionStatus';
      for (const word of [open, open, last]) there.http.expect('GET', path, { body: { [name]: word } });
      const over = { ...started({ scaStatus: 'finalised' }), parent: { kind, id: resource.id } };
      await expect(run(there, over, {}, { ...resource, status: open })).resolves.toMatchObject({
        success: true,
        resource: { status: last },
      });
      there.verify();
    },
  );

  it('is read until the time is up, and once by a run that does not wait', async () => {
    const there = await world();
    there.http.expect('GET', auth, finalised);
    for (let read = 0; read < 4; read += 1) there.http.expect('GET', `${one}/status`, status('RCVD'));
    await expect(run(there, decoupled(), { timeoutMs: 10_000 })).resolves.toMatchObject({
      success: true,
      resource: { status: 'RCVD' },
    });
    there.verify();
    const once = await world();
    once.http.expect('GET', auth, finalised).expect('GET', `${one}/status`, status('RCVD'));
    await run(once, decoupled(), { wait: false, resumed: true });
    once.verify();
  });

  it.each(['ACTC', 'PATC', 'ACSP', 'RJCT', 'RVNC'])(
    'ends the reading at once where it is %s',
    async (last) => {
      const there = await world();
      there.http.expect('GET', auth, finalised).expect('GET', `${one}/status`, status(last));
      await expect(run(there, decoupled())).resolves.toMatchObject({ resource: { status: last } });
      there.verify();
    },
  );
});

describe('waiting for an authorisation', () => {
  it('slows down its polls, within the given time', async () => {
    const there = await world();
    for (let i = 0; i < 40; i += 1) there.http.expect('GET', auth, { body: { scaStatus: 'started' } });
    await expect(run(there, decoupled())).resolves.toMatchObject({ success: undefined, timedOut: true });
    const { slept } = there.clock;
    expect(slept.slice(0, 5)).toEqual([2000, 3000, 4500, 6750, 10_000]);
    expect(slept.reduce((sum, ms) => sum + ms, 0)).toBe(300_000);
    expect(there.http.requests.length).toBeLessThanOrEqual(40);
  });

  it('survives a bank that fails for a moment, but not one that is gone', async () => {
    const there = await world();
    const down = { sent: false, reason: 'timeout' } as const;
    there.http
      .expectFailure('GET', auth, down)
      .expect('GET', auth, { status: 500 })
      .expect('GET', auth, finalised)
      .expect('GET', `${one}/status`, settled);
    await expect(run(there, decoupled())).resolves.toMatchObject({ success: true });
    expect(there.notices.warned).toHaveLength(2);

    const gone = await world();
    for (let i = 0; i < 3; i += 1) gone.http.expectFailure('GET', auth, down);
    expect(await failedWith(run(gone, decoupled()))).toMatchObject({
      exit: 7,
      resource: { authorisationId: 'auth-1' },
    });
  });

  it('ends at once where the bank refuses to answer', async () => {
    const there = await world();
    there.http.expect('GET', auth, {
      status: 401,
      body: { tppMessages: [{ category: 'ERROR', code: 'TOKEN_EXPIRED' }] },
    });
    expect(await failedWith(run(there, decoupled()))).toMatchObject({ exit: 4 });
    there.verify();
  });

  it('polls the payment where the bank serves no scaStatus', async () => {
    const there = await world();
    there.http
      .expect('GET', auth, { status: 404 })
      .expect('GET', `${one}/status`, { body: { transactionStatus: 'RCVD' } })
      .expect('GET', auth, { status: 404 })
      .expect('GET', `${one}/status`, { body: { transactionStatus: 'RJCT' } })
      .expect('GET', `${one}/status`, { body: { transactionStatus: 'RJCT' } });
    await expect(run(there, decoupled())).resolves.toMatchObject({
      success: false,
      resource: { status: 'RJCT' },
    });
  });

  it('lets the payment decide at an unknown scaStatus, each time, and reports both words once', async () => {
    const status = (transactionStatus: string) => ({ body: { transactionStatus } });
    for (const [last, success, reads] of [
      ['ACSC', true, 1],
      ['ACTC', true, 1],
      ['RJCT', false, 1],
    ] as const) {
      const there = await world();
      there.http
        .expect('GET', auth, { body: { scaStatus: 'byFax' } })
        .expect('GET', `${one}/status`, status('RCVD'))
        .expect('GET', auth, { body: { scaStatus: 'byFax' } });
      for (let read = 0; read <= reads; read += 1) there.http.expect('GET', `${one}/status`, status(last));
      await expect(run(there, decoupled())).resolves.toMatchObject({ success, resource: { status: last } });
      there.verify();
    }
    const open = await world();
    for (let read = 0; read < 3; read += 1)
      open.http
        .expect('GET', auth, { body: { scaStatus: 'byFax' } })
        .expect('GET', `${one}/status`, status('PDNG'));
    const ended = await run(open, decoupled(), { timeoutMs: 9_000 });
    expect(ended).toMatchObject({ success: undefined, timedOut: true, resource: { status: 'PDNG' } });
    expect(open.notices.warned).toEqual([
      'The bank says scaStatus byFax, which obk does not know; transactionStatus PDNG decides.',
    ]);
    open.verify();
  });

  it('lets the payment decide at once at an unknown scaStatus in the answer to an entry', async () => {
    for (const [status, success] of [
      ['ACSC', true],
      ['RJCT', false],
      ['RCVD', undefined],
    ] as const) {
      const there = await world({ person: fakePerson({ present: false }).answer('otp', '739184') });
      const now = { body: { transactionStatus: status } };
      there.http.expect('PUT', auth, { body: { scaStatus: 'byFax' } }).expect('GET', `${one}/status`, now);
      if (success !== undefined) there.http.expect('GET', `${one}/status`, now);
      await expect(run(there, atOtp(), { wait: false })).resolves.toMatchObject({
        success,
        resource: { status },
        conversation: { scaStatus: 'byFax' },
      });
      there.verify();
    }
  });

  it.each(['finalized', 'FINALISED', 'Finalized'])('reads %s as finalised', async (scaStatus) => {
    const there = await world({ person: fakePerson({ present: false }).answer('otp', '739184') });
    there.http.expect('PUT', auth, { body: { scaStatus } }).expect('GET', `${one}/status`, settled);
    await expect(run(there, atOtp())).resolves.toMatchObject({
      success: true,
      conversation: { scaStatus: 'finalised' },
    });
    there.verify();
  });

  it('ends with Ctrl-C, and the error names what is open', async () => {
    const stop = new AbortController();
    const there = await world({ run: { signal: stop.signal }, clock: fakeClock({ manual: true }) });
    const ended = failedWith(run(there, decoupled()));
    await new Promise((resolve) => setImmediate(resolve));
    stop.abort(new ObkError({ code: 'INTERRUPTED', title: 'Interrupted.' }));
    expect(await ended).toMatchObject({
      exit: 130,
      resource: {
        paymentId: 'pay-1',
        authorisationId: 'auth-1',
        scaStatus: 'started',
        transactionStatus: 'RCVD',
      },
    });
  });
});
