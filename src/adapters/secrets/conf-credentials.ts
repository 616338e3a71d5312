import { defined } from '../../base/defined.ts';
import type { Clock } from '../../client/ports/clock.ts';
import type { CredentialStore } from '../../client/ports/credentials.ts';
import type { TokenStore } from '../../settings/records/profile.ts';
import { confFile } from '../settings/conf-file.ts';
import { parseCredentials, fromCredentials, secretsIn, toCredentials } from '../settings/settings-shape.ts';
import { randomUUID, randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { Credentials } from '../../settings/records/credentials.ts';
import { checkProfileName } from '../../base/check-profile-name.ts';
import type { KeyringOptions, KeyringReply, KeyringRequest } from './secret-stores.ts';
import type { SettingsFile } from '../settings/settings-file.ts';
import type { StoredCredentials, StoredEntry, StoredSecret } from '../settings/settings-shape.ts';
import { join } from 'node:path';
import { Secret } from '../../base/secret.ts';
import { createExclusively, makeDirectory, readIfThere } from '../files/atomic-file.ts';
import { guard, promised } from '../files/file-errors.ts';

/** Credentials in credentials.json, or as entries of the keyring of the system; the key of the machine in the state. */
export function createCredentials(options: {
  configDir: string;
  stateDir: string;
  clock: Clock;
  env?: Readonly<Record<string, string | undefined>>;
  /** Returns where the settings of a profile keep its tokens. */
  chosen: (profile: string) => Promise<TokenStore | undefined>;
  /** In place of the package that asks the keyring of the system. */
  keyringModule?: string;
  /** Told once when the credentials can be read by others, and what a keyring lacks or keeps. */
  warn?: (message: string) => void;
}): CredentialStore & {
  /** The profiles that the file has, those of banks inside too, which no settings name. */
  profiles: () => readonly string[];
} {
  const { configDir, stateDir, clock, env = {}, chosen, keyringModule, warn } = options;
  let warned = false;
  const file = confFile({
    configDir,
    name: 'credentials',
    clock,
    parse: parseCredentials,
    seen: (path, mode) => {
      if (warned || process.platform === 'win32' || (mode & 0o077) === 0) return;
      warned = true;
      warn?.(`Others can read ${path}, which holds tokens (chmod 600 helps).`);
    },
  });
  return {
    ...keptCredentials({
      file,
      keyring: { env, clock, ...defined({ module: keyringModule }) },
      chosen,
      warn: (message) => warn?.(message),
    }),
    ...machineKeyFile(stateDir),
    profiles: () => Object.keys(file.read().profiles),
  };
}

/** The new entry for a profile in the file, and the ids of the keyring entries made for it. */
interface Change {
  after: StoredEntry;
  made: readonly string[];
}

/** The credentials of profiles, each secret in the file or as an entry of the keyring of its own. */
function keptCredentials(options: {
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

type Failed = Extract<KeyringReply, { failed: string }>;
type Entries = readonly (readonly [id: string, value: string])[];

/** The keyring as one run knows it: an entry is never changed, so what was read of it once holds. */
interface KeyringMemory {
  /** Reads the entries that were not read yet; returns the ids of the missing ones. */
  look(ids: readonly string[]): Promise<readonly string[] | Failed>;
  /** The value of an entry, as read or written. */
  value(id: string): string | undefined;
  /** From now on these are not looked for any more. */
  lose(ids: readonly string[]): void;
  /** Writes entries; undefined where all of them are there. */
  add(entries: Entries): Promise<Failed | undefined>;
  drop(ids: readonly string[]): Promise<Failed | undefined>;
}

/** A keyring that hung once is not waited for again. */
function keyringMemory(options: KeyringOptions): KeyringMemory {
  const seen = new Map<string, string>();
  const lost = new Set<string>();
  let hanging: Failed | undefined;

  async function ask(request: KeyringRequest): Promise<KeyringReply> {
    if (hanging !== undefined) return hanging;
    const { askKeyring } = await import('./secret-stores.ts');
    const reply = await askKeyring(request, options);
    if ('failed' in reply && reply.hangs === true) hanging = reply;
    return reply;
  }

  return {
    async look(ids) {
      const unread = ids.filter((id) => !seen.has(id) && !lost.has(id));
      if (unread.length === 0) return [];
      const reply = await ask({ get: unread });
      if ('failed' in reply) return reply;
      unread.forEach((id, at) => {
        const value = reply.values[at] ?? null;
        if (value !== null) seen.set(id, value);
      });
      return unread.filter((id) => !seen.has(id));
    },
    value: (id) => seen.get(id),
    lose: (ids) => {
      for (const id of ids) lost.add(id);
    },
    async add(entries) {
      if (entries.length === 0) return undefined;
      const reply = await ask({ set: entries });
      if ('failed' in reply) return reply;
      for (const [id, value] of entries) seen.set(id, value);
      return undefined;
    },
    async drop(ids) {
      const reply = ids.length === 0 ? undefined : await ask({ drop: ids });
      return reply !== undefined && 'failed' in reply ? reply : undefined;
    },
  };
}

/** 32 random bytes in hex, in a file that only its owner can read; made by the first process that needs it. */
export function machineKeyFile(stateDir: string): Pick<CredentialStore, 'machineKey'> {
  const path = join(stateDir, 'machine.key');
  const read = () =>
    guard('STATE_UNREADABLE', 'The key of this machine cannot be read.', path, () => readIfThere(path));

  function make(): string | undefined {
    guard('STATE_NOT_WRITTEN', 'The key of this machine cannot be saved.', path, () => {
      makeDirectory(stateDir);
      createExclusively(path, `${randomBytes(32).toString('hex')}\n`);
    });
    return read();
  }

  return {
    machineKey: () =>
      promised(() => {
        const [, key] = /^([0-9a-f]{64})\n$/.exec(read() ?? make() ?? '') ?? [];
        if (key !== undefined) return new Secret(key);
        throw new ObkError({
          code: 'STATE_UNREADABLE',
          title: 'The key of this machine is damaged.',
          detail: `${path} does not hold what obk wrote: with this key obk recognises passwords that it has sent before.`,
          hint: [`mv '${path}' '${path}.damaged'   # open authorisations that sent one ask for --new then`],
        });
      }),
  };
}
