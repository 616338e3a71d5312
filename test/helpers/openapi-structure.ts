/**
 * The structure of a document of OpenAPI 3.1, as far as ours goes (specification 3.1.0, chapter 4), typed for the tests:
 * unlike the schema that the OpenAPI Initiative publishes it refuses what it does not know, so a misspelt keyword is
 * found, and it needs no package beside ajv.
 */
const text = { type: 'string', minLength: 1 } as const;
const map = (values: object) => ({ type: 'object', additionalProperties: values }) as const;
const object = (
  required: Readonly<Record<string, object>>,
  optional: Readonly<Record<string, object>> = {},
) =>
  ({
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false,
  }) as const;
const reference = object({ $ref: { type: 'string', pattern: '^#/components/(schemas|responses)/\\w+$' } });
const schema = { type: ['object', 'boolean'] } as const;
const examples = map(object({ value: {} }, { summary: text, description: text }));
const content = map(object({ schema, examples }));
const header = object({ description: text, schema });
const response = object({ description: text }, { content, headers: map(header) });
const parameter = object(
  { name: text, in: { enum: ['path', 'query', 'header'] }, description: text, schema, example: {} },
  { required: { type: 'boolean' } },
);
const operation = object(
  {
    operationId: { type: 'string', pattern: '^[a-z][A-Za-z]+$' },
    tags: { type: 'array', items: text, minItems: 1 },
    summary: text,
    description: text,
    responses: {
      type: 'object',
      propertyNames: { pattern: '^[1-5][0-9]{2}$' },
      minProperties: 1,
      additionalProperties: { anyOf: [reference, response] },
    },
  },
  {
    parameters: { type: 'array', items: parameter, minItems: 1 },
    requestBody: object({ description: text, required: { const: true }, content }),
    security: { type: 'array', items: map({ type: 'array' }) },
  },
);
const methods = ['get', 'put', 'post', 'delete', 'patch'] as const;

export const openApiStructure = object({
  openapi: { const: '3.1.0' },
  info: object(
    { title: text, version: text, description: text },
    { summary: text, license: object({ name: text }, { identifier: text, url: text }) },
  ),
  servers: {
    type: 'array',
    minItems: 1,
    items: object(
      { url: text },
      { description: text, variables: map(object({ default: text, description: text })) },
    ),
  },
  security: { type: 'array', items: map({ type: 'array' }) },
  tags: { type: 'array', items: object({ name: text, description: text }) },
  paths: {
    type: 'object',
    propertyNames: { pattern: '^/' },
    additionalProperties: {
      type: 'object',
      properties: Object.fromEntries(methods.map((method) => [method, operation])),
      additionalProperties: false,
    },
  },
  components: object({
    schemas: map(schema),
    responses: map(response),
    securitySchemes: map(
      object(
        { type: { const: 'http' }, scheme: { const: 'bearer' } },
        { description: text, bearerFormat: text },
      ),
    ),
  }),
});
