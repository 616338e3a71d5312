import { line } from '../command-line.ts';
import { ObkError } from '../errors.ts';
import type { AccessToken, Credentials, PendingLogin } from '../records/credentials.ts';
import type { SavedProfile, Settings, TokenStore } from '../records/profile.ts';
import { Secret } from '../secret.ts';
import { frameworkNames } from '../xs2a/origin.ts';
import { checkProfileName } from './safe-name.ts';

type Json = Record<string, unknown>;

/** What stands in credentials.json: the only place where a token is plain text. */
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

const words: Record<'environment' | 'framework' | 'surface', readonly unknown[]> = {
  environment: ['sandbox', 'test', 'production'],
  framework: frameworkNames,
  surface: ['service', 'framework'],
};
const tokenStores: readonly unknown[] = ['file', 'keyring'] satisfies TokenStore[];
const texts = [
  'baseUrl',
  'certificate',
  'key',
  'keyPassphraseFrom',
  'signer',
  'tlsCertificate',
  'tlsKey',
  'tlsKeyPassphraseFrom',
  'caCertificates',
  'redirectUri',
  'nokRedirectUri',
  'debtor',
  'brandLogging',
  'currency',
  'requestIdSemantics',
] as const satisfies readonly (keyof SavedProfile)[];
const objects = [
  'signing',
  'tls',
  'passwordEncryption',
  'psu',
  'oauth',
  'redirect',
  'auth',
  'meta',
  'urls',
  'headers',
  'links',
  'limits',
  'prefer',
  'notification',
  'lint',
  'answers',
] as const satisfies readonly (keyof SavedProfile)[];

/** Reads config.json. Throws CONFIG_UNREADABLE, or STATE_NEWER for a later version of obk's. */
export function parseSettings(text: string | undefined, path: string): Settings {
  const profiles = empty<SavedProfile>();
  if (text === undefined) return { schemaVersion: 1, environments: 'given', profiles };
  const json = parseVersioned(text, path);
  const { activeProfile, retention, trustedProjects = {}, environments } = json;
  if (activeProfile !== undefined) need(typeof activeProfile === 'string', path, 'activeProfile is not text');
  // Read wrongly it would remove what was to be kept.
  const isDays = isText(retention) && /^[1-9]\d{0,4}[dw]$/.test(retention);
  need(retention === undefined || isDays, path, 'retention is not a number of days such as 90d or 4w');
  const trusts = isObject(trustedProjects) && Object.values(trustedProjects).every(isText);
  need(trusts, path, 'trustedProjects is not an object of texts');
  for (const [name, entry] of entriesOf(json, path)) {
    const profile = parseProfile(name, entry, path);
    profiles[name] = environments === 'given' ? profile : withoutDefault(profile);
  }
  return { ...json, schemaVersion: 1, environments: 'given', profiles };
}

/** An earlier obk wrote `test` where nobody had said what kind of bank it is; whoever did say so is asked once more. */
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
    for (const [key, is] of [['token', isSecret] as const, ['consentId', isText] as const]) {
      const value = entry[key];
      need(value === undefined || is(value), path, `${key} of profile ${name} is not text`);
    }
    for (const [key, { secrets, texts }] of Object.entries(secretLists)) {
      const list = entry[key] ?? [];
      const good =
        Array.isArray(list) &&
        list.every(
          (one) =>
            isObject(one) &&
            texts.every((text) => isText(one[text])) &&
            secrets.every((secret) => isSecret(one[secret])),
        );
      need(good, path, `${key} of profile ${name} is not a list of what it should hold`);
    }
    profiles[name] = entry;
  }
  return { schemaVersion: 1, profiles };
}

/** The lists of credentials.json, and the secrets and texts that each entry must have. */
const secretLists: Readonly<Record<string, { secrets: readonly string[]; texts: readonly string[] }>> = {
  tokens: { secrets: ['token'], texts: [] },
  verifiers: { secrets: ['verifier'], texts: ['state', 'at'] },
  logins: { secrets: [], texts: ['state', 'scope'] },
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

/** What the file holds of them; `keep` says how each secret stands there. */
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

/** An object without a prototype: no name of a profile finds what nobody saved. */
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

function parseProfile(name: string, json: Json, path: string): SavedProfile {
  const check = (good: boolean, key: string) => {
    need(good, path, `${key} of profile ${name} is missing or of the wrong kind`);
  };
  const has = (key: string) => json[key] !== undefined;
  check(!has('extends') || isText(json['extends']), 'extends');
  const { without } = json;
  check(!has('without') || (Array.isArray(without) && without.every(isText)), 'without');
  const said = (key: string) => has(key) || !has('extends');
  for (const [key, allowed] of Object.entries(words))
    check((key === 'environment' ? !has(key) : !said(key)) || allowed.includes(json[key]), key);
  check(!said('prefix') || isText(json['prefix']), 'prefix');
  for (const key of texts) check(!has(key) || typeof json[key] === 'string', key);
  for (const key of objects) check(!has(key) || isObject(json[key]), key);
  const { origins, timeoutMs } = json;
  check(!has('origins') || (Array.isArray(origins) && origins.every(isText)), 'origins');
  const { context } = (json['psu'] ?? {}) as Json;
  check(context === undefined || (isObject(context) && Object.values(context).every(isText)), 'psu.context');
  const { key } = (json['passwordEncryption'] ?? {}) as Json;
  check(!has('passwordEncryption') || isText(key), 'passwordEncryption.key');
  const { ciphers, serverName } = (json['tls'] ?? {}) as Json;
  check(
    [ciphers, serverName].every((text) => text === undefined || isText(text)),
    'tls',
  );
  check(!has('allowHttp') || typeof json['allowHttp'] === 'boolean', 'allowHttp');
  check(!has('tokenStore') || tokenStores.includes(json['tokenStore']), 'tokenStore');
  check(!has('timeoutMs') || typeof timeoutMs === 'number', 'timeoutMs');
  return json as unknown as SavedProfile;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isSecret(value: unknown): value is StoredSecret {
  return isText(value) || (isObject(value) && isText(value['keyring']));
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function need(good: boolean, path: string, why: string): void {
  if (!good) throw unreadable(path, why);
}

function unreadable(path: string, why: string): ObkError {
  return new ObkError({
    code: 'CONFIG_UNREADABLE',
    title: 'A settings file cannot be read.',
    detail: `${path}: ${why}.`,
    hint: [line`cp ${`${path}.bak`} ${path}   # the version before the last change`],
  });
}
