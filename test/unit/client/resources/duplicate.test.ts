import { describe, expect, it } from 'vitest';
import { ObkError } from '../../../../src/base/errors.ts';
import type { ReadStatus } from '../../../../src/client/resources/duplicate.ts';
import type { SavedResource } from '../../../../src/settings/records/resources.ts';
import { journalState, memoryStore } from '../../../helpers/fakes/index.ts';
import { answered, at, attempt, claim, earlierRun, key, resolved, sending, silent } from '../intents.ts';

describe('the same content under another key', () => {
  const saved = (status: string | undefined): SavedResource => ({
    schemaVersion: 1,
    profile: 'acme',
    environment: 'test',
    noun: 'payment',
    id: 'p1',
    createdAt: at,
    updatedAt: at,
    framework: '1.3.2',
    prefix: '/v1',
    baseUrl: '',
    links: {},
    ...(status === undefined ? {} : { status }),
  });

  async function withPayment(
    status: string | undefined,
    { history = 'made', ...how }: Parameters<typeof earlierRun>[2] & { history?: string } = {},
  ) {
    const state = journalState();
    const store = memoryStore();
    const journal = await earlierRun(state, history, { name: 'first', chosen: false, ...how });
    await journal.intents.noteResource(key('first').hash, 'p1');
    await store.resources.save(saved(status));
    return { state, store };
  }

  async function withAnswer(said: unknown) {
    const state = journalState();
    const first = await earlierRun(state, 'prepared', { name: 'first', chosen: false });
    await first.append(sending);
    const body = typeof said === 'string' ? said : JSON.stringify(said);
    await first.append({ ...answered('DONE', 201), body });
    return state;
  }

  const override = '--allow-duplicate   # to send it all the same';

  /** A bank that is asked where the payment stands: it answers so, with nothing, or not at all. */
  const bank = (status: string | undefined): ReadStatus => {
    if (status === undefined) return silent;
    const noBank = new ObkError({ code: 'NOT_SENT', title: 'no bank' });
    return () =>
      status === 'error'
        ? Promise.reject(noBank)
        : Promise.resolve(status === 'nothing' ? undefined : status);
  };

  it.each(['sending', 'lost', 'unclear'])('is blocked everywhere by an earlier run: %s', async (history) => {
    for (const production of [true, false]) {
      const state = journalState();
      await earlierRun(state, history, { name: 'first', chosen: false });
      expect(await claim(state, { name: 'second', chosen: false, production })).toBe('2 DUPLICATE_PAYMENT');
    }
  });

  it('is in progress where the process that sent it lives and has no answer yet', async () => {
    for (const production of [true, false]) {
      const state = journalState();
      await earlierRun(state, 'sending', { name: 'first', chosen: false, alive: true });
      const wish = { name: 'second', production };
      expect(await claim(state, wish)).toBe('8 INTENT_IN_PROGRESS');
      await expect(attempt(state, wish)).rejects.toMatchObject({
        hint: ['Wait for it to end, then run this again.', override],
      });
    }
  });

  it.each(['lost', 'unclear'])(
    'is blocked although the process of the earlier run lives: %s',
    async (history) => {
      const state = journalState();
      await earlierRun(state, history, { name: 'first', chosen: false, alive: true });
      expect(await claim(state, { name: 'second', chosen: false })).toBe('2 DUPLICATE_PAYMENT');
    },
  );

  it('is blocked although weeks have passed, because nobody knows', async () => {
    const state = journalState();
    await earlierRun(state, 'lost', { name: 'first', chosen: false });
    const wish = { name: 'second', chosen: false, now: '2027-01-21T10:00:00.000Z' };
    expect(await claim(state, wish)).toBe('2 DUPLICATE_PAYMENT');
  });

  it.each(['nothing', 'prepared', 'notSent', 'refused', 'unauthorised', 'foundNotMade'])(
    'is never blocked by an earlier run: %s',
    async (history) => {
      const state = journalState();
      await earlierRun(state, history, { name: 'first', chosen: false });
      expect(await claim(state, { name: 'second', chosen: false, production: true })).toBe('send');
    },
  );

  it.each(['ACTC', 'ACCP', 'ACSP', 'ACSC', 'ACCC', 'ACWC', 'ACWP', 'ACFC', 'PART'])(
    'is blocked after a payment in %s in production, nowhere else',
    async (status) => {
      const there = await withPayment(status);
      expect(await claim(there.state, { ...there, name: 'second', production: true })).toBe(
        '2 DUPLICATE_PAYMENT',
      );
      expect(await claim(there.state, { ...there, name: 'third', production: false })).toBe('send');
    },
  );

  it('is blocked after a payment started in production, whatever its profile states by now', async () => {
    const there = await withPayment('ACSC', { production: true });
    expect(await claim(there.state, { ...there, name: 'second', production: false })).toBe(
      '2 DUPLICATE_PAYMENT',
    );
  });

  it.each(['RCVD', 'PDNG', 'PATC'])(
    'is blocked after a payment in %s in production unless the bank says that it still is',
    async (status) => {
      const there = await withPayment(status);
      const wish = { ...there, name: 'second', production: true };
      expect(await claim(there.state, { ...wish, readStatus: bank('ACSC') })).toBe('2 DUPLICATE_PAYMENT');
      expect(await claim(there.state, { ...wish, readStatus: bank(status) })).toBe('send');
    },
  );

  it.each(['RJCT', 'CANC'])(
    'is never blocked after a payment in %s, which is over; nobody is asked',
    async (status) => {
      const there = await withPayment(status);
      expect(await claim(there.state, { ...there, name: 'second', production: true })).toBe('send');
    },
  );

  it.each([
    ['ACSC', '2 DUPLICATE_PAYMENT'],
    ['RCVD', '8 INTENT_IN_PROGRESS'],
    [undefined, '8 INTENT_IN_PROGRESS'],
    ['RJCT', 'send'],
    ['CANC', 'send'],
  ])('is judged after a payment in %s of a process that lives on: %s', async (status, expected) => {
    const there = await withPayment(status, { alive: true });
    expect(await claim(there.state, { ...there, name: 'second', production: true })).toBe(expected);
  });

  it.each([
    ['the answer alone says ACSC', 'ACSC', undefined, '2 DUPLICATE_PAYMENT'],
    ['the answer alone says RJCT', 'RJCT', undefined, 'send'],
    ['nobody tells where it stands', undefined, 'nothing', '2 DUPLICATE_PAYMENT'],
    ['the bank alone says RJCT', undefined, 'RJCT', 'send'],
    ['the bank has authorised it since', 'RCVD', 'ACSC', '2 DUPLICATE_PAYMENT'],
    ['the bank does not tell', 'RCVD', 'error', '2 DUPLICATE_PAYMENT'],
    ['the bank tells no status', 'RCVD', 'nothing', '2 DUPLICATE_PAYMENT'],
    ['the bank says that it is not authorised', 'RCVD', 'RCVD', 'send'],
    ['the bank has rejected it', 'RCVD', 'RJCT', 'send'],
  ])('is judged where the payment was made and not saved: %s', async (_, answer, said, expected) => {
    const state = await withAnswer({ paymentId: 'p1', transactionStatus: answer });
    const asked: string[] = [];
    const readStatus: ReadStatus = (intent, id) => {
      asked.push(`${intent.product} ${id}`);
      return bank(said)(intent, id);
    };
    expect(await claim(state, { name: 'second', chosen: false, production: true, readStatus })).toBe(
      expected,
    );
    expect(asked).toEqual(said === undefined ? [] : ['sepa-credit-transfers p1']);
  });

  it.each([
    ['what is saved of it goes before its first answer', 'RCVD', 'RJCT', 'send'],
    ['its first answer counts where nothing is saved of it', 'ACSC', undefined, '2 DUPLICATE_PAYMENT'],
  ])('is judged by the saved status first: %s', async (_, answer, status, expected) => {
    const state = await withAnswer({ paymentId: 'p1', transactionStatus: answer });
    const store = memoryStore();
    if (status !== undefined) await store.resources.save(saved(status));
    expect(await claim(state, { store, name: 'second', chosen: false, production: true })).toBe(expected);
  });

  it("is judged by the intent's own number before that of its answer, which the journal has without its secrets", async () => {
    const state = await withAnswer({ paymentId: '[secret]', transactionStatus: 'RCVD' });
    const asked: string[] = [];
    const first = state.intents.get(key('first').hash);
    if (first !== undefined) first.resourceId = 'p1';
    const readStatus: ReadStatus = (_, id) => {
      asked.push(id);
      return Promise.resolve('RJCT');
    };
    expect(await claim(state, { name: 'second', chosen: false, production: true, readStatus })).toBe('send');
    expect(asked).toEqual(['p1']);
  });

  it.each([
    ['nothing', {}, 'It may have been authorised since; the bank does not tell now.'],
    ['not JSON', 'thanks', 'It may have been authorised since; the bank does not tell now.'],
    ['ACSC', { transactionStatus: 'ACSC' }, 'It was authorised within the last 24 hours.'],
  ])(
    'is blocked where the payment was made without a number and the answer was %s: nobody can be asked',
    async (_, body, detail) => {
      const state = await withAnswer(body);
      const store = memoryStore();
      store.resources.find = () => Promise.reject(new Error('it was looked up'));
      await expect(
        attempt(state, { store, name: 'second', chosen: false, production: true }),
      ).rejects.toMatchObject({
        code: 'DUPLICATE_PAYMENT',
        detail,
        hint: [`obk pending show ${key('first').hash.slice(0, 12)}`, override],
      });
    },
  );

  it('is judged by the bank where a person found that the payment was made', async () => {
    const state = journalState();
    await earlierRun(state, 'foundMade', { name: 'first', chosen: false });
    const wish = { name: 'second', chosen: false, production: true };
    await expect(attempt(state, { ...wish, readStatus: bank('nothing') })).rejects.toMatchObject({
      code: 'DUPLICATE_PAYMENT',
      detail: 'Payment p1 may have been authorised since; the bank does not tell now.',
      hint: ['obk payment status p1 --service payments --product sepa-credit-transfers', override],
    });
    expect(await claim(state, { ...wish, readStatus: bank('RJCT') })).toBe('send');
  });

  it('is judged by the payment found where only the intent has its number', async () => {
    const state = journalState();
    const first = await earlierRun(state, 'sending', { name: 'first', chosen: false });
    const { hash } = key('first');
    await first.append({ ...resolved('created'), resource: {} });
    await first.intents.noteResource(hash, 'p7');
    const wish = { name: 'second', chosen: false, production: true, readStatus: bank('nothing') };
    await expect(attempt(state, wish)).rejects.toMatchObject({
      detail: 'Payment p7 may have been authorised since; the bank does not tell now.',
    });
  });

  it('is judged by the bank where what was saved cannot be read', async () => {
    const there = await withPayment('ACSC');
    there.store.resources.find = () =>
      Promise.reject(new ObkError({ code: 'STATE_UNREADABLE', title: 'damaged' }));
    const wish = { ...there, name: 'second', production: true };
    expect(await claim(there.state, { ...wish, readStatus: bank('nothing') })).toBe('2 DUPLICATE_PAYMENT');
    expect(await claim(there.state, { ...wish, readStatus: bank('RJCT') })).toBe('send');
  });

  it('is not sent where a person stops the question, and a bug stays a bug', async () => {
    const there = await withPayment('RCVD');
    const wish = { ...there, name: 'second', production: true };
    const stop = new ObkError({ code: 'INTERRUPTED', title: 'Stopped.' });
    expect(await claim(there.state, { ...wish, readStatus: () => Promise.reject(stop) })).toBe(
      '130 INTERRUPTED',
    );
    await expect(attempt(there.state, { ...wish, readStatus: silent })).rejects.toThrow('the bank was asked');
  });

  it('is refused with the payment that stands in the way, since when, and the way out', async () => {
    const authorised = await withPayment('ACSC');
    const wish = { name: 'second', chosen: false, production: true };
    await expect(attempt(authorised.state, { ...authorised, ...wish })).rejects.toMatchObject({
      title: `The same payment was started on ${at}.`,
      detail: 'Payment p1 was authorised within the last 24 hours.',
      hint: ['obk payment status p1 --service payments --product sepa-credit-transfers', override],
    });
    const lost = journalState();
    await earlierRun(lost, 'lost', { name: 'first', chosen: false });
    await expect(attempt(lost, wish)).rejects.toMatchObject({
      title: `The same payment was started on ${at}.`,
      detail: 'Its outcome is still unknown: reset by peer.',
      hint: [`obk pending show ${key('first').hash.slice(0, 12)}`, override],
    });
  });

  it('is not another payment under its own key', async () => {
    const state = journalState();
    await earlierRun(state, 'lost', { chosen: false });
    expect(await claim(state, { chosen: false, production: true })).toBe('12 OUTCOME_UNKNOWN');
  });

  it('waits in production for a living process that has not sent yet', async () => {
    const state = journalState();
    await earlierRun(state, 'prepared', { name: 'first', chosen: false, alive: true });
    const wish = { name: 'second', chosen: false };
    expect(await claim(state, { ...wish, production: true })).toBe('8 INTENT_IN_PROGRESS');
    expect(await claim(state, wish)).toBe('send');
  });

  it.each([
    ['2026-11-22T09:59:59.000Z', '2 DUPLICATE_PAYMENT'],
    ['2026-11-22T10:00:00.000Z', 'send'],
  ])('is blocked for a day: at %s: %s', async (now, expected) => {
    const there = await withPayment('ACSC');
    expect(await claim(there.state, { ...there, name: 'second', production: true, now })).toBe(expected);
  });

  it('is never a duplicate where both keys were chosen', async () => {
    const state = journalState();
    await earlierRun(state, 'lost', { name: 'first', chosen: true });
    expect(await claim(state, { name: 'second', chosen: true, production: true })).toBe('send');
  });

  it.each([
    [true, false],
    [false, true],
  ])('is a duplicate where only one key was chosen (%s, %s)', async (first, second) => {
    const state = journalState();
    await earlierRun(state, 'lost', { name: 'first', chosen: first });
    expect(await claim(state, { name: 'second', chosen: second })).toBe('2 DUPLICATE_PAYMENT');
  });

  it('is allowed on demand', async () => {
    const state = journalState();
    await earlierRun(state, 'lost', { name: 'first', chosen: false });
    const wish = { name: 'second', chosen: false, allowDuplicate: true };
    expect(await claim(state, wish)).toBe('send');
  });

  it('is not a duplicate with another amount', async () => {
    const state = journalState();
    await earlierRun(state, 'lost', { name: 'first', chosen: false, amount: '12.51' });
    expect(await claim(state, { name: 'second', chosen: false })).toBe('send');
  });
});
