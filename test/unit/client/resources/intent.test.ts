import { describe, expect, it } from 'vitest';
import { intentHash } from '../../../../src/client/resources/intent.ts';
import type { Intent } from '../../../../src/settings/records/journal.ts';
import { journalState, memoryJournal, memoryStore } from '../../../helpers/fakes/index.ts';
import { at, key, order, prepared, histories, earlierRun, attempt, claim } from '../intents.ts';

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
  ])('is decided after %s: %s', async (history, expected) => {
    const state = journalState();
    await earlierRun(state, history);
    expect(await claim(state)).toBe(expected);
  });

  it('is sent by one process: the next finds it in progress', async () => {
    const state = journalState();
    await earlierRun(state, 'prepared');
    expect(await claim(state)).toBe('send');
    expect(await claim(state)).toBe('8 INTENT_IN_PROGRESS');
  });
});

describe('the same key, the earlier process alive', () => {
  it.each(['prepared', 'sending', 'lost', 'made', 'refused'])('ends with exit 8 at %s', async (history) => {
    const state = journalState();
    await earlierRun(state, history, { alive: true });
    expect(await claim(state)).toBe('8 INTENT_IN_PROGRESS');
  });

  it('is over where a person has resolved it', async () => {
    const state = journalState();
    await earlierRun(state, 'foundMade', { alive: true });
    expect(await claim(state)).toBe('earlier resolved');
  });

  it('is not over where its payment is known and its journal is lost', async () => {
    const state = journalState();
    const first = await earlierRun(state, 'made', { alive: true });
    await first.intents.noteResource(key('k').hash, 'p1');
    state.runs.delete(first.run);
    expect(await claim(state)).toBe('8 INTENT_IN_PROGRESS');
  });
});

describe('a claim that nobody releases', () => {
  const claimAgainst = async (history: string, alive: boolean) => {
    const state = journalState();
    const journal = memoryJournal({ state });
    await earlierRun(state, history, { alive });
    let refused = 0;
    const takeOver = journal.intents.takeOver.bind(journal.intents);
    journal.intents.takeOver = async (intent, previous) => {
      if (refused > 20) throw new Error('it asks without end');
      const taken = alive ? await takeOver(intent, previous) : undefined;
      if (taken === undefined) refused += 1;
      return taken;
    };
    return attempt(state, { journal });
  };

  it('is in progress while its process lives, whatever a person has resolved', async () => {
    await expect(claimAgainst('foundNotMade', true)).rejects.toMatchObject({ exit: 8 });
  });

  it('is unknown where its process is dead', async () => {
    await expect(claimAgainst('notSent', false)).rejects.toMatchObject({
      exit: 12,
      detail: `12.50 EUR to Shop, sent on ${at}: its journal does not record the end of the request.`,
    });
  });
});

describe('the same key with another body', () => {
  it.each(Object.keys(histories))('is refused after %s', async (history) => {
    const state = journalState();
    await earlierRun(state, history);
    expect(await claim(state, { amount: '13.00' })).toBe('2 INTENT_KEY_REUSED');
    expect(await claim(state, { amount: '13.00', allowDuplicate: true })).toBe('2 INTENT_KEY_REUSED');
  });

  it('is refused with what the key was used for', async () => {
    const state = journalState();
    await earlierRun(state, 'made');
    await expect(attempt(state, { amount: '13.00' })).rejects.toMatchObject({
      title: 'The intent key "k" belongs to another payment.',
      detail: `It was used on ${at} for 12.50 EUR to Shop.`,
      hint: ['Use a new --intent-key for a new payment.'],
    });
  });

  it('is what it was before where the record of the body was lost', async () => {
    const state = journalState();
    await earlierRun(state, 'made');
    const intent = state.intents.get(key('k').hash);
    if (intent !== undefined) intent.bodyHash = '';
    expect(await claim(state)).toBe('earlier answered');
  });

  it('is allowed in another profile', () => {
    expect(intentHash('acme', 'k')).not.toBe(intentHash('other', 'k'));
    expect(intentHash('a', 'bk')).not.toBe(intentHash('ab', 'k'));
  });
});

describe('a race for a dead claim', () => {
  it('is won by one process', async () => {
    const state = journalState();
    const dead = await earlierRun(state, 'prepared');
    const winner = memoryJournal({ state });
    const loser = memoryJournal({ state });
    const takeOver = loser.intents.takeOver.bind(loser.intents);
    loser.intents.takeOver = async (intent, previous) => {
      // The winner comes in between, takes the claim and begins.
      expect(previous).toBe(dead.run);
      expect(await winner.intents.takeOver({ ...intent, run: winner.run }, previous)).toBeDefined();
      await winner.append(prepared(intent.hash));
      return takeOver(intent, previous);
    };
    await expect(attempt(state, { journal: loser })).rejects.toMatchObject({ exit: 8 });
  });

  it('lets one of two processes that come at once send', async () => {
    const state = journalState();
    const results = await Promise.all([claim(state), claim(state), claim(state)]);
    expect(results.filter((result) => result === 'send')).toHaveLength(1);
  });
});

describe('two keys for one content at the same moment', () => {
  it('are resolved in production: one sends, and the other sees it', async () => {
    const state = journalState();
    const how = { production: true, store: memoryStore(), chosen: false };
    const both = await Promise.all(['a', 'b'].map((name) => claim(state, { ...how, name })));
    expect(both).toEqual(['send', '8 INTENT_IN_PROGRESS']);
  });
});

describe('an intent', () => {
  it('records what a person and a bank recognise the payment by', async () => {
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
    } satisfies { [Name in keyof Intent]?: Intent[Name] | undefined });
  });

  it('shows amount, payee and the next safe step where it is unknown', async () => {
    const state = journalState();
    await earlierRun(state, 'lost');
    await expect(attempt(state)).rejects.toMatchObject({
      detail: `12.50 EUR to Shop, sent on ${at}: reset by peer.`,
      hint: ['Do not send it again.', `obk pending show ${key('k').hash.slice(0, 12)}`],
      intent: key('k').hash,
      requestId: 'r1',
    });
  });
});
