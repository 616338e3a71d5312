import { entryOf, isCredential } from '../../standard/sca/entry.ts';
import { nextStep } from '../../standard/sca/next-step.ts';
import type { Conversation } from '../../standard/sca/state.ts';
import type { Target } from '../exchange/target.ts';
import { psuIdOf } from './sca-send.ts';
import { scaQuestions } from './sca-questions.ts';

const { password, encryptedPassword, additionalPassword, additionalEncryptedPassword, otp } = scaQuestions;
const credentials = [password, encryptedPassword, additionalPassword, additionalEncryptedPassword, otp];

/** The flags of the credentials that a flag or a variable gives to this run; references in the profile are not among them. */
export function givenCredentials({ ports: { person } }: Target): string[] {
  return credentials.filter((question) => person.answered(question)).map(({ flag }) => flag);
}

/** Whether the customer acts at the bank or on another device, so that this authorisation asks for no credentials. */
export function isElsewhere(conversation: Conversation): boolean {
  const { approach, entered } = conversation;
  if (approach === undefined || approach === 'EMBEDDED' || entered === true) return false;
  const step = nextStep(conversation);
  return step.kind !== 'send' || !isCredential(entryOf(step.need));
}

/** Warns of credentials that this authorisation does not ask for. */
export function tellNeedless(target: Target, conversation: Conversation): void {
  if (!isElsewhere(conversation)) return;
  const given = givenCredentials(target);
  const { approaches } = target.profile.sca ?? {};
  if (target.psu.passwordFrom !== undefined && approaches?.includes('embedded') === false)
    given.push('psu.passwordFrom');
  if (given.length === 0) return;
  target.ports.notices.warn(
    `${given.join(', ')} ${given.length === 1 ? 'is' : 'are'} not used: the customer approves ${
      conversation.approach === 'DECOUPLED' ? 'on another device' : 'at the bank'
    } (${conversation.approach ?? ''}).`,
  );
}

/**
 * The target without the profile's secrets in a run for another PSU, so that no secret is ever sent as somebody else's;
 * `withheld` is the reason if there was one.
 */
export function withholdSecrets(
  target: Target,
  conversation: Conversation,
): { target: Target; withheld?: string } {
  const psuId = psuIdOf(target, conversation);
  const owner = target.profile.psu?.id;
  if (psuId === owner) return { target };
  const isSecret = (name: string) => name.endsWith('From');
  const hasSecret = Object.keys(target.psu).some(isSecret);
  const psu = Object.fromEntries(
    Object.entries(target.psu).filter(([name]) => !isSecret(name) && name !== 'scaMethod'),
  );
  if (!hasSecret) return { target: { ...target, psu } };
  const whose = owner === undefined ? 'that it does not name' : owner;
  return {
    target: { ...target, psu },
    withheld: `The secrets of the profile ${target.name} are those of the PSU ${whose}; they are not used for ${psuId ?? 'an unknown one'}.`,
  };
}
