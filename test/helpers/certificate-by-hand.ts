import { generateKeyPairSync, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

/** DER and certificates written byte by byte, with nothing of obk, so that no test holds because both sides share a mistake. */
export function der(tag: number, ...parts: readonly (Uint8Array | string)[]): Buffer {
  const content = Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'utf8') : part)),
  );
  const { length } = content;
  const head =
    length < 128
      ? [tag, length]
      : length < 256
        ? [tag, 0x81, length]
        : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), content]);
}

export const seq = (...parts: readonly (Uint8Array | string)[]) => der(0x30, ...parts);
export const utf8 = (text: string) => der(0x0c, text);
export const printable = (text: string) => der(0x13, text);
export const ia5 = (text: string) => der(0x16, text);

export function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const arc of rest) {
    const groups = arc
      .toString(2)
      .padStart(Math.ceil(arc.toString(2).length / 7) * 7, '0')
      .match(/.{7}/g)!;
    bytes.push(...groups.map((group, at) => parseInt(group, 2) + (at < groups.length - 1 ? 0x80 : 0)));
  }
  return der(6, Buffer.from(bytes));
}

/** A name in the order of the certificate; C, serialNumber and jurisdictionC are printable, all else UTF-8. */
export function name(...attributes: readonly (readonly [type: string, value: string])[]): Buffer {
  const ascii = ['2.5.4.6', '2.5.4.5', '1.3.6.1.4.1.311.60.2.1.3'];
  return seq(
    ...attributes.map(([type, value]) =>
      der(0x31, seq(oid(type), ascii.includes(type) ? printable(value) : utf8(value))),
    ),
  );
}

export const at = { CN: '2.5.4.3', C: '2.5.4.6', O: '2.5.4.10', OU: '2.5.4.11', ID: '2.5.4.97' } as const;

/** One extension: its OID, its value, and whether it is critical. */
export function extension(id: string, value: Uint8Array, critical = false): Buffer {
  return seq(oid(id), ...(critical ? [Buffer.from([1, 1, 0xff])] : []), der(4, value));
}

const usageBits = [
  'digitalSignature',
  'nonRepudiation',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
];

export function keyUsage(...names: readonly string[]): Buffer {
  const bits = names.reduce((all, one) => all | (0x80 >> usageBits.indexOf(one)), 0);
  let unused = 0;
  while (unused < 7 && ((bits >> unused) & 1) === 0) unused += 1;
  return extension('2.5.29.15', der(3, Buffer.from([unused, bits])), true);
}

export const clientAuth = '1.3.6.1.5.5.7.3.2';
export const serverAuth = '1.3.6.1.5.5.7.3.1';
export const extendedKeyUsage = (...ids: readonly string[]) =>
  extension('2.5.29.37', seq(...ids.map((id) => oid(id))));
export const policies = (...ids: readonly string[]) =>
  extension('2.5.29.32', seq(...ids.map((id) => seq(oid(id)))));
export const hosts = (...names: readonly string[]) =>
  extension('2.5.29.17', seq(...names.map((host) => der(0x82, host))));
export const notAuthority = extension('2.5.29.19', seq(), true);

export const compliance = seq(oid('0.4.0.1862.1.1'));
export const onDevice = seq(oid('0.4.0.1862.1.4'));
export const qcType = (kind: 'esign' | 'eseal' | 'web') =>
  seq(oid('0.4.0.1862.1.6'), seq(oid(`0.4.0.1862.1.6.${['', 'esign', 'eseal', 'web'].indexOf(kind)}`)));
export const retention = (years: number) => seq(oid('0.4.0.1862.1.3'), der(2, Buffer.from([years])));
export const limit = (currency: string, amount: number) =>
  seq(
    oid('0.4.0.1862.1.2'),
    seq(printable(currency), der(2, Buffer.from([amount])), der(2, Buffer.from([3]))),
  );
export const pds = (...places: readonly (readonly [language: string, url: string])[]) =>
  seq(oid('0.4.0.1862.1.5'), seq(...places.map(([language, url]) => seq(ia5(url), printable(language)))));
export const psd2 = (roles: readonly ('AS' | 'PI' | 'AI' | 'IC')[], ncaName: string, ncaId: string) =>
  seq(
    oid('0.4.0.19495.2'),
    seq(
      seq(
        ...roles.map((role) =>
          seq(oid(`0.4.0.19495.1.${['', 'AS', 'PI', 'AI', 'IC'].indexOf(role)}`), utf8(`PSP_${role}`)),
        ),
      ),
      utf8(ncaName),
      utf8(ncaId),
    ),
  );
export const statements = (...list: readonly Uint8Array[]) => extension('1.3.6.1.5.5.7.1.3', seq(...list));
export const cabf = (scheme: string, country: string, reference: string) =>
  extension('2.23.140.3.1', seq(printable(scheme), printable(country), utf8(reference)));

export interface ByHand {
  subject: Buffer;
  der: Buffer;
  pem: string;
  key: KeyObject;
  keyPem: string;
}

const utc = (time: Date) => der(0x17, time.toISOString().replace(/^20|[-:T]|\.\d+/g, ''));
const ecdsaSha256 = seq(oid('1.2.840.10045.4.3.2'));
let serials = 0;

/** A certificate over a new EC key (P-256), signed by its issuer or by itself. */
export function certificate(wish: {
  subject: Buffer;
  issuer?: Pick<ByHand, 'subject' | 'key'>;
  extensions: readonly Buffer[];
  from?: Date;
  until?: Date;
  serial?: string;
}): ByHand {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const { subject, issuer = { subject, key: privateKey }, extensions } = wish;
  serials += 1;
  const serial = Buffer.from(wish.serial ?? `4d${serials.toString(16).padStart(6, '0')}`, 'hex');
  const body = seq(
    der(0xa0, der(2, Buffer.from([2]))),
    der(2, serial),
    ecdsaSha256,
    issuer.subject,
    seq(
      utc(wish.from ?? new Date('2026-01-01T00:00:00Z')),
      utc(wish.until ?? new Date('2028-01-01T00:00:00Z')),
    ),
    subject,
    publicKey.export({ format: 'der', type: 'spki' }),
    der(0xa3, seq(...extensions)),
  );
  const signature = sign('sha256', body, issuer.key);
  const whole = seq(body, ecdsaSha256, der(3, Buffer.from([0]), signature));
  const lines = whole.toString('base64').match(/.{1,64}/g)!;
  return {
    subject,
    der: whole,
    pem: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
    key: privateKey,
    keyPem: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  };
}

/** An authority: self-signed, or an intermediate one. */
export function authority(common: string, issuer?: ByHand): ByHand {
  return certificate({
    subject: name([at.C, 'DE'], [at.O, 'Trust AG'], [at.CN, common]),
    ...(issuer === undefined ? {} : { issuer }),
    extensions: [
      extension('2.5.29.19', seq(Buffer.from([1, 1, 0xff])), true),
      extension('2.5.29.15', der(3, Buffer.from([1, 6])), true),
    ],
  });
}
