import type { JournalRecord, OpenWrite } from '../../settings/records/journal.ts';
import type { Header } from '../../settings/records/wire.ts';
import { isIdentity, lifeOfRun } from '../system/process-identity.ts';
import type { ProcessIdentity } from '../system/process-identity.ts';
import type { Database } from './database.ts';
import { places } from './places.ts';
import type { Place, Vault } from './vault.ts';

/** The facts in the mark of a write: enough to go on if the records of its run are lost. */
export type Mark = Omit<OpenWrite, 'run' | 'exchange' | 'alive'> & {
  exact: { headers: readonly Header[]; body: string } | null;
};

/** A mark as it is found. */
export interface FoundWrite {
  run: string;
  exchange: string;
  /** The request was let go. */
  sent: boolean;
  /** Whether its process may still be running. */
  alive: boolean;
  /** Undefined where it does not hold what obk wrote, or this run does not have its key. */
  mark: Mark | undefined;
  /** The mark as it is kept, with its place. */
  sealed: readonly [Place, Buffer];
  /** The host of its process. */
  host: string | undefined;
}

interface Row extends Omit<FoundWrite, 'alive' | 'mark' | 'sealed' | 'host'> {
  profile: string;
  owner: unknown;
  young: boolean;
  mark: Buffer;
}

/** So long a call of another machine counts as under way, by the clock of the server. */
const foreignMinutes = 10;

/** One row for each write that is not over, beside the records of its run. */
export function openWriteRows(database: Database, vault: Vault, own: ProcessIdentity) {
  const columns = `run, exchange, profile, sent, owner, mark,
    at > clock_timestamp() - interval '${String(foreignMinutes)} minutes' AS young`;

  function found({ run, exchange, profile, sent, owner, young, mark }: Row): FoundWrite {
    const sealed = [places.openWrite(profile, run, exchange), mark] as const;
    const opened = vault.open(...sealed) as Mark | undefined;
    const host = isIdentity(owner) ? owner.host : undefined;
    const life = isIdentity(owner) ? lifeOfRun(run, owner, own) : 'foreign';
    const alive = life === 'foreign' ? young : life === 'alive';
    return { run, exchange, sent, alive, mark: opened, sealed, host };
  }

  const remove = async (run: string, exchange: string): Promise<void> => {
    await database.rows('DELETE FROM open_write WHERE run = $1 AND exchange = $2', [run, exchange]);
  };

  const one = async (run: string, exchange: string): Promise<FoundWrite | undefined> => {
    const [row] = await database.rows<Row>(
      `SELECT ${columns} FROM open_write WHERE run = $1 AND exchange = $2`,
      [run, exchange],
    );
    return row && found(row);
  };

  return {
    remove,
    one,

    async put(run: string, exchange: string, profile: string, mark: Mark, sent: boolean): Promise<void> {
      await database.rows(
        `INSERT INTO open_write (run, exchange, profile, owner, mark, sent) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (run, exchange) DO UPDATE SET mark = excluded.mark, profile = excluded.profile`,
        [
          ...[run, exchange, profile, JSON.stringify(own)],
          ...[vault.seal(places.openWrite(profile, run, exchange), mark), sent],
        ],
      );
    },

    /** From now on the write counts as sent, even where the records of its run are lost. */
    async markSent(run: string, exchange: string): Promise<void> {
      await database.rows('UPDATE open_write SET sent = true WHERE run = $1 AND exchange = $2', [
        ...[run, exchange],
      ]);
    },

    /** Newest run first. */
    async list(): Promise<readonly FoundWrite[]> {
      const rows = await database.rows<Row>(
        `SELECT ${columns} FROM open_write ORDER BY run DESC, at DESC, exchange`,
      );
      return rows.map(found);
    },
  };
}

/** The mark of a write that is about to be sent. */
export function markOf(
  record: Extract<JournalRecord, { type: 'prepared' }>,
  profile: string | undefined,
): Mark {
  const { operation, at, requestId, bodySha256, intent, resource, exact = null } = record;
  return {
    ...{ operation, at, requestId, bodySha256, exact },
    ...(profile === undefined ? {} : { profile }),
    ...(intent === undefined ? {} : { intent }),
    ...(resource === undefined ? {} : { resource }),
  };
}
