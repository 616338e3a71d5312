import type { Oddity } from '../../../helpers/bank-settings.ts';
import { createHash, verify, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { refused } from '../../../helpers/bank-settings.ts';
import { runInside } from '../../../helpers/inside.ts';
import { payShop } from '../../../helpers/obk.ts';
import type { Asked, TypedBank } from '../../../helpers/typed-bank.ts';

const folder = mkdtempSync(join(tmpdir(), 'obk-signing-'));
/** Makes a certificate with a key of this type in a folder of its own. */
async function madeIn(keyType: string): Promise<string> {
  const dir = join(folder, keyType);
  const tpp = ['--roles', 'PSP_AI,PSP_PI', '--org-id', 'PSDDE-BAFIN-1', '--name', 'T', '--dir', dir];
  const made = await runInside(['cert', 'create', '--type', 'qsealc', '--key-type', keyType, ...tpp], {
    env: { ...process.env, OBK_CONFIG_DIR: folder, OBK_STATE_DIR: folder },
    cwd: folder,
    input: '',
  });
  if (made.code !== 0) throw new Error(made.stderr);
  return dir;
}
const flagsOf = (dir: string) => [
  ...['--certificate', join(dir, 'qsealc.pem'), '--key', join(dir, 'qsealc-key.pem')],
];
const rsa = await madeIn('rsa-2048');
const elliptic = await madeIn('ec-p256');
const flags = flagsOf(rsa);
const list = ['api', 'getAccountList', '-H', 'Consent-ID: c'];

const takes =
  (right: (asked: Asked) => boolean): TypedBank =>
  (asked) =>
    right(asked)
      ? [200, { accounts: [], balances: [] }]
      : refused(401, 'SIGNATURE_INVALID', JSON.stringify(asked.headers));

/** The parts of a cavage signature. */
const parts = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );

const certificate = ({ headers }: Asked) =>
  new X509Certificate(Buffer.from(headers['tpp-signature-certificate'] ?? '', 'base64')).publicKey;

function isCavage(
  asked: Asked,
  text: string | undefined,
  target = asked.path,
  { hash = 'sha256', dsaEncoding = 'der' }: { hash?: string; dsaEncoding?: 'der' | 'ieee-p1363' } = {},
): boolean {
  const { headers = '', signature = '' } = parts(text ?? '');
  const lines = headers
    .split(' ')
    .map((name) => `${name}: ${name === '(request-target)' ? `get ${target}` : String(asked.headers[name])}`)
    .join('\n');
  return verify(
    hash,
    Buffer.from(lines),
    { key: certificate(asked), dsaEncoding },
    Buffer.from(signature, 'base64'),
  );
}

/** A detached JWS as a bank verifies it: its own certificate, its own list of headers, and no body. */
function isJws({ headers, method, path }: Asked, end: string, seconds = 60): boolean {
  const [head = '', payload, signature = ''] = (headers['x-jws-signature'] ?? '').split('.');
  if (payload !== '') return false;
  const claims = JSON.parse(Buffer.from(head, 'base64url').toString()) as {
    alg: string;
    b64: boolean;
    x5c: string[];
    sigT: string;
    sigD: { pars: string[] };
  };
  const age = Date.now() - Date.parse(claims.sigT);
  if (claims.b64 || Math.abs(age) > seconds * 1000) return false;
  const line = (name: string) =>
    `${name}: ${name === '(request-target)' ? `${method.toLowerCase()} ${path}` : String(headers[name])}`;
  const text = `${head}.${claims.sigD.pars.map(line).join('\n')}${end}`;
  const key = new X509Certificate(Buffer.from(claims.x5c[0] ?? '', 'base64')).publicKey;
  const digest = `SHA-256=${createHash('sha256').update('').digest('base64')}`;
  return (
    headers['digest'] === digest &&
    claims.sigD.pars.includes('digest') &&
    verify(
      'sha256',
      Buffer.from(text),
      { key, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    )
  );
}

const sha = (text: string, algorithm = 'SHA-256') =>
  `${algorithm}=${createHash(algorithm.replace('-', '').toLowerCase()).update(text).digest('base64')}`;

/** Whether names stand in the list of what is signed, one after the other, and the signature is right. */
const signs =
  (names: string) =>
  (asked: Asked): boolean => {
    const { signature } = asked.headers;
    const isThere = ` ${parts(signature ?? '')['headers'] ?? ''} `.includes(` ${names} `);
    return isThere && isCavage(asked, signature);
  };

const names =
  (form: RegExp) =>
  ({ headers }: Asked): boolean =>
    form.test(parts(headers['signature'] ?? '')['keyId'] ?? '');
const { serialNumber } = new X509Certificate(readFileSync(join(rsa, 'qsealc.pem')));
const decimal = new RegExp(`^SN=${BigInt(`0x${serialNumber}`).toString()},`);

/** The protected header of a detached JWS. */
const jwsHead = (headers: Asked['headers']) =>
  JSON.parse(
    Buffer.from((headers['x-jws-signature'] ?? '').split('.')[0] ?? '', 'base64url').toString() || '{}',
  ) as { alg?: string; sigD?: { pars?: string[] }; 'x5t#S256'?: string };

/** What a bank wants of a signature of the guidelines: the setting, what is said of it always, and the check. */
const cavage: readonly [about: string, settings: object, always: object, right: (asked: Asked) => boolean][] =
  [
    ['preset', { preset: 'wso2' }, {}, ({ headers }: Asked) => headers['digest'] === sha('{}')],
    ['headers', { headers: ['x-request-id', 'digest'] }, {}, signs('x-request-id digest')],
    ['order', { order: 'sorted' }, { headers: ['x-request-id', 'digest'] }, signs('digest x-request-id')],
    ['date', { date: { sign: true } }, {}, signs('date')],
    ['request target', { requestTarget: true }, {}, signs('(request-target)')],
    [
      'SHA-512',
      { digest: { algorithm: 'SHA-512' } },
      {},
      ({ headers }: Asked) => headers['digest'] === sha('', 'SHA-512'),
    ],
    [
      'no Digest',
      { digest: { emptyBody: 'omit' } },
      {},
      ({ headers }: Asked) => headers['digest'] === undefined,
    ],
    ['a template', { keyId: { template: 'KEY:{serial}' } }, {}, names(/^KEY:[0-9a-f]+$/)],
    ['decimal', { keyId: { serial: 'dec' } }, {}, names(decimal)],
    ['as .NET', { keyId: { issuer: 'dotnet' } }, {}, names(/, [A-Z]+=/)],
    [
      'SHA-512',
      { hash: 'SHA-512' },
      {},
      (asked: Asked) => isCavage(asked, asked.headers['signature'], asked.path, { hash: 'sha512' }),
    ],
    [
      'a label',
      { algorithmLabel: 'hs2019' },
      {},
      ({ headers }: Asked) => parts(headers['signature'] ?? '')['algorithm'] === 'hs2019',
    ],
    [
      'PEM',
      { certificateHeader: 'pemOneLine' },
      {},
      ({ headers }: Asked) => /^-----BEGIN/.test(headers['tpp-signature-certificate'] ?? ''),
    ],
  ];

export const signing: readonly Oddity[] = [
  // a bank that wants signatures otherwise
  {
    bank: takes((asked) => {
      const { authorization = '' } = asked.headers;
      return authorization.startsWith('Signature ') && isCavage(asked, authorization);
    }),
    settings: { signing: { carrier: 'Authorization' } },
    always: { signing: { requestTarget: true } },
    flags,
    run: [list],
    without: 3,
  },
  {
    bank: takes((asked) => isCavage(asked, asked.headers['signature'], decodeURIComponent(asked.path))),
    settings: { signing: { targetEncoding: 'raw' } },
    always: { signing: { requestTarget: true } },
    flags,
    run: [['api', 'getBalances', '-f', 'account-id=a b', '-H', 'Consent-ID: c']],
    without: 3,
  },
  {
    about: 'jws',
    bank: takes((asked) => isJws(asked, '')),
    settings: { signing: { mode: 'jws' } },
    flags,
    run: [list],
    without: 3,
  },
  {
    bank: takes((asked) => isJws(asked, '\n')),
    always: { signing: { mode: 'jws' } },
    settings: { signing: { jws: { trailingNewline: true } } },
    flags,
    run: [list],
    without: 3,
  },
  {
    bank: takes(({ headers }) => headers['signature'] === undefined),
    settings: { signing: { requiredFor: ['initiatePayment'] } },
    always: { signing: { mode: 'cavage' } },
    flags,
    run: [list],
    without: 3,
  },
  ...cavage.map(([about, settings, always, right]): Oddity => ({
    about,
    bank: takes(right),
    settings: { signing: settings },
    always: { signing: { mode: 'cavage', ...always } },
    flags,
    run: [list],
    without: 3,
  })),
  {
    bank: takes((asked) =>
      isCavage(asked, asked.headers['signature'], asked.path, { dsaEncoding: 'ieee-p1363' }),
    ),
    settings: { signing: { signatureEncoding: 'ieee-p1363' } },
    always: { signing: { mode: 'cavage' } },
    flags: flagsOf(elliptic),
    run: [list],
    without: 3,
  },
  {
    bank: takes(({ headers }) => jwsHead(headers).alg === 'PS256'),
    settings: { signing: { jws: { alg: 'PS256' } } },
    always: { signing: { mode: 'jws' } },
    flags,
    run: [list],
    without: 3,
  },
  {
    bank: takes(({ headers }) => jwsHead(headers).sigD?.pars?.join(' ') === 'x-request-id digest'),
    settings: { signing: { jws: { pars: ['x-request-id', 'digest'] } } },
    always: { signing: { mode: 'jws' } },
    flags,
    run: [list],
    without: 3,
  },
  {
    bank: takes(({ headers }) => jwsHead(headers)['x5t#S256'] !== undefined),
    settings: { signing: { jws: { certificate: 'x5t#S256' } } },
    always: { signing: { mode: 'jws' } },
    flags,
    run: [list],
    without: 3,
  },
  {
    about: 'where a request is sent once more',
    bank: {
      fresh: () => {
        let times = 0;
        const scaRedirect = { href: 'https://login.bank.example/p' };
        return () =>
          ++times === 1
            ? [500, '']
            : [201, { transactionStatus: 'RCVD', paymentId: 'p-1', _links: { scaRedirect } }];
      },
    },
    settings: { signing: { jws: { maxAgeS: 600 } } },
    always: { signing: { mode: 'jws' } },
    flags,
    run: async (obk) => {
      await obk(['config', 'set', 'requestIdSemantics', 'replay']);
      const lost = await obk([...payShop, '--psu-id', 'anna']);
      const id = /pending show (\w+)/.exec(lost.stderr)?.[1] ?? '';
      return obk(['pending', 'resolve', id, '--replay', '--yes'], {}, 5 * 60_000);
    },
    without: /older than 60 s/,
  },
];
