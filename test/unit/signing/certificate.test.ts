import { X509Certificate } from 'node:crypto';
import { connect, createServer } from 'node:tls';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { ObkError } from '../../../src/base/errors.ts';
import type { IssuedCertificate } from '../../../src/signing/certificate.ts';
import { createServerCertificate, createTestCa } from '../../../src/signing/certificate.ts';
import { inspectCertificate } from '../../../src/signing/certificate-report.ts';
import { encodeQcStatements, readQcStatements } from '../../../src/signing/qc-statements.ts';
import { hasOpenssl, ncaName, notAfter, notBefore, openssl, sealCertificate, vectorCa } from './fixtures.ts';
import { runs } from '../../helpers/trials.ts';

const statements = Buffer.from(
  '3081A33008060604008E4601013013060604008E4601063009060704008E4601060230818106060400819827023077303930110607040081' +
    '982701020C065053505F504930110607040081982701030C065053505F414930110607040081982701040C065053505F49430C3042756E64' +
    '6573616E7374616C7420667565722046696E616E7A6469656E73746C65697374756E677361756673696368740C0844452D424146494E',
  'hex',
);

let ca: IssuedCertificate;
let seal: IssuedCertificate;
let web: IssuedCertificate;
beforeAll(async () => {
  ca = await vectorCa();
  seal = await sealCertificate(ca, { keyType: 'rsa', pds: [] });
  web = await sealCertificate(ca, {
    type: 'qwac',
    roles: ['PSP_AI'],
    dnsNames: ['tpp.example.com', 'www.example.com'],
  });
});

describe('QCStatements', () => {
  test('are these 166 bytes for an eSeal with three roles', () => {
    const made = encodeQcStatements({
      ...{ type: 'eseal', roles: ['PSP_PI', 'PSP_AI', 'PSP_IC'] },
      ...{ ncaName, ncaId: 'DE-BAFIN' },
    });
    expect(Buffer.from(made).toString('hex')).toBe(statements.toString('hex'));
    expect(made.length).toBe(166);
  });

  test('are in the certificate unchanged', () => {
    expect(new X509Certificate(seal.certificatePem).raw.includes(statements)).toBe(true);
  });

  test('are read back', () => {
    expect(readQcStatements(statements)).toEqual({
      compliance: true,
      types: ['eseal'],
      sscd: false,
      pds: [],
      psd2: {
        roles: [
          { oid: '0.4.0.19495.1.2', name: 'PSP_PI' },
          { oid: '0.4.0.19495.1.3', name: 'PSP_AI' },
          { oid: '0.4.0.19495.1.4', name: 'PSP_IC' },
        ],
        ncaName,
        ncaId: 'DE-BAFIN',
      },
      others: [],
      odd: [],
    });
  });

  test('stay as dotted text where they are of other kinds; QcSSCD is known', () => {
    // SEQUENCE { { 0.4.0.1862.1.4 }, { 0.4.0.1862.1.3, INTEGER 15 }, { 0.4.0.1862.1.6, { .6.1, .6.9 } } }
    const value = Buffer.from(
      '303a' +
        '300806060400' +
        '8e460104' +
        '300b06060400' +
        '8e46010302010f' +
        '3021' +
        '060604008e460106' +
        '3017' +
        '060704008e46010601' +
        '060704008e46010609' +
        '06032a0304',
      'hex',
    );
    expect(readQcStatements(value)).toEqual({
      compliance: false,
      types: ['esign', '0.4.0.1862.1.6.9', '1.2.3.4'],
      sscd: true,
      pds: [],
      retentionYears: 15,
      others: [],
      odd: [],
    });
  });
});

describe('inspectCertificate', () => {
  test('reads a QSealC', () => {
    const { fingerprints, keyIds, pem, ...report } = inspectCertificate(seal.certificatePem);
    expect(report).toEqual({
      subject:
        'CN=Example TPP GmbH, organizationIdentifier=PSDDE-BAFIN-125314, OU=TEST ONLY - NOT QUALIFIED, ' +
        'O=Example TPP GmbH, C=DE',
      issuer: 'CN=Test QTSP CA 1, organizationIdentifier=VATDE-123456789, O=Test Bank Trust GmbH, C=DE',
      commonName: 'Example TPP GmbH',
      country: 'DE',
      organizationIdentifier: 'PSDDE-BAFIN-125314',
      cabfOrganizationIdentifier: undefined,
      organization: { scheme: 'PSD', country: 'DE', authority: 'BAFIN', number: '125314' },
      serial: 'a1b2c3d4e',
      serialDecimal: '43405557070',
      notBefore,
      notAfter,
      key: { type: 'rsa', size: 2048 },
      signatureAlgorithm: 'ecdsa-with-SHA256',
      selfSigned: false,
      isCa: false,
      keyUsages: ['digitalSignature', 'nonRepudiation'],
      extendedKeyUsages: [],
      policies: ['0.4.0.194112.1.1'],
      alternativeNames: [],
      qcStatements: readQcStatements(statements),
      odd: [],
    });
    const native = new X509Certificate(seal.certificatePem);
    expect(fingerprints).toEqual({
      sha256: native.fingerprint256.replaceAll(':', '').toLowerCase(),
      sha1: native.fingerprint.replaceAll(':', '').toLowerCase(),
    });
    expect(keyIds['rfc2253-%20']).toBe(
      'SN=a1b2c3d4e,CA=CN=Test%20QTSP%20CA%201,2.5.4.97=#0c0f56415444452d313233343536373839,O=Test%20Bank%20Trust%20GmbH,C=DE',
    );
    expect(keyIds.openssl).toMatch(/^SN=0A1B2C3D4E,CA=C = DE, O = /);
    expect(pem).toBe(new X509Certificate(seal.certificatePem).toString());
  });

  test('reads a QWAC', () => {
    expect(inspectCertificate(web.certificatePem)).toMatchObject({
      key: { type: 'ec', curve: 'prime256v1' },
      keyUsages: ['digitalSignature'],
      extendedKeyUsages: ['clientAuth', 'serverAuth'],
      policies: ['0.4.0.19495.3.1'],
      alternativeNames: [
        { type: 'dns', value: 'tpp.example.com' },
        { type: 'dns', value: 'www.example.com' },
      ],
      qcStatements: { types: ['web'], psd2: { roles: [{ name: 'PSP_AI' }] } },
    });
  });

  test('reads the authority', () => {
    expect(inspectCertificate(ca.certificatePem)).toMatchObject({
      isCa: true,
      selfSigned: true,
      keyUsages: ['keyCertSign', 'cRLSign'],
      qcStatements: undefined,
      organizationIdentifier: 'VATDE-123456789',
    });
  });

  test.each([
    ['DER', () => new X509Certificate(seal.certificatePem).raw],
    ['bare base64', () => new X509Certificate(seal.certificatePem).raw.toString('base64')],
    ['PEM on one line', () => seal.certificatePem.replaceAll('\n', '')],
    ['URL-encoded PEM', () => encodeURIComponent(seal.certificatePem)],
    ['URL-encoded PEM with plus signs', () => encodeURIComponent(seal.certificatePem).replaceAll('%20', '+')],
  ])('accepts %s', (_, form) => {
    expect(inspectCertificate(form()).serial).toBe('a1b2c3d4e');
  });

  test.each([
    ['nothing', ''],
    ['text', 'hello'],
    ['a damaged block', '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----'],
    ['broken URL encoding', '-----BEGIN%20CERTIFICATE-----%ZZ'],
    ['a request', '-----BEGIN CERTIFICATE REQUEST-----\nMIIB\n-----END CERTIFICATE REQUEST-----'],
    ['no bytes', new Uint8Array()],
  ])('refuses %s', (_, value) => {
    expect(() => inspectCertificate(value)).toThrow(
      expect.objectContaining({ code: 'CERTIFICATE_FILE', exit: 3 }),
    );
  });

  test('reads or refuses any damaged certificate, and never fails otherwise', () => {
    const der = new X509Certificate(seal.certificatePem).raw;
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(der.length - 1), fc.nat(255)), { maxLength: 4 }),
        fc.nat(der.length),
        (changes, cut) => {
          const damaged = Uint8Array.from(der);
          for (const [at, value] of changes) damaged[at] = value;
          for (const bytes of [damaged, damaged.subarray(0, cut)]) {
            try {
              inspectCertificate(bytes);
            } catch (error) {
              expect(error).toBeInstanceOf(ObkError);
            }
          }
        },
      ),
      { numRuns: runs(300) },
    );
  });
});

describe('a test certificate', () => {
  test.each(['seal', 'web', 'ca'] as const)('is marked as a test: %s', (which) => {
    const { certificatePem } = { seal, web, ca }[which];
    const { raw } = new X509Certificate(certificatePem);
    expect(raw.includes('Test certificate made by obk; not qualified.')).toBe(true);
  });

  test('names an authority without a given name as a test', async () => {
    const { certificatePem } = await createTestCa({ notBefore, notAfter });
    expect(inspectCertificate(certificatePem).subject).toContain('OU=TEST ONLY - NOT QUALIFIED');
  });

  test.each(['rsa', 'ec'] as const)(
    'is accepted by Node from an authority with an %s key',
    async (keyType) => {
      const authority = await createTestCa({ notBefore, notAfter, keyType });
      const leaf = new X509Certificate((await sealCertificate(authority)).certificatePem);
      const issuer = new X509Certificate(authority.certificatePem);
      expect(leaf.checkIssued(issuer)).toBe(true);
      expect(leaf.verify(issuer.publicKey)).toBe(true);
      expect(leaf.verify(new X509Certificate(ca.certificatePem).publicKey)).toBe(false);
    },
  );

  test('has a serial number of its own', async () => {
    const made = await Promise.all([
      createTestCa({ notBefore, notAfter }),
      createTestCa({ notBefore, notAfter }),
    ]);
    expect(new Set(made.map(({ certificatePem }) => inspectCertificate(certificatePem).serial)).size).toBe(2);
  });

  test('keeps its key secret', () => {
    expect(JSON.stringify(seal)).not.toContain('PRIVATE KEY');
    expect(seal.keyPem.reveal()).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
  });

  test.skipIf(!hasOpenssl)('is verified and read by openssl', () => {
    const files = {
      'ca.pem': ca.certificatePem,
      'seal.pem': seal.certificatePem,
      'web.pem': web.certificatePem,
    };
    const verify = ['verify', '-attime', '1767300000', '-CAfile', '@ca.pem'];
    expect(openssl([...verify, '@seal.pem', '@web.pem'], files).match(/: OK/g)).toHaveLength(2);
    expect(openssl([...verify, '-purpose', 'sslclient', '@web.pem'], files)).toContain(': OK');
    const text = openssl(['x509', '-in', '@seal.pem', '-noout', '-text'], files);
    for (const part of [
      '(0xa1b2c3d4e)',
      'qcStatements:',
      'Digital Signature, Non Repudiation',
      'PSP_PI',
      'DE-BAFIN',
    ]) {
      expect(text).toContain(part);
    }
    expect(openssl(['asn1parse', '-inform', 'DER', '-in', '@qc'], { qc: statements })).toContain(
      '0.4.0.19495.2',
    );
  });

  test('serves TLS on loopback, by name and by address', async () => {
    const inside = {
      notBefore: new Date('2000-01-01T00:00:00Z'),
      notAfter: new Date('2049-01-01T00:00:00Z'),
    };
    const authority = await createTestCa(inside);
    const { certificatePem, keyPem } = await createServerCertificate({ ca: authority, ...inside });
    const server = createServer({ cert: certificatePem, key: keyPem.reveal() }, (socket) => socket.end('hi'));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    try {
      const { port } = server.address() as { port: number };
      for (const servername of ['localhost', '']) {
        const name = servername === '' ? {} : { servername };
        const authorized = await new Promise<boolean>((done, fail) => {
          const socket = connect({ host: '127.0.0.1', port, ca: authority.certificatePem, ...name }, () => {
            done(socket.authorized);
            socket.destroy();
          }).on('error', fail);
        });
        expect(authorized).toBe(true);
      }
    } finally {
      server.close();
    }
  });
});
