import { ObkError } from '../../base/errors.ts';
import type { Clock } from '../../client/ports/clock.ts';
import type { StateServer, StateStore } from '../../client/ports/state-store.ts';
import type { StateWaits } from '../../base/waits.ts';
import type { Secret } from '../../base/secret.ts';
import { createDatabase } from '../postgres/database.ts';
import type { Database } from '../postgres/database.ts';
import { moveIn } from './move-in.ts';
import { moveOut } from './move-out.ts';
import { needOwnKey } from '../postgres/own-key.ts';
import { migrate } from './migrate.ts';
import { rekey } from './rekey.ts';
import { roleStatements } from './role-statements.ts';
import { serverAddress } from '../postgres/server-address.ts';
import type { HomeFiles } from './state-home.ts';
import { checksOf } from './state-checks.ts';
import { contentsOf } from './state-contents.ts';
import { createVault } from '../postgres/vault.ts';
import type { Vault } from '../postgres/vault.ts';

/** A migration may take longer than a statement of every day. */
const migrationMs = 600_000;

/** The database with the shared state, for those who keep it. */
export function stateStore(options: {
  url: () => Promise<Secret>;
  schema: string | undefined;
  /** The key that seals, and those before it; a schema is made without it. */
  keys: () => Promise<readonly [Secret, ...Secret[]]>;
  clock: Clock;
  waits: StateWaits;
  /** The files of this home, or those of another one. */
  home: (folder?: string) => Promise<HomeFiles>;
}): StateStore {
  const { url, schema, keys, clock, waits, home } = options;
  const within = { url, clock, ...waits, ...(schema !== undefined && { schema }) };
  const made = new Map<string, Database>();
  const opened = (name: string, create: () => Database): Database => {
    const one = made.get(name) ?? create();
    made.set(name, one);
    return one;
  };
  const daily = () => opened('daily', () => createDatabase(within));
  const any = () => opened('any', () => createDatabase({ ...within, anySchema: true }));
  const patient = () =>
    opened('patient', () => createDatabase({ ...within, anySchema: true, patienceMs: migrationMs }));
  let known: Promise<Vault> | undefined;
  const vault = () => (known ??= keys().then(createVault));
  const address = async () => serverAddress(await url());

  async function server(): Promise<StateServer> {
    const { shown } = await address();
    return { server: shown, schema: any().schema };
  }

  return {
    server,

    make: async () => ({ ...(await server()), ...(await migrate(patient())) }),

    migrate: async () => {
      const where = await server();
      const [row] = await any().rows<{ there: boolean }>(
        "SELECT to_regclass('migration') IS NOT NULL AS there",
      );
      if (row?.there !== true)
        throw new ObkError({
          code: 'STATE_UNREADABLE',
          title: 'There is no state to migrate.',
          detail: `${where.server}: schema ${where.schema} is not there, or this user may not read it.`,
          hint: ['obk state init   # makes it'],
        });
      return { ...where, ...(await migrate(patient())) };
    },

    roleStatements: async (role) => {
      const { database } = await address();
      return roleStatements(role, database, any().schema);
    },

    contents: async () =>
      contentsOf({ database: daily(), vault: await vault(), clock }, (await address()).shown),

    examine: () => checksOf({ database: any(), vault, address, clock }),

    takeIn: async () => {
      const within = { database: daily(), vault: await vault(), clock };
      await needOwnKey(within.database, within.vault);
      return moveIn(within, await home());
    },

    bringOut: async (to) => moveOut({ database: daily(), vault: await vault(), clock }, await home(to)),

    rekey: async (progress) => rekey({ database: daily(), vault: await vault(), clock }, progress),

    close: async () => {
      for (const one of made.values()) await one.close();
    },
  };
}
