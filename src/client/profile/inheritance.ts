import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { Profile, SavedProfile, Settings } from '../../settings/records/profile.ts';
import { put } from './signing-settings.ts';
import { unsaidEnvironment } from './unsaid-environment.ts';
import { nearest } from '../../base/nearest.ts';
import { check, checkKind } from '../../settings/profile/check.ts';
import { error } from '../../settings/profile/finding.ts';
import type { SettingFinding } from '../../settings/profile/finding.ts';
import { rowsByKey } from '../../settings/profile/keys.ts';
import type { SettingRow } from '../../settings/profile/row.ts';
import { profileRows } from '../../settings/profile/table.ts';
import { presetNames } from '../../standard/xs2a/variants.ts';

/** A profile as it is saved, by its name. */
export interface Ancestor {
  name: string;
  saved: SavedProfile;
}

/** The saved profile and those that it extends, itself first. Throws PROFILE_INVALID for a loop, and for one that is not there or cannot be used. */
export function lineage(
  { profiles }: Pick<Settings, 'profiles'>,
  name: string,
  own: SavedProfile,
): Ancestor[] {
  const line: Ancestor[] = [{ name, saved: own }];
  needUsable(name, own);
  for (let parent = own.extends; parent !== undefined;) {
    const names = line.map((ancestor) => ancestor.name);
    const last = names.at(-1) ?? name;
    if (names.includes(parent)) {
      throw broken(
        profiles,
        `The profile ${name} would extend itself: ${[...names, parent].join(' > ')}.`,
        last,
      );
    }
    const saved = Object.hasOwn(profiles, parent) ? profiles[parent] : undefined;
    if (saved === undefined) {
      throw broken(
        profiles,
        `The profile ${last} extends ${JSON.stringify(parent)}, which is not a saved profile.`,
        last,
      );
    }
    needUsable(parent, saved);
    line.push({ name: parent, saved });
    parent = saved.extends;
  }
  return line;
}

/** The settings that result for a saved profile; throws as `lineage`, and where a setting is missing that each must have. */
export function resolved(settings: Pick<Settings, 'profiles'>, name: string, own: SavedProfile): Profile {
  const ancestors = lineage(settings, name, own);
  const {
    extends: _,
    without: __,
    ...profile
  } = ancestors
    .map(({ saved }) => saved)
    .reduceRight((parent, child) => merged(withoutOwn(parent, child), child) as SavedProfile);
  const missing = (['framework', 'prefix', 'surface'] as const).filter((key) => profile[key] === undefined);
  if (missing.length > 0) {
    throw new ObkError({
      code: 'PROFILE_INVALID',
      title: `The profile ${name} extends no other and has no ${missing.join(', ')} of its own.`,
      hint: variantLines(name),
    });
  }
  return { ...profile, environment: profile.environment ?? unsaidEnvironment(profile) } as Profile;
}

/** A profile as it is saved, with what it inherits; of one that cannot be used what it says itself and can be read. */
export function savedAs(settings: Pick<Settings, 'profiles'>, name: string): Partial<Profile> {
  const own = Object.hasOwn(settings.profiles, name) ? settings.profiles[name] : undefined;
  if (own === undefined) return {};
  try {
    return resolved(settings, name, own);
  } catch (error) {
    if (!(error instanceof ObkError)) throw error;
    return sound(own);
  }
}

/** Whether the profile, or one that it extends, says its environment. Throws as `lineage`. */
export function saysEnvironment(
  settings: Pick<Settings, 'profiles'>,
  name: string,
  own: SavedProfile,
): boolean {
  return lineage(settings, name, own).some(({ saved }) => saved.environment !== undefined);
}

/** The settings with a profile put in; throws as `resolved`, so that none is saved that cannot be used. */
export function withProfile(settings: Settings, name: string, own: SavedProfile): Settings {
  const after = { ...settings, profiles: { ...settings.profiles, [name]: own } };
  resolved(after, name, own);
  return after;
}

/** The names of the profiles that extend this one. */
export function childrenOf({ profiles }: Settings, name: string): string[] {
  return Object.keys(profiles).filter((child) => profiles[child]?.extends === name);
}

/** Settings that are not inherited: where tokens are kept, and secrets that a PSU or the TPP has with one bank only. */
const neverInherited = ['tokenStore', 'psu.passwordFrom', 'psu.otpFrom', 'oauth.clientSecretFrom'];

/** The parent without what is not for a child, what the child does not want, and what means nothing beside what the child says itself. */
function withoutOwn(parent: SavedProfile, child: SavedProfile): object {
  const gone = [
    ...neverInherited,
    // An algorithm without its key is nothing.
    ...(child.without ?? []).map((key) => key.replace(/^passwordEncryption\.key$/, 'passwordEncryption')),
    ...(child.baseUrl === undefined ? [] : ['urls']),
    ...(child.key === undefined && child.signer === undefined ? [] : ['key', 'keyPassphraseFrom', 'signer']),
    ...(child.tlsKey === undefined ? [] : ['tlsKeyPassphraseFrom']),
    ...(child.passwordEncryption === undefined ? [] : ['passwordEncryption']),
    ...(child.signing?.preset === undefined ? [] : ['signing']),
  ];
  const kept = gone.reduce<object>((rest, key) => put(rest, key.split('.'), undefined), parent);
  const rules: unknown = parent.headers?.rules;
  // A value that is no list of rules is reported where the profile is used.
  if (!Array.isArray(rules)) return kept;
  const open = rules.filter((rule) => !isGroup(rule) || Reflect.get(rule, 'valueFrom') === undefined);
  return put(kept, ['headers', 'rules'], open.length === 0 ? undefined : open);
}

function merged(parent: object, child: object): object {
  const both = Object.entries(child).map(([key, own]: [string, unknown]) => {
    const above: unknown = Object.hasOwn(parent, key) ? Reflect.get(parent, key) : undefined;
    return [key, isGroup(above) && isGroup(own) ? merged(above, own) : own] as const;
  });
  return { ...parent, ...Object.fromEntries(both) };
}

const isGroup = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function broken(profiles: Settings['profiles'], title: string, name: string): ObkError {
  return new ObkError({
    code: 'PROFILE_INVALID',
    title,
    detail: `Saved profiles: ${Object.keys(profiles).join(', ') || 'none'}.`,
    hint: [
      'obk profile list',
      ...(Object.hasOwn(profiles, name) ? [line`obk profile edit ${name} --extends NAME`] : []),
    ],
  });
}

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
function sound(saved: SavedProfile): Partial<Profile> {
  const wrong = new Set(unusable(saved).map(({ setting }) => setting.replace(/[.[].*$/s, '')));
  const { extends: _, without: __, ...own } = saved;
  return Object.fromEntries(Object.entries(own).filter(([key]) => !wrong.has(key)));
}

/** Throws PROFILE_INVALID with what no command can work with in a profile, and the line that mends it: no other profile suffers. */
function needUsable(name: string, saved: SavedProfile): void {
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
const variantLines = (name: string): string[] =>
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
