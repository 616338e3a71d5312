import { join } from 'node:path';
import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { StateWaits } from '../../base/waits.ts';
import type { Clock } from '../../client/ports/clock.ts';
import type { Engine } from '../../client/ports/engine.ts';
import type {
  StateContents,
  StateFault,
  StateSite,
  StateStore,
  StateVerified,
} from '../../client/ports/state-store.ts';
import { claimCount } from '../../client/state/claim-count.ts';
import { countsIn, profilesIn, unknownIn, verifyRows } from '../../client/state/contents.ts';
import { schemaVersion, tables } from '../../client/state/tables.ts';
import type { Table } from '../../client/state/tables.ts';
import { timeInName } from '../files/safe-name.ts';
import { copyState } from './copy-state.ts';
import { fileOf, stateOn, withEngines } from './home-state.ts';
import type { homeEngines } from './home-state.ts';
import { plainCodec } from './plain-codec.ts';
import { sizeOf, sqliteVersion } from './sqlite-engine.ts';
import { isThere } from './state-failures.ts';

interface HomeOptions {
  stateDir: string;
  env: NodeJS.ProcessEnv;
  clock: Clock;
  waits?: StateWaits;
}

/** The state in the files of one home, for those who keep it. */
export function homeStore(options: HomeOptions): StateStore {
  const { stateDir } = options;
  const site: StateSite = { store: 'files', place: stateDir, schema: null };
  const inDatabase = () => Promise.reject(noDatabase());
  return {
    site: () => Promise.resolve(site),
    make: async () => ({ ...site, ...(await madeIn(options)), statements: [] }),
    migrate: async () => {
      if (files(stateDir).every(({ there }) => !there)) throw nothingThere(stateDir);
      return { ...site, ...(await madeIn(options)) };
    },
    contents: () => within(options, (engines) => contentsOfHome(site, engines, options)),
    examine: async () => (await import('./home-checks.ts')).checksOfHome(options),
    verify: () => verifyHome(options),
    backUp: async (to) => {
      if (!isThere(join(stateDir, 'state.db'))) throw nothingThere(stateDir);
      return within(options, ({ state }) => copyState(state, to));
    },
    takeRecovered: async (file) => (await import('./recovered.ts')).takeRecovered(stateDir, file),
    takeIn: inDatabase,
    bringOut: inDatabase,
    rekey: inDatabase,
    close: () => Promise.resolve(),
  };
}

type File = keyof typeof tables;

const files = (stateDir: string) =>
  (['state', 'log'] as const).map((name) => {
    const file = join(stateDir, `${name}.db`);
    return { name, file, there: isThere(file) };
  });

const within = <T>(
  { stateDir, env, waits }: HomeOptions,
  action: Parameters<typeof withEngines<T>>[2],
): Promise<T> => withEngines(stateDir, { env, ...(waits && { waits }) }, action);

const versionOf = async (engine: Engine): Promise<number> =>
  Number((await engine.rows({ sql: 'PRAGMA user_version', values: [] }))[0]?.['user_version'] ?? 0);

/** Makes the files where they are not there; SQLite brings those that are there up by opening them. */
async function madeIn(options: HomeOptions): Promise<{ before: number; after: number }> {
  return within(options, async ({ state, log }) => {
    const before = await versionOf(state);
    await claimCount({ state, log, codec: plainCodec }).atLeast(0, 0);
    return { before, after: await versionOf(state) };
  });
}

async function contentsOfHome(
  site: StateSite,
  engines: ReturnType<typeof homeEngines>,
  { stateDir, clock }: HomeOptions,
): Promise<StateContents> {
  const all = [...tables.state, ...tables.log];
  const engine = (of: Table) => engines[fileOf(of)];
  const { journal } = stateOn(engines, { run: 'none', clock });
  return {
    ...site,
    engine: `SQLite ${sqliteVersion()}`,
    schemaVersion: await versionOf(engines.state),
    supportedVersion: schemaVersion,
    bytes: files(stateDir).reduce((sum, { file }) => sum + sizeOf(file) + sizeOf(`${file}-wal`), 0),
    kinds: (await countsIn(engine, all)).map(({ kind, count }) => ({ kind, count, bytes: null })),
    profiles: await profilesIn(engine, all),
    ...{ keys: [], sessions: [] },
    unknown: await unknownIn(journal, timeInName),
  };
}

/** Reads all of a home: the pages of both files by SQLite, and each row as the commands read it. Changes nothing. */
async function verifyHome(options: HomeOptions): Promise<StateVerified> {
  const places: { place: string; there: boolean; rows: number }[] = [];
  const faults: StateFault[] = [];
  await within(options, async (engines) => {
    for (const { name, file, there } of files(options.stateDir)) {
      const rows = there ? await verifyFile(engines[name], name, file, faults) : 0;
      places.push({ place: file, there, rows });
    }
  });
  return { ok: faults.length === 0, places, faults };
}

async function verifyFile(engine: Engine, name: File, file: string, faults: StateFault[]): Promise<number> {
  let count = 0;
  const ofFile = (text: string, hint = recover(file)) => {
    faults.push({ place: file, table: null, key: null, text, hint });
  };
  try {
    const pages = await engine.rows({ sql: 'PRAGMA integrity_check', values: [] });
    for (const { integrity_check: said } of pages) if (said !== 'ok') ofFile(String(said));
    for (const of of tables[name])
      // By their places in the file: an index may be what is damaged.
      count += await verifyRows(
        ...([{ engine, codec: plainCodec }, of] as const),
        (fault) => faults.push({ place: file, ...fault }),
        ['rowid'],
      );
  } catch (error) {
    if (!(error instanceof ObkError)) throw error;
    const { title, detail = title, hint } = error;
    ofFile(detail, hint[0]);
  }
  return count;
}

const recover = (file: string): string =>
  line`sqlite3 ${file} .recover   # writes what can be saved as SQL; see obk help state import`;

function noDatabase(): ObkError {
  return new ObkError({
    code: 'PROFILE_INVALID',
    title: 'The state of this run is in files, and this command is about a database.',
    detail: 'Neither state.urlFrom nor OBK_STATE_URL_FROM names one, or state.store is files.',
    hint: ['obk config set state.urlFrom env:OBK_STATE_URL', 'obk state --help'],
  });
}

const nothingThere = (stateDir: string): ObkError =>
  new ObkError({
    code: 'STATE_UNREADABLE',
    title: 'There is no state yet.',
    detail: `${stateDir} has no state.db.`,
    hint: ['obk state init   # makes it; the first payment does, too'],
  });
