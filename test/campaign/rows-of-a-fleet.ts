import type { Row } from './rows.ts';

/** The promises of several machines that share a PostgreSQL. */
export const rowsOfAFleet: readonly Row[] = [
  {
    id: 'fleet',
    promise:
      'Four machines with one database pay once, lose no token, keep to a budget and list what is unknown, whatever dies when',
    unit: 'histories',
    full: 2_000,
    least: 6,
    seconds: { start: 10, each: 1.2 },
    tests: [
      'test/contract/fleet.test.ts',
      'test/contract/fleet-refresh.test.ts',
      'test/contract/ports/intents.test.ts',
      'test/contract/ports/postgres-once.test.ts',
      'test/contract/ports/usage.test.ts',
      'test/unit/client/oauth/refresh.test.ts',
      'test/unit/cli/program/state-unreachable.test.ts',
    ],
    mistake: {
      says: 'an intent is taken over without a look at its fence and its state',
      file: 'src/adapters/postgres/postgres-intents.ts',
      find: 'WHERE hash = $1 AND run = $10 AND fence = $11 AND state = $12 RETURNING hash`',
      replace: "WHERE hash = $1 AND ($10::text || $11::text || $12::text) <> '' RETURNING hash`",
      trials: 6,
    },
    more: [
      {
        says: 'a lease that is over gives away what has left',
        file: 'src/adapters/postgres/postgres-intents.ts',
        find: 'if (!mayBeTaken.has(earlier.state)) return false;',
        replace: '',
        trials: 6,
      },
      {
        says: 'a lock is that of the session, which a pooler lends to others',
        file: 'src/adapters/postgres/postgres-locks.ts',
        find: 'pg_advisory_xact_lock($1)',
        replace: 'pg_advisory_lock($1)',
        trials: 6,
      },
      {
        says: 'uses are counted by the clock of each machine',
        file: 'src/adapters/postgres/postgres-usage.ts',
        find: 'return Math.round(clock.now().getTime() - (row?.at ?? 0));',
        replace: 'return 0 * (row?.at ?? 0);',
        trials: 6,
      },
      {
        says: 'the state is in files where its key cannot be read',
        file: 'src/cli/program/state-ports.ts',
        find: "(ofRun ??= place().then((at) => (at.store === 'files' ? undefined : database(at))))",
        replace:
          "(ofRun ??= place().then((at) => (at.store === 'files' ? undefined : database(at))).catch(() => undefined))",
        trials: 6,
      },
      {
        says: 'a token is used before it is durable',
        file: 'src/client/oauth/refresh.ts',
        find: 'await replace(target, old, token).catch((error: unknown) => unkept(target, old, error));',
        replace: 'void replace(target, old, token).catch((error: unknown) => unkept(target, old, error));',
        trials: 6,
      },
      {
        says: 'a refresh token leaves before it is marked',
        file: 'src/client/oauth/refresh.ts',
        find: 'if (!(await mark(target, old, again))) {',
        replace: 'if (!(await mark(target, old, again)) && again) {',
        trials: 6,
      },
    ],
  },
];
