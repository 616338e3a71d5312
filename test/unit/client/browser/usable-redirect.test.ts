import { describe, expect, it } from 'vitest';
import type { Profile } from '../../../../src/settings/records/profile.ts';
import { createConsent } from '../../../../src/client/consents/consent.ts';
import { createBasket } from '../../../../src/client/payments/baskets.ts';
import { initiatePayment } from '../../../../src/client/payments/pay.ts';
import { failedWith } from '../../../helpers/failed-with.ts';
import { world } from '../../../helpers/world.ts';
import type { World } from '../../../helpers/world.ts';
import { created, once, order, path } from '../orders.ts';
import { payment, reopened, run, saved, started } from '../payer.ts';

const consent = {
  access: { accounts: [] },
  recurringIndicator: true,
  validUntil: '2027-01-01',
  frequencyPerDay: 4,
  combinedServiceIndicator: false,
};
const operations: readonly (readonly [string, (there: World) => Promise<unknown>])[] = [
  ['payment', ({ target }) => initiatePayment(target, order, once)],
  ['consent', ({ target }) => createConsent(target, consent)],
  ['basket', ({ target }) => createBasket(target, { paymentIds: ['p1'], consentIds: [] }, {})],
];

const redirectUri = 'https://tpp.example/cb';
const oauth = { clientId: 'tpp-1' };
const lacking: readonly (readonly [string, Partial<Profile>, string])[] = [
  ['a redirect URI', { auth: { mode: 'integrated' }, oauth }, '--redirect-uri'],
  [
    'a redirect URI, by the operation',
    {
      auth: {
        operations: {
          initiatePayment: 'integrated',
          createConsent: 'integrated',
          createSigningBasket: 'integrated',
        },
      },
      oauth,
    },
    '--redirect-uri',
  ],
  ['a client_id', { auth: { mode: 'integrated' }, redirectUri }, '--oauth-client-id'],
  [
    'the client_id that the bank gave',
    { auth: { mode: 'integrated', clientId: 'config' }, redirectUri },
    '--oauth-client-id',
  ],
];

describe.each(operations)('a new %s of a bank with a login in each authorisation', (_noun, make) => {
  it.each(lacking)('is not made without %s', async (_what, profile, flag) => {
    const there = await world({ profile });
    const failure = await failedWith(make(there));
    expect(failure).toMatchObject({ code: 'PROFILE_INVALID', exit: 3 });
    expect(failure.hint[0]).toMatch(new RegExp(`^obk profile edit acme ${flag}`));
    expect(there.http.requests).toEqual([]);
    expect(there.journal.records).toEqual([]);
  });
});

it.each([
  ['a bank that says nothing of it', { oauth: {} }],
  ['a PSU who is not to be sent away', { auth: { mode: 'integrated' }, oauth, prefer: { redirect: false } }],
  ['another operation', { auth: { operations: { createConsent: 'integrated' } }, oauth }],
] satisfies [string, Partial<Profile>][])(
  'a payment needs no redirect URI for %s',
  async (_what, profile) => {
    const there = await world({ profile });
    there.http.expect('POST', path, created);
    await expect(initiatePayment(there.target, order, once)).resolves.toMatchObject({ reused: false });
  },
);

it('a payment made without a redirect URI continues with that of the profile as it is now', async () => {
  const metadataUrl = 'https://bank.example/.well-known/oauth-authorization-server';
  const conversation = started({
    approach: 'REDIRECT',
    authorisationId: 'auth-1',
    links: { scaOAuth: metadataUrl },
  });
  const before = await world({ profile: { oauth } });
  const failure = await failedWith(run(before, conversation, { wait: false }, payment));
  expect(failure).toMatchObject({ code: 'PROFILE_INVALID', resource: { paymentId: 'pay-1' } });
  expect(failure.hint).toEqual([
    expect.stringMatching(/^obk profile edit acme --redirect-uri URL/),
    'obk payment authorise pay-1',
  ]);
  const after = await reopened(before, { profile: { oauth, redirectUri } });
  after.http.expect('GET', metadataUrl, {
    body: {
      issuer: 'https://bank.example',
      authorization_endpoint: 'https://bank.example/authorize',
      token_endpoint: 'https://bank.example/token',
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
    },
  });
  const led = await run(after, conversation, { wait: false }, payment);
  expect(new URL(led.conversation.oauth?.url ?? '').searchParams.get('redirect_uri')).toBe(redirectUri);
  expect(led.resource.redirect?.uri).toBe(redirectUri);
  await expect(after.store.resources.find('acme', 'payment', 'pay-1')).resolves.toMatchObject({
    redirect: { uri: redirectUri },
  });
  expect(await saved(after)).toHaveLength(1);
});
