import { dotted, elements, text } from './der.ts';

/** A distinguished name as a set of `oid=value` in sorted order, so that spellings and orders compare equal. */
export type NameSet = readonly string[];

const oids: Readonly<Record<string, string>> = {
  CN: '2.5.4.3',
  COMMONNAME: '2.5.4.3',
  SN: '2.5.4.4',
  SURNAME: '2.5.4.4',
  SERIALNUMBER: '2.5.4.5',
  C: '2.5.4.6',
  L: '2.5.4.7',
  ST: '2.5.4.8',
  S: '2.5.4.8',
  STREET: '2.5.4.9',
  O: '2.5.4.10',
  OU: '2.5.4.11',
  T: '2.5.4.12',
  TITLE: '2.5.4.12',
  GN: '2.5.4.42',
  GIVENNAME: '2.5.4.42',
  ORGANIZATIONIDENTIFIER: '2.5.4.97',
  DC: '0.9.2342.19200300.100.1.25',
  UID: '0.9.2342.19200300.100.1.1',
  E: '1.2.840.113549.1.9.1',
  EMAILADDRESS: '1.2.840.113549.1.9.1',
};

const entry = (oid: string, value: string) => `${oid}=${value.trim().replace(/ +/g, ' ')}`;

/** The attributes of a Name in DER, in certificate order. */
export function nameAttributes(name: Uint8Array): { oid: string; value: string }[] {
  return elements(name)
    .flatMap((set) => elements(set.content))
    .map((attribute) => {
      const [type, value] = elements(attribute.content);
      return { oid: dotted(type?.content ?? new Uint8Array()), value: value ? text(value) : '' };
    });
}

/** The set of a Name in DER. */
export function nameSet(name: Uint8Array): NameSet {
  return nameAttributes(name)
    .map(({ oid, value }) => entry(oid, value))
    .sort();
}

/** The type names of RFC 2253 2.3; all other types are written as numbers. */
const shortNames: Readonly<Record<string, string>> = {
  '2.5.4.3': 'CN',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.9': 'STREET',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '0.9.2342.19200300.100.1.25': 'DC',
  '0.9.2342.19200300.100.1.1': 'UID',
};

/** A Name in DER as RFC 2253 writes it: the last attribute first, values of other types as hex. */
export function nameText(name: Uint8Array): string {
  const sets = elements(name).map((set) =>
    elements(set.content).map((attribute) => {
      const [type, value] = elements(attribute.content);
      const oid = dotted(type?.content ?? new Uint8Array());
      const short = shortNames[oid];
      if (value === undefined) return `${oid}=`;
      if (short === undefined) return `${oid}=#${Buffer.from(value.whole).toString('hex')}`;
      return `${short}=${escaped(text(value))}`;
    }),
  );
  return sets
    .reverse()
    .map((attributes) => attributes.join('+'))
    .join(',');
}

const escaped = (value: string) => value.replace(/[,+"\\<>;]|^[# ]| $/g, '\\$&');

/** The set of a distinguished name as text (RFC 2253, 4514 or OpenSSL spelling), or undefined where it is none. */
export function parseName(dn: string): NameSet | undefined {
  const parts = splitName(dn);
  const found: string[] = [];
  for (const part of parts) {
    const equals = part.indexOf('=');
    if (equals < 1) return undefined;
    const type = part
      .slice(0, equals)
      .trim()
      .toUpperCase()
      .replace(/^OID\./, '');
    const oid = /^[0-9]+(\.[0-9]+)+$/.test(type) ? type : oids[type];
    const value = readValue(part.slice(equals + 1).trim());
    if (oid === undefined || value === undefined) return undefined;
    found.push(entry(oid, value));
  }
  return found.length === 0 ? undefined : found.sort();
}

/** Splits at commas, semicolons and plus signs that are neither escaped nor quoted. */
function splitName(dn: string): string[] {
  const parts: string[] = [];
  let part = '';
  let quoted = false;
  for (let index = 0; index < dn.length; index++) {
    const sign = dn[index] ?? '';
    if (sign === '\\') {
      part += sign + (dn[index + 1] ?? '');
      index++;
    } else if (!quoted && /[,;+]/.test(sign)) {
      parts.push(part);
      part = '';
    } else {
      if (sign === '"') quoted = !quoted;
      part += sign;
    }
  }
  return [...parts, part];
}

/** The value of an attribute: `#` and hex of its DER, a quoted string, or text with escapes. */
function readValue(value: string): string | undefined {
  if (/^#([0-9a-fA-F]{2})+$/.test(value)) {
    try {
      const [element] = elements(Buffer.from(value.slice(1), 'hex'));
      return element && text(element);
    } catch {
      return undefined;
    }
  }
  const plain = /^".*"$/.test(value) ? value.slice(1, -1) : value;
  const bytes: number[] = [];
  for (let index = 0; index < plain.length; index++) {
    const sign = plain[index] ?? '';
    const hex = /^\\([0-9a-fA-F]{2})/.exec(plain.slice(index, index + 3));
    if (hex?.[1] !== undefined) {
      bytes.push(parseInt(hex[1], 16));
      index += 2;
    } else if (sign !== '\\') {
      bytes.push(...Buffer.from(String.fromCodePoint(plain.codePointAt(index) ?? 0)));
      if ((plain.codePointAt(index) ?? 0) > 0xffff) index++;
    } else {
      index++;
      bytes.push(...Buffer.from(plain[index] ?? ''));
    }
  }
  return Buffer.from(bytes).toString('utf8');
}
