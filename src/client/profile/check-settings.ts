import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import type { Environment, Profile, SavedProfile, Settings } from '../../settings/records/profile.ts';
import { isObject } from '../../settings/profile/finding.ts';
import type { SettingFinding } from '../../settings/profile/finding.ts';
import { isSetting } from '../../settings/profile/keys.ts';
import { checkSettings } from '../../settings/profile/table.ts';
import { lineage, resolved, withProfile } from './inheritance.ts';

/** A finding in a saved profile; `place` is where config.json says it: `profiles.acme.lint.charset`. */
export interface PlacedFinding extends SettingFinding {
  readonly place: string;
}

/** The findings with their places; the profile that says a setting may be one that this one extends. */
export function placed(
  settings: Pick<Settings, 'profiles'>,
  name: string,
  own: SavedProfile,
  findings: readonly SettingFinding[],
): readonly PlacedFinding[] {
  const givers = lineage(settings, name, own);
  return findings.map((finding) => {
    const path = finding.setting.replace(/\[.*$/, '').split('.');
    const giver = givers.find(({ saved }) => says(saved, path))?.name ?? name;
    return { ...finding, place: `profiles.${giver}.${finding.setting}` };
  });
}

function says(value: unknown, [head, ...rest]: readonly string[]): boolean {
  if (head === undefined) return true;
  return isObject(value) && Object.hasOwn(value, head) && says(value[head], rest);
}

/** A finding with the line that mends it, or tells more of it. */
interface MendedFinding extends PlacedFinding {
  readonly mend: string;
}

/** PROFILE_INVALID for settings that are wrong by themselves, whatever a bank says. */
export class WrongSettings extends ObkError {
  readonly environment: Environment;
  readonly findings: readonly MendedFinding[];

  constructor(name: string, { environment }: Profile, findings: readonly MendedFinding[]) {
    const [first] = findings;
    const which =
      findings.length === 1 ? `The setting ${String(first?.setting)}` : `${String(findings.length)} settings`;
    super({
      code: 'PROFILE_INVALID',
      title: `${which} of the profile ${name} ${findings.length === 1 ? 'is' : 'are'} not valid.`,
      detail: findings.map(({ place, text }) => `${place}: ${text}`).join('\n'),
      hint: [...new Set(findings.map(({ mend }) => mend))],
    });
    this.environment = environment;
    this.findings = findings;
  }
}

/**
 * Throws WrongSettings with every wrong setting, and its place; `profile` may differ from the saved one for this run, and `saved`
 * are the settings as the file has them, where `settings` are not saved yet.
 */
export function needSound(
  settings: Pick<Settings, 'profiles'>,
  name: string,
  profile: Profile,
  saved = settings,
): void {
  const findings = checkSettings(profile, 'profile');
  if (findings.length === 0) return;
  const wrong = findings.map((one) => {
    const place = placeOf(settings, name, one);
    return { ...one, place, mend: unsetLine(saved, place) ?? line`obk bank lint ${name}` };
  });
  throw new WrongSettings(name, profile, wrong);
}

/** The line that removes a setting that obk does not have (any more) from the profile that has it saved; else undefined. */
function unsetLine({ profiles }: Pick<Settings, 'profiles'>, place: string): string | undefined {
  const [, name = '', setting = ''] = /^profiles\.([^.]+)\.([^[]+)$/.exec(place) ?? [];
  const isSaved = says(profiles, [name, ...setting.split('.')]);
  return isSaved && !isSetting(setting) ? line`obk config unset ${setting} --profile ${name}` : undefined;
}

/** As `withProfile`; throws as `needSound` too, so that no profile is saved whole that is refused when it is used. */
export function withSoundProfile(settings: Settings, name: string, own: SavedProfile): Settings {
  const after = withProfile(settings, name, own);
  needSound(after, name, resolved(after, name, own), settings);
  return after;
}

/** Returns the findings that a change brings into the settings of a profile. */
export function madeWrong(before: SavedProfile, after: SavedProfile): readonly SettingFinding[] {
  const [earlier, now] = [before, after].map(({ extends: _, without: __, ...own }) =>
    checkSettings(own, 'profile'),
  );
  return (now ?? []).filter(({ setting }) => earlier?.every((one) => one.setting !== setting) === true);
}

/** Returns where a finding stands in the file; a value from a variable or flag of this run has no place there. */
function placeOf(settings: Pick<Settings, 'profiles'>, name: string, finding: SettingFinding): string {
  const own = Object.hasOwn(settings.profiles, name) ? settings.profiles[name] : undefined;
  if (own === undefined) return finding.setting;
  const saved = checkSettings(resolved(settings, name, own), 'profile');
  const isSaved = saved.some(({ setting }) => setting === finding.setting);
  return (isSaved ? placed(settings, name, own, [finding])[0]?.place : undefined) ?? finding.setting;
}
