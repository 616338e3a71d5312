// auth.token.signed: a bank, typed by hand from what is known of ING and from draft-cavage-http-signatures-10, that gives a token only
// for a signed request: the certificate names the key until a reply has told the client_id, which is its name from then on.
import { createHash, createVerify, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { atBank, pathOf, refused } from '../../helpers/bank-settings.ts';
import { runInside } from '../../helpers/inside.ts';
import { typedBank } from '../../helpers/typed-bank.ts';
import type { Answered, Asked, RunningBank } from '../../helpers/typed-bank.ts';

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

const banks: RunningBank[] = [];
afterAll(() => Promise.all(banks.map((bank) => bank.close())));

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
const told: string[] = [];

function bankOfSignedTokens(asked: Asked): Answered {
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

const settings = (operations: object, token: object) => ({
  auth: {
    ...{ tokenUrl: 'http://127.0.0.1:{port}/oauth/token', clientId: 'tokenReply', operations, token },
    authorizeUrl: 'http://127.0.0.1:{port}/login',
  },
  signing: {
    ...{ carrier: 'Authorization', requestTarget: true, headers: ['digest', 'x-request-id'] },
    ...{ date: { sign: true }, digest: { emptyBody: 'empty' } },
  },
});
const flags = [
  ...['--certificate', join(folder, 'qsealc.pem'), '--key', join(folder, 'qsealc-key.pem')],
  ...['--redirect-uri', 'https://tpp.example/back'],
];

async function started(): Promise<RunningBank> {
  const bank = await typedBank(bankOfSignedTokens);
  banks.push(bank);
  return bank;
}

it('auth.token.signed: a token of the TPP is asked for with a signature of its certificate', async () => {
  const bank = await started();
  const list = [['api', 'getAccountList', '-H', 'Consent-ID: c']];
  const operations = { getAccountList: 'clientCredentials' };
  const plain = await atBank(bank, settings(operations, {}), list, { flags });
  expect([plain.code, told.splice(0)]).toEqual([4, ['no signature']]);
  const signed = await atBank(bank, settings(operations, { signed: true }), list, { flags });
  expect([signed.code, told], signed.stderr).toEqual([0, []]);
});

it('auth.token.signed: the client_id of that reply logs in, names the key of the code and that of the refresh', async () => {
  const bank = await started();
  const operations = { getAccountList: 'preStep', initiatePayment: 'clientCredentials' };
  const login = ['auth', 'login', '--psu-id', 'anna', '--json'];
  const whole = settings(operations, { signed: true });
  const begun = await atBank(bank, whole, [login], { flags });
  expect(begun.code, begun.stderr).toBe(0);
  const { searchParams } = new URL((JSON.parse(begun.stdout) as { url: string }).url);
  expect(searchParams.get('client_id')).toBe('named-1');
  const back = `https://tpp.example/back?code=c0de&state=${searchParams.get('state') ?? ''}`;
  const more = { more: { RETURN_URL: back }, name: begun.name };
  const done = await atBank(bank, whole, [[...login, '--return-url-from', 'env:RETURN_URL']], more);
  expect([done.code, told], done.stderr).toEqual([0, []]);
  const again = await atBank(bank, whole, [['auth', 'refresh', '--psu-id', 'anna']], { name: begun.name });
  expect([again.code, told], again.stderr).toEqual([0, []]);
  const grants = bank.asked.map((asked) => form(asked).get('grant_type'));
  expect(grants).toEqual(['client_credentials', 'authorization_code', 'refresh_token']);
});
