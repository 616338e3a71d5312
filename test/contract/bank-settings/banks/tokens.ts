import type { Oddity } from '../../../helpers/bank-settings.ts';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathOf, refused } from '../../../helpers/bank-settings.ts';
import { runInside } from '../../../helpers/inside.ts';
import type { Asked, TypedBank } from '../../../helpers/typed-bank.ts';

const folder = mkdtempSync(join(tmpdir(), 'obk-tokens-'));
const created = await runInside(
  [
    'cert',
    'create',
    '--type',
    'qsealc',
    '--roles',
    'PSP_AI',
    '--org-id',
    'PSDDE-BAFIN-1',
    '--name',
    'T',
    '--dir',
    folder,
  ],
  { env: { ...process.env, OBK_CONFIG_DIR: folder, OBK_STATE_DIR: folder }, cwd: folder, input: '' },
);
if (created.code !== 0) throw new Error(created.stderr);
const sealed = ['--certificate', join(folder, 'qsealc.pem'), '--key', join(folder, 'qsealc-key.pem')];

const form = ({ body }: Asked) => new URLSearchParams(body);
const tokenUrl = 'http://127.0.0.1:{port}/oauth/token';
const list = ['api', 'getAccountList', '-H', 'Consent-ID: c'];
const flags = ['--oauth-client-id', 'portal-7', '--redirect-uri', 'https://tpp.example/back'];
const bearer = (token: string, more: object = {}) => ({
  access_token: token,
  token_type: 'bearer',
  expires_in: 600,
  ...more,
});

/** A bank that gives a token to the right request alone, and accounts to that token alone. */
const granting =
  (right: (asked: Asked) => boolean, more: object = {}): TypedBank =>
  (asked) => {
    if (pathOf(asked) === '/oauth/token')
      return right(asked) ? [200, bearer('app-t0ken', more)] : [400, { error: 'invalid_client' }];
    if (asked.headers['authorization'] !== 'Bearer app-t0ken') return refused(401, 'TOKEN_UNKNOWN');
    return pathOf(asked) === '/v1/funds-confirmations'
      ? [200, { fundsAvailable: true }]
      : [200, { accounts: [] }];
  };

export const tokens: readonly Oddity[] = [
  // a bank that names its clients and scopes otherwise
  {
    about: 'preStep',
    bank: () => refused(401, 'TOKEN_UNKNOWN'),
    settings: { auth: { mode: 'preStep' } },
    flags,
    run: [list],
    code: 4,
    without: /^(?![^]*the request was not sent)[^]*$/,
    tells: /with the token of a login alone[^]*obk auth login/,
  },
  {
    about: 'preStep',
    bank: () => refused(401, 'TOKEN_UNKNOWN'),
    settings: { auth: { operations: { getAccountList: 'preStep' } } },
    flags,
    run: [list],
    code: 4,
    without: /^(?![^]*the request was not sent)[^]*$/,
  },
  {
    about: 'orgId',
    bank: granting((asked) => form(asked).get('client_id') === 'PSDDE-BAFIN-1'),
    always: { auth: { tokenUrl, mode: 'clientCredentials' }, signing: { mode: 'cavage' } },
    settings: { auth: { clientId: 'orgId' } },
    flags: [...flags, ...sealed],
    run: [list],
    without: 4,
  },
  {
    about: 'config',
    bank: granting(() => false),
    always: { auth: { tokenUrl, mode: 'clientCredentials' }, signing: { mode: 'cavage' } },
    settings: { auth: { clientId: 'config' } },
    flags: sealed,
    run: [list],
    without: 4,
    code: 3,
    tells: /takes one that it has given[^]*--oauth-client-id/,
  },
  {
    about: 'tokenReply',
    bank: (asked) =>
      pathOf(asked) === '/oauth/token' ||
      asked.headers['signature']?.includes('keyId="client-of-the-bank"') === true
        ? granting(() => true, { client_id: 'client-of-the-bank' })(asked)
        : refused(401, 'SIGNATURE_INVALID'),
    always: { auth: { tokenUrl, mode: 'clientCredentials' }, signing: { mode: 'cavage' } },
    settings: { auth: { clientId: 'tokenReply' } },
    flags: [...flags, ...sealed],
    run: [list],
    without: 3,
  },
  {
    bank: granting((asked) => form(asked).get('scope') === 'DEDICATED_CBPII'),
    always: { auth: { tokenUrl, mode: 'clientCredentials', scope: { ais: 'DEDICATED_AISP' } } },
    settings: { auth: { scope: { piis: 'DEDICATED_CBPII' } } },
    flags,
    run: [['funds', 'check', '--account', 'DE89370400440532013000', '--amount', '1.00']],
    without: 4,
  },
  {
    bank: granting((asked) => form(asked).get('scope') === 'DEDICATED_AISP'),
    always: { auth: { tokenUrl, mode: 'clientCredentials', scope: { piis: 'DEDICATED_CBPII' } } },
    settings: { auth: { scope: { ais: 'DEDICATED_AISP' } } },
    flags,
    run: [list],
    without: 4,
  },
];
