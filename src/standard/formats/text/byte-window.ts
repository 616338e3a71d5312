/** The bytes of a stream that are still wanted, in one buffer that is used again and again. */

/**
 * Holds bytes from `add` until they are dropped. New buffers for each piece would be as many as the stream is long, and V8
 * frees them only when it collects its old objects, which a reader hardly makes: tens of megabytes lie there meanwhile.
 */
export class ByteWindow {
  #buffer: Buffer;
  #from = 0;
  #to = 0;

  constructor(size: number) {
    this.#buffer = Buffer.allocUnsafe(size);
  }

  /** The bytes that are held, as a view that is true until the next `add`. */
  get bytes(): Buffer {
    return this.#buffer.subarray(this.#from, this.#to);
  }

  /** Adds a copy of a piece behind the bytes that are held. */
  add(piece: Uint8Array): void {
    if (this.#to + piece.length > this.#buffer.length) this.#makeRoom(piece.length);
    this.#buffer.set(piece, this.#to);
    this.#to += piece.length;
  }

  /** Drops so many of the first bytes. */
  drop(count: number): void {
    this.#from += count;
    if (this.#from === this.#to) this.#from = this.#to = 0;
  }

  #makeRoom(more: number): void {
    const held = this.#to - this.#from;
    const into = held + more > this.#buffer.length ? Buffer.allocUnsafe(2 * (held + more)) : this.#buffer;
    this.#buffer.copy(into, 0, this.#from, this.#to);
    this.#buffer = into;
    this.#from = 0;
    this.#to = held;
  }
}
