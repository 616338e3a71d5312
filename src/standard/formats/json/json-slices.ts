/** Cuts a JSON document of any size into members and entries, each small enough to be parsed alone. */
import { isUtf8 } from 'node:buffer';
import { ObkError } from '../../../base/errors.ts';
import { readJson } from '../../xs2a/json.ts';
import { ByteWindow } from '../text/byte-window.ts';
import type { FaultCode } from '../text/text-source.ts';

/** One value of the document, while it is being given: its path (`transactions.booked[]` is an entry of a list) and what it holds. */
export interface JsonSlice {
  readonly path: string;
  /** Parses it into plain values; a value that has numbers has JsonNumber in their place. */
  value(): unknown;
  /** Where it begins and ends in the document, in bytes. */
  readonly from: number;
  readonly to: number;
  /** Throws if its bytes are not UTF-8. */
  checkUtf8(): void;
}

interface Container {
  readonly path: string;
  /** The path of each item, one text for all of them: looking up new ones would take longer than finding them. */
  readonly itemPath: string;
  readonly array: boolean;
  readonly keys: Set<string>;
  count: number;
}

type Expected = 'value' | 'item-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end' | 'nothing';

const byteOrderMark = [0xef, 0xbb, 0xbf];
const maxDepth = 64;
const maxValue = 1024 * 1024;
const maxMembers = 10_000;
const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * Reads JSON (RFC 8259, UTF-8) in pieces of any size. Objects and arrays whose path is in `opened` (the root is '') are
 * gone through and have at most 10,000 members, everything else comes whole and has at most 1 MiB and 64 levels. `write` and `end` throw ObkError with
 * `code` and the place for anything malformed, also for a member that occurs twice; so does `value` of a slice for what is
 * malformed within it.
 */
export class JsonSlicer implements JsonSlice {
  /** Every path that was gone through. */
  readonly met = new Set<string>();
  /** How many of those paths are lists, empty ones too. */
  lists = 0;
  readonly #opened: ReadonlySet<string>;
  readonly #code: FaultCode;
  readonly #containers: Container[] = [];
  readonly #window = new ByteWindow(2 * 64 * 1024);
  #bytes: Buffer = Buffer.alloc(0);
  /** The same, a character for each byte: what the structure is made of is ASCII, and a text is searched faster. */
  #text = '';
  #at = 0;
  /** Whether all of these bytes are UTF-8, once somebody asked. */
  #isUtf8: boolean | undefined;
  /** Bytes before `#text`. */
  #before = 0;
  #expected: Expected = 'value';
  /** Where the present value stands. */
  path = '';
  #index = 0;
  // State of the value being scanned: where it begins in `#text` (-1: none) and what was found in it so far.
  #start = -1;
  #depth = 0;
  #inString = false;
  #colons = 0;
  #plain = true;

  readonly #give: (slice: JsonSlice) => void;

  constructor(opened: ReadonlySet<string>, code: FaultCode, give: (slice: JsonSlice) => void) {
    this.#give = give;
    this.#opened = opened;
    this.#code = code;
  }

  /** Takes the next piece and passes every complete value to the receiver. */
  write(piece: Uint8Array): void {
    const keep = this.#start >= 0 ? this.#start : this.#at;
    this.#before += keep;
    this.#window.drop(keep);
    this.#window.add(piece);
    this.#bytes = this.#window.bytes;
    this.#text = this.#bytes.toString('latin1');
    this.#isUtf8 = undefined;
    this.#at -= keep;
    if (this.#start >= 0) this.#start = 0;
    while (this.#at < this.#text.length) {
      if (this.#start >= 0) {
        const whole = this.#scan();
        if (this.#at - this.#start > maxValue) this.#fail(`it is longer than ${String(maxValue)} bytes`);
        if (!whole) return;
        this.#finish();
        continue;
      }
      const unit = this.#text.charCodeAt(this.#at);
      if (unit === byteOrderMark[this.#before + this.#at]) this.#at += 1;
      else if (unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09) this.#at += 1;
      else this.#structure(unit);
    }
  }

  /** Returns what the end of the text makes whole; throws where the document is not. */
  end(): void {
    if (this.#start >= 0 && this.#depth === 0 && !this.#inString) this.#finish();
    if (this.#expected !== 'nothing') this.#refuse('it ends too early', this.#before + this.#text.length);
  }

  /** One character between values. */
  #structure(unit: number): void {
    const expected = this.#expected;
    const inner = this.#containers.at(-1);
    if (expected === 'colon' && unit === colon) {
      this.#at += 1;
      this.#expected = 'value';
    } else if (expected === 'comma-or-end' && unit === comma) {
      this.#at += 1;
      this.#expected = inner?.array === true ? 'value' : 'key';
      if (inner?.array === true) this.#nextItem(inner);
    } else if (
      (expected === 'comma-or-end' || expected === 'key-or-end' || expected === 'item-or-end') &&
      unit === (inner?.array === true ? closeBracket : closeBrace)
    ) {
      this.#at += 1;
      this.#containers.pop();
      this.#valueEnded();
    } else if ((expected === 'key' || expected === 'key-or-end') && unit === quote) {
      this.#begin();
    } else if (expected === 'value' || expected === 'item-or-end') {
      if (expected === 'item-or-end' && inner !== undefined) this.#nextItem(inner);
      if ((unit === openBrace || unit === openBracket) && this.#opened.has(this.path)) {
        const array = unit === openBracket;
        this.met.add(this.path);
        if (array) this.lists += 1;
        this.#containers.push({
          path: this.path,
          itemPath: `${this.path}[]`,
          array,
          keys: new Set(),
          count: 0,
        });
        this.#at += 1;
        this.#expected = array ? 'item-or-end' : 'key-or-end';
      } else this.#begin();
    } else {
      const found = JSON.stringify(this.#text[this.#at]);
      this.#refuse(`${found} is not expected`, this.#before + this.#at);
    }
  }

  #nextItem(inner: Container): void {
    inner.count += 1;
    this.path = inner.itemPath;
    this.#index = inner.count;
  }

  #begin(): void {
    this.#start = this.#at;
    this.#depth = 0;
    this.#inString = false;
    this.#colons = 0;
    this.#plain = true;
  }

  /** Goes on through the value that has begun; true at its end. */
  #scan(): boolean {
    const text = this.#text;
    const length = text.length;
    let at = this.#at;
    let depth = this.#depth;
    let whole = false;
    while (at < length) {
      if (this.#inString) {
        const end = text.indexOf('"', at);
        if (end < 0) {
          at = length;
          break;
        }
        at = end + 1;
        let slashes = end - 1;
        while (text.charCodeAt(slashes) === backslash) slashes -= 1;
        if ((end - slashes) % 2 === 0) continue;
        this.#inString = false;
        if (depth > 0) continue;
        whole = true;
        break;
      }
      const unit = text.charCodeAt(at);
      if (
        depth === 0 &&
        at > this.#start &&
        (unit <= 0x20 || unit === comma || unit === closeBrace || unit === closeBracket)
      ) {
        whole = true;
        break;
      }
      at += 1;
      if (unit === quote) this.#inString = true;
      else if (unit === colon) this.#colons += 1;
      else if (unit === openBrace || unit === openBracket) {
        depth += 1;
        if (depth > maxDepth) this.#fail(`it is nested deeper than ${String(maxDepth)} levels`);
      } else if (unit === closeBrace || unit === closeBracket) {
        depth -= 1;
        if (depth > 0) continue;
        whole = true;
        break;
      } else if (unit <= 0x39 && unit >= 0x30) this.#plain = false;
    }
    this.#at = at;
    this.#depth = depth;
    return whole;
  }

  /** Returns the value that was scanned, unless it is a key. */
  #finish(): void {
    if (this.#expected !== 'key' && this.#expected !== 'key-or-end') {
      this.#give(this);
      this.#start = -1;
      this.#valueEnded();
      return;
    }
    const inner = this.#containers.at(-1);
    const key = String(this.value());
    if (inner?.keys.has(key) === true) this.#fail(`the member ${JSON.stringify(key)} occurs twice`);
    if (inner?.keys.size === maxMembers) this.#fail(`it is one of more than ${String(maxMembers)} members`);
    inner?.keys.add(key);
    this.#start = -1;
    this.path = inner === undefined || inner.path === '' ? key : `${inner.path}.${key}`;
    this.#index = 0;
    this.#expected = 'colon';
  }

  get from(): number {
    return this.#before + this.#start;
  }

  get to(): number {
    return this.#before + this.#at;
  }

  /** The bytes between two places of the document, of which the first is not before the piece or the value that came last. */
  bytesAt(from: number, to: number): Buffer {
    return this.#bytes.subarray(from - this.#before, to - this.#before);
  }

  checkUtf8(): void {
    // To look at all of them at once is faster; they may begin or end within a character.
    this.#isUtf8 ??= isUtf8(this.#bytes);
    if (!this.#isUtf8 && !isUtf8(this.#bytes.subarray(this.#start, this.#at)))
      this.#fail('its bytes are not UTF-8');
  }

  /** By the fast parser where it cannot lose anything: no numbers, and as many members as colons. */
  value(): unknown {
    const text = this.#bytes.toString('utf8', this.#start, this.#at);
    // A replacement character may stand for invalid bytes or have been sent as such: this fails for the former.
    if (text.includes('\ufffd')) this.checkUtf8();
    if (this.#plain) {
      try {
        const value: unknown = JSON.parse(text);
        if (membersOf(value) === this.#colons) return value;
      } catch {
        // The strict reader says what is wrong, and where.
      }
    }
    try {
      return readJson(text, { code: this.#code, maxBytes: Infinity });
    } catch (cause) {
      if (!(cause instanceof ObkError)) throw cause;
      return this.#fail((cause.detail ?? cause.title).replace(/^The JSON cannot be read: |\.$/g, ''), cause);
    }
  }

  #valueEnded(): void {
    this.#expected = this.#containers.length === 0 ? 'nothing' : 'comma-or-end';
  }

  #fail(why: string, cause?: unknown): never {
    const name = this.path === '' ? 'a value' : this.path.replace('[]', ` entry ${String(this.#index)}`);
    return this.#refuse(`${name}: ${why}`, this.#before + this.#start, cause);
  }

  #refuse(why: string, at: number, cause?: unknown): never {
    const detail = `At byte ${String(at + 1)}: ${why}.`;
    throw new ObkError({ code: this.#code, title: 'The JSON cannot be read.', detail, cause });
  }
}

function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value as unknown[]) count += membersOf(item);
    return count;
  }
  for (const key in value) count += 1 + membersOf((value as Record<string, unknown>)[key]);
  return count;
}
