import type { Command } from 'commander';
import { profileNamed } from '../profile/profile-name.ts';
import { checkKey, withKey } from '../profile/setting-keys.ts';
import { settingsOptions } from '../profile/settings-flags.ts';
import type { Register, Run } from '../register.ts';
import { changeProfile, changed } from './change.ts';

interface Options {
  key: string;
  value: string;
}

export const register: Register = (parent, start) =>
  start(
    parent
      .command('set')
      .argument('<key>', 'such as baseUrl, psu.id or activeProfile')
      .argument('<value>', 'checked as the flag of profile edit checks it'),
    {
      about: 'Change one setting of the active profile, or of --profile',
      examples: [
        'obk config set debtor DE89370400440532013000 --profile acme',
        'obk config set signing.keyId.issuer rfc2253 --profile acme',
        'obk config set activeProfile sandbox',
      ],
      exits: [3],
      more: ['obk help profile edit', 'obk help config unset'],
    },
    runWith(settingsOptions(parent.createCommand('settings'))),
  );

const runWith =
  (flags: Command): Run<Options> =>
  async (context, { key, value }) => {
    checkKey(key, ['activeProfile']);
    if (key !== 'activeProfile')
      return changeProfile(context, key, (before) => withKey(context, flags, before, key, value));
    await context.ports.store.updateSettings((before) => {
      profileNamed(before, value);
      return { ...before, activeProfile: value };
    });
    return changed(key, value, null);
  };
