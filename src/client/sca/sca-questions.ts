/** The questions of strong customer authentication, each with the flag and variable that answer it. */
export const scaQuestions = {
  psuId: { id: 'psu-id', flag: '--psu-id', env: 'OBK_PSU_ID', text: 'PSU-ID (login name at the bank)' },
  password: {
    id: 'psu-password',
    flag: '--psu-password-from',
    env: 'OBK_PSU_PASSWORD_FROM',
    text: 'Password of the PSU',
  },
  encryptedPassword: {
    id: 'psu-encrypted-password',
    flag: '--psu-encrypted-password-from',
    env: 'OBK_PSU_ENCRYPTED_PASSWORD_FROM',
    text: 'Password of the PSU, encrypted for the bank',
  },
  additionalPassword: {
    id: 'psu-additional-password',
    flag: '--psu-additional-password-from',
    env: 'OBK_PSU_ADDITIONAL_PASSWORD_FROM',
    text: 'Additional password of the PSU',
  },
  additionalEncryptedPassword: {
    id: 'psu-additional-encrypted-password',
    flag: '--psu-additional-encrypted-password-from',
    env: 'OBK_PSU_ADDITIONAL_ENCRYPTED_PASSWORD_FROM',
    text: 'Additional password of the PSU, encrypted for the bank',
  },
  method: {
    id: 'sca-method',
    flag: '--sca-method',
    env: 'OBK_SCA_METHOD',
    text: 'How do you want to confirm?',
  },
  otp: { id: 'otp', flag: '--otp-from', env: 'OBK_OTP_FROM', text: 'One-time password' },
} as const;
