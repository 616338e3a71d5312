import { readEntries, readReport } from '../../formats/report.ts';
import type { ReportBalance, ReportNote, ReportProblem } from '../../formats/report-reader.ts';
import type { TransactionRow } from '../../formats/transaction-row.ts';
import type { Files } from '../../ports/files.ts';

/** The facts of a saved report besides its rows, as far as it was read. */
export interface SavedReportFacts {
  rows: number;
  readonly balances: ReportBalance[];
  /** The information of the statements as a whole. */
  readonly notes: ReportNote[];
  readonly problems: ReportProblem[];
  /** What was not as it should be and was read all the same, the first thousand of it. */
  readonly tolerated: Tolerated[];
  /** How much more of it there was. */
  untold: number;
  /** How many rows have which mark. */
  readonly marks: Map<string, number>;
  nextPage: string | undefined;
}

/** Something that was not as it should be and was read all the same: of which row, and what was sent in its place. */
export interface Tolerated {
  readonly code: string;
  readonly position?: number;
  readonly detail?: string;
}

/** The facts of a saved report of which nothing was read yet. */
export const noFacts = (): SavedReportFacts => ({
  rows: 0,
  balances: [],
  notes: [],
  problems: [],
  tolerated: [],
  untold: 0,
  marks: new Map(),
  nextPage: undefined,
});

const mostTold = 1000;

function tolerate(facts: SavedReportFacts, item: Tolerated): void {
  if (facts.tolerated.length < mostTold) facts.tolerated.push(item);
  else facts.untold += 1;
}

function tolerateRow(facts: SavedReportFacts, row: TransactionRow): void {
  for (const code of row.marks ?? []) {
    facts.marks.set(code, (facts.marks.get(code) ?? 0) + 1);
    const detail = /amount/.test(code)
      ? (row.amountAsSent ?? row.otherAmountsAsSent ?? row.entryAsSent)
      : (row.entryAsSent ?? row.amountAsSent);
    tolerate(facts, { code, position: row.position, ...(detail !== undefined && { detail }) });
  }
}

/**
 * Reads the rows of a report from a file, or from stdin for `-`. Fills `facts` on the way and calls `atEnd` at the end.
 * Throws INPUT_INVALID.
 */
export async function* readSavedReport(
  files: Files,
  path: string,
  {
    limit,
    facts,
    charset,
    atEnd,
  }: { limit: number; facts: SavedReportFacts; charset?: string; atEnd: () => void },
): AsyncGenerator<readonly TransactionRow[]> {
  for await (const items of readReport(files.stream(path), {
    code: 'INPUT_INVALID',
    ...(charset !== undefined && { charset }),
  })) {
    const rows: TransactionRow[] = [];
    for (const item of items) {
      if (facts.rows >= limit) break;
      if (item.kind === 'row') {
        facts.rows += 1;
        tolerateRow(facts, item.row);
        rows.push(item.row);
      } else if (item.kind === 'balance') facts.balances.push(item.balance);
      else if (item.kind === 'note') facts.notes.push(item.note);
      else if (item.kind === 'problem') {
        if (facts.problems.length < mostTold) facts.problems.push(item.problem);
        tolerate(facts, item.problem);
      } else if (item.kind === 'link' && item.name === 'next') facts.nextPage = item.href;
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
