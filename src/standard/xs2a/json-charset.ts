/** The characters of JSON: UTF-8 (RFC 8259, section 8.1), or those that a bank names in its Content-Type. */
import { parseMediaType } from './media.ts';
import type { Tolerate } from './tolerated.ts';

/**
 * Returns JSON in UTF-8 where its Content-Type names another set that the platform knows (WHATWG Encoding); as it came where it is
 * UTF-8 all the same, and where nobody knows the set or the bytes are not of it.
 */
export function inUtf8(body: Uint8Array, contentType: string | undefined, tolerate?: Tolerate): Uint8Array {
  const name = contentType?.includes('charset') === true ? namedIn(contentType) : undefined;
  if (name === undefined || decodedAs(body, 'utf-8')?.includes('\0') === false) return body;
  const text = decodedAs(body, name);
  if (text === undefined) return body;
  tolerate?.('Content-Type', `the charset of JSON is ${name}`);
  return Buffer.from(text);
}

/** The set that a Content-Type names, where that is not UTF-8. */
export function namedIn(contentType: string): string | undefined {
  const name = parseMediaType(contentType).params.get('charset');
  return name === undefined || /^utf-?8$/i.test(name) ? undefined : name;
}

function decodedAs(body: Uint8Array, name: string): string | undefined {
  try {
    return new TextDecoder(name, { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}
