import type { Context } from '../../context.ts';
import { put } from '../../../client/profile/signing-settings.ts';
import { preferences } from '../../../settings/profile/keys.ts';
import type { Profile } from '../../../settings/records/profile.ts';
import { yesNo } from '../flags/flag-values.ts';

/** The profile as the variables of this run prefer it. */
export function preferring(context: Context, profile: Profile): Profile {
  return preferences.reduce((all, { key, row: { variable = '' } }) => {
    const text = context.process.env[variable] ?? '';
    return text === '' ? all : (put(all, key.split('.'), yesNo(variable)(text) === 'yes') as Profile);
  }, profile);
}
