import { defined } from '../../base/defined.ts';
import { ObkError } from '../../base/errors.ts';
import { EarlierRows } from '../../standard/formats/rows/earlier-rows.ts';
import { readEntries, readReport } from '../../standard/formats/reports/report.ts';
import type {
  ReportBalance,
  ReportItem,
  ReportNote,
  ReportProblem,
  ReportStatement,
} from '../../standard/formats/rows/report-reader.ts';
import { mark } from '../../standard/formats/rows/report-values.ts';
import { RowKeys } from '../../standard/formats/rows/row-keys.ts';
import { StatementChain } from '../../standard/formats/rows/statement-chain.ts';
import type { TransactionRow } from '../../standard/formats/rows/transaction-row.ts';
import type { Files } from '../ports/files.ts';
import { sha256Hex } from '../../signing/digest.ts';

/** The facts of a saved report besides its rows, as far as it was read. */
export interface SavedReportFacts {
  rows: number;
  readonly balances: ReportBalance[];
  /** The information of the statements as a whole. */
  readonly notes: ReportNote[];
  /** What the reports say of their statements beside their accounts and balances. */
  readonly statements: ReportStatement[];
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
  statements: [],
  problems: [],
  tolerated: [],
  untold: 0,
  marks: new Map(),
  nextPage: undefined,
});

const mostTold = 1000;

/**
 * What outlives the part of a file in which it stands: a copy, since a piece of a text keeps the whole text in memory. By JSON it is
 * made in a fraction of the time that structuredClone takes.
 */
const kept = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

function tolerate(facts: SavedReportFacts, item: Tolerated): void {
  if (facts.tolerated.length < mostTold) facts.tolerated.push(kept(item));
  else facts.untold += 1;
}

function tolerateRow(facts: SavedReportFacts, row: TransactionRow): void {
  for (const code of row.marks ?? []) {
    facts.marks.set(code, (facts.marks.get(code) ?? 0) + 1);
    const detail = /amount/.test(code)
      ? (row.amountAsSent ?? row.otherAmountsAsSent ?? row.entryAsSent)
      : (row.entryAsSent ?? row.amountAsSent);
    tolerate(facts, { code, position: row.position, ...defined({ detail }) });
  }
}

/** What is wanted of saved reports, and what is told of them. */
export interface SavedReading {
  readonly limit: number;
  readonly facts: SavedReportFacts;
  readonly charset?: string;
  /** Whether rows get their keys; of several files they always do. */
  readonly keyed?: boolean;
  readonly atEnd: () => void;
}

/**
 * Reads the rows of reports from files, or from stdin for `-`, one file after the other. Fills `facts` on the way and calls
 * `atEnd` at the end. Of several files each row names its own, and is marked where an earlier one has it. Throws INPUT_INVALID.
 */
export async function* readSavedReports(
  files: Files,
  paths: readonly string[],
  { limit, facts, charset, keyed = false, atEnd }: SavedReading,
): AsyncGenerator<readonly TransactionRow[]> {
  const chain = new StatementChain();
  const earlier = paths.length > 1 ? new EarlierRows() : undefined;
  const keys = keyed || earlier !== undefined ? new RowKeys(sha256Hex) : undefined;
  for (const path of paths) {
    for await (const items of itemsOf(files, path, paths.length > 1, charset)) {
      const rows: TransactionRow[] = [];
      for (const item of items) {
        if (facts.rows >= limit) break;
        if (item.kind === 'row') {
          const { row } = item;
          keys?.set(row);
          if (earlier !== undefined) {
            row.file = path;
            if (earlier.has(row)) mark(row, 'duplicate');
          }
          facts.rows += 1;
          tolerateRow(facts, row);
          rows.push(row);
        } else if (item.kind === 'balance') {
          const balance = kept(item.balance);
          chain.balance(balance);
          facts.balances.push(balance);
        } else if (item.kind === 'note') facts.notes.push(kept(item.note));
        else if (item.kind === 'statement') facts.statements.push(kept(item.statement));
        else if (item.kind === 'problem') tellProblem(facts, item.problem);
        else if (item.kind === 'link' && item.name === 'next') facts.nextPage = item.href;
        else if (item.kind === 'link' && item.name === 'download') throw onlyLink(item.href);
      }
      if (rows.length > 0) yield rows;
      if (facts.rows >= limit) break;
    }
    if (facts.rows >= limit) break;
    earlier?.next();
    keys?.next();
    chain.next();
  }
  for (const gap of chain.gaps()) tellProblem(facts, gap);
  atEnd();
}

function onlyLink(href: string): ObkError {
  return new ObkError({
    code: 'INPUT_INVALID',
    title: 'The file holds no transactions.',
    detail: `The answer holds no list, only a link to one (${href.slice(0, 500)}).`,
    hint: ['obk transactions list --account IBAN   # calls that link'],
  });
}

function tellProblem(facts: SavedReportFacts, problem: ReportProblem): void {
  if (facts.problems.length < mostTold) facts.problems.push(kept(problem));
  tolerate(facts, problem);
}

/** The items of a file; what is wrong with one of several names it. */
async function* itemsOf(
  files: Files,
  path: string,
  several: boolean,
  charset: string | undefined,
): AsyncGenerator<readonly ReportItem[]> {
  try {
    yield* readReport(files.stream(path), {
      code: 'INPUT_INVALID',
      ...defined({ charset }),
    });
  } catch (error) {
    if (!several || !(error instanceof ObkError) || error.detail?.includes(path) === true) throw error;
    const { code, title, detail = '', hint } = error;
    throw new ObkError({ code, title, detail: `${path}: ${detail}`, hint, cause: error });
  }
}

/** The entries of saved reports in JSON as the bank wrote them, one on a line. Throws INPUT_INVALID. */
export async function* readSavedEntries(
  files: Files,
  paths: readonly string[],
  limit: number,
): AsyncGenerator<Uint8Array> {
  let left = limit;
  for (const path of paths) {
    for await (const lines of readEntries(files.stream(path), left, { code: 'INPUT_INVALID' })) {
      if (paths.length > 1) for (const byte of lines) if (byte === 0x0a) left -= 1;
      yield lines;
    }
    if (left <= 0) return;
  }
}
