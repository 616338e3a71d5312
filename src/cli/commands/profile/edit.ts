import { defined } from '../../../base/defined.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { withSoundProfile } from '../../../client/profile/check-settings.ts';
import { savedAs } from '../../../client/profile/inheritance.ts';
import { needSafeAddresses } from '../../../client/profile/plain-http.ts';
import type { SavedProfile, Settings } from '../../../settings/records/profile.ts';
import { oneOf, usageError } from '../flags/flag-values.ts';
import { frameworkAfter, readBank, tellTemplate, underTemplate, withoutTemplate } from './bank-file.ts';
import { checkedFiles } from './checked-files.ts';
import { settleCredentials } from './credentials-answer.ts';
import { environmentOfMoved } from './environment-answer.ts';
import { checkOwnName, profileNamed, savedNamed } from './profile-name.ts';
import { trustedBank } from './trusted-bank.ts';
import { checkNotTaken, withKeys } from './setting-keys.ts';
import { settingsOptions, withSettings } from './settings-flags.ts';
import { tellOverridden, tellUnlikely } from './tell-unlikely.ts';
import { profileOutcome } from './show.ts';

const flags = (command: Flags) =>
  settingsOptions(
    command
      .argument('<name>', 'the profile')
      .option(
        '--credentials <ANSWER>',
        'keep or drop: tokens and consents, where the bank gets another address or issuer',
        oneOf('--credentials', ['keep', 'drop']),
      )
      .option('--no-check', 'save it whatever its files hold, and whether they are there'),
  );

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Change settings of a profile; an empty value removes a setting',
      usual:
        'extends environment base-url variant framework bank certificate key tls-certificate ' +
        'tls-key signing set redirect-uri psu-id psu-ip debtor',
      examples: [
        'obk profile edit acme --debtor DE89370400440532013000',
        "obk profile edit acme --debtor ''",
        'obk profile edit acme-live --without debtor --without psu.id',
        'obk profile edit acme --signing wso2 --set signing.keyId.serial=HEX',
      ],
      exits: [3],
    },
    run,
  );

const run: Run<Options> = async (context, given) => {
  const options = underTemplate(given);
  const { name } = options;
  checkOwnName(name);
  checkNotTaken(options.without);
  const { name: _, credentials: __, check: ___, ...changes } = options;
  if (Object.values<unknown>(changes).every((value) => value === undefined))
    throw usageError('Nothing to change: name at least one setting.', 'obk profile edit --help');
  const old = async () => profileNamed(await context.ports.settings.read(), name);
  const read = await readBank(context, options.bank, async (its) =>
    frameworkAfter(options, its ?? (await old()).framework),
  );
  const bank =
    options.bank === undefined
      ? read
      : await trustedBank(context, options.bank, read, options.baseUrl ?? (await old()).baseUrl);
  const changed = (before: SavedProfile) =>
    withSettings(context, withKeys(context, withoutTemplate(before, options.bank, bank), bank), options);
  const before = await context.ports.settings.read();
  const own = changed(savedNamed(before, name));
  needSafeAddresses(before, name, own);
  const environment = await environmentOfMoved(context, { settings: before, name, own });
  const whole = (settings: Settings) => ({
    ...changed(savedNamed(settings, name)),
    ...defined({ environment }),
  });
  const { taken, write } = await checkedFiles(context, before, name, {
    own: whole(before),
    before: savedAs(before, name),
    check: options.check,
  });
  const change = (settings: Settings) => withSoundProfile(settings, name, taken(whole(settings)));
  await settleCredentials(context, before, change(before), options.credentials);
  await write();
  const settings = await context.ports.settings.update(change);
  tellUnlikely(context, settings, name, before);
  tellTemplate(context, given);
  tellOverridden(context, options, bank, savedNamed(settings, name));
  return profileOutcome(settings, name);
};
