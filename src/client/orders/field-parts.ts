import { isCountryCode } from '../../base/values.ts';
import { defined } from '../../base/defined.ts';
import { checkCountry } from '../../standard/xs2a/countries.ts';
import { checkText } from '../../standard/xs2a/check-text.ts';
import { wireNames } from '../../standard/xs2a/variants.ts';
import type { Framework } from '../../standard/xs2a/variants.ts';
import type { Address } from '../../standard/xs2a/wire.ts';
import type { TransferInPain } from '../../standard/formats/payments/credit-transfer.ts';

/** The parts of an address by the names that people type. */
export type AddressParts = Partial<Record<AddressPart, string>> & { country: string; lines?: string[] };

const limits = { street: 70, number: 16, city: 35, postcode: 16, country: 2 } as const;
type AddressPart = keyof typeof limits;

const isPart = (name: string): name is AddressPart => Object.hasOwn(limits, name);

/** Splits `name=value; name=value` into names in lower case and values; a piece of another form has no name. */
function partsIn(text: string): (readonly [name: string, value: string])[] {
  const pieces = text.split(';').filter((one) => one.trim() !== '');
  return pieces.map((piece) => {
    const [, name = '', value = ''] = /^\s*([a-z]+)\s*=\s*(.*?)\s*$/i.exec(piece) ?? [];
    return [name.toLowerCase(), value];
  });
}

/** Reads `street=High Street; number=7; city=Leeds; postcode=LS1; country=GB`; tells why it is no address. */
export function readAddress(text: string): { ok: true; value: AddressParts } | { ok: false; why: string } {
  const parts: Partial<Record<AddressPart, string>> = {};
  const lines: string[] = [];
  for (const [part, value] of partsIn(text)) {
    if (part === 'line') {
      const checked = checkText(value, 70);
      if (!checked.ok) return { ok: false, why: `line: ${checked.why}` };
      lines.push(value);
      if (lines.length > 2) return { ok: false, why: 'it has at most two lines' };
      continue;
    }
    if (!isPart(part))
      return {
        ok: false,
        why: `its parts are ${Object.keys(limits).join(', ')} and line, each as PART=TEXT`,
      };
    if (parts[part] !== undefined) return { ok: false, why: `${part} occurs twice` };
    const checked = checkText(value, limits[part]);
    if (!checked.ok) return { ok: false, why: `${part}: ${checked.why}` };
    parts[part] = value;
  }
  const country = parts.country?.toUpperCase() ?? '';
  if (!isCountryCode(country))
    return { ok: false, why: 'it needs a country of two letters, such as country=DE' };
  const known = checkCountry(country);
  if (!known.ok) return { ok: false, why: `country: ${known.why}` };
  if (lines.length > 0 && parts.city === undefined)
    return { ok: false, why: 'an address with lines needs a city, too' };
  return { ok: true, value: { ...parts, country, ...(lines.length > 0 && { lines }) } };
}

/** The lines of an address, which pain.001 alone has. */
export function linesOf(text = ''): string[] {
  const read = readAddress(text);
  return read.ok ? (read.value.lines ?? []) : [];
}

/** The address with the member names of a framework. */
export function addressOf(text: string, framework: Framework): Address | undefined {
  const read = readAddress(text);
  if (!read.ok) return undefined;
  const { street, number, city, postcode, country } = read.value;
  const { addressStreet, addressTown, addressPostCode } = wireNames[framework];
  return {
    ...defined({
      [addressStreet]: street,
      buildingNumber: number,
      [addressTown]: city,
      [addressPostCode]: postcode,
    }),
    country,
  };
}

type Reporting = NonNullable<TransferInPain['regulatoryReporting']>;

/** Reads `country=FR; code=150; information=Goods`; tells why it is none. */
export function readReporting(text: string): { ok: true; value: Reporting } | { ok: false; why: string } {
  const limits = { country: 2, code: 10, information: 35 } as const;
  const value: Reporting = {};
  for (const [key, part] of partsIn(text)) {
    if (key !== 'country' && key !== 'code' && key !== 'information')
      return { ok: false, why: 'its parts are country, code and information, each as PART=TEXT' };
    const checked = checkText(part, limits[key]);
    if (!checked.ok) return { ok: false, why: `${key}: ${checked.why}` };
    value[key] = key === 'country' ? part.toUpperCase() : part;
  }
  if (value.country !== undefined && !isCountryCode(value.country))
    return { ok: false, why: 'country: it is two letters, such as FR' };
  const known = value.country === undefined ? undefined : checkCountry(value.country);
  if (known?.ok === false) return { ok: false, why: `country: ${known.why}` };
  if (value.code === undefined && value.information === undefined)
    return { ok: false, why: 'it needs a code or an information' };
  return { ok: true, value };
}
