// What a wrong file does to `profile create` and `profile edit` (nothing is saved, exit 3) and what `doctor` says of it where it was
// saved all the same, each with the command that mends it.
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pemOf } from '../../../../../src/signing/pem.ts';
import { runInside } from '../../../../helpers/inside.ts';
import { pkcs12 } from '../../../../helpers/pkcs12.ts';
import { makeCertificate } from '../../../../helpers/tls.ts';
import type { Pair } from '../../../../helpers/tls.ts';

const day = 86_400_000;
const derOf = (pem: string) => Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64');

/** A TLV in DER. */
const tlv = (tag: number, ...parts: readonly Uint8Array[]) => {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, 0x82, content.length >> 8, content.length & 0xff]), content]);
};

/** PKCS#7 with these certificates in this order, as `openssl crl2pkcs7 -nocrl` writes it. */
const pkcs7 = (ders: readonly Buffer[]) => {
  const oid = (last: number) => Buffer.from([6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, last]);
  const version = Buffer.from([2, 1, 1]);
  const signed = tlv(0x30, version, tlv(0x31), tlv(0x30, oid(1)), tlv(0xa0, ...ders), tlv(0x31));
  return tlv(0x30, oid(2), tlv(0xa0, signed));
};

let folder: string;
let root: Pair;
let seal: Pair;
let qwac: Pair;
let old: Pair;
let future: Pair;
let middle: Pair;
let below: Pair;
let bag: Buffer;

beforeAll(async () => {
  root = await makeCertificate({ subject: 'CN=Root' });
  const issue = (subject: string, dates: { notBefore?: Date; notAfter?: Date } = {}) =>
    makeCertificate({ subject, issuer: root, names: ['tpp.example'], ...dates });
  seal = await issue('CN=Seal');
  qwac = await issue('CN=Qwac');
  old = await issue('CN=Old', {
    notBefore: new Date(Date.now() - 9 * day),
    notAfter: new Date(Date.now() - day),
  });
  future = await issue('CN=Future', {
    notBefore: new Date(Date.now() + day),
    notAfter: new Date(Date.now() + 9 * day),
  });
  middle = await makeCertificate({ subject: 'CN=Middle', issuer: root });
  below = await makeCertificate({ subject: 'CN=Below', issuer: middle, names: ['tpp.example'] });
  bag = await pkcs12('geheim');
});

beforeEach(() => {
  folder = mkdtempSync(join(homedir(), 'obk-wrong-files-'));
  const files: Record<string, string | Buffer> = {
    'seal.pem': seal.certificate,
    'seal.key': seal.key,
    'qwac.pem': qwac.certificate,
    'qwac.key': qwac.key,
    'old.pem': old.certificate,
    'old.key': old.key,
    'future.pem': future.certificate,
    'future.key': future.key,
    'ca.pem': root.certificate,
    'both.pem': `${qwac.certificate}\n${qwac.key}`,
    'chain.pem': `${root.certificate}\n${qwac.certificate}`,
    'qwac.der': derOf(qwac.certificate),
    'qwac.key.der': derOf(qwac.key),
    'bag.p12': bag,
    'page.html': '<html>not found</html>',
    'locked.key': createPrivateKey(qwac.key).export({
      ...{ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'geheim' },
    }),
    'ssh.key': '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaA==\n-----END OPENSSH PRIVATE KEY-----\n',
    'qwac.pub': createPublicKey(qwac.key).export({ type: 'spki', format: 'pem' }),
    'cut.pem': qwac.certificate.slice(0, 200),
    'utf16.pem': Buffer.from(`\ufeff${qwac.certificate}`, 'utf16le'),
    'utf16.key': Buffer.from(`\ufeff${qwac.key}`, 'utf16le'),
    'windows.pem': `\ufeff# a comment\r\n\r\n${qwac.certificate.replaceAll('\n', '\r\n')}`,
    'windows.key': `\ufeffBag Attributes\r\n${qwac.key.replaceAll('\n', '\r\n')}`,
    'chain.p7b': pkcs7([derOf(root.certificate), derOf(qwac.certificate)]),
    'chain.p7b.pem': pemOf('PKCS7', pkcs7([derOf(root.certificate), derOf(qwac.certificate)])),
    'whole.pem': `${qwac.certificate}\n${root.certificate}`,
  };
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), content, { mode: 0o600 });
});

const obk = (command: string, more: Record<string, string> = {}) =>
  runInside(command.split(' '), {
    env: {
      ...process.env,
      OBK_CONFIG_DIR: join(folder, 'config'),
      OBK_STATE_DIR: join(folder, 'state'),
      PHRASE: 'geheim',
      WRONG: 'falsch',
      ...more,
    },
    cwd: folder,
  });

const bank = '--base-url https://127.0.0.1:9 --psu-ip 192.0.2.1 --redirect-uri https://tpp.example/back';
const signs = '--certificate seal.pem --key seal.key';

interface Report {
  findings: { check: string; state: string; text: string; hint: string | null }[];
}

async function doctor(): Promise<Report['findings']> {
  const { stdout, stderr } = await obk('doctor --profile acme --offline --json');
  expect(stderr).toBe('');
  // What a certificate holds is judged by lint, which names its rule at the end.
  const { findings } = JSON.parse(stdout) as Report;
  return findings.filter(({ state, text }) => state === 'fail' && !/\[[a-z-]+\]$/.test(text));
}

const wrong = {
  'a certificate that is not there': [
    '--certificate none.pem --key seal.key',
    'CERTIFICATE_FILE',
    'none.pem',
    '--certificate FILE',
  ],
  'a key that is not there': ['--certificate seal.pem --key none.key', 'KEY_FILE', 'none.key', '--key FILE'],
  'a certificate as key': [
    '--certificate seal.pem --key seal.pem',
    'KEY_FILE',
    'a certificate where the private key',
    '--key FILE',
  ],
  'a key as certificate': [
    '--certificate seal.key --key seal.key',
    'CERTIFICATE_FILE',
    'a private key where the certificate',
    '--certificate FILE',
  ],
  'a page as certificate': [
    '--certificate page.html --key seal.key',
    'CERTIFICATE_FILE',
    'no certificate',
    '--certificate FILE',
  ],
  'the key of nobody': [
    `${signs} --tls-certificate qwac.pem --tls-key old.key`,
    'KEY_MISMATCH',
    'does not belong to the TLS certificate',
    '--tls-key FILE',
  ],
  'keys that are exchanged': [
    '--certificate seal.pem --key qwac.key --tls-certificate qwac.pem --tls-key seal.key',
    'KEY_MISMATCH',
    'it is the one of the TLS certificate',
    '--key seal.key --tls-key qwac.key',
  ],
  'a TLS certificate without key': [
    `${signs} --tls-certificate qwac.pem`,
    'PROFILE_INVALID',
    'no key for it',
    '--tls-key FILE',
  ],
  'a TLS key without certificate': [
    `${signs} --tls-key qwac.key`,
    'PROFILE_INVALID',
    'no certificate',
    '--tls-certificate FILE',
  ],
  'an expired QWAC': [
    `${signs} --tls-certificate old.pem --tls-key old.key`,
    'CERTIFICATE_EXPIRED',
    'has expired',
    '--tls-certificate FILE --tls-key FILE',
  ],
  'a QWAC of tomorrow': [
    `${signs} --tls-certificate future.pem --tls-key future.key`,
    'CERTIFICATE_EXPIRED',
    'not valid yet',
    '--tls-certificate FILE --tls-key FILE',
  ],
  'a reversed chain': [
    `${signs} --tls-certificate chain.pem --tls-key qwac.key`,
    'CERTIFICATE_FILE',
    'begins with an authority',
    'cert import chain.pem --key qwac.key --as qwac',
  ],
  'a passphrase that is nowhere': [
    `${signs} --tls-certificate qwac.pem --tls-key locked.key --tls-key-passphrase-from env:NOBODY`,
    'SECRET_REFERENCE',
    'NOBODY is not set',
    '--tls-key-passphrase-from REF',
  ],
  'an encrypted key without a passphrase': [
    `${signs} --tls-certificate qwac.pem --tls-key locked.key`,
    'KEY_PASSPHRASE',
    'needs a passphrase',
    '--tls-key-passphrase-from REF',
  ],
  'a key of OpenSSH': [
    `${signs} --tls-certificate qwac.pem --tls-key ssh.key`,
    'KEY_FILE',
    'a key of OpenSSH',
    '--tls-key FILE',
  ],
  'a public key': [
    `${signs} --tls-certificate qwac.pem --tls-key qwac.pub`,
    'KEY_FILE',
    'a public key where the private key',
    '--tls-key FILE',
  ],
  'PKCS#12 as key': [
    `${signs} --tls-certificate qwac.pem --tls-key bag.p12 --tls-key-passphrase-from env:PHRASE`,
    'CERTIFICATE_FILE',
    'bag.p12 is PKCS#12',
    'cert import bag.p12 --as qwac --passphrase-from env:PHRASE',
  ],
  'a certificate that is cut off': [
    `${signs} --tls-certificate cut.pem --tls-key qwac.key`,
    'CERTIFICATE_FILE',
    'does not end it',
    '--tls-certificate FILE',
  ],
  'a CA that is none': [`${signs} --ca page.html`, 'CERTIFICATE_FILE', 'no certificate', '--ca FILE'],
} as const;

describe.each(Object.entries(wrong))('%s', (_, [flags, code, said, mend]) => {
  const bare = (text: string) => text.replaceAll(`${folder}/`, '');

  it('is refused before anything is saved', async () => {
    const made = await obk(`profile create acme ${bank} ${flags} --json`);
    expect({ code: made.code, stdout: made.stdout }).toEqual({ code: 3, stdout: '' });
    const { error } = JSON.parse(made.stderr) as { error: { code: string; detail: string; hint: string[] } };
    expect(error.code).toBe(code);
    expect(error.detail).toContain(said);
    expect(bare(error.hint.join('\n'))).toContain(mend);
    expect(error.hint.at(-1)).toContain('--no-check');
    expect(existsSync(join(folder, 'config', 'config.json'))).toBe(false);
  });

  it('is saved with --no-check, and doctor says it with the command that mends it', async () => {
    expect((await obk(`profile create acme ${bank} ${flags} --no-check`)).code).toBe(0);
    const [found, ...others] = await doctor();
    expect(others.filter(({ check }) => check === found?.check)).toEqual([]);
    expect(found?.text).toContain(said);
    expect(bare(found?.hint ?? '')).toContain(mend);
    expect(found?.hint).toMatch(/^obk (profile edit acme|cert import .* --profile acme)/);
  });
});

describe('what a profile takes', () => {
  it.each([
    ['one PEM with certificate and key', '--tls-certificate both.pem'],
    ['DER', '--tls-certificate qwac.der --tls-key qwac.key.der'],
    ['a chain in order', '--tls-certificate qwac.pem --tls-key qwac.key'],
    ['a chain with its root', '--tls-certificate whole.pem --tls-key qwac.key'],
    ['what Windows writes', '--tls-certificate windows.pem --tls-key windows.key'],
    ['UTF-16', '--tls-certificate utf16.pem --tls-key utf16.key'],
    ['PKCS#7, which has no order', '--tls-certificate chain.p7b --tls-key qwac.key'],
    ['PKCS#7 as PEM', '--tls-certificate chain.p7b.pem --tls-key qwac.key'],
  ])('%s', async (_, flags) => {
    const made = await obk(`profile create acme ${bank} ${signs} ${flags}`);
    expect(made.code, made.stderr).toBe(0);
    const texts = (await doctor()).map(({ text }) => text).filter((text) => /key|chain|read/i.test(text));
    expect(texts).toEqual([]);
  });

  it('PKCS#12, which is taken apart', async () => {
    const made = await obk(
      `profile create acme ${bank} --certificate bag.p12 --key-passphrase-from env:PHRASE --json`,
    );
    expect(made.code, made.stderr).toBe(0);
    expect(JSON.parse(made.stdout)).toMatchObject({
      certificate: join(folder, 'config', 'certificates', 'acme-qsealc.pem'),
      key: join(folder, 'config', 'certificates', 'acme-qsealc-key.pem'),
      keyPassphraseFrom: 'env:PHRASE',
    });
    expect((await doctor()).filter(({ text }) => /key|passphrase/i.test(text))).toEqual([]);
  });

  it.each([
    ['wrong', '--key-passphrase-from env:WRONG', /passphrase is wrong/],
    ['absent', '', /no passphrase was given/],
    ['of a variable that is not set', '--key-passphrase-from env:NOBODY', /NOBODY/],
  ])('but not PKCS#12 whose passphrase is %s', async (_, flag, said) => {
    const made = await obk(
      `profile create acme ${bank} --certificate bag.p12 ${flag} --json`.replace('  ', ' '),
    );
    expect(made.code).toBe(3);
    expect(made.stderr).toMatch(said);
    expect(made.stderr).toContain('--key-passphrase-from REF');
    expect(readdirSync(folder)).not.toContain('config');
  });

  it('a reversed chain once the printed command was run', async () => {
    await obk(
      `profile create acme ${bank} ${signs} --tls-certificate chain.pem --tls-key qwac.key --no-check`,
    );
    const [found] = await doctor();
    const mended = await obk((found?.hint ?? '').replace(/^obk /, ''));
    expect(mended.code, mended.stderr).toBe(0);
    expect((await doctor()).filter(({ text }) => text.includes('chain in'))).toEqual([]);
  });

  it('DER without its issuer once the printed command was run with it', async () => {
    const own = '--signing none --tls-certificate own.der --tls-key own.key';
    writeFileSync(join(folder, 'own.der'), derOf(below.certificate));
    writeFileSync(join(folder, 'own.key'), below.key, { mode: 0o600 });
    await obk(`profile create acme ${bank} ${own}`);
    const missing = async () => {
      const { stdout } = await obk('doctor --profile acme --offline --json');
      return (JSON.parse(stdout) as Report).findings.find(({ text }) => text.endsWith('[chain-missing]'));
    };
    const found = await missing();
    const command = (found?.hint ?? '').replace(/^obk /, '').replace('ISSUER.pem', 'middle.pem');
    writeFileSync(join(folder, 'middle.pem'), middle.certificate);
    const mended = await obk(command);
    expect(mended.code, mended.stderr).toBe(0);
    expect(await missing()).toBeUndefined();
  });

  it('no address that ends in a version, since the prefix follows it', async () => {
    const twice = (more = '') =>
      obk(`profile create acme --base-url https://127.0.0.1:9/psd2/v136 ${signs} ${more}`.trim());
    const made = await twice();
    expect(made.code).toBe(3);
    expect(made.stderr).toContain('--base-url https://127.0.0.1:9/psd2 --variant v136');
    expect((await twice('--prefix /')).code).toBe(0);
  });

  it('nor a change that makes it so, but any other', async () => {
    await obk(`profile create acme ${bank} --certificate none.pem --key none.key --no-check`);
    expect((await obk('profile edit acme --psu-id eva')).code).toBe(0);
    expect((await obk('profile edit acme --certificate seal.pem --key qwac.key')).code).toBe(3);
    expect((await obk('profile edit acme --certificate seal.pem --key qwac.key --no-check')).code).toBe(0);
    expect((await obk('profile edit acme --key seal.key')).code).toBe(0);
  });
});

// A call with such a profile fails on this machine for ever: it is not said to be safe to run again.
it.each([
  ['the key of nobody', 3, 'KEY_MISMATCH'],
  ['a TLS certificate without key', 3, 'PROFILE_INVALID'],
  ['an expired QWAC', 3, 'CERTIFICATE_EXPIRED'],
  ['a reversed chain', 3, 'KEY_MISMATCH'],
  ['a CA that is none', 3, 'CERTIFICATE_FILE'],
] as const)('a call with %s is an error of this machine', async (name, exit, code) => {
  await obk(`profile create acme ${bank} ${wrong[name][0]} --no-check`);
  const { code: ended, stderr } = await obk(
    'consent status 11111111-1111-4111-8111-111111111111 --profile acme --json',
  );
  expect(ended).toBe(exit);
  expect((JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as { error: { code: string } }).error.code).toBe(
    code,
  );
  expect(stderr).not.toContain('safe to run this again');
});

it('a proxy that cannot be one is an error of this machine', async () => {
  await obk(
    `profile create acme --base-url https://bank.example --environment test --psu-ip 192.0.2.1 ${signs}`,
  );
  const env = { HTTPS_PROXY: 'socks5://127.0.0.1:9' };
  for (const command of ['api get /v1/accounts --profile acme', 'cert inspect https://bank.example']) {
    const { code, stderr } = await obk(command, env);
    expect({ code, stderr }, command).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('HTTPS_PROXY') as string,
    });
    expect(stderr).not.toContain('safe to run this again');
  }
});

it('a proxy that is not there is told by doctor as one, and not as a wrong address of the bank', async () => {
  await obk(
    `profile create acme --base-url https://bank.example --environment test --psu-ip 192.0.2.1 ${signs}`,
  );
  const { code, stdout } = await obk('doctor --profile acme', { HTTPS_PROXY: 'http://127.0.0.1:1' });
  expect(code).toBe(10);
  expect(stdout).toContain('the proxy');
  expect(stdout).toContain('obk help environment');
  expect(stdout).not.toContain('are host and port right');
});
