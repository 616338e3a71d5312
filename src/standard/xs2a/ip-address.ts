import { parseUrl } from '../../base/url.ts';
// Apart from check.ts, so that building a request does not load the IBAN tables.

/** The outcome of a check: the canonical value, or a clause that says what is wrong (`it is ...`). */
export type Checked<Value = string> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly why: string };

const octet = '(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
const ipv4 = new RegExp(`^${octet}(\\.${octet}){3}$`);

/** Checks an IPv4 or IPv6 address of a PSU, without zone or port. */
export function checkPsuIp(text: string): Checked {
  if (ipv4.test(text)) return { ok: true, value: text };
  const isIpv6 =
    /^[0-9a-f:.]{2,45}$/i.test(text) && text.includes(':') && parseUrl(`http://[${text}]/`) !== undefined;
  return isIpv6 ? { ok: true, value: text } : { ok: false, why: 'it is not an IPv4 or IPv6 address' };
}
