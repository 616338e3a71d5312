import type { FaultCode } from '../text/text-source.ts';
import type { RowStatus, TransactionRow } from './transaction-row.ts';

/** The account that the rows after it are of; a file may hold several. */
export interface ReportAccount {
  /** The IBAN, or another number, as sent. */
  readonly account: string;
  readonly currency?: string;
  readonly name?: string;
}

/** A balance of the account: signed amount and the type in words of the guidelines (closingBooked, openingBooked ...) or as sent. */
export interface ReportBalance {
  readonly account?: string;
  readonly balanceType: string;
  readonly amount: string;
  readonly currency: string;
  /** YYYY-MM-DD. */
  readonly referenceDate?: string;
  /** The same as it was sent, where it has a time of day or a zone. */
  readonly referenceDateTime?: string;
  readonly lastChangeDateTime?: string;
  /** `sign-unknown` where nothing tells whether it is a debit or a credit; the amount stands as it was sent. */
  readonly marks?: readonly 'sign-unknown'[];
}

/** Information that a bank gives of a statement as a whole, as sent. */
export interface ReportNote {
  readonly account?: string;
  readonly text: string;
}

/** What a report says of one of its statements: each value as sent, under its tag, the path of its element or of its member. */
export interface ReportStatement {
  readonly account?: string;
  readonly values: Readonly<Record<string, string>>;
}

/** Something about the report that a person should know although its rows can be read. */
export interface ReportProblem {
  readonly code:
    | 'sum-differs'
    | 'count-differs'
    | 'sum-malformed'
    | 'balance-malformed'
    | 'balance-missing'
    | 'balance-unusual'
    | 'text-skipped'
    | 'field-unknown'
    | 'charset-guessed'
    /** A file of a zip that is no report, such as a PDF beside it. */
    | 'file-left-aside'
    /** A statement opens with another balance than the one before it closed with. */
    | 'balance-gap'
    /** The report ends within a statement: something may be missing. */
    | 'cut-off';
  readonly detail: string;
}

/** The links that lead to more of a report; `download` is given where there is no list beside it. */
export type ReportLinkName = 'first' | 'next' | 'previous' | 'last' | 'download';

/** The items of `readReport`, in the order of the report. */
export type ReportItem =
  | { readonly kind: 'row'; readonly row: TransactionRow }
  | { readonly kind: 'account'; readonly account: ReportAccount }
  | { readonly kind: 'balance'; readonly balance: ReportBalance }
  | { readonly kind: 'note'; readonly note: ReportNote }
  | { readonly kind: 'statement'; readonly statement: ReportStatement }
  | { readonly kind: 'link'; readonly name: ReportLinkName; readonly href: string }
  | { readonly kind: 'problem'; readonly problem: ReportProblem };

/** The known facts of a report besides its bytes; `code` says whether a fault is a bank's (default) or of a file. */
export interface ReportHints {
  readonly contentType?: string;
  /** The number of the account that was asked for, until the report itself names one. */
  readonly account?: string;
  readonly code?: FaultCode;
  /** The characters of text and XML, whatever it says itself: a name of `charsetNames`. */
  readonly charset?: string;
  /** Returns a value of the list as the standard writes it, for a bank that does not. */
  readonly decoded?: (value: unknown) => unknown;
  /** Limit of the whole report, unpacked; 2 GiB by default. */
  readonly maxBytes?: number;
}

/** The reader of one kind of report: takes it in pieces, passes items to its creator. Throws as `readReport`. */
export interface ReportReader<Piece = string> {
  write(piece: Piece): void;
  end(): void;
}

/** Facts outside the entries that decide how these are read. */
export interface ListState {
  account: string | undefined;
  /** What the numbers of that account have in common with their other spellings (`accountIdentity`). */
  own: ReadonlySet<string>;
  /** `debitAccounting` of a card list (1.3.8): debits are written without a minus, credits with one. */
  debitsPositive: boolean | undefined;
  /** The list (booked, pending ...) in which an amount with a minus was met: there one without it is a credit. */
  signed: RowStatus | undefined;
  position: number;
  /** A report that is only to be downloaded has links alone. */
  links: boolean;
  /** Where a report leads that has no list. */
  download: string | undefined;
}
