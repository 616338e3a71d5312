import { describe, expect, it } from 'vitest';
import { intentState, stateIn } from '../../../src/flows/intent.ts';
import type { JournalRecord } from '../../../src/ports.ts';
import { journalState } from '../../helpers/fakes/index.ts';
import { at, key, prepared, sending, failed, earlierRun, claim } from './intents.ts';

describe('an intent whose journal is lost', () => {
  /** What is left of the run: nothing at all, or only its beginning. */
  const losses: Record<string, (records: JournalRecord[]) => JournalRecord[]> = {
    missing: () => [],
    'cut before the request': () => [{ type: 'ended', at, exit: 1 }],
    'cut before the mark': (records) => records.slice(0, 1),
  };

  it.each(Object.entries(losses))('is unknown after it was sent: %s', async (_, lose) => {
    const state = journalState();
    const first = await earlierRun(state, 'made');
    const records = state.runs.get(first.run)?.records ?? [];
    records.splice(0, records.length, ...lose([...records]));
    expect(await claim(state)).toBe('12 OUTCOME_UNKNOWN');
    expect(await claim(state, { name: 'second', chosen: false })).toBe('2 DUPLICATE_PAYMENT');
  });

  it.each(Object.entries(losses))('is the payment that it knows: %s', async (_, lose) => {
    const state = journalState();
    const first = await earlierRun(state, 'made');
    await first.noteResource(key('k').hash, 'p1');
    const records = state.runs.get(first.run)?.records ?? [];
    records.splice(0, records.length, ...lose([...records]));
    expect(await claim(state)).toBe('earlier resolved');
  });

  it('is sent again where it says itself that nothing left', async () => {
    const state = journalState();
    const first = await earlierRun(state, 'prepared');
    state.runs.delete(first.run);
    expect(await claim(state)).toBe('send');
  });

  it('of an older obk, which did not say so, is unknown', async () => {
    const state = journalState();
    const first = await earlierRun(state, 'prepared');
    state.runs.delete(first.run);
    delete state.intents.get(key('k').hash)?.sent;
    expect(await claim(state)).toBe('12 OUTCOME_UNKNOWN');
  });

  it('is over where it was settled', async () => {
    const state = journalState();
    const first = await earlierRun(state, 'made');
    state.runs.delete(first.run);
    const end = { created: false, at, by: 'person', reason: 'asked' } as const;
    await first.settleIntent(key('k').hash, end);
    expect(await claim(state)).toBe('send');
  });
});

describe('where a write stands', () => {
  const state = (records: JournalRecord[]) => stateIn(records, () => true).kind;

  it.each([
    ['no record', [], 'not-sent'],
    ['prepared', [prepared('i')], 'not-sent'],
    ['records of others', [prepared('i'), { ...sending, exchange: 'x2' }], 'not-sent'],
    [
      'the last attempt counts',
      [prepared('i'), sending, failed('UNKNOWN'), { ...prepared('i'), exchange: 'x2' }],
      'not-sent',
    ],
    // An interrupt may come between the mark and the wire; the mark counts.
    ['a mark that came late', [prepared('i'), failed('NOT_SENT'), sending], 'unknown'],
  ] satisfies [string, JournalRecord[], string][])('%s', (_, records, expected) => {
    expect(state(records)).toBe(expected);
  });

  it('is read from the journal of the run that claimed it', async () => {
    const shared = journalState();
    const journal = await earlierRun(shared, 'unclear');
    const intent = shared.intents.get(key('k').hash);
    if (intent === undefined) throw new Error('no intent');
    await expect(intentState(journal, intent)).resolves.toMatchObject({
      kind: 'unknown',
      status: 500,
      requestId: 'r1',
      detail: 'the bank answered 500',
    });
  });
});
