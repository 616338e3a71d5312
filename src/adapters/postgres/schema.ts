/**
 * The steps from no schema to that of this obk, in order; a step that was released is never changed. In clear stand ids, states,
 * times and operations; everything else is sealed before it gets here (`vault.ts`).
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE obk.intent (
    -- SHA-256 over profile and key: a key may hold a name.
    hash text COLLATE "C" PRIMARY KEY,
    profile text COLLATE "C" NOT NULL,
    -- A keyed hash of the fingerprint: it finds the same content and tells nothing of it.
    content bytea NOT NULL,
    run text COLLATE "C" NOT NULL,
    -- Counts the transitions: each names the one that it follows.
    fence bigint NOT NULL DEFAULT 1,
    state text NOT NULL CHECK (state IN ('claimed', 'sending', 'legacy')),
    -- Who made the last transition asks for it by this id where the connection was lost at COMMIT.
    transition uuid NOT NULL,
    owner jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    leased_until timestamptz NOT NULL,
    resource_id text,
    record bytea NOT NULL,
    ending bytea
  );
  CREATE INDEX intent_content ON obk.intent (profile, content);
  CREATE INDEX intent_newest ON obk.intent (profile, created_at DESC);
  `,
];

/** The tables that a role of obk writes. */
const tables = ['intent'] as const;

/** The schema that this obk works with. */
export const schemaVersion = migrations.length;

/** The statements by which an administrator lets a role work with the schema: it may not change it. */
export function grantsFor(role: string): readonly string[] {
  const name = `"${role.replaceAll('"', '""')}"`;
  return [
    `GRANT USAGE ON SCHEMA obk TO ${name};`,
    `GRANT SELECT ON obk.migration TO ${name};`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ${tables.map((table) => `obk.${table}`).join(', ')} TO ${name};`,
  ];
}
