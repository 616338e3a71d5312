import { describe, expect, it } from 'vitest';
import { findResource } from '../../../../../src/cli/commands/run/find-resource.ts';
import type { Profile } from '../../../../../src/settings/records/profile.ts';
import type { Noun } from '../../../../../src/standard/sca/operations.ts';
import { conversation } from '../../../../helpers/adapter-homes.ts';
import { journalState, memoryJournal } from '../../../../helpers/fakes/index.ts';
import { world } from '../../../../helpers/world.ts';
import type { World } from '../../../../helpers/world.ts';
import { prepared, sending } from '../../../client/intents.ts';
import { payment } from '../../../client/payer.ts';

const at = (hour: number) => `2026-11-21T${String(hour)}:00:00.000Z`;

/** A world in which another run has made a payment and not saved it: it still runs, or it was killed. */
async function unsaved(id: string, { alive }: { alive: boolean }): Promise<World> {
  const state = journalState();
  const other = memoryJournal({ state });
  const { intent: _, ...write } = prepared('');
  for (const record of [write, sending]) await other.append(record);
  const made = { ...payment, id, createdAt: at(12) };
  await other.keep(write.exchange, {
    resource: made,
    conversation: conversation({ parent: { kind: 'payment', id } }),
  });
  if (!alive) other.die();
  return world({ journal: memoryJournal({ state }) });
}

describe.each([
  ['a run that still runs', true],
  ['a run that was killed', false],
])('a payment that %s has made and not saved', (_, alive) => {
  it.each(['pay-unsaved-1', 'pay-un', 'pay-unsaved', '@last'])('is found as %s', async (id) => {
    const there = await unsaved('pay-unsaved-1', { alive });
    expect((await findResource(there.target, 'payment', { id })).id).toBe('pay-unsaved-1');
    // The process that made it saves it, unless it is dead.
    expect(await there.store.resources.list('acme', 'payment')).toHaveLength(alive ? 0 : 1);
  });

  it.each(['pay-u', 'pay-unsaved-12', 'pay-xx'])('is not found as %s', async (id) => {
    const there = await unsaved('pay-unsaved-1', { alive });
    await expect(findResource(there.target, 'payment', { id })).rejects.toMatchObject({
      code: 'RESOURCE_NOT_SAVED',
    });
  });

  it('is told apart from a saved one that begins alike, and comes first', async () => {
    const there = await unsaved('pay-unsaved-1', { alive });
    await there.store.resources.save({ ...payment, id: 'pay-unsaved-2', createdAt: at(10) });
    await expect(findResource(there.target, 'payment', { id: 'pay-un' })).rejects.toMatchObject({
      code: 'ID_AMBIGUOUS',
      title: 'pay-un is the beginning of 2 payments.',
      choices: { typed: 'pay-un', among: [{ id: 'pay-unsaved-1' }, { id: 'pay-unsaved-2' }] },
    });
    const last = async (id: string) => (await findResource(there.target, 'payment', { id })).id;
    expect(await last('@last')).toBe('pay-unsaved-1');
    expect(await last('@last-1')).toBe('pay-unsaved-2');
    await expect(last('@last-2')).rejects.toMatchObject({ code: 'RESOURCE_NOT_SAVED' });
  });
});

describe('a bank where nothing was started yet says how to begin with what it has', () => {
  it.each<[Noun, Partial<Profile>, readonly string[]]>([
    ['payment', {}, ['obk payment init --product sepa-credit-transfers']],
    [
      'payment',
      {
        payments: {
          matrix: { payments: { 'domestic-transfers': ['json'], 'sepa-credit-transfers': ['json'] } },
        },
      },
      ['obk payment init --product sepa-credit-transfers'],
    ],
    [
      'payment',
      { payments: { matrix: { payments: { 'domestic-transfers': ['json'] } } } },
      ['obk payment init --product domestic-transfers'],
    ],
    [
      'payment',
      { payments: { matrix: { 'bulk-payments': { 'salary-list': ['xml'] } } } },
      ['obk payment init --product salary-list --service bulk-payments'],
    ],
    ['payment', { spec: { operations: { initiatePayment: { supported: false } } } }, []],
    ['consent', {}, ['obk consent create --iban IBAN']],
    ['consent', { consent: { none: true } }, []],
    ['basket', { spec: { operations: { createSigningBasket: { supported: false } } } }, []],
  ])('%s %j', async (noun, profile, begin) => {
    const { target } = await world({ profile });
    await expect(findResource(target, noun, { id: '@last' })).rejects.toMatchObject({
      hint: [`obk ${noun} list`, ...begin],
    });
  });

  it('and where a payment is of elsewhere, a product of the bank', async () => {
    const { target } = await world({
      profile: { payments: { matrix: { payments: { 'domestic-transfers': ['json'] } } } },
    });
    const found = findResource(target, 'payment', { id: 'pay-of-elsewhere' });
    await expect(found).rejects.toMatchObject({
      hint: ['--service payments --product domestic-transfers', 'obk payment list'],
    });
  });
});
