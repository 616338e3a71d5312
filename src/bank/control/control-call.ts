import { ObkError } from '../../base/errors.ts';
import type { Database } from '../books/database.ts';
import { doDueWork } from '../sca/timers.ts';
import type { Books } from '../steering/decide.ts';
import type { Described } from '../openapi/operation.ts';
import type { RunningBank } from '../trust/call.ts';
import { badRequest, withoutDetail } from './problem.ts';

/** The bank as an operation needs it; it is steered as well where no server serves its ledger. */
export type SteeredBank = Pick<
  RunningBank,
  'ledger' | 'clock' | 'wallClock' | 'ending' | 'recording' | 'tenants' | 'tenant'
>;

/** One request of a tester that its document allows; `Body` is what the schema of the operation says. */
export interface ControlCall<Body = unknown> {
  bank: SteeredBank;
  /** The ledger, and the time of the bank. */
  books: Books;
  path: Readonly<Record<string, string>>;
  /** Parameters of the query and of the header; numbers are numbers, and defaults stand where nothing is given. */
  given: Readonly<Record<string, string | number | undefined>>;
  body: Body;
}

/** The answer to a tester: JSON, or a response of another kind. */
export type ControlAnswer = { status: number; body?: object } | Response;

/** One operation of the control API: what its document says of it, and what it does. Refuses by Problem, or by USAGE (400). */
export interface Operation extends Described {
  /** The bank has to run: one that does not is started, where a command of obk asks for it. */
  needsServer?: true;
  run: (call: ControlCall<never>) => ControlAnswer | Promise<ControlAnswer>;
}

/** Operations by their operationId. */
export type Operations = Readonly<Record<string, Operation>>;

/** Throws as a problem (400) with its pointer what the books refuse. */
export function pointing<Result>(pointer: string | undefined, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof ObkError ? problemOf(error, pointer) : error;
  }
}

/** The problem (400) of what the books refuse. */
export const problemOf = ({ title, detail, hint }: ObkError, pointer?: string) =>
  badRequest(title, detail ?? withoutDetail.bank, pointer, hint.length > 0 ? hint : undefined);

/** The books with all done that is due. */
export function duly({ books }: Pick<ControlCall, 'books'>): Database {
  doDueWork(books.ledger.main, books.clock.now());
  return books.ledger.main;
}

/** The part of a list that is asked for. */
export const pageOf = ({ given }: Pick<ControlCall, 'given'>) => ({
  after: given['after'] === undefined ? undefined : String(given['after']),
  limit: Number(given['limit']),
  newest: given['newest'] === 'true',
});
