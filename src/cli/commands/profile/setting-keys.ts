import { defined } from '../../../base/defined.ts';
import { line } from '../../../base/command-line.ts';
import type { Context } from '../../context.ts';
import { ObkError } from '../../../base/errors.ts';
import { put } from '../../../client/profile/signing-settings.ts';
import type { SavedProfile } from '../../../settings/records/profile.ts';
import { nearest } from '../../../base/nearest.ts';
import { presetNames, presets } from '../../../standard/xs2a/variants.ts';
import { usageError } from '../flags/flag-values.ts';
import { merged } from '../../../settings/banks/read-bank.ts';
import { noteNames } from '../../../settings/profile/notes.ts';
import { checkSettings } from '../../../settings/profile/table.ts';
import {
  isOpenKey,
  neededSettings,
  rowsByKey,
  settingKeys,
  valueAt,
} from '../../../settings/profile/keys.ts';
import { withPlainKey } from './bank-flags.ts';
import { psuContext } from '../flags/psu-context.ts';
import { optionName, withSettings } from './settings-flags.ts';

/** The keys of a saved profile: those of its settings, and what it extends. */
export const profileKeys: readonly string[] = ['extends', 'without', ...settingKeys];

/** The flag that sets a key, and holds its check. */
const flagOf = (key: string): string | undefined =>
  key === 'extends' || key === 'without' ? `--${key}` : rowsByKey.get(key)?.flag;

/** The flags that may stand several times. */
const severalTimes = ['--set', '--origin', '--without'];

/** Throws USAGE naming the nearest, unless it is a key of a profile or one of the further ones. */
export function checkKey(key: string, further: readonly string[] = []): void {
  const known = [...further, ...profileKeys];
  if (known.includes(key) || isOpenKey(key)) return;
  const near = nearest(key, known);
  const below = known.filter((name) => name.startsWith(`${key}.`));
  throw usageError(
    `There is no setting ${JSON.stringify(key)}.`,
    ...(near.length > 0 ? near : below.length > 0 ? below.slice(0, 5) : ['obk config list']),
  );
}

/** Throws USAGE unless a profile can do without these keys, or groups of keys, of the one that it extends. */
export function checkNotTaken(keys: readonly string[] = []): void {
  for (const key of keys.filter((one) => one !== '')) {
    if (neededSettings.includes(key) || key === 'extends' || key === 'without')
      throw usageError(`A profile cannot be without ${key}.`);
    if (!profileKeys.some((known) => known.startsWith(`${key}.`)) && key !== 'signing') checkKey(key);
  }
}

/** The profile with one setting changed; the text is checked as its flag does. Throws USAGE. */
export function withKey(context: Context, before: SavedProfile, key: string, text: string): SavedProfile {
  checkKey(key);
  if (key === 'without') checkNotTaken(text.split(','));
  if (text === '') throw usageError(`${key} takes a value.`, line`obk config unset ${key}`);
  try {
    if (!isByFlag(key)) return withPlainKey(before, key, text);
    const [flag, values] = asFlag(key, text);
    const [first = ''] = values;
    const given =
      flag === '--psu-context' ? psuContext(first, undefined) : severalTimes.includes(flag) ? values : first;
    return withSettings(context, before, { [optionName(flag)]: given });
  } catch (error) {
    if (!(error instanceof ObkError)) throw error;
    const { code, title, detail, hint } = error;
    throw new ObkError({
      code,
      title: title.startsWith(`${key}: `) ? title : `${key}: ${title}`,
      hint,
      cause: error,
      ...defined({ detail }),
    });
  }
}

/**
 * The profile with many settings: those with a flag as the flag sets them, in the order of the
 * keys, since some need an earlier one; the others as they stand.
 */
export function withKeys(context: Context, before: SavedProfile, settings: object): SavedProfile {
  const place = (key: string) => profileKeys.indexOf(key);
  const flagged = settingsByKey(settings).filter(([key]) => isByFlag(key) && !isNoteKey(key));
  const rest = flagged.reduce<object>((kept, [key]) => put(kept, key.split('.'), undefined), settings);
  const [wrong] = checkSettings(rest, 'profile');
  if (wrong !== undefined) throw usageError(`${wrong.setting}: ${wrong.text}`, 'obk help bank schema');
  return flagged
    .sort(([a], [b]) => place(a) - place(b))
    .reduce(
      (profile, [key, value]) => withKey(context, profile, key, textOf(key, value)),
      merged({ ...before }, { ...rest }) as unknown as SavedProfile,
    );
}

const isByFlag = (key: string): boolean => flagOf(key) !== undefined || /^(signing|psu\.context)\./.test(key);
const isNoteKey = (key: string): boolean => noteNames.some((name) => key.split('.').includes(name));

function textOf(key: string, value: unknown): string {
  // The one text that may be empty, and as its flag takes it.
  if (key === 'prefix' && value === '') return '/';
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(',');
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number')
    return String(value);
  throw usageError(`${key} is of the wrong kind.`);
}

/** The flags of `profile create` that make a profile of this one, besides those of what it starts from. */
export function flagsOf(profile: SavedProfile, start: SavedProfile): string[] {
  const before = new Map(settingsByKey(start));
  const preset = presetNames.find((name) =>
    (['framework', 'prefix', 'surface'] as const).every((key) => presets[name][key] === profile[key]),
  );
  const isSame = (key: string, value: unknown) => JSON.stringify(before.get(key)) === JSON.stringify(value);
  const changes = settingsByKey(profile).filter(([key, value]) => !isSame(key, value));
  const isPreset = (key: string) => preset !== undefined && Object.hasOwn(presets[preset], key);
  const variant = changes.some(([key]) => isPreset(key)) ? ['--variant', preset ?? ''] : [];
  const own = changes.filter(([key]) => !isPreset(key));
  return own
    .flatMap(([key, value]) => {
      const [flag, values] = asFlag(key, textOf(key, value));
      return values.flatMap((one) => [flag, one]);
    })
    .concat(variant);
}

/** How the flag writes what stands in the file. */
function asFlag(key: string, text: string): [flag: string, values: readonly string[]] {
  if (key.startsWith('signing.')) return ['--set', [`${key}=${text}`]];
  if (key.startsWith('psu.context.'))
    return ['--psu-context', [`${key.slice('psu.context.'.length)}=${text}`]];
  const flag = flagOf(key) ?? '';
  if (key === 'origins' || key === 'without') return [flag, text.split(',')];
  if (key === 'timeoutMs' && /^\d+$/.test(text)) return [flag, [`${text}ms`]];
  if (key === 'allowHttp' || key.startsWith('prefer.')) {
    return [flag, [text === 'true' ? 'yes' : text === 'false' ? 'no' : text]];
  }
  return [flag, [text]];
}

/** The profile without a setting, known or not; what goes with it goes too. */
export function withoutKey(before: SavedProfile, key: string): SavedProfile {
  // A group that obk does not have goes with all that is in it.
  if (valueAt(before, key) === undefined)
    checkKey(key, [
      'activeProfile',
      'retention',
      ...Object.keys(before),
      ...settingsByKey(before).map(([name]) => name),
    ]);
  if (neededSettings.includes(key) && before.extends === undefined)
    throw usageError(`A profile cannot be without ${key}.`, line`obk config set ${key} VALUE`);
  const path = key === 'passwordEncryption.key' ? ['passwordEncryption'] : key.split('.');
  return put(before, path, undefined) as SavedProfile;
}

/** The settings of a profile by their keys; lists stay whole. */
export function settingsByKey(profile: object, lead = ''): (readonly [key: string, value: unknown])[] {
  return Object.entries(profile).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? settingsByKey(value, `${lead}${name}.`)
      : [[lead + name, value] as const],
  );
}
