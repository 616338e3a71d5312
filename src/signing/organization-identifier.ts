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

/** Says why a text is not the registration number of a TPP, or undefined where it is one (ETSI TS 119 495 section 5.2.1). */
export function organizationIdentifierFault(text: string | undefined): string | undefined {
  if (text === undefined) return 'The subject has no organizationIdentifier (2.5.4.97).';
  const read = readOrganizationIdentifier(text);
  const shown = JSON.stringify(text);
  if (read?.scheme === 'PSD') return undefined;
  if (read !== undefined)
    return `The organizationIdentifier ${shown} has the scheme ${read.scheme}; that of a TPP has PSD.`;
  return `The organizationIdentifier ${shown} is not written as PSD, country, -, authority of 2 to 8 letters, -, number.`;
}
