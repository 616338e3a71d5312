/** One account report of a camt message. */
import { balanceItems, moreOfBalance } from './camt-balance.ts';
import { entryRows } from './camt-entry.ts';
import { accountAt, all, textAt, textOf } from './camt-node.ts';
import { addValues, elementText } from './camt-others.ts';
import { EntrySummary } from './camt-summary.ts';
import type { ReportItem, ReportProblem } from '../rows/report-reader.ts';
import { StatementSums } from '../rows/report-sums.ts';
import { StatementValues } from '../rows/statement-values.ts';
import { place } from '../rows/transaction-row.ts';
import type { XmlNode } from '../xml/xml-scan.ts';

/** What a report has from the message that it stands in. */
interface OfMessage {
  give: (item: ReportItem) => void;
  /** The number of the account that was asked for. */
  account: string | undefined;
  /** Whether it is a statement (camt.053), whose entries are booked. */
  isStatement: boolean;
  /** Whether the message is a later page of several. */
  isLaterPage: boolean;
  /** Counts the entries of all reports. */
  nextPosition: () => number;
}

/** Takes the elements of one report as they come, and gives their items. */
export class CamtStatement {
  readonly #of: OfMessage;
  #account: string | undefined;
  #owner: string | undefined;
  /** The currency of the account. */
  #currency: string | undefined;
  #entries = 0;
  readonly #sums = new StatementSums();
  readonly #values = new StatementValues();
  #summary: EntrySummary | undefined;
  /** Whether it is one page of several: its balances and sums may be those of all of them. */
  #isPage = false;
  #isLaterPage: boolean;

  constructor(of: OfMessage) {
    this.#of = of;
    this.#account = of.account;
    this.#isLaterPage = of.isLaterPage;
  }

  /** Takes an element at the level below the report. */
  element(node: XmlNode): void {
    const { name } = node;
    if (name === 'Ntry') {
      this.#entry(node);
      return;
    }
    if (name === 'Bal') this.#balance(node);
    else if (isNote(name)) this.note(name === 'Intrst' ? elementText(node) : textOf(node));
    else addValues(this.#values, node);

    if (name === 'Acct') this.#toAccount(node);
    else if (name === 'TxsSummry') this.#summary = new EntrySummary(node, this.#entries);
    else if (isPagination(name)) {
      this.#isPage = isOneOfSeveral(node);
      this.#isLaterPage ||= isFurther(node);
    }
  }

  /** Gives a text as information of the bank on the account. */
  note(text: string | undefined): void {
    const account = this.#account;
    if (text !== undefined)
      this.#of.give({ kind: 'note', note: { ...(account !== undefined && { account }), text } });
  }

  /** Gives what is known at its end: its values behind those of the header, and where its sums differ. */
  end(header: StatementValues, isPage: boolean): void {
    const { give, isStatement } = this.#of;
    this.#values.giveTo(give, this.#account, header);
    if (isPage || this.#isPage) return;
    const difference = isStatement ? this.#sums.difference() : undefined;
    if (difference !== undefined) give(difference);
    this.#summary?.differences().forEach(this.#tell);
  }

  #entry(node: XmlNode): void {
    const { give, isStatement, nextPosition } = this.#of;
    this.#entries += 1;
    const rows = entryRows(node, {
      account: this.#account,
      owner: this.#owner,
      currency: this.#currency,
      statement: isStatement,
      position: nextPosition(),
      tell: this.#tell,
    });
    this.#summary?.entry(node);
    for (const row of rows) {
      if (row.bookingStatus !== 'pending' && row.bookingStatus !== 'information') {
        // A further page may tell the opening balance of the first one.
        if (!this.#isLaterPage) place(row, this.#sums.place);
        this.#sums.entry(row.amount, row.currency);
      }
      give({ kind: 'row', row });
    }
  }

  #toAccount(node: XmlNode): void {
    const account = accountAt(node);
    this.#account = account;
    this.#owner = textAt(node, 'Ownr', 'Nm');
    if (account === undefined) return;
    const currency = textAt(node, 'Ccy');
    this.#currency = currency;
    const name = textAt(node, 'Nm') ?? this.#owner;
    this.#of.give({
      kind: 'account',
      account: { account, ...(currency && { currency }), ...(name && { name }) },
    });
  }

  #balance(node: XmlNode): void {
    for (const item of balanceItems(node, this.#account, this.#currency, this.#sums)) this.#of.give(item);
    for (const more of [...all(node, 'CdtLine'), ...all(node, 'Avlbty')]) this.note(elementText(more));
    this.note(moreOfBalance(node));
  }

  readonly #tell = (problem: ReportProblem): void => {
    this.#of.give({ kind: 'problem', problem });
  };
}

/** Whether an element at the level of a report is told as information of it. */
const isNote = (name: string): boolean => name === 'Intrst' || /^Addtl(?:Stmt|Rpt|Ntfctn)Inf$/.test(name);

const isPagination = (name: string): boolean => /^(?:Stmt|Rpt|Ntfctn)Pgntn$/.test(name);

/** Whether a pagination tells of further pages, or of ones before. */
export function isOneOfSeveral(pages: XmlNode | undefined): boolean {
  return isFurther(pages) || /^(?:false|0)$/.test(textAt(pages, 'LastPgInd') ?? '');
}

/** Whether a pagination tells of pages before. */
export const isFurther = (pages: XmlNode | undefined): boolean => Number(textAt(pages, 'PgNb') ?? 1) > 1;
