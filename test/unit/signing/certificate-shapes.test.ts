import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { lintCertificates, purposeOf } from '../../../src/signing/certificate-lint.ts';
import type { CertificatePurpose } from '../../../src/signing/certificate-lint.ts';
import { inspectCertificate } from '../../../src/signing/certificate-report.ts';
import * as by from '../../helpers/certificate-by-hand.ts';
import { at, name } from '../../helpers/certificate-by-hand.ts';
import { hasOpenssl } from './fixtures.ts';
import { make, middle, root, wish } from './shaped.ts';
import type { Shape } from './shaped.ts';

/** Shapes of certificates as trust services publish them in their policies and test certificates. */
describe('the lint of certificates of', () => {
  const subject = (c: string, id: string, cn: string, ...more: (readonly [string, string])[]) =>
    name([at.C, c], ...more, [at.O, 'Zahl S.A.'], [at.ID, id], [at.CN, cn]);
  const ev: (readonly [string, string])[] = [
    ['2.5.4.15', 'Private Organization'],
    ['1.3.6.1.4.1.311.60.2.1.3', 'DE'],
    ['2.5.4.5', 'HRB 12345'],
    ['2.5.4.8', 'Berlin'],
    ['2.5.4.7', 'Berlin'],
    ['2.5.4.9', 'Kommandantenstr. 15'],
    ['2.5.4.17', '10969'],
  ];
  const qc = (kind: 'eseal' | 'web', ncaId: string, ...more: Buffer[]) => [
    by.compliance,
    by.qcType(kind),
    by.psd2(['PI', 'AI'], 'Authority', ncaId),
    ...more,
  ];
  const places = (language: string) =>
    by.pds(['en', 'https://qtsp.example/pds_en.pdf'], [language, `https://qtsp.example/pds_${language}.pdf`]);

  test.each<[string, CertificatePurpose, Shape]>([
    [
      'a German QWAC: EV, keyEncipherment, both usages, own policy',
      'qwac',
      {
        subject: subject('DE', 'PSDDE-BAFIN-125314', 'psd2.zahl.example', ...ev),
        usage: by.keyUsage('digitalSignature', 'keyEncipherment'),
        hosts: by.hosts('psd2.zahl.example'),
        policies: by.policies('1.3.6.1.4.1.4788.2.202.3.1', '2.23.140.1.1', '0.4.0.19495.3.1'),
        statements: qc('web', 'DE-BAFIN', places('de')),
        more: [by.cabf('PSD', 'DE', 'BAFIN-125314')],
      },
    ],
    [
      'a German seal: nonRepudiation alone, on a device',
      'qsealc',
      {
        subject: subject('DE', 'PSDDE-BAFIN-125314', 'Zahl PSD2', ['2.5.4.5', 'CSM012345678']),
        policies: by.policies('0.4.0.194112.1.3', '1.3.6.1.4.1.4788.2.150.2'),
        statements: qc('eseal', 'DE-BAFIN', by.onDevice, places('de')),
      },
    ],
    [
      'a Hungarian seal: retention, limit, digitalSignature too',
      'qsealc',
      {
        subject: subject('HU', 'PSDHU-CBH-12345678', 'Fizet Kft.', ['2.5.4.7', 'Budapest']),
        usage: by.keyUsage('digitalSignature', 'nonRepudiation'),
        policies: by.policies('1.3.6.1.4.1.21528.2.1.1.198.2.13', '0.4.0.194112.1.1'),
        statements: qc('eseal', 'HU-CBH', by.retention(10), by.limit('HUF', 0), places('hu')),
      },
    ],
    [
      'a Hungarian QWAC: retention, no extension of the CA/B Forum without EV',
      'qwac',
      {
        subject: subject('HU', 'PSDHU-CBH-12345678', 'fizet.example'),
        hosts: by.hosts('fizet.example', 'www.fizet.example'),
        policies: by.policies('0.4.0.194112.1.5', '0.4.0.19495.3.1'),
        statements: qc('web', 'HU-CBH', by.retention(10), places('hu')),
      },
    ],
    [
      'an Italian seal: number with a dot, mail address and smart card usage',
      'qsealc',
      {
        subject: subject('IT', 'PSDIT-BI-19540.4', 'Paga S.p.A.'),
        extended: by.extendedKeyUsage('1.3.6.1.5.5.7.3.4'),
        statements: qc('eseal', 'IT-BI', by.retention(20), places('it')),
      },
    ],
    [
      'a Spanish QWAC: no common name',
      'qwac',
      {
        subject: name([at.C, 'ES'], [at.O, 'Paga SL'], [at.ID, 'PSDES-BDE-3DFD21']),
        statements: qc('web', 'ES-BDE', places('es')),
        more: [by.cabf('PSD', 'ES', 'BDE-3DFD21')],
      },
    ],
    [
      'a French seal: type B, description of the register',
      'qsealc',
      {
        subject: subject('FR', 'PSDFR-ACPR-14328', 'CACHET PAYE', [at.OU, '0002 123456789']),
        usage: by.keyUsage('digitalSignature', 'nonRepudiation'),
        policies: by.policies('1.2.250.1.177.2.9.1.2', '0.4.0.194112.1.3'),
        statements: qc(
          'eseal',
          'FR-ACPR',
          by.onDevice,
          by.pds(['fr', 'https://x.example/f'], ['en', 'https://x.example/e']),
        ),
      },
    ],
    [
      'a Polish QWAC: number with a slash, several hosts and a star',
      'qwac',
      {
        subject: subject('PL', 'PSDPL-PFSA-IP1/2012', '*.platnosci.example'),
        hosts: by.hosts('platnosci.example', '*.platnosci.example'),
        statements: qc('web', 'PL-PFSA', places('pl')),
      },
    ],
    [
      'a Belgian QWAC of the EV kind: number with dots',
      'qwac',
      {
        subject: subject('BE', 'PSDBE-NBB-1234.567.890', 'betaal.example', ...ev),
        hosts: by.hosts('betaal.example'),
        policies: by.policies('2.23.140.1.1', '0.4.0.194112.1.4'),
        statements: qc('web', 'BE-NBB', by.pds(['en', 'https://qtsp.example/pds'])),
        more: [by.cabf('PSD', 'BE', 'NBB-1234.567.890')],
      },
    ],
    [
      'a Luxembourg seal: type F',
      'qsealc',
      {
        subject: subject('LU', 'PSDLU-CSSF-W00000010', 'Paie S.A.'),
        usage: by.keyUsage('digitalSignature', 'nonRepudiation', 'keyEncipherment'),
        statements: qc('eseal', 'LU-CSSF', by.pds(['en', 'https://qtsp.example/pds'])),
      },
    ],
    [
      'a Nordic QWAC: keyAgreement of an EC key, three roles',
      'qwac',
      {
        subject: subject('SE', 'PSDSE-FINA-44059', 'betala.example'),
        usage: by.keyUsage('digitalSignature', 'keyAgreement'),
        hosts: by.hosts('betala.example'),
        statements: [
          by.compliance,
          by.qcType('web'),
          by.psd2(['PI', 'AI', 'IC'], 'Finansinspektionen', 'SE-FINA'),
          by.pds(['en', 'https://qtsp.example/pds'], ['sv', 'https://qtsp.example/pds_sv']),
        ],
      },
    ],
    [
      'a Greek seal: legislation beside the statements',
      'qsealc',
      {
        subject: subject('GR', 'PSDGR-BOG-42', 'Πληρωμές ΑΕ'),
        statements: qc(
          'eseal',
          'GR-BOG',
          by.seq(by.oid('0.4.0.1862.1.7'), by.seq(by.printable('GR'))),
          places('el'),
        ),
      },
    ],
  ])('raises no false alarm on %s', (_, as, shape) => {
    const made = make(as, shape);
    expect(purposeOf(inspectCertificate(made.der))).toBe(as);
    for (const chain of [
      [made.der, middle.der],
      [made.der, middle.der, root.der],
    ])
      expect(lintCertificates(chain, wish)).toEqual([]);
  });

  test.skipIf(!hasOpenssl)('agrees with openssl on what was written by hand', () => {
    const made = make('qwac', { more: [by.cabf('PSD', 'DE', 'BAFIN-125314')] });
    const text = execFileSync('openssl', ['x509', '-noout', '-text'], { input: made.pem, encoding: 'utf8' });
    for (const part of [
      'PSDDE-BAFIN-125314',
      'DNS:tpp.example',
      'TLS Web Client Authentication',
      '2.23.140.3.1',
    ])
      expect(text).toContain(part);
  });
});
