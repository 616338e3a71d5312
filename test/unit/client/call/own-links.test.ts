import { describe, expect, it } from 'vitest';
import type { Parent } from '../../../../src/standard/sca/state.ts';
import { fakePerson } from '../../../helpers/fakes/index.ts';
import { world } from '../../../helpers/world.ts';
import { atOtp, auth, decoupled, finalised, list, one, run, settled, started } from '../payer.ts';
import { failedWith } from '../../../helpers/failed-with.ts';

const other = '/v1/payments/sepa-credit-transfers/pay-2/authorisations';
const cancels = `${one}/cancellation-authorisations`;

describe('a link of a step', () => {
  it.each([
    ['another payment', `${other}/auth-1`],
    ['another payment, absolute', `https://bank.example${other}/auth-1`],
    ['another payment, without its product', '/v1/payments/pay-2/authorisations/auth-1'],
    ['another payment, with a slash behind', `${other}/auth-1/`],
    ['another payment, with a query', `${other}/auth-1?for=pay-1`],
    ['another payment in capitals', `${one.replace('pay-1', 'PAY-1')}/authorisations/auth-1`],
    ['the cancellation', `${cancels}/auth-1`],
    ['a consent', '/v1/consents/pay-1/authorisations/auth-1'],
    ['a basket', '/v1/signing-baskets/pay-1/authorisations/auth-1'],
    ['another payment itself', one.replace('pay-1', 'pay-2')],
  ])('gets no OTP where it leads to %s, and nobody is asked for one', async (_, href) => {
    const person = fakePerson().answer('otp', '739184');
    const there = await world({ person });
    const from = started({ authorisationId: 'auth-1', links: { authoriseTransaction: href } });
    expect(await failedWith(run(there, from))).toMatchObject({
      code: 'LINK_REFUSED',
      exit: 5,
      resource: { paymentId: 'pay-1', authorisationId: 'auth-1' },
    });
    expect(there.http.requests).toEqual([]);
    expect(person.asked).toEqual([]);
  });

  it.each([other, cancels, '/v1/consents/pay-1/authorisations'])('starts nothing at %s', async (href) => {
    const there = await world();
    expect(await failedWith(run(there, started({ links: { startAuthorisation: href } })))).toMatchObject({
      code: 'LINK_REFUSED',
    });
    expect(there.http.requests).toEqual([]);
  });

  it.each<[Parent['kind'], string, string]>([
    ['cancellation', 'pay-1', list],
    ['cancellation', 'pay-1', '/v1/payments/sepa-credit-transfers/pay-2/cancellation-authorisations'],
    ['consent', 'pay-1', '/v1/consents/cons-2/authorisations'],
    ['consent', 'pay-1', list],
  ])('starts nothing for a %s at %s %s', async (kind, id, href) => {
    const there = await world();
    const from = { ...started({ links: { startAuthorisation: href } }), parent: { kind, id } };
    expect(await failedWith(run(there, from))).toMatchObject({ code: 'LINK_REFUSED' });
  });

  it.each([
    ['as the interface has it', auth],
    ['without its product', '/v1/payments/pay-1/authorisations/auth-1'],
    ['escaped', auth.replace('pay-1', 'pay%2D1')],
    ['at a path that no interface has', '/v1/sca/auth-1'],
  ])('is followed where it is of its own payment: %s', async (_, href) => {
    const there = await world({ person: fakePerson().answer('otp', '739184') });
    there.http.expect('PUT', href, finalised).expect('GET', `${one}/status`, settled);
    const from = started({ authorisationId: 'auth-1', links: { authoriseTransaction: href } });
    await expect(run(there, from)).resolves.toMatchObject({ success: true });
  });

  it('is followed where it is of a cancellation', async () => {
    const there = await world();
    there.http.expect('POST', cancels, {
      status: 201,
      body: { scaStatus: 'finalised', authorisationId: 'c-1' },
    });
    there.http.expect('GET', `${one}/status`, { body: { transactionStatus: 'CANC' } });
    const from = started({ links: { startAuthorisation: cancels } });
    const { parent } = from;
    const cancelling = { ...from, parent: { ...parent, kind: 'cancellation' as const } };
    await expect(run(there, cancelling)).resolves.toMatchObject({ success: true });
  });
});

describe('the link scaStatus', () => {
  it('proves nothing where it is of another payment: the status of its own is read', async () => {
    const there = await world();
    there.http.expect('GET', auth, finalised).expect('GET', `${one}/status`, settled);
    const from = { ...decoupled(), standing: { scaStatus: `${other}/auth-1` } };
    await expect(run(there, from)).resolves.toMatchObject({ success: true });
    expect(there.notices.warned).toEqual([
      'The link scaStatus of the bank is not followed: it leads to another payment than pay-1.',
    ]);
    there.verify();
  });

  it('is followed where it is of its own payment', async () => {
    const there = await world();
    there.http.expect('GET', auth, finalised).expect('GET', `${one}/status`, settled);
    await expect(run(there, atOtp(), { resumed: true })).resolves.toMatchObject({ success: true });
    expect(there.notices.warned).toEqual([]);
  });
});
