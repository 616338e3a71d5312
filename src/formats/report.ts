/** Account reports of every kind as one stream of rows, accounts, balances and links, in constant memory. */
import { camtReport } from './camt.ts';
import { mtReport } from './mt940.ts';
import { jsonReport } from './report-json.ts';
import { reportFiles } from './report-source.ts';
import type { FaultCode } from './text-source.ts';
import type { TransactionRow } from './transaction-row.ts';

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
  readonly lastChangeDateTime?: string;
}

/** Something about the report that a person should know although its rows can be read. */
export interface ReportProblem {
  readonly code: 'sum-differs' | 'count-differs' | 'balance-malformed';
  readonly detail: string;
}

/** The links that lead to more of a report. */
export type ReportLinkName = 'first' | 'next' | 'previous' | 'last' | 'download';

/** What `readReport` gives, in the order of the report. */
export type ReportItem =
  | { readonly kind: 'row'; readonly row: TransactionRow }
  | { readonly kind: 'account'; readonly account: ReportAccount }
  | { readonly kind: 'balance'; readonly balance: ReportBalance }
  | { readonly kind: 'link'; readonly name: ReportLinkName; readonly href: string }
  | { readonly kind: 'problem'; readonly problem: ReportProblem };

/** What is known of a report beside its bytes; `code` says whether a fault is a bank's (default) or of a file. */
export interface ReportHints {
  readonly contentType?: string;
  /** The number of the account that was asked for, until the report itself names one. */
  readonly account?: string;
  readonly code?: FaultCode;
  /** Of the whole report as it is read, unpacked; 2 GiB by default. */
  readonly maxBytes?: number;
}

/** The reader of one kind of report: takes its text in pieces, gives items to whoever made it. Throws as `readReport`. */
export interface ReportReader {
  write(text: string): void;
  end(): void;
}

/**
 * Reads an account report from its bytes, in pieces of any size: JSON lists of accounts and card accounts (1.3.2 to
 * 1.3.12), camt.052, .053 and .054, MT940 and MT942, one of them or several in gzip or zip. Throws ObkError with
 * `hints.code` and the place where it cannot be read on; what was given before stays true.
 */
export async function* readReport(
  chunks: AsyncIterable<Uint8Array>,
  hints: ReportHints = {},
): AsyncGenerator<ReportItem> {
  for await (const file of reportFiles(chunks, hints)) {
    let items: ReportItem[] = [];
    const reader = readers[file.kind](hints, (item) => {
      items.push(item);
    });
    for await (const text of withEnd(file.text)) {
      let failure: { readonly thrown: unknown } | undefined;
      try {
        if (text === undefined) reader.end();
        else reader.write(text);
      } catch (thrown) {
        failure = { thrown };
      }
      // What was whole before a fault is given before it is thrown.
      for (const item of items) yield item;
      items = [];
      if (failure !== undefined) throw failure.thrown;
    }
  }
}

const readers = { json: jsonReport, xml: camtReport, mt: mtReport } as const;

async function* withEnd(texts: AsyncIterable<string>): AsyncGenerator<string | undefined> {
  yield* texts;
  yield undefined;
}
