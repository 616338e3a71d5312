import { readFileSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { bankTemplates } from '../../../src/banks/templates.ts';
import { lintBank } from '../../../src/flows/profile/bank-lint.ts';
import { bankSchema } from '../../../src/settings/bank-schema.ts';
import type { Row } from '../../../src/settings/row.ts';
import { bankRow } from '../../../src/settings/table.ts';

const root = new URL('../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

/** Every setting of a bank by its dotted key; a list or a map is one. */
function keysOf(row: Row, key = ''): string[] {
  if (row.side === 'people') return [];
  if (row.kind !== 'group') return [key];
  return Object.entries(row.members).flatMap(([name, member]) =>
    keysOf(member, key === '' ? name : `${key}.${name}`),
  );
}

/** The tests by a bank typed by hand, in which a title names its setting. */
const byBank = readdirSync(new URL('test/contract/bank-settings/', root))
  .map((name) => read(`test/contract/bank-settings/${name}`))
  .join('\n');

/** The other settings: the file in which obk acts on it, and a test of that with words that stand in it. */
const elsewhere: Readonly<Record<string, readonly [test: string, words: string]>> = {
  'urls.perService.pis': ['test/contract/bank-settings/places.test.ts', 'urls.perService'],
  'urls.perService.ais': ['test/contract/bank-settings/places.test.ts', 'urls.perService'],
  'urls.perService.piis': ['test/contract/bank-settings/places.test.ts', 'urls.perService'],
  'urls.perService.sbs': ['test/contract/bank-settings/places.test.ts', 'urls.perService'],
  'registration.kind': ['test/contract/bank-settings/journeys.test.ts', "kind: 'firstCall'"],
  'headers.accept': ['test/unit/commands/bank/bank.test.ts', 'headers.accept'],
  'headers.psuIdType.values': ['test/contract/bank-settings/calls.test.ts', 'psuIdType: { values:'],
  'headers.psuId.last': ['test/contract/described-bank/reading.test.ts', 'psuId: { last:'],
  'links.host': ['test/unit/commands/bank/bank.test.ts', 'links.host'],
  'links.aliases': ['test/unit/commands/bank/bank.test.ts', 'links.aliases'],
  'links.prefix.remove': [
    'test/contract/bank-settings/calls.test.ts',
    "prefix: { remove: '/inner', add: '/v1' }",
  ],
  'links.prefix.add': [
    'test/contract/bank-settings/calls.test.ts',
    "prefix: { remove: '/inner', add: '/v1' }",
  ],
  'sca.poll.minIntervalMs': ['test/contract/bank-settings/places.test.ts', 'sca.poll.minIntervalMs'],
  'sca.poll.maxPerSecond': ['test/contract/described-bank/reading.test.ts', 'poll: { maxPerSecond:'],
  'limits.rate': ['test/unit/commands/bank/bank.test.ts', 'limits.rate'],
  'limits.perOperation': ['test/contract/described-bank/reading.test.ts', 'limits.perOperation'],
  'limits.load': ['test/unit/commands/journey/load.test.ts', 'limits.load'],
  'limits.header.name': ['test/contract/bank-settings/calls.test.ts', "header: { name: 'X-Calls-Left' }"],
  'limits.header.format': ['test/contract/bank-settings/calls.test.ts', "format: 'json'"],
  'consent.withBalances': ['test/contract/strict-banks.test.ts', 'consent.withBalances'],
  'consent.validDays': ['test/e2e/consent-days.test.ts', 'consent.validDays'],
  'payments.members': ['test/unit/commands/bank/bank-templates.test.ts', 'payments.members'],
  'payments.remittanceStructured': [
    'test/unit/commands/bank/bank-templates.test.ts',
    'payments.remittanceStructured',
  ],
  'payments.redirectOnCancel': [
    'test/unit/commands/bank/bank-templates.test.ts',
    'payments.redirectOnCancel',
  ],
  'payments.plainText': ['test/unit/commands/bank/bank-templates.test.ts', 'payments.plainText'],
  'payments.multipartParts.xml': ['test/contract/bank-settings/places.test.ts', 'payments.multipartParts'],
  'payments.multipartParts.json': ['test/contract/bank-settings/places.test.ts', 'payments.multipartParts'],
  'payments.debtorAccount': ['test/contract/described-bank/reading.test.ts', 'payments.debtorAccount'],
  'payments.duplicateWindowMin': [
    'test/contract/described-bank/reading.test.ts',
    'payments.duplicateWindowMin',
  ],
  'reports.paging': ['test/unit/commands/bank/bank-templates.test.ts', 'reports.paging'],
  'ais.history.freshMinutes': ['test/unit/flows/accounts/windows.test.ts', 'ais.history.freshMinutes'],
  'ais.paging.expiresS': ['test/unit/flows/accounts/windows.test.ts', 'ais.paging.expiresS'],
  baseUrl: ['test/contract/bank-settings/hostile.test.ts', 'a base URL'],
  framework: ['test/contract/bank-dialects.test.ts', 'framework'],
  prefix: ['test/contract/bank-dialects.test.ts', 'prefix'],
  surface: ['test/contract/adorsys-requests.test.ts', 'surface'],
  origins: ['test/unit/flows/browser/login.test.ts', 'origins'],
  'auth.consent': ['test/contract/described-bank/login.test.ts', 'auth.consent'],
  'auth.scope.pis': ['test/contract/bank-settings/tokens.test.ts', "pis: 'P:{paymentId}'"],
  'auth.scope.sbs': ['test/contract/bank-settings/tokens.test.ts', "sbs: 'BASKETS'"],
  'auth.authorize.rename': [
    'test/contract/bank-settings/login.test.ts',
    "rename: { response_type: 'responseType'",
  ],
  'auth.authorize.add': ['test/contract/bank-settings/login.test.ts', "add: { bic: 'BANKDEFF' }"],
  'auth.authorize.drop': ['test/contract/bank-settings/tokens.test.ts', "drop: ['client_id']"],
  'auth.authorizeUrl': ['test/contract/bank-settings/login.test.ts', "authorizeUrl: 'http"],
  'auth.tokenUrl': ['test/contract/bank-settings/login.test.ts', 'always: { auth: { tokenUrl'],
  'auth.responseType': ['test/contract/bank-settings/login.test.ts', "responseType: 'CODE'"],
  'auth.pkce.verifierOctets': ['test/contract/bank-settings/login.test.ts', 'verifierOctets: 33'],
  'auth.state.maxLength': ['test/contract/bank-settings/login.test.ts', 'maxLength: 24'],
  'auth.state.forbid': ['test/contract/bank-settings/login.test.ts', "forbid: ['localhost']"],
  'auth.lifetimes.accessS': ['test/contract/bank-settings/login.test.ts', 'accessS: 300'],
  'auth.lifetimes.refreshS': ['test/unit/flows/oauth/refresh.test.ts', 'auth.lifetimes.refreshS'],
  'auth.refresh.chainDays': ['test/unit/flows/oauth/refresh.test.ts', 'auth.refresh.chainDays'],
  'oauth.clientId': ['test/unit/flows/sca/authorisation-code.test.ts', 'oauth: { clientId:'],
  'oauth.scope': ['test/unit/flows/sca/authorisation-code.test.ts', 'scope:'],
  'oauth.metadata': ['test/unit/flows/browser/login.test.ts', 'metadata'],
  'oauth.issuer': ['test/unit/commands/run/credentials-elsewhere.test.ts', 'oauth.issuer'],
  'oauth.preStepScope': ['test/contract/bank-settings/tokens.test.ts', 'preStepScope'],
  'tls.ciphers': ['test/unit/adapters/http-tls.test.ts', 'tls.ciphers'],
  'tls.serverName': ['test/unit/adapters/http-tls.test.ts', 'serverName'],
  'tls.minVersion': ['test/unit/adapters/http-tls.test.ts', 'minVersion'],
  'tls.serverPins': ['test/unit/adapters/http-tls.test.ts', 'serverPins'],
  'signing.jws.alg': ['test/contract/bank-settings/signing.test.ts', 'isJws'],
  'signing.jws.pars': ['test/contract/bank-settings/signing.test.ts', 'claims.sigD.pars'],
  'signing.jws.certificate': ['test/contract/bank-settings/signing.test.ts', 'claims.x5c'],
  'signing.jws.maxAgeS': ['test/unit/flows/payments/replay.test.ts', 'signing.jws.maxAgeS'],
  requestIdSemantics: ['test/contract/bank-settings/replay.test.ts', 'requestIdSemantics'],
  timeoutMs: ['test/unit/flows/call/call.test.ts', 'timeoutMs'],
  'signing.preset': ['test/unit/signing/options.test.ts', 'signing.preset'],
  'signing.headers': ['test/unit/signing/options.test.ts', 'signing.headers'],
  'signing.order': ['test/unit/signing/options.test.ts', 'signing.order'],
  'signing.date.sign': ['test/unit/signing/options.test.ts', 'signing.date.sign'],
  'signing.requestTarget': ['test/unit/signing/options.test.ts', 'signing.requestTarget'],
  'signing.digest.algorithm': ['test/unit/signing/options.test.ts', 'signing.digest.algorithm'],
  'signing.keyId.template': ['test/unit/signing/options.test.ts', 'signing.keyId.template'],
  'signing.keyId.serial': ['test/unit/signing/options.test.ts', 'signing.keyId.serial'],
  'signing.keyId.issuer': ['test/unit/signing/options.test.ts', 'signing.keyId.issuer'],
  'signing.hash': ['test/unit/signing/options.test.ts', 'signing.hash'],
  'signing.algorithmLabel': ['test/unit/signing/options.test.ts', 'signing.algorithmLabel'],
  'signing.certificateHeader': ['test/unit/signing/options.test.ts', 'signing.certificateHeader'],
  'signing.signatureEncoding': ['test/unit/signing/options.test.ts', 'signing.signatureEncoding'],
  'signing.digest.emptyBody': [
    'test/unit/flows/profile/signing-settings.test.ts',
    'signing.digest.emptyBody',
  ],
};

it('each setting of a bank has an effect, and a test of it', () => {
  const dead = keysOf(bankRow).filter((key) => {
    const named = new RegExp(`(setting: '|\\(|it\\('|: )${key.replaceAll('.', '\\.')}\\b`).test(byBank);
    const [test, words] = elsewhere[key] ?? [];
    return !named && (test === undefined || words === undefined || !read(test).includes(words));
  });
  expect(dead).toEqual([]);
});

it('what people alone read is what is known of the bank and of its test system, and the schema says so', () => {
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

it('bank lint takes the client_id in the reply of a token for used without signatures: it refreshes and revokes too', () => {
  expect(lintBank({ auth: { clientId: 'tokenReply' }, signing: { mode: 'none' } }, 'bank')).toEqual([]);
});

it('bank lint finds nothing to warn of in a template', () => {
  for (const { name, settings } of bankTemplates)
    expect([
      name,
      lintBank(settings, 'bank').filter(({ text }) => /not used|contradicts/.test(text)),
    ]).toEqual([name, []]);
});
