/** Account reports in XML: camt.052, camt.053 and camt.054 of ISO 20022. */
import { CamtMessage, isApplicationHeader } from './camt-message.ts';
import { child, textAt } from './camt-node.ts';
import { addValues } from './camt-others.ts';
import { CamtStatement, isFurther, isOneOfSeveral } from './camt-statement.ts';
import type { ReportHints, ReportItem, ReportReader } from '../rows/report-reader.ts';
import { StatementValues } from '../rows/statement-values.ts';
import { XmlScanner } from '../xml/xml-scan.ts';
import type { XmlNode, XmlReceiver } from '../xml/xml-scan.ts';

/** Reads a camt message piece by piece and passes its items to `give`. Throws as `readReport`. */
export function camtReport(
  { code = 'ANSWER_UNREADABLE', account }: ReportHints,
  give: (item: ReportItem) => void,
): ReportReader {
  const message = new CamtMessage(code);
  const scanner = new XmlScanner(new CamtReader(message, account, give), code);
  return {
    write: (text) => {
      scanner.write(text);
    },
    end: () => {
      scanner.end();
      message.needMet();
    },
  };
}

/** Takes the elements of a document: the header of its message, its reports one by one, and what stands beside these. */
class CamtReader implements XmlReceiver {
  readonly #message: CamtMessage;
  readonly #account: string | undefined;
  readonly #give: (item: ReportItem) => void;
  #header = new StatementValues();
  /** Whether the header was met and no report after it: those tell it with their own values. */
  #isHeaderDue = false;
  /** Whether the message is one page of several: the sums of its reports may be those of all of them. */
  #isPage = false;
  #isLaterPage = false;
  #position = 0;
  #statement: CamtStatement;

  constructor(message: CamtMessage, account: string | undefined, give: (item: ReportItem) => void) {
    this.#message = message;
    this.#account = account;
    this.#give = give;
    this.#statement = this.#newStatement();
  }

  open(name: string, depth: number, namespace: string | undefined): boolean {
    const goesOn = this.#message.open(name, depth, namespace);
    if (goesOn !== undefined) return goesOn;
    if (!this.#message.isReport(name, depth)) return false;
    this.#statement = this.#newStatement();
    return true;
  }

  element(node: XmlNode, depth: number): void {
    const level = this.#message.levelOf(depth);
    if (isApplicationHeader(node.name)) this.#tellAlone(node);
    else if (level === 2) this.#statement.element(node);
    else if (node.name === 'GrpHdr') this.#toHeader(node);
    else if (level === 1) this.#tellAlone(node);
  }

  close(name: string, depth: number): void {
    if (this.#isHeaderDue && this.#message.isEnd(name, depth)) this.#header.giveTo(this.#give, undefined);
    if (!this.#message.isReport(name, depth)) return;
    this.#isHeaderDue = false;
    this.#statement.end(this.#header, this.#isPage);
  }

  #newStatement(): CamtStatement {
    return new CamtStatement({
      give: this.#give,
      account: this.#account,
      isStatement: this.#message.isStatement,
      isLaterPage: this.#isLaterPage,
      nextPosition: () => (this.#position += 1),
    });
  }

  #toHeader(node: XmlNode): void {
    const pages = child(node, 'MsgPgntn');
    this.#isPage = isOneOfSeveral(pages);
    this.#isLaterPage = isFurther(pages);
    this.#statement.note(textAt(node, 'AddtlInf'));
    this.#header = new StatementValues();
    addValues(this.#header, node);
    this.#header.tellLeftOut(this.#give);
    this.#isHeaderDue = true;
  }

  /** Tells what stands before the message or behind its reports, and belongs to none of them. */
  #tellAlone(node: XmlNode): void {
    const alone = new StatementValues();
    addValues(alone, node);
    alone.giveTo(this.#give, undefined);
  }
}
