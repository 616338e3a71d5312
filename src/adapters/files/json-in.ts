/** The value of a JSON text; undefined where it is no JSON. Never throws the parser's message, which quotes the text. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** As `jsonIn`, for an object or an array; undefined for any other value. */
export function jsonObjectIn(text: string): object | undefined {
  const value = jsonIn(text);
  return typeof value === 'object' && value !== null ? value : undefined;
}
