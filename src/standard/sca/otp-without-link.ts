import { operation } from '../xs2a/operations.ts';
import { buildPath } from '../xs2a/request.ts';
import type { Variant } from '../xs2a/variants.ts';
import { nextStep, stepAlong } from './next-step.ts';
import type { SendStep } from './next-step.ts';
import { scaOperations, scaParams } from './operations.ts';
import type { Conversation } from './state.ts';

/**
 * Whether the bank waits for a one-time password and gave no link to send it to; `again` where it has refused the last one.
 * One that was sent and not refused takes the bank its time, and one that had a link is not wanted without one.
 */
export function isOtpUnlinked(conversation: Conversation, again: boolean): boolean {
  const { approach, scaStatus, challengeData, sent, inDoubt } = conversation;
  if (inDoubt !== undefined || nextStep(conversation).kind !== 'wait') return false;
  if (scaStatus === 'unconfirmed' || scaStatus === 'exempted') return false;
  const [last] = sent.filter(({ entry }) => entry === 'otp').slice(-1);
  const isNext = last === undefined || (last.unlinked === true && (again || challengeData !== undefined));
  const isDue = challengeData !== undefined || (approach !== undefined && scaStatus === 'scaMethodSelected');
  return isNext && isDue && (approach === 'EMBEDDED' || approach === undefined);
}

/**
 * Sends the one-time password to the authorisation itself: the one place where a path is made without a link. Undefined where
 * the id of the authorisation is not known.
 */
export function otpWithoutLink(
  variant: Variant,
  { parent, authorisationId }: Conversation,
): SendStep | undefined {
  if (authorisationId === undefined) return undefined;
  const update = operation(scaOperations[parent.kind].update);
  const href = buildPath(variant, update, scaParams(parent, authorisationId));
  const what = 'The bank gave no link for the one-time password, so it goes to the authorisation itself.';
  return { ...stepAlong('authoriseTransaction', href), tolerated: [{ at: href, what }] };
}
