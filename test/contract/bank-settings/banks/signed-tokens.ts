// auth.token.signed: a bank, typed by hand from what is known of ING and from draft-cavage-http-signatures-10, that gives a token only
// for a signed request: the certificate names the key until a reply has told the client_id, which is its name from then on.
import { createHash, createVerify, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathOf, refused } from '../../../helpers/bank-settings.ts';
import type { Oddity } from '../../../helpers/bank-settings.ts';
import { runInside } from '../../../helpers/inside.ts';
import type { Answered, Asked } from '../../../helpers/typed-bank.ts';

const folder = mkdtempSync(join(tmpdir(), 'obk-signed-tokens-'));
const tpp = ['--roles', 'PSP_AI', '--org-id', 'PSDDE-BAFIN-1', '--name', 'T', '--dir', folder];
const created = await runInside(['cert', 'create', '--type', 'qsealc', ...tpp], {
  env: { ...process.env, OBK_CONFIG_DIR: folder, OBK_STATE_DIR: folder },
  cwd: folder,
  input: '',
});
if (created.code !== 0) throw new Error(created.stderr);
const certificate = new X509Certificate(readFileSync(join(folder, 'qsealc.pem')));
const serial = `SN=${BigInt(`0x${certificate.serialNumber}`).toString(16)},CA=`;

/** Why a request for a token is not well signed by the key of this name; undefined where it is. */
function wrongIn({ headers, body, method, path }: Asked, isKey: (keyId: string) => boolean) {
  const [, written] = /^Signature (.*)$/.exec(headers['authorization'] ?? '') ?? [];
  if (written === undefined) return 'no signature';
  const part = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(written)?.[1] ?? '';
  if (!isKey(part('keyId'))) return `keyId ${part('keyId')}`;
  const digest = `SHA-256=${createHash('sha256').update(body).digest('base64')}`;
  if (headers['digest'] !== digest) return `Digest ${String(headers['digest'])}`;
  // RFC 9110 5.6.7: the day of the month has two digits.
  if (!/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/.test(headers['date'] ?? '')) return 'Date';
  const names = part('headers').split(' ');
  if (names.toSorted().join(' ') !== '(request-target) date digest x-request-id') return names.join(' ');
  const target = `${method.toLowerCase()} ${path}`;
  const text = names.map((name) => `${name}: ${name.startsWith('(') ? target : (headers[name] ?? '')}`);
  const isRight = createVerify('sha256')
    .update(text.join('\n'))
    .verify(certificate.publicKey, part('signature'), 'base64');
  return isRight ? undefined : 'the signature';
}

const form = ({ body }: Asked) => new URLSearchParams(body);
/** What was wrong with requests for tokens. */
export const told: string[] = [];

/** The bank. */
export function bankOfSignedTokens(asked: Asked): Answered {
  if (pathOf(asked) !== '/oauth/token')
    return /^Bearer (app|login)$/.test(asked.headers['authorization'] ?? '')
      ? [200, { accounts: [] }]
      : refused(401, 'TOKEN_UNKNOWN');
  const isOfTpp = form(asked).get('grant_type') === 'client_credentials';
  const wrong = wrongIn(asked, (keyId) => (isOfTpp ? keyId.startsWith(serial) : keyId === 'named-1'));
  if (wrong !== undefined) told.push(wrong);
  if (wrong !== undefined) return [401, { error: 'invalid_client', error_description: wrong }];
  if (!isOfTpp && form(asked).get('client_id') !== 'named-1') return [400, { error: 'invalid_client' }];
  const token = isOfTpp ? { access_token: 'app', client_id: 'named-1' } : { access_token: 'login' };
  return [200, { token_type: 'bearer', expires_in: 1, refresh_token: 'r-1', ...token }];
}

/** What is said of it. */
export const settings = (operations: object, token: object) => ({
  auth: {
    ...{ tokenUrl: 'http://127.0.0.1:{port}/oauth/token', clientId: 'tokenReply', operations, token },
    authorizeUrl: 'http://127.0.0.1:{port}/login',
  },
  signing: {
    ...{ carrier: 'Authorization', requestTarget: true, headers: ['digest', 'x-request-id'] },
    ...{ date: { sign: true }, digest: { emptyBody: 'empty' } },
  },
});
/** The flags of a profile with a key. */
export const flags = [
  ...['--certificate', join(folder, 'qsealc.pem'), '--key', join(folder, 'qsealc-key.pem')],
  ...['--redirect-uri', 'https://tpp.example/back'],
];

/** The bank where the TPP asks for a token of its own. */
export const signedTokens: readonly Oddity[] = [
  {
    bank: bankOfSignedTokens,
    always: settings({ getAccountList: 'clientCredentials' }, {}),
    settings: { auth: { token: { signed: true } } },
    flags,
    run: [['api', 'getAccountList', '-H', 'Consent-ID: c']],
    without: 4,
  },
];
