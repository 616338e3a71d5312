import type { Register, Run } from '../../command.ts';
import { scaQuestions } from '../../../client/sca/sca-questions.ts';
import { wireOptions } from '../flags/global-options.ts';
import { feesOption, secretOptions } from '../flags/sca-options.ts';
import type { ScaOptions } from '../flags/sca-options.ts';
import { scaId, takeStep } from './sca-id.ts';
import type { ScaId } from './sca-id.ts';

export const register: Register = (parent, start) =>
  start(
    wireOptions(feesOption(secretOptions(scaId(parent.command('submit'))))),
    {
      about: 'Send the one thing that the bank waits for: a password, a one-time password, the PSU-ID',
      examples: [
        'obk sca submit @last --psu-password-from env:PSU_PASSWORD',
        'obk sca submit --otp-from env:PSU_OTP --json',
      ],
      exits: [9, 5, 12],
      more: ['obk help sca status', 'obk help references'],
    },
    run,
  );

const run: Run<ScaId & ScaOptions> = (context, options) => {
  const { password, additionalPassword, encryptedPassword, additionalEncryptedPassword, otp } = scaQuestions;
  const flags: readonly [string, string | undefined][] = [
    [password.flag, options.psuPasswordFrom],
    [additionalPassword.flag, options.psuAdditionalPasswordFrom],
    [encryptedPassword.flag, options.psuEncryptedPasswordFrom],
    [additionalEncryptedPassword.flag, options.psuAdditionalEncryptedPasswordFrom],
    [otp.flag, options.otpFrom],
  ];
  const given = flags.filter(([, value]) => value !== undefined).map(([flag]) => flag);
  return takeStep(context, options, 'submit', given);
};
