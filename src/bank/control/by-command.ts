import { defined } from '../../base/defined.ts';
import { bankClock } from '../books/clock.ts';
import type { Books } from '../steering/decide.ts';
import type { Operation } from './control-call.ts';
import { checkBody, judgedValues } from './judged.ts';
import { ofTheWhole, operations } from './operations.ts';
import type { ControlInput, ControlResults, OperationId } from './operations.ts';
import { Problem, refusalOf } from './problem.ts';

/** A request to the control API of a bank: the path below it with its query, and whether the answer is JSON. */
export interface ControlRequest {
  method: string;
  path: string;
  body?: object;
  isJson: boolean;
}

/** An operation as a command of obk has it done: here on a ledger, or by a request to the bank that serves it. */
export interface Commanded<Id extends OperationId> {
  /** It concerns the bank as a whole, and no ledger of a tenant. */
  ofTheWhole: boolean;
  needsServer: boolean;
  request: ControlRequest;
  /** Does it on the books of a bank that no tenant shares; `clock` is the time of the world. Throws USAGE. */
  here: (books: Books) => Promise<ControlResults[Id]>;
}

/** How an operation is done with these values. */
export function commanded<Id extends OperationId>(id: Id, input: ControlInput<Id>): Commanded<Id> {
  const operation: Operation = operations[id];
  const { path = {}, given = {} } = input;
  const body = input.body as object | undefined;
  const { gives } = operation;
  const [method = '', template = ''] = operation.at.split(' ');
  const query = new URLSearchParams(
    Object.entries(given).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  return {
    ofTheWhole: ofTheWhole.has(id),
    needsServer: operation.needsServer === true,
    request: {
      method,
      path: query.size === 0 ? filled : `${filled}?${query.toString()}`,
      ...defined({ body }),
      isJson: gives.type === undefined,
    },
    async here({ ledger, clock }) {
      const books = { ledger, clock: bankClock(ledger.main, clock) };
      const bank = { ...books, wallClock: clock, ending: new AbortController().signal };
      // What a bank that is asked by HTTP would see of it.
      const sent: unknown = body && JSON.parse(JSON.stringify(body));
      try {
        const values = judgedValues(operation, {
          path: (name) => path[name],
          query: Object.fromEntries([...query].map(([name, value]) => [name, [value]])),
          header: () => undefined,
        });
        await checkBody(operation, sent);
        const answer = await operation.run({ bank, books, ...values, body: sent as never });
        // Asked of the answer itself, Node would load what it has for fetch.
        const result =
          gives.type === undefined ? (answer as { body?: object }).body : await (answer as Response).text();
        return result as ControlResults[Id];
      } catch (error) {
        throw error instanceof Problem ? refusalOf(error) : error;
      }
    },
  };
}
