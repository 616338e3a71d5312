import type { Database } from '../books/database.ts';
import { doDueWork } from '../sca/timers.ts';
import type { Books } from '../steering/decide.ts';
import { steerAny } from '../steering/steering.ts';
import type { AnySteering } from '../steering/steering.ts';
import type { Described } from '../openapi/operation.ts';
import type { RunningBank } from '../trust/call.ts';
import { badRequest } from './problem.ts';

/** One request of a tester that its document allows. */
export interface ControlCall {
  bank: RunningBank;
  /** The ledger, and the time of the bank. */
  books: Books;
  path: Readonly<Record<string, string>>;
  /** Parameters of the query and of the header; numbers are numbers, and defaults stand where nothing is given. */
  given: Readonly<Record<string, string | number | undefined>>;
  /** The body, as its schema says. */
  body: unknown;
}

/** The answer to a tester: JSON, or a response of another kind. */
export type ControlAnswer = { status: number; body?: object } | Response;

/** What one operation of the control API does. */
export type ControlHandler = (call: ControlCall) => ControlAnswer | Promise<ControlAnswer>;

/** One operation of the control API: what its document says of it, and what it does. */
export interface Operation extends Described {
  run: ControlHandler;
}

/** Operations by their operationId. */
export type Operations = Readonly<Record<string, Operation>>;

/** Acts as the commands of obk do; throws a problem (400) with the pointer where the bank refuses. */
export async function act(call: ControlCall, command: AnySteering, pointer?: string): Promise<unknown> {
  const { ledger, wallClock } = call.bank;
  const answer = await steerAny({ ledger, clock: wallClock }, command);
  if ('result' in answer) return answer.result;
  throw badRequest(answer.refused, answer.detail ?? 'The bank cannot do it.', pointer, answer.hint);
}

/** The books with all done that is due. */
export function duly({ books }: ControlCall): Database {
  doDueWork(books.ledger.main, books.clock.now());
  return books.ledger.main;
}

/** The part of a list that is asked for. */
export const pageOf = ({ given }: ControlCall) => ({
  after: given['after'] === undefined ? undefined : String(given['after']),
  limit: Number(given['limit']),
  newest: given['newest'] === 'true',
});
