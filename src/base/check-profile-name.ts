import { ObkError } from './errors.ts';
import { isProfileName } from './profile-name.ts';

/** Throws PROFILE_INVALID for a name that could become something else in a path or a key. */
export function checkProfileName(name: string): string {
  if (isProfileName(name)) return name;
  throw new ObkError({
    code: 'PROFILE_INVALID',
    title: `${JSON.stringify(name.slice(0, 80))} cannot be the name of a profile.`,
    detail:
      'A name has 1 to 64 characters out of a-z, 0-9, - and _, begins with a letter or digit, and is no device name.',
  });
}
