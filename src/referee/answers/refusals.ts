/** What a bank must refuse: the rules of a check that sends wrong requests, each with the statuses of a right refusal. */
import type { AnswerRule } from './rules.ts';

/** A rule for a refusal. */
export interface RefusalRule extends Omit<AnswerRule, 'area'> {
  readonly statuses: readonly number[];
}

const refused = (
  says: string,
  source: string,
  statuses: readonly number[],
  example: string,
): RefusalRule => ({ level: 'must', says, source, statuses, example });

/** The rules by name. */
export const refusalRules = {
  'refuse-digest': refused(
    'A request whose Digest is not that of its body is refused.',
    'guidelines 12.1',
    [400, 401],
    '200 for another digest',
  ),
  'refuse-signature': refused(
    'A request whose signature does not verify is refused.',
    'guidelines 12.2',
    [401],
    '200 for another signature',
  ),
  'refuse-unsigned': refused(
    'A bank that has its requests signed refuses one without a signature.',
    'guidelines 12.2',
    [401],
    '200 without Signature',
  ),
  'refuse-no-request-id': refused(
    'A request without X-Request-ID is refused.',
    'guidelines 5.2; file, parameters of the operation',
    [400],
    '200 without X-Request-ID',
  ),
  'refuse-unknown-consent': refused(
    'A consent that this TPP does not have is not told of.',
    'guidelines 6.3.2 and 14.11.1',
    [400, 403, 404],
    '200 for the consentId of another TPP',
  ),
  'refuse-unknown-payment': refused(
    'A payment that this TPP does not have is not told of.',
    'guidelines 5.4 and 14.11.1',
    [400, 403, 404],
    '200 for the paymentId of another TPP',
  ),
  'refuse-foreign-access': refused(
    'Accounts are not read under a consent that this TPP does not have.',
    'guidelines 6.5 and 14.11.1',
    [400, 401, 403],
    '200 with the Consent-ID of another TPP',
  ),
  'refuse-no-consent': refused(
    'Accounts are not read without a consent.',
    'guidelines 6.5.1',
    [400, 401, 403],
    '200 without Consent-ID',
  ),
  'refuse-foreign-account': refused(
    'An account that the consent does not open is not read.',
    'guidelines 6.5.2 and 14.11.1',
    [400, 401, 403, 404],
    '200 for another account-id',
  ),
  'refuse-ended-consent': refused(
    'Accounts are not read under a consent that has expired, or was revoked or deleted.',
    'guidelines 6.3.4, 6.5 and 14.15',
    [400, 401, 403],
    '200 with the Consent-ID of a deleted consent',
  ),
  'refuse-unknown-basket': refused(
    'A signing basket that this TPP does not have is not told of.',
    'guidelines 8.3 and 14.11.1',
    [400, 403, 404],
    '200 for the basketId of another TPP',
  ),
  'refuse-characters': refused(
    'A text with characters that no character set of payments has is refused.',
    'guidelines 14.1',
    [400],
    '201 for a creditorName with a control character',
  ),
  'refuse-product': refused(
    'A payment product that the bank does not have is refused.',
    'guidelines 5.4 and 14.11.2',
    [400, 403, 404],
    '200 for payments/no-such-product',
  ),
  'refuse-query': refused(
    'A query parameter of another form is refused.',
    'guidelines 6.5.4',
    [400],
    '200 for bookingStatus=some',
  ),
} as const satisfies Record<string, RefusalRule>;

/** The name of a rule for a refusal. */
export type RefusalRuleId = keyof typeof refusalRules;
