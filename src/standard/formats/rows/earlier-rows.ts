/** Which rows of a report stand in an earlier one, too, because the times of the two overlap. */
import { accountIdentity } from './account-identity.ts';
import type { TransactionRow } from './transaction-row.ts';

/** So many different rows are remembered; nothing is said of those after them. */
const most = 1_000_000;

/** Takes the rows of several reports, one report after the other. Rows that are alike within a report are several entries. */
export class EarlierRows {
  /** How often a row stood in the one report of the earlier ones that has it most often. */
  readonly #earlier = new Map<string, number>();
  #own = new Map<string, number>();

  /** Begins with the next report. */
  next(): void {
    for (const [key, count] of this.#own)
      if (this.#earlier.has(key) || this.#earlier.size < most)
        this.#earlier.set(key, Math.max(count, this.#earlier.get(key) ?? 0));
    this.#own = new Map();
  }

  /** Takes a row and returns whether an earlier report has it. */
  has(row: TransactionRow): boolean {
    const key = keyOf(row);
    if (key === undefined) return false;
    const count = (this.#own.get(key) ?? 0) + 1;
    if (count > 1 || this.#own.size < most) this.#own.set(key, count);
    return count <= (this.#earlier.get(key) ?? 0);
  }
}

/**
 * What tells a row from others: its key, which knows the balances; of one that is not booked the bank's own id, or else all that
 * it is known by. What is pending is not the same as booked.
 */
function keyOf(row: TransactionRow): string | undefined {
  if (row.key !== undefined) return row.key;
  const { account = '', bookingStatus = '', amount, currency = '', transactionId, position } = row;
  if (amount === undefined) return undefined;
  const day = row.bookingDate ?? row.valueDate ?? '';
  const { entryReference, endToEndId, counterpartyName, remittanceInformationUnstructured: text } = row;
  const known =
    transactionId === undefined
      ? // Numbers of entries begin anew in each report of some banks.
        ['', entryReference === String(position) ? '' : entryReference, endToEndId, counterpartyName, text]
      : [transactionId, row.batchPosition];
  return JSON.stringify([accountIdentity(account), bookingStatus, day, amount, currency, ...known]);
}
