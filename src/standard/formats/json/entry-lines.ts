/** The entries of a JSON list as lines of their own. */

/** Whole lines, and where each of them ends. */
export interface Lines {
  readonly bytes: Uint8Array;
  readonly ends: readonly number[];
}

const lineEnd = 0x0a;

/**
 * Makes lines of entries. Those that stand side by side in the document are copied together, and the commas between them made
 * line ends: a view and a copy for each entry would take longer than finding it.
 */
export class EntryLines {
  readonly #bytesAt: (from: number, to: number) => Uint8Array;
  #memory = Buffer.alloc(0);
  /** What is copied, each with room for a line end behind it. */
  #parts: Uint8Array[] = [];
  #ends: number[] = [];
  #size = 0;
  /** The entries that are not among the parts yet. */
  #from = -1;
  #to = -2;

  /** `bytesAt` gives the bytes between two places of the document, until `take`. */
  constructor(bytesAt: (from: number, to: number) => Uint8Array) {
    this.#bytesAt = bytesAt;
  }

  /** Adds an entry of a list, which has no line end in it, by its place in the document. */
  add(from: number, to: number): void {
    // Between two entries of a list nothing but a comma is so short.
    if (from !== this.#to + 1) {
      this.#settle();
      this.#from = from;
    }
    this.#to = to;
    this.#ended(to - from);
  }

  /** Adds an entry by the bytes that it is to have. */
  addBytes(bytes: Uint8Array): void {
    this.#settle();
    this.#parts.push(bytes);
    this.#ended(bytes.length);
  }

  /** Returns what was added since the last call, true until the next one; undefined if nothing was. */
  take(): Lines | undefined {
    this.#settle();
    if (this.#ends.length === 0) return undefined;
    const bytes = this.#room(this.#size);
    let at = 0;
    for (const part of this.#parts) {
      bytes.set(part, at);
      at += part.length + 1;
    }
    const ends = this.#ends;
    for (const end of ends) bytes[end - 1] = lineEnd;
    this.#parts = [];
    this.#ends = [];
    this.#size = 0;
    return { bytes, ends };
  }

  /** New memory for each piece of a long list would take longer than all else that is done with the lines. */
  #room(size: number): Uint8Array {
    if (size > this.#memory.length) this.#memory = Buffer.allocUnsafeSlow(2 * size);
    return this.#memory.subarray(0, size);
  }

  #ended(length: number): void {
    this.#size += length + 1;
    this.#ends.push(this.#size);
  }

  #settle(): void {
    if (this.#from >= 0) this.#parts.push(this.#bytesAt(this.#from, this.#to));
    // An entry that begins where the document does stands next to nothing.
    this.#from = -1;
    this.#to = -2;
  }
}
