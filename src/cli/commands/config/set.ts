import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import type { SavedProfile } from '../../../settings/records/profile.ts';
import { days, usageError } from '../flags/flag-values.ts';
import { profileNamed } from '../profile/profile-name.ts';
import { checkKey, withKey } from '../profile/setting-keys.ts';
import { changeOfAll, changeProfile, changed, isOfAll, isOwnKey, ownKeys } from './change.ts';

const flags = (command: Flags) =>
  command
    .argument('<key>', 'such as baseUrl, psu.id, activeProfile or retention')
    .argument('<value>', 'checked as the flag of profile edit checks it');

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Change one setting of the active profile, or of --profile',
      examples: [
        'obk config set debtor DE89370400440532013000 --profile acme',
        'obk config set signing.keyId.issuer rfc2253 --profile acme',
        'obk config set activeProfile sandbox',
        'obk config set retention 90d',
        'obk config set state.urlFrom env:OBK_STATE_URL',
      ],
      exits: [3],
      more: ['obk help profile edit', 'obk help config unset'],
    },
    run,
  );

const run: Run<Options> = async (context, { key, value }) => {
  checkKey(key, ownKeys);
  if (isOfAll(context, key))
    return changeOfAll(context, key, (before) => withKey(context, before as SavedProfile, key, value));
  if (!isOwnKey(key)) {
    const outcome = await changeProfile(context, key, (before) => withKey(context, before, key, value));
    if (key === 'requestIdSemantics' && value === 'replay')
      context.ports.notices.warn(
        'obk goes by it: at a bank that takes a known X-Request-ID anew, pending resolve --replay pays twice.',
      );
    return outcome;
  }
  if (key === 'retention') {
    const retention = retentionOf(value);
    await context.ports.settings.update((before) => ({ ...before, retention }));
    return changed(key, retention, null);
  }
  await context.ports.settings.update((before) => {
    profileNamed(before, value);
    return { ...before, activeProfile: value };
  });
  return changed(key, value, null);
};

function retentionOf(text: string): string {
  const count = days('retention')(text);
  if (count > 0) return `${String(count)}d`;
  throw usageError('retention takes at least 1d.', 'obk config unset retention   # nothing goes by itself');
}
