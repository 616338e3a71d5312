import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Journal, JournalFollower } from '../../../src/client/ports/journal.ts';
import { answered, prepared, runRecord, sending, write } from '../../helpers/journal-records.ts';
import { cuttingProxy } from '../../helpers/cutting-proxy.ts';
import { poolingProxy } from '../../helpers/pooling-proxy.ts';
import { hasPostgres, testDatabase, testState } from '../../helpers/postgres.ts';
import { createClock } from '../../../src/adapters/system/system-clock.ts';
import { stateHomes, withItsServer } from './state-homes.ts';

const call = (exchange: string) => [
  prepared(exchange, { write: false }),
  sending(exchange),
  answered(exchange, 'DONE'),
];
const begin = async (journal: Journal, exchange: string) => {
  await write(journal, runRecord(), ...call(exchange));
};
const still = { signal: new AbortController().signal, say: () => undefined };

/** The runs of the next look that finds any. */
async function next(follower: JournalFollower): Promise<readonly string[]> {
  for (let turn = 0; turn < 1000; turn++) {
    await follower.wait();
    const changed = await follower.changed();
    if (changed.length > 0) return changed.map(({ run }) => run);
  }
  throw new Error('nothing was told');
}

describe.each(stateHomes)('the follow port %s', (name, make) => {
  withItsServer(name);

  it('reports what is written after it is followed, once, and nothing from before', async () => {
    const home = make();
    const [earlier, open, later, looking] = [home.open(), home.open(), home.open(), home.open()];
    await begin(earlier.journal, 'e1');
    await begin(open.journal, 'o1');
    const follower = await looking.journal.follow(still);
    expect(await follower.changed()).toEqual([]);
    await begin(later.journal, 'l1');
    expect(await next(follower)).toEqual([later.run]);
    expect(await follower.changed()).toEqual([]);
    await write(open.journal, ...call('o2'));
    expect(await next(follower)).toEqual([open.run]);
    await follower.close();
  });

  it('ends its waiting on request', async () => {
    const end = new AbortController();
    const follower = await make()
      .open()
      .journal.follow({ ...still, signal: end.signal });
    const waiting = (async () => {
      for (;;) await follower.wait();
    })();
    end.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await follower.close();
  });
});

describe.skipIf(!hasPostgres())('a followed journal in PostgreSQL', () => {
  const shared = testDatabase();
  const opened: { close(): Promise<void> | void }[] = [];
  beforeEach(() => {
    shared.empty();
  });
  afterEach(async () => {
    for (const one of opened.splice(0).reverse()) await one.close();
    await shared.end();
  });
  const state = (run: string, url = shared.url) => {
    const made = testState({ url, run: `20261123T100000000Z-${run}` });
    opened.push(made);
    return made.journal;
  };
  const follow = async (journal: Journal, said: string[] = []) => {
    const follower = await journal.follow({ ...still, say: (what) => void said.push(what) });
    opened.push(follower);
    return follower;
  };

  it('is reported at once, and not only at the next look', async () => {
    const follower = await follow(state('looking'));
    await follower.wait();
    const clock = createClock();
    const before = clock.monotonic();
    const told = follower.wait();
    await begin(state('other'), 'e1');
    await told;
    expect(clock.monotonic() - before).toBeLessThan(5_000);
    expect(await follower.changed()).toHaveLength(1);
  });

  it('loses no record that is committed after younger ones', async () => {
    const follower = await follow(state('looking'));
    const late = shared.open();
    const early = state('early');
    await begin(early, 'e1');
    expect(await next(follower)).toHaveLength(1);
    let commit: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (commit = resolve));
    let isWritten: () => void = () => undefined;
    const written = new Promise<void>((resolve) => (isWritten = resolve));
    const writing = late.transaction(async () => {
      await late.rows(
        `INSERT INTO record (run, number, type, profile, record, sum)
         SELECT run, 99, 'answered', '', '', 0 FROM run`,
      );
      isWritten();
      await held;
    });
    await written;
    for (const exchange of ['e2', 'e3']) {
      await write(early, ...call(exchange));
      expect(await next(follower)).toHaveLength(1);
    }
    expect(await follower.changed()).toEqual([]);
    commit();
    await writing;
    expect(await follower.changed()).toHaveLength(1);
    expect(await follower.changed()).toEqual([]);
  });

  it('reports nothing of what a restore has brought from a server that counts transactions otherwise', async () => {
    const other = state('other');
    for (const exchange of ['e1', 'e2']) await begin(other, exchange);
    const administrator = await shared.administer();
    const restored = (from: string) =>
      administrator.rows(
        `UPDATE obk.record SET at = at - interval '1 hour', xact = (pg_current_xact_id()::text::bigint + ${from})::text::xid8`,
      );
    await restored('1000000');
    const follower = await follow(state('looking'));
    expect(await follower.changed()).toEqual([]);
    // The numbers of here come to those of there.
    await restored('0');
    expect(await follower.changed()).toEqual([]);
    await begin(state('new'), 'e3');
    expect(await next(follower)).toEqual(['20261123T100000000Z-new']);
    expect(await follower.changed()).toEqual([]);
  });

  it('goes on after its connections were cut', async () => {
    const proxy = await cuttingProxy(await shared.url());
    opened.push(proxy);
    const follower = await follow(state('looking', () => proxy.url()));
    const other = state('other');
    await begin(other, 'e1');
    expect(await next(follower)).toHaveLength(1);
    proxy.cutAll();
    await write(other, ...call('e2'));
    expect(await next(follower)).toHaveLength(1);
    await write(other, ...call('e3'));
    expect(await next(follower)).toHaveLength(1);
  });

  it('is polled behind a pooler, which is reported once', async () => {
    const pooler = await poolingProxy(await shared.url());
    opened.push(pooler);
    const said: string[] = [];
    const follower = await follow(
      state('looking', () => pooler.url()),
      said,
    );
    const other = state('other', () => pooler.url());
    for (const exchange of ['e1', 'e2']) {
      await begin(other, exchange);
      expect(await next(follower)).toHaveLength(1);
    }
    expect(said).toEqual([expect.stringContaining('A pooler stands before the database')]);
  });
});
