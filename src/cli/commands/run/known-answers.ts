import { forBank, line } from '../../../base/command-line.ts';
import type { Conversation } from '../../../standard/sca/state.ts';
import type { Target } from '../../../client/exchange/target.ts';
import { psuIdOf } from '../../../client/sca/sca-send.ts';
import { scaQuestions } from '../../../client/sca/sca-questions.ts';

const { password, additionalPassword, otp, method } = scaQuestions;

/** The members of a customer of the built-in bank that answer a question. */
const fields: Readonly<Record<string, string>> = {
  [password.flag]: 'password',
  [additionalPassword.flag]: 'additionalPassword',
  [otp.flag]: 'otp',
};

/** A flag with the value that answers it, where that is known here; else with the name of what it takes. */
export function flagWith(target: Target, conversation: Conversation, flag: string): string[] {
  if (flag === method.flag) return [flag, conversation.scaMethods?.[0]?.authenticationMethodId ?? 'ID'];
  const psuId = psuIdOf(target, conversation);
  const field = fields[flag];
  if (target.ownBank === undefined || psuId === undefined || field === undefined) return [flag, 'REF'];
  return [flag, `cmd:${forBank(line`obk sandbox people ${psuId} --field ${field}`, target.inLines)}`];
}
