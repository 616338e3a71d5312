import { describe, expect, it } from 'vitest';
import { BankRefusal, ObkError } from '../../../../src/base/errors.ts';
import { usesLeft, withinBudget } from '../../../../src/client/consents/budget.ts';
import type { Access, ReadTerms } from '../../../../src/client/consents/budget.ts';
import type { World } from '../../../helpers/world.ts';
import { absent, consentOf, reader } from '../reader.ts';
import type { SavedResource } from '../../../../src/settings/records/resources.ts';
import { Dice } from '../../../helpers/dice.ts';
import { failedWith } from '../../../helpers/failed-with.ts';

const list: Access = { operation: 'getTransactionList', of: 'acc-1' };
const production = { environment: 'production' } as const;

const spend = (there: World, terms: Partial<ReadTerms> = {}, access = list, consent?: SavedResource) =>
  withinBudget(
    { target: there.target, consent: consent ?? consentOf(), access, terms: { ...absent, ...terms } },
    () => Promise.resolve('read'),
  );

async function spent(times: number, wish: Parameters<typeof reader>[0] = production, consent = consentOf()) {
  const there = await reader(wish, {}, consent);
  for (let one = 0; one < times; one += 1) {
    there.clock.advance(1);
    await spend(there, {}, list, consent);
  }
  there.clock.advance(1);
  return there;
}

describe('the fifth access of a day', () => {
  it('is refused in production and not sent', async () => {
    const there = await spent(4);
    const error = await failedWith(spend(there));
    expect(error).toMatchObject({ code: 'ACCESS_BUDGET', exit: 11, resource: { consentId: 'con-1' } });
    expect(error.detail).toBe(
      'Consent con-1 allows 4 accesses a day without the PSU, and 4 went to getTransactionList of this account in the last 24 hours; the next may go at 2026-11-22T10:00:01Z.',
    );
    expect(error.hint.join(' ')).toMatch(/--psu-present.*--over-budget/);
  });

  const onceOnly = consentOf({ recurring: false, frequency: 1 });
  it.each([
    ['the fifth of a day', 4, consentOf(), production, 'ACCESS_BUDGET'],
    [
      'the second of a consent of one use, at a bank for tests',
      1,
      onceOnly,
      { environment: 'test' },
      'CONSENT_NEEDED',
    ],
  ] as const)(
    'is not counted while it is refused, for a process may die then: %s',
    async (_, times, consent, wish, code) => {
      const there = await spent(times, wish, consent);
      const { usage } = there.target.ports;
      const counts: number[] = [];
      const ports = {
        ...there.target.ports,
        usage: {
          ...usage,
          update: (key: string, change: Parameters<typeof usage.update>[1]) =>
            usage.update(key, (uses) => {
              const now = change(uses);
              counts.push(now.length);
              return now;
            }),
        },
      };
      const read = withinBudget(
        { target: { ...there.target, ports }, consent, access: list, terms: absent },
        () => Promise.resolve(),
      );
      await expect(read).rejects.toMatchObject({ code });
      expect(counts.length).toBeGreaterThan(0);
      expect(Math.max(...counts)).toBe(times);
    },
  );

  it.each<[string, Partial<ReadTerms>]>([
    ['--over-budget', { overBudget: true }],
    ['the yes of a person', { ask: () => Promise.resolve(true) }],
    ['a PSU who asks for it', { psuPresent: true }],
  ])('is made with %s', async (_, terms) => {
    const there = await spent(4);
    await expect(spend(there, terms)).resolves.toBe('read');
  });

  it('counts where it is made all the same, so that the next may be made later', async () => {
    const there = await reader(production, {}, consentOf());
    for (let one = 0; one < 5; one += 1) {
      there.clock.advance(60_000);
      await spend(there, { overBudget: true });
    }
    const error = await failedWith(spend(there));
    // Begun at 10:01 to 10:05: the second must be gone as well.
    expect(error.detail).toContain('and 5 went to getTransactionList of this account');
    expect(error.detail).toContain('the next may go at 2026-11-22T10:02:00Z');
  });

  it('stops where a person declines it', async () => {
    const there = await spent(4);
    const asked: string[] = [];
    const ask = (what: string) => {
      asked.push(what);
      return Promise.resolve(false);
    };
    await expect(spend(there, { ask })).rejects.toMatchObject({ exit: 11 });
    expect(asked).toEqual([expect.stringContaining('allows 4 accesses a day')]);
  });

  it.each(['test', 'sandbox'] as const)('only causes a warning in %s', async (environment) => {
    const there = await spent(4, { environment });
    await expect(spend(there)).resolves.toBe('read');
    expect(there.notices.warned.join()).toContain('allows 4 accesses a day');
  });

  it.each<[string, Access]>([
    ['another account', { ...list, of: 'acc-2' }],
    ['another endpoint', { operation: 'getBalances', of: 'acc-1' }],
    ['an account whose id begins alike', { ...list, of: 'acc-1 x' }],
  ])('is counted for %s apart', async (_, access) => {
    await expect(spend(await spent(4), {}, access)).resolves.toBe('read');
  });

  it('may be made once 24 hours have passed since the first, and not at midnight', async () => {
    const there = await spent(4);
    there.clock.set('2026-11-22T00:00:00.000Z');
    await expect(spend(there)).rejects.toMatchObject({ code: 'ACCESS_BUDGET' });
    there.clock.set('2026-11-22T10:00:00.000Z');
    await expect(spend(there)).rejects.toMatchObject({ code: 'ACCESS_BUDGET' });
    there.clock.set('2026-11-22T10:00:00.001Z');
    await expect(spend(there)).resolves.toBe('read');
    await expect(spend(there)).rejects.toMatchObject({ code: 'ACCESS_BUDGET' });
  });

  it('is counted from the arrival of the others, not from their start', async () => {
    const there = await reader(production, {}, consentOf());
    const slow = (): Promise<string> => {
      there.clock.advance(60_000);
      return Promise.resolve('read');
    };
    for (let one = 0; one < 4; one += 1)
      await withinBudget({ target: there.target, consent: consentOf(), access: list, terms: absent }, slow);
    there.clock.set('2026-11-22T10:00:30.000Z');
    await expect(spend(there)).rejects.toMatchObject({ code: 'ACCESS_BUDGET' });
    there.clock.set('2026-11-22T10:01:00.001Z');
    await expect(spend(there)).resolves.toBe('read');
  });

  it('is the fifth of any 24 hours, however they fall', async () => {
    const there = await reader({ environment: 'test' }, {}, consentOf());
    const dice = new Dice(11);
    const sent: number[] = [];
    const strict = { ...there.target, environment: 'production' as const };
    for (let turn = 0; turn < 200; turn += 1) {
      there.clock.advance(dice.below(6 * 60 * 60 * 1000));
      await withinBudget({ target: strict, consent: consentOf(), access: list, terms: absent }, () => {
        there.clock.advance(dice.below(30_000));
        sent.push(there.clock.now().getTime());
        return Promise.resolve('read');
      }).catch((error: unknown) => {
        expect(error).toMatchObject({ code: 'ACCESS_BUDGET' });
      });
    }
    const day = 24 * 60 * 60 * 1000;
    const most = sent.map((at) => sent.filter((one) => one > at - day && one <= at).length);
    expect(Math.max(...most)).toBe(4);
    expect(sent.length).toBeGreaterThan(60);
  });

  it('is judged by the clock of the bank', async () => {
    const there = await spent(4);
    there.target.state.aheadMs = 24 * 60 * 60 * 1000;
    await expect(spend(there)).resolves.toBe('read');
  });
});

describe('a one-off consent', () => {
  const consent = consentOf({ recurring: false, frequency: 1 });

  it.each([
    ['of a PSU who asks', { psuPresent: true }, production],
    ['of a person, who is not asked', { ask: () => Promise.resolve(true) }, production],
    ['at a bank for tests', {}, { environment: 'test' }],
  ] as const)('allows one access, also tomorrow, to a run %s', async (_, terms, wish) => {
    const there = await spent(1, wish, consent);
    there.clock.set('2026-11-25T00:00:00.000Z');
    const sent: string[] = [];
    const read = withinBudget(
      { target: there.target, consent, access: list, terms: { ...absent, ...terms } },
      () => Promise.resolve(sent.push('read')),
    );
    const error = await failedWith(read);
    expect(error).toMatchObject({ code: 'CONSENT_NEEDED', exit: 4, resource: { consentId: 'con-1' } });
    expect(error.detail).toContain('is for one use');
    expect(error.hint[0]).toBe('obk consent renew con-1');
    expect(sent).toEqual([]);
  });

  it('serves another endpoint and another account, and is sent again where a person insists', async () => {
    const there = await spent(1, production, consent);
    for (const access of [
      { operation: 'getBalances', of: 'acc-1' },
      { ...list, of: 'acc-2' },
    ] as const)
      await expect(spend(there, {}, access, consent)).resolves.toBe('read');
    await expect(spend(there, { overBudget: true }, list, consent)).resolves.toBe('read');
    expect(there.notices.warned.join()).toContain('is for one use');
  });

  it('is not used up by what the bank has refused', async () => {
    const there = await reader(production, {}, consent);
    const refused = new BankRefusal({
      ...{ code: 'REFUSED', title: 'The bank refused it.', httpStatus: 400, requestId: 'r1', messages: [] },
      ...{ operation: 'getTransactionList', method: 'GET', path: '/v1/x' },
    });
    const failing = withinBudget({ target: there.target, consent, access: list, terms: absent }, () =>
      Promise.reject(refused),
    );
    await expect(failing).rejects.toBe(refused);
    await expect(spend(there, {}, list, consent)).resolves.toBe('read');
  });
});

it('an access that failed is given back, and one that the PSU asked for is not counted', async () => {
  const there = await spent(3);
  const failing = withinBudget(
    { target: there.target, consent: consentOf(), access: list, terms: absent },
    () => Promise.reject(new Error('no')),
  );
  await expect(failing).rejects.toThrow('no');
  await spend(there, { psuPresent: true });
  await expect(spend(there)).resolves.toBe('read');
});

it.each([
  ['ANSWER_LOST', false],
  ['ANSWER_UNREADABLE', false],
  ['ANSWER_TOO_LARGE', false],
  ['NOT_SENT', true],
  ['STATE_UNREACHABLE', true],
  ['THROTTLED', true],
] as const)(
  'an access that ended with %s is given back only where nothing was sent',
  async (code, isFree) => {
    const there = await spent(3);
    const failing = withinBudget(
      { target: there.target, consent: consentOf(), access: list, terms: absent },
      () => Promise.reject(new ObkError({ code, title: 'no' })),
    );
    await expect(failing).rejects.toMatchObject({ code });
    if (isFree) await expect(spend(there)).resolves.toBe('read');
    else await expect(spend(there)).rejects.toMatchObject({ code: 'ACCESS_BUDGET' });
  },
);

it('the accesses left are those of the endpoint that was used most', async () => {
  const there = await spent(3);
  await spend(there, {}, { operation: 'getBalances', of: 'acc-1' });
  expect(await usesLeft(there.target, consentOf(), there.clock.now())).toBe(1);
  expect(await usesLeft(there.target, consentOf({}, { id: 'con-2' }), there.clock.now())).toBe(4);
});
