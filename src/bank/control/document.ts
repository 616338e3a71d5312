import raw from './openapi.json' with { type: 'json' };

/** A schema of the document: the keywords of JSON Schema that it uses. */
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  const?: unknown;
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
  default?: unknown;
  description?: string;
}

/** A parameter of a path, a query or a header. */
export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  schema: Schema;
}

/** One operation of the control API as its document has it. */
export interface Operation {
  operationId: string;
  /** An empty list: it needs no token. */
  security?: readonly unknown[];
  parameters?: readonly Parameter[];
  requestBody?: { content: { 'application/json': { schema: Schema } } };
}

interface Document {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: { schemas: Readonly<Record<string, Schema>> };
}

/** The OpenAPI document of the control API: what is served, and what requests are judged by. */
export const document = raw as unknown as Document;

/** The schema itself, where one refers to another. */
export function resolved(schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : { ...document.components.schemas[name], ...withoutRef(schema) };
}

function withoutRef({ $ref: _ref, ...rest }: Schema): Schema {
  return rest;
}
