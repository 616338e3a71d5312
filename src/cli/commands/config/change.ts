import { defined } from '../../../base/defined.ts';
import { line } from '../../../base/command-line.ts';
import type { Context } from '../../context.ts';
import { withProfile } from '../../../client/profile/inheritance.ts';
import { needSafeAddresses } from '../../../client/profile/plain-http.ts';
import type { DataOutcome } from '../../outcome.ts';
import type { SavedProfile, Settings } from '../../../settings/records/profile.ts';
import { cellText } from '../../render/table.ts';
import { settleCredentials } from '../profile/credentials-answer.ts';
import { environmentOfMoved } from '../profile/environment-answer.ts';
import { checkOwnName, profileNamed, savedNamed } from '../profile/profile-name.ts';
import { settingsByKey } from '../profile/setting-keys.ts';
import { savedName } from '../run/with-target.ts';

/** The settings of this user, whatever the profile. */
export const ownKeys = ['activeProfile', 'retention'] as const;

export function isOwnKey(key: string): key is (typeof ownKeys)[number] {
  return (ownKeys as readonly string[]).includes(key);
}

/** Where the state is says a profile only if one is named: it is usually that of all. */
export function isOfAll({ globals }: Context, key: string): boolean {
  return key.startsWith('state.') && globals.profile === undefined;
}

/** Changes where the state of all profiles is. */
export async function changeOfAll(
  { ports }: Context,
  key: string,
  change: (before: object) => object,
): Promise<DataOutcome> {
  const { state } = await ports.settings.update((before) => {
    const { state: _, ...rest } = before;
    const after = change(before.state === undefined ? {} : { state: before.state }) as Pick<
      Settings,
      'state'
    >;
    return { ...rest, ...after };
  });
  return changed(key, new Map(settingsByKey({ state: state ?? {} })).get(key), null);
}

/** Changes the profile of this run as it is saved, whatever variables say. */
export async function changeProfile(
  context: Context,
  key: string,
  change: (before: SavedProfile) => SavedProfile,
): Promise<DataOutcome> {
  const name = await savedName(context);
  checkOwnName(name);
  if (key === 'tokenStore') await moveTokens(context, name, change);
  const before = await context.ports.settings.read();
  const own = change(savedNamed(before, name));
  needSafeAddresses(before, name, own);
  const environment = await environmentOfMoved(context, { settings: before, name, own }, [
    line`obk profile edit ${name} --environment test   # or production, before its address is changed`,
  ]);
  const withChange = (settings: Settings) =>
    withProfile(settings, name, {
      ...change(savedNamed(settings, name)),
      ...defined({ environment }),
    });
  await settleCredentials(context, before, withChange(before), undefined);
  const settings = await context.ports.settings.update(withChange);
  const { extends: parent, without } = savedNamed(settings, name);
  const after = { ...profileNamed(settings, name), extends: parent, without };
  const value = new Map(settingsByKey(after)).get(key);
  return changed(key, value, name);
}

/** Tokens move before the setting changes: a keyring that does not take them leaves all as it was. */
async function moveTokens(
  { ports: { settings, credentials } }: Context,
  name: string,
  change: (before: SavedProfile) => SavedProfile,
): Promise<void> {
  const { tokenStore = 'file' } = change(savedNamed(await settings.read(), name));
  await credentials.moveTokens(name, tokenStore);
}

/** The result of a change. */
export function changed(key: string, value: unknown, profile: string | null): DataOutcome {
  const where = profile === null ? '' : ` (profile ${profile})`;
  return {
    kind: 'data',
    data: { key, value: value ?? null, profile },
    text: () => (value === undefined ? `${key} is not set${where}.` : `${key} = ${cellText(value)}${where}`),
    name: key,
  };
}
