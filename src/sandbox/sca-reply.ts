import { createHash } from 'node:crypto';
import type { LinkName } from '../xs2a/links.ts';
import type { AuthenticationObject, ChallengeData, Links } from '../xs2a/wire.ts';
import { wireNames } from '../xs2a/variants.ts';
import type { Variant } from '../xs2a/variants.ts';
import type { Authorisation, ParentKind } from './authorisation-store.ts';
import type { Call } from './call.ts';
import { methodOf, nextLink } from './conversation.ts';
import type { LedgerPerson, Method } from './people.ts';

/** The path of a payment under the prefix of the call. */
export function paymentPath(
  variant: Variant,
  payment: { service: string; product: string; paymentId: string },
): string {
  return `${variant.prefix}/${payment.service}/${payment.product}/${payment.paymentId}`;
}

const folders: Readonly<Record<ParentKind, string>> = {
  payment: 'authorisations',
  cancellation: 'cancellation-authorisations',
};

/** The path of the authorisations of a payment or of its cancellation. */
export function authorisationsPath(parentPath: string, kind: ParentKind): string {
  return `${parentPath}/${folders[kind]}`;
}

/** `_links` from hrefs by name, in their order. */
export function asLinks(hrefs: Readonly<Partial<Record<LinkName, string>>>): Links {
  return Object.fromEntries(Object.entries(hrefs).map(([name, href]) => [name, { href }]));
}

/** The hrefs that an authorisation offers now: the next step and scaStatus. */
export function scaHrefs(
  call: Pick<Call, 'origin'>,
  parentPath: string,
  authorisation: Authorisation,
): Partial<Record<LinkName, string>> {
  const self = `${authorisationsPath(parentPath, authorisation.parentKind)}/${authorisation.authorisationId}`;
  const next = nextLink(authorisation);
  const page = `${call.origin}/sca/${authorisation.pageToken}`;
  return { ...(next && { [next]: next === 'scaRedirect' ? page : self }), scaStatus: self };
}

/** The data beside the links: methods to choose from, the chosen one with its challenge, and a text for the PSU. */
export function scaData(call: Call, authorisation: Authorisation, person: LedgerPerson | undefined) {
  if (authorisation.approach === 'DECOUPLED' && authorisation.scaStatus === 'started') {
    return { psuMessage: `Please approve in your banking app: ${call.origin}/phone` };
  }
  if (authorisation.approach !== 'EMBEDDED' || person === undefined) return {};
  if (authorisation.scaStatus === 'psuAuthenticated')
    return { scaMethods: person.methods.map(authenticationObject) };
  const method = methodOf(person, authorisation.methodId);
  if (authorisation.scaStatus !== 'scaMethodSelected' || method === undefined) return {};
  return {
    chosenScaMethod: authenticationObject(method),
    challengeData: challenge(call, authorisation, method),
  };
}

function authenticationObject(method: Method): AuthenticationObject {
  return { authenticationType: method.type, authenticationMethodId: method.id, name: method.name };
}

function challenge(call: Call, authorisation: Authorisation, method: Method): ChallengeData {
  const otp: ChallengeData = { otpMaxLength: 6, otpFormat: 'integer' };
  if (method.type !== 'CHIP_OTP') {
    const where = method.type === 'SMS_OTP' ? 'the SMS' : 'your banking app';
    return { ...otp, additionalInformation: `Enter the code from ${where}.` };
  }
  const hash = createHash('sha256').update(authorisation.authorisationId).digest();
  const startCode = String(hash.readUInt32BE() % 100_000_000).padStart(8, '0');
  return {
    data: wireNames[call.variant.framework].challengeData === 'array' ? [startCode] : startCode,
    ...otp,
    additionalInformation: `Enter the start code ${startCode} into your card reader.`,
  };
}

/** The header that says the approach, once it is settled. */
export function approachHeader(
  authorisation: Pick<Authorisation, 'approach' | 'psuId'>,
): Record<string, string> {
  const settled = authorisation.psuId !== undefined || authorisation.approach === 'REDIRECT';
  return settled ? { 'ASPSP-SCA-Approach': authorisation.approach } : {};
}
