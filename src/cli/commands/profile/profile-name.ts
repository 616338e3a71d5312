import { line } from '../../../base/command-line.ts';
import { ObkError, isFailure } from '../../../base/errors.ts';
import { resolved } from '../../../client/profile/inheritance.ts';
import { builtInProfile } from '../../../client/profile/choose-profile.ts';
import { builtInName, isBuiltIn, isOwnProfileName } from '../../../base/profile-name.ts';
import type { Profile, SavedProfile, Settings } from '../../../settings/records/profile.ts';
import { nearest } from '../../../base/nearest.ts';
import { usageError } from '../flags/flag-values.ts';

/** Throws unless the name can be one of a profile: it becomes part of file names. */
function checkProfileName(name: string): void {
  if (isOwnProfileName(name) || isBuiltIn(name)) return;
  throw usageError(
    `${JSON.stringify(name)} cannot be the name of a profile.`,
    'Use 1 to 64 of a-z, 0-9, _ and -, beginning with a letter or a digit.',
  );
}

/** As `checkProfileName`, but refuses the built-in profile, whose settings are fixed. */
export function checkOwnName(name: string): void {
  checkProfileName(name);
  if (isBuiltIn(name)) {
    throw usageError(`The profile ${name} is built in and cannot be changed.`, 'obk profile create NAME');
  }
}

/** The profile of that name with what it inherits; throws PROFILE_UNKNOWN naming the nearest, and PROFILE_INVALID. */
export function profileNamed(settings: Settings, name: string): Profile {
  return isBuiltIn(name) ? builtInProfile : resolved(settings, name, savedNamed(settings, name));
}

/** Why a profile cannot be used, where that is so; one profile is not to stop what is about them all. */
export function whyUnusable(settings: Settings, name: string): ObkError | undefined {
  try {
    profileNamed(settings, name);
    return undefined;
  } catch (error) {
    if (isFailure(error)) return error;
    throw error;
  }
}

/** Whether there is a profile of that name. */
export const isSavedProfile = (settings: Settings, name: string): boolean =>
  isBuiltIn(name) || Object.hasOwn(settings.profiles, name);

/** The profile of that name as it is saved; throws PROFILE_UNKNOWN naming the nearest. */
export function savedNamed(settings: Settings, name: string): SavedProfile {
  if (isBuiltIn(name)) return builtInProfile;
  const profile = Object.hasOwn(settings.profiles, name) ? settings.profiles[name] : undefined;
  if (profile !== undefined) return profile;
  const known = [...Object.keys(settings.profiles), builtInName];
  throw new ObkError({
    code: 'PROFILE_UNKNOWN',
    title: `There is no profile ${JSON.stringify(name)}.`,
    detail: `Known profiles: ${known.join(', ')}.`,
    hint: [...nearest(name, known).map((near) => line`obk profile show ${near}`), 'obk profile list'],
  });
}
