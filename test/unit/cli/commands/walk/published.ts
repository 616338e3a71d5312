import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Schema } from '../../../../../src/base/schema.ts';
import type { CommandDescription, CommandTree } from '../../../../../src/cli/context.ts';

/** What `obk commands --json` prints. */
export interface Published extends Omit<CommandTree, 'commands'> {
  commands: (CommandDescription & {
    questions: { id: string; flag: string; variable: string }[];
    output: string | null;
  })[];
  schemas: Record<string, Schema>;
  exitCodes: { code: number; name: string }[];
}

/** What is wrong with a document by the schema of this name; nothing is an empty text. */
export type Judge = (name: string, document: unknown) => string;

/**
 * Holds documents against the published schemas: compiled strictly, so that a schema with a misspelt keyword is refused,
 * and closed, so that a renamed member is found.
 */
export function judgeOf({ schemas }: Published): Judge {
  const ajv = new Ajv2020({ allErrors: true, strict: true, strictRequired: true, allowUnionTypes: true });
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(closed(schema) as object, name);
  return (name, document) => {
    const check = ajv.getSchema(name);
    if (check === undefined) return `there is no schema ${name}`;
    return check(document) === true ? '' : ajv.errorsText(check.errors);
  };
}

/** The schema without leave for members that it does not name, but for objects of a bank. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const within = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  const own = 'properties' in schema && 'type' in schema && !('additionalProperties' in schema);
  return own ? { ...within, additionalProperties: false } : within;
}
