import { defined } from '../../base/defined.ts';
import type { Members, ObjectOf, Schema } from '../../base/schema.ts';

/** Where a part of the document has its name: a key that no JSON shows, and that a copy with another description keeps. */
export const origin: unique symbol = Symbol('origin');

/** A part of the document that stands once among its components, and is referred to by its name. */
export interface Named {
  description?: string;
  [origin]?: { kind: 'schemas' | 'responses'; name: string; whole: { description?: string } };
}

const ofType =
  <Value>(type: string) =>
  (about?: string, more?: Schema<Value>): Schema<Value> => ({
    type,
    ...defined({ description: about }),
    ...more,
  });

export const text = ofType<string>('string');
export const integer = ofType<number>('integer');
export const flag = ofType<boolean>('boolean');

/** An object whose members nobody judges here. */
export const anyObject = ofType<object>('object');

/** One of some texts. */
export const words = <Word extends string>(
  values: readonly Word[],
  about?: string,
  more?: Schema<Word>,
): Schema<Word> => ofType<Word>('string')(about, { enum: values, ...more });

/** A list of values of one schema. */
export const list = <Value>(
  items: Schema<Value>,
  about?: string,
  more?: Schema<readonly Value[]>,
): Schema<readonly Value[]> => ofType<readonly Value[]>('array')(about, { items, ...more });

/** A text of 1 to so many characters. */
export const textUpTo = (maxLength: number, about?: string) => text(about, { minLength: 1, maxLength });

/** A whole number from `minimum` to `maximum`. */
export const within = (minimum: number, maximum: number, about?: string) =>
  integer(about, { minimum, maximum });

/** An object with these members, which are there, and perhaps those, and no others. */
export function object<There extends Members, Perhaps extends Members = There>(
  there: There,
  perhaps?: Perhaps,
  about?: string,
  more?: Schema<ObjectOf<There, Perhaps>>,
): Schema<ObjectOf<There, Perhaps>> {
  const required = Object.keys(there);
  return {
    ...ofType<ObjectOf<There, Perhaps>>('object')(about, more),
    properties: { ...there, ...perhaps },
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** The same, or null. */
export const orNull = <Value>(schema: Schema<Value>): Schema<Value | null> =>
  (schema as Named)[origin] === undefined && typeof schema.type === 'string'
    ? { ...schema, type: [schema.type, 'null'] }
    : { anyOf: [schema, { type: 'null' }] };

/** A part that the document has once, under its name. */
export function named<Part extends object>(
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
