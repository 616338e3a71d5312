import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { homeEngines, stateOn } from '../../../src/adapters/sqlite/home-state.ts';
import { newestHere } from '../../../src/client/resources/naming.ts';
import type { Resources } from '../../../src/client/ports/resources.ts';
import { conversation, freshHome, refusedNames, resource } from '../../helpers/adapter-homes.ts';
import { fakeClock, memoryResources } from '../../helpers/fakes/index.ts';
import { fleetIn, hasPostgres, testDatabase } from '../../helpers/postgres.ts';
import { plantInto } from '../../helpers/state-file.ts';
import { withItsServer } from './state-homes.ts';

const shared = testDatabase();
const drivers: [string, () => Resources][] = [
  ['in memory', memoryResources],
  [
    'in SQLite',
    () => stateOn(homeEngines(freshHome().stateDir), { run: 'run', clock: fakeClock() }).resources,
  ],
  ['in postgres', () => fleetIn(shared.open()).resources],
];

describe.each(drivers)('the resources %s', (name, open) => {
  withItsServer(name);
  beforeEach(() => {
    shared.empty();
  });
  afterEach(() => shared.end());

  it('contain nothing at first', async () => {
    const resources = open();
    expect(await resources.list('acme', 'payment')).toEqual([]);
    expect(await resources.find('acme', 'payment', 'p1')).toBeUndefined();
    expect(await resources.conversations('acme', 'payment', 'p1')).toEqual([]);
  });

  it.each(refusedNames)('refuse the profile name %j', async (name) => {
    const resources = open();
    const refused = { code: 'PROFILE_INVALID', exit: 3 };
    await expect(resources.save(resource({ profile: name }))).rejects.toMatchObject(refused);
    await expect(resources.list(name, 'payment')).rejects.toMatchObject(refused);
    await expect(resources.find(name, 'payment', 'p1')).rejects.toMatchObject(refused);
    await expect(resources.saveConversation(name, conversation())).rejects.toMatchObject(refused);
    await expect(resources.conversations(name, 'payment', 'p1')).rejects.toMatchObject(refused);
  });

  it('keep resources, newest first, and replace by id', async () => {
    const resources = open();
    const at = (hour: string) => `2026-11-21T${hour}:00:00.000Z`;
    await resources.save(resource({ id: 'p2', createdAt: at('11') }));
    await resources.save(resource({ id: 'p1', createdAt: at('10') }));
    await resources.save(resource({ id: 'p3', createdAt: at('12') }));
    await resources.save(resource({ id: 'p1', createdAt: at('10'), status: 'ACSC' }));
    await resources.save(resource({ id: 'c1', noun: 'consent' }));
    await resources.save(resource({ id: 'p9', profile: 'other' }));
    const all = await resources.list('acme', 'payment');
    expect(all.map(({ id, status }) => [id, status])).toEqual([
      ['p3', undefined],
      ['p2', undefined],
      ['p1', 'ACSC'],
    ]);
    expect(await resources.find('acme', 'payment', 'p1')).toEqual(
      resource({ id: 'p1', createdAt: at('10'), status: 'ACSC' }),
    );
    expect(await resources.find('acme', 'consent', 'p1')).toBeUndefined();
  });

  const ids = [
    'x'.repeat(1024),
    '../../etc/passwd',
    'a/b',
    'a%2Fb',
    '..',
    '.',
    'CON',
    'con',
    'Abc',
    'abc',
    'a_b',
    '~',
    '-',
    'ä\u0000\n',
    '3f2c-77aa',
  ];

  it('find any id, and no other for it', async () => {
    const resources = open();
    for (const id of ids) await resources.save(resource({ id }));
    for (const id of ids) expect((await resources.find('acme', 'payment', id))?.id).toBe(id);
    expect(await resources.find('acme', 'payment', 'ABC')).toBeUndefined();
    expect(await resources.list('acme', 'payment')).toHaveLength(ids.length);
    for (const id of ids) {
      const found = await resources.listBeginning('acme', 'payment', id.slice(0, 3));
      const wanted = ids.filter((other) => other.startsWith(id.slice(0, 3)));
      expect(found.map((one) => one.id).sort()).toEqual(wanted.sort());
    }
    expect(await resources.listBeginning('acme', 'consent', '3f')).toEqual([]);
  });

  it('return the same in batches, and the ids of every noun', async () => {
    const resources = open();
    const ids = ['a1', 'B2', 'c3'];
    for (const id of ids) await resources.save(resource({ id }));
    await resources.save(resource({ id: 'con-1', noun: 'consent' }));
    const found: string[] = [];
    for await (const some of await resources.batches('acme', 'payment'))
      found.push(...some.map(({ id }) => id));
    expect(found).toEqual((await resources.list('acme', 'payment')).map(({ id }) => id));
    expect(found.toSorted()).toEqual(ids.toSorted());
    expect((await resources.ids('acme'))?.toSorted()).toEqual([...ids, 'con-1'].toSorted());
    expect(await resources.ids('other')).toEqual([]);
  });

  it('keep conversations by parent, kind and authorisation, newest first', async () => {
    const resources = open();
    const cancellation = { kind: 'cancellation', id: 'p1' } as const;
    await resources.saveConversation('acme', conversation({ authorisationId: 'a1' }));
    await resources.saveConversation('acme', conversation({ authorisationId: 'a1', scaStatus: 'finalised' }));
    await resources.saveConversation(
      'acme',
      conversation({ authorisationId: 'a1', parent: cancellation, startedAt: '2026-11-21T12:00:00.000Z' }),
    );
    await resources.saveConversation(
      'acme',
      conversation({ authorisationId: 'a2', startedAt: '2026-11-21T11:00:00.000Z' }),
    );
    await resources.saveConversation('acme', conversation({ parent: { kind: 'payment', id: 'p11' } }));
    await resources.saveConversation('acme', conversation({ parent: { kind: 'consent', id: 'p1' } }));
    await resources.saveConversation('other', conversation());
    const all = await resources.conversations('acme', 'payment', 'p1');
    expect(all.map((one) => [one.parent.kind, one.authorisationId, one.scaStatus])).toEqual([
      ['cancellation', 'a1', undefined],
      ['payment', 'a2', undefined],
      ['payment', 'a1', 'finalised'],
    ]);
    expect(await resources.conversations('acme', 'consent', 'p1')).toHaveLength(1);
  });

  it('replace a conversation that gets its id later', async () => {
    const resources = open();
    await resources.saveConversation('acme', conversation());
    await resources.saveConversation('acme', conversation({ authorisationId: 'a1' }));
    await resources.saveConversation('acme', conversation({ startedAt: '2026-11-21T11:00:00.000Z' }));
    const all = await resources.conversations('acme', 'payment', 'p1');
    expect(all.map((one) => one.authorisationId)).toEqual([undefined, 'a1']);
  });

  it('keep the starts of several PSUs apart until they get their ids', async () => {
    const resources = open();
    await resources.saveConversation('acme', conversation());
    for (const psuId of ['anna', 'Bert']) await resources.saveConversation('acme', conversation({ psuId }));
    await resources.saveConversation('acme', conversation({ psuId: 'Bert', authorisationId: 'a1' }));
    const all = await resources.conversations('acme', 'payment', 'p1');
    expect(all.map((one) => [one.psuId, one.authorisationId]).sort()).toEqual([
      ['Bert', 'a1'],
      ['anna', undefined],
    ]);
  });

  it('find the conversations of any id', async () => {
    const resources = open();
    for (const id of ids)
      await resources.saveConversation(
        'acme',
        conversation({ parent: { kind: 'payment', id }, authorisationId: id }),
      );
    for (const id of ids) {
      const found = await resources.conversations('acme', 'payment', id);
      expect(found.map((one) => [one.parent.id, one.authorisationId])).toEqual([[id, id]]);
    }
  });

  it('return values that are the caller’s own', async () => {
    const resources = open();
    const saved = resource();
    await resources.save(saved);
    (saved.links as Record<string, string>)['self'] = 'changed';
    const read = await resources.find('acme', 'payment', 'p1');
    expect(read).toEqual(resource());
  });
});

it('a list of resources in SQLite that is left early reads only what it has shown, and ids read nothing', async () => {
  const { stateDir } = freshHome();
  const open = () => stateOn(homeEngines(stateDir), { run: 'run', clock: fakeClock() }).resources;
  const resources = open();
  await resources.save(resource({ id: 'p-newest', createdAt: '2026-11-21T10:00:00.000Z' }));
  for (let at = 0; at < 600; at += 1)
    await resources.save(resource({ id: `p-old-${String(at)}`, createdAt: '2025-11-21T10:00:00.000Z' }));
  // Whoever opens one of them fails.
  plantInto(stateDir, 'state', 'UPDATE resource SET record = ?1 WHERE created_at < 1767225600000', [
    Buffer.from('x'),
  ]);
  for (let at = 0; at < 499; at += 1)
    await resources.save(resource({ id: `p-new-${String(at)}`, createdAt: '2026-11-21T09:00:00.000Z' }));
  const again = open();
  expect(await again.ids('acme')).toHaveLength(1_100);
  for await (const some of await again.batches('acme', 'payment')) {
    expect(some).toHaveLength(500);
    expect(some[0]?.id).toBe('p-newest');
    break;
  }
});

describe.skipIf(!hasPostgres())('many resources in postgres', () => {
  afterEach(() => shared.end());

  it('show which another machine has made, whoever has changed them since', async () => {
    shared.empty();
    const database = shared.open();
    const [here, there] = [
      fleetIn(database, { stateDir: 'here' }).resources,
      fleetIn(database, { stateDir: 'there' }).resources,
    ];
    await here.save(resource({ id: 'mine', createdAt: '2026-11-23T10:00:00.000Z' }));
    await there.save(resource({ id: 'other', createdAt: '2026-11-23T11:00:00.000Z' }));
    const [other] = await here.list('acme', 'payment', 1);
    expect(other).toMatchObject({ id: 'other', elsewhere: true });
    await here.save({ ...other!, status: 'ACSC' });
    expect(await here.find('acme', 'payment', 'other')).toMatchObject({ status: 'ACSC', elsewhere: true });
    expect(await there.find('acme', 'payment', 'other')).not.toHaveProperty('elsewhere');
    const newest = async (of: typeof here) =>
      (await newestHere(of, 'acme', 'payment', 2)).map(({ id }) => id);
    expect([await newest(here), await newest(there)]).toEqual([['mine'], ['other']]);
  });

  it('are listed in batches, each once, though many are of the same time', async () => {
    shared.empty();
    const resources = fleetIn(shared.open(), { stateDir: 'here' }).resources;
    for (let at = 0; at < 505; at++) await resources.save(resource({ id: `p${String(at)}` }));
    const found: string[][] = [];
    for await (const some of await resources.batches('acme', 'payment')) found.push(some.map(({ id }) => id));
    expect(found.map(({ length }) => length)).toEqual([500, 5]);
    expect(found.flat()).toEqual((await resources.list('acme', 'payment')).map(({ id }) => id));
  });
});
