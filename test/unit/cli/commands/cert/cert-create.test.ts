import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { CertificateView } from '../../../../../src/client/certificates/read-certificates.ts';
import { fakeClock, memoryFiles } from '../../../../helpers/fakes/index.ts';
import { program } from '../../../../helpers/program.ts';
import { hasOpenssl, openssl } from '../../../signing/fixtures.ts';

const order = [
  'cert',
  'create',
  '--org-id',
  'PSDDE-BAFIN-123456',
  '--name',
  'Test TPP GmbH',
  '--dir',
  'd',
  '--json',
];
const clock = () => fakeClock({ at: new Date().toISOString() });

const shop = () => {
  const files = memoryFiles();
  const run = (...args: string[]) => program([...order, ...args], { ports: { files, clock: clock() } });
  const text = (name: string) => Buffer.from(files.contents.get(`/cwd/d/${name}`)!).toString();
  const lint = async (name: string, ...args: string[]) => {
    const ports = { files, clock: clock() };
    const seen = await program(
      ['cert', 'lint', `d/${name}.pem`, '--key', `d/${name}-key.pem`, '--json', ...args],
      { ports },
    );
    return (JSON.parse(seen.stdout) as { findings: { rule: string }[] }).findings.map(({ rule }) => rule);
  };
  return { files, run, text, lint };
};

describe('obk cert create', () => {
  it.each([
    ['rsa-2048', 2048],
    ['rsa-3072', 3072],
    ['ec-p256', undefined],
  ])('makes both kinds with a key of %s, of one authority, and lint finds nothing', async (keyType, bits) => {
    const { run, text, lint } = shop();
    const isNew = (stdout: string) => (JSON.parse(stdout) as { newAuthority: boolean }).newAuthority;
    // RSA keys take their time: the authority has an EC key, and of each size one is made.
    const first = await run('--type', 'qwac', '--key-type', 'ec-p256');
    const { code, stdout } = await run('--type', 'qsealc', '--key-type', keyType);
    expect([first.code, isNew(first.stdout), code, isNew(stdout)]).toEqual([0, true, 0, false]);
    for (const type of ['qwac', 'qsealc']) {
      expect(await lint(type, '--as', type, '--needs', 'PI,AI,IC')).toEqual([]);
      const leaf = new X509Certificate(text(`${type}.pem`));
      expect(leaf.verify(new X509Certificate(text('ca.pem')).publicKey)).toBe(true);
      expect(leaf.subject).toContain('TEST ONLY - NOT QUALIFIED');
    }
    const { publicKey } = new X509Certificate(text('qsealc.pem'));
    expect(publicKey.asymmetricKeyDetails?.modulusLength).toBe(bits);
  });

  it('writes over nothing without --force, and never over the authority', async () => {
    const { run, text, files } = shop();
    await run('--type', 'qsealc', '--key-type', 'ec-p256');
    const before = new Map(files.contents);
    const refused = await run('--type', 'qsealc');
    expect({ code: refused.code, said: refused.stderr.includes('/cwd/d/qsealc.pem exists already') }).toEqual(
      {
        code: 2,
        said: true,
      },
    );
    expect(files.contents).toEqual(before);
    expect((await run('--type', 'qsealc', '--key-type', 'ec-p256', '--force', '--roles', 'AI')).code).toBe(0);
    expect(text('ca.pem')).toBe(Buffer.from(before.get('/cwd/d/ca.pem')!).toString());
    expect(text('qsealc.pem')).not.toBe(Buffer.from(before.get('/cwd/d/qsealc.pem')!).toString());
    files.contents.delete('/cwd/d/ca-key.pem');
    expect((await run('--type', 'qwac')).stderr).toContain('Half of the test authority is missing');
  });

  it('writes here for a test TPP where nothing else is said', async () => {
    const files = memoryFiles();
    const made = await program(
      [
        'cert',
        'create',
        '--type',
        'qwac',
        '--key-type',
        'ec-p256',
        '--org-id',
        'PSDDE-BAFIN-123456',
        '--json',
      ],
      { ports: { files, clock: clock() } },
    );
    expect(made.code).toBe(0);
    expect([...files.contents.keys()].sort()).toContain('/cwd/qwac.pem');
  });

  it.each([
    [['--type', 'qwac', '--org-id', 'PSDDE-BaFin-1'], 'registration number'],
    [['--type', 'qwac', '--roles', 'PSP_XX'], 'PI,AI,IC'],
    [['--type', 'esign'], '--type takes qwac, qsealc'],
    [[], 'Missing --type'],
  ])('refuses %j', async (args, said) => {
    const { code, stderr } = await shop().run(...args);
    expect({ code, said: stderr.includes(said) }).toEqual({ code: 2, said: true });
  });

  it.each([
    [['--name', ''], '--name is empty'],
    [['--name', 'a\nb'], 'line end'],
    [['--name', 'x'.repeat(65)], 'has 65 characters; a certificate takes 64'],
    [['--nca-name', ' '], '--nca-name is empty'],
    [['--nca-name', 'x'.repeat(257)], 'takes 256'],
    [['--dns', 'https://tpp.example'], 'no name of a host'],
    [['--dns', 'a b.example'], 'no name of a host'],
    [['--dns', 'a..example'], 'no name of a host'],
    [['--dns', '-a.example'], 'no name of a host'],
    [['--dns', `${'a'.repeat(64)}.example`], 'no name of a host'],
    [['--dns', 'müller.example'], 'xn--'],
    [['--dns', '127.0.0.1'], 'no name of a host'],
    [['--dns', ''], 'no name of a host'],
    [['--days', '0'], 'for a day at least'],
    [['--org-id', 'PSDDE-BAFIN-1 '], 'has a blank'],
    [['--org-id', 'PSDUK-FCA-1'], 'no country of ISO 3166 (GB is)'],
  ])('refuses the impossible %j, and writes nothing', async (args, said) => {
    const { run, files } = shop();
    const { code, stderr } = await run('--type', 'qwac', '--key-type', 'ec-p256', ...args);
    expect({ code, said: stderr.includes(said), stderr }).toMatchObject({ code: 2, said: true });
    expect([...files.contents.keys()]).toEqual([]);
  });

  it('makes none that would outlive its authority', async () => {
    const { run, files } = shop();
    const ec = ['--key-type', 'ec-p256'];
    await run('--type', 'qsealc', ...ec);
    const before = new Map(files.contents);
    const { code, stderr } = await run('--type', 'qwac', '--days', '4000', ...ec);
    expect(code).toBe(2);
    expect(stderr).toContain('would outlive its authority');
    expect(stderr).toMatch(/--days 36(49|50)/);
    expect(files.contents).toEqual(before);
    expect((await run('--type', 'qwac', '--days', '3649', ...ec)).code).toBe(0);
  });

  it('gives a QWAC its first host as common name, the registration once more, and a disclosure statement', async () => {
    const { run, files } = shop();
    const long = `${'a'.repeat(60)}.example`;
    for (const dns of [['tpp.example', 'www.tpp.example'], [long, 'b.example'], []]) {
      const flags = dns.flatMap((name) => ['--dns', name]);
      await run('--type', 'qwac', '--key-type', 'ec-p256', '--force', ...flags);
      const seen = await program(['cert', 'inspect', 'd/qwac.pem', '--json'], {
        ports: { files, clock: clock() },
      });
      const [view] = JSON.parse(seen.stdout) as CertificateView[];
      expect(view!.alternativeNames.map(({ value }) => value)).toEqual(
        dns.length === 0 ? ['localhost'] : dns,
      );
      const common = dns[0] === long ? 'b.example' : (dns[0] ?? 'localhost');
      expect(view!.subject).toMatch(new RegExp(`^CN=${common},`));
      expect(view!.cabfOrganizationIdentifier).toEqual({
        scheme: 'PSD',
        country: 'DE',
        reference: 'BAFIN-123456',
      });
      expect(view!.qcStatements!.pds).toEqual([
        { url: 'https://obk.example/test-pds-en.pdf', language: 'en' },
      ]);
    }
  });

  it.skipIf(!hasOpenssl)('openssl verifies them and shows the PSD2 statement', async () => {
    const { run, text } = shop();
    const ec = ['--key-type', 'ec-p256'];
    await run('--type', 'qsealc', '--roles', 'PSP_PI,PSP_AI', '--nca-name', 'Zahlungsaufsicht', ...ec);
    await run('--type', 'qwac', '--dns', 'tpp.example.com', ...ec);
    const names = ['ca.pem', 'qsealc.pem', 'qwac.pem'];
    const files = Object.fromEntries(names.map((name) => [name, text(name)]));
    const verify = ['verify', '-CAfile', '@ca.pem'];
    expect(openssl([...verify, '@qsealc.pem'], files)).toContain(': OK');
    expect(openssl([...verify, '-purpose', 'sslclient', '@qwac.pem'], files)).toContain(': OK');
    const shown = openssl(['asn1parse', '-in', '@qsealc.pem'], files);
    const value = /qcStatements\s[^]*?\[HEX DUMP\]:([0-9A-F]+)/.exec(shown)![1]!;
    const statement = openssl(['asn1parse', '-inform', 'DER', '-in', '@qc'], {
      qc: Buffer.from(value, 'hex'),
    });
    const written = openssl(['x509', '-in', '@qwac.pem', '-noout', '-text'], files);
    expect(written).toMatch(/2\.23\.140\.3\.1:\s+0[^]*PSD[^]*BAFIN-123456/);
    for (const part of [
      '0.4.0.19495.2',
      '0.4.0.1862.1.5',
      'https://obk.example/test-pds-en.pdf',
      '0.4.0.19495.1.2',
      'PSP_PI',
      'PSP_AI',
      'Zahlungsaufsicht',
      'DE-BAFIN',
      '0.4.0.1862.1.6.2',
    ]) {
      expect(statement).toContain(part);
    }
    expect(statement).not.toContain('PSP_IC');
  });
});
