import { isKnown, scaStatus } from '../../standard/xs2a/codes.ts';
import type { ScaStatus } from '../../standard/xs2a/codes.ts';
import type { LinkName } from '../../standard/xs2a/links.ts';
import type { Links, ScaData, AuthenticationObject, ChallengeData } from '../../standard/xs2a/wire.ts';
import type { Variant } from '../../standard/xs2a/variants.ts';
import type { Authorisation } from './authorisation-store.ts';
import type { Call } from '../trust/call.ts';
import { oauthMetadataPath } from '../trust/site.ts';
import { isFinal, isInBrowser, methodOf, nextLink, methodsIn } from './conversation.ts';
import type { Parent, ParentKind } from './authorised-things.ts';
import type { LedgerPerson, Method } from '../books/people.ts';
import { defined } from '../../base/defined.ts';
import { createHash } from 'node:crypto';
import { digitsAsPng } from './png.ts';

const folders: Readonly<Record<ParentKind, string>> = {
  payment: 'authorisations',
  cancellation: 'cancellation-authorisations',
  basket: 'authorisations',
  consent: 'authorisations',
};

/** The path of a parent under the prefix of the call. */
export function pathOf({ prefix }: Variant, { path }: Pick<Parent, 'path'>): string {
  return prefix + path;
}

/** The path of the authorisations of a parent. */
export function authorisationsPath(variant: Variant, parent: Pick<Parent, 'path' | 'kind'>): string {
  return `${pathOf(variant, parent)}/${folders[parent.kind]}`;
}

/** `_links` from hrefs by name, in their order. */
export function asLinks(hrefs: Readonly<Partial<Record<LinkName, string>>>): Links {
  return Object.fromEntries(Object.entries(hrefs).map(([name, href]) => [name, { href }]));
}

/** The hrefs that an authorisation offers now: the next step, the confirmation to come, and scaStatus. */
export function scaHrefs(
  call: Pick<Call, 'address' | 'variant'>,
  parent: Parent,
  authorisation: Authorisation,
  person: LedgerPerson | undefined,
): Partial<Record<LinkName, string>> {
  const self = `${authorisationsPath(call.variant, parent)}/${authorisation.authorisationId}`;
  const elsewhere: Partial<Record<LinkName, string>> = {
    scaRedirect: `${call.address}/sca/${authorisation.pageToken}`,
    scaOAuth: call.address + oauthMetadataPath,
  };
  const next = nextLink(authorisation, person);
  const confirms = authorisation.confirm && !isFinal(authorisation.scaStatus);
  return {
    ...(next && { [next]: elsewhere[next] ?? self }),
    ...(confirms && { confirmation: self }),
    scaStatus: self,
  };
}

/** The data beside the links: methods to choose from, the chosen one with its challenge, and a text for the PSU. */
export function scaData(
  call: Call,
  authorisation: Authorisation,
  person: LedgerPerson | undefined,
): Omit<ScaData, '_links'> {
  const { approach, scaStatus } = authorisation;
  const method = person && methodOf(person, authorisation.methodId);
  const chosen = method && { chosenScaMethod: authenticationObject(method) };
  if (approach === 'DECOUPLED' && scaStatus === 'started')
    return { ...chosen, psuMessage: `Please approve in your banking app: ${call.address}/phone` };
  if (isInBrowser(approach) && scaStatus === 'started') return { ...chosen };
  if (approach !== 'EMBEDDED' || person === undefined) return {};
  if (scaStatus === 'psuAuthenticated')
    return { scaMethods: methodsIn(authorisation.framework, person).map(authenticationObject) };
  if (scaStatus !== 'scaMethodSelected' || method === undefined) return {};
  return { ...chosen, challengeData: challengeOf(call, authorisation, method, person) };
}

/** The data beside a link that starts an authorisation with a choice of methods or with a one-time password. */
export function startData(
  call: Call,
  start: LinkName,
  { id }: Parent,
  person: LedgerPerson,
): Pick<ScaData, 'scaMethods' | 'chosenScaMethod' | 'challengeData'> {
  const methods = methodsIn(call.variant.framework, person);
  const [only] = methods;
  if (start === 'startAuthorisationWithAuthenticationMethodSelection')
    return { scaMethods: methods.map(authenticationObject) };
  if (start !== 'startAuthorisationWithTransactionAuthorisation' || only === undefined) return {};
  // Without an authorisation yet, the challenge belongs to the parent.
  const challengeData = challengeOf(call, { authorisationId: id, pageToken: '' }, only, person);
  return { chosenScaMethod: authenticationObject(only), challengeData };
}

/** The header with the approach, once it is fixed. */
export function approachHeader(
  authorisation: Pick<Authorisation, 'approach' | 'psuId'>,
): Record<string, string> {
  const { approach, psuId } = authorisation;
  const name = approach === 'OAUTH' ? 'REDIRECT' : approach;
  return psuId !== undefined || isInBrowser(approach) ? { 'ASPSP-SCA-Approach': name } : {};
}

/** A scaStatus in the framework of the call: `unconfirmed` came later than the others. */
export function scaStatusIn({ framework }: Pick<Variant, 'framework'>, status: ScaStatus): ScaStatus {
  return isKnown(framework, scaStatus(status)) ? status : 'started';
}

/** A method in the form of the wire. */
function authenticationObject({ id, type, name, explanation }: Method): AuthenticationObject {
  return {
    authenticationType: type,
    authenticationMethodId: id,
    name,
    ...defined({ explanation }),
  };
}

/** The data with which the PSU finds the one-time password of a method. */
function challengeOf(
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
