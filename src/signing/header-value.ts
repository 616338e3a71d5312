/** Headers as name and value pairs, in wire order. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[];

/**
 * Returns the values of a header (name in lower case), joined as draft-cavage-http-signatures-10 section 2.3
 * says.
 */
export function headerValue(name: string, headers: HeaderPairs): string | undefined {
  const values = headers.filter(([other]) => other.toLowerCase() === name).map(([, value]) => value.trim());
  return values.length === 0 ? undefined : values.join(', ');
}
