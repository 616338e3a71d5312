import { ObkError } from '../errors.ts';
import type { Secret } from '../secret.ts';
import { recognitionMark } from '../signing/digest.ts';
import type { Conversation, Need } from '../sca/state.ts';
import type { AuthenticationObject, ChallengeData } from '../xs2a/wire.ts';
import { psuIdOf } from './sca-send.ts';
import type { Target } from './target.ts';

/** The questions of strong customer authentication, each with the flag and variable that answer it. */
export const scaQuestions = {
  psuId: { id: 'psu-id', flag: '--psu-id', env: 'OBK_PSU_ID', text: 'PSU-ID (login name at the bank)' },
  password: {
    id: 'psu-password',
    flag: '--psu-password-from',
    env: 'OBK_PSU_PASSWORD_FROM',
    text: 'Password of the PSU',
  },
  method: {
    id: 'sca-method',
    flag: '--sca-method',
    env: 'OBK_SCA_METHOD',
    text: 'How do you want to confirm?',
  },
  otp: { id: 'otp', flag: '--otp-from', env: 'OBK_OTP_FROM', text: 'One-time password' },
} as const;

/** Gets what a step needs: a secret, the id of a method, the PSU-ID, or nothing. `again` follows a refusal. */
export async function answerNeed(
  target: Target,
  conversation: Conversation,
  need: Need,
  again: boolean,
): Promise<string | Secret | undefined> {
  const { person } = target.ports;
  switch (need) {
    case 'none':
      return undefined;
    case 'identification':
      return (
        psuIdOf(target, conversation) ??
        person.ask({
          ...scaQuestions.psuId,
          check: (text) => (text.trim() === '' ? 'it is empty' : undefined),
        })
      );
    case 'authenticationMethodId':
      return chooseMethod(target, conversation);
    case 'psuData.password':
    case 'psuData.additionalPassword':
      return person.askSecret({ ...scaQuestions.password, again, ...fallback(target.psu.passwordFrom) });
    case 'scaAuthenticationData': {
      const { challengeData } = conversation;
      showChallenge(target, conversation);
      return person.askSecret({
        ...scaQuestions.otp,
        again,
        ...fallback(target.psu.otpFrom),
        ...lengthOf(challengeData),
        ...formatOf(challengeData),
      });
    }
    default:
      throw new ObkError({
        code: 'CONVERSATION_STUCK',
        title: `The bank asks for ${need}, which obk cannot give yet.`,
        detail: 'Its answer offers no other way to go on.',
      });
  }
}

async function chooseMethod(target: Target, conversation: Conversation): Promise<string> {
  const methods = conversation.scaMethods ?? [];
  const [only] = methods;
  if (only === undefined) {
    throw new ObkError({
      code: 'CONVERSATION_STUCK',
      title: 'The bank asks to choose an SCA method but names none.',
    });
  }
  if (methods.length === 1) {
    target.ports.notices.say(`SCA method: ${nameOf(only)} (the only one).`);
    return only.authenticationMethodId;
  }
  return target.ports.person.choose({
    ...scaQuestions.method,
    ...fallback(target.psu.scaMethod),
    options: methods.map((method) => ({
      value: method.authenticationMethodId,
      name: nameOf(method),
      ...(method.explanation === undefined ? {} : { description: method.explanation }),
      aliases: [
        method.authenticationType,
        method.authenticationType.replace(/_OTP$/i, ''),
        ...(method.name === undefined ? [] : [method.name]),
      ],
    })),
  });
}

function nameOf(method: AuthenticationObject): string {
  return method.name === undefined
    ? method.authenticationType
    : `${method.name} (${method.authenticationType})`;
}

/** Shows what the PSU needs to make the one-time password; the bank's text must be shown (guidelines 14.4). */
function showChallenge(target: Target, { challengeData, chosenScaMethod }: Conversation): void {
  const { notices } = target.ports;
  if (chosenScaMethod !== undefined) notices.say(`Confirm with ${nameOf(chosenScaMethod)}.`);
  if (challengeData?.additionalInformation !== undefined) notices.say(challengeData.additionalInformation);
  const data = challengeData?.data;
  for (const line of data === undefined ? [] : [data].flat()) notices.say(`Challenge: ${line}`);
  if (challengeData?.imageLink !== undefined) notices.say(`Image: ${challengeData.imageLink}`);
}

function lengthOf(challenge: ChallengeData | undefined): { maxLength?: number } {
  const length = challenge?.otpMaxLength;
  return length === undefined ? {} : { maxLength: length };
}

function formatOf(challenge: ChallengeData | undefined): { format?: 'characters' | 'integer' } {
  const format = challenge?.otpFormat;
  if (format === 'integer') return { format: 'integer' };
  return format === 'characters' ? { format: 'characters' } : {};
}

function fallback(value: string | undefined): { fallback?: string } {
  return value === undefined ? {} : { fallback: value };
}

/** By what a secret of this PSU is known again in this conversation. */
export function secretMark(target: Target, conversation: Conversation, need: Need, secret: Secret): string {
  const { kind, id } = conversation.parent;
  return recognitionMark(secret, JSON.stringify([kind, id, need, psuIdOf(target, conversation) ?? null]));
}

/** Whether the bank has refused this very secret in this conversation before. */
export function wasRefused(target: Target, conversation: Conversation, need: Need, secret: Secret): boolean {
  const marks = conversation.refused.filter((entry) => entry.need === need);
  if (marks.length === 0) return false;
  const mark = secretMark(target, conversation, need, secret);
  return marks.some((entry) => entry.mark === mark);
}

/** Why a refused secret is not sent again when only a reference gave it. */
export function refusedBefore(need: Need): ObkError {
  const question = need === 'scaAuthenticationData' ? scaQuestions.otp : scaQuestions.password;
  return new ObkError({
    code: 'SECRET_REFUSED_BEFORE',
    title: `${question.flag} gives a secret that the bank has refused before.`,
    detail: 'Banks block a PSU after a few wrong attempts, so obk never sends the same one twice.',
    hint: [`Give another ${question.flag}, or answer in a terminal.`],
  });
}
