import { createHash, sign } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { explainSignature } from '../../../../src/client/evidence/explain-signature.ts';
import type { Ports } from '../../../../src/client/ports.ts';
import * as by from '../../../helpers/certificate-by-hand.ts';
import { at } from '../../../helpers/certificate-by-hand.ts';
import { memoryFiles } from '../../../helpers/fakes/index.ts';
import { world } from '../../../helpers/world.ts';
import { now } from '../../signing/fixtures.ts';

let ports: Ports;
beforeAll(async () => {
  ({ ports } = (await world()).target);
});

const issuer = by.certificate({
  subject: by.name([at.C, 'DE'], [at.O, 'Trust, "AG" + Söhne'], [at.ID, 'VATDE-1'], [at.CN, 'Issuing CA']),
  extensions: [],
});
const seal = by.certificate({
  issuer,
  subject: by.name([at.C, 'DE'], [at.ID, 'PSDDE-BAFIN-1'], [at.CN, 'Zahl GmbH']),
  serial: '0a1b2c',
  extensions: [by.notAuthority, by.keyUsage('nonRepudiation')],
});

const body = '{"amount":"12.50"}';
const digest = `SHA-256=${createHash('sha256').update(body).digest('base64')}`;
const rfc2253 = 'CN=Issuing CA,2.5.4.97=#0c0756415444452d31,O=Trust\\, \\"AG\\" \\+ S\\C3\\B6hne,C=DE';
const quotedName = rfc2253.replaceAll('"', '\\"').replaceAll('\\\\"', '\\"');
const sent: readonly [string, string][] = [
  ['X-Request-ID', '99391c7e-ad88-49ec-a2ad-99ddcb1f7721'],
  ['Date', 'Sun, 11 Aug 2019 15:02:37 GMT'],
  ['PSU-ID', 'PSU-1234'],
  ['TPP-Redirect-URI', 'https://tpp.example/cb'],
];
const all = 'digest x-request-id psu-id tpp-redirect-uri';

/** A request as a peer signs it, by node:crypto alone; the header is written as the case says. */
function request({
  names = all,
  keyId = `SN=a1b2c,CA=${quotedName}`,
  header = (signature: string) =>
    `keyId="${keyId}",algorithm="ecdsa-sha256",headers="${names}",signature="${signature}"`,
  digestSent = digest,
}: {
  names?: string;
  keyId?: string;
  header?: (signature: string) => string;
  digestSent?: string;
} = {}): string {
  const values = new Map([
    ['digest', digestSent],
    ...sent.map(([name, value]) => [name.toLowerCase(), value] as const),
  ]);
  const text = names
    .toLowerCase()
    .split(' ')
    .map((name) => `${name}: ${values.get(name)!}`)
    .join('\n');
  const signature = sign('sha256', Buffer.from(text), seal.key).toString('base64');
  return [
    'POST /v1/payments/sepa-credit-transfers HTTP/1.1',
    `Digest: ${digestSent}`,
    ...sent.map(([name, value]) => `${name}: ${value}`),
    `Signature: ${header(signature)}`,
    `TPP-Signature-Certificate: ${seal.der.toString('base64')}`,
    '',
    body,
  ].join('\r\n');
}

const judge = async (content: string) => {
  const files = memoryFiles({ r: content });
  const report = await explainSignature(
    { ...ports, files, clock: { now: () => now } as Ports['clock'] },
    './r',
    {},
  );
  const failed = report.checks.filter(({ ok, needed }) => !ok && needed);
  return {
    report,
    failed: failed.map(({ name }) => name),
    texts: failed.map(({ text }) => text).join(' '),
    hints: failed.map(({ hint }) => hint ?? ''),
  };
};

describe('a request signed as the guidelines say', () => {
  it.each([
    ['as it is', {}],
    ['with Date too, which is a warning', { names: `${all} date` }],
    ['in another order', { names: 'tpp-redirect-uri psu-id x-request-id digest' }],
    ['with the serial number in upper case', { keyId: `SN=0A1B2C,CA=${quotedName}` }],
    ['with colons in the serial number', { keyId: `SN=0a:1b:2c,CA=${quotedName}` }],
    ['with the serial number in decimal, a warning', { keyId: `SN=662316,CA=${quotedName}` }],
    [
      'percent-encoded',
      {
        keyId:
          'SN=a1b2c,CA=CN=Issuing%20CA,2.5.4.97=VATDE-1,O=Trust%5C,%20%5C%22AG%5C%22%20%5C+%20S%C3%B6hne,C=DE',
      },
    ],
    [
      'as .NET writes the issuer',
      {
        keyId:
          'SN=0A1B2C,CA=CN=Issuing CA, OID.2.5.4.97=VATDE-1, O=\\"Trust, \\"\\"AG\\"\\" + S\\C3\\B6hne\\", C=DE',
      },
    ],
    [
      'in certificate order',
      {
        keyId:
          'SN=a1b2c,CA=C=DE,O=Trust\\, \\"AG\\" \\+ S\\C3\\B6hne,organizationIdentifier=VATDE-1,CN=Issuing CA',
      },
    ],
  ])('verifies %s', async (_, wish) => {
    const { report, texts } = await judge(request(wish));
    expect(texts).toBe('');
    expect(report.verified).toBe(true);
  });
});

describe('a request that breaks the guidelines, though the arithmetic is right,', () => {
  const without = (part: RegExp) => (signature: string) =>
    `keyId="SN=a1b2c,CA=${quotedName}",algorithm="ecdsa-sha256",headers="${all}",signature="${signature}"`.replace(
      part,
      '',
    );
  it.each<[string, Parameters<typeof request>[0], string[], RegExp]>([
    [
      'digest not signed',
      { names: all.replace('digest ', '') },
      ['headers'],
      /not signed, though the guidelines want it: digest\./,
    ],
    [
      'X-Request-ID not signed',
      { names: all.replace('x-request-id ', '') },
      ['headers'],
      /want it: x-request-id/,
    ],
    ['PSU-ID not signed', { names: all.replace('psu-id ', '') }, ['headers'], /want it: psu-id/],
    [
      'TPP-Redirect-URI not signed',
      { names: all.replace(' tpp-redirect-uri', '') },
      ['headers'],
      /want it: tpp-redirect-uri/,
    ],
    [
      'date only',
      { names: 'date' },
      ['headers'],
      /want it: digest, x-request-id, psu-id, tpp-redirect-uri; signed beyond the guidelines: date/,
    ],
    [
      'no list at all',
      {
        names: 'date',
        header: (signature) =>
          `keyId="SN=a1b2c,CA=${quotedName}",algorithm="ecdsa-sha256",signature="${signature}"`,
      },
      ['headers'],
      /no list headers=, so only date is signed/,
    ],
    [
      'names in upper case',
      { names: 'Digest X-Request-ID PSU-ID TPP-Redirect-URI' },
      ['headers'],
      /lower case/,
    ],
    [
      'another serial number',
      { keyId: `SN=a1b2d,CA=${quotedName}` },
      ['key-id'],
      /serial number a1b2d, and the certificate has a1b2c/,
    ],
    [
      'another issuer',
      { keyId: `SN=a1b2c,CA=${quotedName.replace('C=DE', 'C=FR')}` },
      ['key-id'],
      /another issuer/,
    ],
    ['a part of the issuer', { keyId: 'SN=a1b2c,CA=CN=Issuing CA,C=DE' }, ['key-id'], /another issuer/],
    [
      'the subject for the issuer',
      { keyId: 'SN=a1b2c,CA=CN=Zahl GmbH,2.5.4.97=PSDDE-BAFIN-1,C=DE' },
      ['key-id'],
      /another issuer/,
    ],
    ['both wrong', { keyId: 'SN=1,CA=CN=X' }, ['key-id'], /serial number 1, .*, and another issuer/],
    ['only the serial number', { keyId: 'a1b2c' }, ['key-id'], /not SN=\.\.\.,CA=/],
    ['CA before SN', { keyId: `CA=${quotedName},SN=a1b2c` }, ['key-id'], /not SN=/],
    ['no algorithm', { header: without(/algorithm="[^"]*",/) }, ['algorithm'], /There is no algorithm=/],
    [
      'an algorithm of RSA',
      { header: (signature) => without(/$/)(signature).replace('ecdsa-sha256', 'rsa-sha256') },
      ['algorithm'],
      /for another kind of key: that of the certificate is EC/,
    ],
    [
      'hs2019',
      { header: (signature) => without(/$/)(signature).replace('ecdsa-sha256', 'hs2019') },
      ['algorithm'],
      /not one that the guidelines have/,
    ],
    [
      'no signature',
      { header: without(/,signature="[^"]*"/) },
      ['parameters', 'signature'],
      /there is no signature="\.\.\.".*no signature="\.\.\." to verify/,
    ],
    [
      'an empty signature',
      { header: (signature) => without(/$/)(signature).replace(signature, '') },
      ['parameters', 'signature'],
      /there is no signature=/,
    ],
    [
      'no keyId',
      { header: without(/keyId="(?:[^"\\]|\\.)*",/) },
      ['parameters', 'key-id'],
      /there is no keyId=/,
    ],
    [
      'a signature without quotes',
      { header: (signature) => without(/$/)(signature).replace(`"${signature}"`, signature) },
      ['parameters'],
      /signature= is not in double quotes/,
    ],
    [
      'a signature in single quotes',
      { header: (signature) => without(/$/)(signature).replace(`"${signature}"`, `'${signature}'`) },
      ['parameters'],
      /signature= is not in double quotes/,
    ],
    [
      'a quote that does not end',
      { header: (signature) => without(/$/)(signature).replace(/"$/, '') },
      ['parameters'],
      /signature= is not in double quotes/,
    ],
    [
      'all without quotes',
      {
        header: (signature) =>
          `keyId=SN=a1b2c,CA=${rfc2253},algorithm=ecdsa-sha256,headers=${all},signature=${signature}`,
      },
      ['parameters'],
      /keyId= is not in double quotes; algorithm=.*; headers=.*; signature=/,
    ],
    [
      'the scheme of an Authorization header',
      { header: (signature) => `Signature ${without(/$/)(signature)}` },
      ['parameters'],
      /begins with Signature/,
    ],
    [
      'the signature twice',
      { header: (signature) => `${without(/$/)(signature)},signature="${signature}"` },
      ['parameters'],
      /signature= is there more than once/,
    ],
    [
      'MD5',
      { digestSent: `MD5=${createHash('md5').update(body).digest('base64')}` },
      ['digest'],
      /neither SHA-256 nor SHA-512/,
    ],
  ])('has a finding: %s', async (_, wish, failed, said) => {
    const seen = await judge(request(wish));
    expect(seen.failed).toEqual(failed);
    expect(seen.texts).toMatch(said);
    expect(seen.hints).not.toContain('');
    expect(seen.report.verified).toBe(false);
  });
});
