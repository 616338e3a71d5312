/** The headers that name somebody by a text of the bank's own choice, in whatever script. */
const naming: ReadonlySet<string> = new Set(['psu-id', 'psu-corporate-id']);

/** Tells whether a header, by its name in any case, names a PSU or a company. */
export const isNaming = (header: string): boolean => naming.has(header.toLowerCase());

const extended = /^utf-8'[a-z0-9-]*'((?:%[0-9a-f]{2}|[A-Za-z0-9!#$&+.^_`|~-])*)$/i;

/**
 * Returns the name that a header has, whose value is given with a character for each byte: of `UTF-8''` and percent-encoding what
 * that stands for (RFC 8187, 3.2), else the text of the bytes as UTF-8, else, where they are none, as ISO 8859-1. A value with
 * other characters is a text already, and stays one.
 */
export function nameFromHeader(value: string): string {
  const [, encoded] = extended.exec(value) ?? [];
  const bytes =
    encoded === undefined
      ? Buffer.from(value, 'latin1')
      : Buffer.from(
          encoded.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
          'latin1',
        );
  if (encoded === undefined && !/^[\0-\xff]*$/.test(value)) return value;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return value;
  }
}

/**
 * Returns the value of a header for people: of a naming header whose bytes are UTF-8 beyond ASCII the name that they spell; any
 * other value as it is, so that what is encoded by RFC 8187 is seen to be.
 */
export function shownValue(header: string, value: string): string {
  return isNaming(header) && /[\x80-\xff]/.test(value) ? nameFromHeader(value) : value;
}

/**
 * Returns the value of a header for a name, with a character for each byte: the name in UTF-8, and one that would not be read again
 * from that, such as one with a blank at its end, as RFC 8187 writes it. A name in ASCII stays as it is.
 */
export function nameToHeader(name: string): string {
  const bytes = Buffer.from(name, 'utf8').toString('latin1');
  if (nameFromHeader(bytes.trim()) === name) return bytes;
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return `UTF-8''${encoded}`;
}
