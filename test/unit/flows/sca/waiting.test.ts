import { describe, expect, it } from 'vitest';
import { ObkError } from '../../../../src/errors.ts';
import { fakeClock } from '../../../helpers/fakes/index.ts';
import { world } from '../../../helpers/world.ts';
import { one, auth, payment, started, decoupled, finalised, settled, run } from '../payer.ts';
import { failedWith } from '../../../helpers/failed-with.ts';

describe('without a person', () => {
  it.each([
    ['decoupled', decoupled()],
    [
      'redirect',
      started({
        authorisationId: 'auth-1',
        links: { scaRedirect: 'https://login.bank.example/x', scaStatus: auth },
      }),
    ],
  ])('%s is left open at once unless waiting is wanted', async (_, conversation) => {
    const there = await world();
    await expect(run(there, conversation, { wait: false })).resolves.toMatchObject({
      success: undefined,
      timedOut: false,
    });
    there.verify();
    expect(there.browser.opened).toEqual([]);
  });

  it('a resumed run sees what the PSU has done meanwhile', async () => {
    const there = await world();
    there.http.expect('GET', auth, finalised).expect('GET', `${one}/status`, settled);
    await expect(run(there, decoupled(), { wait: false, resumed: true })).resolves.toMatchObject({
      success: true,
    });
  });

  it('a payment that was accepted or rejected at once needs no SCA', async () => {
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

describe('waiting', () => {
  it('looks ever more slowly, within the time that was given', async () => {
    const there = await world();
    for (let i = 0; i < 40; i += 1) there.http.expect('GET', auth, { body: { scaStatus: 'started' } });
    await expect(run(there, decoupled())).resolves.toMatchObject({ success: undefined, timedOut: true });
    const { slept } = there.clock;
    expect(slept.slice(0, 5)).toEqual([2000, 3000, 4500, 6750, 10_000]);
    expect(slept.reduce((sum, ms) => sum + ms, 0)).toBe(300_000);
    expect(there.http.requests.length).toBeLessThanOrEqual(40);
  });

  it('survives a bank that fails for a moment, and not one that is gone', async () => {
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

  it('ends at once where the bank says that it will not answer', async () => {
    const there = await world();
    there.http.expect('GET', auth, {
      status: 401,
      body: { tppMessages: [{ category: 'ERROR', code: 'TOKEN_EXPIRED' }] },
    });
    expect(await failedWith(run(there, decoupled()))).toMatchObject({ exit: 4 });
    there.verify();
  });

  it('asks the payment where the bank serves no scaStatus', async () => {
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

  it('a status that nobody knows is no end', async () => {
    const there = await world();
    there.http
      .expect('GET', auth, { body: { scaStatus: 'byFax' } })
      .expect('GET', auth, finalised)
      .expect('GET', `${one}/status`, settled);
    await expect(run(there, decoupled())).resolves.toMatchObject({ success: true });
  });

  it('ends with Ctrl-C, and the error names what is left', async () => {
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
