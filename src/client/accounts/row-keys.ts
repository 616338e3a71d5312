import { RowKeys } from '../../standard/formats/rows/row-keys.ts';
import type { TransactionRow } from '../../standard/formats/rows/transaction-row.ts';
import { sha256Hex } from '../../signing/digest.ts';
import type { ReportPage } from './transactions.ts';

/** The pages of one report, whose booked rows get their keys as they are read. */
export async function* withKeys(pages: AsyncGenerator<ReportPage>): AsyncGenerator<ReportPage> {
  const keys = new RowKeys(sha256Hex);
  async function* keyed(
    rows: AsyncIterable<readonly TransactionRow[]>,
  ): AsyncGenerator<readonly TransactionRow[]> {
    for await (const some of rows) {
      for (const row of some) keys.set(row);
      yield some;
    }
  }
  for await (const page of pages) yield { ...page, rows: keyed(page.rows) };
}
