import { createHash, createSign, sign, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { DescribedBank, Told } from '../../../helpers/described-bank.ts';
import type { Row } from './row.ts';

/** A request signed by hand; what is not said is as the guidelines have it. */
interface By {
  names?: readonly string[];
  hash?: 'sha256' | 'sha512';
  digest?: 'SHA-256' | 'SHA-512';
  /** What is hashed where there is no body. */
  empty?: string;
  hasDigest?: boolean;
  label?: string;
  keyId?: (serial: bigint, issuer: readonly string[]) => string;
  /** TPP-Signature-Certificate as it is sent; undefined where there is none. */
  certificate?: (der: Buffer) => string | undefined;
  dsaEncoding?: 'der' | 'ieee-p1363';
  carrier?: 'Signature' | 'Authorization';
  target?: string;
}

const id = '99391c7e-ad88-49ec-a2ad-99ddcb1f7721';
const path = '/v1/consents/c-1/status?a=x%20y';
/** RFC 2253 has no name for an organizationIdentifier: its DER stands there, a UTF8String. */
const rfc2253 = (issuer: readonly string[]) =>
  [...issuer]
    .reverse()
    .map((part) => {
      const [, text] = /^organizationIdentifier=(.*)$/.exec(part) ?? [];
      const length = text?.length.toString(16).padStart(2, '0') ?? '';
      return text === undefined ? part : `2.5.4.97=#0c${length}${Buffer.from(text).toString('hex')}`;
    })
    .join(',');
const usualKeyId: By['keyId'] = (serial, issuer) =>
  `SN=${serial.toString(16)},CA=${rfc2253(issuer).replaceAll(' ', '%20')}`;

function valuesOf({ digest = 'SHA-256', empty = '', target = path }: By): Record<string, string> {
  const hash = createHash(digest.replace('-', '').toLowerCase()).update(empty);
  return {
    '(request-target)': `get ${target}`,
    date: new Date().toUTCString(),
    digest: `${digest}=${hash.digest('base64')}`,
    'x-request-id': id,
  };
}

const textOf = (names: readonly string[], values: Record<string, string>) =>
  names.map((name) => `${name}: ${values[name] ?? ''}`).join('\n');

/** A GET signed so (draft-cavage-http-signatures-10). */
const signed =
  (by: By = {}): Row['ask'] =>
  ({ bank, ask }) => {
    const { names = ['digest', 'x-request-id'], hash = 'sha256', dsaEncoding = 'der', hasDigest = true } = by;
    const certificate = new X509Certificate(readFileSync(bank.certificatePath));
    const values = valuesOf(by);
    const signature = createSign(hash)
      .update(textOf(names, values))
      .sign({ key: readFileSync(bank.keyPath), dsaEncoding }, 'base64');
    const keyId = (by.keyId ?? usualKeyId)(
      BigInt(`0x${certificate.serialNumber}`),
      certificate.issuer.split('\n'),
    );
    const written = `keyId="${keyId}",algorithm="${by.label ?? `ecdsa-${hash}`}",headers="${names.join(' ')}",signature="${signature}"`;
    const shown = (by.certificate ?? ((der) => der.toString('base64')))(certificate.raw);
    return ask('GET', path, {
      headers: {
        ...{ Date: values['date'] ?? '', 'X-Request-ID': id },
        ...(shown !== undefined && { 'TPP-Signature-Certificate': shown }),
        ...(hasDigest && { Digest: values['digest'] ?? '' }),
        ...(by.carrier === 'Authorization'
          ? { Authorization: `Signature ${written}` }
          : { Signature: written }),
      },
    });
  };

/** A detached JWS by hand (RFC 7515 appendix F, ETSI TS 119 182-1). */
const sealed =
  ({ end = '', ageS = 0, pars = ['digest', 'x-request-id'], by = 'x5c', alg = 'ES256' } = {}): Row['ask'] =>
  ({ bank, ask }) => {
    const certificate = new X509Certificate(readFileSync(bank.certificatePath));
    const values = valuesOf({});
    const shown =
      by === 'x5c'
        ? { x5c: [certificate.raw.toString('base64')] }
        : { 'x5t#S256': createHash('sha256').update(certificate.raw).digest('base64url') };
    const head = Buffer.from(
      JSON.stringify({
        ...{ alg, b64: false, crit: ['b64', 'sigT', 'sigD'], ...shown },
        sigT: new Date(Date.now() - ageS * 1000).toISOString(),
        sigD: { mId: 'http://uri.etsi.org/19182/HttpHeaders', pars },
      }),
    ).toString('base64url');
    const bytes = Buffer.from(`${head}.${textOf(pars, values)}${end}`);
    const key = { key: readFileSync(bank.keyPath), dsaEncoding: 'ieee-p1363' as const };
    return ask('GET', path, {
      headers: {
        ...{ 'X-Request-ID': id, Digest: values['digest'] ?? '' },
        'x-jws-signature': `${head}..${sign('sha256', bytes, key).toString('base64url')}`,
        ...(by !== 'x5c' && { 'TPP-Signature-Certificate': certificate.raw.toString('base64') }),
      },
    });
  };

/** Both, one after the other: the first is refused for its signature, and the second is none the bank has a consent for. */
const both =
  (wrong: Row['ask'], right: Row['ask']) =>
  async (bank: DescribedBank): Promise<Told> => {
    const first = await wrong(bank);
    const second = await right(bank);
    return { ...first, text: `${first.text} then ${String(second.status)} ${second.text}` };
  };
const refusedThenTaken =
  /^40[01].*(?:SIGNATURE_INVALID|CERTIFICATE_INVALID|TIMESTAMP_INVALID).* then 403.*CONSENT_UNKNOWN/;

const usual = ['digest', 'x-request-id'];
const inBlanks: By['keyId'] = (serial, issuer) => `SN=${serial.toString(16)},CA=${rfc2253(issuer)}`;
const pem = (der: Buffer) => `-----BEGIN CERTIFICATE-----${der.toString('base64')}-----END CERTIFICATE-----`;
const escaped = (der: Buffer) =>
  encodeURIComponent(
    `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  );

/** What a bank wants of a signature, what it refuses then, and what it takes. */
const cavage: readonly [settings: object, wrong: By, right: By, always?: object][] = [
  [{ headers: ['x-request-id'] }, {}, { names: ['x-request-id'] }],
  [{ order: 'sorted' }, { names: ['x-request-id', 'digest'] }, {}],
  [{ order: 'listed' }, {}, { names: ['x-request-id', 'digest'] }, { headers: ['x-request-id', 'digest'] }],
  [{ date: { sign: true } }, {}, { names: [...usual, 'date'] }],
  [{ requestTarget: true }, {}, { names: ['(request-target)', ...usual] }],
  [
    { targetEncoding: 'raw' },
    { names: ['(request-target)', ...usual] },
    { names: ['(request-target)', ...usual], target: '/v1/consents/c-1/status?a=x y' },
    { requestTarget: true },
  ],
  [{ digest: { algorithm: 'SHA-512' } }, {}, { digest: 'SHA-512' }],
  [
    { digest: { emptyBody: 'omit' } },
    { digest: 'SHA-512', empty: '{}' },
    { hasDigest: false, names: ['x-request-id'] },
  ],
  [{ digest: { emptyBody: '{}' } }, {}, { empty: '{}' }],
  [{ hash: 'SHA-512' }, {}, { hash: 'sha512' }],
  [{ algorithmLabel: 'hs2019' }, {}, { label: 'hs2019' }],
  [{ certificateHeader: 'pemOneLine' }, {}, { certificate: pem }],
  [{ certificateHeader: 'pemUrlEncoded' }, {}, { certificate: escaped }],
  [{ certificateHeader: 'bare' }, { certificate: pem }, {}],
  [{ certificateHeader: 'none' }, {}, { certificate: () => undefined }],
  [
    { certificateHeader: 'none' },
    { certificate: () => undefined, keyId: () => 'SN=1,CA=CN=nobody' },
    { certificate: () => undefined },
  ],
  [
    { certificateHeader: 'none' },
    { certificate: () => undefined },
    { certificate: () => undefined, keyId: () => 'a-fixed-name' },
    { keyId: { template: 'a-fixed-name' } },
  ],
  [{ signatureEncoding: 'ieee-p1363' }, {}, { dsaEncoding: 'ieee-p1363' }],
  [{ signatureEncoding: 'der' }, { dsaEncoding: 'ieee-p1363' }, {}],
  [{ keyId: { template: 'KEY:{serial}' } }, {}, { keyId: (serial) => `KEY:${serial.toString(16)}` }],
  [
    { keyId: { serial: 'dec' } },
    {},
    { keyId: (serial, issuer) => `SN=${serial.toString()},CA=${rfc2253(issuer).replaceAll(' ', '%20')}` },
  ],
  [
    { keyId: { serial: 'HEX' } },
    {},
    {
      keyId: (serial, issuer) => {
        const hex = serial.toString(16).toUpperCase();
        return `SN=${hex.padStart(hex.length + (hex.length % 2), '0')},CA=${rfc2253(issuer).replaceAll(' ', '%20')}`;
      },
    },
  ],
  [{ keyId: { issuer: 'rfc2253' } }, {}, { keyId: inBlanks }],
  [
    { keyId: { issuer: 'dotnet' } },
    {},
    { keyId: (serial, issuer) => `SN=${serial.toString(16)},CA=${[...issuer].reverse().join(', ')}` },
  ],
  [{ preset: 'wso2' }, {}, { empty: '{}', keyId: inBlanks }],
];

/** What a bank wants of a detached JWS, what it refuses then, and what it takes. */
const jws: readonly [settings: object, wrong: Row['ask'], right: Row['ask']][] = [
  [{ trailingNewline: true }, sealed(), sealed({ end: '\n' })],
  [{ maxAgeS: 30 }, sealed({ ageS: 45 }), sealed()],
  [{ pars: ['x-request-id'] }, sealed(), sealed({ pars: ['x-request-id'] })],
  [{ certificate: 'x5t#S256' }, sealed(), sealed({ by: 'x5t#S256' })],
  [{ certificate: 'x5c' }, sealed({ by: 'x5t#S256' }), sealed()],
];

/** The banks of single settings of signatures. */
export const signingRows: readonly Row[] = [
  ...cavage.map(([settings, wrong, right, more = {}]): Row => ({
    about: JSON.stringify(settings),
    always: { signing: { mode: 'cavage', ...more } },
    settings: { signing: settings },
    ask: both(signed(wrong), signed(right)),
    told: refusedThenTaken,
  })),
  ...jws.map(([settings, wrong, right]): Row => ({
    about: JSON.stringify(settings),
    always: { signing: { mode: 'jws' } },
    settings: { signing: { jws: settings } },
    ask: both(wrong, right),
    told: refusedThenTaken,
  })),
  {
    always: { signing: { mode: 'cavage' } },
    settings: { signing: { carrier: 'Authorization' } },
    ask: signed({ carrier: 'Authorization' }),
    told: /^403.*CONSENT_UNKNOWN/,
  },
  {
    about: 'one that the key cannot make',
    always: { signing: { mode: 'jws' } },
    settings: { signing: { jws: { alg: 'PS256' } } },
    ask: sealed(),
    told: /^401.*alg is not PS256/,
  },
  {
    about: 'another operation is signed',
    always: { signing: { mode: 'cavage' } },
    settings: { signing: { requiredFor: ['initiatePayment'] } },
    ask: ({ ask }) => ask('GET', path),
    told: /^403.*CONSENT_UNKNOWN/,
  },
];
