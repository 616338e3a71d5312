import { describe, expect, it } from 'vitest';
import { sqliteEngine, sqliteWords } from '../../../../src/adapters/sqlite/sqlite-engine.ts';
import { ObkError } from '../../../../src/base/errors.ts';
import type { Engine } from '../../../../src/client/ports/engine.ts';
import { createGate } from '../../../../src/client/ports/gate.ts';
import type { Part } from '../../../../src/client/state/commit.ts';
import { stageOn } from '../../../../src/client/state/stage.ts';
import { ddlOf, select } from '../../../../src/client/state/tables.ts';
import type { Table } from '../../../../src/client/state/tables.ts';

const one = {
  ...{ name: 'one', key: ['id'], indexes: [], summed: false },
  columns: { id: 'text', fence: 'int' },
} as const satisfies Table;
const small = (): Engine =>
  sqliteEngine({
    ...{ path: ':memory:', durable: false, version: 1, patienceMs: 0 },
    ...{ ddl: ddlOf(one, sqliteWords), ready: () => undefined },
  });
const adds = (id: string): Part => ({
  ...{ of: one, where: 'id = ?1', values: [id] },
  next: () => [{ id, fence: 1 }],
});
const ids = async (engine: Engine) => (await engine.rows(select(one, ''))).map(({ id }) => id);
const full = () => new ObkError({ code: 'STATE_NOT_WRITTEN', title: 'disk full' });

describe('the answer of a bank', () => {
  it.each([
    [{ ofWrite: true, needed: true }, ['answered']],
    [{ ofWrite: true, answer: true }, ['answered']],
    [{ ofWrite: true }, []],
  ])('outlasts others that hold the state for long: %o', async (how, kept) => {
    const gate = createGate(() => Promise.resolve());
    const raw = small();
    let held = 20;
    const state: Engine = {
      ...raw,
      change: (...a) =>
        held-- > 0 ? Promise.reject(new ObkError({ code: 'LOCK_BUSY', title: 'held' })) : raw.change(...a),
    };
    const stage = stageOn({ state, log: small() }, gate);
    await stage.note({ state: [adds('answered')] }, how);
    await gate.pass();
    expect(await ids(raw)).toEqual(kept);
  });

  it('ends the run with exit 12 where it cannot be kept', async () => {
    const gate = createGate(() => Promise.resolve());
    const stage = stageOn(
      { state: { ...small(), change: () => Promise.reject(full()) }, log: small() },
      gate,
    );
    await stage.note({ state: [adds('conversation')] }, { ofWrite: true, needed: true });
    await expect(gate.pass()).rejects.toMatchObject({ code: 'STATE_NOT_WRITTEN', exit: 12 });
    await stage.note({ state: [adds('conversation')] }, { ofWrite: true, needed: true });
    await expect(stage.leave({ state: [adds('sending')] })).rejects.toMatchObject({ exit: 12 });
  });
});
