import type { Flags, OptionsOf } from '../../command.ts';
import { signingModes, withMode, withSetting } from '../../../client/profile/signing-settings.ts';
import type { Profile } from '../../../settings/records/profile.ts';
import { oneOrNone, several } from '../flags/flag-values.ts';

/** The options that say how a bank requires requests to be signed. */
export type SigningFlags = OptionsOf<typeof signingFlags>;

/** Adds the flags that say how a bank requires requests to be signed; that of the signer is made from its setting. */
export const signingFlags = <Own>(command: Flags<Own>) =>
  command
    .option(
      '--signing <MODE>',
      'cavage, none, or as a kind of bank wants it: guidelines, adorsys, wso2',
      oneOrNone('--signing', signingModes),
    )
    .option('--set <NAME=VALUE>', 'one setting, such as signing.keyId.issuer=rfc2253 (several)', several);

/** Whether a text of `--set` is about signing; every other setting is changed beside it. */
export const isOfSigning = (text: string): boolean => text.startsWith('signing.');

/** The signing settings after the flags are applied; undefined if no flag concerns them, empty if nothing is left. */
export function changedSigning(
  before: Profile['signing'],
  { signing, set = [] }: SigningFlags,
): Profile['signing'] | '' {
  const own = set.filter(isOfSigning);
  if (signing === undefined && own.length === 0) return undefined;
  const chosen = signing === undefined ? before : signing === '' ? undefined : withMode(before, signing);
  const after = own.reduce<Profile['signing']>((settings, text) => withSetting(settings, text), chosen);
  return after === undefined || Object.keys(after).length === 0 ? '' : after;
}
