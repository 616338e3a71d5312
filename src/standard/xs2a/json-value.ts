/** A JSON document in memory: numbers keep their text, objects have no prototype. */

/** A JSON number as it was written; `text` matches the number grammar of RFC 8259. */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** The nearest double; for counters and lengths, never for amounts. */
  get value(): number {
    return Number(this.text);
  }

  toString(): string {
    return this.text;
  }

  /** The number where a double holds it exactly as written, else its text. */
  toJSON(): number | string {
    return plainNumber(this);
  }
}

/**
 * Returns the whole number that a JSON number stands for, however it is written (1, 1.0, 10e-1), as the nearest double;
 * undefined for any other number. Source: JSON Schema, "integer": a fraction of zero.
 */
export function wholeNumber({ text, value }: JsonNumber): number | undefined {
  const [, digits = '', part = '', exponent = '0'] =
    /^-?([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/.exec(text) ?? [];
  const all = digits + part;
  let zeros = 0;
  while (zeros < all.length && all.at(-1 - zeros) === '0') zeros += 1;
  const isWhole = zeros === all.length || zeros + Number(exponent) >= part.length;
  return isWhole ? value : undefined;
}

/** The result of `readJson`: objects have no prototype, numbers are JsonNumber. */
export type JsonValue = null | boolean | string | JsonNumber | JsonValue[] | JsonObject;
/** A JSON object without a prototype, so that no key can reach one. */
export interface JsonObject {
  [key: string]: JsonValue;
}

/** Tells whether a value is a JSON object (not null, an array or a number). */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)
  );
}

/** Returns the member of an object, or undefined where the value is no object or has no such member. */
export function member(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Returns the member where it is a string, else undefined. */
export function stringMember(value: JsonValue | undefined, key: string): string | undefined {
  const found = member(value, key);
  return typeof found === 'string' ? found : undefined;
}

function plainNumber(number: JsonNumber): number | string {
  return String(number.value) === number.text ? number.value : number.text;
}

/**
 * Returns the value with ordinary numbers, for use as a wire type; a number that a double does not hold exactly as written
 * becomes its text. Objects keep having no prototype.
 */
export function toPlain(value: JsonValue): unknown {
  if (value instanceof JsonNumber) return plainNumber(value);
  if (Array.isArray(value)) return value.map(toPlain);
  if (!isJsonObject(value)) return value;
  const plain = Object.create(null) as Record<string, unknown>;
  for (const [key, item] of Object.entries(value)) plain[key] = toPlain(item);
  return plain;
}
