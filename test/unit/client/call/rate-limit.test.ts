import { describe, expect, it } from 'vitest';
import { admit, rateOf, waitFor } from '../../../../src/client/call/rate-limit.ts';
import { ObkError } from '../../../../src/base/errors.ts';
import { fakeClock, startOfTime } from '../../../helpers/fakes/index.ts';
import { world } from '../../../helpers/world.ts';

const rate = { calls: 3, windowMs: 6_000 };
const at = (...times: number[]) => times.map((time) => ({ at: time, what: 'x' }));

describe('the wait before a call', () => {
  it.each<[string, number[], number, number]>([
    ['the window has room', [1, 2], 10, 0],
    ['it is full', [1_000, 2_000, 3_000], 4_000, 3_000],
    ['what is about to leave has not left', [1_000, 2_000, 3_000], 6_999, 1],
    ['the first has left', [1_000, 2_000, 3_000], 7_000, 0],
    ['more than full', [1_000, 2_000, 3_000, 3_500], 4_000, 4_000],
    ['calls of a clock that was put back', [900_000, 900_001, 900_002], 4_000, 0],
    ['in any order', [3_000, 1_000, 2_000], 4_000, 3_000],
  ])('is as long as the window requires: %s', (_, times, now, wait) => {
    expect(waitFor(at(...times), rate, now)).toBe(wait);
  });
});

describe('a call', () => {
  it('waits for its turn and reports it', async () => {
    const there = await world({ run: { rate } });
    for (let call = 0; call < 3; call += 1) await (await admit(there.target, 'getAccountList'))(true);
    expect(there.clock.slept).toEqual([]);
    await (
      await admit(there.target, 'getAccountList')
    )(true);
    expect(there.clock.slept).toEqual([6_000]);
    expect(there.notices.said.join('\n')).toContain('Waiting 6 s: the 3 calls in 6 s to getAccountList');
  });

  it('counts from its answer, since nobody knows when the bank received it', async () => {
    const there = await world({ run: { rate: { calls: 1, windowMs: 6_000 } } });
    const answered = await admit(there.target, 'getAccountList');
    there.clock.advance(2_000);
    await answered(true);
    await admit(there.target, 'getAccountList');
    expect(there.clock.slept).toEqual([6_000]);
  });

  it('gives its place back where it was never sent', async () => {
    const there = await world({ run: { rate: { calls: 1, windowMs: 6_000 } } });
    await (
      await admit(there.target, 'getAccountList')
    )(false);
    await admit(there.target, 'getAccountList');
    expect(there.clock.slept).toEqual([]);
  });

  it('does not wait for another operation, nor for another bank', async () => {
    const usage = (await world()).target.ports.usage;
    for (const [operation, baseUrl] of [
      ['getAccountList', 'https://bank.example'],
      ['getBalances', 'https://bank.example'],
      ['getAccountList', 'https://other.example'],
    ] as const) {
      const there = await world({ profile: { baseUrl }, run: { rate: { calls: 1, windowMs: 6_000 } } });
      there.target.ports.usage = usage;
      await admit(there.target, operation);
      expect(there.clock.slept).toEqual([]);
    }
  });

  it('is counted separately below each prefix', async () => {
    const usage = (await world()).target.ports.usage;
    const slept: number[] = [];
    for (const variant of ['v1', 'v136', 'v136'] as const) {
      const there = await world({ variant, run: { rate: { calls: 1, windowMs: 6_000 } } });
      there.target.ports.usage = usage;
      await admit(there.target, 'getAccountList');
      slept.push(there.clock.slept.length);
    }
    expect(slept).toEqual([0, 0, 1]);
  });

  it('keeps to the known limits of the bank unless the run sets others', async () => {
    const limits = { rate: '2/6s', perOperation: { getBalances: '1/10s', getAccountList: 'off' } } as const;
    const there = await world({ profile: { limits } });
    expect(rateOf(there.target, 'createConsent')).toEqual({ calls: 2, windowMs: 6_000 });
    expect(rateOf(there.target, 'getBalances')).toEqual({ calls: 1, windowMs: 10_000 });
    expect(rateOf(there.target, 'getAccountList')).toBe('off');
    for (let call = 0; call < 2; call += 1) await (await admit(there.target, 'getBalances'))(true);
    expect(there.clock.slept).toEqual([10_000]);
    expect(rateOf((await world({ profile: { limits }, run: { rate } })).target, 'getBalances')).toBe(rate);
    expect(rateOf((await world()).target, 'getBalances')).toEqual({ calls: 90, windowMs: 60_000 });
  });

  it('counts with those of another profile with the same certificate', async () => {
    const one = await world({ name: 'one', run: { rate: { calls: 1, windowMs: 6_000 } } });
    const two = await world({ name: 'two', run: { rate: { calls: 1, windowMs: 6_000 } } });
    two.target.ports.usage = one.target.ports.usage;
    await admit(one.target, 'getAccountList');
    await admit(two.target, 'getAccountList');
    expect(two.clock.slept).toEqual([6_000]);
  });

  it.each([
    ['a sandbox here', 'sandbox', 'http://127.0.0.1:8080', 0],
    ['a sandbox elsewhere', 'sandbox', 'https://bank.example', 1],
    ['a test bank here', 'test', 'http://127.0.0.1:8080', 1],
  ] as const)(
    'is counted except at a sandbox on this machine: %s',
    async (_, environment, baseUrl, counted) => {
      const there = await world({ environment, profile: { baseUrl } });
      for (let call = 0; call < 91; call += 1) await (await admit(there.target, 'getAccountList'))(true);
      expect(there.clock.slept).toHaveLength(counted);
    },
  );

  it('is not held up by a count that cannot be written, but by Ctrl-C', async () => {
    const there = await world({ clock: fakeClock({ at: startOfTime }) });
    const failing = (code: 'STATE_NOT_WRITTEN' | 'INTERRUPTED') => () =>
      Promise.reject(new ObkError({ code, title: 'no' }));
    there.target.ports.usage = { read: failing('STATE_NOT_WRITTEN'), update: failing('STATE_NOT_WRITTEN') };
    await (
      await admit(there.target, 'getAccountList')
    )(true);
    there.target.ports.usage = { read: failing('INTERRUPTED'), update: failing('INTERRUPTED') };
    await expect(admit(there.target, 'getAccountList')).rejects.toThrow('no');
  });
});
