import { describe, expect, it } from 'vitest';
import { createBasket, deleteBasket, refreshMembers } from '../../../../src/client/payments/baskets.ts';
import { listPending, resolvePending } from '../../../../src/client/payments/pending.ts';
import type { PendingItem } from '../../../../src/client/payments/pending.ts';
import type { UnknownWrite } from '../../../../src/client/resources/unknown-writes.ts';
import type { SavedResource } from '../../../../src/settings/records/resources.ts';
import { presets } from '../../../../src/standard/xs2a/variants.ts';
import { world } from '../../../helpers/world.ts';
import type { World } from '../../../helpers/world.ts';
import { payment } from '../payer.ts';
import { failedWith } from '../../../helpers/failed-with.ts';

const path = '/v1/signing-baskets';
const one = `${path}/b-1`;
const members = { paymentIds: ['pay-1', 'pay-2'], consentIds: [] };
const lost = { sent: true, reason: 'reset' } as const;
const basket: SavedResource = { ...payment, noun: 'basket', id: 'b-1', basket: members };

const framework = (): Promise<World> => world({ profile: { ...presets.v1, surface: 'framework' } });
const unknownOf = async (there: World): Promise<UnknownWrite> => {
  const [item] = (await listPending(there.target.ports, 'acme')) as [PendingItem];
  if (item.kind !== 'unknown') throw new Error('nothing unknown');
  return item;
};
const refusal = (status: number, code: string) => ({
  status,
  body: { tppMessages: [{ category: 'ERROR', code }] },
});

describe('a new basket', () => {
  it('is always started explicitly, without an empty list, and saved with its members', async () => {
    const there = await framework();
    there.http.expect('POST', path, {
      status: 201,
      body: {
        transactionStatus: 'RCVD',
        basketId: 'b-1',
        _links: { self: { href: one }, startAuthorisation: { href: `${one}/authorisations` } },
      },
    });
    const made = await createBasket(there.target, members, { explicit: false });
    const [request] = there.http.requests;
    expect(request?.json()).toEqual({ paymentIds: ['pay-1', 'pay-2'] });
    expect(request?.header('TPP-Explicit-Authorisation-Preferred')).toBe('true');
    expect(made.conversation.steering).toEqual({ startAuthorisation: `${one}/authorisations` });
    await expect(there.store.resources.find('acme', 'basket', 'b-1')).resolves.toMatchObject({
      status: 'RCVD',
      basket: members,
    });
  });

  it('is unknown where its answer is lost, is not sent again, and is resolved by a person', async () => {
    const there = await framework();
    there.http.expectFailure('POST', path, lost);
    expect(await failedWith(createBasket(there.target, members, {}))).toMatchObject({ exit: 12 });
    const item = await unknownOf(there);
    expect(item.next).toContain(`obk pending resolve ${item.id} --basket-id ID   # or --not-created`);
    expect(await failedWith(createBasket(there.target, members, {}))).toMatchObject({
      exit: 12,
      hint: ['Do not send it again.', item.next],
    });
    expect(there.http.requests).toHaveLength(1);
    there.http.expect('POST', path, refusal(400, 'REFERENCE_MIX_INVALID'));
    const others = { ...members, consentIds: ['c-1'] };
    expect(await failedWith(createBasket(there.target, others, {}))).toMatchObject({ exit: 5 });

    const { target } = there;
    await resolvePending(
      { ports: target.ports, name: 'acme', profile: target.profile },
      item,
      { basketId: 'b-9' },
      'seen',
    );
    await expect(there.store.resources.find('acme', 'basket', 'b-9')).resolves.toMatchObject({
      noun: 'basket',
    });
    await expect(listPending(target.ports, 'acme')).resolves.toEqual([]);
  });

  it.each([
    [400, 'REFERENCE_MIX_INVALID', 'same PSUs'],
    [409, 'REFERENCE_STATUS_INVALID', 'obk payment status ID'],
    [400, 'RESOURCE_BLOCKED', 'obk basket list'],
    [404, 'RESOURCE_UNKNOWN', '--explicit yes'],
  ])('is refused with %d %s and a hint that helps', async (status, code, hint) => {
    const there = await framework();
    there.http.expect('POST', path, refusal(status, code));
    const error = await failedWith(createBasket(there.target, members, {}));
    expect(error).toMatchObject({ exit: 5, bankCode: code, httpStatus: status });
    expect(error.hint[0]).toContain(hint);
  });
});

describe('a deletion of a basket', () => {
  it('is done where it is answered with 204', async () => {
    const there = await framework();
    there.http.expect('DELETE', one, { status: 204 });
    await expect(deleteBasket(there.target, basket)).resolves.toMatchObject({ status: 'CANC' });
    there.verify();
  });

  it.each([
    ['RCVD', 'RCVD'],
    ['CANC', 'CANC'],
  ])('is what the bank then says of the basket where it is answered otherwise: %s', async (told, status) => {
    const there = await framework();
    there.http
      .expect('DELETE', one, { status: 202, body: {} })
      .expect('GET', `${one}/status`, { body: { transactionStatus: told } });
    await expect(deleteBasket(there.target, basket)).resolves.toMatchObject({ status });
    there.verify();
  });

  it.each([
    ['says RJCT', { body: { transactionStatus: 'RJCT' } }, 'RJCT'],
    ['knows no such basket', refusal(404, 'RESOURCE_UNKNOWN'), 'CANC'],
  ])('is done where its answer is lost and the bank %s', async (_, answer, status) => {
    const there = await framework();
    there.http.expectFailure('DELETE', one, lost).expect('GET', `${one}/status`, answer);
    await expect(deleteBasket(there.target, basket)).resolves.toMatchObject({ status });
    await expect(listPending(there.target.ports, 'acme')).resolves.toEqual([]);
  });

  it.each([
    ['says otherwise', { body: { transactionStatus: 'RCVD' } }],
    ['cannot be read', { status: 500 }],
  ])('stays unknown where its answer is lost and the bank %s', async (_, answer) => {
    const there = await framework();
    there.http.expectFailure('DELETE', one, lost).expect('GET', `${one}/status`, answer);
    expect(await failedWith(deleteBasket(there.target, basket))).toMatchObject({ exit: 12 });
    expect(await unknownOf(there)).toMatchObject({ operation: 'deleteSigningBasket' });
  });
});

it('the members of a basket are read where they are saved, and are not known otherwise', async () => {
  const there = await framework();
  await there.store.resources.save(payment);
  there.http.expect('GET', '/v1/payments/sepa-credit-transfers/pay-1/status', {
    body: { transactionStatus: 'ACSC' },
  });
  await expect(refreshMembers(there.target, basket)).resolves.toEqual([
    { noun: 'payment', id: 'pay-1', status: 'ACSC' },
    { noun: 'payment', id: 'pay-2', status: undefined },
  ]);
  await expect(there.store.resources.find('acme', 'payment', 'pay-1')).resolves.toMatchObject({
    status: 'ACSC',
  });
});
