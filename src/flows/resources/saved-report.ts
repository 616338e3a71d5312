import { readEntries, readReport } from '../../formats/report.ts';
import type { ReportBalance, ReportProblem } from '../../formats/report-reader.ts';
import type { TransactionRow } from '../../formats/transaction-row.ts';
import type { Files } from '../../ports/files.ts';

/** The facts of a saved report besides its rows, as far as it was read. */
export interface SavedReportFacts {
  rows: number;
  readonly balances: ReportBalance[];
  readonly problems: ReportProblem[];
  /** How many rows have which mark. */
  readonly marks: Map<string, number>;
  nextPage: string | undefined;
}

/**
 * Reads the rows of a report from a file, or from stdin for `-`. Fills `facts` on the way and calls `atEnd` at the end.
 * Throws INPUT_INVALID.
 */
export async function* readSavedReport(
  files: Files,
  path: string,
  { limit, facts, atEnd }: { limit: number; facts: SavedReportFacts; atEnd: () => void },
): AsyncGenerator<readonly TransactionRow[]> {
  for await (const items of readReport(files.stream(path), { code: 'INPUT_INVALID' })) {
    const rows: TransactionRow[] = [];
    for (const item of items) {
      if (facts.rows >= limit) break;
      if (item.kind === 'row') {
        facts.rows += 1;
        for (const mark of item.row.marks ?? []) facts.marks.set(mark, (facts.marks.get(mark) ?? 0) + 1);
        rows.push(item.row);
      } else if (item.kind === 'balance') facts.balances.push(item.balance);
      else if (item.kind === 'problem') facts.problems.push(item.problem);
      else if (item.kind === 'link' && item.name === 'next') facts.nextPage = item.href;
    }
    if (rows.length > 0) yield rows;
    if (facts.rows >= limit) break;
  }
  atEnd();
}

/** The entries of a saved report in JSON as the bank wrote them, one on a line. Throws INPUT_INVALID. */
export function readSavedEntries(files: Files, path: string, limit: number): AsyncGenerator<Uint8Array> {
  return readEntries(files.stream(path), limit, { code: 'INPUT_INVALID' });
}
