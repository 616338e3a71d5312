import { describe, expect, it } from 'vitest';
import { intent } from '../../helpers/adapter-homes.ts';
import { answered, failed, now, prepared, runRecord, sending, write } from '../../helpers/journal-records.ts';
import { withItsServer, stateHomes } from './state-homes.ts';

describe.each(stateHomes)('the intents port %s', (name, make) => {
  withItsServer(name);

  it('contains nothing at first', async () => {
    const { intents, journal } = make().open();
    expect(await intents.find('a'.repeat(64))).toBeUndefined();
    expect(await intents.newest('acme')).toBeUndefined();
    expect(await intents.like('acme', 'f'.repeat(64))).toEqual([]);
    expect(await intents.named('a')).toEqual([]);
    expect(await intents.broken('a')).toEqual([]);
    const leaves = write(journal, runRecord(), prepared('e1', { intent: 'a'.repeat(64) }), sending('e1'));
    await expect(leaves).rejects.toMatchObject({ code: 'STATE_UNREADABLE', exit: 3 });
  });

  it('gives an intent to one run only', async () => {
    const world = make();
    const first = world.open();
    const mine = intent({ run: first.run });
    expect(await first.intents.claim(mine)).toMatchObject({ claimed: true });
    const second = world.open();
    const claim = await second.intents.claim(
      intent({ run: second.run, createdAt: '2026-11-21T11:00:00.000Z' }),
    );
    expect(claim).toMatchObject({ claimed: false, intent: mine });
    expect(await second.intents.find(mine.hash)).toEqual({ ...mine, sent: false });
    const other = intent({ hash: 'c'.repeat(64), run: second.run });
    expect(await second.intents.claim(other)).toMatchObject({ claimed: true });
  });

  it('gives an intent to one of many that ask at once', async () => {
    const world = make();
    const runs = Array.from({ length: 8 }, () => world.open());
    const claims = await Promise.all(runs.map((one) => one.intents.claim(intent({ run: one.run }))));
    expect(claims.filter(({ claimed }) => claimed)).toHaveLength(1);
  });

  it('lets a dead owner’s intent be taken over, once', async () => {
    const world = make();
    const dead = world.open('a dead process');
    await dead.intents.claim(intent({ run: dead.run }));
    const runs = [world.open(), world.open(), world.open()];
    const claim = await runs[0]!.intents.claim(intent({ run: runs[0]!.run }));
    expect(claim).toMatchObject({ claimed: false, ownerAlive: false });
    const taken = await Promise.all(
      runs.map((one) => one.intents.takeOver(intent({ run: one.run }), dead.run)),
    );
    expect(taken.filter(Boolean)).toHaveLength(1);
    const winner = runs[taken.findIndex(Boolean)]!;
    expect((await winner.intents.find(intent().hash))?.run).toBe(winner.run);
  });

  it.each(['a living process', 'a run under way in this process'] as const)(
    'keeps an intent of %s',
    async (of) => {
      const world = make();
      const living = world.open(of);
      await living.intents.claim(intent({ run: living.run }));
      const later = world.open();
      expect(await later.intents.claim(intent({ run: later.run }))).toMatchObject({
        claimed: false,
        ownerAlive: true,
      });
      expect(await later.intents.takeOver(intent({ run: later.run }), living.run)).toBeUndefined();
    },
  );

  it('does not take over an intent on its way', async () => {
    const world = make();
    const dead = world.open('a dead process');
    const { hash } = intent();
    await dead.intents.claim(intent({ run: dead.run }));
    await write(dead.journal, runRecord(), prepared('e1', { intent: hash }), sending('e1'));
    const later = world.open();
    expect(await later.intents.takeOver(intent({ run: later.run }), dead.run)).toBeUndefined();
    await write(dead.journal, failed('e1', 'NOT_SENT'));
    expect(await later.intents.takeOver(intent({ run: later.run }), dead.run)).toBeDefined();
  });

  it.each([
    ['its end is not known', [failed('e1', 'UNKNOWN')]],
    ['its answer said nothing', [answered('e1', 'UNKNOWN')]],
    ['it was made', [answered('e1', 'DONE')]],
    ['its journal is gone', 'removed'],
  ] as const)('never takes over an intent that has left where %s', async (_, end) => {
    const world = make();
    const dead = world.open('a dead process');
    const { hash } = intent();
    await dead.intents.claim(intent({ run: dead.run }));
    await write(dead.journal, runRecord(), prepared('e1', { intent: hash }), sending('e1'));
    const later = world.open();
    if (end === 'removed') await later.journal.remove(dead.run);
    else await write(dead.journal, ...end);
    expect(await later.intents.takeOver(intent({ run: later.run }), dead.run)).toBeUndefined();
    expect((await later.intents.find(hash))?.run).toBe(dead.run);
  });

  it('does not mark as sending an intent that another run has taken over', async () => {
    const world = make();
    const slow = world.open('a dead process');
    const { hash } = intent();
    await slow.intents.claim(intent({ run: slow.run }));
    await write(slow.journal, runRecord(), prepared('e1', { intent: hash }));
    const later = world.open();
    expect(await later.intents.takeOver(intent({ run: later.run }), slow.run)).toBeDefined();
    await expect(write(slow.journal, sending('e1'))).rejects.toMatchObject({
      code: 'INTENT_IN_PROGRESS',
      exit: 8,
    });
    expect((await later.journal.read(slow.run)).some(({ type }) => type === 'sending')).toBe(false);
    await write(later.journal, runRecord(), prepared('e2', { intent: hash }), sending('e2'));
  });

  it('records the resource of an intent', async () => {
    const later = make().open();
    await later.intents.claim(intent({ run: later.run }));
    await later.intents.noteResource(intent().hash, 'p1');
    expect((await later.intents.find(intent().hash))?.resourceId).toBe('p1');
    await later.intents.noteResource('0'.repeat(64), 'p2');
    expect(await later.intents.find('0'.repeat(64))).toBeUndefined();
  });

  it('finds intents by content and the newest by profile', async () => {
    const world = make();
    const dead = world.open('a dead process');
    const make4 = (n: number, changes: object) =>
      intent({
        hash: String(n).repeat(64),
        run: dead.run,
        createdAt: `2026-11-21T1${n}:00:00.000Z`,
        ...changes,
      });
    await dead.intents.claim(make4(1, {}));
    await dead.intents.claim(make4(3, {}));
    await dead.intents.claim(make4(2, {}));
    await dead.intents.claim(make4(4, { fingerprint: 'e'.repeat(64) }));
    await dead.intents.claim(make4(5, { profile: 'other' }));
    const hours = (list: readonly { createdAt: string }[]) =>
      list.map(({ createdAt }) => createdAt.slice(11, 13));
    const later = world.open();
    expect(hours(await later.intents.like('acme', 'f'.repeat(64)))).toEqual(['13', '12', '11']);
    expect(hours(await later.intents.like('other', 'f'.repeat(64)))).toEqual(['15']);
    expect(hours([(await later.intents.newest('acme'))!])).toEqual(['14']);
    // Whoever asks in vain for an older one does not become the newest, and who takes it over does.
    await later.intents.claim(make4(1, { run: later.run, createdAt: '2026-11-21T18:00:00.000Z' }));
    expect(hours([(await later.intents.newest('acme'))!])).toEqual(['14']);
    await later.intents.takeOver(
      make4(1, { run: later.run, createdAt: '2026-11-21T19:00:00.000Z' }),
      dead.run,
    );
    expect(hours([(await later.intents.newest('acme'))!])).toEqual(['19']);
    expect(hours(await later.intents.like('acme', 'f'.repeat(64)))).toEqual(['19', '13', '12']);
  });

  it('lists the runs that intents point to', async () => {
    const world = make();
    const dead = world.open('a dead process');
    const pointed = async () => new Set((await dead.intents.runs()).keys());
    expect(await pointed()).toEqual(new Set());
    await dead.intents.claim(intent({ run: dead.run }));
    await dead.intents.claim(intent({ run: dead.run, hash: 'c'.repeat(64), profile: 'other' }));
    expect(await pointed()).toEqual(new Set([dead.run]));
    const later = world.open();
    await later.intents.takeOver(intent({ run: later.run }), dead.run);
    expect(await pointed()).toEqual(new Set([dead.run, later.run]));
  });

  it('records the end of a run at no intent that another has taken over', async () => {
    const world = make();
    const dead = world.open('a dead process');
    await dead.intents.claim(intent({ run: dead.run }));
    const later = world.open();
    const { hash } = intent();
    const end = { created: false, at: '2026-11-21T19:00:00.000Z', by: 'pruning', reason: 'old' } as const;
    await later.intents.takeOver(intent({ run: later.run }), dead.run);
    await later.intents.settle(hash, end, { run: dead.run });
    expect((await later.intents.find(hash))?.settled).toBeUndefined();
    await later.intents.settle(hash, end, { run: later.run });
    expect((await later.intents.find(hash))?.settled).toEqual(end);
  });

  it("shows an intent's request as sent once that is recorded, and not before", async () => {
    const { intents, journal, run } = make().open();
    const { hash } = intent();
    await intents.claim(intent({ run }));
    await write(journal, runRecord(), prepared('e1', { intent: hash }));
    expect((await intents.find(hash))?.sent).toBe(false);
    await write(journal, sending('e1'));
    expect((await intents.find(hash))?.sent).toBe(true);
  });

  it('does not let an intent leave once it is resolved, and may then be taken over', async () => {
    const world = make();
    const dead = world.open('a dead process');
    const { hash } = intent();
    await dead.intents.claim(intent({ run: dead.run }));
    await write(dead.journal, runRecord(), prepared('e1', { intent: hash }), sending('e1'));
    const end = { created: false, at: now(), by: 'person', reason: 'the account shows nothing' } as const;
    const later = world.open();
    await later.intents.settle(hash, end, { resourceId: 'p1' });
    expect(await later.intents.find(hash)).toMatchObject({ settled: end, resourceId: 'p1' });
    await expect(write(dead.journal, sending('e1'))).rejects.toMatchObject({ code: 'INTENT_IN_PROGRESS' });
    expect(await later.intents.takeOver(intent({ run: later.run }), dead.run)).toBeDefined();
  });

  it('keeps only the amount where the run of an intent is pruned', async () => {
    const { intents, run } = make().open();
    const summary = { amount: '1.00', currency: 'EUR', creditorName: 'Shop' };
    await intents.claim(intent({ run, summary }));
    const end = { created: true, at: now(), by: 'pruning', reason: 'old' } as const;
    await intents.settle(intent().hash, end);
    expect((await intents.find(intent().hash))?.summary).toEqual({ amount: '1.00', currency: 'EUR' });
  });

  it('finds an intent by the start of its hash', async () => {
    const { intents, run } = make().open();
    await intents.claim(intent({ run, hash: 'c'.repeat(64) }));
    await intents.claim(intent({ run, hash: `cd${'0'.repeat(62)}` }));
    const named = async (prefix: string) => (await intents.named(prefix)).map(({ hash }) => hash.slice(0, 2));
    expect((await named('c')).sort()).toEqual(['cc', 'cd']);
    expect(await named('cd')).toEqual(['cd']);
  });
});
