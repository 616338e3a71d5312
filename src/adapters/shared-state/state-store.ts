import { defined } from '../../base/defined.ts';
import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { Clock } from '../../client/ports/clock.ts';
import type { StateFault, StateSite, StateStore, StateVerified } from '../../client/ports/state-store.ts';
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
import { fleetSide } from './fleet-side.ts';
import type { Within } from './fleet-side.ts';
import { contentsOf } from './state-contents.ts';
import { tables } from '../postgres/schema.ts';
import { verifyRows } from '../../client/state/contents.ts';
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
  const at = { url, clock, ...waits, ...defined({ schema }) };
  const made = new Map<string, Database>();
  const opened = (name: string, create: () => Database): Database => {
    const one = made.get(name) ?? create();
    made.set(name, one);
    return one;
  };
  const daily = () => opened('daily', () => createDatabase(at));
  const any = () => opened('any', () => createDatabase({ ...at, anySchema: true }));
  const patient = () =>
    opened('patient', () => createDatabase({ ...at, anySchema: true, patienceMs: migrationMs }));
  let known: Promise<Vault> | undefined;
  const vault = () => (known ??= keys().then(createVault));
  const address = async () => serverAddress(await url());

  const within = async (): Promise<Within> => ({ database: daily(), vault: await vault(), clock });

  async function site() {
    const { shown } = await address();
    return { store: 'postgres', place: shown, schema: any().schema } satisfies StateSite;
  }

  return {
    site,

    make: async (role) => {
      const statements = roleStatements(role, (await address()).database, any().schema);
      return { ...(await site()), ...(await migrate(patient())), statements };
    },

    migrate: async () => {
      const where = await site();
      const [row] = await any().rows<{ there: boolean }>(
        "SELECT to_regclass('migration') IS NOT NULL AS there",
      );
      if (row?.there !== true)
        throw new ObkError({
          code: 'STATE_UNREADABLE',
          title: 'There is no state to migrate.',
          detail: `${where.place}: schema ${where.schema} is not there, or this user may not read it.`,
          hint: ['obk state init   # makes it'],
        });
      return { ...where, ...(await migrate(patient())) };
    },

    contents: async () => contentsOf(await within(), await site()),

    examine: () => checksOf({ database: any(), vault, address, clock }),

    verify: async () => verified(await within(), await site()),

    backUp: () =>
      Promise.reject(
        onlyFiles(
          'It is backed up as any other database.',
          line`pg_dump --schema=${any().schema} --file=FILE`,
        ),
      ),

    takeRecovered: () => Promise.reject(onlyFiles('The server recovers its own files.', 'obk state doctor')),

    takeIn: async () => {
      const its = await within();
      await needOwnKey(its.database, its.vault);
      return moveIn(its, await home());
    },

    bringOut: async (to) => moveOut(await within(), await home(to)),

    rekey: async (progress) => rekey(await within(), progress),

    close: async () => {
      for (const one of made.values()) await one.close();
    },
  };
}

/** Reads every row, as the commands do. */
async function verified(within: Within, { place: server, schema }: StateSite): Promise<StateVerified> {
  const place = `schema ${schema ?? ''} of ${server}`;
  const { codec, engine } = fleetSide(within);
  const faults: StateFault[] = [];
  let rows = 0;
  for (const of of tables)
    rows += await verifyRows({ engine: engine(of), codec }, of, (fault) => faults.push({ place, ...fault }));
  return { ok: faults.length === 0, places: [{ place, there: true, rows }], faults };
}

function onlyFiles(detail: string, hint: string): ObkError {
  return new ObkError({
    code: 'INPUT_INVALID',
    title: 'The state of this run is in PostgreSQL, not in the files of a home.',
    detail,
    hint: [hint],
  });
}
