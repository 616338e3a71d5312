import { afterEach, describe, expect, it } from 'vitest';
import { sqliteEngine, sqliteWords } from '../../../../src/adapters/sqlite/sqlite-engine.ts';
import type { Engine, Row } from '../../../../src/client/ports/engine.ts';
import { commit } from '../../../../src/client/state/commit.ts';
import type { Part } from '../../../../src/client/state/commit.ts';
import { ddlOf, insert, select } from '../../../../src/client/state/tables.ts';
import type { Table } from '../../../../src/client/state/tables.ts';

const ends: Engine[] = [];
afterEach(async () => {
  for (const engine of ends.splice(0)) await engine.close();
});

const one = {
  ...{ name: 'one', key: ['id'], indexes: [], summed: true },
  columns: { id: 'text', fence: 'int', text: 'text' },
} as const satisfies Table;
const two = { ...one, name: 'two' } as const satisfies Table;

async function filled(): Promise<Engine> {
  const engine = sqliteEngine({
    ...{ path: ':memory:', durable: false, version: 1, patienceMs: 0 },
    ddl: [one, two].flatMap((of) => ddlOf(of, sqliteWords)),
    ready: () => undefined,
  });
  ends.push(engine);
  const rows = ['a', 'b'].map((id) => insert(one, { id, fence: 1, text: id }));
  await engine.change([], () => ({ changes: rows, result: undefined }));
  return engine;
}

const about = (of: Table, id: string, next: Part['next']): Part => ({
  of,
  where: 'id = ?1',
  values: [id],
  next,
});
const texts = async (engine: Engine, of: Table = one) =>
  (await engine.rows(select(of, 'ORDER BY id'))).map(
    ({ id, fence, text }) => `${String(id)}${String(fence)} ${String(text)}`,
  );
const adding = (what: string) => (rows: readonly Row[]) =>
  rows.map((row) => ({ ...row, fence: Number(row['fence']) + 1, text: `${String(row['text'])}${what}` }));

describe('the parts of a commit', () => {
  it('continue from each other where they are about the same rows, and write them once', async () => {
    const engine = await filled();
    const seen: string[] = [];
    const counted: Engine = {
      ...engine,
      change: (scope, decide) =>
        engine.change(scope, (found) => {
          const decision = decide(found);
          seen.push(...decision.changes.map(({ sql }) => sql.split(' ', 1)[0] ?? ''));
          return decision;
        }),
    };
    await commit(counted, [
      about(one, 'a', adding('x')),
      about(one, 'b', adding('y')),
      about(one, 'a', adding('z')),
    ]);
    expect(await texts(engine)).toEqual(['a3 axz', 'b2 by']);
    expect(seen).toEqual(['UPDATE', 'UPDATE']);
  });

  it('are about two tables where the same condition is on two', async () => {
    const engine = await filled();
    await commit(engine, [
      about(one, 'a', adding('x')),
      about(two, 'a', () => [{ id: 'a', fence: 1, text: 'second' }]),
    ]);
    expect([await texts(engine), await texts(engine, two)]).toEqual([['a2 ax', 'b1 b'], ['a1 second']]);
  });

  it('add, change and remove rows, and leave those they hand back unchanged', async () => {
    const engine = await filled();
    await commit(engine, [
      {
        ...{ of: one, where: 'id < ?1', values: ['x'] },
        next: ([, second = {}]) => [second, { id: 'c', fence: 1, text: 'new' }],
      },
    ]);
    expect(await texts(engine)).toEqual(['b1 b', 'c1 new']);
    await commit(engine, [about(one, 'c', () => [])]);
    expect(await texts(engine)).toEqual(['b1 b']);
  });

  it('are all undone where one throws', async () => {
    const engine = await filled();
    const refusal = new Error('no');
    const parts = [
      about(one, 'a', adding('x')),
      about(one, 'b', () => {
        throw refusal;
      }),
    ];
    await expect(commit(engine, parts)).rejects.toBe(refusal);
    expect(await texts(engine)).toEqual(['a1 a', 'b1 b']);
  });

  it('are all refused where a row is not as it was read', async () => {
    const engine = await filled();
    const stale: Engine = {
      ...engine,
      // As if an index told of a row that the table does not have.
      change: (scope, decide) =>
        engine.change(scope, (found) =>
          decide(found.map((rows) => rows.map((row) => ({ ...row, fence: 9n })))),
        ),
    };
    const parts = [about(two, 'z', () => [{ id: 'z', fence: 1, text: 'z' }]), about(one, 'a', adding('x'))];
    await expect(commit(stale, parts)).rejects.toMatchObject({
      ...{ code: 'STATE_UNREADABLE', exit: 3, detail: expect.stringContaining('changed 0 rows') as string },
    });
    expect([await texts(engine), await texts(engine, two)]).toEqual([['a1 a', 'b1 b'], []]);
  });

  it('are refused where a row that is added is there', async () => {
    const engine = await filled();
    const parts = [about(one, 'a', adding('x')), about(one, 'q', () => [{ id: 'b', fence: 1, text: '' }])];
    await expect(commit(engine, parts)).rejects.toMatchObject({ exit: 3 });
    expect(await texts(engine)).toEqual(['a1 a', 'b1 b']);
  });

  it('distinguish a text from the number that it looks like', async () => {
    const engine = await filled();
    const scopes: number[] = [];
    const looking: Engine = {
      ...engine,
      change: (scope, decide) => {
        scopes.push(scope.length);
        return engine.change(scope, decide);
      },
    };
    const same = (values: Part['values']): Part => ({
      of: one,
      where: 'id = ?1',
      values,
      next: (rows) => rows,
    });
    await commit(looking, [same(['1']), same([1]), same(['1']), same([1n])]);
    expect(scopes).toEqual([3]);
  });
});
