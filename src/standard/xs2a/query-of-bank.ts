import { defined } from '../../base/defined.ts';
import type { OperationId } from './operations.ts';

/** The name in ais.params for all operations. */
export const everyOperation = '*';

/** Query parameters of an operation: those it takes (all if not given), those it refuses, and those sent always. */
export interface QueryOfBank {
  allow?: readonly string[];
  forbid?: readonly string[];
  add?: Readonly<Record<string, string>>;
}

/** What a bank says of the query parameters of its operations. */
export type QueriesOfBank = Readonly<Partial<Record<OperationId | typeof everyOperation, QueryOfBank>>>;

/** The query parameters of an operation as the bank has them: what is said of it, and of all operations. */
export function queryOfBank(
  { ais = {} }: { readonly ais?: { readonly params?: QueriesOfBank } },
  id: OperationId,
): Required<Omit<QueryOfBank, 'allow'>> & Pick<QueryOfBank, 'allow'> {
  const { [everyOperation]: all = {}, [id]: own = {} } = ais.params ?? {};
  const allow = own.allow ?? all.allow;
  return {
    ...defined({ allow }),
    forbid: [...(all.forbid ?? []), ...(own.forbid ?? [])],
    add: { ...all.add, ...own.add },
  };
}
