import type { Context } from '../../context.ts';
import { declaredOrigins } from '../../../client/profile/declared-origins.ts';
import { resolved, savedAs, saysEnvironment } from '../../../client/profile/inheritance.ts';
import { unsaidEnvironment } from '../../../client/profile/unsaid-environment.ts';
import type { Environment, Profile, SavedProfile, Settings } from '../../../settings/records/profile.ts';
import { demand, oneOf } from '../flags/flag-values.ts';
import { environments } from '../flags/global-options.ts';
import { givenFor, question } from '../flags/prompts.ts';

/** A profile that is being made or changed, among the settings. */
interface ChangedProfile {
  settings: Settings;
  name: string;
  own: SavedProfile;
}

/** Whether somebody must say the environment: none is said, and the bank is not on this machine. */
export function wantsEnvironment({ settings, name, own }: ChangedProfile): boolean {
  return (
    !saysEnvironment(settings, name, own) && unsaidEnvironment(resolved(settings, name, own)) === 'production'
  );
}

/**
 * The environment of a new profile, from the flag, OBK_ENVIRONMENT or a person's answer. Undefined if none is needed;
 * throws USAGE without an answer, since the confirmations of production depend on it.
 */
export async function environmentAnswer(
  context: Context,
  changed: ChangedProfile,
  hint: readonly string[] = environments.map((one) => `--environment ${one}`),
): Promise<Environment | undefined> {
  if (!wantsEnvironment(changed)) return undefined;
  const { person } = context.ports;
  const read = oneOf('--environment', environments);
  const given = givenFor(context, 'environment', undefined);
  if (given !== undefined) return read(given);
  if (!person.present) demand(['--environment'], ...hint);
  const asked = question('environment', 'What kind of bank is it?');
  const options = environments.map((value) => ({ value, name: value, description: about[value] }));
  return read(await person.choose({ ...asked, options }));
}

/** As `environmentAnswer`, where a change leads to other addresses; what stays where it is counts as production until somebody says. */
export async function environmentOfMoved(
  context: Context,
  changed: ChangedProfile,
  hint?: readonly string[],
): Promise<Environment | undefined> {
  const { settings, name, own } = changed;
  const origins = (profile: Partial<Profile>) => declaredOrigins(profile).sort().join(' ');
  if (origins(savedAs(settings, name)) === origins(resolved(settings, name, own))) return undefined;
  return environmentAnswer(context, changed, hint);
}

const about: Readonly<Record<Environment, string>> = {
  sandbox: 'a toy, money is not real',
  test: 'a test system of the bank, money is not real',
  production: 'money is real, and every payment is confirmed',
};
