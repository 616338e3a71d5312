/** Entries of a JSON list in their order; those whose sign nothing tells yet wait for an entry that does. */
import { reportRows } from './json-transaction.ts';
import type { ListState, ReportItem } from '../rows/report-reader.ts';
import type { RowStatus, TransactionRow } from '../rows/transaction-row.ts';

/** So many entries wait at most; without a minus among them they are read as they are, and the next ones wait anew. */
const mostHeld = 1000;

interface Held {
  readonly value: unknown;
  readonly status: RowStatus | undefined;
  readonly position: number;
}

/** Makes rows of entries and passes them on; in a list where debits have a minus, an amount without one is a credit, wherever the first minus stands. */
export class HeldEntries {
  readonly #list: ListState;
  readonly #give: (item: ReportItem) => void;
  #held: Held[] = [];

  constructor(list: ListState, give: (item: ReportItem) => void) {
    this.#list = list;
    this.#give = give;
  }

  /** Takes the next entry of a list of this status. */
  entry(value: unknown, status: RowStatus | undefined): void {
    const list = this.#list;
    const { signed } = list;
    list.position += 1;
    const rows = reportRows(value, status, list);
    const waits = this.#held.length > 0;
    if (!waits && !rows.some(isGuessed)) this.#pass(rows);
    else if (list.signed !== signed || this.#held.length >= mostHeld) {
      this.flush();
      this.#pass(rows);
    } else if (waits || list.signed === undefined)
      this.#held.push({ value, status, position: list.position });
    else this.#pass(rows);
  }

  /** Passes on those that wait: nothing more of their list comes, or their signs are told now. */
  flush(): void {
    if (this.#held.length === 0) return;
    const held = this.#held;
    this.#held = [];
    const list = this.#list;
    const last = list.position;
    for (const { value, status, position } of held) {
      list.position = position;
      this.#pass(reportRows(value, status, list));
    }
    list.position = last;
  }

  #pass(rows: readonly TransactionRow[]): void {
    for (const row of rows) this.#give({ kind: 'row', row });
  }
}

/** Whether the direction of an amount was told by the parties, or by nothing. */
const isGuessed = ({ marks }: TransactionRow): boolean =>
  marks !== undefined && (marks.includes('sign-from-parties') || marks.includes('sign-unknown'));
