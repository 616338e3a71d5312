import { afterEach, describe, expect, it } from 'vitest';
import { createCredentials } from '../../../src/adapters/secrets/conf-credentials.ts';
import { postgresCredentials } from '../../../src/adapters/postgres/postgres-credentials.ts';
import type { CredentialStore } from '../../../src/client/ports/credentials.ts';
import type { SettingsStore } from '../../../src/client/ports/settings.ts';
import { Secret } from '../../../src/base/secret.ts';
import { freshHome, profile, refusedNames } from '../../helpers/adapter-homes.ts';
import { fakeClock, memoryCredentials, memorySettings } from '../../helpers/fakes/index.ts';
import { testDatabase, testVault } from '../../helpers/postgres.ts';
import { withItsServer } from './state-homes.ts';

const shared = testDatabase();
afterEach(() => shared.end());

/** Where the tokens are that no setting puts elsewhere. */
const drivers: [string, (settings?: SettingsStore) => CredentialStore, usual?: 'database'][] = [
  ['in memory', memoryCredentials],
  [
    'in postgres',
    (settings) => {
      shared.empty();
      return postgresCredentials({
        ...{ database: shared.open(), vault: testVault() },
        chosen: async (name) => (await settings?.read())?.profiles[name]?.tokenStore,
      });
    },
    'database',
  ],
  [
    'in files',
    (settings) =>
      createCredentials({
        ...freshHome(),
        clock: fakeClock(),
        chosen: async (name) => (await settings?.read())?.profiles[name]?.tokenStore,
      }),
  ],
];

describe.each(drivers)('the credentials %s', (name, open, usual) => {
  withItsServer(name);

  it('contain nothing at first', async () => {
    expect(await open().read('acme')).toEqual({});
  });

  it.each(refusedNames)('refuse the profile name %j', async (name) => {
    const credentials = open();
    const refused = { code: 'PROFILE_INVALID', exit: 3 };
    await expect(credentials.read(name)).rejects.toMatchObject(refused);
    await expect(credentials.update(name, (before) => before)).rejects.toMatchObject(refused);
  });

  it.each(['constructor', 'tostring', 'a', '0', 'a-b_c', 'a'.repeat(64)])(
    'keep the profile name %s apart',
    async (name) => {
      const credentials = open();
      expect(await credentials.read(name)).toEqual({});
      await credentials.update(name, () => ({ consentId: name }));
      expect(await credentials.read(name)).toEqual({ consentId: name });
      expect(await credentials.read('other')).toEqual({});
    },
  );

  it('keep a token as a secret, and remove it again', async () => {
    const credentials = open();
    await credentials.update('acme', (before) => ({ ...before, token: new Secret('t0k3n') }));
    await credentials.update('acme', (before) => ({ ...before, consentId: 'c1' }));
    const { token, consentId } = await credentials.read('acme');
    expect({ token: token?.reveal(), consentId }).toEqual({ token: 't0k3n', consentId: 'c1' });
    await credentials.update('acme', () => ({}));
    expect(await credentials.read('acme')).toEqual({});
  });

  it('keep tokens of resources and verifiers as secrets', async () => {
    const credentials = open();
    const at = '2026-11-21T09:00:00.000Z';
    const token = new Secret('t-0123456789');
    const refreshToken = new Secret('r-0123456789');
    await credentials.update('acme', () => ({
      tokens: [{ resource: 'pay-1', authorisationId: 'auth-1', token, refreshToken, expiresAt: at }],
      verifiers: [{ state: 's-1', verifier: new Secret('v-0123456789'), at }],
    }));
    const { tokens, verifiers } = await credentials.read('acme');
    expect(tokens).toMatchObject([{ resource: 'pay-1', authorisationId: 'auth-1', expiresAt: at }]);
    expect(tokens?.[0]?.token.reveal()).toBe('t-0123456789');
    expect(tokens?.[0]?.refreshToken?.reveal()).toBe('r-0123456789');
    expect(verifiers?.[0]?.verifier.reveal()).toBe('v-0123456789');
    expect(JSON.stringify([tokens, verifiers])).not.toContain('0123456789');
  });

  it('give one key of this machine', async () => {
    const credentials = open();
    const key = await credentials.machineKey();
    expect(key.reveal()).toMatch(/^[0-9a-f]{64}$/);
    expect((await credentials.machineKey()).reveal()).toBe(key.reveal());
  });

  it('state where tokens are kept, and forget all of a profile', async () => {
    const settings = memorySettings();
    const credentials = open(settings);
    expect(await credentials.tokenStore('acme')).toBe(usual ?? 'file');
    await settings.update((before) => ({
      ...before,
      profiles: { acme: { ...profile, tokenStore: 'keyring' } },
    }));
    expect(await credentials.tokenStore('acme')).toBe('keyring');
    expect(await credentials.tokenStore('other')).toBe(usual ?? 'file');
    for (const name of ['acme', 'other']) await credentials.update(name, () => ({ consentId: name }));
    await credentials.forget('acme');
    expect(await credentials.read('acme')).toEqual({});
    expect(await credentials.read('other')).toEqual({ consentId: 'other' });
  });
});
