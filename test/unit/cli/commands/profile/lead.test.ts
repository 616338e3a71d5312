// A person is led through a new profile: each mistake is said where it is made, and can be mended there.
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fakePerson } from '../../../../helpers/fakes/people.ts';
import type { FakePerson } from '../../../../helpers/fakes/people.ts';
import { freePort } from '../../../../helpers/free-port.ts';
import { runInside } from '../../../../helpers/inside.ts';
import { pkcs12 } from '../../../../helpers/pkcs12.ts';
import type { RawServer } from '../../../../helpers/raw-server.ts';
import { makeCertificate } from '../../../../helpers/tls.ts';
import type { Pair } from '../../../../helpers/tls.ts';
import { xs2aServer } from '../../../../helpers/xs2a-server.ts';

const day = 86_400_000;
let folder: string;
let ca: Pair;
let bank: Pair;
let alone: Pair;
let contents: Record<string, string | Buffer>;
const servers: RawServer[] = [];

beforeAll(async () => {
  ca = await makeCertificate({ subject: 'CN=CA' });
  const otherCa = await makeCertificate({ subject: 'CN=Other CA' });
  bank = await makeCertificate({ subject: 'CN=Bank', issuer: ca, names: ['127.0.0.1'] });
  alone = await makeCertificate({ subject: 'CN=Alone', names: ['127.0.0.1'] });
  const issue = (subject: string, notAfter = new Date(Date.now() + day)) =>
    makeCertificate({
      ...{ subject, issuer: ca, names: ['tpp.example'], notAfter },
      notBefore: new Date(Date.now() - 9 * day),
    });
  const [seal, qwac, old] = [
    await issue('CN=Seal'),
    await issue('CN=Qwac'),
    await issue('CN=Old', new Date(Date.now() - day)),
  ];
  contents = {
    'ca.pem': ca.certificate,
    'other.pem': otherCa.certificate,
    'seal.pem': seal.certificate,
    'seal.key': seal.key,
    'qwac.pem': qwac.certificate,
    'qwac.key': qwac.key,
    'old.pem': old.certificate,
    'old.key': old.key,
    'chain.pem': `${ca.certificate}\n${qwac.certificate}`,
    'bag.p12': await pkcs12('geheim'),
  };
});
beforeEach(() => {
  folder = mkdtempSync(join(homedir(), 'obk-lead-'));
  for (const [name, text] of Object.entries(contents))
    writeFileSync(join(folder, name), text, { mode: 0o600 });
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const env = () => ({
  ...process.env,
  OBK_CONFIG_DIR: join(folder, 'config'),
  OBK_STATE_DIR: join(folder, 'state'),
});

async function serve(prefixes: readonly string[] = ['/v1'], pair: Pair = bank, more = {}): Promise<string> {
  const server = await xs2aServer(prefixes, { cert: pair.certificate, key: pair.key, ...more });
  servers.push(server);
  return `127.0.0.1:${String(server.port)}`;
}

/** Answers that end every dialogue well, but for the address and the certificates. */
const rest = (person: FakePerson) =>
  person
    .answer('name', 'acme')
    .answer('redirectUri', 'https://tpp.example/back')
    .answer('psuIp', '192.0.2.1')
    .answer('oauthMetadata', '')
    .answer('review', 'save');
const certificates = (person: FakePerson) =>
  person
    .answer('qsealc', 'file')
    .answer('certificate', 'seal.pem')
    .answer('key', 'seal.key')
    .answer('qwac', 'none');

async function create(person: FakePerson, ...flags: string[]) {
  const ran = await runInside(['profile', 'create', ...flags], {
    env: env(),
    cwd: folder,
    ports: { person },
  });
  person.verify();
  return ran;
}

const saved = () =>
  (
    JSON.parse(readFileSync(join(folder, 'config', 'config.json'), 'utf8')) as {
      profiles: Record<string, object>;
    }
  ).profiles['acme'];

describe('an address', () => {
  it('is tried at once, and its version is known', async () => {
    const host = await serve(['/psd2/v136']);
    const person = rest(certificates(fakePerson().answer('baseUrl', `https://${host}/psd2`)));
    const { code, stderr } = await create(person, '--ca', 'ca.pem');
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(/answers below \/v136\. Framework 1\.3\.6 is assumed\./);
    expect(saved()).toMatchObject({ prefix: '/v136', redirectUri: 'https://tpp.example/back' });
    expect(servers[0]?.arrivals).toHaveLength(2);
    for (const { head } of servers[0]?.arrivals ?? [])
      expect(head).not.toMatch(/^(signature|authorization|psu-)/im);
  });

  it.each([
    ['a template', ['--bank', 'consors'], '1.3.6'],
    ['a flag', ['--framework', '1.3.8'], '1.3.8'],
  ])('keeps the framework that %s says, whose prefix answers', async (_, flags, framework) => {
    const host = await serve(['/psd2/v1']);
    const person = rest(certificates(fakePerson().answer('baseUrl', `https://${host}/psd2`)));
    const { code, stderr } = await create(person, '--ca', 'ca.pem', ...flags);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain(`The framework is ${framework}, as given.`);
    expect(saved()).toMatchObject({ framework, prefix: '/v1' });
  });

  it.each([
    ['a name that no network knows', () => 'https://nowhere.invalid', 'nowhere.invalid'],
    ['a wrong port', async () => `https://127.0.0.1:${String(await freePort())}`, 'ECONNREFUSED'],
  ])('%s is said, and another one is asked for', async (_, first, said) => {
    const host = await serve();
    const person = fakePerson()
      .answer('baseUrl', await first(), `https://${host}`)
      .answer('address-trouble', 'address');
    if ((await first()).includes('invalid')) person.answer('environment', 'test');
    const { code, stderr } = await create(rest(certificates(person)), '--ca', 'ca.pem');
    expect(code, stderr).toBe(0);
    expect(stderr).toContain(said);
    expect(saved()).toMatchObject({ baseUrl: `https://${host}`, prefix: '/v1' });
  });

  it.each([
    ['http for https', ['/v1'], 'http://HOST', 'speaks TLS', { baseUrl: 'https://HOST' }],
    [
      'a doubled prefix',
      ['/psd2/v1'],
      'https://HOST/psd2/v1',
      'The bank answers at',
      { baseUrl: 'https://HOST/psd2' },
    ],
    ['a missing prefix', ['/psd2'], 'https://HOST/psd2', 'The bank answers at', { prefix: '' }],
    [
      'the other framework',
      ['/v136'],
      'https://HOST/v136',
      'The bank answers at',
      { baseUrl: 'https://HOST', prefix: '/v136' },
    ],
  ] as const)('%s is found, and taken right', async (_, prefixes, typed, said, wanted) => {
    const host = await serve(prefixes);
    const person = fakePerson()
      .answer('baseUrl', typed.replace('HOST', host))
      .answer('address-trouble', 'mend');
    const { code, stderr } = await create(rest(certificates(person)), '--ca', 'ca.pem');
    expect(stderr).toContain(said);
    expect(code, stderr).toBe(0);
    const right = Object.entries(wanted).map(([key, value]) => [key, value.replace('HOST', host)]);
    expect(saved()).toMatchObject(Object.fromEntries(right) as object);
  });

  it.each([
    ['signed by itself', () => alone, [], 'signed by itself'],
    ['of an authority that is not trusted', () => bank, [], 'not trusted here'],
    ['of another authority than --ca', () => bank, ['--ca', 'other.pem'], '--ca does not hold it'],
  ] as const)('with a certificate %s is tried again with the right CA', async (_, pair, flags, said) => {
    const host = await serve(['/v1'], pair());
    writeFileSync(join(folder, 'right.pem'), pair() === alone ? alone.certificate : ca.certificate);
    const person = fakePerson()
      .answer('baseUrl', `https://${host}`)
      .answer('address-trouble', 'ca')
      .answer('ca', 'right.pem');
    // It is of no name that the address has.
    if (pair() === alone) person.answer('address-trouble', 'keep').answer('variant', 'v1');
    const { code, stderr } = await create(rest(certificates(person)), ...flags);
    expect(stderr).toContain(said);
    expect(code, stderr).toBe(0);
    expect(saved()).toMatchObject({ caCertificates: join(folder, 'right.pem') });
  });

  it('whose CA was named wrong is tried again with another file', async () => {
    const host = await serve();
    const person = fakePerson()
      .answer('baseUrl', `https://${host}`)
      .answer('address-trouble', 'ca', 'ca', 'ca')
      .answer('ca', 'none.pem', 'seal.key', 'ca.pem');
    const { code, stderr } = await create(rest(certificates(person)));
    expect(code, stderr).toBe(0);
    expect(saved()).toMatchObject({ caCertificates: join(folder, 'ca.pem') });
  });

  it('of production is tried only where the person agrees', async () => {
    const host = await serve();
    const person = fakePerson()
      .answer('baseUrl', `https://${host}`)
      .answer('try', false)
      .answer('variant', 'v1');
    const { code } = await create(
      rest(certificates(person)),
      '--environment',
      'production',
      '--ca',
      'ca.pem',
    );
    expect({ code, connections: servers[0]?.connections }).toEqual({ code: 0, connections: 0 });
  });

  it('that wants a client certificate is tried again with it', async () => {
    const host = await serve(['/v136'], bank, {
      ca: ca.certificate,
      requestCert: true,
      rejectUnauthorized: true,
    });
    const person = fakePerson()
      .answer('baseUrl', `https://${host}`)
      .answer('qsealc', 'none')
      .answer('qwac', 'file')
      .answer('tlsCertificate', 'qwac.pem')
      .answer('tlsKey', 'qwac.key');
    const { code, stderr } = await create(rest(person), '--ca', 'ca.pem');
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(/wants a client certificate[\s\S]*tried again[\s\S]*below \/v136/);
    expect(saved()).toMatchObject({ prefix: '/v136' });
  });
});

describe('a certificate', () => {
  it.each([
    ['of another key', 'qwac.pem', 'seal.key', 'does not belong'],
    ['that has expired', 'old.pem', 'old.key', 'has expired'],
    ['in a reversed chain', 'chain.pem', 'qwac.key', 'begins with an authority'],
    ['that is not there', 'none.pem', 'qwac.key', 'none.pem'],
    ['without a key', 'qwac.pem', 'qwac.pem', 'a certificate where the private key'],
  ])('%s is said, and asked for again', async (_, certificate, key, said) => {
    const host = await serve();
    const person = fakePerson()
      .answer('baseUrl', `https://${host}`)
      .answer('qsealc', 'none')
      .answer('qwac', 'file', 'file')
      .answer('tlsCertificate', certificate, 'qwac.pem')
      .answer('tlsKey', key, 'qwac.key');
    const { code, stderr } = await create(rest(person), '--ca', 'ca.pem');
    expect(stderr).toContain(said);
    expect(code, stderr).toBe(0);
    expect(saved()).toMatchObject({ tlsCertificate: join(folder, 'qwac.pem') });
  });

  it('in PKCS#12 is taken, and a wrong passphrase is asked for again', async () => {
    const host = await serve();
    const person = fakePerson()
      .answer('baseUrl', `https://${host}`)
      .answer('qsealc', 'file')
      .answer('certificate', 'bag.p12')
      .answer('key-passphrase', 'falsch', 'geheim')
      .answer('passphrase-trouble', 'again')
      .answer('qwac', 'none');
    const { code, stderr } = await create(rest(person), '--ca', 'ca.pem');
    expect(code, stderr).toBe(0);
    expect(person.asked.find(({ id }) => id === 'passphrase-trouble')?.text).toContain(
      'The passphrase is wrong',
    );
    expect(stderr).not.toContain('geheim');
    expect(saved()).toMatchObject({
      certificate: join(folder, 'config', 'certificates', 'acme-qsealc.pem'),
      keyPassphraseFrom: 'prompt',
    });
  });

  it('is made for tests where there is none', async () => {
    const host = await serve();
    const person = fakePerson()
      .answer('baseUrl', `https://${host}`)
      .answer('qsealc', 'test')
      .answer('qwac', 'test');
    const { code, stderr } = await create(rest(person), '--ca', 'ca.pem');
    expect(code, stderr).toBe(0);
    const { findings } = JSON.parse(
      (await runInside(['doctor', '--profile', 'acme', '--offline', '--json'], { env: env(), cwd: folder }))
        .stdout,
    ) as { findings: { state: string }[] };
    expect(findings.filter(({ state }) => state === 'fail')).toEqual([]);
  });
});

describe('the overview', () => {
  it('lets each answer be changed, and prints the command that does the same', async () => {
    const host = await serve();
    const person = certificates(fakePerson().answer('baseUrl', `https://${host}`))
      .answer('name', 'acme', 'other')
      .answer('redirectUri', '', 'https://tpp.example/back')
      .answer('psuIp', '192.0.2.1')
      .answer('oauthMetadata', '')
      .answer('review', 'Redirect URI', 'Name', 'save');
    const { code, stderr } = await create(person, '--ca', 'ca.pem');
    expect(code, stderr).toBe(0);
    const printed = stderr.split('\n').find((one) => one.startsWith('  obk profile create other')) ?? '';
    const words = printed.trim().split(' ').slice(1);
    await runInside(['profile', 'delete', 'other', '--yes'], { env: env(), cwd: folder });
    const again = await runInside(words, { env: env(), cwd: folder });
    expect(again.code, again.stderr).toBe(0);
    expect(again.stdout).toContain('https://tpp.example/back');
  });

  it('saves nothing where the person stops', async () => {
    const host = await serve();
    const person = certificates(fakePerson().answer('baseUrl', `https://${host}`))
      .answer('name', 'acme')
      .answer('redirectUri', '')
      .answer('psuIp', '')
      .answer('oauthMetadata', '')
      .answer('review', 'stop');
    expect((await create(person, '--ca', 'ca.pem')).code).toBe(2);
    expect(existsSync(join(folder, 'config', 'config.json'))).toBe(false);
  });
});

it('asks nothing and calls nobody where every flag is given, and calls nobody without a terminal', async () => {
  const host = await serve();
  const flags = [
    '--base-url',
    `https://${host}`,
    '--ca',
    'ca.pem',
    '--certificate',
    'seal.pem',
    '--key',
    'seal.key',
  ];
  expect((await create(fakePerson(), 'acme', ...flags)).code).toBe(0);
  const alone = await runInside(['profile', 'create', 'other', ...flags], { env: env(), cwd: folder });
  expect({ code: alone.code, connections: servers[0]?.connections }).toEqual({ code: 0, connections: 0 });
});

it('asks for the passphrase of each key once in a run, by the name of its file', async () => {
  const host = await serve();
  const person = fakePerson()
    .answer('baseUrl', `https://${host}`)
    .answer('qsealc', 'file')
    .answer('certificate', 'bag.p12')
    .answer('key-passphrase', 'geheim')
    .answer('qwac', 'none');
  await create(rest(person), '--ca', 'ca.pem');
  person.answer('key-passphrase', 'geheim');
  await runInside(['doctor', '--profile', 'acme', '--yes'], { env: env(), cwd: folder, ports: { person } });
  person.verify();
  expect(person.asked.filter(({ id }) => id === 'key-passphrase').map(({ text }) => text)).toEqual([
    `Passphrase of ${join(folder, 'bag.p12')}`,
    `Passphrase of the key ${join(folder, 'config', 'certificates', 'acme-qsealc-key.pem')}`,
  ]);
});
