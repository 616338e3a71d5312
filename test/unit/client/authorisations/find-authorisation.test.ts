import { describe, expect, it } from 'vitest';
import { findAuthorisation } from '../../../../src/client/authorisations/find-authorisation.ts';
import type { Noun } from '../../../../src/standard/sca/operations.ts';
import type { Conversation } from '../../../../src/standard/sca/state.ts';
import { world } from '../../../helpers/world.ts';
import type { World } from '../../../helpers/world.ts';
import { payment } from '../payer.ts';

const day = (number: number) => `2026-11-${String(number).padStart(2, '0')}T09:00:00.000Z`;

async function save(there: World, noun: Noun, id: string, at: number, all: Partial<Conversation>[]) {
  await there.store.resources.save({ ...payment, noun, id, createdAt: day(at) });
  for (const [index, one] of all.entries()) {
    await there.store.resources.saveConversation('acme', {
      schemaVersion: 1,
      parent: { kind: noun, id },
      startedAt: day(at + index),
      steering: {},
      standing: {},
      unknownLinks: [],
      sent: [],
      ...one,
    });
  }
}

async function saved(): Promise<World> {
  const there = await world();
  await save(there, 'payment', 'payment-1', 1, [{ authorisationId: 'auth-one', psuId: 'anna' }]);
  await save(there, 'consent', 'consent-1', 3, [
    { authorisationId: 'auth-two', psuId: 'bert' },
    { authorisationId: 'auth-three', psuId: 'anna', scaStatus: 'finalised' },
  ]);
  await save(there, 'basket', 'basket-1', 5, [{ authorisationId: 'auth-four', scaStatus: 'failed' }]);
  return there;
}

describe('an id on the command line', () => {
  it.each<[string | undefined, string, string | undefined, boolean]>([
    [undefined, 'consent-1', 'auth-two', false],
    ['payment-1', 'payment-1', 'auth-one', false],
    ['consen', 'consent-1', 'auth-two', false],
    ['basket-1', 'basket-1', 'auth-four', false],
    ['@last', 'basket-1', 'auth-four', false],
    ['@last-1', 'consent-1', 'auth-two', false],
    ['auth-three', 'consent-1', 'auth-three', true],
    ['auth-f', 'basket-1', 'auth-four', true],
  ])('leads for %s to %s, authorisation %s', async (id, resource, authorisationId, named) => {
    const there = await saved();
    const found = await findAuthorisation(there.target, id);
    expect([found.resource.id, found.conversation?.authorisationId, found.named]).toEqual([
      resource,
      authorisationId,
      named,
    ]);
  });

  it('means an authorisation of the PSU where one is given', async () => {
    const there = await saved();
    expect((await findAuthorisation(there.target, 'consent-1', 'anna')).conversation?.authorisationId).toBe(
      'auth-three',
    );
    expect((await findAuthorisation(there.target, undefined, 'anna')).resource.id).toBe('payment-1');
    expect((await findAuthorisation(there.target, 'consent-1', 'carl')).conversation).toBeUndefined();
  });

  it('means an open cancellation before anything else', async () => {
    const there = await saved();
    const parent = { kind: 'cancellation', id: 'payment-1' } as const;
    await save(there, 'payment', 'payment-1', 1, [
      { parent, authorisationId: 'cancel-1', startedAt: day(1) },
    ]);
    expect((await findAuthorisation(there.target, 'payment-1')).conversation?.parent.kind).toBe(
      'cancellation',
    );
  });

  it.each(['auth-', 'nothing-such', '@last-7', 'auth-t-what'])('finds no authorisation: %s', async (id) => {
    await expect(findAuthorisation((await saved()).target, id)).rejects.toMatchObject({
      code: 'RESOURCE_NOT_SAVED',
      exit: 2,
    });
  });

  it('is ambiguous where it fits several', async () => {
    const there = await saved();
    await expect(findAuthorisation(there.target, 'auth-t')).rejects.toMatchObject({
      code: 'ID_AMBIGUOUS',
      choices: { among: expect.arrayContaining([expect.objectContaining({ id: 'auth-three' })]) as unknown },
    });
  });

  it('may be missing: obk reports where nothing is open', async () => {
    await expect(findAuthorisation((await world()).target, undefined)).rejects.toMatchObject({
      title: 'No authorisation of the profile acme is open.',
    });
  });
});
