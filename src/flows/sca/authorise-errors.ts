import { line } from '../../command-line.ts';
import { BankRefusal, ObkError, exitCodes } from '../../errors.ts';
import type { BankMessage } from '../../errors.ts';
import type { SavedResource } from '../../records/resources.ts';
import type { SendStep } from '../../sca/next-step.ts';
import { nounOf } from '../../sca/operations.ts';
import type { Conversation } from '../../sca/state.ts';
import { wordsOf } from './one-step.ts';

/** An interruption leaves the authorisation open: how it goes on. */
export function withWayOn(error: ObkError, { noun, id }: SavedResource): ObkError {
  return new ObkError({
    code: error.code,
    title: error.title,
    hint: [line`obk ${noun} authorise ${id}   # goes on with it`],
    cause: error,
    ...(error.resource === undefined ? {} : { resource: error.resource }),
  });
}

/** The bank offers nothing that obk can do. */
export function stuck(title: string, detail: string): ObkError {
  return new ObkError({ code: 'CONVERSATION_STUCK', title, detail, hint: ['obk log show @last -vvv'] });
}

/** The bank's words about a secret that it refused. */
export function refusalText(error: BankRefusal): string {
  const text = error.messages.find((message) => message.text !== undefined)?.text;
  return text === undefined ? 'The bank did not accept that.' : `The bank did not accept that: ${text}`;
}

/** A refusal that leads back to the entry it refuses is the no of the bank to that entry, whatever its code. */
export function asDeclined(error: BankRefusal): BankRefusal {
  const own: readonly number[] = [exitCodes.rejected, exitCodes.authNeeded, exitCodes.bankError];
  if (!own.includes(error.exit)) return error;
  const { title, detail, hint, httpStatus, requestId, operation, method, path, messages } = error;
  return new BankRefusal({
    ...{ code: 'DECLINED', title, hint, httpStatus, requestId, operation, method, path, messages },
    cause: error,
    ...(detail === undefined ? {} : { detail }),
    ...(error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter }),
    ...(error.resource === undefined ? {} : { resource: error.resource }),
  });
}

/** The bank asks again for what was sent, and there is nothing new to send. */
export function ledBack(
  conversation: Conversation,
  { need }: SendStep,
  said: readonly BankMessage[],
): ObkError {
  return new ObkError({
    code: 'DECLINED',
    title: `The bank asks again for ${wordsOf(need)}, and there is nothing new to send.`,
    detail: saidText(conversation, said),
    hint: [anew(conversation)],
  });
}

/** A conversation that goes on and on. */
export function tooManySteps(
  conversation: Conversation,
  most: number,
  said: readonly BankMessage[],
): ObkError {
  return new ObkError({
    code: 'DECLINED',
    title: `The bank asks for more than ${String(most)} steps in one authorisation.`,
    detail: saidText(conversation, said),
    hint: [anew(conversation)],
  });
}

function saidText({ psuMessage, scaStatus }: Conversation, said: readonly BankMessage[]): string {
  const words = [
    ...said.map(({ code, text }) => (text === undefined ? code : `${code} "${text}"`)),
    ...(psuMessage === undefined ? [] : [`"${psuMessage}"`]),
  ];
  const status = `scaStatus ${scaStatus ?? 'not named'}`;
  return `Its last answer: ${[status, ...words].join('; ')}. What was sent is not sent again.`;
}

function anew({ parent }: Conversation): string {
  return line`obk ${nounOf[parent.kind]} authorise ${parent.id} --new   # starts another authorisation`;
}
