import { createPrivateKey, X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTarget } from '../../../../../src/client/exchange/open-target.ts';
import { resolved } from '../../../../../src/client/profile/inheritance.ts';
import { fakeClock, fakeSecrets, memoryFiles, memoryStore } from '../../../../helpers/fakes/index.ts';
import { fakeNotices, fakePerson } from '../../../../helpers/fakes/people.ts';
import { program } from '../../../../helpers/program.ts';
import { world } from '../../../../helpers/world.ts';
import { hasOpenssl } from '../../../signing/fixtures.ts';
import { ai, eseal, foreignAuthority, pi, statementsOf, web } from '../../../signing/foreign-certificates.ts';

describe.skipIf(!hasOpenssl)('obk cert import', () => {
  let there: ReturnType<typeof foreignAuthority>;
  let seal: { certificate: string; key: string };
  let qwac: { certificate: string; key: string };
  let p12: Record<string, Uint8Array>;
  beforeAll(() => {
    there = foreignAuthority();
    seal = there.issue({ statements: statementsOf(eseal, [pi, ai]) });
    const usage = { keyUsage: 'critical,digitalSignature', extendedKeyUsage: 'clientAuth,serverAuth' };
    qwac = there.issue({ ...usage, statements: statementsOf(web, [pi]) });
    const old = ['-legacy', '-certpbe', 'PBE-SHA1-RC2-40', '-keypbe', 'PBE-SHA1-3DES', '-macalg', 'SHA1'];
    p12 = {
      'seal.p12': there.pkcs12(seal, 'geheim', ...old),
      'qwac.p12': there.pkcs12(qwac, 'geheim'),
      'open.p12': there.pkcs12(seal, ''),
      'bare.p12': there.pkcs12(seal, 'geheim', '-nokeys'),
      'seal.der': new X509Certificate(seal.certificate).raw,
      'other.pem': Buffer.from(qwac.certificate),
    };
  });
  afterAll(() => {
    there.close();
  });

  const clock = () => fakeClock({ at: new Date(Date.now() + 60_000).toISOString() });
  const shop = async () => {
    const files = memoryFiles({ ...p12, 'seal.pem': seal.certificate });
    const store = memoryStore();
    const acme = {
      environment: 'test',
      baseUrl: 'https://bank.example',
      framework: '1.3.2',
      prefix: '/v1',
      surface: 'service',
    } as const;
    await store.settings.update((settings) => ({ ...settings, profiles: { acme } }));
    const run = (line: string, passphrase: string | null = 'geheim') => {
      const person = fakePerson({ present: passphrase !== null });
      if (passphrase !== null) person.answer('passphrase', passphrase);
      return program(`cert import ${line} --json`, {
        env: { OBK_CONFIG_DIR: '/conf' },
        ports: { ...store, files, person },
      });
    };
    const text = (path: string) => Buffer.from(files.contents.get(path)!).toString();
    return { files, store, run, text };
  };

  it('makes a profile sign and connect with what was in the files', async () => {
    const { files, store, run, text } = await shop();
    const from = '--passphrase-from env:P12 --profile acme';
    const shown = await run(`seal.p12 ${from}`);
    expect(shown.code).toBe(0);
    expect(shown.stdout + shown.stderr).not.toMatch(/geheim|PRIVATE KEY/);
    expect((await run(`qwac.p12 ${from}`)).code).toBe(0);
    const { acme } = (await store.settings.read()).profiles;
    expect(acme).toMatchObject({
      certificate: '/conf/certificates/acme-qsealc.pem',
      key: '/conf/certificates/acme-qsealc-key.pem',
      keyPassphraseFrom: 'env:P12',
      tlsCertificate: '/conf/certificates/acme-qwac.pem',
      tlsKey: '/conf/certificates/acme-qwac-key.pem',
      tlsKeyPassphraseFrom: 'env:P12',
    });
    expect(text(acme!.key!)).toContain('BEGIN ENCRYPTED PRIVATE KEY');
    const { ports } = (await world()).target;
    const target = await openTarget(
      { ...ports, files, clock: clock(), secrets: fakeSecrets({ 'env:P12': 'geheim' }) },
      {
        name: 'acme',
        profile: resolved(await store.settings.read(), 'acme', acme!),
        origin: 'flag',
        builtIn: false,
      },
      { dryRun: false },
    );
    const { certificate } = await target.material();
    expect(Buffer.from(certificate.der).equals(new X509Certificate(seal.certificate).raw)).toBe(true);
    const { certificate: tls = '', key, passphrase } = await target.connection();
    const opened = createPrivateKey({ key: key!.reveal(), passphrase: passphrase!.reveal() });
    expect(new X509Certificate(tls).checkPrivateKey(opened)).toBe(true);
    expect(tls.match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
  });

  it('says that a file with many rounds takes a while, and says nothing of others', async () => {
    p12['slow.p12'] = there.pkcs12(seal, 'geheim', '-iter', '60000');
    p12['mac.p12'] = there.pkcs12(seal, 'geheim', '-macalg', 'SHA256', '-iter', '50001');
    const told = async (file: string) => {
      const notices = fakeNotices();
      const files = memoryFiles(p12);
      const person = fakePerson().answer('passphrase', 'geheim');
      const { code } = await program(`cert import ${file} --dir d --json`, {
        ports: { files, person, notices },
      });
      return [code, notices.said.join()];
    };
    expect(await told('slow.p12')).toEqual([0, expect.stringContaining('goes through 60000 rounds')]);
    expect(await told('mac.p12')).toEqual([0, expect.stringContaining('goes through 50001 rounds')]);
    expect(await told('qwac.p12')).toEqual([0, '']);
  });

  it('writes each certificate of a chain once, whatever the order', async () => {
    const { files, run, text } = await shop();
    const { ca } = there;
    files.contents.set('/cwd/mixed.pem', Buffer.from(ca + seal.certificate + ca + seal.certificate));
    files.contents.set('/cwd/seal.key', Buffer.from(seal.key));
    expect((await run('mixed.pem --key seal.key --dir d')).code).toBe(0);
    expect(text('/cwd/d/mixed-qsealc.pem')).toBe(
      [seal.certificate, ca].map((pem) => new X509Certificate(pem).toString()).join(''),
    );
  });

  it('converts DER, with its key in DER too', async () => {
    const { files, run, text } = await shop();
    files.contents.set('/cwd/seal.der', new X509Certificate(seal.certificate).raw);
    const key = createPrivateKey(seal.key);
    files.contents.set('/cwd/seal.p8', key.export({ format: 'der', type: 'pkcs8' }));
    expect((await run('seal.der --key seal.p8 --dir d')).code).toBe(0);
    expect(text('/cwd/d/seal-qsealc.pem')).toBe(new X509Certificate(seal.certificate).toString());
    expect(createPrivateKey(text('/cwd/d/seal-qsealc-key.pem')).equals(key)).toBe(true);
  });

  it('leaves what stood there, unless forced; a key without a passphrase stays without', async () => {
    const { files, run, text } = await shop();
    expect((await run('open.p12 --dir d', '')).code).toBe(0);
    expect(text('/cwd/d/open-qsealc-key.pem')).toContain('BEGIN PRIVATE KEY');
    const before = new Map(files.contents);
    expect((await run('open.p12 --dir d', '')).code).toBe(2);
    expect(files.contents).toEqual(before);
    expect((await run('open.p12 --dir d --force', '')).code).toBe(0);
  });

  it.each(['seal.pem', 'seal.der', 'bare.p12'])('takes the certificate alone of %s', async (file) => {
    const { files, run, store, text } = await shop();
    const { code, stdout, stderr } = await run(`${file} --as qsealc --dir d`);
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ key: null, encrypted: false });
    const name = file.replace(/[.].*/, '');
    expect(new X509Certificate(text(`/cwd/d/${name}-qsealc.pem`)).fingerprint256).toBe(
      new X509Certificate(seal.certificate).fingerprint256,
    );
    expect([...files.contents.keys()].filter((path) => path.includes('-key'))).toEqual([]);
    expect((await run(`${file} --as qsealc --profile acme`)).code).toBe(0);
    expect((await store.settings.read()).profiles['acme']).toMatchObject({
      certificate: '/conf/certificates/acme-qsealc.pem',
    });
  });

  it('keeps the key of a profile, and refuses a certificate that it does not belong to', async () => {
    const { run, store } = await shop();
    expect((await run('open.p12 --as qsealc --profile acme', '')).code).toBe(0);
    const before = (await store.settings.read()).profiles['acme'];
    expect((await run('seal.pem --as qsealc --profile acme --force')).code).toBe(0);
    expect((await store.settings.read()).profiles['acme']).toEqual(before);
    const refused = await run('other.pem --as qsealc --profile acme --force');
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain('does not belong');
    expect((await store.settings.read()).profiles['acme']).toEqual(before);
  });

  it.each([
    ['seal.p12', 'falsch', 3, 'passphrase is wrong'],
    ['seal.p12', null, 3, 'no passphrase was given'],
    ['seal.p12 --profile nobody', 'geheim', 3, 'There is no profile'],
    ['seal.p12 --profile sandbox', 'geheim', 2, 'built in'],
  ] as const)('%s with %s is refused', async (line, passphrase, code, said) => {
    const { files, run } = await shop();
    const count = files.contents.size;
    const seen = await run(line, passphrase);
    expect({
      code: seen.code,
      said: seen.stderr.includes(said),
      written: files.contents.size - count,
    }).toEqual({
      code,
      said: true,
      written: 0,
    });
  });
});
