import { defined } from '../../base/defined.ts';
import { createHash } from 'node:crypto';
import type { AuthenticationObject, ChallengeData } from '../../standard/xs2a/wire.ts';
import type { Authorisation } from './authorisation-store.ts';
import type { Call } from '../trust/call.ts';
import type { LedgerPerson, Method } from '../books/people.ts';
import { digitsAsPng } from './png.ts';

/** A method in the form of the wire. */
export function authenticationObject({ id, type, name, explanation }: Method): AuthenticationObject {
  return {
    authenticationType: type,
    authenticationMethodId: id,
    name,
    ...defined({ explanation }),
  };
}

/** The data with which the PSU finds the one-time password of a method. */
export function challengeOf(
  call: Pick<Call, 'address' | 'variant'>,
  authorisation: Pick<Authorisation, 'authorisationId' | 'pageToken'>,
  method: Method,
  person: LedgerPerson,
): ChallengeData {
  const otp: ChallengeData = {
    otpMaxLength: Math.max(6, person.otp.length),
    otpFormat: /^\d+$/.test(person.otp) ? 'integer' : 'characters',
  };
  switch (method.type) {
    case 'SMS_OTP':
      return { ...otp, additionalInformation: 'Enter the code from the SMS.' };
    case 'PUSH_OTP':
      return { ...otp, additionalInformation: 'Enter the code from your banking app.' };
    case 'SMTP_OTP':
      return { ...otp, additionalInformation: 'Enter the code from the e-mail.' };
    case 'PHOTO_OTP':
      return {
        ...(method.pictureByLink === true
          ? { imageLink: `${call.address}${picturePath(authorisation)}` }
          : { image: digitsAsPng(person.otp).toString('base64') }),
        ...otp,
        additionalInformation: 'Enter the digits that the picture shows.',
      };
    case 'CHIP_OTP': {
      const hash = createHash('sha256').update(authorisation.authorisationId).digest();
      const startCode = String(hash.readUInt32BE() % 100_000_000).padStart(8, '0');
      return {
        data: [startCode],
        ...otp,
        additionalInformation: `Enter the start code ${startCode} into your card reader.`,
      };
    }
  }
}

/** The address of the picture of an authorisation. */
function picturePath({ pageToken }: Pick<Authorisation, 'pageToken'>): string {
  return `/sca/${pageToken}/picture.png`;
}
