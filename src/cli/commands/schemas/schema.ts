/** A JSON Schema (draft 2020-12), as far as it is needed here. */
export interface Schema {
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
}

type Members = Readonly<Record<string, Schema>>;

/** The schemas of a group's `--json` output, by name, and the schema of each command. */
export interface Outputs {
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly outputs: Readonly<Record<string, string>>;
}

export const text: Schema = { type: 'string' };
export const textOrNull: Schema = { type: ['string', 'null'] };
export const number: Schema = { type: 'number' };
export const numberOrNull: Schema = { type: ['number', 'null'] };
export const truth: Schema = { type: 'boolean' };
export const any: Schema = {};

const told = (description: string | undefined) => (description === undefined ? {} : { description });

/** An object of obk. More members may come with any release; the tests hold that none is there which has no schema. */
export function object(required: Members, optional: Members = {}, description?: string): Schema {
  return {
    ...told(description),
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
  };
}

/** An object of a bank, which may add what it likes. */
export const foreign = (required: Members, optional: Members = {}, description?: string): Schema => ({
  ...object(required, optional, description),
  additionalProperties: true,
});

/** An object with names of any kind. */
export const map = (values: Schema, description?: string): Schema => ({
  ...told(description),
  type: 'object',
  additionalProperties: values,
});

export const list = (items: Schema, description?: string): Schema => ({
  ...told(description),
  type: 'array',
  items,
});

export const oneOf = (...values: readonly (string | boolean | number)[]): Schema => ({ enum: values });

export const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] });

/** Members of the same kind: `each(text, 'at path')`. */
export const each = (schema: Schema, names: string): Members =>
  Object.fromEntries(names.split(' ').map((name) => [name, schema] as const));

/** Members that every document about a bank has. */
export const where = { profile: text, environment: oneOf('sandbox', 'test', 'production') };
export const environmentOrNull: Schema = { enum: ['sandbox', 'test', 'production', null] };
export const money = object({ currency: text, amount: text });
/** The facts by which a payment is recognised. */
export const summary = {
  ...each(text, 'amount currency creditorName creditorAccount debtorAccount'),
  count: number,
  sums: list(money),
};
export const bankMessage = object({ category: text }, each(text, 'code path text'));
/** One thing that is wrong with either side of a call. */
export const sideFinding = {
  ...each(text, 'rule place pointer what why source'),
  side: oneOf('request', 'answer'),
  level: oneOf('must', 'should', 'may'),
};
/** One mistake in a request, as the referee tells it. */
export const requestFinding = {
  ...each(text, 'rule pointer what why source code'),
  severity: oneOf('error', 'warning', 'note'),
  place: oneOf('path', 'header', 'query', 'body', 'connection', 'call'),
  status: number,
};
