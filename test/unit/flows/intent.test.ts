import { describe, expect, it } from 'vitest';
import { ObkError } from '../../../src/errors.ts';
import type { ReadStatus } from '../../../src/flows/duplicate.ts';
import { claimIntent, intentHash } from '../../../src/flows/intent.ts';
import type { Intent, JournalRecord, SavedResource } from '../../../src/ports.ts';
import { journalState, memoryJournal, memoryStore } from '../../helpers/fakes/index.ts';
import { world } from '../../helpers/world.ts';
import { at, key, order, prepared, sending, answered, histories, earlierRun, claim } from './intents.ts';

describe('the same key again, the earlier process dead', () => {
  it.each([
    ['nothing', 'send'],
    ['prepared', 'send'],
    ['notSent', 'send'],
    ['sending', '12 OUTCOME_UNKNOWN'],
    ['lost', '12 OUTCOME_UNKNOWN'],
    ['unclear', '12 OUTCOME_UNKNOWN'],
    ['made', 'earlier answered'],
    ['refused', 'earlier answered'],
    // Nothing was decided about the payment: the certificate, the token or the rate stood in the way.
    ['unauthorised', 'send'],
    ['throttled', 'send'],
    ['foundMade', 'earlier resolved'],
    ['foundNotMade', 'send'],
  ])('after %s: %s', async (history, expected) => {
    const state = journalState();
    await earlierRun(state, history);
    expect(await claim(state)).toBe(expected);
  });

  it('is sent by one: the next finds it in progress', async () => {
    const state = journalState();
    await earlierRun(state, 'prepared');
    expect(await claim(state)).toBe('send');
    expect(await claim(state)).toBe('8 INTENT_IN_PROGRESS');
  });
});

describe('the same key, the earlier process alive', () => {
  it.each(['prepared', 'sending', 'lost', 'made', 'refused'])('at %s: exit 8', async (history) => {
    const state = journalState();
    await earlierRun(state, history, { alive: true });
    expect(await claim(state)).toBe('8 INTENT_IN_PROGRESS');
  });

  it('is over where a person has resolved it', async () => {
    const state = journalState();
    await earlierRun(state, 'foundMade', { alive: true });
    expect(await claim(state)).toBe('earlier resolved');
  });
});

describe('a claim that nobody lets go of', () => {
  const claimAgainst = async (history: string, alive: boolean) => {
    const state = journalState();
    const journal = memoryJournal({ state });
    await earlierRun(state, history, { alive });
    let refused = 0;
    const takeOver = journal.takeOver.bind(journal);
    journal.takeOver = async (intent, previous) => {
      if (refused > 20) throw new Error('it asks without end');
      const taken = alive && (await takeOver(intent, previous));
      if (!taken) refused += 1;
      return taken;
    };
    const { target } = await world({ journal });
    const wish = { ...key('k'), chosen: true, allowDuplicate: false };
    return claimIntent(target.ports, { name: 'acme', production: false }, order(), wish);
  };

  it('is in progress while its process lives, whatever a person has resolved', async () => {
    await expect(claimAgainst('foundNotMade', true)).rejects.toMatchObject({ exit: 8 });
  });

  it('is unknown where its process is dead', async () => {
    await expect(claimAgainst('notSent', false)).rejects.toMatchObject({ exit: 12 });
  });
});

describe('the same key with another body', () => {
  it.each(Object.keys(histories))('is refused after %s', async (history) => {
    const state = journalState();
    await earlierRun(state, history);
    expect(await claim(state, { amount: '13.00' })).toBe('2 INTENT_KEY_REUSED');
    expect(await claim(state, { amount: '13.00', allowDuplicate: true })).toBe('2 INTENT_KEY_REUSED');
  });

  it('is fine in another profile', () => {
    expect(intentHash('acme', 'k')).not.toBe(intentHash('other', 'k'));
    expect(intentHash('a', 'bk')).not.toBe(intentHash('ab', 'k'));
  });
});

describe('a race for a dead claim', () => {
  it('is won by one', async () => {
    const state = journalState();
    const dead = await earlierRun(state, 'prepared');
    const winner = memoryJournal({ state });
    const loser = memoryJournal({ state });
    const takeOver = loser.takeOver.bind(loser);
    loser.takeOver = async (intent, previous) => {
      // The winner comes in between, takes the claim and begins.
      expect(previous).toBe(dead.run);
      expect(await winner.takeOver({ ...intent, run: winner.run }, previous)).toBe(true);
      await winner.append(prepared(intent.hash), { durable: true });
      return takeOver(intent, previous);
    };
    const { target } = await world({ journal: loser });
    const wish = { ...key('k'), chosen: true, allowDuplicate: false };
    await expect(
      claimIntent(target.ports, { name: 'acme', production: false }, order(), wish),
    ).rejects.toMatchObject({ exit: 8 });
  });

  it('two processes that come at once: one sends', async () => {
    const state = journalState();
    const results = await Promise.all([claim(state), claim(state), claim(state)]);
    expect(results.filter((result) => result === 'send')).toHaveLength(1);
  });
});

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

  async function withPayment(status: string | undefined, history = 'made') {
    const state = journalState();
    const store = memoryStore();
    const journal = await earlierRun(state, history, { name: 'first', chosen: false });
    await journal.noteResource(key('first').hash, 'p1');
    await store.saveResource(saved(status));
    return { state, store };
  }

  it.each(['sending', 'lost', 'unclear'])('%s blocks everywhere', async (history) => {
    for (const production of [true, false]) {
      const state = journalState();
      await earlierRun(state, history, { name: 'first', chosen: false });
      expect(await claim(state, { name: 'second', chosen: false, production })).toBe('2 DUPLICATE_PAYMENT');
    }
  });

  it('blocks although weeks have passed, because nobody knows', async () => {
    const state = journalState();
    await earlierRun(state, 'lost', { name: 'first', chosen: false });
    const wish = { name: 'second', chosen: false, now: '2027-01-21T10:00:00.000Z' };
    expect(await claim(state, wish)).toBe('2 DUPLICATE_PAYMENT');
  });

  it.each(['nothing', 'prepared', 'notSent', 'refused', 'unauthorised', 'foundNotMade'])(
    '%s never blocks',
    async (history) => {
      const state = journalState();
      await earlierRun(state, history, { name: 'first', chosen: false });
      expect(await claim(state, { name: 'second', chosen: false, production: true })).toBe('send');
    },
  );

  it.each(['ACTC', 'ACCP', 'ACSP', 'ACSC', 'ACCC', 'ACWC', 'ACWP', 'ACFC', 'PART'])(
    'a payment in %s blocks in production, nowhere else',
    async (status) => {
      const there = await withPayment(status);
      expect(await claim(there.state, { ...there, name: 'second', production: true })).toBe(
        '2 DUPLICATE_PAYMENT',
      );
      expect(await claim(there.state, { ...there, name: 'third', production: false })).toBe('send');
    },
  );

  it.each(['RCVD', 'PDNG', 'PATC', 'RJCT', 'CANC'])(
    'a payment in %s was not authorised and never blocks',
    async (status) => {
      const there = await withPayment(status);
      expect(await claim(there.state, { ...there, name: 'second', production: true })).toBe('send');
    },
  );

  it.each([
    ['the answer alone says ACSC', 'ACSC', undefined, '2 DUPLICATE_PAYMENT'],
    ['nobody tells where it stands', undefined, undefined, '2 DUPLICATE_PAYMENT'],
    ['the bank has authorised it since', 'RCVD', 'ACSC', '2 DUPLICATE_PAYMENT'],
    ['the bank does not tell', 'RCVD', 'error', '2 DUPLICATE_PAYMENT'],
    ['the bank says that it is not authorised', 'RCVD', 'RCVD', 'send'],
    ['the bank has rejected it', 'RCVD', 'RJCT', 'send'],
  ])('was made and not saved, and %s', async (_, answer, bank, expected) => {
    const state = journalState();
    const first = await earlierRun(state, 'prepared', { name: 'first', chosen: false });
    await first.append(sending, { durable: true });
    const body = JSON.stringify({ paymentId: 'p1', transactionStatus: answer });
    await first.append({ ...answered('DONE', 201), body } as JournalRecord, { durable: true });
    const asked: string[] = [];
    const readStatus: ReadStatus = (intent, id) => {
      asked.push(`${intent.product} ${id}`);
      if (bank === 'error') return Promise.reject(new ObkError({ code: 'NOT_SENT', title: 'no bank' }));
      return Promise.resolve(bank);
    };
    const wish = { name: 'second', chosen: false, production: true };
    const how = answer === undefined ? {} : { readStatus };
    expect(await claim(state, { ...wish, ...how })).toBe(expected);
    expect(asked).toEqual(bank === undefined ? [] : ['sepa-credit-transfers p1']);
  });

  it('in production waits for a living process that has not sent yet', async () => {
    const state = journalState();
    await earlierRun(state, 'prepared', { name: 'first', chosen: false, alive: true });
    const wish = { name: 'second', chosen: false };
    expect(await claim(state, { ...wish, production: true })).toBe('8 INTENT_IN_PROGRESS');
    expect(await claim(state, wish)).toBe('send');
  });

  it.each([
    ['2026-11-22T09:59:59.000Z', '2 DUPLICATE_PAYMENT'],
    ['2026-11-22T10:00:00.000Z', 'send'],
  ])('until %s: %s', async (now, expected) => {
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
  ])('is one where only one was chosen (%s, %s)', async (first, second) => {
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

  it('is none with another amount', async () => {
    const state = journalState();
    await earlierRun(state, 'lost', { name: 'first', chosen: false, amount: '12.51' });
    expect(await claim(state, { name: 'second', chosen: false })).toBe('send');
  });
});

describe('an intent', () => {
  it('remembers by what a person and a bank recognise the payment', async () => {
    const state = journalState();
    await earlierRun(state, 'lost');
    const intent = state.intents.get(key('k').hash);
    expect(intent).toMatchObject({
      key: 'k',
      profile: 'acme',
      createdAt: at,
      service: 'payments',
      product: 'sepa-credit-transfers',
      summary: { amount: '12.50', currency: 'EUR', creditorName: 'Shop' },
      endToEndIdentification: order().endToEndIdentification,
    } satisfies Partial<Intent>);
  });

  it('that is unknown tells amount, payee, and the next safe step', async () => {
    const state = journalState();
    await earlierRun(state, 'lost');
    const { target } = await world({ journal: memoryJournal({ state }) });
    const wish = { ...key('k'), chosen: true, allowDuplicate: false };
    await expect(
      claimIntent(target.ports, { name: 'acme', production: false }, order(), wish),
    ).rejects.toMatchObject({
      detail: `12.50 EUR to Shop, sent on ${at}: reset by peer.`,
      hint: ['Do not send it again.', `obk pending show ${wish.hash.slice(0, 12)}`],
      intent: wish.hash,
      requestId: 'r1',
    });
  });
});
