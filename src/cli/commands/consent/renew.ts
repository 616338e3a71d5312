import { defined } from '../../../base/defined.ts';
import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import type { AccessOptions } from '../../../client/consents/consent-body.ts';
import { knownConsent } from '../../../client/consents/usual-consent.ts';
import type { SavedResource } from '../../../settings/records/resources.ts';
import { findResource, resourceId } from '../run/find-resource.ts';
import { wireOptions } from '../flags/global-options.ts';
import { lead } from '../run/lead.ts';
import { preferenceOptions } from '../flags/tpp-preferences.ts';
import { confirmOptions, scaOptions } from '../flags/sca-options.ts';
import { withTarget } from '../run/with-target.ts';
import { newConsent, termOptions } from './consent-options.ts';

const flags = (command: Flags) =>
  wireOptions(
    scaOptions(confirmOptions(preferenceOptions(termOptions(resourceId(command, 'consent')), 'consent'))),
  );

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Create a consent with the access of another; it takes its place once it is valid',
      usual: 'valid-until frequency yes psu-id psu-password-from otp-from sca-method wait dry-run',
      examples: [
        'obk consent renew @last --psu-id embedded-choice --sca-method sms --psu-password-from env:PSU_PASSWORD --otp-from env:PSU_OTP',
      ],
      exits: [5, 7, 8, 9, 12],
      more: ['obk help consent list', 'obk help consent authorise'],
    },
    run,
  );

const run: Run<Options> = (context, options) =>
  withTarget(context, options, async (opened) => {
    const old = await knownConsent(opened, await findResource(opened, 'consent', options));
    const psuId = old.consent?.psuId;
    const target =
      opened.psu.id === undefined && psuId !== undefined
        ? { ...opened, psu: { ...opened.psu, id: psuId } }
        : opened;
    const created = await newConsent(context, target, { ...terms(old, options), renews: old }, options);
    return lead(context, target, { ...created, resumed: false, leader: 'init', created: true }, options);
  });

/** The last day is counted anew; how often stays as the bank has it. */
function terms({ consent }: SavedResource, { validUntil, frequency }: Options): AccessOptions {
  const recurring = consent?.recurring === true;
  const often = frequency ?? (recurring ? consent.frequency : undefined);
  return {
    recurring,
    combined: consent?.combined === true,
    ...defined({ validUntil, frequency: often }),
  };
}
