import { readReport } from '../formats/report.ts';
import type { ReportBalance, ReportProblem } from '../formats/report.ts';
import type { TransactionRow } from '../formats/transaction-row.ts';
import type { Files } from '../ports.ts';

/** What is known of a saved report besides its rows, as far as it was read. */
export interface SavedReportFacts {
  rows: number;
  readonly balances: ReportBalance[];
  readonly problems: ReportProblem[];
  /** How many rows have which mark. */
  readonly marks: Map<string, number>;
  nextPage: string | undefined;
}

/** Reads a report from a file, or from stdin for `-`, row by row; `facts` fill up on the way, `atEnd` is told of the end. Throws INPUT_INVALID. */
export async function* readSavedReport(
  files: Files,
  path: string,
  { limit, facts, atEnd }: { limit: number; facts: SavedReportFacts; atEnd: () => void },
): AsyncGenerator<TransactionRow> {
  for await (const item of readReport(files.stream(path), { code: 'INPUT_INVALID' })) {
    switch (item.kind) {
      case 'row':
        facts.rows += 1;
        for (const mark of item.row.marks ?? []) facts.marks.set(mark, (facts.marks.get(mark) ?? 0) + 1);
        yield item.row;
        if (facts.rows < limit) break;
        atEnd();
        return;
      case 'balance':
        facts.balances.push(item.balance);
        break;
      case 'problem':
        facts.problems.push(item.problem);
        break;
      case 'link':
        if (item.name === 'next') facts.nextPage = item.href;
        break;
      case 'account':
        break;
    }
  }
  atEnd();
}
