const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';

/** ISO 8601, UTC. */
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

const kinds = {
  text: isText,
  instant: (value: unknown) => isText(value) && instant.test(value),
  number: (value: unknown) => typeof value === 'number',
  flag: (value: unknown) => typeof value === 'boolean',
  object: isObject,
  objects: (value: unknown) => Array.isArray(value) && value.every(isObject),
  pairs: (value: unknown) =>
    Array.isArray(value) &&
    value.every((pair) => Array.isArray(pair) && pair.length === 2 && pair.every(isText)),
  texts: (value: unknown) => Array.isArray(value) && value.every(isText),
  textsByName: (value: unknown) => isObject(value) && Object.values(value).every(isText),
};

type Kind = keyof typeof kinds;

/** The kind of value under each name; with `?` it may be absent. */
export type Shape = Readonly<Record<string, Kind | `${Kind}?`>>;

/** Whether a document that was read holds what obk writes, as far as anything relies on it. */
export function hasShape(json: unknown, shape: Shape): boolean {
  return (
    isObject(json) &&
    Object.entries(shape).every(([name, kind]) => {
      const value = (json as Record<string, unknown>)[name];
      if (value === undefined) return kind.endsWith('?');
      return kinds[kind.replace('?', '') as Kind](value);
    })
  );
}
