import { describe, expect, test } from 'vitest';
import { lintCertificates } from '../../../src/signing/certificate-lint.ts';
import type { CertificatePurpose } from '../../../src/signing/certificate-lint.ts';
import * as by from '../../helpers/certificate-by-hand.ts';
import { at, name } from '../../helpers/certificate-by-hand.ts';
import type { Shape } from './shaped.ts';
import { english, identity, make, middle, nca, psd2, root, wish } from './shaped.ts';

const lint = (as: CertificatePurpose, shape?: Shape) =>
  lintCertificates([make(as, shape).der, middle.der], { ...wish, as }).map(
    ({ severity, rule, text }) => [`${severity} ${rule}`, text] as const,
  );
const found = (as: CertificatePurpose, shape?: Shape) => lint(as, shape).map(([what]) => what);

describe('a fault of a certificate', () => {
  const web = (...list: Buffer[]) => ({ statements: [by.compliance, english, by.qcType('web'), ...list] });
  const seal = (...list: Buffer[]) => ({ statements: [by.compliance, by.qcType('eseal'), psd2, ...list] });
  const owner = (id: string, common = 'Zahl GmbH') => ({ subject: identity(id, common) });
  const host = (common: string) => ({ subject: identity('PSDDE-BAFIN-125314', common) });

  test.each<[string, CertificatePurpose, faulty: Shape, expected: string[], right: Shape]>([
    ['no key usage', 'qsealc', { usage: null }, ['error no-key-usage'], {}],
    ['no key usage in a QWAC', 'qwac', { usage: null }, ['warning no-key-usage'], {}],
    [
      'a seal that can encrypt only',
      'qsealc',
      { usage: by.keyUsage('keyEncipherment') },
      ['error wrong-use'],
      { usage: by.keyUsage('nonRepudiation', 'keyEncipherment') },
    ],
    [
      'a seal for authentication (type C)',
      'qsealc',
      { usage: by.keyUsage('digitalSignature') },
      ['warning no-non-repudiation'],
      { usage: by.keyUsage('digitalSignature', 'nonRepudiation') },
    ],
    ['no QcPDS', 'qsealc', seal(), ['warning qc-pds-missing'], seal(english)],
    [
      'QcPDS by http',
      'qsealc',
      seal(by.pds(['en', 'http://trust.example/a'], ['de', 'https://trust.example/b'])),
      ['warning qc-pds-not-https'],
      seal(by.pds(['en', 'HTTPS://trust.example/a'])),
    ],
    [
      'QcPDS without English',
      'qsealc',
      seal(by.pds(['de', 'https://trust.example/a'], ['fr', 'https://trust.example/b'])),
      ['warning qc-pds-not-english'],
      seal(by.pds(['de', 'https://trust.example/a'], ['EN', 'https://trust.example/b'])),
    ],
    [
      'an empty QcPDS',
      'qsealc',
      seal(by.pds()),
      ['error malformed', 'warning qc-pds-missing'],
      seal(english),
    ],
    ['no host', 'qwac', { hosts: null }, ['warning no-alternative-name'], {}],
    [
      'a common name outside',
      'qwac',
      host('other.example'),
      ['warning common-name-outside'],
      host('TPP.example'),
    ],
    [
      'a common name that only a star would cover',
      'qwac',
      { ...host('a.tpp.example'), hosts: by.hosts('*.tpp.example') },
      ['warning common-name-outside'],
      { ...host('*.tpp.example'), hosts: by.hosts('*.tpp.example') },
    ],
    [
      'a common name beyond ASCII',
      'qwac',
      { ...host('müllor.example'), hosts: by.hosts('xn--mller-kva.example') },
      ['warning common-name-outside'],
      { ...host('müller.example'), hosts: by.hosts('xn--mller-kva.example') },
    ],
    [
      'another cabfOrganizationIdentifier',
      'qwac',
      { more: [by.cabf('PSD', 'DE', 'BAFIN-125315')] },
      ['error cabf-differs'],
      { more: [by.cabf('PSD', 'DE', 'BAFIN-125314')] },
    ],
    [
      'cabfOrganizationIdentifier of another country',
      'qwac',
      { more: [by.cabf('PSD', 'AT', 'BAFIN-125314')] },
      ['error cabf-differs'],
      {},
    ],
    [
      'EV without cabfOrganizationIdentifier',
      'qwac',
      { policies: by.policies('0.4.0.194112.1.4', '2.23.140.1.1') },
      ['note cabf-missing'],
      {
        policies: by.policies('0.4.0.194112.1.4', '2.23.140.1.1'),
        more: [by.cabf('PSD', 'DE', 'BAFIN-125314')],
      },
    ],
    [
      'two PSD2 statements',
      'qwac',
      web(psd2, by.psd2(['AS'], nca, 'DE-BAFIN')),
      ['error malformed'],
      web(psd2),
    ],
    ['two QcTypes', 'qwac', web(by.qcType('web'), psd2), ['error malformed'], web(psd2)],
    [
      'QCStatements twice',
      'qwac',
      { more: [by.statements(by.compliance, english, by.qcType('web'), psd2)] },
      ['error malformed'],
      {},
    ],
    [
      'two organizationIdentifiers',
      'qsealc',
      { subject: name([at.C, 'DE'], [at.ID, 'PSDDE-BAFIN-125314'], [at.ID, 'VATDE-1'], [at.CN, 'x']) },
      ['error malformed'],
      {
        subject: name([at.C, 'DE'], [at.ID, 'PSDDE-BAFIN-125314'], [at.OU, 'a'], [at.OU, 'b'], [at.CN, 'x']),
      },
    ],
    [
      'a usage of TLS on a seal',
      'qsealc',
      { extended: by.extendedKeyUsage(by.clientAuth) },
      ['warning tls-usage'],
      { extended: by.extendedKeyUsage('1.3.6.1.5.5.7.3.4', '1.3.6.1.4.1.311.10.3.12') },
    ],
    ...['0.4.0.19495.3.1', '0.4.0.194112.1.4', '0.4.0.194112.1.5', '2.23.140.1.2.2'].map(
      (policy): [string, CertificatePurpose, Shape, string[], Shape] => [
        `the policy ${policy} on a seal`,
        'qsealc',
        { policies: by.policies('0.4.0.194112.1.3', policy) },
        ['error wrong-use'],
        { policies: by.policies('0.4.0.194112.1.3', '1.3.6.1.4.1.4788.2.150.1') },
      ],
    ),
    [
      'the policy of a seal on a QWAC',
      'qwac',
      { policies: by.policies('0.4.0.194112.1.1') },
      ['error wrong-use'],
      {},
    ],
    [
      'TLS for servers only',
      'qwac',
      { extended: by.extendedKeyUsage(by.serverAuth) },
      ['error wrong-use'],
      {},
    ],
    [
      'TLS for clients only',
      'qwac',
      { extended: by.extendedKeyUsage(by.clientAuth) },
      ['warning no-server-auth'],
      { extended: by.extendedKeyUsage('2.5.29.37.0') },
    ],
    ['no extended key usage', 'qwac', { extended: null }, ['note no-extended-key-usage'], {}],
    ...[
      ' PSDDE-BAFIN-125314',
      'PSDDE-BAFIN-125314 ',
      'PSDDE-BAFIN- 125314',
      'PSDDE -BAFIN-125314',
      'PSDDE-BAFIN-125314\u00a0',
    ].map((id): [string, CertificatePurpose, Shape, string[], Shape] => [
      `blanks in ${JSON.stringify(id)}`,
      'qsealc',
      owner(id),
      ['error organization-identifier'],
      owner('PSDDE-BAFIN-125314'),
    ]),
    [
      'a blank within the number',
      'qsealc',
      owner('PSDDE-BAFIN-125 314'),
      ['warning organization-identifier-blank'],
      owner('PSDDE-BAFIN-125.314/2-X'),
    ],
    [
      'no such country',
      'qsealc',
      {
        ...owner('PSDXX-BAFIN-1'),
        statements: [by.compliance, english, by.qcType('eseal'), by.psd2(['PI'], nca, 'XX-BAFIN')],
      },
      ['error organization-identifier', 'error unknown-country'],
      {
        ...owner('PSDFI-FINFSA-1'),
        statements: [by.compliance, english, by.qcType('eseal'), by.psd2(['PI'], nca, 'FI-FINFSA')],
      },
    ],
    [
      'the subject in no such country',
      'qsealc',
      { subject: name([at.C, 'UK'], [at.ID, 'PSDDE-BAFIN-125314'], [at.CN, 'x']) },
      ['error unknown-country'],
      { subject: name([at.C, 'GB'], [at.ID, 'PSDDE-BAFIN-125314'], [at.CN, 'x']) },
    ],
  ])('is found, and its neighbour is not: %s', (_, as, faulty, expected, right) => {
    expect(found(as, faulty)).toEqual(expected);
    expect(found(as, right)).toEqual([]);
    for (const { hint, text } of lintCertificates([make(as, faulty).der], { ...wish, as }))
      expect([hint, text]).not.toContain('');
  });

  test('is explained with what the authority meant', () => {
    const [[, text] = []] = lint('qsealc', {
      subject: name([at.C, 'UK'], [at.ID, 'PSDDE-BAFIN-125314'], [at.CN, 'x']),
    });
    expect(text).toBe('Its subject names "UK", which is no country of ISO 3166 (GB is).');
  });
});

describe('a certificate chain', () => {
  const leaf = make('qwac');
  const other = make('qwac');
  const second = by.authority('Second CA', root);
  const impostor = by.authority('Issuing CA', root);
  const pretender = by.certificate({ subject: other.subject, issuer: middle, extensions: [by.notAuthority] });
  const child = by.certificate({ issuer: pretender, subject: leaf.subject, extensions: [by.notAuthority] });
  const of = (...list: by.ByHand[]) =>
    lintCertificates(
      list.map(({ der }) => der),
      { ...wish, as: 'qwac' },
    ).map(({ severity, rule, certificate }) => `${severity} ${rule} ${String(certificate)}`);

  test.each<[string, by.ByHand[], string[]]>([
    ['the root that issued it', [root], []],
    ['the root among others', [other, root], []],
    // A bank that knows the root alone needs the one between them.
    ['the intermediate one', [middle], ['warning chain-missing 1']],
    ['another one with the name of its root', [impostor], ['warning chain-missing 1']],
  ])('is judged for a single certificate where %s is known', (_, known, expected) => {
    const isMiddle = known.includes(middle);
    const direct = isMiddle ? leaf : make('qwac', { issuer: root });
    const found = lintCertificates([direct.der], {
      ...{ ...wish, as: 'qwac' },
      authorities: known.map(({ der }) => der),
    });
    expect(
      found.map(({ severity, rule, certificate }) => `${severity} ${rule} ${String(certificate)}`),
    ).toEqual(expected);
  });

  test.each<[string, by.ByHand[], string[]]>([
    ['nobody', [], []],
    ['its root', [root], []],
    ['an intermediate one', [second], ['warning chain-missing 1']],
    ['an intermediate one and its root', [second, root], ['warning chain-missing 1']],
    ['another one with the name of its issuer', [by.authority('Second CA', root)], []],
  ])('is judged for a leaf and its issuer where %s is known', (_, known, expected) => {
    const isOfSecond = known.some(({ subject }) => subject === second.subject);
    const issuer = isOfSecond ? by.authority('Third CA', second) : middle;
    const found = lintCertificates([make('qwac', { issuer }).der, issuer.der], {
      ...{ ...wish, as: 'qwac' },
      authorities: known.map(({ der }) => der),
    });
    expect(
      found.map(({ severity, rule, certificate }) => `${severity} ${rule} ${String(certificate)}`),
    ).toEqual(expected);
  });

  test.each<[string, by.ByHand[], string[]]>([
    ['whole', [leaf, middle, root], []],
    ['without its root', [leaf, middle], []],
    ['the certificate alone', [leaf], ['warning chain-missing 1']],
    ['reversed', [root, middle, leaf], ['error chain-order 3']],
    ['reversed without its root', [middle, leaf], ['error chain-order 2']],
    ['mixed', [leaf, root, middle], ['error chain-order 1']],
    ['yours in the middle', [middle, leaf, root], ['error chain-order 2']],
    ['with the intermediate one missing', [leaf, root], ['error chain-gap 1']],
    ['with another that has the name of the issuer', [leaf, impostor], ['error chain-gap 1']],
    ['with somebody else in it', [leaf, middle, root, other], ['warning chain-stranger 4']],
    ['doubled', [leaf, leaf, middle, root, middle], ['warning chain-double 2', 'warning chain-double 5']],
  ])('is judged: %s', (_, list, expected) => {
    expect(of(...list)).toEqual(expected);
  });

  test('is refused where it was signed by what is not an authority', () => {
    expect(of(child, pretender, middle)).toContain('error chain-no-authority 2');
  });

  test('is first reported as reversed, and then for the certificate itself', () => {
    const expired = by.certificate({
      issuer: middle,
      subject: leaf.subject,
      until: new Date('2026-02-01T00:00:00Z'),
      extensions: [by.notAuthority],
    });
    const [first, second] = lintCertificates([root.der, middle.der, expired.der], { ...wish, as: 'qwac' });
    expect(first).toMatchObject({ rule: 'chain-order', certificate: 3 });
    expect(first!.text).toContain('reverse order');
    expect(second).toMatchObject({ rule: 'expired', certificate: 3 });
  });
});
