import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { wireOptions } from '../flags/global-options.ts';
import { methodOption } from '../flags/sca-options.ts';
import { scaId, takeStep } from './sca-id.ts';

const flags = (command: Flags) => wireOptions(methodOption(scaId(command)));

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
    {
      about: 'Choose the SCA method of an authorisation, and do nothing more',
      examples: ['obk sca select @last --sca-method sms', 'obk sca select --sca-method CHIP_OTP --json'],
      exits: [5, 9, 12],
      more: ['obk help sca methods', 'obk help sca submit'],
    },
    run,
  );

const run: Run<Options> = (context, options) => takeStep(context, options, 'select');
