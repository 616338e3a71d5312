import { defined } from '../../base/defined.ts';

/** Where a part of the document has its name: a key that no JSON shows, and that a copy with another description keeps. */
export const origin: unique symbol = Symbol('origin');

/** A part of the document that stands once among its components, and is referred to by its name. */
export interface Named {
  description?: string;
  [origin]?: { kind: 'schemas' | 'responses'; name: string; whole: { description?: string } };
}

/** A schema of the document: the keywords of JSON Schema that it uses. */
export interface Schema extends Named {
  type?: string | readonly string[];
  enum?: readonly unknown[];
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minProperties?: number;
  maxProperties?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  anyOf?: readonly Schema[];
  default?: unknown;
}

type Schemas = Readonly<Record<string, Schema>>;
type Made = (about?: string, more?: Schema) => Schema;

const ofType =
  (type: string): Made =>
  (about, more) => ({ type, ...defined({ description: about }), ...more });

export const text = ofType('string');
export const integer = ofType('integer');
export const flag = ofType('boolean');

/** One of some texts. */
export const words = (values: readonly string[], about?: string, more?: Schema): Schema =>
  text(about, { enum: values, ...more });

/** A list of values of one schema. */
export const list = (items: Schema, about?: string, more?: Schema): Schema =>
  ofType('array')(about, { items, ...more });

/** A text of 1 to so many characters. */
export const textUpTo = (maxLength: number, about?: string): Schema =>
  text(about, { minLength: 1, maxLength });

/** A whole number from `minimum` to `maximum`. */
export const within = (minimum: number, maximum: number, about?: string): Schema =>
  integer(about, { minimum, maximum });

/** An object whose members nobody judges here. */
export const anyObject = (about?: string): Schema => ofType('object')(about);

/** An object with these members, which are there, and perhaps those, and no others. */
export function object(there: Schemas, perhaps: Schemas = {}, about?: string, more?: Schema): Schema {
  const required = Object.keys(there);
  return {
    ...anyObject(about),
    ...more,
    properties: { ...there, ...perhaps },
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** The same, or null. */
export const orNull = (schema: Schema): Schema =>
  schema[origin] === undefined && typeof schema.type === 'string'
    ? { ...schema, type: [schema.type, 'null'] }
    : { anyOf: [schema, { type: 'null' }] };

/** A part that the document has once, under its name. */
export function named<Part extends Named>(
  name: string,
  part: Part,
  kind: 'schemas' | 'responses' = 'schemas',
): Part {
  return { ...part, [origin]: { kind, name, whole: part } };
}

/** A body of one type, with an example. */
export const contentOf = (type: string, schema: Schema, value: unknown): object => ({
  [type]: { schema, examples: { usual: { value } } },
});
