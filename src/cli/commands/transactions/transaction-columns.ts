import type { Globals } from '../../context.ts';
import { columnsOf } from '../../../base/fields.ts';
import { transactionFields } from '../../../standard/formats/rows/transaction-row.ts';

/** The columns of transactions, whatever report they come from. */
export const transactionColumns = columnsOf(transactionFields);

/** Whether the keys of rows are printed: a table, a page and a list of names have none, and making them takes time. */
export function showsKeys({ as = '', fields, jq }: Globals): boolean {
  if (jq !== undefined) return true;
  if (fields !== undefined) return /(?:^|[\s,])key(?:By)?(?:$|[\s,])/.test(fields);
  return !['table', 'html', 'name'].includes(as);
}
