import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { wireOptions } from '../flags/global-options.ts';
import { lead, madeOutcome } from '../run/lead.ts';
import { preferenceOptions } from '../flags/tpp-preferences.ts';
import { confirmOptions, laterOption, needOneOf, scaOptions } from '../flags/sca-options.ts';
import { withTarget } from '../run/with-target.ts';
import { formOptions, newConsent, termOptions, wishOf } from './consent-options.ts';

const flags = (command: Flags) => {
  const form = termOptions(formOptions(command))
    .option('--recurring', 'for more than one access (OBK_RECURRING); ends an older recurring one')
    .option('--combined', 'a payment of the same session follows');
  return wireOptions(scaOptions(confirmOptions(preferenceOptions(laterOption(form, 'consent'), 'consent'))));
};

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Ask for access to accounts and lead the PSU through SCA; for one access unless --recurring',
      usage: '--iban IBAN',
      usual:
        'iban all-psd2 bank-offered valid-until frequency recurring yes psu-id psu-password-from ' +
        'otp-from sca-method wait dry-run',
      examples: [
        'obk consent create   # asks for the rest',
        'obk consent create --iban DE65990010000000002443 --recurring --psu-id embedded-choice --sca-method sms --psu-password-from env:PSU_PASSWORD --otp-from env:PSU_OTP',
        'obk consent create --all-psd2 --json --no-input',
        'obk consent create --available-accounts-with-balance --valid-until 9999-12-31',
      ],
      exits: [5, 7, 8, 9, 12],
      more: ['obk help consent authorise', 'obk help transactions list', 'obk help references'],
    },
    run,
  );

const run: Run<Options> = (context, options) =>
  withTarget(context, options, async (target) => {
    needOneOf(options);
    const wish = await wishOf(context, target, options);
    const created = await newConsent(context, target, wish, options);
    if (options.authoriseLater !== true)
      return lead(context, target, { ...created, resumed: false, leader: 'init', created: true }, options);
    return madeOutcome(context, target, created, 'init');
  });
