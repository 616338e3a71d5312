import { usageError } from '../flags.ts';
import type { Register, Run } from '../register.ts';
import { checkOwnName, profileNamed } from './profile-name.ts';
import { settingsOptions, withSettings } from './settings-flags.ts';
import type { SettingsOptions } from './settings-flags.ts';
import { profileOutcome } from './show.ts';

interface Options extends SettingsOptions {
  name: string;
}

const settingNames = new Set(
  [
    'environment baseUrl variant framework prefix surface certificate key keyPassphraseFrom tlsCertificate tlsKey ca',
    'signing set signer tlsKeyPassphraseFrom redirectUri nokRedirectUri origin psuId psuIdType psuCorporateId psuCorporateIdType psuIp',
    'psuPasswordKey psuPasswordAlgorithm',
    'psuPasswordFrom otpFrom scaMethod debtor timeout psuContext lintCharset',
    'redirect explicit rejectNoFunds notificationUri notificationContent brandLogging',
  ]
    .join(' ')
    .split(' '),
);

export const register: Register = (parent, start) =>
  start(
    settingsOptions(parent.command('edit').argument('<name>', 'the profile')),
    {
      about: 'Change settings of a profile; an empty value takes a setting away',
      examples: [
        'obk profile edit acme --debtor DE89370400440532013000',
        "obk profile edit acme --debtor ''",
        'obk profile edit acme --signing wso2 --set signing.keyId.serial=HEX',
      ],
      exits: [3],
    },
    run,
  );

export const run: Run<Options> = async (context, options) => {
  const { name } = options;
  checkOwnName(name);
  const given = Object.entries(options).some(([key, value]) => settingNames.has(key) && value !== undefined);
  if (!given) throw usageError('Nothing to change: name at least one setting.', 'obk profile edit --help');
  const settings = await context.ports.store.updateSettings((before) => ({
    ...before,
    profiles: {
      ...before.profiles,
      [name]: withSettings(context, profileNamed(before, name), options),
    },
  }));
  return profileOutcome(name, profileNamed(settings, name));
};
