import type { Flags, OptionsOf, Register, Run } from '../../command.ts';
import { scaQuestions } from '../../../client/sca/sca-questions.ts';
import { wireOptions } from '../flags/global-options.ts';
import { feesOption, secretOptions } from '../flags/sca-options.ts';
import { scaId, takeStep } from './sca-id.ts';

const flags = (command: Flags) => wireOptions(feesOption(secretOptions(scaId(command))));

type Options = OptionsOf<typeof flags>;

export const register: Register = (command, start) =>
  start(
    flags(command),
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

const run: Run<Options> = (context, options) => {
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
