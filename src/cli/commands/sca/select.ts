import type { Register, Run } from '../../command.ts';
import { wireOptions } from '../flags/global-options.ts';
import { methodOption } from '../flags/sca-options.ts';
import type { ScaOptions } from '../flags/sca-options.ts';
import { scaId, takeStep } from './sca-id.ts';
import type { ScaId } from './sca-id.ts';

export const register: Register = (parent, start) =>
  start(
    wireOptions(methodOption(scaId(parent.command('select')))),
    {
      about: 'Choose the SCA method of an authorisation, and do nothing more',
      examples: ['obk sca select @last --sca-method sms', 'obk sca select --sca-method CHIP_OTP --json'],
      exits: [5, 9, 12],
      more: ['obk help sca methods', 'obk help sca submit'],
    },
    run,
  );

const run: Run<ScaId & ScaOptions> = (context, options) => takeStep(context, options, 'select');
