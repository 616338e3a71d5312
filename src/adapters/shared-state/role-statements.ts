import { ObkError } from '../../base/errors.ts';
import { quoted, tables } from '../postgres/schema.ts';

/**
 * The statements that make a role which may do what obk does every day, but not change the schema; they run as they stand, and
 * again.
 */
export function roleStatements(role: string, database: string, schema: string): readonly string[] {
  if (!/^[\w.@-]{1,63}$/.test(role) || /^pg_/i.test(role))
    throw new ObkError({
      code: 'INPUT_INVALID',
      title: 'That is no name for a role.',
      detail: 'It has 1 to 63 characters out of letters, digits, _, -, . and @, and does not begin with pg_.',
    });
  const [name, own] = [quoted(role), quoted(schema)];
  const create = `CREATE ROLE ${name} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE`;
  return [
    `DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${role}') THEN ${create}; END IF; END $$;`,
    `GRANT CONNECT ON DATABASE ${quoted(database)} TO ${name};`,
    `GRANT USAGE ON SCHEMA ${own} TO ${name};`,
    `GRANT SELECT ON ${own}.migration TO ${name};`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ${tables.map((table) => `${own}.${table.name}`).join(', ')} TO ${name};`,
  ];
}
