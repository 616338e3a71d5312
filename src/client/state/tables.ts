import { crc32c } from '../../base/crc32c.ts';
import type { Change, Codec, SealedPlace, Row, SqlValue, Statement } from '../ports/engine.ts';
import type { Kept } from './shapes.ts';

/** What a column may hold; with a question mark also NULL. Times are integers, milliseconds since 1970, UTC. */
type ColumnType = 'text' | 'int' | 'bytes' | 'text?' | 'int?' | 'bytes?';

type ValueOf<Type extends ColumnType> =
  | (Type extends 'text' | 'text?' ? string : Type extends 'int' | 'int?' ? number : Uint8Array)
  | (Type extends `${string}?` ? null : never);

type Columns = Readonly<Record<string, ColumnType>>;

/** The values of one row, by the names of the columns. */
export type RowOf<Its> = Its extends Table<infer C> ? { [Name in keyof C]: ValueOf<C[Name]> } : never;

/** A table of the state: DDL, statements, mapper and sum follow from it. */
export interface Table<C extends Columns = Columns> {
  name: string;
  /** What its rows are, as people know it; without, nobody is told of them. */
  kind?: string;
  columns: C;
  /** The columns of the primary key. */
  key: readonly string[];
  indexes: readonly (readonly string[])[];
  /** Whether each row has a checksum over its other columns: a page that is whole says nothing of a flipped bit in it. */
  summed: boolean;
  /** The columns that hold records, sealed where others can read them: what each is, if its shape is known, and where it opens. */
  sealed?: Readonly<Record<string, SealedColumn>>;
  /** The columns that are hashes of what is sealed, as this codec makes them. */
  tagged?: (codec: Codec, row: Row, record: object) => Row;
}

interface SealedColumn {
  holds?: Kept;
  place: (row: Row) => SealedPlace;
}

interface Rest<C extends Columns> {
  kind?: string;
  key: readonly (keyof C & string)[];
  indexes?: readonly (readonly string[])[];
  summed?: true;
  sealed?: NonNullable<Table['sealed']>;
  tagged?: NonNullable<Table['tagged']>;
}

export const table = <const C extends Columns>(name: string, columns: C, rest: Rest<C>): Table<C> => ({
  ...{ indexes: [], summed: false, ...rest },
  ...{ name, columns },
});

/** A value of a key as text: the id of a bank by its digits. */
const text = (value: SqlValue | undefined): string =>
  value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value);

/** The place of a kind of record: of the columns beside it, so that it opens in its own row and nowhere else. */
export const placed =
  (kind: string | ((row: Row) => string), ...key: readonly string[]) =>
  (row: Row): SealedPlace => ({
    profile: text(row['profile'] ?? ''),
    kind: typeof kind === 'string' ? kind : kind(row),
    row: key.map((name) => text(row[name])).join(' '),
  });

/** By what the same content is found. */
export const contentTags = (codec: Codec, profile: string, fingerprint: string) =>
  codec.tags('intent content', `${profile} ${fingerprint}`);

/** The names of a conversation that has no id yet: of who starts it. */
export const psuNames = (codec: Codec, psuId: string): Uint8Array[] =>
  codec.tags('psu of a conversation', psuId).map((tag) => Buffer.concat([Buffer.from('psu '), tag]));

/** By what the calls against a limit are found: it may hold an account, of which a hash tells nothing. */
export const usageTags = (codec: Codec, name: string) => codec.tags('usage', name);

/**
 * The right to send one payment. `content` finds the same content, by two indexes, since a flipped bit in one of them hides a row from
 * it; with the hash beside it the first is also a second place in which a claim finds an earlier one.
 */
export const intents = table(
  'intent',
  {
    ...{ hash: 'text', profile: 'text', content: 'bytes', run: 'text', fence: 'int', state: 'text' },
    ...{ owner: 'text', created_at: 'int', resource_id: 'bytes?', record: 'bytes', ending: 'bytes?' },
  },
  {
    kind: 'intents',
    key: ['hash'],
    indexes: [['profile', 'content', 'hash'], ['content'], ['profile', 'created_at'], ['run']],
    summed: true,
    sealed: {
      record: { holds: 'intent', place: placed('intent', 'hash') },
      ending: { holds: 'intent ending', place: placed('intent ending', 'hash') },
    },
    tagged: (codec, { profile = null }, record) => {
      const { fingerprint } = record as { fingerprint: string };
      return { content: contentTags(codec, text(profile), fingerprint)[0] };
    },
  },
);

/**
 * A write whose end is not known, with its exact bytes: it is prepared, or sending; what became of it, nobody knows until the row is
 * gone.
 */
export const openWrites = table(
  'open_write',
  {
    ...{ run: 'text', exchange: 'text', profile: 'text', intent: 'text?', owner: 'text', at: 'int' },
    ...{ state: 'text', mark: 'bytes' },
  },
  {
    ...{ kind: 'open writes', key: ['run', 'exchange'], summed: true },
    sealed: { mark: { holds: 'open write', place: placed('open write', 'run', 'exchange') } },
  },
);

/** Payments, consents and baskets. The id is the bank's: it may hold what no text may. */
export const resources = table(
  'resource',
  {
    ...{ profile: 'text', noun: 'text', id: 'bytes', created_at: 'int', machine: 'text', record: 'bytes' },
  },
  {
    kind: 'resources',
    ...{ key: ['profile', 'noun', 'id'], indexes: [['profile', 'noun', 'created_at', 'id']] },
    sealed: { record: { holds: 'resource', place: placed(({ noun }) => `saved ${text(noun)}`, 'id') } },
  },
);

/** Where an authorisation stands; `name` is its id, or who begins it. */
export const conversations = table(
  'conversation',
  {
    ...{ profile: 'text', noun: 'text', parent: 'bytes', kind: 'text', name: 'bytes' },
    ...{ started_at: 'int', record: 'bytes' },
  },
  {
    kind: 'authorisations',
    key: ['profile', 'noun', 'parent', 'kind', 'name'],
    sealed: {
      record: {
        holds: 'conversation',
        place: placed(({ noun }) => `conversation of ${text(noun)}`, 'parent', 'kind', 'name'),
      },
    },
    tagged: (codec, _, record): Row => {
      const { authorisationId, psuId } = record as { authorisationId?: string; psuId?: string };
      const [name] = authorisationId === undefined && psuId !== undefined ? psuNames(codec, psuId) : [];
      return name === undefined ? {} : { name };
    },
  },
);

/** One run; `ended` sums it up, for finding some among many: thousands have the same few words. */
export const runs = table(
  'run',
  { run: 'text', profile: 'text', machine: 'text', host: 'text?', ended: 'text?' },
  { kind: 'runs', key: ['run'], indexes: [['ended', 'run']] },
);

/** How many payments were begun; and, beside the state, how many of them were seen. */
export const claimCounts = table('claim_count', { id: 'int', number: 'int' }, { key: ['id'] });
export const claimsSeen = table('claims_seen', { id: 'int', number: 'int' }, { key: ['id'] });

/**
 * obk removes no intent. Where one is removed all the same, the state no longer counts it, so that it is missing; how many were begun stays
 * in a second row.
 */
export const removedIntent = `CREATE TRIGGER intent_removed AFTER DELETE ON ${intents.name} BEGIN
  INSERT INTO ${claimCounts.name} SELECT 2, number FROM ${claimCounts.name} WHERE id = 1
    ON CONFLICT (id) DO UPDATE SET number = max(number, excluded.number);
  UPDATE ${claimCounts.name} SET number = number - 1 WHERE id = 1;
END`;

/** The lines of the runs, in their order. */
export const records = table(
  'record',
  { run: 'text', number: 'int', type: 'text', profile: 'text', record: 'bytes' },
  {
    ...{ kind: 'records of the journal', key: ['run', 'number'], summed: true },
    sealed: { record: { holds: 'record', place: placed('record', 'run', 'number') } },
  },
);

/** The calls that count against a limit, by a hash of what is limited. */
export const uses = table(
  'usage',
  { key: 'bytes', record: 'bytes' },
  {
    kind: 'counts of calls',
    key: ['key'],
    sealed: { record: { holds: 'usage', place: placed('usage', 'key') } },
    // Sealed beside the uses, the name can be hashed anew.
    tagged: (codec, _, record) => ({ key: usageTags(codec, (record as { name: string }).name)[0] }),
  },
);

/** The schema that this obk makes and works with. */
export const schemaVersion = 1;

/** The tables that must never be lost, and those that may lose their last second. */
export const tables = {
  state: [intents, openWrites, resources, conversations, claimCounts],
  log: [runs, records, uses, claimsSeen],
} as const satisfies Record<string, readonly Table[]>;

const names = (of: Table): string[] => [...Object.keys(of.columns), ...(of.summed ? ['sum'] : [])];

/** The statements that make a table, with the words of an engine for the types. */
export function ddlOf(
  of: Table,
  words: { text: string; int: string; bytes: string; table: string },
): string[] {
  const columns = names(of).map((name) => {
    const type = of.columns[name] ?? 'int';
    return `${name} ${words[type.replace('?', '') as 'text']}${type.endsWith('?') ? '' : ' NOT NULL'}`;
  });
  return [
    `CREATE TABLE ${of.name} (${columns.join(', ')}, PRIMARY KEY (${of.key.join(', ')}))${words.table}`,
    ...of.indexes.map(
      (index) => `CREATE INDEX ${of.name}_${index.join('_')} ON ${of.name} (${index.join(', ')})`,
    ),
  ];
}

/** Adds a row as it was read, with the sum that it had: what is damaged stays so. */
export const insertAsRead = (of: Table, row: Row): Change => ({
  ...insertion(of),
  values: names(of).map((name) => row[name] ?? null),
});

/** Whether each value of a row is of a kind that its column takes. */
export const fits = (of: Table, row: Row): boolean =>
  names(of).every((name) => {
    const type = of.columns[name] ?? 'int';
    const value = row[name] ?? null;
    if (value === null) return type.endsWith('?');
    const its = value instanceof Uint8Array ? 'bytes' : typeof value === 'string' ? 'text' : 'int';
    return type.startsWith(its);
  });

/** A row as it is read back. */
export const withSum = (of: Table, row: Row): Row => ({ ...row, sum: sumOf(of, row) });

const valuesOf = (of: Table, row: Row): SqlValue[] => [
  ...Object.keys(of.columns).map((name) => row[name] ?? null),
  ...(of.summed ? [sumOf(of, row)] : []),
];

/** Adds a row, which must not be there yet. */
export function insert<C extends Columns>(of: Table<C>, row: RowOf<Table<C>>): Change {
  return { ...insertion(of), values: valuesOf(of, row) };
}

function insertion(of: Table): { sql: string; rows: number } {
  const columns = names(of);
  const places = columns.map((_, at) => `?${String(at + 1)}`);
  return {
    sql: `INSERT INTO ${of.name} (${columns.join(', ')}) VALUES (${places.join(', ')})`,
    rows: 1,
  };
}

/** Adds a row, or puts it in the place of the one with the same key. */
export function put<C extends Columns>(of: Table<C>, row: RowOf<Table<C>>): Change {
  const { sql, values } = insert(of, row);
  const rest = names(of).filter((name) => !of.key.includes(name));
  const set = rest.map((name) => `${name} = excluded.${name}`);
  return {
    sql: `${sql} ON CONFLICT (${of.key.join(', ')}) DO UPDATE SET ${set.join(', ')}`,
    values,
    rows: 1,
  };
}

/** Changes a row that is still what it was: `when` names what of it decided. */
export function replace<C extends Columns>(
  of: Table<C>,
  before: RowOf<Table<C>>,
  changes: Partial<RowOf<Table<C>>>,
  when: readonly (keyof C & string)[] = [],
): Change {
  const columns = names(of);
  const after = { ...before, ...changes } as Row;
  const guards = [...of.key, ...when];
  const [set, where] = [
    columns.map((name, at) => `${name} = ?${String(at + 1)}`),
    guards.map((name, at) => `${name} = ?${String(columns.length + at + 1)}`),
  ];
  return {
    sql: `UPDATE ${of.name} SET ${set.join(', ')} WHERE ${where.join(' AND ')}`,
    values: [...valuesOf(of, after), ...guards.map((name) => (before as Row)[name] ?? null)],
    rows: 1,
  };
}

/** Reads rows; `where` follows the name of the table. */
export const select = (of: Table, where: string, values: readonly SqlValue[] = []): Statement => ({
  sql: `SELECT ${names(of).join(', ')} FROM ${of.name} ${where}`,
  values,
});

export const remove = (of: Table, where: string, values: readonly SqlValue[]): Change => ({
  sql: `DELETE FROM ${of.name} WHERE ${where}`,
  values,
});

/** The row as it was written, or undefined where a bit of it is another, or an integer of it more than a number can hold. */
export function read<C extends Columns>(of: Table<C>, row: Row): RowOf<Table<C>> | undefined {
  if (of.summed && Number(row['sum'] ?? Number.NaN) !== sumOf(of, row)) return undefined;
  if (Object.values(row).some((value) => typeof value === 'bigint' && !Number.isSafeInteger(Number(value))))
    return undefined;
  return Object.fromEntries(
    Object.entries(of.columns).map(([name, type]) => {
      const value = row[name] ?? null;
      return [name, type.startsWith('int') && value !== null ? Number(value) : value];
    }),
  ) as RowOf<Table<C>>;
}

/** Over the name of the table and each value with its kind and length, so that nothing can move from one to the next. */
function sumOf(of: Table, row: Row): number {
  const pieces = Object.keys(of.columns).flatMap((name): Uint8Array[] => {
    const value = row[name] ?? null;
    const isBytes = value instanceof Uint8Array;
    const bytes = isBytes ? value : Buffer.from(value === null ? '' : String(value));
    return [
      Buffer.from(`${value === null ? 'null' : isBytes ? 'bytes' : 'text'} ${String(bytes.length)} `),
      bytes,
    ];
  });
  return Number.parseInt(crc32c(Buffer.concat([Buffer.from(`${of.name} `), ...pieces])), 16);
}
