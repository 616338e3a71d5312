/**
 * An absolute URL, or undefined for a text that is none. Not by URL.canParse: that of Node 20 and 22 takes a text with
 * letters of Latin-1 for none as soon as it has been called often.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
