import { countryFault } from '../standard/xs2a/countries.ts';
import type { DerElement } from './der.ts';
import { encodeElement, encodeUtf8, expectElement, readElement, readElements, tags } from './der.ts';

/** Attribute organizationIdentifier of a name (ETSI EN 319 412-1). */
export const organizationIdentifierOid = '2.5.4.97';

/** An organizationIdentifier taken apart: PSDDE-BAFIN-125314 is scheme PSD, country DE, authority BAFIN, number 125314. */
export interface OrganizationIdentifier {
  /** PSD for a payment service provider; VAT, NTR, LEI and others for anybody. */
  scheme: string;
  country: string;
  /** The national competent authority, of the scheme PSD only. */
  authority?: string;
  number: string;
}

/** Takes an organizationIdentifier apart; undefined where it has none of the forms (ETSI EN 319 412-1 section 5.1.4, TS 119 495 section 5.2.1). */
export function readOrganizationIdentifier(text: string): OrganizationIdentifier | undefined {
  const [, country, authority, registered] = /^PSD([A-Z]{2})-([A-Z]{2,8})-(\S.*)$/.exec(text) ?? [];
  if (country !== undefined && authority !== undefined && registered !== undefined)
    return { scheme: 'PSD', country, authority, number: registered };
  const [, scheme, land, number] = /^(?!PSD)([A-Z]{3})([A-Z]{2})-(\S.*)$/.exec(text) ?? [];
  if (scheme === undefined || land === undefined || number === undefined) return undefined;
  return { scheme, country: land, number };
}

/** Blanks of any alphabet and characters that do not show: banks compare the text byte by byte. */
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const blank = /[\s\u0000-\u001f\u007f-\u00a0\u200b-\u200f\u2060\ufeff]/;

/** Says why a text is not the registration number of a TPP, or undefined where it is one (ETSI TS 119 495 section 5.2.1). */
export function organizationIdentifierFault(text: string | undefined): string | undefined {
  if (text === undefined) return 'The subject has no organizationIdentifier (2.5.4.97).';
  const shown = JSON.stringify(text);
  const beside = new RegExp(`^${blank.source}|${blank.source}$|${blank.source}-|-${blank.source}`);
  if (beside.test(text))
    return `The organizationIdentifier ${shown} has a blank at an end or beside a hyphen.`;
  const read = readOrganizationIdentifier(text);
  if (read?.scheme === 'PSD') {
    const fault = countryFault(read.country);
    return fault === undefined ? undefined : `The organizationIdentifier ${shown} names ${fault}.`;
  }
  if (read !== undefined)
    return `The organizationIdentifier ${shown} has the scheme ${read.scheme}; that of a TPP has PSD.`;
  return `The organizationIdentifier ${shown} is not written as PSD, country, -, authority of 2 to 8 letters, -, number.`;
}

/** Tells whether there is a blank anywhere in an organizationIdentifier; a few registers have numbers with one. */
export function hasBlank(text: string): boolean {
  return blank.test(text);
}

/** The extension that repeats the organizationIdentifier in a QWAC (CA/B Forum EV guidelines 9.8.2). */
export const cabfOrganizationIdentifierOid = '2.23.140.3.1';

/** The organizationIdentifier as the extension has it: PSD, DE and BAFIN-125314 for PSDDE-BAFIN-125314. */
export interface CabfOrganizationIdentifier {
  scheme: string;
  country: string;
  /** State or province, of schemes that have one (NTRUS+CA-...). */
  state?: string;
  reference: string;
}

const stateTag = 0x80;

/** Reads the DER value of the extension; throws CERTIFICATE_FILE where it has another form. */
export function readCabfOrganizationIdentifier(value: Uint8Array): CabfOrganizationIdentifier {
  const parts = readElements(expectElement([readElement(value)], 0, tags.sequence).content);
  const text = ({ content }: DerElement) => Buffer.from(content).toString('utf8');
  const scheme = text(expectElement(parts, 0, tags.printableString));
  const country = text(expectElement(parts, 1, tags.printableString));
  const state = parts[2]?.tag === stateTag ? parts[2] : undefined;
  const reference = text(expectElement(parts, state === undefined ? 2 : 3, tags.utf8String));
  return { scheme, country, ...(state === undefined ? {} : { state: text(state) }), reference };
}

/** Encodes the DER value of the extension. */
export function encodeCabfOrganizationIdentifier(
  identifier: CabfOrganizationIdentifier,
): Uint8Array<ArrayBuffer> {
  const { scheme, country, state, reference } = identifier;
  const ascii = (tag: number, text: string) => encodeElement(tag, Buffer.from(text, 'ascii'));
  return encodeElement(
    tags.sequence,
    ascii(tags.printableString, scheme),
    ascii(tags.printableString, country),
    ...(state === undefined ? [] : [ascii(stateTag, state)]),
    encodeUtf8(reference),
  );
}

/** The organizationIdentifier that the parts of the extension make together. */
export function joinedIdentifier(identifier: CabfOrganizationIdentifier): string {
  const { scheme, country, state, reference } = identifier;
  return `${scheme}${country}${state === undefined ? '' : `+${state}`}-${reference}`;
}
