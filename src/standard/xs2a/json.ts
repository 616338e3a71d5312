/** A strict, lossless JSON reader: numbers keep their text; duplicate keys, deep nesting and countless values are refused. */
import { ObkError } from '../../base/errors.ts';
import { JsonNumber } from './json-value.ts';
import type { JsonObject, JsonValue } from './json-value.ts';

export { JsonNumber, isJsonObject, member, stringMember, toPlain, wholeNumber } from './json-value.ts';
export type { JsonObject, JsonValue } from './json-value.ts';
export { writeJson } from './json-write.ts';

/** The limits of the reader, and which error a fault is: a bank's answer (default) or a person's input. */
export interface ReadJsonOptions {
  readonly maxDepth?: number;
  readonly maxBytes?: number;
  readonly maxValues?: number;
  readonly code?: 'ANSWER_UNREADABLE' | 'INPUT_INVALID';
}

/** The default cap of a document held in memory: 10 MiB. */
const maxJsonBytes = 10 * 1024 * 1024;
/**
 * The default cap of values in a document held in memory, where each takes up to eighty times its bytes: some 40,000 accounts
 * with their balances. Lists of transactions, which may be longer, are read piece by piece.
 */
const maxJsonValues = 250_000;

/**
 * Reads one JSON document (RFC 8259) from UTF-8 bytes or a string; a leading byte order mark is dropped. Throws ObkError
 * (ANSWER_UNREADABLE or INPUT_INVALID) with the position for anything else, also for duplicate keys and more than `maxDepth`
 * (64) levels, `maxBytes` or `maxValues`; a value is anything with a place of its own, objects and arrays too.
 */
export function readJson(source: Uint8Array | string, options: ReadJsonOptions = {}): JsonValue {
  const code = options.code ?? 'ANSWER_UNREADABLE';
  const maxBytes = options.maxBytes ?? maxJsonBytes;
  if (source.length > maxBytes) fail(code, `it is longer than ${String(maxBytes)} bytes`);
  const limits = { maxDepth: options.maxDepth ?? 64, maxValues: options.maxValues ?? maxJsonValues };
  return new Reader(textOf(source, code), limits, code).document();
}

function textOf(source: Uint8Array | string, code: NonNullable<ReadJsonOptions['code']>): string {
  if (typeof source === 'string') return source.startsWith('\ufeff') ? source.slice(1) : source;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(source);
  } catch {
    return fail(code, 'it is not UTF-8');
  }
}

function fail(code: NonNullable<ReadJsonOptions['code']>, why: string): never {
  throw new ObkError({ code, title: 'The JSON cannot be read.', detail: `The JSON cannot be read: ${why}.` });
}

const quote = 0x22;
const backslash = 0x5c;
const numberPattern = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

interface Limits {
  readonly maxDepth: number;
  readonly maxValues: number;
}

class Reader {
  readonly #text: string;
  readonly #limits: Limits;
  readonly #code: NonNullable<ReadJsonOptions['code']>;
  #at = 0;
  #values = 0;

  constructor(text: string, limits: Limits, code: NonNullable<ReadJsonOptions['code']>) {
    this.#text = text;
    this.#limits = limits;
    this.#code = code;
  }

  document(): JsonValue {
    this.#blanks();
    const value = this.#value(0);
    this.#blanks();
    if (this.#at < this.#text.length) this.#unexpected();
    return value;
  }

  #value(depth: number): JsonValue {
    this.#values += 1;
    if (this.#values > this.#limits.maxValues)
      this.#refuse(`it holds more than ${String(this.#limits.maxValues)} values`, this.#at);
    switch (this.#text[this.#at]) {
      case '{':
        return this.#object(depth + 1);
      case '[':
        return this.#array(depth + 1);
      case '"':
        return this.#string();
      case 't':
        return this.#word('true', true);
      case 'f':
        return this.#word('false', false);
      case 'n':
        return this.#word('null', null);
      default:
        return this.#number();
    }
  }

  #object(depth: number): JsonObject {
    this.#enter(depth);
    const object = Object.create(null) as JsonObject;
    if (this.#taken('}')) return object;
    do {
      this.#blanks();
      if (this.#text[this.#at] !== '"') this.#unexpected();
      const start = this.#at;
      const key = this.#string();
      if (key in object) this.#refuse(`the member ${JSON.stringify(key)} occurs twice`, start);
      this.#blanks();
      this.#expect(':');
      this.#blanks();
      object[key] = this.#value(depth);
      this.#blanks();
    } while (this.#next(',', '}'));
    return object;
  }

  #array(depth: number): JsonValue[] {
    this.#enter(depth);
    const items: JsonValue[] = [];
    if (this.#taken(']')) return items;
    do {
      this.#blanks();
      items.push(this.#value(depth));
      this.#blanks();
    } while (this.#next(',', ']'));
    return items;
  }

  /** Steps over the opening bracket; the caller asks for an empty one next. */
  #enter(depth: number): void {
    if (depth > this.#limits.maxDepth)
      this.#refuse(`it is nested deeper than ${String(this.#limits.maxDepth)} levels`, this.#at);
    this.#at += 1;
    this.#blanks();
  }

  #string(): string {
    const text = this.#text;
    const start = this.#at;
    let escaped = false;
    let at = start + 1;
    for (; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      if (unit === quote) break;
      if (unit === backslash) {
        escaped = true;
        at += 1;
      } else if (unit < 0x20) {
        this.#refuse('a string holds a control character', at);
      }
    }
    if (at >= text.length) this.#refuse('it ends within a string', text.length);
    this.#at = at + 1;
    if (!escaped) return text.slice(start + 1, at);
    try {
      return JSON.parse(text.slice(start, at + 1)) as string;
    } catch {
      return this.#refuse('a string holds a wrong escape', start);
    }
  }

  #number(): JsonNumber {
    numberPattern.lastIndex = this.#at;
    const found = numberPattern.exec(this.#text)?.[0];
    if (found === undefined) return this.#unexpected();
    this.#at += found.length;
    return new JsonNumber(found);
  }

  #word<Value extends boolean | null>(word: string, value: Value): Value {
    if (!this.#text.startsWith(word, this.#at)) this.#unexpected();
    this.#at += word.length;
    return value;
  }

  #blanks(): void {
    for (; ; this.#at += 1) {
      const unit = this.#text.charCodeAt(this.#at);
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return;
    }
  }

  #taken(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #expect(character: string): void {
    if (!this.#taken(character)) this.#unexpected();
  }

  #next(more: string, end: string): boolean {
    if (this.#taken(more)) return true;
    this.#expect(end);
    return false;
  }

  #unexpected(): never {
    const found = this.#text[this.#at];
    return found === undefined
      ? this.#refuse('it ends too early', this.#at)
      : this.#refuse(`${JSON.stringify(found)} is not expected`, this.#at);
  }

  #refuse(why: string, at: number): never {
    const before = this.#text.slice(0, at);
    const line = before.split('\n').length;
    const column = at - before.lastIndexOf('\n');
    return fail(this.#code, `${why} (line ${String(line)}, column ${String(column)})`);
  }
}
