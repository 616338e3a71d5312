import { ObkError } from '../../base/errors.ts';

/**
 * The steps from no schema to that of this obk, in order; a step that was released is never changed. In clear stand ids, states,
 * times and operations; everything else is sealed before it gets here (`vault.ts`).
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE intent (
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
    resource_id bytea,
    record bytea NOT NULL,
    ending bytea
  );
  CREATE INDEX intent_content ON intent (profile, content);
  CREATE INDEX intent_newest ON intent (profile, created_at DESC);

  CREATE TABLE run (
    -- It begins with the time of its start.
    run text COLLATE "C" PRIMARY KEY,
    profile text COLLATE "C" NOT NULL,
    -- Operations and how they ended, once the run is over and nobody has resolved anything of it since.
    ended jsonb,
    free boolean NOT NULL DEFAULT false
  );
  CREATE TABLE record (
    id uuid PRIMARY KEY,
    run text COLLATE "C" NOT NULL REFERENCES run ON DELETE CASCADE,
    number bigint GENERATED ALWAYS AS IDENTITY,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    type text NOT NULL,
    profile text COLLATE "C" NOT NULL,
    record bytea NOT NULL
  );
  CREATE INDEX record_of_run ON record (run, number);
  CREATE TABLE open_write (
    run text COLLATE "C" NOT NULL REFERENCES run ON DELETE CASCADE,
    exchange text COLLATE "C" NOT NULL,
    profile text COLLATE "C" NOT NULL,
    sent boolean NOT NULL DEFAULT false,
    owner jsonb NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    mark bytea NOT NULL,
    PRIMARY KEY (run, exchange)
  );

  -- The ids of banks are bytes: they may hold what a text of PostgreSQL may not.
  CREATE TABLE resource (
    profile text COLLATE "C" NOT NULL,
    noun text NOT NULL,
    id bytea NOT NULL,
    created_at timestamptz NOT NULL,
    record bytea NOT NULL,
    PRIMARY KEY (profile, noun, id)
  );
  CREATE INDEX resource_newest ON resource (profile, noun, created_at DESC);
  CREATE TABLE conversation (
    profile text COLLATE "C" NOT NULL,
    noun text NOT NULL,
    parent bytea NOT NULL,
    kind text NOT NULL,
    -- The id of the authorisation, or a keyed hash of who starts it.
    slot bytea NOT NULL,
    started_at timestamptz NOT NULL,
    record bytea NOT NULL,
    PRIMARY KEY (profile, noun, parent, kind, slot)
  );
  CREATE TABLE usage (
    -- A keyed hash: what is counted may be the calls for an account.
    key bytea PRIMARY KEY,
    record bytea NOT NULL
  );
  `,
  `
  CREATE TABLE credential (
    profile text COLLATE "C" PRIMARY KEY,
    record bytea NOT NULL
  );
  -- What all machines have to know, and nobody else: made at random by the first that needs it.
  CREATE TABLE shared_key (
    name text PRIMARY KEY,
    record bytea NOT NULL
  );
  `,
  `
  -- Which machine a run was of, by a hash of host and home, and the name of the host for people.
  ALTER TABLE run ADD COLUMN machine text COLLATE "C", ADD COLUMN host text;
  `,
  `
  -- Returned: its own run has recorded that nothing came of its request. Nobody else ever takes an intent out of sending.
  ALTER TABLE intent DROP CONSTRAINT intent_state_check,
    ADD CONSTRAINT intent_state_check CHECK (state IN ('claimed', 'sending', 'returned', 'legacy'));

  -- The transaction that wrote a record: who follows the journal goes by it, since a number says nothing of when it was committed.
  ALTER TABLE record ADD COLUMN xact xid8 NOT NULL DEFAULT pg_current_xact_id();
  CREATE INDEX record_xact ON record (xact);

  -- The machine that made a resource, for @last.
  ALTER TABLE resource ADD COLUMN machine text COLLATE "C";
  CREATE INDEX resource_of_machine ON resource (profile, noun, machine, created_at DESC);
  `,
];

/** The tables that a role of obk writes. */
export const tables = [
  ...['intent', 'run', 'record', 'open_write', 'resource', 'conversation', 'usage', 'credential'],
  'shared_key',
] as const;

/** The schema that this obk works with. */
export const schemaVersion = migrations.length;

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

/** The refusal of a schema that a newer obk has made; `where` tells the database. */
export function newerSchema(schema: string, version: number, where = 'The database'): ObkError {
  return new ObkError({
    code: 'STATE_NEWER',
    title: 'A newer obk has made the tables of this database.',
    detail: `${where}: schema ${schema} is of version ${String(version)}; this obk knows ${String(schemaVersion)}.`,
    hint: ['Use the newer obk.'],
  });
}
