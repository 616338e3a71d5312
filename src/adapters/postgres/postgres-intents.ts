import { randomUUID } from 'node:crypto';
import { ObkError, SealedElsewhere } from '../../base/errors.ts';
import type { Intents } from '../../client/ports/intents.ts';
import { brokenIntent, checkMayLeave, ended, leftOf, mayBeTaken } from '../../client/state/intent-rules.ts';
import type { Intent } from '../../settings/records/journal.ts';
import { ownIdentity } from '../system/process-identity.ts';
import type { ProcessIdentity } from '../system/process-identity.ts';
import type { Database } from './database.ts';
import { unopened } from './own-key.ts';
import type { ForeignRows } from './own-key.ts';
import { intentColumns, intentOf, mayGoOn, resourceIdBytes, sealEnding, sealIntent } from './intent-rows.ts';
import type { IntentRow } from './intent-rows.ts';
import { ConnectionLost } from './connection-lost.ts';
import { places, tagged } from './places.ts';
import type { Vault } from './vault.ts';

/** So long an owner of another machine counts as alive, by the clock of the server. */
const leaseSeconds = 60;

/** What the journal tells of the requests of an intent. */
export interface LettingGo {
  /** Calls `record`, waits for it, and notes that the request left, while no other run can take the intent over. */
  letGo(hash: string, run: string, record: () => void | Promise<void>): Promise<void>;
  /** Notes that the run itself has recorded that nothing came of its request. */
  giveBack(hash: string, run: string): Promise<void>;
  /** Whether the write of a run left, as the intent knows it: `maybe` where that cannot be read. */
  hasLeft(hash: string, run: string): Promise<'no' | 'yes' | 'maybe' | 'legacy'>;
}

/**
 * One row for each intent, by its hash. A transition is one UPDATE that names the fence and the state that it follows, so of two that
 * follow the same one is in vain. The lease of an owner matters only before its request has left: from then on the run itself can
 * give the intent back, where it has recorded that nothing came of it, or a person or the bank settles it; nobody takes it over.
 */
export function postgresIntents(options: {
  database: Database;
  vault: Vault;
  processInfo?: ProcessIdentity;
  /** The rows that lists leave out; without it they leave out none. Whatever decides whether a payment is sent leaves out none either. */
  foreign?: ForeignRows;
}): Intents & LettingGo {
  const { database, vault, processInfo: owner = ownIdentity(), foreign } = options;

  const select = (where: string, values: readonly unknown[]) =>
    database.rows<IntentRow>(`SELECT ${intentColumns} FROM intent ${where}`, values);

  async function one(hash: string, lock = ''): Promise<IntentRow | undefined> {
    const [row] = await select(`WHERE hash = $1 ${lock}`, [hash]);
    return row;
  }

  function whole(row: IntentRow): Intent {
    const intent = intentOf(vault, row);
    if (intent === undefined) throw unread(row);
    return intent;
  }

  function unread({ hash, record, ending }: IntentRow): ObkError {
    const sealed = ending === null || vault.foreignKey(record) !== undefined ? record : ending;
    return unopened(vault, sealed, () =>
      brokenIntent(placeOf(hash), 'it does not hold what obk wrote', hash),
    );
  }

  /** Those whose hash begins so, without those that lists leave out. */
  const beginning = async (prefix: string): Promise<readonly IntentRow[]> =>
    (await select('WHERE starts_with(hash, $1)', [prefix])).filter(
      ({ hash, profile, record, ending }) =>
        foreign?.has(places.intent(profile, hash), record) !== true &&
        (ending === null || foreign?.has(places.ending(profile, hash), ending) !== true),
    );

  const contentOf = ({ profile, fingerprint }: Pick<Intent, 'profile' | 'fingerprint'>) =>
    vault.tags(...tagged.content({ profile, fingerprint }));

  /** The columns of an intent that this process has begun, $1 to $9. */
  const begun = (intent: Intent, transition: string): unknown[] => [
    ...[intent.hash, intent.profile, contentOf(intent)[0], intent.run, transition, JSON.stringify(owner)],
    ...[intent.createdAt, resourceIdBytes(intent.resourceId), sealIntent(vault, intent)],
  ];
  const lease = `clock_timestamp() + interval '${String(leaseSeconds)} seconds'`;

  return {
    claim: (intent) => {
      const transition = randomUUID();
      return database.again(async () => {
        const [mine] = await database.rows(
          `INSERT INTO intent (hash, profile, content, run, transition, owner, created_at, resource_id, record, state, leased_until)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'claimed', ${lease})
           ON CONFLICT (hash) DO NOTHING RETURNING hash`,
          begun(intent, transition),
        );
        if (mine !== undefined) return { claimed: true };
        const earlier = await one(intent.hash);
        if (earlier === undefined) throw brokenIntent(placeOf(intent.hash), 'it is missing', intent.hash);
        // The connection was lost after the commit.
        if (earlier.transition === transition) return { claimed: true };
        return {
          claimed: false,
          intent: whole(earlier),
          ownerAlive: earlier.run !== intent.run && mayGoOn(earlier, owner),
        };
      });
    },

    missing: () => Promise.resolve(0),

    takeOver: (intent, previousRun) => {
      const transition = randomUUID();
      return database.again(async () => {
        const earlier = await one(intent.hash);
        if (earlier?.transition === transition) return true;
        if (earlier?.run !== previousRun) return false;
        if (previousRun !== intent.run && mayGoOn(earlier, owner)) return false;
        if (!mayBeTaken(whole(earlier), earlier.state === 'returned')) return false;
        const taken = await database.rows(
          `UPDATE intent
              SET profile = $2, content = $3, run = $4, transition = $5, owner = $6, created_at = $7,
                  resource_id = $8, record = $9, state = 'claimed', ending = NULL, fence = fence + 1,
                  leased_until = ${lease}
            WHERE hash = $1 AND run = $10 AND fence = $11 AND state = $12 RETURNING hash`,
          [...begun(intent, transition), previousRun, earlier.fence, earlier.state],
        );
        return taken.length === 1;
      });
    },

    letGo: async (hash, run, record) => {
      const transition = randomUUID();
      try {
        await database.transaction(async () => {
          const row = await one(hash, 'FOR UPDATE');
          if (row === undefined) throw brokenIntent(placeOf(hash), 'it is missing', hash);
          checkMayLeave(whole(row), run, row.state === 'returned');
          await record();
          await database.rows(
            `UPDATE intent SET state = 'sending', transition = $5, fence = fence + 1
              WHERE hash = $1 AND run = $2 AND fence = $3 AND state = $4 AND ending IS NULL`,
            [hash, run, row.fence, row.state, transition],
          );
        });
      } catch (error) {
        if (!(error instanceof ConnectionLost)) throw error;
        // Whatever happened to COMMIT, the row says so once the lock of the lost connection is gone.
        const row = error.maybeCommitted
          ? await database.transaction(() => one(hash, 'FOR UPDATE')).catch(() => undefined)
          : undefined;
        if (row?.transition !== transition) throw notSent(error);
      }
    },

    giveBack: async (hash, run) => {
      await database.again(() =>
        database.rows(
          `UPDATE intent SET state = 'returned', leased_until = clock_timestamp(), fence = fence + 1
            WHERE hash = $1 AND run = $2 AND state = 'sending' AND ending IS NULL`,
          [hash, run],
        ),
      );
    },

    noteResource: async (hash, resourceId) => {
      await database.again(() =>
        database.rows('UPDATE intent SET resource_id = $2 WHERE hash = $1', [
          hash,
          resourceIdBytes(resourceId),
        ]),
      );
    },

    settle: (hash, settled, of = {}) =>
      database.again(() =>
        database.transaction(async () => {
          const row = await one(hash, 'FOR UPDATE');
          const after = row && ended(whole(row), settled, of);
          if (after?.settled === undefined) return;
          await database.rows(
            'UPDATE intent SET ending = $2, resource_id = $3, record = $4, fence = fence + 1 WHERE hash = $1',
            [
              ...[hash, sealEnding(vault, after, after.settled)],
              ...[resourceIdBytes(after.resourceId), sealIntent(vault, after)],
            ],
          );
        }),
      ),

    find: (hash) =>
      database.again(async () => {
        const row = await one(hash);
        return row && whole(row);
      }),

    like: (profile, fingerprint) =>
      database.again(async () => {
        const rows = await select('WHERE profile = $1 AND content = ANY($2) ORDER BY created_at DESC', [
          profile,
          contentOf({ profile, fingerprint }),
        ]);
        return rows.map((row) => ({ ...whole(row), alive: mayGoOn(row, owner) }));
      }),

    named: (prefix) =>
      database.again(async () => (await beginning(prefix)).flatMap((row) => intentOf(vault, row) ?? [])),

    broken: (prefix) =>
      database.again(async () => {
        const rows = await beginning(prefix);
        return rows
          .filter((row) => intentOf(vault, row) === undefined)
          .map(({ hash, profile, created_at: at }) => ({
            ...{ hash, profile, createdAt: at.toISOString(), path: placeOf(hash) },
          }));
      }),

    repair: ({ hash }, intent) =>
      database.again(() =>
        database.transaction(async () => {
          const row = await one(hash, 'FOR UPDATE');
          if (row === undefined || intentOf(vault, row) !== undefined) return;
          const error = unread(row);
          if (error instanceof SealedElsewhere) throw error;
          const { settled, sent } = intent;
          await database.rows(
            `UPDATE intent
                SET profile = $2, content = $3, run = $4, transition = $5, owner = $6, created_at = $7,
                    resource_id = $8, record = $9, state = $10, ending = $11, fence = fence + 1
              WHERE hash = $1`,
            [
              ...begun(intent, randomUUID()),
              sent === undefined ? 'legacy' : sent ? 'sending' : 'claimed',
              settled === undefined ? null : sealEnding(vault, intent, settled),
            ],
          );
        }),
      ),

    newest: (profile) =>
      database.again(async () => {
        const [row] = await select('WHERE profile = $1 ORDER BY created_at DESC LIMIT 1', [profile]);
        return row && whole(row);
      }),

    runs: () =>
      database.again(async () => {
        // If a run has several intents, one that is not settled counts.
        const rows = await select('ORDER BY ending IS NULL', []);
        return new Map(rows.map((row) => [row.run, whole(row)]));
      }),

    hasLeft: (hash, run) =>
      database.again(async () => {
        const row = await one(hash);
        return row?.run === run && row.state === 'returned' ? 'no' : leftOf(row && intentOf(vault, row), run);
      }),
  };
}

const placeOf = (hash: string) => `obk.intent ${hash}`;

function notSent({ detail, hint, cause }: ConnectionLost): ObkError {
  return new ObkError({
    code: 'STATE_UNREACHABLE',
    title: 'The database with the state was lost, so nothing was sent.',
    ...(detail !== undefined && { detail }),
    hint,
    cause,
  });
}
