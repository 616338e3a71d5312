import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { CredentialStore } from '../../client/ports/credentials.ts';
import type { Credentials } from '../../settings/records/credentials.ts';
import type { TokenStore } from '../../settings/records/profile.ts';
import { keyringMemory } from './keyring-memory.ts';
import { checkProfileName } from '../../base/check-profile-name.ts';
import type { KeyringOptions } from './secret-stores.ts';
import type { SettingsFile } from '../settings/settings-file.ts';
import { fromCredentials, secretsIn, toCredentials } from '../settings/settings-shape.ts';
import type { StoredCredentials, StoredEntry, StoredSecret } from '../settings/settings-shape.ts';

/** The new entry for a profile in the file, and the ids of the keyring entries made for it. */
interface Change {
  after: StoredEntry;
  made: readonly string[];
}

/** The credentials of profiles, each secret in the file or as an entry of the keyring of its own. */
export function keptCredentials(options: {
  file: SettingsFile<StoredCredentials>;
  keyring: KeyringOptions;
  /** The token store that the settings choose for a profile. */
  chosen: (profile: string) => Promise<TokenStore | undefined>;
  warn: (message: string) => void;
}): Omit<CredentialStore, 'machineKey'> {
  const { file, keyring, chosen, warn } = options;
  const memory = keyringMemory(keyring);
  const told = keyring.env['OBK_TOKEN_STORE'] ?? '';

  async function storeOf(profile: string): Promise<TokenStore> {
    if (told === '') return (await chosen(profile)) ?? 'file';
    if (told === 'file' || told === 'keyring') return told;
    throw new ObkError({
      code: 'USAGE',
      title: 'OBK_TOKEN_STORE takes file or keyring.',
      detail: `It is ${JSON.stringify(told)}.`,
    });
  }

  /** The command or variable that would keep tokens in the file; the variable overrides the setting. */
  const otherwise = (profile: string) =>
    told === '' ? line`obk config set tokenStore file --profile ${profile}` : 'OBK_TOKEN_STORE=file';

  const reveal = (secret: StoredSecret) =>
    typeof secret === 'string' ? secret : memory.value(secret.keyring);

  async function look(profile: string, entry: StoredEntry | undefined): Promise<readonly string[]> {
    const gone = await memory.look(idsIn(entry));
    if ('failed' in gone) throw unreadable(profile, gone.failed);
    return gone;
  }

  async function read(profile: string): Promise<StoredEntry | undefined> {
    for (;;) {
      const entry = file.read().profiles[profile];
      const gone = await look(profile, entry);
      // Another process may have put newer ones in their place meanwhile.
      if (gone.length > 0 && !isDeepStrictEqual(file.read().profiles[profile], entry)) continue;
      memory.lose(gone);
      for (const id of gone) warn(`The keyring has no entry ${id} of the service obk any more.`);
      return entry;
    }
  }

  /** Makes entries of those secrets that have none yet. */
  async function inKeyring(profile: string, credentials: Credentials, before?: StoredEntry): Promise<Change> {
    const ids = new Map(idsIn(before).map((id) => [memory.value(id), id]));
    const made: [id: string, value: string][] = [];
    const after = fromCredentials(credentials, (secret) => {
      const value = secret.reveal();
      const id = ids.get(value) ?? `token/${profile}/${randomUUID()}`;
      if (!ids.has(value)) made.push([id, value]);
      ids.set(value, id);
      return { keyring: id };
    });
    const failed = await memory.add(made);
    if (failed !== undefined) throw unwritable(failed.failed, otherwise(profile));
    return { after, made: made.map(([id]) => id) };
  }

  async function drop(ids: readonly string[]): Promise<void> {
    const failed = await memory.drop(ids);
    if (failed === undefined) return;
    warn(`The keyring keeps ${ids.join(', ')} of the service obk, no longer used: ${failed.failed}.`);
  }

  /** Replaces the entry of a profile, then removes what it does not refer to any more. */
  async function replace(
    profile: string,
    change: (before: StoredEntry | undefined) => Promise<Change>,
  ): Promise<void> {
    checkProfileName(profile);
    let made: readonly string[] = [];
    let before: StoredEntry | undefined;
    let after: StoredEntry = {};
    try {
      await file.update(async (all) => {
        const profiles = Object.assign(Object.create(null) as typeof all.profiles, all.profiles);
        before = profiles[profile];
        ({ after, made } = await change(before));
        if (Object.keys(after).length > 0) profiles[profile] = after;
        else Reflect.deleteProperty(profiles, profile);
        return { ...all, profiles };
      });
    } catch (error) {
      await drop(made);
      throw error;
    }
    const now = idsIn(after);
    await drop(idsIn(before).filter((id) => !now.includes(id)));
    // The copy of the version before would go on telling what has moved away.
    if (isPlain(before) && now.length > 0) await file.update((all) => all);
  }

  const update = (profile: string, place: TokenStore, change: (before: Credentials) => Credentials) =>
    replace(profile, async (before) => {
      await look(profile, before);
      const changed = change(toCredentials(before, reveal));
      if (place === 'keyring') return inKeyring(profile, changed, before);
      return { after: fromCredentials(changed, (secret) => secret.reveal()), made: [] };
    });

  /** A keyring that takes nothing is found out before there is a token to lose. */
  async function probe(profile: string): Promise<void> {
    const id = `probe/${randomUUID()}`;
    const failed = (await memory.add([[id, 'obk']])) ?? (await memory.drop([id]));
    if (failed !== undefined) throw unwritable(failed.failed, otherwise(profile));
  }

  return {
    read: async (profile) => toCredentials(await read(checkProfileName(profile)), reveal),
    update: async (profile, change) => update(profile, await storeOf(checkProfileName(profile)), change),
    tokenStore: async (profile) => storeOf(checkProfileName(profile)),
    moveTokens: async (profile, to) => {
      if (to === 'keyring') await probe(profile);
      if (secretsIn(file.read().profiles[checkProfileName(profile)]).length > 0)
        await update(profile, to, (before) => before);
    },
    forget: async (profile) => {
      await replace(profile, () => Promise.resolve({ after: {}, made: [] }));
      // Write twice: each write keeps the previous version as .bak, so only the second removes the secret from the
      // backup too.
      await file.update((all) => all);
    },
  };
}

function idsIn(entry: StoredEntry | undefined): string[] {
  return secretsIn(entry).flatMap((one) => (typeof one === 'string' ? [] : [one.keyring]));
}

function isPlain(entry: StoredEntry | undefined): boolean {
  return secretsIn(entry).some((one) => typeof one === 'string');
}

function unreadable(profile: string, why: string): ObkError {
  return new ObkError({
    code: 'TOKEN_STORE',
    title: `The tokens of the profile ${profile} are in the keyring of this system, which does not release them.`,
    detail: `The keyring cannot be used: ${why}.`,
    hint: [
      'Unlock the keyring, or run obk within the desktop session that has it.',
      line`obk auth logout --all --profile ${profile}   # if it is gone for good: forgets the tokens`,
    ],
  });
}

function unwritable(why: string, otherwise: string): ObkError {
  return new ObkError({
    code: 'TOKEN_STORE',
    title: 'The keyring of this system did not store the token, and it was not written elsewhere.',
    detail: `The keyring cannot be used: ${why}.`,
    hint: [
      'Unlock the keyring, or run obk within the desktop session that has it.',
      `${otherwise}   # plainly in credentials.json, mode 0600`,
    ],
  });
}
