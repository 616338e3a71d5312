import { isCountryCode } from '../../base/values.ts';
import { defined } from '../../base/defined.ts';
import { checkCountry } from '../../standard/xs2a/countries.ts';
import { checkText } from '../../standard/xs2a/check-text.ts';
import { wireNames } from '../../standard/xs2a/variants.ts';
import type { Framework } from '../../standard/xs2a/variants.ts';
import type { Address } from '../../standard/xs2a/wire.ts';

/** The parts of an address by the names that people type. */
export type AddressParts = Partial<Record<AddressPart, string>> & { country: string; lines?: string[] };

const limits = { street: 70, number: 16, city: 35, postcode: 16, country: 2 } as const;
type AddressPart = keyof typeof limits;

const isPart = (name: string): name is AddressPart => Object.hasOwn(limits, name);

/** Reads `street=High Street; number=7; city=Leeds; postcode=LS1; country=GB`; tells why it is no address. */
export function readAddress(text: string): { ok: true; value: AddressParts } | { ok: false; why: string } {
  const parts: Partial<Record<AddressPart, string>> = {};
  const lines: string[] = [];
  for (const piece of text.split(';')) {
    if (piece.trim() === '') continue;
    const [, name = '', value = ''] = /^\s*([a-z]+)\s*=\s*(.*?)\s*$/i.exec(piece) ?? [];
    const part = name.toLowerCase();
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
