import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import {
  conversations,
  ddlOf,
  intents,
  openWrites,
  placed,
  records,
  resources,
  runs,
  table,
  uses,
} from '../../client/state/tables.ts';
import type { Table } from '../../client/state/tables.ts';

/** What PostgreSQL has for the types of columns, and what follows a table. */
const postgresWords = { text: 'text COLLATE "C"', int: 'bigint', bytes: 'bytea', table: '' };

/** Tokens and consents of a profile. */
export const credentials = table(
  'credential',
  { profile: 'text', record: 'bytes' },
  { kind: 'credentials', key: ['profile'], sealed: { record: { place: placed('credentials', 'profile') } } },
);

/** What all machines have to know, and nobody else: made at random by the first that needs it. */
export const sharedKeys = table(
  'shared_key',
  { name: 'text', record: 'bytes' },
  { kind: 'shared keys', key: ['name'], sealed: { record: { place: placed('shared key', 'name') } } },
);

/** The tables that a role of obk writes. Nothing counts what is beside it where all is in one database. */
export const tables: readonly Table[] = [
  ...[intents, runs, records, openWrites, resources, conversations],
  ...[credentials, sharedKeys, uses],
];

/** The first version that has a way to the next. */
const firstVersion = 5;

/** The steps from no schema to that of this obk, in order; a step that was released is never changed. */
const migrations: readonly string[] = [
  [
    ...tables.flatMap((of) => ddlOf(of, postgresWords)),
    // The transaction that wrote a record: who follows the journal goes by it, since a number says nothing of when it was committed.
    `ALTER TABLE ${records.name} ADD COLUMN at timestamptz NOT NULL DEFAULT clock_timestamp(),
       ADD COLUMN xact xid8 NOT NULL DEFAULT pg_current_xact_id()`,
    `CREATE INDEX record_xact ON ${records.name} (xact)`,
  ].join(';'),
];

/** The schema that this obk works with. */
export const schemaVersion = firstVersion + migrations.length - 1;

/** The steps that lead from a version to this obk, each with the version that it makes. Throws as `needKnown`. */
export function stepsFrom(version: number, schema: string): { version: number; sql: string }[] {
  needKnown(schema, version);
  const all = migrations.map((sql, at) => ({ version: firstVersion + at, sql }));
  return all.filter((step) => step.version > version);
}

/** Throws STATE_NEWER or STATE_UNREADABLE for a version (0: none) that this obk can neither use nor migrate; `where` tells the database. */
export function needKnown(schema: string, version: number, where?: string): void {
  if (version > schemaVersion) throw newerSchema(schema, version, where);
  if (isTooOld(version)) throw tooOld(schema, version);
}

/** Whether tables are of an obk that was never released. */
export const isTooOld = (version: number): boolean => version > 0 && version < firstVersion;

/** What makes tables beside those that are too old. */
export const besideHint = (schema: string): string =>
  line`obk config set state.schema ${`${schema}_new`.slice(0, 63)}   # then obk state init makes it`;

function tooOld(schema: string, version: number): ObkError {
  return new ObkError({
    code: 'STATE_UNREADABLE',
    title: 'The tables of this database are of an obk before the first release, and cannot be brought up.',
    detail:
      `Schema ${schema} is of version ${String(version)}; the first that can be is ${String(firstVersion)}. ` +
      'That obk can still export what is in them.',
    hint: [besideHint(schema)],
  });
}

/** The schema of obk unless another name is chosen for it. */
export const usualSchema = 'obk';

/** The name of a schema that may be of obk alone. Throws PROFILE_INVALID. */
export function checkSchemaName(name: string): string {
  const isTaken = name.startsWith('pg_') || name === 'public' || name === 'information_schema';
  if (/^[a-z_][a-z0-9_]{0,62}$/.test(name) && !isTaken) return name;
  throw new ObkError({
    code: 'PROFILE_INVALID',
    title: `${JSON.stringify(name.slice(0, 80))} cannot be the name of the schema.`,
    detail:
      'A name has 1 to 63 characters out of a-z, 0-9 and _, begins with none of the digits, and is not public, ' +
      'information_schema or pg_….',
  });
}

/** An identifier in quotes. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

function newerSchema(schema: string, version: number, where = 'The database'): ObkError {
  return new ObkError({
    code: 'STATE_NEWER',
    title: 'A newer obk has made the tables of this database.',
    detail: `${where}: schema ${schema} is of version ${String(version)}; this obk knows ${String(schemaVersion)}.`,
    hint: ['Use the newer obk.'],
  });
}
