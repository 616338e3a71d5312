import type { LinkBody } from '../xs2a/links.ts';

/** The kinds of a person's entries: a password is the same one, encrypted or not. */
export type Entry = 'identification' | 'password' | 'additionalPassword' | 'method' | 'otp' | 'confirmation';

/** Whether an entry is a password or an OTP. */
export const isCredential = (entry: Entry | undefined): boolean =>
  entry === 'password' || entry === 'additionalPassword' || entry === 'otp';

/** The kind of entry that a step sends; undefined if it sends none. */
export function entryOf(need: LinkBody): Entry | undefined {
  switch (need) {
    case 'psuData.password':
    case 'psuData.encryptedPassword':
      return 'password';
    case 'psuData.additionalPassword':
    case 'psuData.additionalEncryptedPassword':
      return 'additionalPassword';
    case 'authenticationMethodId':
      return 'method';
    case 'scaAuthenticationData':
      return 'otp';
    case 'confirmationCode':
      return 'confirmation';
    case 'identification':
      return 'identification';
    case 'none':
    case 'proprietary':
      return undefined;
  }
}
