// What the dialogue of a new profile tells of an answer, and the ways that it leaves open.
import { createPrivateKey } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakePerson } from '../../../../helpers/fakes/people.ts';
import type { FakePerson } from '../../../../helpers/fakes/people.ts';
import { runInside } from '../../../../helpers/inside.ts';
import { pkcs12 } from '../../../../helpers/pkcs12.ts';
import type { RawServer } from '../../../../helpers/raw-server.ts';
import { makeCertificate } from '../../../../helpers/tls.ts';
import { xs2aServer } from '../../../../helpers/xs2a-server.ts';

const day = 86_400_000;
let folder: string;
let server: RawServer;
beforeEach(async () => {
  folder = mkdtempSync(join(homedir(), 'obk-lead-'));
  server = await xs2aServer(['/v1']);
  const notAfter = new Date(Date.now() + day);
  for (const name of ['Seal', 'Qwac']) {
    const { certificate, key } = await makeCertificate({ subject: `CN=${name}`, notAfter });
    writeFileSync(join(folder, `${name.toLowerCase()}.pem`), certificate);
    writeFileSync(join(folder, `${name.toLowerCase()}.key`), key, { mode: 0o600 });
  }
  writeFileSync(join(folder, 'bag.p12'), await pkcs12('geheim'), { mode: 0o600 });
});
afterEach(() => server.close());

const env = () => ({
  ...process.env,
  HOME: folder,
  OBK_CONFIG_DIR: join(folder, 'config'),
  OBK_STATE_DIR: join(folder, 'state'),
});
const address = () => `http://127.0.0.1:${String(server.port)}`;

/** A person who gives the address and, where nothing else is said, good answers to the rest. */
function begin({
  redirectUri = 'https://tpp.example/back',
  psuIp = '192.0.2.1',
  review = ['save'],
}: {
  redirectUri?: string;
  psuIp?: string;
  review?: string[];
} = {}): FakePerson {
  return fakePerson()
    .answer('baseUrl', address())
    .answer('name', 'acme')
    .answer('redirectUri', redirectUri)
    .answer('psuIp', psuIp)
    .answer('oauthMetadata', '')
    .answer('review', ...review);
}

async function create(person: FakePerson): Promise<string> {
  const { code, stderr } = await runInside(['profile', 'create'], {
    env: env(),
    cwd: folder,
    ports: { person },
  });
  person.verify();
  expect(code, stderr).toBe(0);
  return stderr;
}

const profiles = () =>
  (
    JSON.parse(readFileSync(join(folder, 'config', 'config.json'), 'utf8')) as {
      profiles: Record<string, Record<string, unknown>>;
    }
  ).profiles;

it('the environment that is shown is saved, though nobody was asked for it', async () => {
  const stderr = await create(begin().answer('qsealc', 'none').answer('qwac', 'none'));
  expect(stderr).toContain('--environment test');
  expect(profiles()['acme']).toMatchObject({ environment: 'test' });
});

describe('a certificate', () => {
  it('whose passphrase is not known gives way to another file', async () => {
    const person = begin()
      .answer('qsealc', 'file', 'file')
      .answer('certificate', 'bag.p12', 'seal.pem')
      .answer('key-passphrase', 'falsch')
      .answer('passphrase-trouble', 'file')
      .answer('key', 'seal.key')
      .answer('qwac', 'none');
    await create(person);
    expect(profiles()['acme']).toMatchObject({ certificate: join(folder, 'seal.pem') });
  });

  it('whose key is encrypted asks for its passphrase, now and in each run', async () => {
    const key = createPrivateKey(readFileSync(join(folder, 'seal.key')));
    const locked = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'geheim' } as const;
    writeFileSync(join(folder, 'locked.key'), key.export(locked), { mode: 0o600 });
    const person = begin()
      .answer('qsealc', 'file')
      .answer('certificate', 'seal.pem')
      .answer('key', 'locked.key')
      .answer('key-passphrase', 'falsch', 'geheim')
      .answer('passphrase-trouble', 'again')
      .answer('qwac', 'none');
    expect(await create(person)).toContain('obk profile edit acme --key-passphrase-from env:NAME');
    expect(profiles()['acme']).toMatchObject({ keyPassphraseFrom: 'prompt' });
  });

  it('is found below the home folder, and asked for again where it is not there', async () => {
    const person = begin()
      .answer('qsealc', 'file', 'file')
      .answer('certificate', '~/none.pem', '~/seal.pem')
      .answer('key', '~/seal.key', '~/seal.key')
      .answer('qwac', 'none');
    expect(await create(person)).toContain(join(folder, 'none.pem'));
    expect(profiles()['acme']).toMatchObject({ certificate: join(folder, 'seal.pem') });
  });

  it('that is taken is told: whose it is, its roles and its last day', async () => {
    const person = begin()
      .answer('qsealc', 'test')
      .answer('qwac', 'file')
      .answer('tlsCertificate', 'qwac.pem')
      .answer('tlsKey', 'qwac.key');
    const stderr = await create(person);
    expect(stderr).toMatch(
      /PSDDE-BAFIN-123456.*; PSD2 roles PSP_PI, PSP_AI, PSP_IC; valid until \d{4}-\d\d-\d\d/,
    );
    expect(stderr).toMatch(/CN=Qwac; no PSD2 roles; valid until \d{4}-\d\d-\d\d\./);
  });
});

describe('an empty answer', () => {
  it.each([
    ['redirectUri', 'Without a redirect URI'],
    ['psuIp', 'Without a PSU-IP-Address'],
  ])('to %s is told what follows from it', async (question, said) => {
    const person = begin({ [question]: '' })
      .answer('qsealc', 'none')
      .answer('qwac', 'none');
    const stderr = await create(person);
    expect(stderr.match(/Without a (redirect URI|PSU-IP-Address)/g)).toEqual([said]);
  });
});

describe('the platform', () => {
  it('can be chosen and changed, and sets what --bank sets', async () => {
    const person = begin({ review: ['Platform', 'Platform', 'Platform', 'save'] })
      .answer('qsealc', 'none')
      .answer('qwac', 'none')
      .answer('bank', 'wso2-open-banking', 'none', 'adorsys-xs2a');
    expect(await create(person)).toMatch(/obk bank list[\s\S]*--bank adorsys-xs2a/);
    const flags = ['--bank', 'adorsys-xs2a', '--base-url', address(), '--signing', 'none'];
    const more = ['--redirect-uri', 'https://tpp.example/back', '--psu-ip', '192.0.2.1'];
    // What the dialogue shows is saved, and a script says it.
    more.push('--environment', 'test');
    const script = await runInside(['profile', 'create', 'script', ...flags, ...more], {
      env: env(),
      cwd: folder,
    });
    expect(script.code, script.stderr).toBe(0);
    expect(profiles()['acme']).toEqual(profiles()['script']);
  });
});
