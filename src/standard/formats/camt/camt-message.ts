import type { ReportHints } from '../rows/report-reader.ts';
/** Where the message of a camt document stands, and the refusal of one that has none. */
import { ObkError } from '../../../base/errors.ts';

/** The message below Document, and the reports in it. */
const messages = new Map([
  ['BkToCstmrAcctRpt', 'Rpt'],
  ['BkToCstmrStmt', 'Stmt'],
  ['BkToCstmrDbtCdtNtfctn', 'Ntfctn'],
]);
/** Version 01 has its number in the name. */
const messageOf = (name: string): string => name.replace(/V[0-9]{2}$/, '');
/** The namespace of a message of ISO 20022 that is none of these; those of its headers and of other makers say nothing. */
const otherMessage = /^urn:iso:std:iso:20022:tech:xsd:(?!camt\.05[234]\.|head\.|nvlp\.)/;
/** A document that says of itself that it is read here. */
const isRead = /tech:xsd:camt\.05[234]\./;
/** The header of a business envelope: who sends the message, and its number. */
export const isApplicationHeader = (name: string): boolean => name === 'AppHdr';
/** Elements around the message: a file with several of them, SOAP, a business envelope. */
const deepest = 6;

/** Follows the elements of a document to the message in it. */
export class CamtMessage {
  readonly #code: NonNullable<ReportHints['code']>;
  /** Its element without the number of a version; empty before it was met. */
  #name = '';
  #depth = 1;
  /** The outermost element, or the last Document, that was met before it. */
  #outer: string | undefined;
  #document: number | undefined;

  constructor(code: NonNullable<ReportHints['code']>) {
    this.#code = code;
  }

  /** Whether it is a statement (camt.053). */
  get isStatement(): boolean {
    return this.#name === 'BkToCstmrStmt';
  }

  /**
   * Takes the start of an element, and returns whether its children come one by one; undefined where it is within the message.
   * Throws the code of the report for a document of another kind.
   */
  open(name: string, depth: number, namespace: string | undefined): boolean | undefined {
    const known = messageOf(name);
    // A namespace says less than the structure: banks leave it out, or have one of their country.
    if (messages.has(known) && (this.#name === '' || depth === this.#depth)) {
      this.#name = known;
      this.#depth = depth;
      return true;
    }
    return this.#name === '' || depth < this.#depth ? this.#around(name, depth, namespace) : undefined;
  }

  #around(name: string, depth: number, namespace: string | undefined): boolean {
    if (isApplicationHeader(name)) return false;
    const named = namespace === undefined ? name : `${name} of ${namespace.slice(0, 100)}`;
    if (namespace !== undefined && otherMessage.test(namespace)) this.#refuse(named);
    if (depth === 0 || name === 'Document') this.#outer = named;
    else if (this.#document === depth - 1 && !isRead.test(this.#outer ?? ''))
      this.#refuse(this.#outer ?? name);
    if (name === 'Document') this.#document = depth;
    return depth < deepest;
  }

  /** How far below the message an element stands. */
  levelOf(depth: number): number {
    return depth - this.#depth;
  }

  isReport(name: string, depth: number): boolean {
    return depth === this.#depth + 1 && messages.get(this.#name) === name;
  }

  isEnd(name: string, depth: number): boolean {
    return depth === this.#depth && messageOf(name) === this.#name;
  }

  /** Throws at the end of a document that had no message. */
  needMet(): void {
    if (this.#name !== '') return;
    if (this.#document === undefined) this.#refuse(this.#outer ?? 'empty');
    throw this.#notReport(`It has none of ${[...messages.keys()].join(', ')}.`);
  }

  #refuse(what: string): never {
    throw this.#notReport(`It is ${what}; obk reads camt.052, camt.053 and camt.054.`);
  }

  #notReport(detail: string): ObkError {
    return new ObkError({ code: this.#code, title: 'The XML is not an account report.', detail });
  }
}
