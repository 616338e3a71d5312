import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { Settings, StatePlace, StateSettings } from '../../settings/records/profile.ts';
import { isReference } from '../../settings/profile/row.ts';
import { usualCallMs } from '../../base/waits.ts';
import { savedAs } from './inheritance.ts';

/** The variables that say it for a run. */
export const stateVariables = {
  urlFrom: 'OBK_STATE_URL_FROM',
  keyFrom: 'OBK_STATE_KEY_FROM',
  oldKeyFrom: 'OBK_STATE_OLD_KEY_FROM',
  schema: 'OBK_STATE_SCHEMA',
} as const;

/** The references that lead to a database with the state, as far as they are given. */
export interface StateReferences {
  urlFrom: string | undefined;
  keyFrom: string | undefined;
  oldKeyFrom: string | undefined;
  schema: string | undefined;
}

/**
 * Where the state of a profile is: as the profile says it, else a variable, else the settings of all. Throws PROFILE_INVALID where
 * it is to be in PostgreSQL and a reference is missing: never is it in files instead.
 */
export function statePlaceOf(
  settings: Settings,
  name: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): StatePlace {
  const { urlFrom, keyFrom, oldKeyFrom, schema } = stateReferencesOf(settings, name, env);
  if (storeOf(settings, name, env) === 'files') return { store: 'files' };
  return {
    store: 'postgres',
    urlFrom: urlFrom ?? missingReference('urlFrom'),
    keyFrom: keyFrom ?? missingReference('keyFrom'),
    oldKeyFrom,
    schema,
  };
}

/** Whether the state of a profile is in files or in a database, before it is known where that is. */
export function storeOf(
  settings: Settings,
  name: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): StatePlace['store'] {
  const ofRun = told(env, 'urlFrom') === undefined ? undefined : 'postgres';
  return wish(stateOf(settings, name)) ?? ofRun ?? wish(settings.state ?? {}) ?? 'files';
}

/** The references to a database, whether the state is there yet or not: a variable goes before the profile, and that before all. */
export function stateReferencesOf(
  settings: Settings,
  name: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): StateReferences {
  const own = stateOf(settings, name);
  const common = settings.state ?? {};
  const reference = (key: keyof typeof stateVariables) => told(env, key) ?? own[key] ?? common[key];
  return {
    urlFrom: reference('urlFrom'),
    keyFrom: reference('keyFrom'),
    oldKeyFrom: reference('oldKeyFrom'),
    schema: reference('schema'),
  };
}

/**
 * How long a run waits for its state, in milliseconds: as long as a call may take, by its flag or its profile, and never longer than all
 * waits of the run together (`waitMs`).
 */
export function patienceOf(
  settings: Settings,
  name: string | undefined,
  { timeout, waitMs = Infinity }: { timeout?: unknown; waitMs?: number },
): number {
  const { timeoutMs = usualCallMs } = name === undefined ? {} : savedAs(settings, name);
  return Math.min(typeof timeout === 'number' ? timeout : timeoutMs, waitMs);
}

function told(
  env: Readonly<Record<string, string | undefined>>,
  key: keyof typeof stateVariables,
): string | undefined {
  const value = env[stateVariables[key]];
  if (value === undefined || value === '') return undefined;
  if (key !== 'schema' && (!isReference(value) || value === 'prompt')) throw noReference(key);
  return value;
}

/** What a profile says of it, itself or by the one that it extends. */
function stateOf(settings: Settings, name: string | undefined): StateSettings {
  // Nothing is sent for a profile that cannot be used; its own settings must be open to the command that mends it.
  return name === undefined ? {} : (savedAs(settings, name).state ?? {});
}

/** Who names a database wants it, unless the same place says otherwise. */
function wish({ store, urlFrom }: StateSettings): StateSettings['store'] {
  return store ?? (urlFrom === undefined ? undefined : 'postgres');
}

/** What stands in place of a reference may be the secret itself: it is not repeated. */
function noReference(key: keyof typeof stateVariables): ObkError {
  return new ObkError({
    code: 'SECRET_REFERENCE',
    title: `${stateVariables[key]} must be a reference that can be read in every run, never the secret itself.`,
    hint: ['obk help references   # env:NAME | file:PATH | cmd:COMMAND | keyring:ID'],
  });
}

const wanted = {
  urlFrom: ['the URL of the database with the state', 'env:OBK_STATE_URL'],
  keyFrom: ['the key that seals the state in PostgreSQL', 'env:OBK_STATE_KEY'],
} as const;

/** Throws PROFILE_INVALID for a reference that is missing. */
export function missingReference(key: keyof typeof wanted): never {
  const [what, example] = wanted[key];
  throw new ObkError({
    code: 'PROFILE_INVALID',
    title: `Nothing says where to read ${what}.`,
    detail: `Neither state.${key} nor ${stateVariables[key]} is set. Nothing was sent.`,
    hint: [
      line`obk config set ${`state.${key}`} ${example}   # a reference: obk help references`,
      'obk config set state.store files   # to keep it in files of this machine',
    ],
  });
}
