import { describe, expect, it } from 'vitest';
import { settleBeforePruning } from '../../../../src/client/resources/settle-intent.ts';
import { fakeClock, journalState, memoryJournal } from '../../../helpers/fakes/index.ts';
import { at, earlierRun, key } from '../intents.ts';

const now = '2026-12-24T10:00:00.000Z';
const { hash } = key('k');

/** What stands at the intent after its run is about to go. */
async function settled(
  history: string,
  { resourceId = '', dryRun = false, other = false, before = undefined as 'person' | undefined } = {},
) {
  const state = journalState();
  const first = await earlierRun(state, history);
  if (resourceId !== '') await first.intents.noteResource(hash, resourceId);
  if (before !== undefined)
    await first.intents.settle(hash, { created: false, at, by: before, reason: 'asked' });
  const journal = memoryJournal({ state });
  const intent = await journal.intents.find(hash);
  if (intent === undefined) throw new Error('no intent');
  const stored = state.intents.get(hash);
  if (other && stored !== undefined) stored.run = journal.run;
  const may = await settleBeforePruning(
    { journal, intents: journal.intents, clock: fakeClock({ at: now }) },
    intent,
    'it was old',
    dryRun,
  );
  const after = await journal.intents.find(hash);
  return { may, settled: after?.settled, resourceId: after?.resourceId, summary: after?.summary };
}

const end = (created: boolean) => ({ created, at: now, by: 'pruning', reason: 'it was old' });

describe('an intent whose run is about to be removed', () => {
  it.each([
    ['foundMade', '', true, 'p1'],
    ['made', 'p1', true, 'p1'],
    ['refused', '', false, undefined],
    ['foundNotMade', '', false, undefined],
    ['prepared', '', false, undefined],
  ])('notes how it ended: %s', async (history, resourceId, created, id) => {
    expect(await settled(history, { resourceId })).toMatchObject({
      may: true,
      settled: end(created),
      resourceId: id,
    });
  });

  it.each([
    ['nobody knows how it ended', 'lost', ''],
    ['nobody believes what named its payment', 'unclear', 'p1'],
    ['nobody could tell which payment it made', 'made', ''],
  ])('needs its run where %s', async (_, history, resourceId) => {
    expect(await settled(history, { resourceId })).toMatchObject({ may: false, settled: undefined });
  });

  it('keeps what a person resolved', async () => {
    expect(await settled('lost', { before: 'person' })).toMatchObject({
      may: true,
      settled: { at, by: 'person', reason: 'asked' },
    });
  });

  it.each(['', 'person'])('loses the names that it was known by, whoever resolved it: %s', async (by) => {
    const before = by === '' ? undefined : 'person';
    const { summary } = await settled('refused', before === undefined ? {} : { before });
    expect(summary).toEqual({ amount: expect.any(String), currency: 'EUR' });
  });

  it('is left as it is in a dry run, and where another run has it by now', async () => {
    expect(await settled('refused', { dryRun: true })).toMatchObject({ may: true, settled: undefined });
    expect(await settled('refused', { other: true })).toMatchObject({ may: true, settled: undefined });
  });
});
