// What is in the tables, read some rows at a time.
import { describe, expect, it } from 'vitest';
import { passingEngine } from '../../../../src/adapters/sqlite/home-state.ts';
import { batchesOf, keyOf } from '../../../../src/client/state/contents.ts';
import { insert, records, runs } from '../../../../src/client/state/tables.ts';
import type { Table } from '../../../../src/client/state/tables.ts';

async function batches(of: Table, most: number, order?: readonly string[]): Promise<string[][]> {
  const engine = passingEngine();
  const changes = ['a', 'b'].flatMap((run) => [
    insert(runs, { run, profile: 'acme', machine: '', host: null, ended: null }),
    ...[3, 1, 2].map((number) =>
      insert(records, { run, number, type: 'run', profile: 'acme', record: new Uint8Array([number]) }),
    ),
  ]);
  await engine.change([], () => ({ changes, result: undefined }));
  const found: string[][] = [];
  for await (const rows of batchesOf(engine, of, { most, ...(order && { order }) }))
    found.push(rows.map((row) => keyOf(of, row)));
  await engine.close();
  return found;
}

describe('the rows of a table', () => {
  const byKey = ['a 1', 'a 2', 'a 3', 'b 1', 'b 2', 'b 3'];
  it.each([1, 2, 3, 4, 6, 7])('are each read once in the order of their key, %d at a time', async (most) => {
    const found = await batches(records, most);
    expect(found.flat()).toEqual(byKey);
    expect(found.every((rows) => rows.length <= most)).toBe(true);
  });

  it.each([1, 4, 6])('are read by their places in the file, %d at a time', async (most) => {
    const found = await batches(records, most, ['rowid']);
    expect(found.flat()).toEqual(['a 3', 'a 1', 'a 2', 'b 3', 'b 1', 'b 2']);
  });

  it('are read at once where there are few', async () => {
    expect(await batches(runs, 500)).toEqual([['a', 'b']]);
  });
});
