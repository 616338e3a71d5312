import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { line } from '../../../base/command-line.ts';
import type { SavedProfile } from '../../../settings/records/profile.ts';
import { withoutKey } from '../profile/setting-keys.ts';
import { changeOfAll, changeProfile, changed, isOfAll, isOwnKey } from './change.ts';

const flags = (command: Flags) => command.argument('<key>', 'such as debtor or psu.id');

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Remove one setting of the active profile, or of --profile',
      examples: ['obk config unset debtor --profile acme'],
      exits: [3],
      more: ['obk help config set'],
    },
    run,
  );

const run: Run<Options> = async (context, { key }) => {
  if (isOfAll(context, key))
    return changeOfAll(context, key, (before) => withoutKey(before as SavedProfile, key));
  if (!isOwnKey(key)) {
    const outcome = await changeProfile(context, key, (before) => withoutKey(before, key));
    const { profile, value } = outcome.data as { profile: string; value: unknown };
    if (value === null) return outcome;
    return { ...outcome, next: [line`obk profile edit ${profile} --without ${key}   # nor from its parent`] };
  }
  await context.ports.settings.update(({ [key]: _, ...rest }) => rest);
  return changed(key, undefined, null);
};
