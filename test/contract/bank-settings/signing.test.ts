import { createHash, verify, X509Certificate } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { oddities, refused } from '../../helpers/bank-settings.ts';
import { runInside } from '../../helpers/inside.ts';
import type { Asked, TypedBank } from '../../helpers/typed-bank.ts';

const folder = mkdtempSync(join(tmpdir(), 'obk-signing-'));
const made = await runInside(
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
if (made.code !== 0) throw new Error(made.stderr);
const flags = ['--certificate', join(folder, 'qsealc.pem'), '--key', join(folder, 'qsealc-key.pem')];
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

function isCavage(asked: Asked, text: string | undefined, target = asked.path): boolean {
  const { headers = '', signature = '' } = parts(text ?? '');
  const lines = headers
    .split(' ')
    .map((name) => `${name}: ${name === '(request-target)' ? `get ${target}` : String(asked.headers[name])}`)
    .join('\n');
  return verify('sha256', Buffer.from(lines), certificate(asked), Buffer.from(signature, 'base64'));
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

oddities('a bank that wants signatures otherwise', [
  {
    setting: 'signing.carrier',
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
    setting: 'signing.targetEncoding',
    bank: takes((asked) => isCavage(asked, asked.headers['signature'], decodeURIComponent(asked.path))),
    settings: { signing: { targetEncoding: 'raw' } },
    always: { signing: { requestTarget: true } },
    flags,
    run: [['api', 'getBalances', '-f', 'account-id=a b', '-H', 'Consent-ID: c']],
    without: 3,
  },
  {
    setting: 'signing.mode jws',
    bank: takes((asked) => isJws(asked, '')),
    settings: { signing: { mode: 'jws' } },
    flags,
    run: [list],
    without: 3,
  },
  {
    setting: 'signing.jws.trailingNewline',
    bank: takes((asked) => isJws(asked, '\n')),
    always: { signing: { mode: 'jws' } },
    settings: { signing: { jws: { trailingNewline: true } } },
    flags,
    run: [list],
    without: 3,
  },
  {
    setting: 'signing.requiredFor',
    bank: takes(({ headers }) => headers['signature'] === undefined),
    settings: { signing: { requiredFor: ['initiatePayment'] } },
    always: { signing: { mode: 'cavage' } },
    flags,
    run: [list],
    without: 3,
  },
]);
