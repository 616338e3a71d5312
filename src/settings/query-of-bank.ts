import type { BankDescriptor, QueryOfBank } from '../records/bank-descriptor.ts';
import type { OperationId } from '../xs2a/operations.ts';

/** The name in ais.params for all operations. */
export const everyOperation = '*';

/** The query parameters of an operation as the bank has them: what is said of it, and of all operations. */
export function queryOfBank(
  { ais = {} }: Pick<BankDescriptor, 'ais'>,
  id: OperationId,
): Required<Omit<QueryOfBank, 'allow'>> & Pick<QueryOfBank, 'allow'> {
  const { [everyOperation]: all = {}, [id]: own = {} } = ais.params ?? {};
  const allow = own.allow ?? all.allow;
  return {
    ...(allow !== undefined && { allow }),
    forbid: [...(all.forbid ?? []), ...(own.forbid ?? [])],
    add: { ...all.add, ...own.add },
  };
}
