import type { Context } from '../../context.ts';
import type { DataOutcome } from '../../outcome.ts';
import type { Profile } from '../../ports.ts';
import { cellText } from '../../render/table.ts';
import { checkOwnName, profileNamed } from '../profile/profile-name.ts';
import { settingsByKey } from '../profile/setting-keys.ts';
import { chosenProfile } from '../target.ts';

/** Changes the profile of this run as it is saved, whatever variables say. */
export async function changeProfile(
  context: Context,
  key: string,
  change: (before: Profile) => Profile,
): Promise<DataOutcome> {
  const { name } = await chosenProfile(context);
  checkOwnName(name);
  if (key === 'tokenStore') await moveTokens(context, name, change);
  const settings = await context.ports.store.updateSettings((before) => ({
    ...before,
    profiles: { ...before.profiles, [name]: change(profileNamed(before, name)) },
  }));
  const value = new Map(settingsByKey(profileNamed(settings, name))).get(key);
  return changed(key, value, name);
}

/** Tokens move before the setting changes: a keyring that does not take them leaves all as it was. */
async function moveTokens(
  { ports: { store } }: Context,
  name: string,
  change: (before: Profile) => Profile,
): Promise<void> {
  const { tokenStore = 'file' } = change(profileNamed(await store.settings(), name));
  await store.moveTokens(name, tokenStore);
}

/** What a change leaves behind. */
export function changed(key: string, value: unknown, profile: string | null): DataOutcome {
  const where = profile === null ? '' : ` (profile ${profile})`;
  return {
    kind: 'data',
    data: { key, value: value ?? null, profile },
    text: () => (value === undefined ? `${key} is not set${where}.` : `${key} = ${cellText(value)}${where}`),
    name: key,
  };
}
