import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import { nearest } from '../../base/nearest.ts';
import type { Profile, SavedProfile } from '../../settings/records/profile.ts';
import { check, checkKind } from '../../settings/profile/check.ts';
import { error } from '../../settings/profile/finding.ts';
import type { SettingFinding } from '../../settings/profile/finding.ts';
import { rowsByKey } from '../../settings/profile/keys.ts';
import type { SettingRow } from '../../settings/profile/row.ts';
import { profileRows } from '../../settings/profile/table.ts';
import { presetNames } from '../../standard/xs2a/variants.ts';

/** The settings that every command decides by; the content of the others is judged where they are used. */
const decisive = ['environment', 'framework', 'surface', 'tokenStore', 'state'];

const isText = (value: unknown) => typeof value === 'string';

/** Returns what no command can work with in a profile as it was read from config.json. */
function unusable(saved: SavedProfile): readonly SettingFinding[] {
  const { extends: parent, without, ...own } = saved as Readonly<Record<string, unknown>>;
  const isList = without === undefined || (Array.isArray(without) && without.every(isText));
  return [
    ...(parent === undefined || isText(parent)
      ? []
      : [error('extends', 'It must be the name of a profile.')]),
    ...(isList ? [] : [error('without', 'It must be a list of settings.')]),
    ...(Object.entries(profileRows) as [string, SettingRow][]).flatMap(([key, row]) => {
      if (own[key] === undefined) return [];
      return decisive.includes(key) ? check(row, own[key], key) : checkKind(row, own[key], key);
    }),
  ];
}

/** The settings of a saved profile that can be read. */
export function sound(saved: SavedProfile): Partial<Profile> {
  const wrong = new Set(unusable(saved).map(({ setting }) => setting.replace(/[.[].*$/s, '')));
  const { extends: _, without: __, ...own } = saved;
  return Object.fromEntries(Object.entries(own).filter(([key]) => !wrong.has(key)));
}

/** Throws PROFILE_INVALID with what no command can work with in a profile, and the line that mends it: no other profile suffers. */
export function needUsable(name: string, saved: SavedProfile): void {
  const findings = unusable(saved);
  const [first] = findings;
  if (first === undefined) return;
  const which = findings.length === 1 ? first.setting : `${String(findings.length)} settings`;
  throw new ObkError({
    code: 'PROFILE_INVALID',
    title: `The profile ${name} cannot be used: ${which} ${findings.length === 1 ? 'is' : 'are'} not valid.`,
    detail: findings.map(({ setting, text }) => `profiles.${name}.${setting}: ${text}`).join('\n'),
    hint: waysOut(name, saved, findings),
  });
}

/** The lines that set framework, prefix and surface at once. */
export const variantLines = (name: string): string[] =>
  presetNames.map((variant) => line`obk profile edit ${name} ${['--variant', variant]}`);

/** The lines that mend it: a word that could be meant takes the place of a wrong one, and what else is wrong goes. */
function waysOut(name: string, saved: SavedProfile, findings: readonly SettingFinding[]): string[] {
  const keys = [...new Set(findings.map(({ setting }) => keyOf(setting)))];
  const [key = '', ...others] = keys;
  const row = rowsByKey.get(key);
  if (others.length > 0) {
    const flags = keys.flatMap((one) => [rowsByKey.get(one)?.flag ?? '', meantBy(saved, one)[0] ?? '']);
    const canBeSet = keys.every((one) => rowsByKey.get(one)?.flag !== undefined);
    return [canBeSet ? line`obk profile edit ${name} ${flags}` : line`obk profile delete ${name}`];
  }
  if (key === 'prefix') return variantLines(name);
  const meant = meantBy(saved, key);
  if (meant.length > 0)
    return meant
      .map((word) => [row?.flag ?? '', word])
      .map((flags) => line`obk profile edit ${name} ${flags}`);
  return [
    row === undefined ? line`obk profile delete ${name}` : line`obk config unset ${key} --profile ${name}`,
  ];
}

/** The words that a setting could be meant to be; none where it is no choice, or has no flag. */
function meantBy(saved: SavedProfile, key: string): readonly string[] {
  const row = rowsByKey.get(key);
  if (row?.kind !== 'choice' || row.flag === undefined) return [];
  const value: unknown = Reflect.get(saved, key);
  const near = typeof value === 'string' ? nearest(value, row.values) : [];
  return near.length > 0 ? near : row.values;
}

/** The key that is set or removed: of a list or of a map the whole. */
function keyOf(setting: string): string {
  const path = setting.replace(/\[.*$/s, '').split('.');
  const keys = path.map((_, at) => path.slice(0, path.length - at).join('.'));
  return keys.find((key) => rowsByKey.has(key)) ?? setting;
}
