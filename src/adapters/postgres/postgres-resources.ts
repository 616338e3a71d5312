import { ObkError } from '../../base/errors.ts';
import type { Resources } from '../../client/ports/resources.ts';
import type { SavedResource } from '../../settings/records/resources.ts';
import type { Noun } from '../../standard/sca/operations.ts';
import type { Conversation } from '../../standard/sca/state.ts';
import { promised } from '../files/file-errors.ts';
import { nounOfParent } from '../../client/state/noun-of-parent.ts';
import { checkProfileName } from '../../base/check-profile-name.ts';
import type { Database } from './database.ts';
import { unopened } from './own-key.ts';
import type { ForeignRows } from './own-key.ts';
import { places, tagged } from './places.ts';
import type { Vault } from './vault.ts';

/** What a bank calls an id may hold a NUL, which no text of PostgreSQL does: ids of banks are bytes. */
const bytes = (text: string): Buffer => Buffer.from(text, 'utf8');

interface ResourceRow {
  id: Buffer;
  /** As PostgreSQL writes it: a Date would lose its microseconds. */
  at: string;
  elsewhere: boolean | null;
  record: Buffer;
}

interface ConversationRow {
  kind: string;
  slot: Buffer;
  record: Buffer;
}

/** So many resources are read at once. */
const batch = 200;

/** One row for each resource and each conversation, sealed; in clear stand profile, noun, ids and times. */
export function postgresResources(options: {
  database: Database;
  vault: Vault;
  /** The machine that asks; what one before that was noted has made is nobody else's. */
  machine: string;
  /** The rows that lists leave out; without it they leave out none. */
  foreign?: ForeignRows;
}): Resources {
  const { database, vault, machine, foreign } = options;

  async function found(
    profile: string,
    noun: Noun,
    rest: string,
    values: readonly unknown[] = [],
  ): Promise<readonly ResourceRow[]> {
    checkProfileName(profile);
    return database.again(() =>
      database.rows<ResourceRow>(
        `SELECT id, created_at::text AS at, record, machine <> $${String(values.length + 3)} AS elsewhere
           FROM resource WHERE profile = $1 AND noun = $2 ${rest}`,
        [profile, noun, ...values, machine],
      ),
    );
  }

  function whole(profile: string, noun: Noun, { id, record, elsewhere }: ResourceRow): SavedResource {
    const resource = vault.open(places.resource(profile, noun, id), record);
    if (resource === undefined)
      throw unopened(vault, record, () => damaged(`obk.resource ${profile} ${noun}`));
    return { ...(resource as SavedResource), ...(elsewhere === true && { elsewhere }) };
  }

  const listed = (profile: string, noun: Noun, rows: readonly ResourceRow[]): readonly SavedResource[] =>
    rows
      .filter(({ id, record }) => foreign?.has(places.resource(profile, noun, id), record) !== true)
      .map((row) => whole(profile, noun, row));

  /** Those that an id names: one that is left out would make another one be meant, or none. */
  const named = async (
    profile: string,
    noun: Noun,
    which: string,
    id: string,
  ): Promise<readonly SavedResource[]> =>
    (await found(profile, noun, which, [bytes(id)])).map((row) => whole(profile, noun, row));

  /** Newest first; the next begins after the last one of those before, so what is added meanwhile shifts nothing. */
  async function* eachBatch(profile: string, noun: Noun): AsyncGenerator<readonly SavedResource[]> {
    let after: readonly [at: string | null, id: Buffer | null] = [null, null];
    for (;;) {
      const some = await found(
        profile,
        noun,
        `AND ($3::timestamptz IS NULL OR (created_at, id) < ($3::timestamptz, $4::bytea))
         ORDER BY created_at DESC, id DESC LIMIT ${String(batch)}`,
        after,
      );
      const last = some.at(-1);
      if (last === undefined) return;
      yield listed(profile, noun, some);
      after = [last.at, last.id];
    }
  }

  /**
   * By what a conversation is told from others of its parent: the id of its authorisation, else who starts it. Several PSUs may start
   * at the same time. `own` are its slots by each key, `others` those in which it may stand from before it had its id or its PSU.
   */
  function slotsOf({ authorisationId, psuId }: Conversation) {
    const none = bytes('none');
    const ofPsu =
      psuId === undefined
        ? []
        : vault.tags(...tagged.psu(psuId)).map((tag) => Buffer.concat([bytes('psu '), tag]));
    const unnamed = ofPsu[0] === undefined ? [none] : ofPsu;
    const own = authorisationId === undefined ? unnamed : [bytes(`id ${authorisationId}`)];
    return { slot: own[0] ?? none, own, others: [none, ...ofPsu] };
  }

  async function conversations(
    profile: string,
    noun: Noun,
    parent: Buffer,
  ): Promise<readonly Conversation[]> {
    checkProfileName(profile);
    const rows = await database.rows<ConversationRow>(
      `SELECT kind, slot, record FROM conversation WHERE profile = $1 AND noun = $2 AND parent = $3
        ORDER BY started_at DESC, kind DESC, slot DESC`,
      [profile, noun, parent],
    );
    return rows.flatMap(({ kind, slot, record }) => {
      const place = places.conversation(profile, noun, parent, kind, slot);
      if (foreign?.has(place, record) === true) return [];
      const found = vault.open(place, record);
      if (found === undefined)
        throw unopened(vault, record, () => damaged(`obk.conversation ${profile} ${noun}`));
      return [found as Conversation];
    });
  }

  return {
    save: async ({ elsewhere: _, ...resource }) => {
      const { profile, noun, createdAt } = resource;
      checkProfileName(profile);
      const id = bytes(resource.id);
      await database.again(() =>
        database.rows(
          `INSERT INTO resource (profile, noun, id, created_at, record, machine) VALUES ($1, $2, $3, $4, $5, $6)
           ON CONFLICT (profile, noun, id) DO UPDATE
             SET created_at = excluded.created_at, record = excluded.record`,
          [profile, noun, id, createdAt, vault.seal(places.resource(profile, noun, id), resource), machine],
        ),
      );
    },

    list: async (profile, noun, limit) => {
      const rows = await found(profile, noun, 'ORDER BY created_at DESC, id DESC LIMIT $3', [limit ?? null]);
      return listed(profile, noun, rows);
    },

    batches: (profile, noun) =>
      promised(() => {
        checkProfileName(profile);
        return eachBatch(profile, noun);
      }),

    ids: async (profile) => {
      checkProfileName(profile);
      const rows = await database.again(() =>
        database.rows<{ id: Buffer }>('SELECT id FROM resource WHERE profile = $1', [profile]),
      );
      return rows.map(({ id }) => id.toString('utf8'));
    },

    listBeginning: (profile, noun, prefix) =>
      named(
        profile,
        noun,
        'AND substring(id FOR octet_length($3::bytea)) = $3::bytea ORDER BY created_at DESC, id DESC',
        prefix,
      ),

    find: async (profile, noun, id) => {
      const [resource] = await named(profile, noun, 'AND id = $3', id);
      return resource;
    },

    saveConversation: async (profile, conversation) => {
      checkProfileName(profile);
      const { parent, startedAt } = conversation;
      const noun = nounOfParent(parent.kind);
      const id = bytes(parent.id);
      const { slot, others } = slotsOf(conversation);
      await database.again(() =>
        database.transaction(async () => {
          await Promise.all([
            // It may have got its id, or its PSU, only now.
            database.rows(
              `DELETE FROM conversation
              WHERE profile = $1 AND noun = $2 AND parent = $3 AND kind = $4 AND started_at = $5
                AND slot = ANY($6) AND slot <> $7`,
              [profile, noun, id, parent.kind, startedAt, others, slot],
            ),
            database.rows(
              `INSERT INTO conversation (profile, noun, parent, kind, slot, started_at, record)
             VALUES ($1, $2, $3, $4, $5, $6, $7)
             ON CONFLICT (profile, noun, parent, kind, slot) DO UPDATE
               SET started_at = excluded.started_at, record = excluded.record`,
              [
                ...[profile, noun, id, parent.kind, slot, startedAt],
                vault.seal(places.conversation(profile, noun, id, parent.kind, slot), conversation),
              ],
            ),
          ]);
        }),
      );
    },

    removeConversation: async (profile, conversation) => {
      checkProfileName(profile);
      const { parent, startedAt, psuId } = conversation;
      const noun = nounOfParent(parent.kind);
      const id = bytes(parent.id);
      const { own } = slotsOf(conversation);
      await database.again(() =>
        database.transaction(async () => {
          const key = [profile, noun, id, parent.kind];
          const where = 'WHERE profile = $1 AND noun = $2 AND parent = $3 AND kind = $4';
          const rows = await database.rows<ConversationRow>(
            `SELECT kind, slot, record FROM conversation ${where} AND slot = ANY($5) AND started_at = $6 FOR UPDATE`,
            [...key, own, startedAt],
          );
          for (const { slot, record } of rows) {
            const found = vault.open(places.conversation(profile, noun, id, parent.kind, slot), record);
            if ((found as Conversation | undefined)?.psuId === psuId)
              await database.rows(`DELETE FROM conversation ${where} AND slot = $5`, [...key, slot]);
          }
        }),
      );
    },

    conversations: async (profile, noun, parentId) => {
      checkProfileName(profile);
      return database.again(() => conversations(profile, noun, bytes(parentId)));
    },
  };
}

function damaged(where: string): ObkError {
  return new ObkError({
    code: 'STATE_UNREADABLE',
    title: 'A saved resource cannot be read.',
    detail: `${where}: a row does not hold what obk wrote.`,
  });
}
