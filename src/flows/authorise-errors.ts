import { ObkError } from '../errors.ts';
import type { BankRefusal } from '../errors.ts';
import type { SavedResource } from '../ports.ts';

/** An interruption leaves the authorisation open: how it goes on. */
export function withWayOn(error: ObkError, { noun, id }: SavedResource): ObkError {
  return new ObkError({
    code: error.code,
    title: error.title,
    hint: [`obk ${noun} authorise ${id}   # goes on with it`],
    cause: error,
    ...(error.resource === undefined ? {} : { resource: error.resource }),
  });
}

/** The bank offers nothing that obk can do. */
export function stuck(title: string, detail: string): ObkError {
  return new ObkError({ code: 'CONVERSATION_STUCK', title, detail, hint: ['obk log show @last -vvv'] });
}

/** What the bank said to a secret that it refused. */
export function refusalText(error: BankRefusal): string {
  const text = error.messages.find((message) => message.text !== undefined)?.text;
  return text === undefined ? 'The bank did not accept that.' : `The bank did not accept that: ${text}`;
}
