import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { ObkError } from '../errors.ts';
import type { Store, TokenStore } from '../ports.ts';
import { promised } from './file-errors.ts';
import { checkProfileName } from './safe-name.ts';
import type { KeyringOptions, KeyringReply, KeyringRequest } from './secret-stores.ts';
import type { SettingsFile } from './settings-file.ts';
import { fromCredentials, secretsIn, toCredentials } from './settings-shape.ts';
import type { StoredCredentials, StoredEntry } from './settings-shape.ts';

type Kept = Pick<
  Store,
  'credentials' | 'updateCredentials' | 'tokenStore' | 'moveTokens' | 'forgetCredentials'
>;

/**
 * The credentials of profiles, each secret in the file or as an entry of the keyring of its own. An entry is never
 * changed, so what was read of it once holds for the run.
 */
export function keptCredentials(options: {
  file: SettingsFile<StoredCredentials>;
  keyring: KeyringOptions;
  /** What the settings say of a profile. */
  chosen: (profile: string) => TokenStore | undefined;
  warn: (message: string) => void;
}): Kept {
  const { file, keyring, chosen, warn } = options;
  const seen = new Map<string, string>();
  const lost = new Set<string>();
  let hanging: KeyringReply | undefined;

  /** A keyring that hung once is not waited for again. */
  async function ask(request: KeyringRequest): Promise<KeyringReply> {
    if (hanging !== undefined) return hanging;
    const { askKeyring } = await import('./secret-stores.ts');
    const reply = await askKeyring(request, keyring);
    if ('hangs' in reply) hanging = reply;
    return reply;
  }

  function storeOf(profile: string): TokenStore {
    const told = keyring.env['OBK_TOKEN_STORE'] ?? '';
    if (told === '') return chosen(profile) ?? 'file';
    if (told === 'file' || told === 'keyring') return told;
    throw new ObkError({
      code: 'USAGE',
      title: 'OBK_TOKEN_STORE takes file or keyring.',
      detail: `It is ${JSON.stringify(told)}.`,
    });
  }

  /** Reads the entries that were not read yet; gives the ids of those that are gone. */
  async function look(profile: string, entry: StoredEntry | undefined): Promise<string[]> {
    const unread = idsIn(entry).filter((id) => !seen.has(id) && !lost.has(id));
    if (unread.length === 0) return [];
    const reply = await ask({ get: unread });
    if ('failed' in reply) throw unreadable(profile, reply.failed);
    unread.forEach((id, at) => {
      const value = reply.values[at] ?? null;
      if (value !== null) seen.set(id, value);
    });
    return unread.filter((id) => !seen.has(id));
  }

  const reveal = (secret: string | { keyring: string }) =>
    typeof secret === 'string' ? secret : seen.get(secret.keyring);

  async function read(profile: string): Promise<StoredEntry | undefined> {
    for (;;) {
      const entry = file.read().profiles[profile];
      const gone = await look(profile, entry);
      // Another process may have put newer ones in their place meanwhile.
      if (gone.length > 0 && !isDeepStrictEqual(file.read().profiles[profile], entry)) continue;
      for (const id of gone) lost.add(id);
      for (const id of gone) warn(`The keyring has no entry ${id} of the service obk any more.`);
      return entry;
    }
  }

  /** Keeps every secret in `place`: one that an entry holds already stays there. */
  async function kept(
    profile: string,
    place: TokenStore,
    credentials: Parameters<typeof fromCredentials>[0],
    before: StoredEntry | undefined,
  ): Promise<{ after: StoredEntry; made: string[] }> {
    if (place === 'file')
      return { after: fromCredentials(credentials, (secret) => secret.reveal()), made: [] };
    const ids = new Map(idsIn(before).map((id) => [seen.get(id), id]));
    const set: [id: string, value: string][] = [];
    const after = fromCredentials(credentials, (secret) => {
      const value = secret.reveal();
      const id = ids.get(value) ?? `token/${profile}/${randomUUID()}`;
      if (!ids.has(value)) set.push([id, value]);
      ids.set(value, id);
      return { keyring: id };
    });
    if (set.length > 0) {
      const reply = await ask({ set });
      if ('failed' in reply) throw unwritable(profile, reply.failed);
      for (const [id, value] of set) seen.set(id, value);
    }
    return { after, made: set.map(([id]) => id) };
  }

  async function drop(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const reply = await ask({ drop: ids });
    if (!('failed' in reply)) return;
    warn(`The keyring keeps ${ids.join(', ')} of the service obk, which is used no more: ${reply.failed}.`);
  }

  /** Replaces the entry of a profile, then removes what it does not refer to any more. */
  async function replace(
    profile: string,
    change: (before: StoredEntry | undefined) => Promise<{ after: StoredEntry; made: string[] }>,
  ): Promise<void> {
    checkProfileName(profile);
    const made: string[] = [];
    let before: StoredEntry | undefined;
    let after: StoredEntry = {};
    try {
      await file.update(async (all) => {
        const profiles = Object.assign(Object.create(null) as typeof all.profiles, all.profiles);
        before = profiles[profile];
        const changed = await change(before);
        made.push(...changed.made);
        after = changed.after;
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

  const update: (
    profile: string,
    place: TokenStore,
    change: Parameters<Kept['updateCredentials']>[1],
  ) => Promise<void> = (profile, place, change) =>
    replace(profile, async (before) => {
      await look(profile, before);
      return kept(profile, place, change(toCredentials(before, reveal)), before);
    });

  return {
    credentials: async (profile) => toCredentials(await read(checkProfileName(profile)), reveal),
    updateCredentials: async (profile, change) => update(profile, storeOf(checkProfileName(profile)), change),
    tokenStore: (profile) => promised(() => storeOf(checkProfileName(profile))),
    moveTokens: async (profile, to) => {
      if (to === 'keyring') {
        const probe = `probe/${randomUUID()}`;
        for (const request of [{ set: [[probe, 'obk'] as const] }, { drop: [probe] }]) {
          const reply = await ask(request);
          if ('failed' in reply) throw unwritable(profile, reply.failed);
        }
      }
      if (secretsIn(file.read().profiles[checkProfileName(profile)]).length > 0)
        await update(profile, to, (before) => before);
    },
    forgetCredentials: async (profile) => {
      await replace(profile, () => Promise.resolve({ after: {}, made: [] }));
      // Each write keeps what was there before it: the second one what is erased already.
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
    title: `The tokens of the profile ${profile} are in the keyring of this system, which does not give them.`,
    detail: `The keyring cannot be used: ${why}.`,
    hint: [
      'Unlock the keyring, or run obk within the desktop session that has it.',
      `obk auth logout --all --profile ${profile}   # where it is gone for good: forgets the tokens`,
    ],
  });
}

function unwritable(profile: string, why: string): ObkError {
  return new ObkError({
    code: 'TOKEN_STORE',
    title: 'The keyring of this system does not keep a token, and none was written elsewhere.',
    detail: `The keyring cannot be used: ${why}.`,
    hint: [
      'Unlock the keyring, or run obk within the desktop session that has it.',
      `obk config set tokenStore file --profile ${profile}   # plainly in credentials.json, mode 0600`,
      'OBK_TOKEN_STORE=file   # for one run',
    ],
  });
}
