/** Headers as name and value pairs, in wire order. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[];

/**
 * Returns the values of a header (name in lower case), joined as draft-cavage-http-signatures-10 section 2.3
 * says.
 */
export function headerValue(name: string, headers: HeaderPairs): string | undefined {
  let found: string | undefined;
  for (const [other, value] of headers)
    if (other.length === name.length && other.toLowerCase() === name)
      found = found === undefined ? value.trim() : `${found}, ${value.trim()}`;
  return found;
}
