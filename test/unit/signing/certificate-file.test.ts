import { createPrivateKey, X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Secret } from '../../../src/base/secret.ts';
import { readCertificateFile } from '../../../src/signing/certificate-file.ts';
import { inspectCertificate } from '../../../src/signing/certificate-report.ts';
import { hasOpenssl } from './fixtures.ts';
import { ai, eseal, foreignAuthority, pi, statementsOf } from './foreign-certificates.ts';

describe.skipIf(!hasOpenssl)('a certificate made by openssl', () => {
  let there: ReturnType<typeof foreignAuthority>;
  let rsa: { certificate: string; key: string };
  let ec: { certificate: string; key: string };
  beforeAll(() => {
    there = foreignAuthority();
    rsa = there.issue({ key: ['rsa:2048'], statements: statementsOf(eseal, [pi, ai]) });
    ec = there.issue({ statements: statementsOf(eseal, [pi]) });
  });
  afterAll(() => {
    there.close();
  });

  const fingerprint = (der: Uint8Array | string) => new X509Certificate(der).fingerprint256;
  const legacy = ['-legacy', '-certpbe', 'PBE-SHA1-RC2-40', '-keypbe', 'PBE-SHA1-3DES', '-macalg', 'SHA1'];

  test.each<[string, () => { certificate: string; key: string }, string, string[]]>([
    ['RSA, as openssl 3 writes it', () => rsa, 'geheim', []],
    ['RSA, the old RC2 and 3DES', () => rsa, 'geheim', legacy],
    ['EC, as openssl 3 writes it', () => ec, 'geheim', []],
    ['EC, the old RC2 and 3DES', () => ec, 'geheim', legacy],
    ['a passphrase beyond ASCII', () => rsa, 'Schlüssel€', []],
    ['a passphrase beyond ASCII, old', () => rsa, 'Schlüssel€', legacy],
    ['an empty passphrase', () => rsa, '', []],
  ])('is read from PKCS#12: %s', async (_, pair, passphrase, flags) => {
    const bytes = there.pkcs12(pair(), passphrase, ...flags);
    const file = await readCertificateFile(bytes, 'a.p12', new Secret(passphrase));
    expect(file.format).toBe('pkcs12');
    expect(file.certificates.map(fingerprint)).toEqual([pair().certificate, there.ca].map(fingerprint));
    const key = (pem: string) => createPrivateKey(pem).export({ format: 'der', type: 'pkcs8' });
    expect(file.keys.map((found) => key(found.reveal()))).toEqual([key(pair().key)]);
  });

  test.each([[[]], [legacy]])(
    'is reported with a wrong or missing passphrase of PKCS#12 %s',
    async (flags) => {
      const bytes = there.pkcs12(rsa, 'geheim', ...flags);
      for (const passphrase of [new Secret('falsch'), undefined]) {
        await expect(readCertificateFile(bytes, 'a.p12', passphrase)).rejects.toMatchObject({
          code: 'KEY_PASSPHRASE',
          exit: 3,
        });
      }
    },
  );

  test('is reported as damaged in PKCS#12', async () => {
    const bytes = there.pkcs12(rsa, 'geheim');
    for (const broken of [bytes.subarray(0, 100), Buffer.from('3003020103', 'hex')]) {
      await expect(readCertificateFile(broken, 'a.p12', new Secret('geheim'))).rejects.toMatchObject({
        code: 'CERTIFICATE_FILE',
      });
    }
  });

  test('is recognised in PEM with several, one line, DER and base64', async () => {
    const der = new X509Certificate(rsa.certificate).raw;
    const forms: [string, Uint8Array | string, number][] = [
      ['pem', `Bag Attributes\n  x\n${rsa.certificate}\n${there.ca}`, 2],
      ['pem', rsa.certificate.replaceAll('\n', ''), 1],
      ['pem', encodeURIComponent(rsa.certificate), 1],
      ['base64', der.toString('base64'), 1],
      ['der', der, 1],
    ];
    for (const [format, bytes, count] of forms) {
      const file = await readCertificateFile(Buffer.from(bytes), 'x');
      expect({ format: file.format, count: file.certificates.length }).toEqual({ format, count });
      expect(fingerprint(file.certificates[0]!)).toBe(fingerprint(rsa.certificate));
    }
  });

  test('has its statements read as openssl wrote them', () => {
    const report = inspectCertificate(rsa.certificate);
    expect(report).toMatchObject({
      organization: { scheme: 'PSD', country: 'DE', authority: 'BAFIN', number: '125314' },
      keyUsages: ['digitalSignature', 'nonRepudiation'],
      odd: [],
      qcStatements: {
        compliance: true,
        types: ['eseal'],
        psd2: { roles: [{ name: 'PSP_PI' }, { name: 'PSP_AI' }], ncaId: 'DE-BAFIN' },
      },
    });
  });

  const psd2 = '[statements]\nc=SEQUENCE:psd2\n[psd2]\no=OID:0.4.0.19495.2\n';
  const pair = 'o=OID:0.4.0.19495.1.2\nn=UTF8:PSP_PI\n';
  test.each<[string, string, object, string]>([
    [
      'roles without a SEQUENCE each',
      `${psd2}i=SEQUENCE:info\n[info]\nr=SEQUENCE:roles\nn=UTF8:BaFin\nc=UTF8:DE-BAFIN\n[roles]\n${pair}o2=OID:0.4.0.19495.1.3\nn2=UTF8:PSP_AI`,
      { roles: [{ name: 'PSP_PI' }, { name: 'PSP_AI' }], ncaName: 'BaFin', ncaId: 'DE-BAFIN' },
      'does not follow ETSI',
    ],
    [
      'a statement without a SEQUENCE of its content',
      `${psd2}r=SEQUENCE:roles\nn=UTF8:BaFin\nc=UTF8:DE-BAFIN\n[roles]\na=SEQUENCE:one\n[one]\n${pair}`,
      { roles: [{ name: 'PSP_PI' }], ncaName: 'BaFin', ncaId: 'DE-BAFIN' },
      'does not follow ETSI',
    ],
    [
      'PrintableString',
      `${psd2}i=SEQUENCE:info\n[info]\nr=SEQUENCE:roles\nn=PRINTABLE:BaFin\nc=PRINTABLE:DE-BAFIN\n[roles]\na=SEQUENCE:one\n[one]\n${pair}`,
      { roles: [{ name: 'PSP_PI' }], ncaName: 'BaFin', ncaId: 'DE-BAFIN' },
      'does not follow ETSI',
    ],
    [
      'a role under the name of another',
      `${psd2}i=SEQUENCE:info\n[info]\nr=SEQUENCE:roles\nn=UTF8:BaFin\nc=UTF8:DE-BAFIN\n[roles]\na=SEQUENCE:one\n[one]\n${pair.replace('PSP_PI', 'PSP_AI')}`,
      { roles: [{ oid: '0.4.0.19495.1.2', name: 'PSP_AI' }] },
      'is called "PSP_AI", not PSP_PI',
    ],
    [
      'statements that stand bare',
      '[statements]\na=OID:0.4.0.1862.1.1\nb=OID:0.4.0.19495.2\ni=SEQUENCE:info\n[info]\nr=SEQUENCE:roles\nn=UTF8:BaFin\n' +
        `c=UTF8:DE-BAFIN\n[roles]\na=SEQUENCE:one\n[one]\n${pair}`,
      { roles: [{ name: 'PSP_PI' }], ncaId: 'DE-BAFIN' },
      'has no SEQUENCE of its own',
    ],
  ])('may be odd: %s', (_, statements, expected, said) => {
    const report = inspectCertificate(there.issue({ statements }).certificate);
    expect(report.qcStatements?.psd2).toMatchObject(expected);
    expect(report.odd.join('\n')).toContain(said);
  });

  test('may have a PSD2 statement without content, and a damaged extension', () => {
    const bare = inspectCertificate(there.issue({ statements: psd2 }).certificate);
    expect(bare.qcStatements?.psd2).toBeUndefined();
    expect(bare.odd).toEqual(['The PSD2 statement has no content.']);
    const damaged = inspectCertificate(there.issue({ more: '2.5.29.32=DER:04020000' }).certificate);
    expect(damaged.odd).toEqual(['The extension 2.5.29.32 is damaged.']);
    expect(damaged.keyUsages).toEqual(['digitalSignature', 'nonRepudiation']);
  });
});
