import { describe, expect, it } from 'vitest';
import { buildPayment } from '../../../../src/client/orders/single-body.ts';
import { cancelPayment } from '../../../../src/client/payments/cancel.ts';
import { initiatePayment } from '../../../../src/client/payments/pay.ts';
import {
  askBank,
  findPending,
  listPending,
  resolvePending,
} from '../../../../src/client/payments/pending.ts';
import { intentHash } from '../../../../src/client/resources/intent.ts';
import type { UnknownWrite } from '../../../../src/client/resources/unknown-writes.ts';
import { authorise } from '../../../../src/client/sca/authorise.ts';
import type { SavedResource } from '../../../../src/settings/records/resources.ts';
import { newConversation } from '../../../../src/standard/sca/state.ts';
import type { Conversation, ScaAnswer } from '../../../../src/standard/sca/state.ts';
import { fakePerson, memoryJournal } from '../../../helpers/fakes/index.ts';
import { world } from '../../../helpers/world.ts';
import type { World } from '../../../helpers/world.ts';
import { failedWith } from '../../../helpers/failed-with.ts';

const path = '/v1/payments/sepa-credit-transfers';
const lost = { sent: true, reason: 'reset' } as const;
const fields = {
  debtor: 'DE40100100103307118608',
  creditorAccount: 'DE02100100109307118603',
  creditorName: 'Shop',
  amount: '12.50',
};

async function loseAPayment(there: World, key = 'k'): Promise<string> {
  const hash = intentHash('acme', key);
  there.http.expectFailure('POST', path, lost);
  const order = buildPayment({ service: 'payments', product: 'sepa-credit-transfers' }, fields, {
    intentHash: hash,
  });
  await failedWith(
    initiatePayment(there.target, order, { intent: { hash, key, chosen: true, allowDuplicate: false } }),
  );
  return hash;
}

function saved(id: string, status = 'RCVD', createdAt = '2026-11-21T09:00:00.000Z'): SavedResource {
  return {
    schemaVersion: 1,
    profile: 'acme',
    environment: 'test',
    noun: 'payment',
    id,
    createdAt,
    updatedAt: createdAt,
    framework: '1.3.2',
    prefix: '/v1',
    baseUrl: 'https://bank.example',
    service: 'payments',
    product: 'sepa-credit-transfers',
    status,
    links: {},
  };
}

function open(
  id: string,
  part: Partial<ScaAnswer> = {},
  kind: 'payment' | 'cancellation' = 'payment',
): Conversation {
  return newConversation(
    { kind, id, service: 'payments', product: 'sepa-credit-transfers' },
    {
      method: 'POST',
      status: 201,
      hasLinks: true,
      links: { authoriseTransaction: `${path}/${id}/authorisations/auth-1` },
      unknownLinks: [],
      authorisationId: 'auth-1',
      scaStatus: 'scaMethodSelected',
      ...part,
    },
    '2026-11-21T09:00:00.000Z',
  );
}

async function loseAnOtp(there: World): Promise<void> {
  await there.store.resources.save(saved('pay-1'));
  there.http
    .expectFailure('PUT', `${path}/pay-1/authorisations/auth-1`, lost)
    .expect('GET', `${path}/pay-1/authorisations/auth-1`, { status: 500 });
  const error = await failedWith(
    authorise(there.target, saved('pay-1'), open('pay-1'), {
      wait: true,
      timeoutMs: 1,
      browser: 'never',
      resumed: false,
    }),
  );
  expect(error.exit).toBe(12);
}

const withOtp = () => world({ person: fakePerson({ present: false }).answer('otp', '739184') });
const list = (there: World) => listPending(there.target.ports, 'acme');
const only = async (there: World): Promise<UnknownWrite> => {
  const [item, ...others] = await list(there);
  expect(others).toEqual([]);
  if (item?.kind !== 'unknown') throw new Error('nothing unknown');
  return item;
};

describe('the list of what is pending', () => {
  it('is empty at first, and after a payment that worked or was refused', async () => {
    const there = await world();
    await expect(list(there)).resolves.toEqual([]);
    there.http.expect('POST', path, { status: 400 });
    const order = buildPayment({ service: 'payments', product: 'sepa-credit-transfers' }, fields, {
      intentHash: 'a'.repeat(64),
    });
    const intent = { hash: 'a'.repeat(64), key: 'k', chosen: true, allowDuplicate: false };
    await failedWith(initiatePayment(there.target, order, { intent }));
    await expect(list(there)).resolves.toEqual([]);
  });

  it('contains a payment of unknown outcome, with amount, payee and what is safe', async () => {
    const there = await world();
    const hash = await loseAPayment(there);
    const item = await only(there);
    expect(item).toMatchObject({
      id: hash.slice(0, 12),
      operation: 'initiatePayment',
      run: there.journal.run,
      requestId: there.http.requests[0]?.header('X-Request-ID'),
      detail: 'scripted failure: reset',
      intent: { summary: { amount: '12.50', currency: 'EUR', creditorName: 'Shop' } },
    });
    expect(item.next).toContain(`obk pending resolve ${item.id}`);
    expect(item.next).not.toContain('init');
  });

  it('is limited to its profile', async () => {
    const there = await world();
    await there.journal.append({
      type: 'run',
      at: '',
      version: '',
      command: '',
      profile: 'acme',
      environment: 'test',
      pid: 1,
    });
    await loseAPayment(there);
    await expect(listPending(there.target.ports, 'other')).resolves.toEqual([]);
    await expect(list(there)).resolves.toHaveLength(1);
  });

  it.each<[string, SavedResource, Conversation[], boolean]>([
    ['an open authorisation', saved('p'), [open('p')], true],
    ['an authorisation that is over', saved('p'), [open('p', { scaStatus: 'failed' })], false],
    ['a payment that is over', saved('p', 'ACSC'), [open('p')], false],
    ['a rejected payment', saved('p', 'RJCT'), [open('p')], false],
    ['a payment accepted without a scaStatus', saved('p', 'ACTC'), [open('p')], false],
    ['a payment without any authorisation', saved('p'), [], false],
    [
      'the open cancellation of an accepted payment',
      saved('p', 'ACTC'),
      [open('p', {}, 'cancellation')],
      true,
    ],
    [
      'an open authorisation besides a failed cancellation',
      saved('p'),
      [open('p'), open('p', { scaStatus: 'failed' }, 'cancellation')],
      true,
    ],
  ])('contains open authorisations only: %s', async (_, resource, conversations, pending) => {
    const there = await world();
    await there.store.resources.save(resource);
    for (const conversation of conversations)
      await there.store.resources.saveConversation('acme', conversation);
    const items = await list(there);
    expect(items).toHaveLength(pending ? 1 : 0);
    if (pending) expect(items[0]).toMatchObject({ kind: 'open', id: 'p', next: 'obk payment authorise p' });
  });

  it('has unknown outcomes first', async () => {
    const there = await world();
    await there.store.resources.save(saved('p'));
    await there.store.resources.saveConversation('acme', open('p'));
    await loseAPayment(there);
    expect((await list(there)).map((item) => item.kind)).toEqual(['unknown', 'open']);
  });
});

describe('a pending operation', () => {
  async function some(): Promise<World> {
    const there = await world();
    for (const id of ['payment-1', 'payment-12', 'other-99']) {
      await there.store.resources.save(saved(id));
      await there.store.resources.saveConversation('acme', open(id));
    }
    await loseAPayment(there);
    return there;
  }

  it.each([
    ['payment-1', 'payment-1'],
    ['payment-12', 'payment-12'],
    ['other-', 'other-99'],
    [intentHash('acme', 'k').slice(0, 12), intentHash('acme', 'k').slice(0, 12)],
    [intentHash('acme', 'k').slice(0, 6), intentHash('acme', 'k').slice(0, 12)],
    [intentHash('acme', 'k'), intentHash('acme', 'k').slice(0, 12)],
    ['00000000-0000-4000-8000-000000000002', intentHash('acme', 'k').slice(0, 12)],
  ])('is found by its id: %s means %s', async (id, expected) => {
    const there = await some();
    await expect(findPending(there.target.ports, 'acme', id)).resolves.toMatchObject({ id: expected });
  });

  it.each([
    ['paymen', 'ID_AMBIGUOUS'],
    ['other', 'RESOURCE_NOT_SAVED'],
    ['unheard-of', 'RESOURCE_NOT_SAVED'],
  ])('is not found by %s: %s, naming what there is', async (id, code) => {
    const there = await some();
    const error = await failedWith(findPending(there.target.ports, 'acme', id));
    expect(error).toMatchObject({ code, exit: 2 });
    expect(JSON.stringify([error.detail, error.choices])).toContain('payment-12');
  });
});

describe('the word of a person', () => {
  it('saves a payment that was made, and continues it', async () => {
    const there = await world();
    const hash = await loseAPayment(there);
    await resolvePending(there.target, await only(there), { paymentId: 'pay-7' }, 'seen at the bank');
    await expect(list(there)).resolves.toEqual([]);
    await expect(there.store.resources.find('acme', 'payment', 'pay-7')).resolves.toMatchObject({
      intent: hash,
      service: 'payments',
      product: 'sepa-credit-transfers',
      summary: { amount: '12.50' },
    });
    expect((await there.journal.intents.find(hash))?.resourceId).toBe('pay-7');
    expect(there.journal.records.at(-1)).toMatchObject({
      resolution: 'created',
      by: 'person',
      reason: 'seen at the bank',
    });
  });

  it('frees the same key where nothing was made', async () => {
    const there = await world();
    const hash = await loseAPayment(there);
    await resolvePending(there.target, await only(there), { notCreated: true }, 'asked the bank');
    await expect(list(there)).resolves.toEqual([]);
    there.journal.die();
    const again = await world({ store: there.store, journal: memoryJournal({ state: there.journal.state }) });
    again.http.expect('POST', path, { status: 201, body: { transactionStatus: 'RCVD', paymentId: 'pay-8' } });
    const order = buildPayment({ service: 'payments', product: 'sepa-credit-transfers' }, fields, {
      intentHash: hash,
    });
    const intent = { hash, key: 'k', chosen: true, allowDuplicate: false };
    await expect(initiatePayment(again.target, order, { intent })).resolves.toMatchObject({ reused: false });
  });
});

describe('the word of the bank', () => {
  it('cannot be had for a payment: the interface has no list of them', async () => {
    const there = await world();
    await loseAPayment(there);
    expect(await failedWith(askBank(there.target, await only(there)))).toMatchObject({ exit: 12 });
    there.verify();
  });

  it('is for an OTP the status of the authorisation', async () => {
    const there = await withOtp();
    await loseAnOtp(there);
    const item = (await list(there)).find((one) => one.kind === 'unknown');
    if (item?.kind !== 'unknown') throw new Error('nothing unknown');
    there.http.expect('GET', `${path}/pay-1/authorisations/auth-1`, { body: { scaStatus: 'finalised' } });
    await expect(askBank(there.target, item)).resolves.toEqual({
      status: 'finalised',
      resource: { paymentId: 'pay-1', authorisationId: 'auth-1', scaStatus: 'finalised' },
    });
    expect(there.journal.records.at(-1)).toMatchObject({
      type: 'resolved',
      resolution: 'done',
      by: 'bank',
      reason: 'read finalised',
    });
    expect(
      (await there.store.resources.conversations('acme', 'payment', 'pay-1'))[0]?.inDoubt,
    ).toBeUndefined();
    await expect(list(there)).resolves.toEqual([]);
  });

  it.each([
    ['CANC', 'done'],
    ['ACTC', 'not-done'],
  ])('is for a cancellation the status of the payment: %s', async (transactionStatus, resolution) => {
    const there = await world();
    await there.store.resources.save(saved('pay-1', 'ACTC'));
    there.http
      .expectFailure('DELETE', `${path}/pay-1`, lost)
      .expect('GET', `${path}/pay-1/status`, { status: 500 });
    await failedWith(cancelPayment(there.target, saved('pay-1', 'ACTC')));
    there.http.expect('GET', `${path}/pay-1/status`, { body: { transactionStatus } });
    await expect(askBank(there.target, await only(there))).resolves.toMatchObject({
      status: transactionStatus,
    });
    expect(there.journal.records.at(-1)).toMatchObject({ type: 'resolved', resolution });
    await expect(list(there)).resolves.toEqual([]);
  });

  it('cannot be had for what is not saved here', async () => {
    const there = await world();
    there.http
      .expectFailure('DELETE', `${path}/pay-1`, lost)
      .expect('GET', `${path}/pay-1/status`, { status: 500 });
    await failedWith(cancelPayment(there.target, saved('pay-1', 'ACTC')));
    expect(await failedWith(askBank(there.target, await only(there)))).toMatchObject({ exit: 12 });
    there.verify();
  });
});
