import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { line } from '../../../base/command-line.ts';
import { chooseAuthorisation } from '../../../client/authorisations/other-authorisations.ts';
import { refreshOld } from '../../../client/resources/saved-resource.ts';
import type { Noun } from '../../../standard/sca/operations.ts';
import { findResource, resourceId } from './find-resource.ts';
import { flagsIf } from '../flags/flag-values.ts';
import { wireOptions } from '../flags/global-options.ts';
import { documented } from './documented.ts';
import { lead } from './lead.ts';
import { leaderOf } from '../output/exit-of-status.ts';
import { requireBaskets } from './require-offered.ts';
import { feesOption, returnOption, scaOptions } from '../flags/sca-options.ts';
import { withTarget } from './with-target.ts';

const about = {
  payment: 'Authorise a payment (or its cancellation), or go on where it stopped',
  consent: 'Authorise a consent (or its deletion), or go on where it stopped',
  basket: 'Authorise a basket, or go on where it stopped',
} as const satisfies Record<Noun, string>;

const flags = (command: Flags, noun: Noun) => {
  const led = scaOptions(
    resourceId(command, noun).option('--new', 'start another authorisation instead of going on'),
  );
  return wireOptions(returnOption(flagsIf(noun !== 'consent', led, feesOption)));
};

type Options = OptionsOf<typeof flags>;

/** The verb `authorise` of a noun: the same conversation, whatever it belongs to. */
export function authoriseCommand(noun: Noun): { register: Register; run: Run<Options> } {
  const run: Run<Options> = (context, options) =>
    withTarget(context, options, async (opened) => {
      const target = noun === 'basket' ? await requireBaskets(opened) : opened;
      const resource = await refreshOld(target, await findResource(target, noun, options));
      const chosen = await documented(target, resource, noun, () =>
        chooseAuthorisation(target, resource, options.new === true),
      );
      const leader = leaderOf(chosen.conversation.parent.kind);
      return lead(context, target, { resource, ...chosen, leader, created: false }, options);
    });
  const register: Register = (command, start) =>
    start(
      flags(command, noun),
      {
        about: about[noun],
        examples: [
          line`obk ${noun} authorise @last --sca-method sms --psu-password-from env:PSU_PASSWORD --otp-from env:PSU_OTP`,
          line`obk ${noun} authorise @last --wait --timeout 2m`,
        ],
        exits: [4, 5, 8, 9, 12],
        more: ['obk help references', `obk help ${noun} status`],
      },
      run,
    );
  return { register, run };
}
