// One file on both sides: what obk signs by a description is what the bank inside takes by it, and obk without it is refused.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startBank } from '../../helpers/bank.ts';
import { runInside } from '../../helpers/inside.ts';
import { nameSpellings } from '../../../src/signing/distinguished-name.ts';
import { serialSpellings } from '../../../src/signing/key-id.ts';

const home = mkdtempSync(join(tmpdir(), 'obk-same-file-'));
afterAll(() => {
  rmSync(home, { recursive: true, force: true });
});
const env = { ...process.env, OBK_CONFIG_DIR: join(home, 'config'), OBK_STATE_DIR: join(home, 'state') };
const obk = (...line: string[]) => runInside([...line, '--no-input'], { env, cwd: home, input: '' });
let made = 0;

/** How the first call of obk at such a bank ends, by the file and without it. */
async function calls(
  signing: object,
): Promise<[withIt: number | null, without: number | null, told: string]> {
  made += 1;
  const file = join(home, `bank-${String(made)}.json`);
  writeFileSync(file, JSON.stringify({ framework: '1.3.6', prefix: '/v1', signing }));
  const bank = await startBank({ bank: file });
  try {
    const ends: (number | null)[] = [];
    let told = '';
    for (const flags of [['--bank', file], []]) {
      const name = `p${String(made)}-${String(ends.length)}`;
      const created = await obk(
        ...['profile', 'create', name, ...flags, '--base-url', bank.baseUrl, '--environment', 'sandbox'],
        ...['--certificate', bank.certificatePath, '--key', bank.keyPath, '--psu-ip', '192.0.2.1'],
        ...['--redirect-uri', 'https://tpp.example/back'],
      );
      expect(created.code, created.stderr).toBe(0);
      const asked = ['consent', 'create', '--all-psd2', '--psu-id', 'redirect', '--json'];
      const { code, stderr } = await obk(...asked, '--profile', name);
      ends.push(code);
      told = told === '' ? stderr : told;
    }
    return [ends[0] ?? null, ends[1] ?? null, told];
  } finally {
    await bank.close();
  }
}

const isUsual = (settings: object) =>
  ['{"serial":"hex"}', '{"issuer":"rfc2253-%20"}', '{"serial":"hex-bytes"}'].includes(
    JSON.stringify(settings),
  );

describe('signing.keyId', () => {
  const rows = [
    ...serialSpellings.map((serial) => ({ serial })),
    ...nameSpellings.map((issuer) => ({ issuer })),
    { template: 'KEY:{serial}' },
    { template: 'a-fixed-name' },
    { template: 'CA={issuer};SN={serial}', serial: 'dec', issuer: 'dotnet' },
  ];
  it.each(rows.map((keyId) => [JSON.stringify(keyId), keyId] as const))(
    'is read alike by both sides: %s',
    async (_, keyId) => {
      const [withIt, without, told] = await calls({ mode: 'cavage', keyId });
      expect(withIt, told).toBe(0);
      // Letters of either case are one serial number to the eye alone.
      if (!isUsual(keyId)) expect(without).toBe(3);
    },
  );
});

it.each<[string, object]>([
  ['a preset', { preset: 'wso2' }],
  ['another preset', { preset: 'adorsys' }],
  ['a preset that says another Digest', { preset: 'wso2', digest: { emptyBody: 'empty' } }],
  ['a preset whose keyId is another one', { preset: 'adorsys', keyId: { issuer: 'rfc2253' } }],
  ['a preset without Date', { preset: 'adorsys', date: { sign: false } }],
  ['Digest of {} alone', { digest: { emptyBody: '{}' } }],
  ['no Digest where there is no body', { digest: { emptyBody: 'omit' } }],
  ['SHA-512', { hash: 'SHA-512', digest: { algorithm: 'SHA-512' } }],
  ['a word for the algorithm', { algorithmLabel: 'hs2019' }],
  ['PEM on one line', { certificateHeader: 'pemOneLine' }],
  ['base64 of PEM', { certificateHeader: 'base64-of-pem' }],
  ['PEM in escapes', { certificateHeader: 'pemUrlEncoded' }],
  ['a certificate known by keyId alone', { certificateHeader: 'none' }],
  ['a certificate known by a name', { certificateHeader: 'none', keyId: { template: 'a-fixed-name' } }],
  ['the two numbers of ECDSA', { signatureEncoding: 'ieee-p1363' }],
  ['all names in the order of the alphabet', { order: 'sorted', date: { sign: true }, requestTarget: true }],
  ['all names as listed', { order: 'listed', date: { sign: true }, requestTarget: true }],
  ['a path without its escapes', { requestTarget: true, targetEncoding: 'raw' }],
  ['Authorization', { carrier: 'Authorization' }],
  ['one operation alone', { requiredFor: ['initiatePayment'] }],
  ['JWS', { mode: 'jws' }],
  ['JWS with a thumbprint', { mode: 'jws', jws: { certificate: 'x5t#S256', alg: 'key' } }],
  ['JWS of names of its own', { mode: 'jws', jws: { pars: ['x-request-id', 'psu-id?', 'digest'] } }],
  ['JWS over SHA-512', { mode: 'jws', digest: { algorithm: 'SHA-512' } }],
])('signing %s is understood by both sides', async (_, signing) => {
  const [withIt, , told] = await calls(signing);
  expect(withIt, told).toBe(0);
});
