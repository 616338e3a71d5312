import type { Flags } from '../../command.ts';
import { preferences } from '../../../settings/profile/keys.ts';
import { preferenceRows } from '../../../settings/profile/tpp.ts';
import type { Preferences } from '../../../settings/records/resources.ts';
import { settingOption } from './setting-option.ts';

/** Flags for what a run prefers; an empty one takes away what the profile prefers. */
export type PreferenceOptions = { readonly [Name in keyof Preferences]?: string | true };

type Name = keyof Preferences;

/** The preferences of a start of an authorisation, of a cancellation, and of what is made. */
const ofStarts = ['redirect', 'explicit'] as const;
const ofCancellations = [...ofStarts, 'decoupled'] as const;
const others = (Object.keys(preferenceRows) as Name[]).filter(
  (name) => !(ofCancellations as readonly Name[]).includes(name),
);

/** Adds the flags of these preferences; the name of each in its options is that of its flag. */
function withFlags<Own, Of extends Name>(command: Flags<Own>, names: readonly Of[]) {
  for (const name of names) settingOption(command, preferenceRows[name]);
  return command as Flags<Own & Pick<PreferenceOptions, Of>>;
}

/** Adds the flags of what every creation may ask for; `payment` also has those that only a payment knows. */
export function preferenceOptions<Own>(command: Flags<Own>, of: 'payment' | 'consent' | 'basket') {
  const known = of === 'payment' ? others : others.filter((name) => name !== 'rejectNoFunds');
  return withFlags(command, [...(of === 'basket' ? ofStarts : ofCancellations), ...known]);
}

/** Adds those that a cancellation has. */
export const approachOptions = <Own>(command: Flags<Own>) => withFlags(command, ofCancellations);

/** The preferences from the flags of this run; an empty flag removes the profile's preference. */
export function preferencesOf(options: PreferenceOptions): Preferences {
  const given = preferences.flatMap(({ name, row }) => {
    const value = options[name];
    if (value === undefined) return [];
    return [[name, value !== '' && row.kind === 'yes-no' ? value !== 'no' : value]];
  });
  return Object.fromEntries(given) as Preferences;
}
