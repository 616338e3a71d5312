import { describe, expect, it } from 'vitest';
import { ObkError } from '../../../../src/base/errors.ts';
import { recoverUnsaved, resourceBatches } from '../../../../src/client/resources/unsaved.ts';
import type { Ports } from '../../../../src/client/ports.ts';
import type { SavedResource } from '../../../../src/settings/records/resources.ts';
import { conversation, resource } from '../../../helpers/adapter-homes.ts';
import {
  fakeClock,
  journalState,
  memoryJournal,
  memoryLocks,
  memoryResources,
} from '../../../helpers/fakes/index.ts';
import { now, prepared } from '../../../helpers/journal-records.ts';

/** A run that got a payment from the bank and did not come to save it, and the ports of a later one. */
async function unsaved(changes: Partial<SavedResource> = {}, { alive = false } = {}) {
  const state = journalState();
  const first = memoryJournal({ state });
  await first.append(prepared('x1'));
  await first.append({ type: 'sending', at: now(), exchange: 'x1' });
  const made = { resource: resource(changes), conversation: conversation() };
  await first.keep('x1', made);
  if (!alive) first.die();
  const journal = memoryJournal({ state });
  const resources = memoryResources();
  const clock = fakeClock();
  const ports = { journal, intents: journal.intents, resources, locks: memoryLocks(), clock };
  return { first, made, journal, resources, ports: ports as unknown as Ports };
}

/** The ids that a list of all payments has, and of which status each is. */
async function listed(ports: Ports, limit?: number) {
  const all: string[] = [];
  for await (const some of resourceBatches(ports, 'acme', 'payment', limit))
    all.push(...some.map(({ id, status = '' }) => `${id} ${status}`.trim()));
  return all;
}

describe('what a run could not save', () => {
  it('is saved by the next one, with its conversation, and its write is over', async () => {
    const { first, made, journal, resources, ports } = await unsaved();
    expect(await recoverUnsaved(ports, 'acme')).toEqual([]);
    expect(await resources.find('acme', 'payment', 'p1')).toEqual(made.resource);
    expect(await resources.conversations('acme', 'payment', 'p1')).toEqual([made.conversation]);
    expect(await journal.openWrites()).toEqual([]);
    expect((await journal.read(first.run)).at(-1)).toMatchObject({
      type: 'resolved',
      exchange: 'x1',
      resolution: 'created',
      by: 'bank',
      resource: { paymentId: 'p1' },
    });
  });

  it('is left to its run while that lives, and listed all the same', async () => {
    const { made, resources, ports } = await unsaved({}, { alive: true });
    expect(await recoverUnsaved(ports, 'acme')).toEqual([made]);
    expect(await resources.list('acme', 'payment')).toEqual([]);
    for (const limit of [200, undefined]) expect(await listed(ports, limit)).toEqual(['p1']);
  });

  it('is left alone in another profile', async () => {
    const { journal, ports } = await unsaved({ profile: 'other' });
    expect(await recoverUnsaved(ports, 'acme')).toEqual([]);
    expect(await journal.openWrites()).toHaveLength(1);
  });

  it('does not take the place of what another run has saved of it since', async () => {
    const { resources, ports } = await unsaved({ status: 'RCVD' });
    await resources.save(resource({ status: 'ACSC' }));
    const later = conversation({ scaStatus: 'finalised' });
    await resources.saveConversation('acme', later);
    await recoverUnsaved(ports, 'acme');
    expect(await resources.find('acme', 'payment', 'p1')).toMatchObject({ status: 'ACSC' });
    expect(await resources.conversations('acme', 'payment', 'p1')).toEqual([later]);
  });

  it('is not saved again where another run was faster while this one waited for the lock', async () => {
    const { first, journal, resources, ports } = await unsaved();
    const faster = async (_name: string, _ms: number, action: () => Promise<void>) => {
      await journal.close(first.run, 'x1');
      await journal.resolve(first.run, {
        type: 'resolved',
        at: '2026-11-21T11:00:00.000Z',
        exchange: 'x1',
        resolution: 'created',
        by: 'bank',
        reason: 'its answer was kept',
      });
      await action();
    };
    const locks = { exclusively: faster } as unknown as Ports['locks'];
    expect(await recoverUnsaved({ ...ports, locks }, 'acme')).toEqual([]);
    expect(await resources.list('acme', 'payment')).toEqual([]);
  });

  it('is listed, newest first, where it cannot be saved now', async () => {
    const { made, resources, ports } = await unsaved({ createdAt: '2026-11-21T10:30:00.000Z' });
    for (const [id, hour] of [
      ['older', '10'],
      ['newer', '11'],
    ] as const)
      await resources.save(resource({ id, createdAt: `2026-11-21T${hour}:00:00.000Z` }));
    const full = new ObkError({ code: 'STATE_NOT_WRITTEN', title: 'The disk is full.' });
    const locks = { exclusively: () => Promise.reject(full) } as unknown as Ports['locks'];
    const stuck = { ...ports, locks };
    expect(await recoverUnsaved(stuck, 'acme')).toEqual([made]);
    expect(await listed(stuck, 200)).toEqual(['newer', 'p1', 'older']);
    expect(await listed(stuck, 2)).toEqual(['newer', 'p1']);
  });
});
