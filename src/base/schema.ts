/** A JSON Schema (draft 2020-12): the keywords that obk writes. `holds` exists in types only, for the values it describes. */
export interface Schema<Value = unknown> {
  readonly $schema?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: string;
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly contains?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly default?: unknown;
  readonly holds?: Value;
}

/** The values that a schema describes. */
export type ValueOf<S> = S extends Schema<infer Value> ? Value : never;

/** Members of an object with the schema of each. */
export type Members = Readonly<Record<string, Schema>>;

/** The same type, written as one object. */
export type Flat<T> = { [Key in keyof T]: T[Key] };

/** The object with these members; those of the second kind may be absent. The same twice is as none of the second kind. */
export type ObjectOf<Required extends Members, Optional extends Members> = Flat<
  { [Key in keyof Required]: ValueOf<Required[Key]> } & { [Key in keyof Optional]?: ValueOf<Optional[Key]> }
>;

export const text: Schema<string> = { type: 'string' };
export const textOrNull: Schema<string | null> = { type: ['string', 'null'] };
export const number: Schema<number> = { type: 'number' };
export const numberOrNull: Schema<number | null> = { type: ['number', 'null'] };
export const truth: Schema<boolean> = { type: 'boolean' };
export const any: Schema = {};

/** The schema with a sentence about it. */
const about = <Value>(description: string | undefined, schema: Schema<Value>): Schema<Value> =>
  description === undefined ? schema : { description, ...schema };

/** An object of obk. More members may come with any release; the tests hold that none is there which has no schema. */
export function object<Required extends Members, Optional extends Members = Required>(
  required: Required,
  optional?: Optional,
  description?: string,
): Schema<ObjectOf<Required, Optional>> {
  const properties = { ...required, ...optional };
  return about(description, { type: 'object', properties, required: Object.keys(required) });
}

/** An object of a bank, which may add what it likes. */
export const foreign = <Required extends Members, Optional extends Members = Required>(
  required: Required,
  optional?: Optional,
  description?: string,
): Schema<ObjectOf<Required, Optional>> => ({
  ...object(required, optional, description),
  additionalProperties: true,
});

/** An object with names of any kind. */
export const map = <Value>(
  values: Schema<Value>,
  description?: string,
): Schema<Readonly<Record<string, Value>>> =>
  about(description, { type: 'object', additionalProperties: values });

export const list = <Value>(items: Schema<Value>, description?: string): Schema<readonly Value[]> =>
  about(description, { type: 'array', items });

export const oneOf = <const Value extends string | boolean | number | null>(
  ...values: readonly Value[]
): Schema<Value> => ({ enum: values });

export const orNull = <Value>(schema: Schema<Value>): Schema<Value | null> => ({
  anyOf: [schema, { type: 'null' }],
});

type WordsOf<Text extends string> = Text extends `${infer First} ${infer Others}`
  ? First | WordsOf<Others>
  : Text;

/** Members of the same kind: `each(text, 'at path')`. */
export const each = <Value, const Names extends string>(
  schema: Schema<Value>,
  names: Names,
): Readonly<Record<WordsOf<Names>, Schema<Value>>> =>
  Object.fromEntries(names.split(' ').map((name) => [name, schema])) as Record<WordsOf<Names>, Schema<Value>>;
