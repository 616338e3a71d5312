import type { DerElement } from './der.ts';
import { damaged, expectElement, oidText, readElements, tags, readElement } from './der.ts';

/** One attribute of a name: its type as dotted text, and its value as DER element. */
export interface NameAttribute {
  oid: string;
  value: DerElement;
}

/** A distinguished name in the order of the certificate; a relative name may have several attributes. */
export type DistinguishedName = readonly (readonly NameAttribute[])[];

/** The ways in which banks expect a name to be written; see `spellName`. */
export const nameSpellings = [
  'rfc2253',
  'rfc2253-%20',
  'java-tostring',
  'java-rfc1779',
  'dotnet',
  'dotnet-linux',
  'openssl-rfc2253',
  'openssl',
  'certificate-order',
] as const;

/** One way to write a name. */
export type NameSpelling = (typeof nameSpellings)[number];

/** Attribute names of RFC 2253 section 2.3; every other type is written as OID with its value in hex. */
const rfc2253Names: Readonly<Record<string, string>> = {
  '2.5.4.3': 'CN',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.9': 'STREET',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '0.9.2342.19200300.100.1.1': 'UID',
  '0.9.2342.19200300.100.1.25': 'DC',
};

/** The further names that Java's X500Principal.toString() uses. */
const javaNames: Readonly<Record<string, string>> = {
  ...rfc2253Names,
  '2.5.4.4': 'SURNAME',
  '2.5.4.5': 'SERIALNUMBER',
  '2.5.4.12': 'T',
  '2.5.4.42': 'GIVENNAME',
  '2.5.4.43': 'INITIALS',
  '2.5.4.44': 'GENERATION',
  '2.5.4.46': 'DNQ',
  '1.2.840.113549.1.9.1': 'EMAILADDRESS',
};

/** The names of RFC 1779 section 2.3, as Java's getName(RFC1779) uses them. */
const rfc1779Names: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(rfc2253Names).filter(([, name]) => name !== 'UID' && name !== 'DC'),
);

/** The names that .NET uses everywhere; they are those of Windows (CERT_X500_NAME_STR). */
const dotnetNames: Readonly<Record<string, string>> = {
  '2.5.4.3': 'CN',
  '2.5.4.4': 'SN',
  '2.5.4.5': 'SERIALNUMBER',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'S',
  '2.5.4.9': 'STREET',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '2.5.4.12': 'T',
  '2.5.4.13': 'Description',
  '2.5.4.17': 'PostalCode',
  '2.5.4.18': 'POBox',
  '2.5.4.20': 'Phone',
  '2.5.4.42': 'G',
  '2.5.4.43': 'I',
  '2.5.4.46': 'dnQualifier',
  '0.9.2342.19200300.100.1.25': 'DC',
  '1.2.840.113549.1.9.1': 'E',
};

/** OpenSSL's short names. */
const opensslNames: Readonly<Record<string, string>> = {
  ...rfc2253Names,
  '2.5.4.4': 'SN',
  '2.5.4.5': 'serialNumber',
  '2.5.4.9': 'street',
  '2.5.4.12': 'title',
  '2.5.4.13': 'description',
  '2.5.4.15': 'businessCategory',
  '2.5.4.17': 'postalCode',
  '2.5.4.20': 'telephoneNumber',
  '2.5.4.41': 'name',
  '2.5.4.42': 'GN',
  '2.5.4.43': 'initials',
  '2.5.4.44': 'generationQualifier',
  '2.5.4.45': 'x500UniqueIdentifier',
  '2.5.4.46': 'dnQualifier',
  '2.5.4.65': 'pseudonym',
  '2.5.4.97': 'organizationIdentifier',
  '1.2.840.113549.1.9.1': 'emailAddress',
  '1.3.6.1.4.1.311.60.2.1.1': 'jurisdictionL',
  '1.3.6.1.4.1.311.60.2.1.2': 'jurisdictionST',
  '1.3.6.1.4.1.311.60.2.1.3': 'jurisdictionC',
};

/** OpenSSL's long names where they differ from the short ones and .NET has none. */
const opensslJurisdictions: Readonly<Record<string, string>> = {
  '1.3.6.1.4.1.311.60.2.1.1': 'jurisdictionLocalityName',
  '1.3.6.1.4.1.311.60.2.1.2': 'jurisdictionStateOrProvinceName',
  '1.3.6.1.4.1.311.60.2.1.3': 'jurisdictionCountryName',
};

/** Reads a Name element (RFC 5280 section 4.1.2.4); throws CERTIFICATE_FILE. */
export function readName(element: DerElement): DistinguishedName {
  return readElements(element.content).map((relative) =>
    readElements(relative.content).map((pair) => {
      const parts = readElements(pair.content);
      const value = parts[1];
      if (value === undefined) throw damaged('An attribute of a name has no value.');
      return { oid: oidText(expectElement(parts, 0, tags.oid).content), value };
    }),
  );
}

/** Returns the first value of an attribute type (dotted text), or undefined. */
export function nameAttribute(name: DistinguishedName, oid: string): string | undefined {
  const attribute = name.flat().find((candidate) => candidate.oid === oid);
  return attribute && attributeText(attribute.value);
}

/** Returns the text of an attribute's value, or undefined where its type is not a string (RFC 5280 section 4.1.2.4). */
function attributeText({ tag, content }: DerElement): string | undefined {
  const bytes = Buffer.from(content);
  switch (tag) {
    case tags.utf8String:
    case tags.printableString:
    case tags.ia5String:
      return bytes.toString('utf8');
    case tags.t61String:
      return bytes.toString('latin1');
    case tags.bmpString:
      return bytes.length % 2 === 0 ? bytes.swap16().toString('utf16le') : undefined;
    default:
      return undefined;
  }
}

/** Writes what a header may not carry as UTF-8 bytes: `\C3\A9` (RFC 2253 section 2.4) or `%C3%A9`. */
function hexPairs(text: string, which: RegExp, prefix = '\\'): string {
  return text.replace(which, (found) =>
    Buffer.from(found, 'utf8').toString('hex').toUpperCase().replace(/../g, `${prefix}$&`),
  );
}

// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const unprintable = /[\u0000-\u001f\u007f]/g;
const notPlainAscii = /[^\u0020-\u007e]+/gu;

/** The grammar of RFC 2253 section 3, where `=` and `#` are special everywhere; Java does the same. */
function escapeStrictly(text: string): string {
  return text.replace(/[,=+<>#;"\\]/g, '\\$&').replace(/^ +| +$/g, (blanks) => blanks.replaceAll(' ', '\\ '));
}

/** OpenSSL's reading of RFC 2253: `=` is plain, `#` and a blank only matter at the ends. */
function escapeLoosely(text: string): string {
  return text.replace(/[,+<>;"\\]|^[ #]| $/g, '\\$&');
}

function quoteAsJava(text: string): string {
  const needed = /[,+=\n<>#;\\"]|^ | $| {2}/.test(text);
  return needed ? `"${text.replace(/["\\]/g, '\\$&')}"` : text;
}

/** .NET doubles the quotes within quotes, and a backslash is a character like any other. */
function quoteAsDotnet(text: string): string {
  const needed = text === '' || /[,+="\n<>#;]|^\s|\s$/.test(text);
  return needed ? `"${text.replaceAll('"', '""')}"` : text;
}

function quoteAsOpenssl(text: string): string {
  const escaped = text.replace(/["\\]/g, '\\$&');
  return /[,+<>;]|^[ #]| $/.test(text) ? `"${escaped}"` : escaped;
}

interface Style {
  names: Readonly<Record<string, string>>;
  /** RFC 2253 writes the last relative name first. */
  reversed: boolean;
  /** OpenSSL turns the attributes of a relative name round with it; Java and .NET leave them. */
  partsReversed?: boolean;
  separator: string;
  plus: string;
  equals: string;
  /**
   * How a type without a name is written: its value in hex, or as text after the OID or `OID.` and the OID.
   */
  unknown: 'hex' | 'HEX' | 'OID.' | 'text';
  escape: (text: string) => string;
}

const opensslStyle: Style = {
  names: opensslNames,
  reversed: true,
  separator: ',',
  plus: '+',
  equals: '=',
  unknown: 'HEX',
  escape: (text) => hexPairs(escapeLoosely(text), notPlainAscii),
};

const strictStyle: Style = { ...opensslStyle, names: rfc2253Names, unknown: 'hex', escape: escapeStrictly };

const readableStyle: Style = {
  ...opensslStyle,
  separator: ', ',
  escape: (text) => hexPairs(escapeLoosely(text), unprintable),
};

const dotnetStyle: Style = {
  ...opensslStyle,
  names: dotnetNames,
  separator: ', ',
  plus: ' + ',
  unknown: 'OID.',
  escape: quoteAsDotnet,
};

const styles: Readonly<Record<Exclude<NameSpelling, 'rfc2253-%20'>, Style>> = {
  rfc2253: { ...strictStyle, escape: (text) => hexPairs(escapeStrictly(text), notPlainAscii) },
  'java-tostring': {
    ...opensslStyle,
    names: javaNames,
    separator: ', ',
    plus: ' + ',
    unknown: 'OID.',
    escape: quoteAsJava,
  },
  'java-rfc1779': {
    ...opensslStyle,
    names: rfc1779Names,
    separator: ', ',
    plus: ' + ',
    unknown: 'OID.',
    escape: quoteAsJava,
  },
  dotnet: dotnetStyle,
  'dotnet-linux': {
    ...dotnetStyle,
    // What .NET has no name for, it asks OpenSSL there, and Windows on Windows.
    names: { ...opensslNames, ...opensslJurisdictions, ...dotnetNames },
  },
  'openssl-rfc2253': { ...opensslStyle, partsReversed: true },
  openssl: {
    ...opensslStyle,
    reversed: false,
    separator: ', ',
    plus: ' + ',
    equals: ' = ',
    unknown: 'text',
    escape: (text) => hexPairs(quoteAsOpenssl(text), notPlainAscii),
  },
  'certificate-order': { ...opensslStyle, reversed: false, unknown: 'text' },
};

function write(name: DistinguishedName, style: Style): string {
  const attribute = ({ oid, value }: NameAttribute): string => {
    const known = style.names[oid];
    const label = known ?? (style.unknown === 'OID.' ? `OID.${oid}` : oid);
    const asHex = known === undefined && /hex/i.test(style.unknown);
    const text = asHex ? undefined : attributeText(value);
    if (text !== undefined) return label + style.equals + style.escape(text);
    const hex = Buffer.from(value.whole).toString('hex');
    return `${label}${style.equals}#${style.unknown === 'hex' ? hex : hex.toUpperCase()}`;
  };
  const relatives = name.map((relative) => {
    const parts = relative.map(attribute);
    return (style.partsReversed === true ? parts.reverse() : parts).join(style.plus);
  });
  return (style.reversed ? relatives.reverse() : relatives).join(style.separator);
}

/**
 * Writes a name in one spelling: `rfc2253` as Java's getName() does, `rfc2253-%20` the same with blanks (and bytes beyond
 * ASCII) percent-encoded as in the guidelines' example, `java-tostring` as X500Principal.toString(), `java-rfc1779` as its
 * getName(RFC1779), `dotnet` as .NET's X509Certificate2.Issuer on Windows, `dotnet-linux` the same where OpenSSL names what
 * .NET does not, `openssl-rfc2253` as `-nameopt RFC2253`, `openssl` as `-nameopt oneline`, and `certificate-order` as
 * `openssl-rfc2253` in the order of the certificate.
 */
export function spellName(name: DistinguishedName, spelling: NameSpelling): string {
  if (spelling !== 'rfc2253-%20') return write(name, styles[spelling]);
  return hexPairs(write(name, strictStyle), /[^\u0021-\u007e]+/gu, '%');
}

/**
 * Writes a name for people: RFC 2253 order, OpenSSL's attribute names, letters of any language as they are.
 */
export function readableName(name: DistinguishedName): string {
  return write(name, readableStyle);
}

/**
 * Tells whether a text names a distinguished name in whatever spelling: the same values, in any order, escaped, quoted,
 * percent-encoded or in hex. Types are not compared, since programs have many names for one.
 */
export function namesSame(text: string, name: DistinguishedName): boolean {
  const values = name.flat().map(({ value }) => plain(attributeText(value) ?? ''));
  return [text, decoded(text)].some((one) => {
    const told = parts(one).map((part) => /^\s*[A-Za-z0-9.]+\s*=(.*)$/s.exec(part)?.[1]);
    return told.every((part) => part !== undefined) && sorted(told.map(valueOf)) === sorted(values);
  });
}

const sorted = (values: readonly string[]) => JSON.stringify([...values].sort());
const plain = (value: string) => value.trim().replace(/\s+/g, ' ').toLowerCase();

/** Splits at commas, semicolons, plus signs and line ends that are neither escaped nor quoted. */
function parts(text: string): string[] {
  return text.match(/(?:\\.|"(?:[^"\\]|\\.|"")*"|[^,;+\n"\\])+/gs) ?? [];
}

function valueOf(part: string | undefined): string {
  const text = (part ?? '').trim();
  if (/^#([0-9a-f]{2})+$/i.test(text)) {
    try {
      return plain(attributeText(readElement(Buffer.from(text.slice(1), 'hex'))) ?? '');
    } catch {
      return text;
    }
  }
  const inside = /^".*"$/s.test(text) ? text.slice(1, -1).replaceAll('""', '"') : text;
  const bytes = inside.replace(/(?:\\[0-9a-f]{2})+/gi, (run) =>
    Buffer.from(run.replaceAll('\\', ''), 'hex').toString('utf8'),
  );
  return plain(bytes.replace(/\\(.)/gs, '$1'));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
