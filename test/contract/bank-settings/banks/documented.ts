import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Oddity } from '../../../helpers/bank-settings.ts';
import { pathOf, refused } from '../../../helpers/bank-settings.ts';
import { runInside } from '../../../helpers/inside.ts';
import type { Asked, TypedBank } from '../../../helpers/typed-bank.ts';

const folder = mkdtempSync(join(tmpdir(), 'obk-documented-'));
const tpp = ['--roles', 'PSP_AI,PSP_PI', '--org-id', 'PSDDE-BAFIN-1', '--name', 'T', '--dir', folder];
const created = await runInside(['cert', 'create', '--type', 'qsealc', ...tpp], {
  env: { ...process.env, OBK_CONFIG_DIR: folder, OBK_STATE_DIR: folder },
  cwd: folder,
  input: '',
});
if (created.code !== 0) throw new Error(created.stderr);
const sealed = ['--certificate', join(folder, 'qsealc.pem'), '--key', join(folder, 'qsealc-key.pem')];

const accounts = { accounts: [{ resourceId: 'a', iban: 'SE4550000000058398257466', currency: 'SEK' }] };
const made = {
  consentStatus: 'received',
  consentId: 'c-1',
  _links: { scaRedirect: { href: 'https://login.bank.example/c' } },
};
const consent = ['consent', 'create', '--all-psd2', '--psu-id', 'anna'];
const list = ['api', 'getAccountList', '-H', 'Consent-ID: c-1', '--psu-id', 'anna'];

/** Runs the lines as long as each is well. */
const each =
  (...lines: readonly (readonly string[])[]): Exclude<Oddity['run'], readonly unknown[]> =>
  async (obk) => {
    let last = { code: 0 as number | null, stdout: '', stderr: '' };
    for (const line of lines) if (last.code === 0) last = await obk(line);
    return last;
  };

const form = ({ body }: Asked) => new URLSearchParams(body);

/** A platform for many banks: each service has a base of its own, a header says the bank, and the TPP a token for each service. */
const manyBanks: TypedBank = (asked) => {
  if (asked.path === '/connect/token') {
    const [scope, secret] = [form(asked).get('scope'), form(asked).get('client_secret')];
    return scope === 'accountinformation private' && secret === 's-1'
      ? [200, { access_token: 't-1', token_type: 'Bearer', expires_in: 3600, scope }]
      : [400, { error: 'invalid_client' }];
  }
  if (asked.headers['authorization'] !== 'Bearer t-1') return refused(401, 'TOKEN_UNKNOWN');
  if (asked.headers['x-bicfi'] !== 'ESSESESS') return refused(400, 'FORMAT_ERROR', 'X-BicFi');
  if (asked.headers['psu-id'] !== 'anna') return refused(400, 'FORMAT_ERROR', 'PSU-ID');
  if (asked.method === 'POST' && asked.path === '/psd2/consent/v1/consents') return [201, made];
  return pathOf(asked) === '/psd2/accountinformation/v1/accounts'
    ? [200, accounts]
    : refused(404, 'RESOURCE_UNKNOWN', asked.path);
};

/** A hub of banks of one country: its interface is below a long path, with a version for each service. */
const hub: TypedBank = (asked) => {
  if (asked.headers['aspsp-code'] !== '03069') return refused(400, 'FORMAT_ERROR', 'aspsp-code');
  if (!/^(true|false)$/.test(asked.headers['tpp-redirect-preferred'] ?? '') && asked.method === 'POST')
    return refused(400, 'FORMAT_ERROR', 'tpp-redirect-preferred');
  if (asked.path === '/platform/enabler/orchestrator/ais/2.4.0/consents') return [201, made];
  return pathOf(asked) === '/platform/enabler/orchestrator/ais/2.4.0/accounts'
    ? [200, accounts]
    : refused(404, 'RESOURCE_UNKNOWN', asked.path);
};

/** A bank that wants Date signed first, and the program of the PSU where something is created. */
const northern: TypedBank = (asked) => {
  const { signature = '', digest, date, 'psu-user-agent': agent, 'psu-ip-address': ip } = asked.headers;
  const [, names = ''] = /headers="([^"]*)"/.exec(signature) ?? [];
  if (!/^date digest x-request-id( psu-id)?( psu-corporate-id)?( tpp-redirect-uri)?$/.test(names))
    return refused(401, 'SIGNATURE_INVALID', names);
  if (digest === undefined || date === undefined) return refused(401, 'SIGNATURE_INVALID');
  if (!/keyId="SN=[0-9a-f]+,CA=/.test(signature)) return refused(401, 'SIGNATURE_INVALID', 'keyId');
  if (asked.method === 'GET') return [200, accounts];
  return agent === undefined || ip === undefined
    ? refused(400, 'FORMAT_ERROR', 'PSU-User-Agent')
    : [201, made];
};

/** Banks as public documentation describes them, each with all that it wants at once. */
export const documented: readonly Oddity[] = [
  {
    about: 'a platform for many banks',
    bank: manyBanks,
    settings: {
      spec: {
        operations: {
          createConsent: { path: '/psd2/consent/v1/consents' },
          getAccountList: { path: '/psd2/accountinformation/v1/accounts' },
        },
      },
      headers: {
        rules: [
          { name: 'X-BicFi', action: 'default', value: 'ESSESESS' },
          { name: 'PSU-ID', action: 'require' },
        ],
      },
      auth: {
        mode: 'clientCredentials',
        tokenUrl: 'http://127.0.0.1:{port}/connect/token',
        scope: { ais: 'accountinformation private' },
      },
    },
    flags: ['--oauth-client-id', 'portal-7', '--redirect-uri', 'https://tpp.example/back'],
    env: { SECRET: 's-1' },
    run: each(['config', 'set', 'oauth.clientSecretFrom', 'env:SECRET'], consent, list),
    without: { by: {} },
    gives: /SE4550000000058398257466/,
  },
  {
    about: 'a hub of the banks of a country',
    bank: hub,
    always: { baseUrl: 'http://127.0.0.1:{port}/platform/enabler/orchestrator' },
    settings: {
      prefix: '/ais/2.4.0',
      headers: { rules: [{ name: 'aspsp-code', action: 'default', value: '03069' }] },
      sca: { preferred: 'redirect' },
    },
    flags: ['--redirect-uri', 'https://tpp.example/back'],
    run: each(consent, list),
    without: { by: {} },
    gives: /SE4550000000058398257466/,
  },
  {
    about: 'a bank that wants Date signed',
    bank: northern,
    settings: {
      signing: {
        headers: ['date', 'digest', 'x-request-id', 'psu-id?', 'psu-corporate-id?', 'tpp-redirect-uri?'],
      },
      headers: { rules: [{ name: 'PSU-User-Agent', action: 'default', value: 'obk/1' }] },
    },
    flags: [...sealed, '--redirect-uri', 'https://tpp.example/back'],
    run: each(consent, list),
    without: { by: {} },
    gives: /SE4550000000058398257466/,
  },
];
