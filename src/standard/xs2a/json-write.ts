/** The lossless JSON writer. */
import { JsonNumber } from './json-value.ts';

// Characters that a terminal or an editor might act on: DEL, C1, soft hyphen, zero-width and bidi controls, separators,
// tags.
const unsafe =
  /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udc7f]/g;

function writeString(text: string): string {
  return escaped(JSON.stringify(text));
}

/** Text of JSON in which nothing is left that a terminal might act on; it can only stand in strings. */
function escaped(json: string): string {
  return json.replace(unsafe, (found) =>
    [...Array(found.length).keys()]
      .map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/**
 * Writes JSON on one line, or with `indent` blanks per level: JsonNumber verbatim, control and bidi characters as
 * `\uXXXX`, members that are undefined left out. Takes plain values too; a `toJSON` (Secret, Date) is honoured.
 */
export function writeJson(value: unknown, indent = 0): string {
  // The rows of a list: many, and so plain that the platform's writer says the same.
  if (indent === 0 && isFlat(value)) return escaped(JSON.stringify(value));
  return write(value, indent, '\n') ?? 'null';
}

function write(value: unknown, indent: number, newline: string): string | undefined {
  if (value === null) return 'null';
  if (value instanceof JsonNumber) return value.text;
  switch (typeof value) {
    case 'string':
      return writeString(value);
    case 'number':
    case 'boolean':
      return JSON.stringify(value);
    case 'bigint':
      return value.toString();
    case 'object':
      return writeObject(value, indent, newline);
    default:
      return undefined;
  }
}

function writeObject(value: object, indent: number, newline: string): string | undefined {
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return write((value.toJSON as () => unknown)(), indent, newline);
  }
  const inner = newline + ' '.repeat(indent);
  const separator = indent > 0 ? `,${inner}` : ',';
  const wrap = (open: string, parts: readonly string[], close: string): string => {
    if (parts.length === 0) return open + close;
    return indent > 0
      ? open + inner + parts.join(separator) + newline + close
      : open + parts.join(separator) + close;
  };
  if (Array.isArray(value))
    return wrap(
      '[',
      value.map((item) => write(item, indent, inner) ?? 'null'),
      ']',
    );
  const colon = indent > 0 ? ': ' : ':';
  const members = Object.entries(value).flatMap(([key, item]) => {
    const text = write(item, indent, inner);
    return text === undefined ? [] : [writeString(key) + colon + text];
  });
  return wrap('{', members, '}');
}

/** Whether a value is an object of texts, whole numbers, truth values and lists of texts, with no writer of its own. */
function isFlat(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || 'toJSON' in value) return false;
  for (const key in value) {
    const item = (value as Record<string, unknown>)[key];
    if (typeof item === 'string' || item === undefined || typeof item === 'boolean' || item === null)
      continue;
    if (typeof item === 'number' && Number.isSafeInteger(item)) continue;
    if (!Array.isArray(item) || !item.every((part) => typeof part === 'string')) return false;
  }
  return true;
}
