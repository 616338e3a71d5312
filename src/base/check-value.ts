import { nearest } from './nearest.ts';
import type { Schema } from './schema.ts';

/** What is wrong with a value from outside: what, why, where (`pointer`, RFC 6901), and what was probably meant. */
export interface Misfit {
  title: string;
  detail: string;
  pointer: string;
  meant: readonly string[];
}

type Checked = Misfit | undefined;

/** Where a value stands: a pointer, or a name or a number in another place. It is written only where something is wrong. */
type Place = string | { in: Place; name: string | number };

const pointerOf = (place: Place): string =>
  typeof place === 'string'
    ? place
    : `${pointerOf(place.in)}/${String(place.name).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** The first thing that keeps a value of JSON from being as its schema says; undefined where it is so. */
export function checkValue(value: unknown, schema: Schema, place: Place = ''): Checked {
  if (schema.anyOf !== undefined) return checkAny(value, schema, place);
  const { type, enum: allowed } = schema;
  if (type !== undefined && !isOf(type, value)) {
    const due = typeof type === 'string' ? type : type.join(' or ');
    const title = `${named(place)} is ${article(typeOf(value))}, not ${article(due)}.`;
    return misfit(title, about(schema), place);
  }
  if (allowed !== undefined && !allowed.includes(value)) {
    const title = `${named(place)} does not take ${JSON.stringify(value)}.`;
    const texts = allowed.map(String);
    return misfit(title, `It takes ${texts.join(', ')}.`, place, nearest(String(value), texts));
  }
  if (typeof value === 'string') return checkText(value, schema, place);
  if (typeof value === 'number') return checkNumber(value, schema, place);
  if (Array.isArray(value)) return checkList(value, schema, place);
  return typeof value === 'object' && value !== null
    ? checkObject(value as Members, schema, place)
    : undefined;
}

// An integer is a number, too (JSON Schema, 6.1.1).
const isOf = (type: string | readonly string[], value: unknown): boolean =>
  typeof type === 'string'
    ? type === typeOf(value) || (type === 'number' && typeof value === 'number')
    : type.some((one) => isOf(one, value));

const misfit = (title: string, detail: string, place: Place, meant: readonly string[] = []): Misfit => ({
  ...{ title, detail, pointer: pointerOf(place), meant },
});

/** What none of several schemas takes is told of by the first. */
function checkAny(
  value: unknown,
  { anyOf: [first = {}, ...others] = [], description }: Schema,
  place: Place,
): Checked {
  const wrong = checkValue(value, description === undefined ? first : { ...first, description }, place);
  const isOther = wrong !== undefined && others.some((one) => checkValue(value, one) === undefined);
  return isOther ? undefined : wrong;
}

type Members = Readonly<Record<string, unknown>>;

const patterns = new Map<string, RegExp>();

function isLike(pattern: string, text: string): boolean {
  const form = patterns.get(pattern) ?? new RegExp(pattern, 'u');
  patterns.set(pattern, form);
  return form.test(text);
}

function checkText(value: string, schema: Schema, place: Place): Checked {
  const { type, minLength = 0, maxLength = Infinity } = schema;
  // What a file takes, too, has a list of types: the reader of the file judges it, and says more than a pattern does.
  const pattern = Array.isArray(type) ? undefined : schema.pattern;
  const fits = pattern === undefined || isLike(pattern, value);
  const length = minLength === 0 && maxLength === Infinity ? 0 : [...value].length;
  if (fits && length >= minLength && length <= maxLength) return undefined;
  const title = `${pointerOf(place)} does not take ${JSON.stringify(value.slice(0, 100))}.`;
  const bounds =
    length < minLength
      ? 'It is empty.'
      : `It has ${String(length)} characters; ${String(maxLength)} are the most.`;
  return misfit(title, fits ? bounds : `${about(schema)} It has to match ${pattern}`, place);
}

function checkNumber(value: number, schema: Schema, place: Place): Checked {
  const { minimum = -Infinity, maximum = Infinity } = schema;
  if (value >= minimum && value <= maximum) return undefined;
  const range = `${String(minimum)}${maximum === Infinity ? ' on' : ` to ${String(maximum)}`}`;
  return misfit(`${pointerOf(place)} does not take ${String(value)}.`, `It goes from ${range}.`, place);
}

function checkList(value: readonly unknown[], schema: Schema, place: Place): Checked {
  const { items, prefixItems = [], maxItems = Infinity } = schema;
  if (value.length > maxItems)
    return misfit(
      `${pointerOf(place)} has ${String(value.length)} elements.`,
      `${String(maxItems)} are the most.`,
      place,
    );
  for (let at = 0; at < Math.max(value.length, prefixItems.length); at += 1) {
    // Entries that are named one by one must be there.
    const rule = prefixItems[at] ?? items;
    const wrong = rule && checkValue(value[at], rule, { in: place, name: at });
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function checkObject(value: Members, schema: Schema, place: Place): Checked {
  // A member that is undefined is none in JSON.
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  for (const name of names) {
    const wrong = checkMember(name, value[name], schema, place);
    if (wrong !== undefined) return wrong;
  }
  return checkNames(names, schema, place);
}

function checkMember(name: string, value: unknown, schema: Schema, place: Place): Checked {
  const { properties = {}, additionalProperties: other } = schema;
  const rule = Object.hasOwn(properties, name) ? properties[name] : other;
  if (rule === undefined || rule === true) return undefined;
  const at = { in: place, name };
  if (rule !== false) return checkValue(value, rule, at);
  const known = Object.keys(properties);
  const title = `${named(place)} has no member ${JSON.stringify(name)}.`;
  return misfit(title, `It takes ${known.join(', ')}.`, at, nearest(name, known));
}

/** Whether those are there that must be, and not too few or too many. */
function checkNames(names: readonly string[], schema: Schema, place: Place): Checked {
  const { required = [], minProperties = 0, maxProperties = Infinity } = schema;
  const [missing, ...others] = required.filter((name) => !names.includes(name));
  if (missing !== undefined) {
    const title = `${named(place)} wants ${[missing, ...others].join(', ')}.`;
    return misfit(title, 'It is not there.', { in: place, name: missing });
  }
  if (names.length >= minProperties && names.length <= maxProperties) return undefined;
  const bound =
    names.length < minProperties
      ? `It takes ${String(minProperties)} or more.`
      : `It takes ${String(maxProperties)} at most.`;
  const known = `It takes ${Object.keys(schema.properties ?? {}).join(', ')}.`;
  const title = `${named(place)} has ${String(names.length)} members.`;
  return misfit(title, `${bound} ${schema.description ?? known}`, place);
}

const named = (place: Place): string => (place === '' ? 'The body' : pointerOf(place));

const about = ({ description }: Schema): string =>
  description ?? 'The document of this interface says what it takes.';

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

const article = (type: string): string =>
  type === 'null' ? type : /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
