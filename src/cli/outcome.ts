import type { ExitCode } from '../base/errors.ts';
import type { Style } from './render/style.ts';
import type { Column, PrintedRow, Rows } from './render/table.ts';
import type { ListPage } from './render/transactions-page.ts';

export type { Column, PrintedRow, Rows } from './render/table.ts';

/** One result document: `data` is what `--json` prints, `text` what a person reads. */
export interface DataOutcome {
  kind: 'data';
  data: unknown;
  text: (style: Style) => string;
  /** 0 unless the result is a business result that the command did not want (8, 9, 10) or 12. */
  exit?: ExitCode;
  /** Runnable commands, shown on stderr to a person. */
  next?: readonly string[];
  /** The output of `-o name`: ids only. */
  name?: string;
  /** The exact bytes of the bank, for `--raw`; in pieces where they stream. */
  raw?: Uint8Array | AsyncIterable<Uint8Array>;
  /** Goes on after the result is printed: a server in the foreground. */
  after?: Promise<void>;
}

/** A list that streams in constant memory; where it breaks off, `rows` throws and the whole rows stay written. */
export interface RowsOutcome {
  kind: 'rows';
  columns: readonly Column[];
  rows: Rows;
  /** The key whose value `-o name` prints. */
  nameKey: string;
  /** The text shown instead of an empty table. */
  empty: string;
  /** So many rows are there at once; for more of them a table does not wait before it is shown. */
  atOnce?: number;
  exit?: ExitCode;
  /** Each row is shown as soon as it comes, as a line of its own: what is watched. */
  live?: boolean;
  /** Each row is a line of JSON unless a format is chosen. */
  linesOfJson?: true;
  /** The exit code that only the end of the rows decides. */
  exitAtEnd?: () => ExitCode;
  /** Sees the rows of a table at a terminal, and says a last line below it. */
  foot?: () => { see: (row: PrintedRow) => void; line: () => string | undefined };
  /** Makes the page of `-o html`, for commands whose help says `html`. */
  page?: () => Promise<ListPage>;
  /** The next commands, read after the last row. */
  next?: readonly string[];
}

/** One result after another, each shown when it comes: a line that is drawn again where a person watches, NDJSON for a script. */
export interface WatchOutcome {
  kind: 'watch';
  /** The last one is what --expect is about and whose `exit` and `next` count; an exit code that is returned goes before it. */
  results: AsyncGenerator<DataOutcome, ExitCode | undefined>;
}

/** A result that is shown once. */
export type WholeOutcome = DataOutcome | RowsOutcome;

/** The result of a command; one printer decides how it is shown. */
export type Outcome = WholeOutcome | WatchOutcome;
