import { isCountryCode } from '../../base/values.ts';
import type { TransferInPain } from '../../standard/formats/payments/credit-transfer.ts';
import { checkCountry } from '../../standard/xs2a/countries.ts';
import { checkText } from '../../standard/xs2a/check-text.ts';

type Reporting = NonNullable<TransferInPain['regulatoryReporting']>;

/** Reads `country=FR; code=150; information=Goods`; tells why it is none. */
export function readReporting(text: string): { ok: true; value: Reporting } | { ok: false; why: string } {
  const limits = { country: 2, code: 10, information: 35 } as const;
  const value: Reporting = {};
  for (const piece of text.split(';').filter((one) => one.trim() !== '')) {
    const [, name = '', part = ''] = /^\s*([a-z]+)\s*=\s*(.*?)\s*$/i.exec(piece) ?? [];
    const key = name.toLowerCase();
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
