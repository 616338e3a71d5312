import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClock } from '../../../src/adapters/system/system-clock.ts';
import { homeEngines, stateOn } from '../../../src/adapters/sqlite/home-state.ts';
import type { Clock } from '../../../src/client/ports/clock.ts';
import type { Usage } from '../../../src/client/ports/usage.ts';
import { freshHome } from '../../helpers/adapter-homes.ts';
import { plantInto } from '../../helpers/state-file.ts';
import { memoryUsage } from '../../helpers/fakes/index.ts';
import { failedWith } from '../../helpers/failed-with.ts';
import { fleetIn, hasPostgres, testDatabase } from '../../helpers/postgres.ts';
import { withItsServer } from './state-homes.ts';

const atHome = (stateDir = freshHome().stateDir) =>
  stateOn(homeEngines(stateDir), { run: 'run', clock: createClock() }).usage;

const shared = testDatabase();
const inPostgres = (clock: Clock = createClock()) => fleetIn(shared.open(), { clock }).usage;

describe.each<[string, () => Usage]>([
  ['in memory', () => memoryUsage()],
  ['in SQLite', () => atHome()],
  ['in postgres', () => inPostgres()],
])('a count of calls %s', (name, open) => {
  withItsServer(name);
  beforeEach(() => {
    shared.empty();
  });
  afterEach(() => shared.end());

  const use = (at: number) => ({ at, what: `call ${String(at)}` });

  it('is empty at first, and keeps each key separate', async () => {
    const usage = open();
    expect(await usage.read('a')).toEqual([]);
    expect(await usage.update('a', (uses) => [...uses, use(1)])).toEqual([use(1)]);
    expect(await usage.update('a', (uses) => [...uses, use(2)])).toEqual([use(1), use(2)]);
    expect(await usage.read('A')).toEqual([]);
    expect(await usage.read('a')).toEqual([use(1), use(2)]);
  });

  it('keeps what was there when a change throws', async () => {
    const usage = open();
    await usage.update('a', () => [use(1)]);
    const change = usage.update('a', () => {
      throw new Error('no');
    });
    await expect(change).rejects.toThrow('no');
    expect(await usage.read('a')).toEqual([use(1)]);
  });

  it('loses nothing of what is counted at once', async () => {
    const usage = open();
    await Promise.all(
      Array.from({ length: 20 }, (_unused, at) => usage.update('a', (uses) => [...uses, use(at)])),
    );
    expect((await usage.read('a')).map(({ at }) => at).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_unused, at) => at),
    );
  });
});

describe.skipIf(!hasPostgres())('a count of calls of several machines in PostgreSQL', () => {
  afterEach(() => shared.end());

  it('is one for clocks that differ by an hour, and loses nothing', async () => {
    shared.empty();
    const real = createClock();
    const late: Clock = { ...real, now: () => new Date(real.now().getTime() - 3_600_000) };
    const [here, there] = [inPostgres(real), inPostgres(late)];
    const add = (usage: Usage, clock: Clock) =>
      usage.update('a', (uses) => [...uses, { at: clock.now().getTime(), what: 'x' }]);
    await Promise.all(Array.from({ length: 10 }, () => [add(here, real), add(there, late)]).flat());
    for (const [usage, clock] of [
      [here, real],
      [there, late],
    ] as const) {
      const uses = await usage.read('a');
      expect(uses).toHaveLength(20);
      for (const { at } of uses) expect(Math.abs(clock.now().getTime() - at)).toBeLessThan(60_000);
    }
  });

  it('allows no more than four of a budget of four, however many ask', async () => {
    shared.empty();
    const ask = (usage: Usage) =>
      usage.update('a', (uses) => {
        if (uses.length >= 4) return uses;
        return [...uses, { at: 1, what: 'x' }];
      });
    const machines = Array.from({ length: 4 }, () => inPostgres());
    await Promise.all(machines.flatMap((one) => Array.from({ length: 10 }, () => ask(one))));
    expect(await inPostgres().read('a')).toHaveLength(4);
  });
});

describe('a count of calls at home', () => {
  it.each(['{', '{}', '{"uses":[[1]]}', '{"uses":[{"at":"x","what":1}]}'])(
    'is reported, not reset, where obk has not written it (%s)',
    async (text) => {
      const { stateDir } = freshHome();
      const usage = atHome(stateDir);
      await usage.update('a', () => [{ at: 1, what: 'x' }]);
      plantInto(stateDir, 'log', 'UPDATE usage SET record = ?1', [Buffer.from(text)]);
      expect(await failedWith(usage.read('a'))).toMatchObject({ code: 'STATE_UNREADABLE', exit: 3 });
      expect(await failedWith(usage.update('a', (uses) => uses))).toMatchObject({ code: 'STATE_UNREADABLE' });
    },
  );
});
