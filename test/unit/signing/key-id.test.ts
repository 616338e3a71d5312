import { beforeAll, describe, expect, test } from 'vitest';
import { createTestCa } from '../../../src/signing/certificate.ts';
import type { NameSpelling } from '../../../src/signing/distinguished-name.ts';
import { readElement } from '../../../src/signing/der.ts';
import { readName, spellName } from '../../../src/signing/distinguished-name.ts';
import type { KeyIdFacts } from '../../../src/signing/key-id.ts';
import { keyId, keyIdFacts, spellSerial } from '../../../src/signing/key-id.ts';
import { guidelines } from '../../../src/signing/presets.ts';
import { certificatesIn } from '../../../src/signing/pem.ts';
import { hasOpenssl, notAfter, notBefore, openssl, sealCertificate, vectorCa } from './fixtures.ts';

let facts: KeyIdFacts;
beforeAll(async () => {
  const { certificatePem } = await sealCertificate(await vectorCa());
  facts = keyIdFacts(certificatesIn(certificatePem)[0]);
});

describe('the keyId of the certificate with serial 0x0A1B2C3D4E', () => {
  test.each([
    ['hex', 'a1b2c3d4e'],
    ['HEX', '0A1B2C3D4E'],
    ['hex-bytes', '0a1b2c3d4e'],
    ['HEX-short', 'A1B2C3D4E'],
    ['HEX-signed', '0A1B2C3D4E'],
    ['dec', '43405557070'],
  ] as const)('has the serial as %s', (spelling, expected) => {
    expect(spellSerial(facts.serial, spelling)).toBe(expected);
  });

  test.each([
    ['rfc2253', 'CN=Test QTSP CA 1,2.5.4.97=#0c0f56415444452d313233343536373839,O=Test Bank Trust GmbH,C=DE'],
    [
      'rfc2253-%20',
      'CN=Test%20QTSP%20CA%201,2.5.4.97=#0c0f56415444452d313233343536373839,O=Test%20Bank%20Trust%20GmbH,C=DE',
    ],
    ['java-tostring', 'CN=Test QTSP CA 1, OID.2.5.4.97=VATDE-123456789, O=Test Bank Trust GmbH, C=DE'],
    ['java-rfc1779', 'CN=Test QTSP CA 1, OID.2.5.4.97=VATDE-123456789, O=Test Bank Trust GmbH, C=DE'],
    ['dotnet', 'CN=Test QTSP CA 1, OID.2.5.4.97=VATDE-123456789, O=Test Bank Trust GmbH, C=DE'],
    [
      'dotnet-linux',
      'CN=Test QTSP CA 1, organizationIdentifier=VATDE-123456789, O=Test Bank Trust GmbH, C=DE',
    ],
    [
      'openssl-rfc2253',
      'CN=Test QTSP CA 1,organizationIdentifier=VATDE-123456789,O=Test Bank Trust GmbH,C=DE',
    ],
    [
      'openssl',
      'C = DE, O = Test Bank Trust GmbH, organizationIdentifier = VATDE-123456789, CN = Test QTSP CA 1',
    ],
    [
      'certificate-order',
      'C=DE,O=Test Bank Trust GmbH,organizationIdentifier=VATDE-123456789,CN=Test QTSP CA 1',
    ],
  ] as const)('has the issuer as %s', (spelling, expected) => {
    expect(spellName(facts.issuer, spelling)).toBe(expected);
  });

  test.each([
    [
      {},
      'SN=a1b2c3d4e,CA=CN=Test%20QTSP%20CA%201,2.5.4.97=#0c0f56415444452d313233343536373839,O=Test%20Bank%20Trust%20GmbH,C=DE',
    ],
    [{ template: '{serial}', serial: 'dec' as const }, '43405557070'],
    [{ template: 'my-client-id' }, 'my-client-id'],
    [
      { template: 'SN={serial},CA={issuer}', serial: 'HEX' as const, issuer: 'openssl-rfc2253' as const },
      'SN=0A1B2C3D4E,CA=CN=Test QTSP CA 1,organizationIdentifier=VATDE-123456789,O=Test Bank Trust GmbH,C=DE',
    ],
  ])('is complete with %o', (changes, expected) => {
    expect(keyId(facts, { ...guidelines.keyId, ...changes })).toBe(expected);
  });
});

test.each([
  ['00', '0', '00', '0'],
  ['01', '1', '01', '1'],
  ['9fa1', '9fa1', '9FA1', '40865'],
  [
    'ff00000000000000000000000000000000000001',
    'ff00000000000000000000000000000000000001',
    'FF00000000000000000000000000000000000001',
    '1455792646560079078679451688838485039110401556481',
  ],
])('the serial of a certificate is written as %s', (hex, lower, upper, decimal) => {
  const serial = Buffer.from(hex, 'hex');
  expect(spellSerial(serial, 'hex')).toBe(lower);
  expect(spellSerial(serial, 'HEX')).toBe(upper);
  expect(spellSerial(serial, 'dec')).toBe(decimal);
  expect(spellSerial(serial, 'HEX-signed')).toBe(/^[89a-f]/.test(hex) ? `00${upper}` : upper);
});

/** Names with everything that needs escaping; what Java and OpenSSL print for them was measured (JDK 17, OpenSSL 3.0). */
const awkward: readonly (readonly [string, string])[] = [
  ['C', 'DE'],
  ['O', 'Müller, Söhne + Co = "x" <a>; #1 \\ 100%'],
  ['2.5.4.5', '123'],
  ['2.5.4.42', 'G'],
  ['OU', ' lead'],
  ['OU', '#hash'],
  ['ST', 'a  b'],
  ['L', 'trail '],
  ['2.5.4.9', 'Str. 1'],
  ['1.2.3.4', 'unknown é'],
  ['1.2.840.113549.1.9.1', 'a@b.c'],
  ['2.5.4.4', 'Sur'],
  ['2.5.4.12', 'Tit'],
  ['2.5.4.17', '10115'],
  ['0.9.2342.19200300.100.1.25', 'dc'],
];

const awkwardSpellings: Record<NameSpelling, string> = {
  rfc2253:
    'DC=dc,2.5.4.17=#0c053130313135,2.5.4.12=#0c03546974,2.5.4.4=#0c03537572,1.2.840.113549.1.9.1=#0c056140622e63,' +
    '1.2.3.4=#0c0a756e6b6e6f776e20c3a9,STREET=Str. 1,L=trail\\ ,ST=a  b,OU=\\#hash,OU=\\ lead,2.5.4.42=#0c0147,' +
    '2.5.4.5=#0c03313233,O=M\\C3\\BCller\\, S\\C3\\B6hne \\+ Co \\= \\"x\\" \\<a\\>\\; \\#1 \\\\ 100%,C=DE',
  'rfc2253-%20':
    'DC=dc,2.5.4.17=#0c053130313135,2.5.4.12=#0c03546974,2.5.4.4=#0c03537572,1.2.840.113549.1.9.1=#0c056140622e63,' +
    '1.2.3.4=#0c0a756e6b6e6f776e20c3a9,STREET=Str.%201,L=trail\\%20,ST=a%20%20b,OU=\\#hash,OU=\\%20lead,' +
    '2.5.4.42=#0c0147,2.5.4.5=#0c03313233,O=M%C3%BCller\\,%20S%C3%B6hne%20\\+%20Co%20\\=%20\\"x\\"%20\\<a\\>\\;' +
    '%20\\#1%20\\\\%20100%,C=DE',
  'java-tostring':
    'DC=dc, OID.2.5.4.17=10115, T=Tit, SURNAME=Sur, EMAILADDRESS=a@b.c, OID.1.2.3.4=unknown é, STREET=Str. 1, ' +
    'L="trail ", ST="a  b", OU="#hash", OU=" lead", GIVENNAME=G, SERIALNUMBER=123, ' +
    'O="Müller, Söhne + Co = \\"x\\" <a>; #1 \\\\ 100%", C=DE',
  'java-rfc1779':
    'OID.0.9.2342.19200300.100.1.25=dc, OID.2.5.4.17=10115, OID.2.5.4.12=Tit, OID.2.5.4.4=Sur, ' +
    'OID.1.2.840.113549.1.9.1=a@b.c, OID.1.2.3.4=unknown é, STREET=Str. 1, L="trail ", ST="a  b", OU="#hash", ' +
    'OU=" lead", OID.2.5.4.42=G, OID.2.5.4.5=123, O="Müller, Söhne + Co = \\"x\\" <a>; #1 \\\\ 100%", C=DE',
  dotnet:
    'DC=dc, PostalCode=10115, T=Tit, SN=Sur, E=a@b.c, OID.1.2.3.4=unknown é, STREET=Str. 1, L="trail ", S=a  b, ' +
    'OU="#hash", OU=" lead", G=G, SERIALNUMBER=123, O="Müller, Söhne + Co = ""x"" <a>; #1 \\ 100%", C=DE',
  'dotnet-linux':
    'DC=dc, PostalCode=10115, T=Tit, SN=Sur, E=a@b.c, OID.1.2.3.4=unknown é, STREET=Str. 1, L="trail ", S=a  b, ' +
    'OU="#hash", OU=" lead", G=G, SERIALNUMBER=123, O="Müller, Söhne + Co = ""x"" <a>; #1 \\ 100%", C=DE',
  'openssl-rfc2253':
    'DC=dc,postalCode=10115,title=Tit,SN=Sur,emailAddress=a@b.c,1.2.3.4=#0C0A756E6B6E6F776E20C3A9,street=Str. 1,' +
    'L=trail\\ ,ST=a  b,OU=\\#hash,OU=\\ lead,GN=G,serialNumber=123,' +
    'O=M\\C3\\BCller\\, S\\C3\\B6hne \\+ Co = \\"x\\" \\<a\\>\\; #1 \\\\ 100%,C=DE',
  openssl:
    'C = DE, O = "M\\C3\\BCller, S\\C3\\B6hne + Co = \\"x\\" <a>; #1 \\\\ 100%", serialNumber = 123, GN = G, ' +
    'OU = " lead", OU = "#hash", ST = a  b, L = "trail ", street = Str. 1, 1.2.3.4 = unknown \\C3\\A9, ' +
    'emailAddress = a@b.c, SN = Sur, title = Tit, postalCode = 10115, DC = dc',
  'certificate-order':
    'C=DE,O=M\\C3\\BCller\\, S\\C3\\B6hne \\+ Co = \\"x\\" \\<a\\>\\; #1 \\\\ 100%,serialNumber=123,GN=G,OU=\\ lead,' +
    'OU=\\#hash,ST=a  b,L=trail\\ ,street=Str. 1,1.2.3.4=unknown \\C3\\A9,emailAddress=a@b.c,SN=Sur,title=Tit,' +
    'postalCode=10115,DC=dc',
};

describe('a name with everything that needs escaping', () => {
  let pem: string;
  beforeAll(async () => {
    pem = (await createTestCa({ notBefore, notAfter, subject: awkward })).certificatePem;
  });

  test.each(Object.entries(awkwardSpellings))('is written as %s', (spelling, expected) => {
    const { issuer } = keyIdFacts(certificatesIn(pem)[0]);
    expect(spellName(issuer, spelling as NameSpelling)).toBe(expected);
  });

  test.skipIf(!hasOpenssl).each([
    ['openssl-rfc2253', 'RFC2253'],
    ['openssl', 'oneline'],
  ] as const)('is as openssl prints it: %s', (spelling, nameopt) => {
    const { issuer } = keyIdFacts(certificatesIn(pem)[0]);
    const printed = openssl(['x509', '-in', '@a.pem', '-noout', '-issuer', '-nameopt', nameopt], {
      'a.pem': pem,
    });
    expect(`issuer=${spellName(issuer, spelling)}\n`).toBe(printed);
  });
});

/** An issuer with a relative name of three attributes, as OpenSSL encoded it; what OpenSSL 3.0 and JDK 17 print for it was measured. */
const manyParts = Buffer.from(
  '308197310b300906035504061302444531133011060355040a0c0a54727573742022414722311e300806035504030c017830' +
    '08060355040b0c01613008060355040b0c01623110300e06035504610c0756415444452d31311d301b060355040f0c145072' +
    '6976617465204f7267616e697a6174696f6e31133011060b2b0601040182373c02010313024445310d300b06035504030c04' +
    '526f6f74',
  'hex',
);

test.each([
  [
    'rfc2253',
    'CN=Root,1.3.6.1.4.1.311.60.2.1.3=#13024445,2.5.4.15=#0c1450726976617465204f7267616e697a6174696f6e,' +
      '2.5.4.97=#0c0756415444452d31,CN=x+OU=a+OU=b,O=Trust \\"AG\\",C=DE',
  ],
  [
    'java-tostring',
    'CN=Root, OID.1.3.6.1.4.1.311.60.2.1.3=DE, OID.2.5.4.15=Private Organization, OID.2.5.4.97=VATDE-1, ' +
      'CN=x + OU=a + OU=b, O="Trust \\"AG\\"", C=DE',
  ],
  [
    'java-rfc1779',
    'CN=Root, OID.1.3.6.1.4.1.311.60.2.1.3=DE, OID.2.5.4.15=Private Organization, OID.2.5.4.97=VATDE-1, ' +
      'CN=x + OU=a + OU=b, O="Trust \\"AG\\"", C=DE',
  ],
  [
    'openssl-rfc2253',
    'CN=Root,jurisdictionC=DE,businessCategory=Private Organization,organizationIdentifier=VATDE-1,' +
      'OU=b+OU=a+CN=x,O=Trust \\"AG\\",C=DE',
  ],
  [
    'openssl',
    'C = DE, O = Trust \\"AG\\", CN = x + OU = a + OU = b, organizationIdentifier = VATDE-1, ' +
      'businessCategory = Private Organization, jurisdictionC = DE, CN = Root',
  ],
  // Typed from what .NET documents: Windows has no name for these attributes, OpenSSL long ones.
  [
    'dotnet',
    'CN=Root, OID.1.3.6.1.4.1.311.60.2.1.3=DE, OID.2.5.4.15=Private Organization, OID.2.5.4.97=VATDE-1, ' +
      'CN=x + OU=a + OU=b, O="Trust ""AG""", C=DE',
  ],
  [
    'dotnet-linux',
    'CN=Root, jurisdictionCountryName=DE, businessCategory=Private Organization, organizationIdentifier=VATDE-1, ' +
      'CN=x + OU=a + OU=b, O="Trust ""AG""", C=DE',
  ],
] as const)('attributes that share a relative name are written as %s', (spelling, expected) => {
  expect(spellName(readName(readElement(manyParts)), spelling)).toBe(expected);
});
