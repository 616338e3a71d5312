import { describe, expect, it } from 'vitest';
import { findResource } from '../../../../src/cli/commands/run/find-resource.ts';
import { findAuthorisation } from '../../../../src/client/authorisations/find-authorisation.ts';
import { findPending } from '../../../../src/client/payments/pending.ts';
import { settleBeforePruning } from '../../../../src/client/resources/settle-intent.ts';
import { journalState, memoryJournal } from '../../../helpers/fakes/index.ts';
import { world } from '../../../helpers/world.ts';
import { earlierRun, key } from '../intents.ts';
import { payment } from '../payer.ts';

/** The newest payment was named by an answer that could not be believed, and is saved. */
async function doubted() {
  const state = journalState();
  const { hash } = key('k');
  await (await earlierRun(state, 'unclear')).intents.noteResource(hash, 'p1');
  const there = await world({ journal: memoryJournal({ state }) });
  await there.store.resources.save({ ...payment, id: 'p1' });
  const intent = await there.journal.intents.find(hash);
  if (intent === undefined) throw new Error('no intent');
  return { ...there, intent };
}

describe('a payment named by an answer in doubt', () => {
  it('is never meant by @last', async () => {
    const { target } = await doubted();
    const unknown = { exit: 12, code: 'OUTCOME_UNKNOWN', httpStatus: 500 };
    await expect(findResource(target, 'payment', { id: '@last' })).rejects.toMatchObject(unknown);
    await expect(findAuthorisation(target, undefined)).rejects.toMatchObject(unknown);
  });

  it('is found by its intent though the mark of its write is lost', async () => {
    const { target, journal, intent } = await doubted();
    journal.openWrites = () => Promise.resolve([]);
    expect(await findPending(target.ports, 'acme', intent.hash.slice(0, 12))).toMatchObject({
      kind: 'unknown',
      detail: 'the bank answered 500',
    });
  });

  it('is not resolved by pruning', async () => {
    const { journal, target, intent } = await doubted();
    expect(await settleBeforePruning(target.ports, intent, 'its run was old', false)).toBe(false);
    expect(await journal.intents.find(intent.hash)).not.toHaveProperty('settled');
  });
});
