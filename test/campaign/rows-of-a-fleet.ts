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
      says: 'who reads the same does not wait for whoever is about to change it',
      file: 'src/adapters/postgres/postgres-engine.ts',
      find: 'const locks = scope.length === 0 ?',
      replace: 'const locks = scope.length >= 0 ?',
      trials: 6,
    },
    more: [
      {
        says: 'a lease that is over gives away what has left',
        at: 'kept-intents.ts: keptIntents.takeOver.isFree return 0',
        becomes: 'return isLeft;',
        trials: 6,
      },
      {
        says: 'a COMMIT that nobody answered counts as undone',
        file: 'src/adapters/postgres/postgres-engine.ts',
        find: 'error.maybeCommitted && decided !== undefined',
        replace: 'error.maybeCommitted && decided === undefined',
        trials: 6,
      },
      {
        says: 'a lock is that of the session, which a pooler lends to others',
        at: 'postgres-locks.ts: postgresLocks.exclusively text 0',
        becomes: "'SELECT pg_advisory_lock(hashtextextended($1, 0))'",
        trials: 6,
      },
      {
        says: 'uses are counted by the clock of each machine',
        file: 'src/adapters/shared-state/fleet-state.ts',
        find: 'return clock.now().getTime() - time.now();',
        replace: 'return 0 * (clock.now().getTime() - time.now());',
        trials: 6,
      },
      {
        says: 'the state is in files where its key cannot be read',
        at: 'state-ports.ts: RunState.shared return 0',
        becomes:
          'return (this.#shared ??= this.place().then((at) => this.#databaseOf(at)).catch(() => undefined));',
        trials: 6,
      },
      {
        says: 'a token is used before it is durable',
        at: 'refresh.ts: exchange statement 0',
        becomes: 'void replace(target, old, token).catch((error: unknown) => unkept(target, old, error));',
        trials: 6,
      },
      {
        says: 'a refresh token leaves before it is marked',
        at: 'refresh.ts: exchange condition 1',
        becomes: '!(await mark(target, old, again)) && again',
        trials: 6,
      },
    ],
  },
];
