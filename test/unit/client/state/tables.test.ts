// Each value of a row arrives in its column, and the sum tells one that has moved or changed.
import { afterEach, describe, expect, it } from 'vitest';
import { sqliteEngine, sqliteWords } from '../../../../src/adapters/sqlite/sqlite-engine.ts';
import type { Engine, Row, SqlValue } from '../../../../src/client/ports/engine.ts';
import {
  ddlOf,
  insert,
  put,
  read,
  remove,
  replace,
  select,
  tables,
} from '../../../../src/client/state/tables.ts';
import type { Table } from '../../../../src/client/state/tables.ts';

const ends: Engine[] = [];
afterEach(async () => {
  for (const engine of ends.splice(0)) await engine.close();
});

const sample = {
  name: 'sample',
  columns: {
    ...({ id: 'text', count: 'int', bytes: 'bytes' } as const),
    ...({ text: 'text?', size: 'int?', more: 'bytes?' } as const),
  },
  key: ['id'],
  indexes: [['count', 'id']],
  summed: true,
} as const satisfies Table;
const plain = { ...sample, name: 'plain', summed: false } as const satisfies Table;

const row = {
  ...{ id: 'a', count: 1, bytes: Buffer.from('b') as Uint8Array },
  ...{ text: 'c', size: 2, more: Buffer.from('d') as Uint8Array },
};

function engineWith(...all: readonly Table[]): Engine {
  const engine = sqliteEngine({
    ...{ path: ':memory:', durable: false, version: 1, patienceMs: 0 },
    ddl: all.flatMap((of) => ddlOf(of, sqliteWords)),
    ready: () => undefined,
  });
  ends.push(engine);
  return engine;
}

/** What is read of a row that was written. */
async function through(changes: object, of: typeof sample | typeof plain = sample) {
  const engine = engineWith(sample, plain);
  const written = { ...row, ...changes };
  await engine.change([], () => ({ changes: [insert(of, written)], result: undefined }));
  const [found] = await engine.rows(select(of, 'WHERE id = ?1', [written.id]));
  return found === undefined ? 'not found' : read(of, found);
}

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const plainly = (value: unknown): unknown =>
  value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('hex') } : value;
const shown = (values: object | undefined | string): unknown =>
  typeof values === 'object'
    ? Object.fromEntries(Object.entries(values).map(([name, value]) => [name, plainly(value)]))
    : values;

describe('a value in a table', () => {
  const values: [string, object][] = [
    ['plain ones', {}],
    ['empty text', { text: '' }],
    ['no text', { text: null }],
    ['no number', { size: null }],
    ['no bytes', { more: null }],
    ['empty bytes', { bytes: bytes(), more: bytes() }],
    ['empty bytes with a memory of their own', { bytes: new Uint8Array(new ArrayBuffer(0)) }],
    ['NUL in bytes', { bytes: bytes(0, 1, 0), more: bytes(0) }],
    ['0xFF in bytes', { bytes: bytes(0xff, 0xfe, 0xff) }],
    ['bytes that are part of others', { bytes: Buffer.from('abcdef').subarray(2, 4) }],
    ['any letters', { id: 'ü€😀', text: `'";--\n` }],
    ['the number 0', { count: 0, size: -1 }],
    ['the largest number', { count: Number.MAX_SAFE_INTEGER, size: Number.MIN_SAFE_INTEGER }],
    ['text that looks like a number', { text: '007' }],
    ['a text that looks like bytes', { text: "x'00'" }],
  ];
  it.each(values)('is stored and read: %s', async (_case, changes) => {
    expect(shown(await through(changes))).toEqual(shown({ ...row, ...changes }));
    expect(shown(await through(changes, plain))).toEqual(shown({ ...row, ...changes }));
  });

  it('is not cut by a NUL in a text, nor taken for what was written', async () => {
    expect(await through({ text: 'c\0d' })).toBeUndefined();
    expect(await through({ text: 'c\0d' }, plain)).toMatchObject({ text: 'c\uFFFDd' });
  });

  it.each([2 ** 53 + 2, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 63n - 1n])(
    'is refused as the integer %s, which no number holds exactly',
    async (count) => {
      for (const of of [sample, plain])
        expect(await through({ count }, of).catch(() => undefined)).toBeUndefined();
    },
  );

  it.each([1.5, Number.NaN, Number.POSITIVE_INFINITY, 1e21, 'x', bytes(1), null])(
    'is refused as an integer where it is %s',
    async (count) => {
      await expect(through({ count })).rejects.toMatchObject({ exit: 3 });
    },
  );
});

describe('a statement', () => {
  it('puts, replaces and removes the row that it names', async () => {
    const engine = engineWith(sample);
    const all = async () =>
      (await engine.rows(select(sample, 'ORDER BY id'))).map((found) => read(sample, found));
    const run = (change: ReturnType<typeof insert>) =>
      engine.change([], () => ({ changes: [change], result: undefined }));
    await run(put(sample, row));
    await run(put(sample, { ...row, id: 'b' }));
    await run(put(sample, { ...row, text: 'new' }));
    expect(await all()).toMatchObject([
      { id: 'a', text: 'new' },
      { id: 'b', text: 'c' },
    ]);
    await run(replace(sample, { ...row, id: 'b' }, { count: 7 }, ['count']));
    expect(await all()).toMatchObject([
      { id: 'a', count: 1 },
      { id: 'b', count: 7 },
    ]);
    // It is no longer what decided.
    await expect(run(replace(sample, { ...row, id: 'b' }, { count: 8 }, ['count']))).rejects.toMatchObject({
      code: 'STATE_UNREADABLE',
    });
    await expect(run(insert(sample, row))).rejects.toMatchObject({ exit: 3 });
    await run(remove(sample, 'id = ?1', ['a']));
    expect(await all()).toMatchObject([{ id: 'b', count: 7 }]);
  });
});

describe('the checksum of a row', () => {
  const values = { ...row, sum: insert(sample, row).values.at(-1) ?? null } as Row;
  const summed = (changes: Readonly<Record<string, SqlValue>>) => read(sample, { ...values, ...changes });

  it('holds for what was written, as it is read', () => {
    expect(summed({})).toEqual(row);
    // Integers come back as bigint.
    expect(summed({ count: 1n, size: 2n, sum: BigInt(Number(values['sum'])) })).toEqual(row);
  });

  it.each<[string, Readonly<Record<string, SqlValue>>]>([
    ['a byte that has moved to the next column', { id: '', text: 'ca' }],
    ['values that have changed places', { bytes: row.more, more: row.bytes }],
    ['text that is bytes', { text: Buffer.from('c') }],
    ['bytes that are text', { bytes: 'b' }],
    ['nothing in place of empty', { text: null }],
    ['a number that is another', { count: 2 }],
    ['another sum', { sum: 1 }],
    ['no sum', { sum: null }],
    ['a sum that is text', { sum: 'x' }],
  ])('does not hold for %s', (_case, changes) => {
    expect(summed(changes)).toBeUndefined();
  });

  it('changes with a byte that moves between two columns of one kind', () => {
    const two = { ...sample, columns: { a: 'text', b: 'text' }, key: ['a'] } as const satisfies Table;
    const sumOf = (a: string, b: string) => insert(two, { a, b }).values.at(-1);
    const sums = [
      sumOf('ab', ''),
      sumOf('a', 'b'),
      sumOf('', 'ab'),
      sumOf('4 text', 'x'),
      sumOf('4 tex', 'tx'),
    ];
    expect(new Set(sums).size).toBe(sums.length);
  });

  it('depends on its table', () => {
    const other = { ...sample, name: 'other' } as const satisfies Table;
    expect(read(other, values)).toBeUndefined();
  });
});

it('the tables of both files have different names and can be made in one database', async () => {
  const all = Object.values(tables).flat() as readonly Table[];
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  const engine = engineWith(...all);
  await engine.change([], () => ({ changes: [], result: undefined }));
  for (const of of all) expect(await engine.rows(select(of, ''))).toEqual([]);
});
