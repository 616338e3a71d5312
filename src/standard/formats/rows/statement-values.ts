/** What a report says of a statement as a whole, beside its account and its balances. */
import type { ReportItem } from './report-reader.ts';

/** The characters that are kept of a statement; with one as large as its report none would end in constant memory. */
const mostCharacters = 64 * 1024;

/** Collects the values of one statement, each as it was sent, under the name that the report has for it. */
export class StatementValues {
  readonly #values = new Map<string, string>();
  #size = 0;
  #leftOut = 0;
  #first = '';

  /** Takes a value; several of one name stand beside each other. */
  add(name: string, text: string): void {
    const told = text.trim();
    if (told === '') return;
    this.#size += name.length + told.length;
    if (this.#size > mostCharacters) {
      if (this.#leftOut === 0) this.#first = `${name} ${told.slice(0, 70)}`;
      this.#leftOut += 1;
      return;
    }
    const before = this.#values.get(name);
    this.#values.set(name, before === undefined ? told : `${before} ${told}`);
  }

  /** Passes the values on with those before them, such as of the header of the message; without any there is no item. */
  giveTo(give: (item: ReportItem) => void, account: string | undefined, before?: StatementValues): void {
    const all = before === undefined ? this.#values : [...before.#values, ...this.#values];
    const values = Object.fromEntries(all);
    if (Object.keys(values).length > 0)
      give({ kind: 'statement', statement: { ...(account !== undefined && { account }), values } });
    this.tellLeftOut(give);
  }

  /** Tells how many values there was no room for. */
  tellLeftOut(give: (item: ReportItem) => void): void {
    if (this.#leftOut === 0) return;
    const detail = `${String(this.#leftOut)} values of the statement are too many and were left out, the first of them ${this.#first}`;
    give({ kind: 'problem', problem: { code: 'text-skipped', detail } });
  }
}
