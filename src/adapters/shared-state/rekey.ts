import { ObkError } from '../../base/errors.ts';
import type { StateRekeyed } from '../../client/ports/state-store.ts';
import type { Database } from '../postgres/database.ts';
import { places, tagged } from '../postgres/places.ts';
import { keysIn } from './state-contents.ts';
import type { Place, Vault } from '../postgres/vault.ts';

/** So many values are sealed anew in one transaction. */
const batch = 100;

type Row = Readonly<Record<string, string & Buffer>>;

/** A table with sealed values: where each stands, and what else hangs on the key. */
interface Sealed {
  kind: string;
  table: string;
  key: readonly string[];
  column: string;
  place: (row: Row) => Place;
  /** Columns whose value is a keyed hash, as the current key makes it. */
  tags?: (row: Row, opened: object, vault: Vault) => Readonly<Record<string, Buffer>>;
}

const text = (row: Row, name: string): string => row[name] ?? '';
const bytes = (row: Row, name: string): Buffer => row[name] ?? Buffer.alloc(0);

const sealed: readonly Sealed[] = [
  {
    ...{ kind: 'intents', table: 'intent', key: ['hash'], column: 'record' },
    place: (row) => places.intent(text(row, 'profile'), text(row, 'hash')),
    tags: (row, opened, vault): Readonly<Record<string, Buffer>> => {
      const { fingerprint } = opened as { fingerprint: string };
      const [content] = vault.tags(...tagged.content({ profile: text(row, 'profile'), fingerprint }));
      return content === undefined ? {} : { content };
    },
  },
  {
    ...{ kind: 'intents', table: 'intent', key: ['hash'], column: 'ending' },
    place: (row) => places.ending(text(row, 'profile'), text(row, 'hash')),
  },
  {
    ...{ kind: 'records of the journal', table: 'record', key: ['id'], column: 'record' },
    place: (row) => places.record(text(row, 'profile'), text(row, 'run'), text(row, 'id')),
  },
  {
    ...{ kind: 'open writes', table: 'open_write', key: ['run', 'exchange'], column: 'mark' },
    place: (row) => places.openWrite(text(row, 'profile'), text(row, 'run'), text(row, 'exchange')),
  },
  {
    ...{ kind: 'resources', table: 'resource', key: ['profile', 'noun', 'id'], column: 'record' },
    place: (row) => places.resource(text(row, 'profile'), text(row, 'noun'), bytes(row, 'id')),
  },
  {
    ...{ kind: 'authorisations', table: 'conversation', column: 'record' },
    key: ['profile', 'noun', 'parent', 'kind', 'slot'],
    place: (row) =>
      places.conversation(
        ...([text(row, 'profile'), text(row, 'noun'), bytes(row, 'parent'), text(row, 'kind')] as const),
        bytes(row, 'slot'),
      ),
    tags: (row, opened, vault): Readonly<Record<string, Buffer>> => {
      const { authorisationId, psuId } = opened as { authorisationId?: string; psuId?: string };
      if (authorisationId !== undefined || psuId === undefined) return {};
      const [tag] = vault.tags(...tagged.psu(psuId));
      return tag === undefined ? {} : { slot: Buffer.concat([Buffer.from('psu '), tag]) };
    },
  },
  {
    ...{ kind: 'credentials', table: 'credential', key: ['profile'], column: 'record' },
    place: (row) => places.credentials(text(row, 'profile')),
  },
  {
    ...{ kind: 'shared keys', table: 'shared_key', key: ['name'], column: 'record' },
    place: (row) => places.sharedKey(text(row, 'name')),
  },
  {
    ...{ kind: 'counts of calls', table: 'usage', key: ['key'], column: 'record' },
    place: (row) => places.usage(bytes(row, 'key')),
    tags: (_, opened, vault): Readonly<Record<string, Buffer>> => {
      const [key] = vault.tags(...tagged.usage((opened as { name: string }).name));
      return key === undefined ? {} : { key };
    },
  },
];

/** The columns that a place may be made of. */
const facts: Readonly<Record<string, readonly string[]>> = {
  intent: ['hash', 'profile'],
  record: ['id', 'run', 'profile'],
  open_write: ['run', 'exchange', 'profile'],
};

/**
 * Seals with the current key what another known one has sealed, a batch in each transaction: interrupted, it goes on where it was. Throws
 * STATE_UNREADABLE where a value was sealed with a key that is not known, before anything, or is damaged, after all others.
 */
export async function rekey(
  database: Database,
  vault: Vault,
  progress: (done: StateRekeyed) => void,
): Promise<StateRekeyed[]> {
  const foreign = (await keysIn(database, vault)).filter(({ known }) => !known);
  if (foreign.length > 0)
    throw new ObkError({
      code: 'STATE_UNREADABLE',
      title: 'Values are sealed with a key that this run has not got.',
      detail:
        foreign.map(({ key, values }) => `${String(values)} with ${key}`).join(', ') +
        '; nothing was changed.',
      hint: ['obk config set state.oldKeyFrom env:OBK_STATE_OLD_KEY   # the key before this one'],
    });
  const done = new Map<string, number>();
  let damaged = 0;
  /** Goes once through a table: how many values it sealed, and how many it could not open. */
  async function pass(one: Sealed): Promise<{ anew: number; unread: number }> {
    let [anew, unread] = [0, 0];
    let last: Row | undefined;
    do {
      const behind = last;
      const batchDone = await database.again(() =>
        database.transaction(() => resealed(database, vault, one, behind)),
      );
      ({ last } = batchDone);
      unread += batchDone.unread;
      const fresh = batchDone.count - batchDone.unread;
      anew += fresh;
      done.set(one.kind, (done.get(one.kind) ?? 0) + fresh);
      if (fresh > 0) progress({ kind: one.kind, sealed: done.get(one.kind) ?? 0 });
    } while (last !== undefined);
    return { anew, unread };
  }
  for (const one of sealed) {
    let passed = await pass(one);
    // Meanwhile another machine may have sealed with the key before.
    while (passed.anew > 0) passed = await pass(one);
    damaged += passed.unread;
  }
  if (damaged > 0)
    throw new ObkError({
      code: 'STATE_UNREADABLE',
      title: `${String(damaged)} values do not hold what obk wrote, and stay as they are.`,
      detail: 'All others are sealed with the current key.',
      hint: ['obk state status'],
    });
  return [...done].map(([kind, count]) => ({ kind, sealed: count }));
}

/** Seals anew one batch of the rows behind one of them; of these `unread` could not be opened, and `last` is where the next begins. */
async function resealed(
  database: Database,
  vault: Vault,
  { table, key, column, place, tags }: Sealed,
  after: Row | undefined,
): Promise<{ count: number; unread: number; last: Row | undefined }> {
  const columns = [...new Set([...key, ...(facts[table] ?? [])])];
  // By its key each row is met once, however many there are.
  const behind =
    after === undefined
      ? ''
      : `AND (${key.join(', ')}) > (${key.map((_, at) => `$${String(at + 2)}`).join(', ')})`;
  const rows = await database.rows<Row>(
    `SELECT ${[...columns, column].join(', ')} FROM ${table}
      WHERE substring(${column} FROM 2 FOR 8) <> $1 ${behind} ORDER BY ${key.join(', ')} LIMIT ${String(batch)} FOR UPDATE`,
    [Buffer.from(vault.keyId, 'hex'), ...(after === undefined ? [] : key.map((name) => after[name]))],
  );
  let unread = 0;
  for (const row of rows) {
    const opened = vault.open(place(row), bytes(row, column));
    if (opened === undefined) {
      unread += 1;
      continue;
    }
    const found = tags?.(row, opened, vault) ?? {};
    const sealedAs = { ...row, ...found } as Row;
    const values = { ...found, [column]: vault.seal(place(sealedAs), opened) };
    const names = Object.keys(values);
    const where = key.map((name, at) => `${name} = $${String(at + 1)}`).join(' AND ');
    const set = names.map((name, at) => `${name} = $${String(key.length + at + 1)}`).join(', ');
    const own = key.map((name) => row[name]);
    // What was saved since under the current key is newer.
    const moved = key.filter((name) => name in found);
    const taken =
      moved.length > 0 &&
      (
        await database.rows(
          `SELECT FROM ${table} WHERE ${where}`,
          key.map((name) => sealedAs[name]),
        )
      ).length > 0;
    if (taken) await database.rows(`DELETE FROM ${table} WHERE ${where}`, own);
    else
      await database.rows(`UPDATE ${table} SET ${set} WHERE ${where}`, [
        ...own,
        ...names.map((name) => values[name]),
      ]);
  }
  return { count: rows.length, unread, last: rows.at(-1) };
}
