import { expect, it } from 'vitest';
import { homeEngines, stateOn } from '../../src/adapters/sqlite/home-state.ts';
import type { Engine, Statement } from '../../src/client/ports/engine.ts';
import { conversation, freshHome, intent, resource } from '../helpers/adapter-homes.ts';
import { fakeClock } from '../helpers/fakes/index.ts';
import { answered, now, prepared, resolved, runRecord, sending, write } from '../helpers/journal-records.ts';
import { rowsIn } from '../helpers/state-file.ts';

/** What an engine is asked, by its file. */
function noted(engine: Engine, asked: Statement[]): Engine {
  return {
    rows: (statement) => {
      asked.push(statement);
      return engine.rows(statement);
    },
    change: (scope, decide) => {
      asked.push(...scope);
      return engine.change(scope, (found) => {
        const decision = decide(found);
        asked.push(...decision.changes);
        return decision;
      });
    },
    scrub: () => engine.scrub(),
    close: () => engine.close(),
  };
}

it('each statement finds its rows by an index, and in its order', async () => {
  const { stateDir } = freshHome();
  const engines = homeEngines(stateDir);
  const asked = { state: [] as Statement[], log: [] as Statement[] };
  const run = '20261121T100000000Z-plan';
  const home = stateOn(
    { state: noted(engines.state, asked.state), log: noted(engines.log, asked.log) },
    { run, clock: fakeClock() },
  );
  const { resources, intents, journal, usage } = home;
  const { hash } = intent();
  await intents.claim(intent({ run }));
  await write(journal, runRecord(), prepared('e1', { intent: hash }), sending('e1'));
  await write(journal, answered('e1', 'DONE'), { type: 'ended', at: now(), exit: 0 });
  await intents.noteResource(hash, 'p1');
  await resources.saveMade({ resource: resource({ intent: hash }), conversation: conversation() });
  await resources.saveConversation('acme', conversation());
  await resources.removeConversation('acme', conversation());
  await usage.update('a', () => [{ at: 1, what: 'x' }]);
  await intents.settle(hash, { created: true, at: now(), by: 'person', reason: 'asked' });
  await intents.takeOver(intent({ run: 'another' }), run);
  await write(journal, prepared('e2'), sending('e2'));
  await journal.resolve(run, resolved('e2'));
  for (const look of [
    () => usage.read('a'),
    () => intents.find(hash),
    () => intents.like('acme', intent().fingerprint),
    () => intents.named('aaaaaa'),
    () => intents.broken('aaaaaa'),
    () => intents.newest('acme'),
    () => resources.find('acme', 'payment', 'p1'),
    () => resources.list('acme', 'payment'),
    () => resources.list('acme', 'payment', 5),
    () => resources.listBeginning('acme', 'payment', 'p'),
    () => resources.ids('acme'),
    () => resources.conversations('acme', 'payment', 'p1'),
    () => journal.read(run),
    () => journal.exact(run, 'e1'),
    () => journal.oldest(),
    () => journal.noteFree([run]),
    () => journal.close(run, 'e1'),
    () => journal.remove('another'),
  ])
    await look();
  for (const list of [await journal.runs(), await journal.runsThat(() => true)]) for await (const _ of list);
  for await (const _ of await resources.batches('acme', 'payment'));
  const follower = await journal.follow({ signal: new AbortController().signal, say: () => undefined });
  await follower.changed();
  await home.close();

  let plans = 0;
  for (const file of ['state', 'log'] as const)
    for (const sql of new Set(asked[file].map((one) => one.sql))) {
      const { values } = asked[file].find((one) => one.sql === sql)!;
      const steps = rowsIn(stateDir, file, `EXPLAIN QUERY PLAN ${sql}`, values).map(({ detail }) =>
        String(detail),
      );
      plans += 1;
      // Of the oldest, the newest and the endings of all runs only the ends of an index are read.
      const endsOnly = /LIMIT 1$|min\(|max\(/.test(sql);
      // Few are of one parent, or begin alike.
      const few = /parent = \?|id >= \?/.test(sql);
      const slow = steps.filter((step) =>
        /^SCAN (?!one\b|CONSTANT)/.test(step) ? !endsOnly : /TEMP B-TREE FOR ORDER/.test(step) && !few,
      );
      expect(slow, `${sql}\n${steps.join('\n')}`).toEqual([]);
      // An index that only gives the order would have all of a profile looked at.
      const [, where = ''] = /^SELECT .* WHERE (.*)$/.exec(sql) ?? [];
      const named = [...where.matchAll(/(\w+) = \?\d/g)].map(([, column]) => column);
      const unfound = named.filter((column) => !steps.some((step) => step.includes(`${String(column)}=?`)));
      expect(unfound, `${sql}\n${steps.join('\n')}`).toEqual([]);
    }
  expect(plans).toBeGreaterThan(30);
});
