import { defined } from '../../base/defined.ts';
import { line } from '../../base/command-line.ts';
import { ObkError, exitCodes } from '../../base/errors.ts';
import type { BankMessage, BankRefusal, Refused } from '../../base/errors.ts';
import type { SavedResource } from '../../settings/records/resources.ts';
import { entryOf } from '../../standard/sca/entry.ts';
import type { Entry } from '../../standard/sca/entry.ts';
import type { SendStep } from '../../standard/sca/next-step.ts';
import { isEnding, nounOf } from '../../standard/sca/operations.ts';
import type { Conversation, Parent } from '../../standard/sca/state.ts';
import { endOf } from '../resources/parent-status.ts';
import { subjectOf } from '../resources/subject.ts';
import { wordsOf } from './one-step.ts';

/** An interruption leaves the authorisation open: how it goes on. */
export function withWayOn(error: ObkError, resource: SavedResource, kind: Parent['kind']): ObkError {
  const { noun, id } = resource;
  return new ObkError({
    code: error.code,
    title: error.title,
    detail: `Not confirmed yet: ${subjectOf(resource, kind)}.`,
    hint: [`${line`obk ${noun} authorise ${id}`}   # goes on with the ${kind}`],
    cause: error,
    ...defined({ resource: error.resource }),
  });
}

/** The bank's words about a secret that it refused. */
export function refusalText(error: BankRefusal): string {
  const text = error.messages.find((message) => message.text !== undefined)?.text;
  return text === undefined ? 'The bank did not accept that.' : `The bank did not accept that: ${text}`;
}

const noOther = 'What was sent is not sent again, and no other entry can come.';

/**
 * The end after an entry that the bank refused and no other follows: a refusal that leads back to it is the no of the bank,
 * whatever its code.
 */
export function asDeclined(error: BankRefusal, { need }: SendStep): BankRefusal {
  const own: readonly number[] = [
    exitCodes.rejected,
    exitCodes.authNeeded,
    exitCodes.bankError,
    exitCodes.declined,
  ];
  if (!own.includes(error.exit)) return error;
  const warning =
    need === 'authenticationMethodId' ? '' : ' Banks block a customer after a few wrong entries.';
  return error.with({
    code: 'DECLINED',
    cause: error,
    title: `The bank did not accept ${namesOfEntries[entryOf(need) ?? 'identification']}.`,
    detail: noOther + warning,
    refused: refusedWith(need),
  });
}

/** What is refused with an entry; the choice of a method is neither a secret nor the PSU. */
function refusedWith(need: SendStep['need']): Refused | undefined {
  const entry = entryOf(need);
  if (entry === undefined || entry === 'method') return undefined;
  return entry === 'identification' ? 'psu' : 'secret';
}

const namesOfEntries: Readonly<Record<Entry, string>> = {
  identification: 'the customer (PSU-ID)',
  password: 'the password',
  additionalPassword: 'the additional password',
  method: 'the SCA method',
  otp: 'the one-time password',
  confirmation: 'the confirmation code',
};

/** The same refusal, which says where the thing stands by what the bank has just said, and how it goes on. */
export function standing(
  error: BankRefusal,
  { parent: { kind } }: Conversation,
  { noun, id, status = '' }: SavedResource,
): BankRefusal {
  const isOpen = endOf(kind, status) === undefined;
  const called = noun === 'basket' ? 'signing basket' : noun;
  const stands =
    isOpen && !isEnding(kind)
      ? 'still open'
      : isOpen
        ? `not ${kind === 'deletion' ? 'deleted' : 'cancelled'}`
        : status;
  const wayOn =
    error.refused === 'secret' || error.refused === undefined
      ? line`obk ${noun} authorise ${id}   # another entry for the ${kind}`
      : line`obk ${noun} authorise ${id} --new   # starts another authorisation`;
  const hint = isOpen && error.refused !== 'psu' ? [wayOn] : error.hint;
  return error.with({ title: `${error.title.replace(/\.$/, '')}; the ${called} is ${stands}.`, hint });
}

/** The bank asks again for what was sent, and there is nothing new to send. */
export function ledBack(
  conversation: Conversation,
  { need }: SendStep,
  said: readonly BankMessage[],
): ObkError {
  return new ObkError({
    code: 'DECLINED',
    title: `The bank asks again for ${wordsOf(need)}, and no other entry can come.`,
    detail: saidText(conversation, said),
    hint: [anew(conversation)],
    refused: refusedWith(need),
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
    ...said.map(({ code, text }) =>
      [code, text && `"${text}"`].filter((part) => part !== undefined).join(' '),
    ),
    ...(psuMessage === undefined ? [] : [`"${psuMessage}"`]),
  ];
  const status = `scaStatus ${scaStatus ?? 'not named'}`;
  return `Its last answer: ${[status, ...words].join('; ')}. What was sent is not sent again.`;
}

function anew({ parent }: Conversation): string {
  return line`obk ${nounOf[parent.kind]} authorise ${parent.id} --new   # starts another authorisation`;
}
