import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { CredentialStore } from '../../client/ports/credentials.ts';
import type { Credentials } from '../../settings/records/credentials.ts';
import type { TokenStore } from '../../settings/records/profile.ts';
import { Secret } from '../../base/secret.ts';
import { checkProfileName } from '../../base/check-profile-name.ts';
import { fromCredentials, toCredentials } from '../settings/settings-shape.ts';
import type { StoredEntry } from '../settings/settings-shape.ts';
import type { Database } from './database.ts';
import { isLeftOut, openIn, sealIn, unopened } from '../../client/state/sealed-rows.ts';
import { fleetCodec, makeSharedKey, sentKey } from './own-key.ts';
import type { FleetCodec } from './own-key.ts';
import { credentials as table, sharedKeys } from './schema.ts';
import type { Vault } from './vault.ts';

interface Found {
  record: Buffer;
}

/** One sealed row for each profile, locked while it is changed, and one for the key by which machines know what was sent. */
export function postgresCredentials(options: {
  database: Database;
  vault: Vault;
  /** The token store that the settings choose for a profile: a keyring is that of one machine. */
  chosen: (profile: string) => Promise<TokenStore | undefined>;
  /** Counts the rows whose key this run does not have; without it the vault is all that opens. */
  codec?: FleetCodec;
}): CredentialStore {
  const { database, vault, chosen, codec = fleetCodec(vault) } = options;

  const plain = (secret: unknown) => (typeof secret === 'string' ? secret : undefined);

  function credentialsIn(profile: string, found: Found | undefined): Credentials {
    if (found === undefined) return {};
    const row = { profile, record: found.record };
    const entry = openIn(codec, table, 'record', row) as StoredEntry | undefined;
    if (entry !== undefined) return toCredentials(entry, plain);
    isLeftOut(codec, table, row);
    throw unopened(codec, table, row, () => damaged(`obk.credential ${profile}`));
  }

  const seal = (profile: string, credentials: Credentials) =>
    sealIn(
      ...([codec, table, 'record', { profile }] as const),
      fromCredentials(credentials, (secret) => secret.reveal()),
    );

  const storeOf = async (profile: string) =>
    (await chosen(checkProfileName(profile))) === 'keyring' ? 'keyring' : 'database';

  async function forget(profile: string): Promise<void> {
    // The row stays: who waits for it would else find none, and lose what it writes.
    await database.again(() =>
      database.rows(
        `INSERT INTO credential (profile, record) VALUES ($1, $2)
         ON CONFLICT (profile) DO UPDATE SET record = excluded.record`,
        [checkProfileName(profile), seal(profile, {})],
      ),
    );
  }

  return {
    tokenStore: storeOf,
    forget,

    read: async (profile) => {
      checkProfileName(profile);
      const [row] = await database.again(() =>
        database.rows<Found>('SELECT record FROM credential WHERE profile = $1', [profile]),
      );
      return credentialsIn(profile, row);
    },

    update: async (profile, change) => {
      const store = await storeOf(profile);
      await database.again(() =>
        database.transaction(async () => {
          // Who comes second waits here for the first, whether there is a row or not.
          await database.rows(
            'INSERT INTO credential (profile, record) VALUES ($1, $2) ON CONFLICT (profile) DO NOTHING',
            [profile, seal(profile, {})],
          );
          const [row] = await database.rows<Found>(
            'SELECT record FROM credential WHERE profile = $1 FOR UPDATE',
            [profile],
          );
          const after = change(credentialsIn(profile, row));
          if (store === 'keyring' && secretsOf(after)) throw notShared(profile);
          await database.rows('UPDATE credential SET record = $2 WHERE profile = $1', [
            profile,
            seal(profile, after),
          ]);
        }),
      );
    },

    moveTokens: (profile, to) =>
      to === 'keyring' ? Promise.reject(notShared(checkProfileName(profile))) : Promise.resolve(),

    machineKey: () =>
      database.again(async () => {
        await makeSharedKey(database, vault);
        const [row] = await database.rows<Found>('SELECT record FROM shared_key WHERE name = $1', [sentKey]);
        const its = { name: sentKey, record: row?.record ?? null };
        const found = openIn(codec, sharedKeys, 'record', its) as { key?: unknown } | undefined;
        if (typeof found?.key === 'string') return new Secret(found.key);
        throw unopened(codec, sharedKeys, its, () => damaged('obk.shared_key'));
      }),
  };
}

function secretsOf({ token, tokens = [], verifiers = [] }: Credentials): boolean {
  return token !== undefined || tokens.length > 0 || verifiers.length > 0;
}

function notShared(profile: string): ObkError {
  return new ObkError({
    code: 'TOKEN_STORE',
    title: 'A keyring is that of one machine, and the state of this profile is shared.',
    detail: `With state.store postgres the tokens of the profile ${profile} are in the database, sealed.`,
    hint: [line`obk config set tokenStore file --profile ${profile}   # in the database then`],
  });
}

function damaged(where: string): ObkError {
  return new ObkError({
    code: 'STATE_UNREADABLE',
    title: 'The credentials cannot be read.',
    detail: `${where}: the row does not hold what obk wrote.`,
  });
}
