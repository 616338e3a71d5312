// Each value arrives in PostgreSQL as it does in SQLite, and what others have changed meanwhile is decided anew.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase } from '../../../src/adapters/postgres/database.ts';
import { postgresEngine } from '../../../src/adapters/postgres/postgres-engine.ts';
import { createClock } from '../../../src/adapters/system/system-clock.ts';
import type { Engine } from '../../../src/client/ports/engine.ts';
import { ddlOf, insert, put, read, remove, replace, select } from '../../../src/client/state/tables.ts';
import type { Table } from '../../../src/client/state/tables.ts';
import { cuttingProxy } from '../../helpers/cutting-proxy.ts';
import { hasPostgres, testDatabase } from '../../helpers/postgres.ts';

const shared = testDatabase();
const words = { text: 'text COLLATE "C"', int: 'bigint', bytes: 'bytea', table: '' };
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
const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const row = { ...{ id: 'a', count: 1, bytes: bytes(98) }, ...{ text: 'c', size: 2, more: bytes(100) } };
type Sample = Omit<typeof row, 'text' | 'size' | 'more'> & {
  text: string | null;
  size: number | null;
  more: Uint8Array | null;
};

const byId = (id: string) => select(sample, 'WHERE id = ?1', [id]);
const plainly = (value: unknown): unknown =>
  value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('hex') } : value;
const shown = (values: object | undefined): unknown =>
  values && Object.fromEntries(Object.entries(values).map(([name, value]) => [name, plainly(value)]));

describe.skipIf(!hasPostgres())('the engine in PostgreSQL', () => {
  let engine: Engine;
  const ends: Engine[] = [];
  const open = (url = shared.adminUrl): Engine => {
    const clock = createClock();
    const one = postgresEngine({ database: createDatabase({ url, clock, patienceMs: 3_000 }), clock });
    ends.push(one);
    return one;
  };
  beforeAll(async () => {
    for (const sql of ddlOf(sample, words)) await (await shared.administer()).rows(sql);
    engine = open();
  });
  afterAll(async () => {
    for (const one of ends) await one.close();
    await shared.end();
  });
  const run = (...changes: readonly ReturnType<typeof insert>[]) =>
    engine.change([], () => ({ changes, result: undefined }));
  const found = async (id: string) => {
    const [one] = await engine.rows(byId(id));
    return one && read(sample, one);
  };
  const through = async (changes: object) => {
    const written = { ...row, ...changes } as Sample;
    await run({ ...remove(sample, 'id = ?1', [written.id]) }, insert(sample, written));
    return found(written.id);
  };

  it.each<[string, object]>([
    ['plain ones', {}],
    ['empty text', { text: '' }],
    ['no text, number or bytes', { text: null, size: null, more: null }],
    ['empty bytes', { bytes: bytes(), more: bytes() }],
    ['NUL in bytes', { bytes: bytes(0, 1, 0), more: bytes(0) }],
    ['0xFF in bytes', { bytes: bytes(0xff, 0xfe, 0xff) }],
    ['bytes that are part of others', { bytes: new Uint8Array(Buffer.from('abcdef')).subarray(2, 4) }],
    ['any letters', { id: 'ü€😀', text: `'";--\n\\x00` }],
    ['the number 0', { count: 0, size: -1 }],
    ['the largest number', { count: Number.MAX_SAFE_INTEGER, size: Number.MIN_SAFE_INTEGER }],
    ['text that looks like a number', { text: '007' }],
  ])('keeps %s', async (_, changes) => {
    expect(shown(await through(changes))).toEqual(shown({ ...row, ...changes }));
  });

  it('returns whole numbers exactly, and refuses one that no number holds', async () => {
    for (const count of [2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 63n - 1n]) {
      expect(await through({ count })).toBeUndefined();
      expect(await engine.rows(byId('a'))).toMatchObject([{ count }]);
    }
  });

  it.each([1.5, Number.NaN, 1e21, 'x', bytes(1), null])('accepts %s as no integer', async (count) => {
    await expect(through({ count })).rejects.toMatchObject({ exit: 3 });
  });

  it('refuses a NUL in a text, which it cannot store', async () => {
    await expect(through({ text: 'c\0d' })).rejects.toMatchObject({ code: 'STATE_NOT_WRITTEN' });
  });

  it('binds values by their numbers, in whichever order and however often they occur', async () => {
    const [one] = await engine.rows({
      sql: 'SELECT ?2::text AS b, ?1::text AS a, ?2::text AS again',
      values: ['first', 'second'],
    });
    expect(one).toEqual({ b: 'second', a: 'first', again: 'second' });
  });

  it('decides anew where a row is not what was read, and gives up in the end', async () => {
    await through({});
    let turns = 0;
    const stale = { ...row, count: 7 };
    const change = engine.change([byId('a')], () => {
      turns += 1;
      return { changes: [replace(sample, turns < 3 ? stale : row, { size: 9 }, ['count'])], result: turns };
    });
    expect(await change).toBe(3);
    expect(await found('a')).toMatchObject({ size: 9 });
    const never = engine.change([byId('a')], () => ({
      changes: [put(sample, { ...row, id: 'left' }), replace(sample, stale, { size: 1 }, ['count'])],
      result: undefined,
    }));
    await expect(never).rejects.toMatchObject({ code: 'LOCK_BUSY' });
    expect(await found('left')).toBeUndefined();
  });

  it('loses none of what many add at once', async () => {
    await through({ id: 'sum', size: 0 });
    const machines = Array.from({ length: 5 }, () => open());
    const add = (one: Engine) =>
      one.change([byId('sum')], ([rows = []]) => {
        const [before] = rows;
        const its = before && read(sample, before);
        const size = Number(its?.size) + 1;
        return { changes: its === undefined ? [] : [replace(sample, its, { size })], result: undefined };
      });
    await Promise.all(machines.flatMap((one) => Array.from({ length: 10 }, () => add(one))));
    expect(await found('sum')).toMatchObject({ size: 50 });
  });

  it('writes nothing of a change that throws', async () => {
    await expect(
      engine.change([byId('a')], () => {
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    await run(put(sample, { ...row, id: 'after' }));
    expect(await found('after')).toBeDefined();
  });

  it.each(['before', 'after'] as const)('makes a change once that was cut %s COMMIT', async (when) => {
    const proxy = await cuttingProxy(await shared.adminUrl());
    const cut = open(() => proxy.url());
    await cut.rows(byId('a'));
    const id = `cut ${when}`;
    await run(insert(sample, { ...row, id, size: 0 }));
    proxy.cutAtCommit(when);
    await cut.change([byId(id)], ([rows = []]) => {
      const [before] = rows;
      const its = before && read(sample, before);
      const size = Number(its?.size) + 1;
      return { changes: its === undefined ? [] : [replace(sample, its, { size })], result: undefined };
    });
    expect(await found(id)).toMatchObject({ size: 1 });
    proxy.close();
  });
});
