import { checkIban } from '../../../standard/xs2a/check.ts';

/** The references of a text stay what they are where the text was one before. */
const plain = (text: string): string => text.replaceAll('$', '$$$$');

const ibans = /\b[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}\b/g;
const otherNumbers = /(?<="(?:bban|pan|maskedPan|msisdn)"\s*:\s*")[^"]+(?=")/g;
const amounts = /(?<="amount"\s*:\s*"?)-?[0-9]+(?:\.[0-9]+)?|(?<=<(?:InstdAmt|CtrlSum)(?:\s[^>]*)?>)[0-9.]+/g;

/** What the steps of a journey know by name: its variables, and what earlier steps have saved. */
export class Names {
  readonly variables = new Map<string, string>();
  readonly #pointers = new Map<string, string>();
  readonly #saved = new Set<string>();
  /** The PSU whose login the token of a call stands for. */
  login: string | undefined;

  /** The reference to a variable with this value; one of the same name with another value is another variable. */
  variable(name: string, value: string): string {
    for (let count = 1; ; count += 1) {
      const own = count === 1 ? name : `${name}${String(count)}`;
      const there = this.variables.get(own);
      if (there !== undefined && there !== plain(value)) continue;
      this.variables.set(own, plain(value));
      return `$${own}`;
    }
  }

  /** A name under which a step saves its result. */
  save(wish: string): string {
    let name = wish;
    for (let count = 2; this.#saved.has(name) || this.variables.has(name); count += 1)
      name = `${wish}${String(count)}`;
    this.#saved.add(name);
    return name;
  }

  /** From now on the id is what stands at a place of something saved. */
  know(id: string, pointer: string): void {
    this.#pointers.set(id, `$${pointer}`);
  }

  /** The reference to an id: to what an earlier step saved, else to a variable. */
  id(name: string, id: string): string {
    return this.#pointers.get(id) ?? this.variable(name, id);
  }

  /** Whether an earlier step of the journey has made what this id names. */
  knows(id: string): boolean {
    return this.#pointers.has(id);
  }

  text = plain;

  /** A whole body in which account numbers, amounts and known ids are references. */
  body(text: string): string {
    const braced = (reference: string) => reference.replace(/^\$(.+)$/, '$${$1}');
    let filled = plain(text)
      .replace(amounts, (amount) => braced(this.variable('amount', amount)))
      .replace(ibans, (number) => (checkIban(number).ok ? braced(this.variable('account', number)) : number))
      .replace(otherNumbers, (number) => braced(this.variable('account', number)));
    for (const [id, pointer] of this.#pointers) filled = filled.replaceAll(id, () => braced(pointer));
    return filled;
  }
}
