import { line } from '../../base/command-line.ts';
import { ObkError } from '../../base/errors.ts';
import { nextStep } from '../../standard/sca/next-step.ts';
import type { Step } from '../../standard/sca/next-step.ts';
import { nounOf } from '../../standard/sca/operations.ts';
import type { Conversation, Need } from '../../standard/sca/state.ts';
import { questionsOf } from './answer-need.ts';
import { returnQuestion } from '../browser/return-question.ts';
import { scaQuestions } from './sca-questions.ts';

/** The commands that take one step: choose a method, send what the PSU knows, lead the PSU to the bank's page. */
export type StepVerb = 'select' | 'submit' | 'open';

/** Lets only the step of a verb pass; throws STEP_NOT_ALLOWED with what is due instead. `given` are the flags given. */
export function onlyStep(
  verb: StepVerb,
  given: readonly string[] = [],
): (conversation: Conversation, step: Step) => void {
  return (conversation, step) => {
    const due = dueStep(conversation, step);
    const [stray] = given;
    const fits = step.kind === 'send' && questionsOf(step.need).some(({ flag }) => given.includes(flag));
    if (due.verb === verb && (stray === undefined || fits)) return;
    throw new ObkError({
      code: 'STEP_NOT_ALLOWED',
      title:
        due.verb === verb && stray !== undefined
          ? `${stray} does not answer what is due now: ${due.what}.`
          : `obk sca ${verb} is not what is due now: ${due.what}.`,
      detail: 'This step was not taken.',
      hint: [due.command],
    });
  };
}

/** The step due in a conversation, in words, with the command that does it. */
export function dueStep(
  conversation: Conversation,
  step: Step = nextStep(conversation),
  answer: (flag: string) => string[] = (flag) => [flag, flag.endsWith('-from') ? 'REF' : 'ID'],
): { verb: StepVerb | undefined; what: string; command: string } {
  const { parent, authorisationId } = conversation;
  const id = authorisationId ?? parent.id;
  switch (step.kind) {
    case 'send': {
      if (step.need === 'authenticationMethodId') {
        const [first, second] = conversation.scaMethods ?? [];
        const method = second === undefined ? (first?.authenticationMethodId ?? 'ID') : 'ID';
        const command = line`obk sca select ${id} --sca-method ${method}`;
        return { verb: 'select', what: wordsOf(step.need), command };
      }
      if (step.need === 'confirmationCode') {
        return {
          verb: 'open',
          what: wordsOf(step.need),
          command: line`obk sca open ${id} ${[returnQuestion.flag, 'REF']}`,
        };
      }
      const [question] = questionsOf(step.need);
      const what = wordsOf(step.need);
      const flag = step.need === 'none' ? [] : answer(question.flag);
      return { verb: 'submit', what, command: line`obk sca submit ${id}${flag}` };
    }
    case 'redirect':
    case 'oauth':
      return {
        verb: 'open',
        what: "the PSU's visit to the page of the bank",
        command: line`obk sca open ${id} --wait`,
      };
    case 'wait':
      return {
        verb: undefined,
        what: 'what the PSU does elsewhere, on a phone or in a browser',
        command: line`obk sca status ${id} --watch`,
      };
    case 'done':
      return {
        verb: undefined,
        what: `nothing, the authorisation is ${step.scaStatus}`,
        command: line`obk ${nounOf[parent.kind]} status ${parent.id}`,
      };
    case 'stuck':
      return {
        verb: undefined,
        what: `something that obk does not know (${step.links.join(', ')})`,
        command: 'obk log show @last -vvv',
      };
  }
}

/** A step's need, in words. */
export function wordsOf(need: Need): string {
  return whatOf[need] ?? 'the start of the authorisation';
}

const { password, additionalPassword, otp } = scaQuestions;
const words = (text: string) => `the ${text.charAt(0).toLowerCase()}${text.slice(1)}`;
const whatOf: Readonly<Record<string, string>> = {
  identification: 'the PSU-ID',
  'psuData.password': words(password.text),
  'psuData.encryptedPassword': words(password.text),
  'psuData.additionalPassword': words(additionalPassword.text),
  'psuData.additionalEncryptedPassword': words(additionalPassword.text),
  scaAuthenticationData: words(otp.text),
  authenticationMethodId: 'the choice of a method',
  confirmationCode: 'the code that the browser of the PSU brings back',
};
