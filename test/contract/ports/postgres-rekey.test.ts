// What is sealed shows nothing in a dump, and passes from one key to the next while both are in use.
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { rekey } from '../../../src/adapters/shared-state/state-store.ts';
import { tables } from '../../../src/adapters/postgres/schema.ts';
import { fleetCodec } from '../../../src/adapters/postgres/own-key.ts';
import { createClock } from '../../../src/adapters/system/system-clock.ts';
import {
  contentTags,
  intents as intentTable,
  read,
  replace,
  select,
} from '../../../src/client/state/tables.ts';
import { createVault } from '../../../src/adapters/postgres/vault.ts';
import { Secret } from '../../../src/base/secret.ts';
import { failedWith } from '../../helpers/failed-with.ts';
import { conversation, intent, resource } from '../../helpers/adapter-homes.ts';
import { canaries, filled, known } from '../../helpers/filled-state.ts';
import { now, resolved, runRecord } from '../../helpers/journal-records.ts';
import { leaked } from '../../helpers/leaks.ts';
import { fleetIn, hasPostgres, testDatabase, testKey, testState } from '../../helpers/postgres.ts';

const shared = testDatabase();
const other = '77'.repeat(32);
const vaultOf = (...keys: [string, ...string[]]) =>
  createVault(keys.map((key) => new Secret(key)) as [Secret, ...Secret[]]);

const within = (vault: ReturnType<typeof vaultOf>, database = shared.open()) => ({
  ...{ database, vault, clock: createClock() },
});

/** What a dump of all tables holds: every value of every row as text. */
async function dump(): Promise<string> {
  const administrator = await shared.administer();
  const all: string[] = [];
  for (const { name: table } of tables) {
    const rows = await administrator.rows<{ text: string }>(`SELECT t::text AS text FROM ${table} AS t`);
    expect(rows.length, table).toBeGreaterThan(0);
    all.push(...rows.map(({ text }) => text));
  }
  return all.join('\n');
}

describe.skipIf(!hasPostgres())('the key of a shared state', () => {
  beforeEach(() => {
    shared.empty();
  });
  afterAll(() => shared.end());

  it('is needed by a dump to reveal anything', async () => {
    await filled(shared);
    expect(leaked(await dump(), Object.values(canaries))).toEqual([]);
  });

  it('is used in every column that can be sealed', async () => {
    const columns = await (
      await shared.administer()
    ).rows<{ at: string }>(
      `SELECT table_name || '.' || column_name AS at FROM information_schema.columns
        WHERE table_schema = 'obk' AND data_type = 'bytea' ORDER BY 1`,
    );
    // Ids of banks and keyed hashes.
    const clear = [
      'conversation.parent',
      'conversation.name',
      'intent.content',
      'intent.resource_id',
      'resource.id',
      'usage.key',
    ];
    const sealed = tables.flatMap(({ name, sealed: its = {} }) =>
      Object.keys(its).map((column) => `${name}.${column}`),
    );
    expect(columns.map(({ at }) => at)).toEqual([...clear, ...sealed].sort());
  });

  it('is that of the first who writes: a run with another adds nothing, and reports what it lacks', async () => {
    await filled(shared);
    const before = await dump();
    const foreign = testState({ ...shared, keys: [other] });
    const writes: readonly (() => Promise<unknown>)[] = [
      () => foreign.intents.claim(intent({ hash: 'ab'.repeat(32) })),
      () => foreign.intents.takeOver(intent({}), 'a-run'),
      () => foreign.intents.settle(intent({}).hash, { created: false, by: 'person', at: now(), reason: 'x' }),
      () => foreign.intents.repair({ hash: intent({}).hash, path: 'obk.intent' }, intent({})),
      () => foreign.journal.append(runRecord()),
      () => foreign.journal.resolve(foreign.journal.run, resolved('x1')),
      () => foreign.resources.saveMade({ resource: resource({}), conversation: conversation({}) }),
      () => foreign.resources.save(resource({})),
      () => foreign.resources.saveConversation('acme', conversation({})),
      () => foreign.credentials.update('acme', (all) => all),
      () => foreign.credentials.forget('acme'),
      () => foreign.credentials.machineKey(),
      () => foreign.usage.update('calls', (uses) => uses),
    ];
    for (const write of writes)
      expect(await failedWith(write())).toMatchObject({
        ...{ code: 'STATE_UNREADABLE', exit: 3 },
        detail: expect.stringContaining(vaultOf(testKey).keyId) as unknown,
      });
    expect(await dump()).toBe(before);
    await foreign.close();
    // What each had before is no matter where there is nothing yet: one of two is the first.
    shared.empty();
    const two = [testState({ ...shared, keys: [testKey] }), testState({ ...shared, keys: [other] })];
    const ended = await Promise.allSettled(two.map((one) => one.usage.update('calls', (uses) => uses)));
    expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    for (const one of two) await one.close();
  });

  it('is named for rows that a list leaves out, and lets the others be listed', async () => {
    await filled(shared, [other]);
    const told: [string, number][] = [];
    const unread = (keyId: string, rows: number) => told.push([keyId, rows]);
    const own = testState({ ...shared, keys: [other], unread });
    for (const id of ['p2', 'p3']) await own.resources.save(resource({ id }));
    await own.close();
    expect(told).toEqual([]);
    const both = testState({ ...shared, keys: [testKey, other] });
    await both.resources.save(resource({ id: 'p4' }));
    await both.close();
    const lacking = testState({ ...shared, keys: [testKey], unread });
    expect((await lacking.resources.list('acme', 'payment')).map(({ id }) => id)).toEqual(['p4']);
    const batches = [];
    for await (const some of await lacking.resources.batches('acme', 'payment')) batches.push(...some);
    expect(batches.map(({ id }) => id)).toEqual(['p4']);
    await lacking.close();
    expect(told).toEqual([[vaultOf(other).keyId, 3]]);
  });

  it('is required by whatever decides, and by no list', async () => {
    await filled(shared, [other]);
    const told: [string, number][] = [];
    const lacking = testState({ ...shared, unread: (keyId, rows) => told.push([keyId, rows]) });
    const { intents, journal, resources, credentials } = lacking;
    const { hash, profile, fingerprint } = intent({});
    expect(await journal.openWrites()).toEqual([]);
    expect(await intents.named(hash.slice(0, 6))).toEqual([]);
    expect(await intents.broken(hash.slice(0, 6))).toEqual([]);
    expect(await resources.conversations('acme', 'payment', 'p1')).toEqual([]);
    // Nobody may remove a run of which a write is open.
    expect((await journal.openRuns()).map(({ run }) => run)).toEqual([journal.run]);
    // As after a change of keys that was interrupted: the content is found, and its record does not open.
    const [content] = contentTags(vaultOf(testKey), profile, fingerprint);
    const withoutGuard = fleetIn(shared.open(), { codec: fleetCodec(vaultOf(testKey)) });
    await withoutGuard.engine.change([select(intentTable, '')], ([rows = []]) => {
      const row = rows[0] && read(intentTable, rows[0]);
      return { changes: row ? [replace(intentTable, row, { content })] : [], result: undefined };
    });
    const decisions: readonly (() => Promise<unknown>)[] = [
      () => withoutGuard.intents.claim(intent({ run: 'another' })),
      () => withoutGuard.intents.repair({ hash, path: 'obk.intent' }, intent({})),
      () => intents.like(profile, fingerprint),
      () => intents.find(hash),
      () => intents.newest(profile),
      () => intents.runs(),
      () => journal.read(journal.run),
      () => journal.exact(journal.run, 'x1'),
      () => resources.find('acme', 'payment', 'p1'),
      () => resources.listBeginning('acme', 'payment', 'p'),
      () => credentials.read('acme'),
    ];
    for (const decide of decisions)
      expect(await failedWith(decide())).toMatchObject({
        ...{ code: 'STATE_UNREADABLE', exit: 3 },
        detail: `It has values of key ${vaultOf(other).keyId}, and this run has key ${vaultOf(testKey).keyId}.`,
      });
    await lacking.close();
    // An open write, an intent, a conversation, four records of a run and the credentials: each once.
    expect(told).toEqual([[vaultOf(other).keyId, 8]]);
  });

  it('passes to another while everything is readable before, between and after', async () => {
    await filled(shared);
    const before = await known(shared, [testKey]);
    expect(before.usage).toEqual([canaries.account]);
    expect(before.intents).toHaveLength(1);
    expect(await known(shared, [other, testKey])).toEqual(before);
    // Killed after the first table: what is done is done.
    const stopped = rekey(within(vaultOf(other, testKey)), ({ kind }) => {
      if (kind === 'records of the journal') throw new Error('killed');
    });
    await expect(stopped).rejects.toThrow('killed');
    expect(await known(shared, [testKey, other])).toEqual(before);
    expect(await known(shared, [other, testKey])).toEqual(before);
    const done = await rekey(within(vaultOf(other, testKey)), () => undefined);
    expect(
      done.every(({ kind, sealed }) => ['intents', 'records of the journal'].includes(kind) || sealed > 0),
    ).toBe(true);
    expect(await known(shared, [other])).toEqual(before);
    expect((await rekey(within(vaultOf(other)), () => undefined)).every(({ sealed }) => sealed === 0)).toBe(
      true,
    );
  });

  it('counts in one row for machines that have the two keys in another order', async () => {
    const both = [
      testState({ ...shared, keys: [testKey, other] }),
      testState({ ...shared, keys: [other, testKey] }),
    ];
    await Promise.all(
      Array.from({ length: 20 }, (_, turn) =>
        both[turn % 2]!.usage.update('calls', (uses) => [...uses, { at: turn, what: String(turn) }]),
      ),
    );
    expect(await both[0]!.usage.read('calls')).toHaveLength(20);
    for (const one of both) await one.close();
  });

  it('passes in batches, whatever damaged values stand between', async () => {
    const state = testState(shared);
    await Promise.all(
      Array.from({ length: 250 }, (_, at) =>
        state.usage.update(String(at), () => [{ at, what: String(at) }]),
      ),
    );
    await state.close();
    const administrator = await shared.administer();
    await administrator.rows(
      `UPDATE obk.usage SET record = set_byte(record, 60, 255 - get_byte(record, 60))
        WHERE key IN (SELECT key FROM obk.usage ORDER BY key LIMIT 120)`,
    );
    const progress: number[] = [];
    const done = rekey(within(vaultOf(other, testKey)), ({ sealed }) => progress.push(sealed));
    expect(await failedWith(done)).toMatchObject({ title: expect.stringMatching(/^120 values/) as unknown });
    expect(progress.at(-1)).toBe(130);
  });

  it('is not thrown away while values of another exist, and a damaged value stops no other', async () => {
    await filled(shared);
    const lost = rekey(within(vaultOf(other)), () => undefined);
    expect(await failedWith(lost)).toMatchObject({
      code: 'STATE_UNREADABLE',
      detail: expect.stringContaining('nothing was changed') as unknown,
    });
    await (
      await shared.administer()
    ).rows('UPDATE intent SET record = set_byte(record, 60, 255 - get_byte(record, 60))');
    const damaged = rekey(within(vaultOf(other, testKey)), () => undefined);
    expect(await failedWith(damaged)).toMatchObject({
      code: 'STATE_UNREADABLE',
      title: expect.stringMatching(/^1 values/) as unknown,
    });
    expect((await known(shared, [other, testKey]).catch(() => undefined)) ?? 'damaged').toBe('damaged');
    const state = testState({ ...shared, keys: [other] });
    expect((await state.credentials.read('acme')).token?.reveal()).toBe(canaries.token);
    await state.close();
  });
});
