import { expect, it } from 'vitest';
import { composeHeaders } from '../../../../src/client/call/bank-headers.ts';
import type { BankHeaderRule } from '../../../../src/settings/records/bank-descriptor.ts';
import { operation } from '../../../../src/standard/xs2a/operations.ts';
import { world } from '../../../helpers/world.ts';
import type { Header } from '../../../../src/settings/records/wire.ts';

/** What is sent with a status of a payment besides what every call has, and what is dropped or missing. */
async function composed(
  rules: readonly BankHeaderRule[],
  input: { headers?: readonly Header[]; psuId?: string } = {},
) {
  const profile = { psu: { id: 'anna', idType: 'RETAIL', ipAddress: '192.0.2.7' }, headers: { rules } };
  const { target } = await world({ profile });
  const bare = { requestId: 'r', date: 'd', contentType: undefined, input };
  const { headers, dropped, missing } = composeHeaders(target, operation('getPaymentInitiationStatus'), bare);
  return {
    sent: headers.slice(3).map(({ name, value }) => `${name}: ${value}`),
    dropped: dropped.map(({ name }) => name),
    missing: missing.map(({ name }) => name),
  };
}

const none = { sent: [], dropped: [], missing: [] };

it.each<[string, BankHeaderRule[], Header[], Partial<typeof none> | object]>([
  ['nothing without rules', [], [['A', '1']], { sent: ['A: 1'] }],
  ['forbids whatever the case', [{ name: 'a', action: 'forbid' }], [['A', '1']], { dropped: ['A'] }],
  ['forbids what is not there', [{ name: 'A', action: 'forbid' }], [], {}],
  ['keeps what is not blank', [{ name: 'A', action: 'dropIfBlank' }], [['A', '1']], { sent: ['A: 1'] }],
  ['drops blanks', [{ name: 'A', action: 'dropIfBlank' }], [['A', ' ']], { dropped: ['A'] }],
  ['fills in', [{ name: 'A', action: 'default', value: '2' }], [], { sent: ['A: 2'] }],
  ['fills in nothing else', [{ name: 'A', action: 'default', value: '2' }], [['a', '1']], { sent: ['a: 1'] }],
  ['misses', [{ name: 'A', action: 'require' }], [], { missing: ['A'] }],
  [
    'sends what is known',
    [{ name: 'psu-ip-address', action: 'require' }],
    [],
    { sent: ['psu-ip-address: 192.0.2.7'] },
  ],
  [
    'goes in order: what was blank may be filled in, and is there then',
    [
      { name: 'A', action: 'dropIfBlank' },
      { name: 'A', action: 'default', value: '2' },
      { name: 'A', action: 'require' },
    ],
    [['A', '']],
    { sent: ['A: 2'], dropped: ['A'] },
  ],
  [
    'leaves other operations alone',
    [{ name: 'A', action: 'forbid', operations: ['createConsent'] }],
    [['A', '1']],
    { sent: ['A: 1'] },
  ],
])('the rules of headers are applied: %s', async (_, rules, headers, expected) => {
  expect(await composed(rules, { headers })).toEqual({ ...none, ...expected });
});

it('a rule of headers names the PSU of the call, never that of the profile in place of another', async () => {
  const rules = [{ name: 'PSU-ID', action: 'require' }] as const;
  expect((await composed(rules)).sent).toEqual(['PSU-ID: anna']);
  expect((await composed(rules, { psuId: 'bob' })).sent).toEqual(['PSU-ID: bob']);
});

it.each([
  ['TPP-Redirect-URI', 'https://tpp.example/cb'],
  ['TPP-Nok-Redirect-URI', 'https://tpp.example/nok'],
  ['TPP-Notification-URI', 'https://tpp.example/n'],
  ['TPP-Notification-Content-Preferred', 'status=SCA'],
  ['TPP-Brand-Logging-Information', 'Brand'],
  ['TPP-Redirect-Preferred', 'true'],
  ['TPP-Decoupled-Preferred', 'false'],
  ['TPP-Explicit-Authorisation-Preferred', 'true'],
  ['TPP-Rejection-NoFunds-Preferred', 'true'],
  ['PSU-User-Agent', 'Mozilla/5.0'],
  ['PSU-Corporate-ID', 'corp'],
  ['PSU-Corporate-ID-Type', 'CT'],
])('a required header has the value of the profile wherever a rule requires it: %s', async (name, value) => {
  const profile = {
    psu: { corporateId: 'corp', corporateIdType: 'CT', context: { 'PSU-User-Agent': 'Mozilla/5.0' } },
    redirectUri: 'https://tpp.example/cb',
    nokRedirectUri: 'https://tpp.example/nok',
    notification: { uri: 'https://tpp.example/n', content: 'status=SCA' },
    brandLogging: 'Brand',
    prefer: { redirect: true, decoupled: false, explicit: true, rejectNoFunds: true },
    headers: { rules: [{ name, action: 'require' as const }] },
  };
  const { target } = await world({ profile });
  const bare = { requestId: 'r', date: 'd', contentType: undefined, input: {} };
  for (const id of ['getConsentStatus', 'getPaymentInitiationStatus', 'getAccountList'] as const) {
    const { headers, missing } = composeHeaders(target, operation(id), bare);
    expect(missing).toEqual([]);
    expect(headers.filter((one) => one.name === name).map((one) => one.value)).toEqual([value]);
  }
});

it('a rule sets Content-Type on a request without a body, and only there', async () => {
  const rule = { name: 'Content-Type', action: 'default' as const, value: 'application/json' };
  expect(await composed([rule])).toMatchObject({ sent: ['Content-Type: application/json'] });
  const { target } = await world({ profile: { headers: { rules: [rule] } } });
  const bare = { requestId: 'r', date: 'd', contentType: 'application/xml', input: {} };
  const { headers } = composeHeaders(target, operation('initiatePayment'), bare);
  expect(headers.filter(({ name }) => name === 'Content-Type').map(({ value }) => value)).toEqual([
    'application/xml',
  ]);
});
