import { describe, expect, it } from 'vitest';
import { psuHeaders } from '../../../../src/client/call/psu-headers.ts';
import type { CallInput } from '../../../../src/client/exchange/prepared.ts';
import { keepToken, keepVerifier, takeVerifier, tokenFor } from '../../../../src/client/oauth/tokens.ts';
import { Secret } from '../../../../src/base/secret.ts';
import { world } from '../../../helpers/world.ts';
import type { Wish } from '../../../helpers/world.ts';
import { started } from '../payer.ts';

const params = { 'payment-service': 'payments', 'payment-product': 'p', paymentId: 'pay-1' };
const status: CallInput = { operation: 'getPaymentInitiationStatus', params };
const startOf = (psuId?: string): CallInput => ({
  operation: 'startPaymentAuthorisation',
  params,
  ...(psuId === undefined ? {} : { headers: [['PSU-ID', psuId]] }),
});
const of = (authorisationId: string): CallInput => ({
  operation: 'getPaymentInitiationScaStatus',
  resource: { paymentId: 'pay-1', authorisationId },
});
const cancel: CallInput = { operation: 'startPaymentInitiationCancellationAuthorisation', params };
const read: CallInput = { operation: 'getAccountList', headers: [['Consent-ID', 'cons-1']] };

async function holding(
  tokens: readonly [resource: string, authorisationId: string, psuId?: string][],
  wish: Wish = {},
) {
  const there = await world(wish);
  for (const [resource, authorisationId, psuId] of tokens) {
    await keepToken(there.target, {
      ...{ resource, authorisationId, token: new Secret(`${resource}/${authorisationId}`) },
      ...(psuId === undefined ? {} : { psuId }),
    });
  }
  return there;
}

describe('the token of a call', () => {
  const a = ['pay-1', 'auth-a', 'anna'] as const;
  const b = ['pay-1', 'auth-b', 'bert'] as const;
  it.each<[string, [string, string, string?][], CallInput, string | undefined]>([
    ['a read of its resource', [[...a]], status, 'pay-1/auth-a'],
    ['none of another resource', [['pay-2', 'auth-a']], status, undefined],
    ['the own one of each signatory', [[...a], [...b]], of('auth-a'), 'pay-1/auth-a'],
    ['never that of the first for the second', [[...a]], startOf('bert'), undefined],
    ['nor where nobody says who it is', [['pay-1', 'auth-a']], startOf(), undefined],
    ['nor for an authorisation without one', [['pay-1', 'auth-a']], of('auth-b'), undefined],
    ['the same PSU again', [[...a]], startOf('anna'), 'pay-1/auth-a'],
    ['the cancellation by the only one', [['pay-1', 'auth-a']], cancel, 'pay-1/auth-a'],
    [
      'not by one of two',
      [
        ['pay-1', 'auth-a'],
        ['pay-1', 'auth-b'],
      ],
      cancel,
      undefined,
    ],
    ['a read under its consent', [['cons-1', 'auth-a']], read, 'cons-1/auth-a'],
    ['none where there is no resource', [[...a]], { operation: 'initiatePayment' }, undefined],
  ])('is chosen by the resource and its authorisations: %s', async (_, tokens, input, expected) => {
    const there = await holding(tokens);
    expect((await tokenFor(there.target, input))?.reveal()).toBe(expected);
  });

  it('is the newest of a resource, and that of a pre-step where the resource has none', async () => {
    const there = await holding([[...a], [...b], ['pay-1', 'auth-a', 'anna']], { token: 'pre-step' });
    expect((await tokenFor(there.target, status))?.reveal()).toBe('pay-1/auth-a');
    expect((await tokenFor(there.target, read))?.reveal()).toBe('pre-step');
    expect((await there.store.credentials.read('acme')).tokens).toHaveLength(2);
  });

  it('is dropped when it has expired and another arrives', async () => {
    const there = await holding([]);
    const token = { resource: 'old', token: new Secret('old-token'), expiresAt: '2020-01-01T00:00:00.000Z' };
    await keepToken(there.target, token);
    await keepToken(there.target, { resource: 'new', token: new Secret('new-token') });
    expect((await there.store.credentials.read('acme')).tokens?.map(({ resource }) => resource)).toEqual([
      'new',
    ]);
  });
});

describe('the login of a call that names no PSU', () => {
  /** PSUs who have logged in, and those with whom the payment is authorised. */
  async function loggedIn(...psuIds: string[]) {
    const there = await world();
    for (const psuId of psuIds)
      await keepToken(there.target, { psuId, token: new Secret(`login-of-${psuId}`) });
    const { target } = await world({ store: there.store, clock: there.clock, journal: there.journal });
    return {
      tokenOf: async (input: CallInput) => (await tokenFor(target, input))?.reveal(),
      authorisedBy: (psuId: string) =>
        there.store.resources.saveConversation('acme', {
          ...started({ authorisationId: `auth-${psuId}` }),
          psuId,
        }),
    };
  }

  it('is that of the PSU who authorised its resource; of several, for reads only', async () => {
    const { tokenOf, authorisedBy } = await loggedIn('anna', 'bert', 'carl');
    await expect(tokenOf(status)).rejects.toMatchObject({ code: 'AUTH_NEEDED' });
    await authorisedBy('bert');
    expect(await tokenOf(status)).toBe('login-of-bert');
    expect(await tokenOf(startOf())).toBe('login-of-bert');
    expect(await tokenOf(startOf('anna'))).toBe('login-of-anna');
    await authorisedBy('carl');
    expect(await tokenOf(status)).toMatch(/login-of-(bert|carl)/);
    await expect(tokenOf(startOf())).rejects.toMatchObject({ code: 'AUTH_NEEDED' });
  });

  it('is never that of the only PSU who has logged in, for the resource of another', async () => {
    const { tokenOf, authorisedBy } = await loggedIn('anna');
    expect(await tokenOf(status)).toBe('login-of-anna');
    await authorisedBy('bert');
    expect(await tokenOf(status)).toBeUndefined();
    await authorisedBy('anna');
    expect(await tokenOf(status)).toBe('login-of-anna');
  });
});

it('a verifier is used once, and dropped after a day where nobody returned for it', async () => {
  const there = await world();
  await keepVerifier(there.target, 's-1', new Secret('v-1-verifier'));
  const both = await Promise.all([takeVerifier(there.target, 's-1'), takeVerifier(there.target, 's-1')]);
  expect(both.map((one) => one?.reveal()).filter((one) => one !== undefined)).toEqual(['v-1-verifier']);
  await keepVerifier(there.target, 's-2', new Secret('v-2-verifier'));
  there.clock.advance(25 * 60 * 60_000);
  await keepVerifier(there.target, 's-3', new Secret('v-3-verifier'));
  expect((await there.store.credentials.read('acme')).verifiers?.map(({ state }) => state)).toEqual(['s-3']);
});

it.each([
  ['v1', 'pre-step', undefined],
  ['v136', 'pre-step', 'anna'],
  ['v1', undefined, 'anna'],
] as const)(
  'a call in %s with the token %s of an OAuth pre-step names the PSU as %s',
  async (variant, token, psuId) => {
    const there = await world({
      variant,
      ...(token === undefined ? {} : { token }),
      run: { psu: { id: 'anna' } },
    });
    expect(Object.fromEntries(psuHeaders(there.target))['PSU-ID']).toBe(psuId);
  },
);
