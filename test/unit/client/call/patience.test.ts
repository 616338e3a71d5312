import { describe, expect, it } from 'vitest';
import { call } from '../../../../src/client/call/call.ts';
import { beginPatience, leftToWait } from '../../../../src/client/call/patience.ts';
import { fakePerson } from '../../../helpers/fakes/index.ts';
import { world } from '../../../helpers/world.ts';
import { atOtp, auth, decoupled, finalised, one, run, saved, settled, started } from '../payer.ts';
import { failedWith } from '../../../helpers/failed-with.ts';

const status = {
  operation: 'getPaymentInitiationStatus',
  params: { 'payment-service': 'payments', 'payment-product': 'sepa-credit-transfers', paymentId: 'pay-1' },
} as const;
const busy = (seconds: number) => ({ status: 503, headers: { 'Retry-After': String(seconds) } });
const rate = { calls: 1, windowMs: 60_000 };

describe('--timeout', () => {
  it('bounds the waits of a run together: a longer wait of the bank ends the run, which reports what is open', async () => {
    const there = await world();
    // Each look of the poll meets a busy bank: 3 x 3 s of Retry-After alone would be within each call.
    there.http
      .expect('GET', auth, busy(3))
      .expect('GET', auth, { body: { scaStatus: 'started' } })
      .expect('GET', auth, busy(20));
    const started = there.clock.monotonic();
    await expect(run(there, decoupled(), { timeoutMs: 12_000 })).resolves.toMatchObject({
      success: undefined,
      timedOut: true,
      resource: { id: 'pay-1' },
    });
    expect(there.clock.monotonic() - started).toBeLessThanOrEqual(12_000);
    there.verify();
  });

  it('ends a step that would wait longer for its turn, with nothing of it sent', async () => {
    const there = await world({ person: fakePerson().answer('otp', '739184'), run: { rate } });
    there.http.expect('PUT', auth, { body: { scaStatus: 'scaMethodSelected' } });
    await call(there.target, {
      operation: 'updatePaymentPsuData',
      params: { ...status.params, authorisationId: 'auth-1' },
      body: { json: {} },
    });
    await expect(run(there, atOtp(), { timeoutMs: 30_000 })).resolves.toMatchObject({ timedOut: true });
    expect(there.clock.slept).toEqual([]);
    expect((await saved(there))[0]).toMatchObject({ sent: [] });
    expect((await saved(there))[0]?.inDoubt).toBeUndefined();
    there.verify();
  });

  it('does not count the time at a question', async () => {
    const person = fakePerson().answer('otp', '739184');
    const there = await world({ person });
    const ask = person.askSecret.bind(person);
    person.askSecret = async (question) => {
      there.clock.advance(600_000);
      return ask(question);
    };
    there.http
      .expect('PUT', auth, { body: { scaStatus: 'started', _links: { scaStatus: { href: auth } } } })
      .expect('GET', auth, finalised)
      .expect('GET', `${one}/status`, settled);
    await expect(run(there, atOtp(), { timeoutMs: 5_000 })).resolves.toMatchObject({ success: true });
  });

  it('never cuts off a write that is sent', async () => {
    const there = await world({ person: fakePerson().answer('otp', '739184') });
    there.http
      .expect('PUT', auth, {
        ...finalised,
        check: () => {
          there.clock.advance(60_000);
        },
      })
      .expect('GET', `${one}/status`, settled);
    await expect(run(there, atOtp(), { timeoutMs: 1_000 })).resolves.toMatchObject({ success: true });
  });

  it('covers several visits together', async () => {
    const there = await world({ person: fakePerson() });
    const page = started({
      authorisationId: 'auth-1',
      links: { scaRedirect: 'https://bank.example/sca', scaStatus: auth },
    });
    const begun = there.clock.monotonic();
    for (let look = 0; look < 20; look += 1)
      there.http.expect('GET', auth, { body: { scaStatus: 'started' } });
    await expect(run(there, page, { timeoutMs: 20_000 })).resolves.toMatchObject({ timedOut: true });
    expect(there.clock.monotonic() - begun).toBeLessThanOrEqual(20_000);
  });

  it('ends a call before the authorisation with exit 8 and nothing sent', async () => {
    const there = await world({ run: { rate } });
    there.http.expect('GET', `${one}/status`, settled);
    await call(there.target, status);
    beginPatience(there.target, 30_000);
    expect(await failedWith(call(there.target, status))).toMatchObject({ code: 'WAIT_OVER', exit: 8 });
    expect(leftToWait(there.target)).toBe(30_000);
    there.verify();
  });
});
