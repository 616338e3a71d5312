// That each setting has an effect at all is proved by a bank of its own: test/contract/bank-settings/odd-banks.test.ts.
import { expect, it } from 'vitest';
import { bankTemplates } from '../../../../src/settings/banks/templates.ts';
import { lintBank } from '../../../../src/client/profile/bank-lint.ts';
import { bankSchema } from '../../../../src/settings/profile/bank-schema.ts';
import { bankRow } from '../../../../src/settings/profile/table.ts';

it('a setting that only people read is known of the bank and its test system, and the schema states it', () => {
  const members = bankRow.kind === 'group' ? Object.entries(bankRow.members) : [];
  expect(members.filter(([, { side }]) => side === 'people').map(([name]) => name)).toEqual([
    'meta',
    'sandbox',
  ]);
  const { properties } = bankSchema() as { properties: Record<string, { $comment?: string }> };
  expect(properties['meta']?.$comment).toBe('side: people');
  const told = lintBank({ sandbox: { notes: ['any OTP is right'] }, meta: { name: 'acme' } }, 'bank');
  expect(told).toMatchObject([{ setting: 'sandbox.notes', severity: 'warning' }]);
});

it.each<[string, object]>([
  ['sca.preferred', { sca: { approaches: ['redirect'], preferred: 'embedded' } }],
  ['sca.redirectLifetimeS', { sca: { approaches: ['embedded'], redirectLifetimeS: 60 } }],
  ['sca.poll.timeoutS', { sca: { approaches: ['embedded'], poll: { timeoutS: 60 } } }],
  ['consent.validDays', { consent: { none: true, validDays: 90 } }],
  ['payments.cancel.needsSca', { payments: { cancel: { allowed: false, needsSca: true } } }],
  [
    'payments.redirectOnCancel',
    { framework: '1.3.2', payments: { redirectOnCancel: true, cancel: { needsSca: false } } },
  ],
  [
    'payments.pain',
    { payments: { matrix: { payments: { x: ['json'] } }, pain: { version: 'pain.001.001.09' } } },
  ],
  ['ais.history.windowDays', { ais: { history: { maxDays: 10, windowDays: 20 } } }],
  [
    'ais.params.getAccountList.forbid',
    { ais: { params: { getAccountList: { allow: ['a'], forbid: ['a'] } } } },
  ],
  [
    'ais.params.getAccountList.add',
    { ais: { params: { getAccountList: { add: { a: '1' }, forbid: ['a'] } } } },
  ],
  ['auth.tokenHeader', { auth: { mode: 'none', tokenHeader: 'X-Token' } }],
  ['oauth.clientId', { auth: { clientId: 'orgId' }, oauth: { clientId: 'x' } }],
  ['auth.scope.app', { auth: { scope: { app: 'x' } } }],
  ['auth.refresh', { auth: { store: 'never', refresh: { rotates: true } } }],
  ['signing.jws', { signing: { mode: 'cavage', jws: { maxAgeS: 60 } } }],
  ['ais.params.*.add', { ais: { params: { '*': { add: { a: '1' }, forbid: ['a'] } } } }],
  ['signing.headers', { signing: { headers: ['Digest', 'X-Request-ID'] } }],
  ['signing.jws.pars', { signing: { mode: 'jws', jws: { pars: ['x-request-id', 'Digest'] } } }],
  ['headers.psuIdType.default', { headers: { psuIdType: { values: ['A'], default: 'B' } } }],
  ['limits.header.format', { limits: { header: { format: 'json' } } }],
  ['registration.successStatus', { registration: { kind: 'none', successStatus: [401] } }],
  ['registration.operation', { registration: { kind: 'firstCall', operation: 'initiatePayment' } }],
  [
    'spec.operations.getBalances.path',
    { spec: { operations: { getBalances: { supported: false, path: '/b' } } } },
  ],
  ['spec.validateAgainst', { framework: '1.3.6', spec: { validateAgainst: '1.3.6' } }],
])('bank lint warns of %s where it is ignored or contradicts another one', (setting, settings) => {
  expect(lintBank(settings, 'bank').map((one) => [one.setting, one.severity])).toEqual([
    [setting, 'warning'],
  ]);
});

it('bank lint counts the client_id in the token reply as used without signatures: it refreshes and revokes too', () => {
  expect(lintBank({ auth: { clientId: 'tokenReply' }, signing: { mode: 'none' } }, 'bank')).toEqual([]);
});

it('bank lint finds nothing to warn of in a template', () => {
  for (const { name, settings } of bankTemplates)
    expect([
      name,
      lintBank(settings, 'bank').filter(({ text }) => /not used|contradicts/.test(text)),
    ]).toEqual([name, []]);
});
