/** Whether the entries of a statement lead from its opening to its closing balance, in minor units. */
import { formatMinor, parseAmount } from '../money/amount.ts';
import type { ReportItem } from './report-reader.ts';
import type { RowPlace } from './transaction-row.ts';

/** Adds up one statement; what cannot be added (a malformed amount, another currency) makes it silent. */
export class StatementSums {
  #opening: bigint | undefined;
  #closing: bigint | undefined;
  #currency: string | undefined;
  #sum = 0n;
  #unsure = false;
  /** Several closing balances: the entries still follow from the opening one. */
  #closedTwice = false;

  /** The place of the next entry, as long as the opening balance and all entries before it are known. */
  get place(): RowPlace | undefined {
    if (this.#unsure || this.#opening === undefined) return undefined;
    return { statement: this, before: this.#opening + this.#sum };
  }

  balance(which: 'opening' | 'closing', amount: string, currency: string): void {
    const minor = this.#minor(amount, currency);
    if (which === 'opening') {
      // Some banks tell the balance at the end of the day before, too.
      if (this.#opening !== undefined && this.#opening !== minor) this.#unsure = true;
      this.#opening = minor;
    } else {
      if (this.#closing !== undefined) this.#closedTwice = true;
      this.#closing = minor;
    }
  }

  entry(amount: string | undefined, currency: string | undefined): void {
    this.#sum += this.#minor(amount, currency) ?? 0n;
  }

  /** Takes an entry whose amount was read already; undefined where it is none. */
  minor(minor: bigint | undefined, currency: string | undefined): void {
    if (minor === undefined || currency === undefined || (this.#currency ?? currency) !== currency) {
      this.#unsure = true;
      return;
    }
    this.#currency = currency;
    this.#sum += minor;
  }

  /** Returns the problem where both balances are known and the entries do not lead from one to the other. */
  difference(): ReportItem | undefined {
    const currency = this.#currency;
    if (this.#unsure || this.#closedTwice) return undefined;
    if (this.#opening === undefined || this.#closing === undefined) return undefined;
    if (currency === undefined || this.#opening + this.#sum === this.#closing) return undefined;
    const [opening, sum, closing] = [this.#opening, this.#sum, this.#closing].map((minor) =>
      formatMinor(minor, currency),
    );
    const detail = `the opening balance ${opening ?? ''} and the booked entries ${sum ?? ''} do not add up to the closing balance ${closing ?? ''} ${currency}`;
    return { kind: 'problem', problem: { code: 'sum-differs', detail } };
  }

  #minor(amount: string | undefined, currency: string | undefined): bigint | undefined {
    const parsed = amount === undefined || currency === undefined ? undefined : parseAmount(amount, currency);
    if (parsed?.ok !== true || (this.#currency ?? currency) !== currency) {
      this.#unsure = true;
      return undefined;
    }
    this.#currency = currency;
    return parsed.value.minor;
  }
}
