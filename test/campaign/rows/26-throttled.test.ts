import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BankRefusal } from '../../../src/base/errors.ts';
import { tryCall } from '../../../src/client/call/call.ts';
import { trials } from '../../helpers/trials.ts';
import { world } from '../../helpers/world.ts';
import type { CallInput } from '../../../src/client/exchange/prepared.ts';

const row = trials('26', 400);
const cap = 120_000;
const params = {
  ...{ 'payment-service': 'payments', 'payment-product': 'sepa-credit-transfers', paymentId: 'p-1' },
  ...{ authorisationId: 'a-1', consentId: 'c-1' },
};
const calls: Readonly<Record<'GET' | 'POST' | 'PUT' | 'DELETE', CallInput>> = {
  GET: { operation: 'getPaymentInitiationStatus', params },
  POST: { operation: 'startPaymentAuthorisation', params, body: { json: {} } },
  PUT: { operation: 'updatePaymentPsuData', params, body: { json: { scaAuthenticationData: '1' } } },
  DELETE: { operation: 'cancelPayment', params },
};
const methods = Object.keys(calls) as (keyof typeof calls)[];

const dates = fc.date({ noInvalidDate: true }).map((date) => date.toUTCString());
const near = fc.integer({ min: -100_000_000, max: 100_000_000 }).map((ms) => {
  return new Date(Date.UTC(2026, 10, 22) + ms).toUTCString();
});
const texts = fc.oneof(
  fc.nat({ max: 400 }).map(String),
  fc.integer().map(String),
  fc.bigInt().map(String),
  fc.double().map(String),
  dates,
  near,
  near.map((text) => text.replace('GMT', '+0000')),
  near.map((text) => text.replace(/\d{2}:\d{2}:\d{2}/, '99:99:99')),
  fc.string({ maxLength: 12 }).filter((text) => /^[\x21-\x7e]*$/.test(text)),
  fc.constantFrom(
    ...['', '-0', '+5', '1e3', '0x10', '5,6', '5;q=1', '5s', ' 5', 'NaN', 'Infinity', '-Infinity', '٣'],
    ...['9'.repeat(400), '00005', '120', '121', '99999', '100000', '2147483648', '86400', 'now', '5 5'],
  ),
);
const reasons = fc.constantFrom('ACCESS_EXCEEDED', 'SERVICE_BLOCKED', 'FORMAT_ERROR', undefined);

it(
  'obk waits as long as it is asked to, within bounds, for reads; and never repeats a write or a use of the consent',
  async () => {
    let waited = 0;
    const made = fc.record({
      method: fc.constantFrom(...methods, 'GET'),
      status: fc.constantFrom(429, 429, 503),
      text: texts,
      reason: reasons,
    });
    await fc.assert(
      fc.asyncProperty(made, async ({ method, status, text, reason }) => {
        const there = await world();
        const tppMessages = reason === undefined ? [] : [{ category: 'ERROR', code: reason }];
        for (let answer = 0; answer < 9; answer += 1)
          there.http.expect(method, /./, { status, headers: { 'Retry-After': text }, body: { tppMessages } });
        const called = await tryCall(there.target, calls[method]);
        const { slept } = there.clock;
        expect(called.ok).toBe(false);
        for (const ms of slept) expect(ms).toBeGreaterThanOrEqual(0);
        expect(slept.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(cap);
        const once = method !== 'GET' || reason === 'ACCESS_EXCEEDED';
        if (once) expect(slept).toEqual([]);
        expect(there.http.requests.length).toBeLessThanOrEqual(once ? 1 : 3);
        // A wait within the bounds is taken, so that the row does not pass because nothing ever waits.
        if (!once && /^\d{1,2}$/.test(text) && Number(text) <= 60)
          expect(there.http.requests).toHaveLength(3);
        waited += slept.length;
      }),
      { numRuns: row.count, seed: row.seed },
    );
    expect(waited).toBeGreaterThan(row.count / 20);
    row.report(`${String(waited)} waits, none beyond ${String(cap / 1000)} s in a call, 0 writes repeated`);
  },
  row.timeout(30_000),
);

it.each([429, 503])(
  'obk names the day on which a used-up consent works again, from a moment of %i',
  async (status) => {
    const there = await world();
    const body = { tppMessages: [{ category: 'ERROR', code: 'ACCESS_EXCEEDED' }] };
    there.http.expect('GET', /./, { status, headers: { 'Retry-After': '1' }, body });
    const called = await tryCall(there.target, calls.GET);
    const error = called.ok ? undefined : called.error;
    expect(error).toBeInstanceOf(BankRefusal);
    expect(error).toMatchObject({ bankCode: 'ACCESS_EXCEEDED' });
    expect(there.clock.slept).toEqual([]);
    there.verify();
  },
);
