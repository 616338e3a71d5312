import { defined } from '../../base/defined.ts';
import { noteNames } from './notes.ts';
import type { SettingRow } from './row.ts';
import { bankRow } from './table.ts';

/** A JSON Schema (draft 2020-12) as plain JSON. */
type Json = Readonly<Record<string, unknown>>;

/** Returns the JSON Schema of the file of a bank: closed, each setting with its meaning. */
export function bankSchema(): Json {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A bank as obk describes it',
    ...withSchemaName(schema(bankRow)),
    $defs: {
      note: {
        description: 'For people: why it is so, or who says it.',
        anyOf: [line, lines, { type: 'object', additionalProperties: { anyOf: [line, lines] } }],
      },
    },
  };
}

/** A file may name the schema by which an editor checks it. */
const withSchemaName = (whole: Json): Json => ({
  ...whole,
  properties: { $schema: { type: 'string' }, ...(whole['properties'] as object) },
});

const line = { type: 'string', maxLength: 500 };
const lines = { type: 'array', items: line };
const notes = Object.fromEntries(noteNames.map((name) => [name, { $ref: '#/$defs/note' }]));

function schema(row: SettingRow): Json {
  const { means, side } = row;
  return {
    ...defined({ description: means }),
    ...(side === undefined ? {} : { $comment: `side: ${side}` }),
    ...shape(row),
  };
}

function shape(row: SettingRow): Json {
  switch (row.kind) {
    case 'choice':
      return { enum: row.values, ...defined({ default: row.otherwise }) };
    case 'yes-no':
      return { type: 'boolean' };
    case 'number':
      return { type: 'integer', minimum: row.least, maximum: row.most };
    case 'duration':
      return { type: 'number', exclusiveMinimum: 0 };
    case 'list':
      return { type: 'array', items: schema(row.of) };
    case 'map': {
      const of = schema(row.of);
      if (row.names === undefined) return { type: 'object', additionalProperties: of };
      const known = Object.fromEntries(row.names.map((name) => [name, of]));
      return { type: 'object', properties: { ...known, ...notes }, additionalProperties: false };
    }
    case 'group': {
      const members = Object.fromEntries(
        Object.entries(row.members)
          .filter(([, { side }]) => side !== 'own')
          .map(([name, member]) => [name, schema(member)]),
      );
      return {
        type: 'object',
        properties: { ...notes, ...members },
        ...(row.needs.length === 0 ? {} : { required: row.needs }),
        additionalProperties: false,
      };
    }
    default:
      return { type: 'string' };
  }
}
