/** The last addresses that were read, of which a call asks for the same few again and again; none with a query, which may be secret. */
const lately = new Map<string, URL>();
const most = 64;
const plain = /^https?:\/\/[^?#@]{1,256}$/;

/**
 * An absolute URL, which several may hold and nobody changes, or undefined for a text that is none. Not by URL.canParse: that of Node 20 and 22 takes a text with
 * letters of Latin-1 for none as soon as it has been called often.
 */
export function parseUrl(text: string): URL | undefined {
  const known = lately.get(text);
  if (known !== undefined) return known;
  // What is not set is asked for often, and an exception is dear.
  if (text === '') return undefined;
  try {
    const url = new URL(text);
    if (!plain.test(text)) return url;
    if (lately.size === most) lately.clear();
    lately.set(text, url);
    return url;
  } catch {
    return undefined;
  }
}

/** The same for a text that was found to be one before; throws for another. */
export const urlOf = (text: string): URL => parseUrl(text) ?? new URL(text);

/** Whether a host, as in a URL, is this machine by its form, without asking DNS; an address of IPv6 with or without brackets. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.[0-9]{1,3}){3}|\[::1\]|::1)$/i.test(host);
}

/** The same for the address of a socket, which may have a zone, or one of IPv4 within one of IPv6. No TPP is sent to such a one. */
export const isLoopbackAddress = (address: string): boolean =>
  isLoopback(address) ||
  /^\[?::(?:1%.*|ffff:127(?:\.[0-9]{1,3}){3}|ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4})\]?$/i.test(address);
