import { describe, expect, it } from 'vitest';
import { createStore } from '../../../src/adapters/conf-store.ts';
import type { Store } from '../../../src/ports/store.ts';
import { Secret } from '../../../src/secret.ts';
import { conversation, freshHome, profile, resource } from '../../helpers/adapter-homes.ts';
import { fakeClock, memoryStore } from '../../helpers/fakes/index.ts';

const drivers: [string, () => Store][] = [
  ['in memory', () => memoryStore()],
  ['in files', () => createStore({ ...freshHome(), clock: fakeClock() })],
];

describe.each(drivers)('a store %s', (_name, open) => {
  it('starts with nothing', async () => {
    const store = open();
    expect(await store.settings()).toEqual({ schemaVersion: 1, environments: 'given', profiles: {} });
    expect(await store.credentials('acme')).toEqual({});
    expect(await store.resources('acme', 'payment')).toEqual([]);
    expect(await store.resource('acme', 'payment', 'p1')).toBeUndefined();
    expect(await store.conversations('acme', 'payment', 'p1')).toEqual([]);
  });

  it('keeps settings, and gives a change what was there before', async () => {
    const store = open();
    await store.updateSettings((before) => ({ ...before, profiles: { acme: profile } }));
    const after = await store.updateSettings((before) => ({
      ...before,
      activeProfile: 'acme',
      profiles: { ...before.profiles, other: { ...profile, environment: 'production' } },
    }));
    expect(after).toEqual(await store.settings());
    expect(after).toEqual({
      schemaVersion: 1,
      environments: 'given',
      activeProfile: 'acme',
      profiles: { acme: profile, other: { ...profile, environment: 'production' } },
    });
  });

  it('leaves everything as it was when a change throws', async () => {
    const store = open();
    await store.updateSettings((before) => ({ ...before, profiles: { acme: profile } }));
    const wrong = store.updateSettings(() => {
      throw new Error('no');
    });
    await expect(wrong).rejects.toThrow('no');
    expect(Object.keys((await store.settings()).profiles)).toEqual(['acme']);
  });

  it.each([
    '',
    'A',
    'a.b',
    '../a',
    'a/b',
    'é',
    '__proto__',
    '-a',
    'a'.repeat(65),
    'con',
    'lpt1',
    'nul',
    ' a',
  ])('refuses the profile name %j everywhere', async (name) => {
    const store = open();
    const refused = { code: 'PROFILE_INVALID', exit: 3 };
    const settings = store.updateSettings((before) => ({
      ...before,
      profiles: Object.fromEntries([[name, profile]]),
    }));
    await expect(settings).rejects.toMatchObject(refused);
    await expect(store.credentials(name)).rejects.toMatchObject(refused);
    await expect(store.updateCredentials(name, (before) => before)).rejects.toMatchObject(refused);
    await expect(store.saveResource(resource({ profile: name }))).rejects.toMatchObject(refused);
    await expect(store.resources(name, 'payment')).rejects.toMatchObject(refused);
    await expect(store.resource(name, 'payment', 'p1')).rejects.toMatchObject(refused);
    await expect(store.saveConversation(name, conversation())).rejects.toMatchObject(refused);
    await expect(store.conversations(name, 'payment', 'p1')).rejects.toMatchObject(refused);
    expect(await store.settings()).toEqual({ schemaVersion: 1, environments: 'given', profiles: {} });
  });

  it.each(['constructor', 'tostring', 'a', '0', 'a-b_c', 'a'.repeat(64)])(
    'keeps the profile name %s apart',
    async (name) => {
      const store = open();
      expect((await store.settings()).profiles[name]).toBeUndefined();
      expect(await store.credentials(name)).toEqual({});
      await store.updateCredentials(name, () => ({ consentId: name }));
      expect(await store.credentials(name)).toEqual({ consentId: name });
      expect(await store.credentials('other')).toEqual({});
    },
  );

  it('keeps a token as a secret, and takes it away again', async () => {
    const store = open();
    await store.updateCredentials('acme', (before) => ({ ...before, token: new Secret('t0k3n') }));
    await store.updateCredentials('acme', (before) => ({ ...before, consentId: 'c1' }));
    const { token, consentId } = await store.credentials('acme');
    expect({ token: token?.reveal(), consentId }).toEqual({ token: 't0k3n', consentId: 'c1' });
    await store.updateCredentials('acme', () => ({}));
    expect(await store.credentials('acme')).toEqual({});
  });

  it('says where tokens are kept, and forgets all of a profile', async () => {
    const store = open();
    expect(await store.tokenStore('acme')).toBe('file');
    await store.updateSettings((before) => ({
      ...before,
      profiles: { acme: { ...profile, tokenStore: 'keyring' } },
    }));
    expect(await store.tokenStore('acme')).toBe('keyring');
    expect(await store.tokenStore('other')).toBe('file');
    for (const name of ['acme', 'other']) await store.updateCredentials(name, () => ({ consentId: name }));
    await store.forgetCredentials('acme');
    expect(await store.credentials('acme')).toEqual({});
    expect(await store.credentials('other')).toEqual({ consentId: 'other' });
  });

  it('keeps tokens of resources and verifiers as secrets', async () => {
    const store = open();
    const at = '2026-11-21T09:00:00.000Z';
    const token = new Secret('t-0123456789');
    const refreshToken = new Secret('r-0123456789');
    await store.updateCredentials('acme', () => ({
      tokens: [{ resource: 'pay-1', authorisationId: 'auth-1', token, refreshToken, expiresAt: at }],
      verifiers: [{ state: 's-1', verifier: new Secret('v-0123456789'), at }],
    }));
    const { tokens, verifiers } = await store.credentials('acme');
    expect(tokens).toMatchObject([{ resource: 'pay-1', authorisationId: 'auth-1', expiresAt: at }]);
    expect(tokens?.[0]?.token.reveal()).toBe('t-0123456789');
    expect(tokens?.[0]?.refreshToken?.reveal()).toBe('r-0123456789');
    expect(verifiers?.[0]?.verifier.reveal()).toBe('v-0123456789');
    expect(JSON.stringify([tokens, verifiers])).not.toContain('0123456789');
  });

  it('lets one action of a name run at a time, and the next after one that failed', async () => {
    const store = open();
    let inside = 0;
    const action = async () => {
      inside += 1;
      expect(inside).toBe(1);
      await Promise.resolve();
      inside -= 1;
      throw new Error('over');
    };
    const all = Array.from({ length: 4 }, () => store.exclusively('refresh-acme', 60_000, action));
    for (const one of await Promise.allSettled(all))
      expect(one).toMatchObject({ reason: { message: 'over' } });
  });

  it('keeps resources, newest first, and replaces by id', async () => {
    const store = open();
    const at = (hour: string) => `2026-11-21T${hour}:00:00.000Z`;
    await store.saveResource(resource({ id: 'p2', createdAt: at('11') }));
    await store.saveResource(resource({ id: 'p1', createdAt: at('10') }));
    await store.saveResource(resource({ id: 'p3', createdAt: at('12') }));
    await store.saveResource(resource({ id: 'p1', createdAt: at('10'), status: 'ACSC' }));
    await store.saveResource(resource({ id: 'c1', noun: 'consent' }));
    await store.saveResource(resource({ id: 'p9', profile: 'other' }));
    const all = await store.resources('acme', 'payment');
    expect(all.map(({ id, status }) => [id, status])).toEqual([
      ['p3', undefined],
      ['p2', undefined],
      ['p1', 'ACSC'],
    ]);
    expect(await store.resource('acme', 'payment', 'p1')).toEqual(
      resource({ id: 'p1', createdAt: at('10'), status: 'ACSC' }),
    );
    expect(await store.resource('acme', 'consent', 'p1')).toBeUndefined();
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

  it('finds any id, and no other for it', async () => {
    const store = open();
    for (const id of ids) await store.saveResource(resource({ id }));
    for (const id of ids) expect((await store.resource('acme', 'payment', id))?.id).toBe(id);
    expect(await store.resource('acme', 'payment', 'ABC')).toBeUndefined();
    expect(await store.resources('acme', 'payment')).toHaveLength(ids.length);
  });

  it('gives one key of this machine', async () => {
    const store = open();
    const key = await store.machineKey();
    expect(key.reveal()).toMatch(/^[0-9a-f]{64}$/);
    expect((await store.machineKey()).reveal()).toBe(key.reveal());
  });

  it('keeps conversations by parent, kind and authorisation, newest first', async () => {
    const store = open();
    const cancellation = { kind: 'cancellation', id: 'p1' } as const;
    await store.saveConversation('acme', conversation({ authorisationId: 'a1' }));
    await store.saveConversation('acme', conversation({ authorisationId: 'a1', scaStatus: 'finalised' }));
    await store.saveConversation(
      'acme',
      conversation({ authorisationId: 'a1', parent: cancellation, startedAt: '2026-11-21T12:00:00.000Z' }),
    );
    await store.saveConversation(
      'acme',
      conversation({ authorisationId: 'a2', startedAt: '2026-11-21T11:00:00.000Z' }),
    );
    await store.saveConversation('acme', conversation({ parent: { kind: 'payment', id: 'p11' } }));
    await store.saveConversation('acme', conversation({ parent: { kind: 'consent', id: 'p1' } }));
    await store.saveConversation('other', conversation());
    const all = await store.conversations('acme', 'payment', 'p1');
    expect(all.map((one) => [one.parent.kind, one.authorisationId, one.scaStatus])).toEqual([
      ['cancellation', 'a1', undefined],
      ['payment', 'a2', undefined],
      ['payment', 'a1', 'finalised'],
    ]);
    expect(await store.conversations('acme', 'consent', 'p1')).toHaveLength(1);
  });

  it('replaces a conversation that gets its id later', async () => {
    const store = open();
    await store.saveConversation('acme', conversation());
    await store.saveConversation('acme', conversation({ authorisationId: 'a1' }));
    await store.saveConversation('acme', conversation({ startedAt: '2026-11-21T11:00:00.000Z' }));
    const all = await store.conversations('acme', 'payment', 'p1');
    expect(all.map((one) => one.authorisationId)).toEqual([undefined, 'a1']);
  });

  it('keeps the starts of several PSUs apart until they get their ids', async () => {
    const store = open();
    await store.saveConversation('acme', conversation());
    for (const psuId of ['anna', 'Bert']) await store.saveConversation('acme', conversation({ psuId }));
    await store.saveConversation('acme', conversation({ psuId: 'Bert', authorisationId: 'a1' }));
    const all = await store.conversations('acme', 'payment', 'p1');
    expect(all.map((one) => [one.psuId, one.authorisationId]).sort()).toEqual([
      ['Bert', 'a1'],
      ['anna', undefined],
    ]);
  });

  it('gives each picture a name of its own, and removes it', async () => {
    const store = open();
    const paths = [
      await store.savePicture(Buffer.from('one'), 'png'),
      await store.savePicture(Buffer.from('two'), 'png'),
    ];
    expect(new Set(paths).size).toBe(2);
    for (const path of paths) expect(path).toMatch(/^\/.*\.png$/);
    for (const path of [...paths, ...paths]) await store.removePicture(path);
  });

  it('finds the conversations of any id', async () => {
    const store = open();
    for (const id of ids)
      await store.saveConversation(
        'acme',
        conversation({ parent: { kind: 'payment', id }, authorisationId: id }),
      );
    for (const id of ids) {
      const found = await store.conversations('acme', 'payment', id);
      expect(found.map((one) => [one.parent.id, one.authorisationId])).toEqual([[id, id]]);
    }
  });

  it('gives values that are the caller’s own', async () => {
    const store = open();
    const saved = resource();
    await store.saveResource(saved);
    (saved.links as Record<string, string>)['self'] = 'changed';
    const read = await store.resource('acme', 'payment', 'p1');
    expect(read).toEqual(resource());
  });
});
