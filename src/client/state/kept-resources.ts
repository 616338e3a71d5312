import { checkProfileName } from '../../base/check-profile-name.ts';
import { ObkError } from '../../base/errors.ts';
import type { SavedResource } from '../../settings/records/resources.ts';
import type { Noun } from '../../standard/sca/operations.ts';
import type { Conversation, Parent } from '../../standard/sca/state.ts';
import type { Codec, Row, SqlValue } from '../ports/engine.ts';
import type { Resources } from '../ports/resources.ts';
import type { Part } from './commit.ts';
import { notes } from './kept-intents.ts';
import { isLeftOut, openIn, sealIn, unopened } from './sealed-rows.ts';
import type { Stage } from './stage.ts';
import { conversations, psuNames, read, resources, select } from './tables.ts';
import type { RowOf } from './tables.ts';

const batch = 500;
const bytes = (text: string): Uint8Array => Buffer.from(text, 'utf8');
const hex = (id: Uint8Array): string => Buffer.from(id).toString('hex');
const newest = 'ORDER BY created_at DESC, id DESC';

type ConversationRow = RowOf<typeof conversations>;

/** Payments, consents and baskets, with the conversations about them. */
export function keptResources(options: {
  stage: Stage;
  codec: Codec;
  /** The machine that asks: what another has made is `elsewhere`. Empty at home, where all is of here, whoever made it before. */
  machine: string;
}): Resources {
  const { stage, codec, machine } = options;
  const engine = stage.state;

  async function found(
    profile: string,
    noun: Noun,
    rest: string,
    values: readonly SqlValue[] = [],
  ): Promise<readonly Row[]> {
    checkProfileName(profile);
    return engine.rows(
      select(resources, `WHERE profile = ?1 AND noun = ?2 ${rest}`, [profile, noun, ...values]),
    );
  }

  function whole(found: Row): SavedResource {
    const row = read(resources, found);
    const resource = row && (openIn(codec, resources, 'record', row) as SavedResource | undefined);
    if (row === undefined || resource === undefined || !isOf(row, resource))
      throw unopened(codec, resources, found, () =>
        damaged(`${String(found['noun'])} of ${String(found['profile'])}`),
      );
    return machine === '' || row.machine === machine ? resource : { ...resource, elsewhere: true };
  }

  /** Those that an id names: one that is left out would make another one be meant, or none. */
  const named = async (...asked: Parameters<typeof found>): Promise<readonly SavedResource[]> =>
    (await found(...asked)).map(whole);

  const listed = (rows: readonly Row[]): readonly SavedResource[] =>
    rows.filter((one) => !isLeftOut(codec, resources, one)).map(whole);

  /** Each begins after the last one of those before, so what is added meanwhile shifts nothing. */
  async function* batches(profile: string, noun: Noun): AsyncGenerator<readonly SavedResource[]> {
    let some = await found(profile, noun, `${newest} LIMIT ${String(batch)}`);
    for (let last = some.at(-1); last !== undefined; last = some.at(-1)) {
      yield listed(some);
      const after = `AND (created_at, id) < (?3, ?4) ${newest} LIMIT ${String(batch)}`;
      some = await found(profile, noun, after, [last['created_at'] ?? null, last['id'] ?? null]);
    }
  }

  /** What is to become of the conversations about one parent that are of one kind. */
  function aboutParent(profile: string, { parent }: Conversation, next: Part['next']): Part {
    return {
      of: conversations,
      where: 'profile = ?1 AND noun = ?2 AND parent = ?3 AND kind = ?4',
      values: [profile, nounOfParent(parent.kind), bytes(parent.id), parent.kind],
      next,
    };
  }

  const isOne = (names: readonly Uint8Array[], { name }: Row): boolean =>
    names.some((one) => hex(one) === hex(name as Uint8Array));

  function opened(found: Row, profile: string): Conversation {
    const row = read(conversations, found);
    const one = row && (openIn(codec, conversations, 'record', row) as Conversation | undefined);
    if (one === undefined)
      throw unopened(codec, conversations, found, () => damaged(`conversation of ${profile}`));
    return one;
  }

  function saved({ elsewhere: _, ...resource }: SavedResource): Part {
    const { profile, noun, createdAt } = resource;
    checkProfileName(profile);
    const key = { profile, noun, id: bytes(resource.id) };
    const record = sealIn(codec, resources, 'record', key, resource);
    return {
      of: resources,
      where: 'profile = ?1 AND noun = ?2 AND id = ?3',
      values: [profile, noun, key.id],
      next: (rows) => {
        const [before] = rows;
        const known = before && openIn(codec, resources, 'record', before);
        // What is as it was waits for no disk.
        if (known !== undefined && JSON.stringify(known) === JSON.stringify(resource)) return rows;
        return [{ machine, ...before, ...key, created_at: Date.parse(createdAt), record }];
      },
    };
  }

  /** The conversation in the place of what it was; `isLate` says of the rows before whether they go further. */
  function held(profile: string, conversation: Conversation, isLate = (_: readonly Row[]) => false): Part {
    checkProfileName(profile);
    const { parent, startedAt } = conversation;
    const { own, others } = namesOf(codec, conversation);
    const [name] = own;
    const noun = nounOfParent(parent.kind);
    const key = { profile, noun, parent: bytes(parent.id), kind: parent.kind, name };
    const row: ConversationRow = {
      ...key,
      started_at: Date.parse(startedAt),
      record: sealIn(codec, conversations, 'record', key, conversation),
    };
    // It may have got its id, or its PSU, only now.
    const isBefore = (one: Row) =>
      isOne([name], one) || (isOne(others, one) && Number(one['started_at']) === row.started_at);
    return aboutParent(profile, conversation, (rows) =>
      isLate(rows) ? rows : [...rows.filter((one) => !isBefore(one)), row],
    );
  }

  /** Whether another run has gone further since `before`. */
  const furtherThan =
    (profile: string, { startedAt, psuId, steps = 0 }: Conversation) =>
    (rows: readonly Row[]): boolean =>
      rows
        .map((row) => opened(row, profile))
        .some(
          (one) =>
            one.startedAt === startedAt &&
            // Several PSUs may start at the same time.
            (one.psuId === undefined || psuId === undefined || one.psuId === psuId) &&
            (one.steps ?? 0) > steps,
        );

  return {
    save: async (resource) => stage.keep({ state: [saved(resource)] }),

    saveMade: async ({ resource, conversation }) => {
      const { profile, intent, id } = resource;
      const known = intent === undefined ? [] : [notes(codec, intent, id)];
      // With the end of its write: one without the other would be a payment that no list shows.
      const parts = [...known, held(profile, conversation), saved(resource)];
      await stage.note({ state: parts }, { ofWrite: true, needed: true });
      await stage.commit();
    },

    list: async (profile, noun, limit) =>
      listed(
        limit === undefined
          ? await found(profile, noun, newest)
          : await found(profile, noun, `${newest} LIMIT ?3`, [limit]),
      ),

    batches: async (profile, noun) => {
      checkProfileName(profile);
      return Promise.resolve(batches(profile, noun));
    },

    ids: async (profile) => {
      checkProfileName(profile);
      const rows = await engine.rows({
        sql: 'SELECT id FROM resource WHERE profile = ?1',
        values: [profile],
      });
      return rows.map(({ id }) => Buffer.from(id as Uint8Array).toString());
    },

    listBeginning: (profile, noun, prefix) => {
      const [from, to] = [bytes(prefix), upTo(bytes(prefix))];
      return to === undefined
        ? named(profile, noun, `AND id >= ?3 ${newest}`, [from])
        : named(profile, noun, `AND id >= ?3 AND id < ?4 ${newest}`, [from, to]);
    },

    find: async (profile, noun, id) => (await named(profile, noun, 'AND id = ?3', [bytes(id)]))[0],

    saveConversation: async (profile, conversation, before) => {
      if (before === undefined) return stage.keep({ state: [held(profile, conversation)] });
      const part = held(profile, conversation, furtherThan(profile, before));
      await stage.note({ state: [part] }, { ofWrite: true, needed: true });
    },

    claimConversation: async (profile, conversation, before, taken) => {
      const isFurther = furtherThan(profile, before);
      const isLate = (rows: readonly Row[]): boolean => {
        if (isFurther(rows)) throw taken;
        return false;
      };
      return stage.claim({ state: [held(profile, conversation, isLate)] });
    },

    removeConversation: async (profile, conversation) => {
      checkProfileName(profile);
      const { own } = namesOf(codec, conversation);
      const at = Date.parse(conversation.startedAt);
      const others = (rows: readonly Row[]) =>
        rows.filter((one) => !isOne(own, one) || Number(one['started_at']) !== at);
      await stage.keep({ state: [aboutParent(profile, conversation, others)] });
    },

    conversations: async (profile, noun, parentId) => {
      checkProfileName(profile);
      const rest = 'ORDER BY started_at DESC, kind DESC, name DESC';
      const rows = await engine.rows(
        select(conversations, `WHERE profile = ?1 AND noun = ?2 AND parent = ?3 ${rest}`, [
          ...[profile, noun, bytes(parentId)],
        ]),
      );
      return rows.filter((one) => !isLeftOut(codec, conversations, one)).map((one) => opened(one, profile));
    },
  };
}

/** Whether what a row holds is what it stands for: a read by another id would be of another payment. */
const isOf = (row: RowOf<typeof resources>, { profile, noun, id }: SavedResource): boolean =>
  profile === row.profile && noun === row.noun && hex(bytes(id)) === hex(row.id);

/**
 * By what a conversation is told from others of its parent: the id of its authorisation, else who starts it. Several PSUs may start
 * at the same time. `own` are its names by each key, `others` those under which it may stand from before it had its id or its PSU.
 */
function namesOf(
  codec: Codec,
  { authorisationId, psuId }: Conversation,
): { own: readonly [Uint8Array, ...Uint8Array[]]; others: readonly Uint8Array[] } {
  const none = bytes('none');
  const ofPsu = psuId === undefined ? [] : psuNames(codec, psuId);
  const [first, ...rest] = authorisationId === undefined ? ofPsu : [bytes(`id ${authorisationId}`)];
  return { own: [first ?? none, ...rest], others: [none, ...ofPsu] };
}

/** The first bytes after all that begin so; undefined where there are none. */
function upTo(prefix: Uint8Array): Uint8Array | undefined {
  const last = prefix.findLastIndex((byte) => byte < 0xff);
  if (last < 0) return undefined;
  const next = Buffer.from(prefix.slice(0, last + 1));
  next[last] = (next[last] ?? 0) + 1;
  return next;
}

function damaged(what: string): ObkError {
  return new ObkError({
    code: 'STATE_UNREADABLE',
    title: 'What is saved cannot be read.',
    detail: `A ${what} does not hold what obk wrote.`,
    hint: ['obk doctor --offline'],
  });
}

/** The noun under which the conversations about a parent are kept: the end of a payment or consent with what it ends. */
export function nounOfParent(kind: Parent['kind']): Noun {
  if (kind === 'cancellation') return 'payment';
  return kind === 'deletion' ? 'consent' : kind;
}
