import { line } from '../../base/command-line.ts';
import type { BankInUse } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import { builtInName, isBuiltIn, isOwnProfileName } from '../../base/profile-name.ts';
import type { Environment, Profile, Settings } from '../../settings/records/profile.ts';
import { presets } from '../../standard/xs2a/variants.ts';
import { inUse } from './in-use.ts';
import { resolved, saysEnvironment } from './inheritance.ts';
import type { Project } from './project-file.ts';

/** The settings of the built-in profiles: what the user cannot know before the bank runs is filled in by `openTarget`. */
export const builtInProfile: Profile = {
  environment: 'sandbox',
  ...presets.v1,
  psu: { ipAddress: '127.0.0.1' },
  currency: 'EUR',
};

/** Where the name of the profile came from. */
export type ProfileOrigin = 'flag' | 'env' | 'project' | 'active' | 'built-in';

/** The profile that a command works with. */
export interface ChosenProfile {
  name: string;
  profile: Profile;
  origin: ProfileOrigin;
  /** The origins of the profile itself, whatever a run says of its address. */
  declared?: readonly string[];
  /** True for the built-in profile of a bank inside: `sandbox`, or `sandbox@` and its name or URL. */
  builtIn: boolean;
  /** How command lines that are printed name the bank inside. */
  inLines?: BankInUse;
  /** True if its environment was never set: it is derived from the addresses in use. */
  unsaid?: true;
}

/** The inputs of the choice; `connectionVariables` are OBK_* variables that point at some bank. */
export interface ProfileOptions {
  flag?: string;
  env?: string;
  project?: Project | undefined;
  connectionVariables: readonly string[];
  /** Which of these names was probably meant. */
  near?: (name: string, known: readonly string[]) => readonly string[];
  present: boolean;
}

/** The name that is asked for, flag first; undefined where nothing names one. */
export function wishedName(settings: Settings, { flag, env, project }: ProfileOptions): string | undefined {
  return flag ?? env ?? project?.profile ?? settings.activeProfile;
}

/**
 * Chooses flag > environment > project file > active profile > built-in. Without a person the built-in one is taken unasked only where
 * nothing at all is configured, so that a script with a broken set-up never talks to the wrong bank.
 */
export function chooseProfile(settings: Settings, wish: ProfileOptions): ChosenProfile {
  const { project } = wish;
  const named = wishedName(settings, wish);
  if (named === undefined) {
    const isConfigured = Object.keys(settings.profiles).length > 0 || wish.connectionVariables.length > 0;
    // The address of another bank is never passed over, whoever looks on.
    if ((!wish.present && isConfigured) || wish.connectionVariables.includes('OBK_BASE_URL')) {
      throw new ObkError({
        code: 'PROFILE_UNKNOWN',
        title: 'No profile is chosen.',
        detail:
          wish.connectionVariables.length > 0
            ? `${wish.connectionVariables.join(', ')} is set, but no profile says what to do with it.`
            : 'There are profiles, but none is active; without a terminal obk does not guess.',
        hint: ['obk profile list', 'obk profile use NAME', '--profile NAME or OBK_PROFILE=NAME'],
      });
    }
    return { name: builtInName, profile: builtInProfile, origin: 'built-in', builtIn: true };
  }
  const origin = originOf(wish);
  if (isBuiltIn(named)) return { name: named, profile: builtInProfile, origin, builtIn: true };
  const saved = Object.hasOwn(settings.profiles, named) ? settings.profiles[named] : undefined;
  if (saved === undefined) {
    const known = [...Object.keys(settings.profiles), builtInName];
    throw new ObkError({
      code: 'PROFILE_UNKNOWN',
      title: `There is no profile ${JSON.stringify(named)}.`,
      detail: `Known profiles: ${known.join(', ')}.${origin === 'project' ? ` ${String(project?.path)} names it.` : ''}`,
      hint: [
        ...(wish.near?.(named, known) ?? []).slice(0, 2).map((name) => line`--profile ${name}`),
        'obk profile list',
        line`obk profile create ${isOwnProfileName(named) ? named : 'NAME'} --base-url URL`,
      ],
    });
  }
  return {
    name: named,
    profile: inUse(resolved(settings, named, saved)),
    origin,
    builtIn: false,
    ...(saysEnvironment(settings, named, saved) ? {} : { unsaid: true }),
  };
}

function originOf({ flag, env, project }: ProfileOptions): ProfileOrigin {
  if (flag !== undefined) return 'flag';
  if (env !== undefined) return 'env';
  return project?.profile === undefined ? 'active' : 'project';
}

/** Throws ENVIRONMENT_REQUIRED unless the profile is of the environment that the flag, else the project, insists on. */
export function requireEnvironment(
  chosen: ChosenProfile,
  flag: Environment | undefined,
  project?: Project,
): void {
  const wanted = flag ?? project?.requireEnvironment;
  if (wanted === undefined || chosen.profile.environment === wanted) return;
  throw new ObkError({
    code: 'ENVIRONMENT_REQUIRED',
    title: `The profile ${chosen.name} is a ${chosen.profile.environment} profile, not a ${wanted} profile.`,
    ...(flag === undefined && project !== undefined ? { detail: `${project.path} requires it.` } : {}),
    hint: [
      ...(chosen.unsaid === true ? [line`obk profile edit ${chosen.name} --environment ${wanted}`] : []),
      'obk profile list',
    ],
  });
}
