import { describe, expect, it } from 'vitest';
import { sqliteEngine, sqliteWords } from '../../../../src/adapters/sqlite/sqlite-engine.ts';
import { plainCodec } from '../../../../src/adapters/sqlite/plain-codec.ts';
import { ObkError } from '../../../../src/base/errors.ts';
import type { Engine } from '../../../../src/client/ports/engine.ts';
import { createGate } from '../../../../src/client/ports/gate.ts';
import { keptState } from '../../../../src/client/state/kept-state.ts';
import { stageOn } from '../../../../src/client/state/stage.ts';
import { ddlOf, select, tables } from '../../../../src/client/state/tables.ts';
import type { Part } from '../../../../src/client/state/commit.ts';
import type { Table } from '../../../../src/client/state/tables.ts';

const one = {
  ...{ name: 'one', key: ['id'], indexes: [], summed: false },
  columns: { id: 'text', fence: 'int' },
} as const satisfies Table;
const engineOf = (ddl: string[]): Engine =>
  sqliteEngine({ path: ':memory:', durable: false, version: 1, patienceMs: 0, ddl, ready: () => undefined });
const small = () => engineOf(ddlOf(one, sqliteWords));
const adds = (id: string): Part => ({
  of: one,
  where: 'id = ?1',
  values: [id],
  next: () => [{ id, fence: 1 }],
});
const ids = async (engine: Engine) => (await engine.rows(select(one, 'ORDER BY id'))).map(({ id }) => id);
const full = () => new ObkError({ code: 'STATE_NOT_WRITTEN', title: 'disk full' });
const late = <T>(ms: number, what: T) =>
  new Promise<T>((r) =>
    setTimeout(() => {
      r(what);
    }, ms),
  );
const within = <T>(work: Promise<T>, ms = 1500) =>
  Promise.race([
    work.then(
      () => 'done',
      (e: unknown) => `failed ${(e as Error).message}`,
    ),
    late(ms, 'hangs'),
  ]);

describe('a stage of one commit', () => {
  it('writes the answer to the log though the state cannot be written', async () => {
    const gate = createGate(() => Promise.resolve());
    const raw = small();
    const log = small();
    const stage = stageOn({ state: { ...raw, change: () => Promise.reject(full()) }, log }, gate);
    await stage.note({ state: [adds('s')], log: [adds('answered')] }, { ofWrite: true });
    await stage.keep({ state: [adds('made')] }).catch(() => undefined);
    await stage.commit().catch(() => undefined);
    expect(await ids(log)).toEqual(['answered']);
  });

  it('tries again at the end of the run what could not be written', async () => {
    const gate = createGate(() => Promise.resolve());
    const raw = small();
    let fails = 1;
    const state: Engine = {
      ...raw,
      change: (...a) => (fails-- > 0 ? Promise.reject(full()) : raw.change(...a)),
    };
    const stage = stageOn({ state, log: small() }, gate);
    await stage.note({ state: [adds('conversation')] }, { ofWrite: true, needed: true });
    await gate.pass().catch(() => undefined);
    await gate.pass();
    await stage.commit();
    expect(await ids(raw)).toEqual(['conversation']);
  });

  it('keeps the answer of the write before, or reports it as lost, where the next one may not leave', async () => {
    const told: string[] = [];
    const gate = createGate((error) => {
      told.push(error.title);
      return Promise.resolve();
    });
    const raw = small();
    let fails = 2;
    const state: Engine = {
      ...raw,
      change: (...a) => (fails-- > 0 ? Promise.reject(full()) : raw.change(...a)),
    };
    const stage = stageOn({ state, log: small() }, gate);
    await stage.note({ state: [adds('answer 1')] }, { ofWrite: true, needed: true });
    await stage.leave({ state: [adds('sending 2')] }).catch(() => undefined);
    await gate.pass().catch(() => undefined);
    await stage.commit();
    expect([await ids(raw), told.length > 0]).toEqual([['answer 1'], true]);
  });

  it('keeps what is noted while a request may not leave', async () => {
    const gate = createGate(() => Promise.resolve());
    const raw = small();
    let fails = 1;
    const state: Engine = {
      ...raw,
      change: async (...a) => {
        await late(20, 0);
        if (fails-- > 0) throw full();
        return raw.change(...a);
      },
    };
    const stage = stageOn({ state, log: small() }, gate);
    const leaving = stage.leave({ state: [adds('sending')] }).catch(() => undefined);
    await late(5, 0);
    await stage.note({ state: [adds('answer of another call')] }, { ofWrite: true, needed: true });
    await leaving;
    await stage.commit();
    expect(await ids(raw)).toEqual(['answer of another call']);
  });

  it('still writes what is noted while another commit is under way', async () => {
    const gate = createGate(() => Promise.resolve());
    const raw = small();
    const state: Engine = {
      ...raw,
      change: async (...a) => {
        await late(20, 0);
        return raw.change(...a);
      },
    };
    const stage = stageOn({ state, log: state }, gate);
    await stage.note({ state: [adds('a')] });
    const passing = gate.pass();
    await late(5, 0);
    await stage.note({ state: [adds('b')] }, { ofWrite: true, needed: true });
    await passing;
    const isDue = gate.isDue;
    await gate.pass();
    expect([isDue, await ids(raw)]).toEqual([true, ['a', 'b']]);
  });

  it('cannot drop a claim whose commit is under way', async () => {
    const gate = createGate(() => Promise.resolve());
    const raw = small();
    const state: Engine = {
      ...raw,
      change: async (...a) => {
        await late(20, 0);
        return raw.change(...a);
      },
    };
    const stage = stageOn({ state, log: state }, gate);
    const wish = await stage.claim({ state: [adds('mark')] });
    const leaving = stage.leave({ state: [adds('sending')] });
    await late(5, 0);
    // As at Ctrl-C: the request has ended, and the commit goes on.
    const dropped = await wish.drop();
    await leaving;
    expect([dropped, (await ids(raw)).includes('mark')]).toEqual([false, true]);
  });

  it('keeps the claim of one request where another may not leave, until its own first byte', async () => {
    const gate = createGate(() => Promise.resolve());
    const raw = small();
    const stage = stageOn({ state: raw, log: raw }, gate);
    await stage.claim({ state: [adds('mark of step B')] });
    const held: Part = {
      ...adds('x'),
      next: () => {
        throw full();
      },
    };
    await stage.leave({ state: [held] }).catch(() => undefined); // request A
    await stage.leave({ state: [adds('sending B')] });
    expect(await ids(raw)).toEqual(['mark of step B', 'sending B']);
  });
});

describe('intents at one time', () => {
  const clock = {
    now: () => new Date('2026-01-01T00:00:00Z'),
    monotonic: () => 0,
    sleep: () => Promise.resolve(),
  } as never;
  const stateOf = (engine: Engine, run: string) =>
    keptState({
      state: engine,
      log: engine,
      codec: plainCodec,
      machine: { id: '' },
      run,
      clock,
      startOf: () => undefined,
      owners: { own: '{}', mayLive: () => true },
      gate: createGate(() => Promise.resolve()),
    });
  const intent = (hash: string, run: string) =>
    ({
      schemaVersion: 1,
      hash,
      profile: 'p',
      key: hash,
      bodyHash: 'b',
      fingerprint: 'f',
      chosen: true,
      run,
      createdAt: '2026-01-01T00:00:00.000Z',
      summary: {},
      service: 'payments',
      product: 'x',
      endToEndIdentification: undefined,
    }) as never;
  const prepared = (exchange: string, hash: string) =>
    ({
      type: 'prepared',
      at: '2026-01-01T00:00:00.000Z',
      exchange,
      operation: 'initiatePayment',
      method: 'POST',
      url: 'https://b',
      headers: [],
      body: '',
      bodySha256: '',
      requestId: exchange,
      write: true,
      intent: hash,
      exact: { headers: [], body: '' },
    }) as never;
  it('are independent where two payments have chosen keys', async () => {
    const engine = engineOf(
      Object.values(tables).flatMap((some) => some.flatMap((of) => ddlOf(of as never, sqliteWords))),
    );
    const [a, b] = [stateOf(engine, 'run-a'), stateOf(engine, 'run-b')];
    const h = (c: string) => c.repeat(64);
    await a.intents.claim(intent(h('a'), 'run-a'), []);
    await b.intents.claim(intent(h('b'), 'run-b'), []);
    for (const [s, e, hash] of [
      [a, 'ea', h('a')],
      [b, 'eb', h('b')],
    ] as const) {
      await s.journal.append({ type: 'run', at: '2026-01-01T00:00:00.000Z', profile: 'p' } as never);
      await s.journal.append(prepared(e, hash));
    }
    await a.journal.append({ type: 'sending', at: '2026-01-01T00:00:00.000Z', exchange: 'ea' } as never);
    const second = b.journal.append({
      type: 'sending',
      at: '2026-01-01T00:00:00.000Z',
      exchange: 'eb',
    } as never);
    expect(await within(second)).toBe('done');
  });
});

describe('an older copy of the state', () => {
  const clock = {
    now: () => new Date('2026-01-01T00:00:00Z'),
    monotonic: () => 0,
    sleep: () => Promise.resolve(),
  } as never;
  const at = '2026-01-01T00:00:00.000Z';
  const ddl = (some: readonly Table[]) => some.flatMap((of) => ddlOf(of as never, sqliteWords));
  const intent = (hash: string, run: string) =>
    ({
      schemaVersion: 1,
      hash,
      profile: 'p',
      key: hash,
      bodyHash: 'b',
      fingerprint: hash,
      chosen: true,
      run,
      createdAt: at,
      summary: {},
      service: 'payments',
      product: 'x',
      endToEndIdentification: undefined,
    }) as never;
  const prepared = (exchange: string, hash: string) =>
    ({
      type: 'prepared',
      at,
      exchange,
      operation: 'initiatePayment',
      method: 'POST',
      url: 'https://b',
      headers: [],
      body: '',
      bodySha256: '',
      requestId: exchange,
      write: true,
      intent: hash,
      exact: { headers: [], body: '' },
    }) as never;
  it('does not count a payment that never left as missing, and resolving it does not hide one that left', async () => {
    const log = engineOf(ddl(tables.log));
    const stateOf = (state: Engine, run: string) =>
      keptState({
        state,
        log,
        codec: plainCodec,
        machine: { id: '' },
        run,
        clock,
        startOf: () => undefined,
        owners: { own: '{}', mayLive: () => false },
        gate: createGate(() => Promise.resolve()),
      });
    const [p, q] = ['a'.repeat(64), 'c'.repeat(64)];
    // P leaves, and is in the state.
    const first = stateOf(engineOf(ddl(tables.state)), 'run-1');
    await first.intents.claim(intent(p, 'run-1'), []);
    await first.journal.append({ type: 'run', at, profile: 'p' } as never);
    await first.journal.append(prepared('e1', p));
    await first.journal.append({ type: 'sending', at, exchange: 'e1' } as never);
    // The state is put back from before P; then Q is tried with --allow-duplicate and its bank refuses the connection.
    const older = engineOf(ddl(tables.state));
    const second = stateOf(older, 'run-2');
    const claim = await second.intents.claim(intent(q, 'run-2'));
    await second.journal.append({ type: 'run', at, profile: 'p' } as never);
    await second.journal.append(prepared('e2', q));
    await second.journal.append({
      type: 'failed',
      at,
      exchange: 'e2',
      outcome: 'NOT_SENT',
      reason: 'connect',
      detail: '',
      durationMs: 1,
    } as never);
    if (claim.claimed) await claim.wish.drop();
    await second.commit();
    const third = stateOf(older, 'run-3');
    const broken = (await third.intents.broken('')).map(({ hash }) => hash[0]);
    const ofQ = (await third.intents.broken(q))[0];
    // A person says that Q was not made.
    if (ofQ !== undefined)
      await third.intents.repair(ofQ, { ...(intent(q, 'run-2') as object), sent: false } as never);
    const again = await third.intents.claim(intent(p, 'run-3'), []);
    expect([broken, await third.intents.missing(), again.claimed]).toEqual([['a'], 1, true]);
  });
});

describe('two runs of one key', () => {
  const clock = {
    now: () => new Date('2026-01-01T00:00:00Z'),
    monotonic: () => 0,
    sleep: () => Promise.resolve(),
  } as never;
  const at = '2026-01-01T00:00:00.000Z';
  const intent = (hash: string, run: string) =>
    ({
      schemaVersion: 1,
      hash,
      profile: 'p',
      key: hash,
      bodyHash: 'b',
      fingerprint: 'f',
      chosen: true,
      run,
      createdAt: at,
      summary: {},
      service: 'payments',
      product: 'x',
      endToEndIdentification: undefined,
    }) as never;
  it('are not taken for damage where one commits between the two reads of the other', async () => {
    const raw = engineOf(
      Object.values(tables).flatMap((some) => some.flatMap((of) => ddlOf(of as never, sqliteWords))),
    );
    const stateOf = (engine: Engine, run: string, gated: boolean) =>
      keptState({
        state: engine,
        log: engine,
        codec: plainCodec,
        machine: { id: '' },
        run,
        clock,
        startOf: () => undefined,
        owners: { own: '{}', mayLive: () => true },
        ...(gated && { gate: createGate(() => Promise.resolve()) }),
      });
    const hash = 'a'.repeat(64);
    let isFirst = true;
    const slow: Engine = {
      ...raw,
      rows: async (asked) => {
        const rows = await raw.rows(asked);
        if (isFirst && asked.sql.includes('hash = ?1')) {
          isFirst = false;
          await stateOf(raw, 'run-a', false).intents.claim(intent(hash, 'run-a'));
        }
        return rows;
      },
    };
    const claimed = stateOf(slow, 'run-b', true).intents.claim(intent(hash, 'run-b'));
    expect(
      await claimed.then(
        ({ claimed }) => claimed,
        (e: unknown) => (e as Error).message,
      ),
    ).toBe(false);
  });
});
