/** The keys by which bookings are known again, whichever report they stand in. */
import { accountIdentity } from './account-identity.ts';
import { placeOf } from './transaction-row.ts';
import type { TransactionRow } from './transaction-row.ts';

/** So many different rows, at least, are looked back upon for one that is the same. */
const looked = 65_536;
const places = 2 * looked;

/** Numbers that were met and how often, in memory that neither grows nor is given back. */
class Counts {
  size = 0;
  readonly #numbers = new Float64Array(places);
  readonly #counts = new Uint32Array(places);

  get(number: number): number {
    return this.#counts[this.#placeOf(number)] ?? 0;
  }

  set(number: number, count: number): void {
    const at = this.#placeOf(number);
    if (this.#counts[at] === 0) this.size += 1;
    this.#numbers[at] = number;
    this.#counts[at] = count;
  }

  #placeOf(number: number): number {
    let at = number & (places - 1);
    while (this.#counts[at] !== 0 && this.#numbers[at] !== number) at = (at + 1) & (places - 1);
    return at;
  }
}

/** How often each of the last rows came, in memory that has a bound. */
class Occurrences {
  #last = new Counts();
  #before: Counts | undefined;

  /** Counts one more of a whole number and returns how many there were. */
  add(number: number): number {
    const count = (this.#last.get(number) || (this.#before?.get(number) ?? 0)) + 1;
    this.#last.set(number, count);
    if (this.#last.size >= looked) {
      this.#before = this.#last;
      this.#last = new Counts();
    }
    return count;
  }
}

/**
 * Gives each booked row of a report its key: a hash of what is booked and, where the statement tells its opening balance, of the
 * balance before the entry; else of the number of the row among those that are the same on that day. No id that a bank makes is in
 * it. Rows have to come in the order of their report.
 */
export class RowKeys {
  readonly #digest: (text: string) => string;
  #seen = new Occurrences();
  #statement: object | undefined;
  #statements = 0;
  readonly #identity = lastOf(accountIdentity);

  /** `digest` returns a text of at least 32 hex digits. */
  constructor(digest: (text: string) => string) {
    this.#digest = digest;
  }

  /** Begins with the next report: its rows are counted anew. */
  next(): void {
    this.#seen = new Occurrences();
    this.#statement = undefined;
  }

  /** Sets the key of a row that is booked. */
  set(row: TransactionRow): void {
    if (row.bookingStatus !== 'booked') return;
    const place = placeOf(row);
    const told = this.#textOf(row);
    const text = place === undefined ? told : `${told}${String(place.before)}`;
    const digest = this.#digest(text);
    // Money that goes there and back leads to the same balance twice; that of another statement is another one.
    const number = Number.parseInt(digest.slice(0, 12), 16) + this.#numberOf(place?.statement);
    const count = this.#seen.add(number);
    row.key = (count === 1 ? digest : this.#digest(`${text}\n${String(count)}`)).slice(0, 32);
    row.keyBy = place === undefined ? 'occurrence' : 'balance';
  }

  /** What is added to the number of a row, so that those of one statement are counted apart. */
  #numberOf(statement: object | undefined): number {
    if (statement === undefined) return 0;
    if (statement !== this.#statement) {
      this.#statement = statement;
      this.#statements += 1;
    }
    return this.#statements;
  }

  #textOf(row: TransactionRow): string {
    const { account, amount, currency = '', counterpartyAccount, endToEndId = '' } = row;
    const day = row.bookingDate ?? row.valueDate ?? row.transactionDate ?? '';
    const own = account === undefined ? '' : this.#identity(account);
    const other = counterpartyAccount === undefined ? '' : accountIdentity(counterpartyAccount);
    const paid = amount === undefined ? `${row.amountAsSent ?? ''} ${row.direction ?? ''}` : plain(amount);
    const reference = endToEndId === 'NOTPROVIDED' ? '' : endToEndId;
    const text = collapsed(row.remittanceInformationUnstructured ?? '');
    const structured = collapsed(row.remittanceInformationStructured ?? '');
    // What has a line end of its own is no part of another one.
    return `${own}\n${day}\n${paid}\n${currency}\n${other}\n${collapsed(reference)}\n${text}\n${structured}\n`;
  }
}

/** An amount without the zeros at the end that another report may leave out. */
const plain = (amount: string): string =>
  amount.endsWith('0') && amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount;

const words = /^\S+(?: \S+)*$/;
const collapsed = (text: string): string =>
  text === '' || words.test(text) ? text : text.replace(/\s+/g, ' ').trim();

/** Returns a function that knows the result of its last call. */
function lastOf(make: (text: string) => string): (text: string) => string {
  let [text, made] = ['', make('')];
  return (next) => {
    if (next !== text) [text, made] = [next, make(next)];
    return made;
  };
}
