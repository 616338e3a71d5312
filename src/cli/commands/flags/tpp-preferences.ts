import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import type { Profile } from '../../../settings/records/profile.ts';
import type { Preferences } from '../../../settings/records/resources.ts';
import { checkHeaderValue } from '../../../standard/xs2a/headers.ts';
import { oneOf, usageError } from './flag-values.ts';

/** Flags for what a run prefers. */
export interface PreferenceOptions {
  redirect?: YesNo | '';
  decoupled?: YesNo | '';
  explicit?: YesNo | '';
  rejectNoFunds?: YesNo | '' | true;
  notificationUri?: string;
  notificationContent?: string;
  brandLogging?: string;
}

type YesNo = 'yes' | 'no';

/** Reads a flag that is yes or no. */
export const yesNo = (flag: string) => oneOf(flag, ['yes', 'no']);

const yesNoOrNone = (flag: string) => (text: string) => (text === '' ? '' : yesNo(flag)(text));

/** Reads the value of a header as it will be sent; an empty value removes a setting. */
export function headerValue(flag: string, name: string): (text: string) => string {
  return (text) => {
    const checked = text === '' ? { ok: true as const } : checkHeaderValue(name, text);
    if (checked.ok) return text;
    throw usageError(`${flag} ${JSON.stringify(text)}: ${checked.why}.`);
  };
}

/** Adds the flags of what every creation may ask for; `payment` also has those that only a payment knows. */
export function preferenceOptions(command: Command, of: 'payment' | 'consent' | 'basket'): Command {
  if (of === 'basket') startOptions(command);
  else approachOptions(command);
  if (of === 'payment')
    command.option(
      '--reject-no-funds [YES|NO]',
      'TPP-Rejection-NoFunds-Preferred (OBK_REJECT_NO_FUNDS)',
      yesNoOrNone('--reject-no-funds'),
    );
  return command
    .option(
      '--notification-uri <URL>',
      'address for status notifications of the bank',
      headerValue('--notification-uri', 'TPP-Notification-URI'),
    )
    .option(
      '--notification-content <LIST>',
      'which notifications: status=SCA,PROCESS,LAST',
      headerValue('--notification-content', 'TPP-Notification-Content-Preferred'),
    )
    .option(
      '--brand-logging <TEXT>',
      'TPP-Brand-Logging-Information (1.3.6)',
      headerValue('--brand-logging', 'TPP-Brand-Logging-Information'),
    );
}

/** Adds those that a cancellation has as well. */
export function approachOptions(command: Command): Command {
  return startOptions(command).option(
    '--decoupled <YES|NO>',
    'TPP-Decoupled-Preferred (1.3.9 on; OBK_DECOUPLED)',
    yesNoOrNone('--decoupled'),
  );
}

function startOptions(command: Command): Command {
  return command
    .option('--redirect <YES|NO>', 'TPP-Redirect-Preferred (OBK_REDIRECT)', yesNoOrNone('--redirect'))
    .option(
      '--explicit <YES|NO>',
      'TPP-Explicit-Authorisation-Preferred (OBK_EXPLICIT)',
      yesNoOrNone('--explicit'),
    );
}

/** The preferences from the flags of this run; an empty flag removes the profile's preference. */
export function preferencesOf(options: PreferenceOptions): Preferences {
  const { redirect, decoupled, explicit, rejectNoFunds } = options;
  const { notificationUri, notificationContent, brandLogging } = options;
  return {
    ...(redirect !== undefined && { redirect: redirect && redirect === 'yes' }),
    ...(decoupled !== undefined && { decoupled: decoupled && decoupled === 'yes' }),
    ...(explicit !== undefined && { explicit: explicit && explicit === 'yes' }),
    ...(rejectNoFunds !== undefined && { rejectNoFunds: rejectNoFunds && rejectNoFunds !== 'no' }),
    ...(notificationUri !== undefined && { notificationUri }),
    ...(notificationContent !== undefined && { notificationContent }),
    ...(brandLogging !== undefined && { brandLogging }),
  };
}

const variables = {
  redirect: 'OBK_REDIRECT',
  decoupled: 'OBK_DECOUPLED',
  explicit: 'OBK_EXPLICIT',
  rejectNoFunds: 'OBK_REJECT_NO_FUNDS',
} as const satisfies Record<keyof NonNullable<Profile['prefer']>, string>;

/** The profile as the variables of this run prefer it. */
export function preferring(context: Context, profile: Profile): Profile {
  const prefer: NonNullable<Profile['prefer']> = { ...profile.prefer };
  for (const key of Object.keys(variables) as (keyof typeof variables)[]) {
    const text = context.process.env[variables[key]] ?? '';
    if (text !== '') prefer[key] = yesNo(variables[key])(text) === 'yes';
  }
  return Object.keys(prefer).length === 0 ? profile : { ...profile, prefer };
}
