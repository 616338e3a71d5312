import { nearest } from '../../base/nearest.ts';
import type { Schema } from '../openapi/schema.ts';
import { badRequest } from './problem.ts';

/** Throws a problem (400) unless a value from outside is as its schema says; `pointer` names the place (RFC 6901). */
export function checkValue(value: unknown, schema: Schema, pointer: string): void {
  const where = pointer === '' ? 'The body' : pointer;
  if (schema.anyOf !== undefined) {
    checkNullable(value, schema, pointer);
    return;
  }
  const { type, enum: allowed } = schema;
  const types = type === undefined ? undefined : [type].flat();
  // An integer is a number, too (JSON Schema, 6.1.1).
  if (
    types?.some((one) => one === typeOf(value) || (one === 'number' && typeof value === 'number')) === false
  )
    throw badRequest(
      `${where} is ${article(typeOf(value))}, not ${article(types.join(' or '))}.`,
      about(schema),
      pointer,
    );
  if (allowed !== undefined && !allowed.includes(value)) {
    const near = nearest(String(value), allowed.map(String));
    throw badRequest(
      `${where} does not take ${JSON.stringify(value)}.`,
      `It takes ${allowed.map(String).join(', ')}.`,
      pointer,
      near.length > 0 ? [`Did you mean ${near.join(' or ')}?`] : undefined,
    );
  }
  if (typeof value === 'string') checkText(value, schema, pointer);
  else if (typeof value === 'number') checkNumber(value, schema, pointer);
  else if (Array.isArray(value)) checkList(value, schema, pointer);
  else if (typeof value === 'object' && value !== null) checkObject(value as Members, schema, pointer);
}

/** Of two schemas the second is null (`changesOf`): whatever else is there is judged by the first. */
function checkNullable(
  value: unknown,
  { anyOf: [schema = {}] = [], description }: Schema,
  pointer: string,
): void {
  if (value !== null)
    checkValue(value, description === undefined ? schema : { ...schema, description }, pointer);
}

type Members = Readonly<Record<string, unknown>>;

function checkText(value: string, schema: Schema, pointer: string): void {
  const { type, minLength = 0, maxLength = Infinity } = schema;
  // What a file takes, too, has a list of types: the reader of the file judges it, and says more than a pattern does.
  const pattern = Array.isArray(type) ? undefined : schema.pattern;
  const fits = pattern === undefined || new RegExp(pattern, 'u').test(value);
  const { length } = [...value];
  if (fits && length >= minLength && length <= maxLength) return;
  const title = `${pointer} does not take ${JSON.stringify(value.slice(0, 100))}.`;
  const bounds =
    length < minLength
      ? 'It is empty.'
      : `It has ${String(length)} characters; ${String(maxLength)} are the most.`;
  throw badRequest(title, fits ? bounds : `${about(schema)} It has to match ${pattern}`, pointer);
}

function checkNumber(value: number, schema: Schema, pointer: string): void {
  const { minimum = -Infinity, maximum = Infinity } = schema;
  if (value >= minimum && value <= maximum) return;
  throw badRequest(
    `${pointer} does not take ${String(value)}.`,
    `It goes from ${String(minimum)}${maximum === Infinity ? ' on' : ` to ${String(maximum)}`}.`,
    pointer,
  );
}

function checkList(value: readonly unknown[], schema: Schema, pointer: string): void {
  const { items, maxItems = Infinity } = schema;
  if (value.length > maxItems)
    throw badRequest(
      `${pointer} has ${String(value.length)} elements.`,
      `${String(maxItems)} are the most.`,
      pointer,
    );
  if (items !== undefined)
    for (const [at, one] of value.entries()) checkValue(one, items, `${pointer}/${String(at)}`);
}

function checkObject(value: Members, schema: Schema, pointer: string): void {
  const { properties = {}, required = [], additionalProperties } = schema;
  const names = Object.keys(value);
  const known = Object.keys(properties);
  const place = pointer === '' ? 'The body' : pointer;
  for (const name of names) {
    const at = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const other = typeof additionalProperties === 'object' ? additionalProperties : undefined;
    if (own === undefined && other === undefined && additionalProperties === false) {
      const near = nearest(name, known);
      throw badRequest(
        `${place} has no member ${JSON.stringify(name)}.`,
        `It takes ${known.join(', ')}.`,
        at,
        near.length > 0 ? [`Did you mean ${near.join(' or ')}?`] : undefined,
      );
    }
    const rule = own ?? other;
    if (rule !== undefined) checkValue(value[name], rule, at);
  }
  const missing = required.filter((name) => !Object.hasOwn(value, name));
  if (missing.length > 0)
    throw badRequest(
      `${place} wants ${missing.join(', ')}.`,
      'It is not there.',
      `${pointer}/${missing[0] ?? ''}`,
    );
  const { minProperties = 0, maxProperties = Infinity } = schema;
  if (names.length < minProperties || names.length > maxProperties)
    throw badRequest(
      `${place} has ${String(names.length)} members.`,
      [
        names.length < minProperties
          ? `It takes ${String(minProperties)} or more.`
          : `It takes ${String(maxProperties)} at most.`,
        schema.description ?? `It takes ${known.join(', ')}.`,
      ].join(' '),
      pointer,
    );
}

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
