import { checkValue } from '../../base/check-value.ts';
import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { AccessToken, Credentials, PendingLogin } from '../../settings/records/credentials.ts';
import type { SavedProfile, Settings } from '../../settings/records/profile.ts';
import { each, list, map, object, orNull, text } from '../../base/schema.ts';
import type { Schema } from '../../base/schema.ts';
import { Secret } from '../../base/secret.ts';
import { check } from '../../settings/profile/check.ts';
import { stateRow } from '../../settings/profile/tpp.ts';
import { checkProfileName } from '../../base/check-profile-name.ts';

type Json = Record<string, unknown>;

/** The content of credentials.json, the only file where a token is plain text. */
export interface StoredCredentials {
  schemaVersion: 1;
  profiles: Record<string, StoredEntry>;
}

/** A secret as it stands in the file: itself, or the id of its entry in the keyring. */
export type StoredSecret = string | { keyring: string };

export interface StoredEntry {
  token?: StoredSecret;
  consentId?: string;
  tokens?: (Omit<AccessToken, 'token' | 'refreshToken'> & {
    token: StoredSecret;
    refreshToken?: StoredSecret;
  })[];
  verifiers?: { state: string; verifier: StoredSecret; at: string }[];
  logins?: readonly PendingLogin[];
}

const texts = map(text);
const pair = { ...texts, required: ['certificate'] };

/** The members of config.json beside the profiles, and what each is. */
const ofSettings: Readonly<Record<string, { schema: Schema; due: string }>> = {
  activeProfile: { schema: text, due: 'text' },
  // Read wrongly it would remove what was to be kept.
  retention: {
    schema: { type: 'string', pattern: '^[1-9]\\d{0,4}[dw]$' },
    due: 'a number of days such as 90d or 4w',
  },
  trustedProjects: { schema: orNull(texts), due: 'an object of texts' },
  trustedJourneys: { schema: orNull(texts), due: 'an object of texts' },
  rollovers: {
    schema: list(object({ ...each(text, 'profile use'), ...each(pair, 'old new') })),
    due: 'a list of rollovers',
  },
};

/** Reads config.json. Throws CONFIG_UNREADABLE, or STATE_NEWER for a later version of obk's. */
export function parseSettings(text: string | undefined, path: string): Settings {
  const profiles = empty<SavedProfile>();
  if (text === undefined) return { schemaVersion: 1, environments: 'given', profiles };
  const json = parseVersioned(text, path);
  const { environments, state } = json;
  for (const [key, { schema, due }] of Object.entries(ofSettings))
    need(isAs(schema, json[key]), path, `${key} is not ${due}`);
  const [misplaced] = state === undefined ? [] : check(stateRow, state, 'state');
  need(misplaced === undefined, path, `${misplaced?.setting ?? ''} is wrong: ${misplaced?.text ?? ''}`);
  for (const [name, entry] of entriesOf(json, path)) {
    // What is wrong with one profile is for those to say who use it: the others, and the commands that mend it, need not suffer.
    const profile = entry as unknown as SavedProfile;
    profiles[name] = environments === 'given' ? profile : withoutDefault(profile);
  }
  return { ...json, schemaVersion: 1, environments: 'given', profiles };
}

/** An earlier obk wrote `test` where no environment was set. Operators who did set `test` are asked once more. */
function withoutDefault(profile: SavedProfile): SavedProfile {
  if (profile.extends !== undefined || profile.environment !== 'test') return profile;
  const { environment: _, ...rest } = profile;
  return rest;
}

/** Reads credentials.json. Throws as `parseSettings`; no value of the file is ever in a message. */
export function parseCredentials(text: string | undefined, path: string): StoredCredentials {
  const profiles = empty<StoredEntry>();
  if (text === undefined) return { schemaVersion: 1, profiles };
  for (const [name, entry] of entriesOf(parseVersioned(text, path), path)) {
    for (const [key, { schema, due }] of Object.entries(ofEntry))
      need(isAs(schema, entry[key]), path, `${key} of profile ${name} is not ${due}`);
    profiles[name] = entry;
  }
  return { schemaVersion: 1, profiles };
}

const aSecret: Schema<StoredSecret> = { anyOf: [text, object({ keyring: text })] };

const listOf = (entry: Schema) => ({ schema: orNull(list(entry)), due: 'a list of what it should hold' });

/** The members of an entry of credentials.json, and what each is. */
const ofEntry: Readonly<Record<string, { schema: Schema; due: string }>> = {
  token: { schema: aSecret, due: 'text' },
  consentId: { schema: text, due: 'text' },
  tokens: listOf(object({ token: aSecret })),
  verifiers: listOf(object({ verifier: aSecret, ...each(text, 'state at') })),
  logins: listOf(object(each(text, 'state scope'))),
};

/** The credentials of a profile; what `reveal` does not find any more is left out. */
export function toCredentials(
  stored: StoredEntry = {},
  reveal: (secret: StoredSecret) => string | undefined,
): Credentials {
  const { token, tokens, verifiers, ...rest } = stored;
  const secret = (one: StoredSecret | undefined) => {
    const value = one === undefined ? undefined : reveal(one);
    return value === undefined ? undefined : new Secret(value);
  };
  const byHand = secret(token);
  return {
    ...rest,
    ...(byHand && { token: byHand }),
    ...(tokens && {
      tokens: tokens.flatMap(({ refreshToken, ...one }) => {
        const [access, refresh] = [secret(one.token), secret(refreshToken)];
        if (access === undefined) return [];
        const inKeyring = typeof one.token === 'string' ? {} : { inKeyring: true as const };
        return [{ ...one, token: access, ...(refresh && { refreshToken: refresh }), ...inKeyring }];
      }),
    }),
    ...(verifiers && {
      verifiers: verifiers.flatMap((one) => {
        const verifier = secret(one.verifier);
        return verifier === undefined ? [] : [{ ...one, verifier }];
      }),
    }),
  };
}

/** Returns the entry of the file for these credentials; `keep` returns the stored form of a secret. */
export function fromCredentials(
  { token, tokens, verifiers, ...rest }: Credentials,
  keep: (secret: Secret) => StoredSecret,
): StoredEntry {
  return {
    ...rest,
    ...(token && { token: keep(token) }),
    ...(tokens && {
      tokens: tokens.map(({ refreshToken, inKeyring: _, ...one }) => ({
        ...one,
        token: keep(one.token),
        ...(refreshToken && { refreshToken: keep(refreshToken) }),
      })),
    }),
    ...(verifiers && { verifiers: verifiers.map((one) => ({ ...one, verifier: keep(one.verifier) })) }),
  };
}

/** Every secret of an entry as it stands in the file. */
export function secretsIn({ token, tokens = [], verifiers = [] }: StoredEntry = {}): StoredSecret[] {
  return [
    token,
    ...tokens.flatMap((one) => [one.token, one.refreshToken]),
    ...verifiers.map(({ verifier }) => verifier),
  ].filter((one) => one !== undefined);
}

/** Throws PROFILE_INVALID before a bad name reaches a file. */
export function checkNames(profiles: Readonly<Record<string, unknown>>): void {
  for (const name of Object.keys(profiles)) checkProfileName(name);
}

/** An object without a prototype, so that a profile may be called `toString`. */
function empty<T>(): Record<string, T> {
  return Object.create(null) as Record<string, T>;
}

function parseVersioned(text: string, path: string): Json {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // The parser's own message quotes the text, which may be a token.
    throw unreadable(path, 'it is not valid JSON');
  }
  need(isObject(json), path, 'it is not a JSON object');
  const { schemaVersion } = json as Json;
  if (typeof schemaVersion === 'number' && schemaVersion > 1) {
    throw new ObkError({
      code: 'STATE_NEWER',
      title: 'A newer obk has written this file.',
      detail: `${path} has schemaVersion ${schemaVersion}; this obk knows 1 and leaves it as it is.`,
      hint: ['Use the newer obk, or another OBK_CONFIG_DIR.'],
    });
  }
  need(schemaVersion === 1, path, 'schemaVersion is missing or not 1');
  return json as Json;
}

function entriesOf(json: Json, path: string): [string, Json][] {
  need(isObject(json['profiles']), path, 'profiles is missing or not an object');
  const entries = Object.entries(json['profiles'] as Json);
  for (const [name, entry] of entries) {
    try {
      checkProfileName(name);
    } catch (error) {
      throw unreadable(path, (error as ObkError).title);
    }
    need(isObject(entry), path, `profile ${name} is not an object`);
  }
  return entries as [string, Json][];
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a member is as its schema says, or not there. */
const isAs = (schema: Schema, value: unknown): boolean =>
  value === undefined || checkValue(value, schema) === undefined;

function need(good: boolean, path: string, why: string): void {
  if (!good) throw unreadable(path, why);
}

function unreadable(path: string, why: string): ObkError {
  return new ObkError({
    code: 'CONFIG_UNREADABLE',
    title: 'A settings file cannot be read.',
    detail: `${path}: ${why.replace(/\.?$/, '.')}`,
    hint: [line`cp ${`${path}.bak`} ${path}   # the version before the last change`],
  });
}
