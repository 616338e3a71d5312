/** A fast reader of large XML messages that were decoded already; `walkXml` is the one that knows every place exactly. */
import type { FaultCode } from '../text/text-source.ts';
import { decodeText } from './xml-entities.ts';
import { TagRuns } from './tag-runs.ts';
import type { TagRun } from './tag-runs.ts';
import { XmlFault } from './xml-fault.ts';

/**
 * An element of a message: its local name, its text, its attributes by their names as written, and the elements in it, of
 * which each leads to the next one: a list of each would double the cost of small elements.
 */
export interface XmlNode {
  readonly name: string;
  text: string;
  readonly attributes: ReadonlyMap<string, string>;
  first: XmlNode | undefined;
  next: XmlNode | undefined;
}

/**
 * The receiver of the parts: if `open` returns true the element's children come one by one, else `element` gets it
 * whole.
 */
export interface XmlReceiver {
  /** `namespace` is the one that the element itself declares for its name. */
  open(name: string, depth: number, namespace: string | undefined): boolean;
  element(node: XmlNode, depth: number): void;
  close(name: string, depth: number): void;
}

interface Tag {
  readonly name: string;
  readonly written: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly empty: boolean;
}

const maxDepth = 64;
const maxTag = 64 * 1024;
const maxText = 1024 * 1024;
const maxElement = 16 * 1024 * 1024;
const maxNodes = 500_000;
// Characters that XML 1.0 forbids everywhere (section 2.2).
// eslint-disable-next-line no-control-regex
const illegal = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;
const tagPattern =
  /^([\p{L}_][\p{L}\p{N}_.\-·]*(?::[\p{L}_][\p{L}\p{N}_.\-·]*)?)((?:\s+[^\s=<>"'/]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)$/u;
const attributePattern = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const noDoctype = 'it has a DOCTYPE or an ENTITY, which no message of a bank needs';

/**
 * Scans XML 1.0 text in pieces of any size. Throws XmlFault with the line for anything that is not well-formed, for a
 * DOCTYPE, unknown entities, more than 64 levels, a text of more than 1 MiB and an element of
 * more than 16 MiB or 500,000 others.
 */
export class XmlScanner {
  readonly #receiver: XmlReceiver;
  readonly #code: FaultCode;
  /** The tags of the open elements; the end tags must repeat their names. */
  readonly #opened: Tag[] = [];
  /** The node of each open element; undefined if its children are passed on one by one. */
  readonly #open: (XmlNode | undefined)[] = [];
  /** The last child of each open element so far. */
  readonly #last: (XmlNode | undefined)[] = [];
  readonly #tags = new Map<string, Tag>();
  /** The tag whose end was found last, where it is one of them. */
  #tag: Tag | undefined;
  readonly #runs = new TagRuns<Tag>();
  /** Whether the last tag began an element, which nothing is in yet. */
  #isFresh = false;
  #text = '';
  #at = 0;
  /** Line ends in the text before `#text`. */
  #lines = 0;
  /** Whether the text has what is rarely there. */
  #hasEnd = false;
  /** Characters since something was given last. */
  #held = 0;
  #nodes = 0;
  #rooted = false;
  #started = false;

  constructor(receiver: XmlReceiver, code: FaultCode) {
    this.#receiver = receiver;
    this.#code = code;
  }

  write(piece: string): void {
    if (illegal.test(piece)) this.#fail('it has a character that XML does not allow');
    this.#lines += linesIn(this.#text, 0, this.#at);
    this.#text = this.#text.slice(this.#at) + piece;
    this.#at = 0;
    this.#held += piece.length;
    this.#hasEnd = this.#text.includes(']]>');
    while (this.#step());
    this.#runs.cut();
    if (this.#text.length - this.#at > maxText)
      this.#fail(`a text or a tag is longer than ${String(maxText)} characters`);
    if (this.#held > maxElement) this.#fail(`one element is longer than ${String(maxElement)} characters`);
  }

  end(): void {
    const rest = this.#text.slice(this.#at);
    if (rest.includes('<')) this.#fail('it ends within a tag');
    if (rest !== '') this.#content(this.#at, this.#text.length);
    const inner = this.#opened.at(-1);
    if (inner !== undefined) this.#fail(`it ends within the element ${inner.written}`);
    if (!this.#rooted) this.#fail('it has no element');
  }

  /** Takes the next markup, or all of it until the next text, with the text before it; false where the piece ends before. */
  #step(): boolean {
    const text = this.#text;
    const start = text.indexOf('<', this.#at);
    if (start < 0) return false;
    const hasText = start > this.#at && !this.#isLayout(start);
    if (hasText) this.#runs.end(text, this.#at);
    const run = this.#runs.at(text, start);
    const end = run === undefined ? this.#markupEnd(start) : start + run.written.length;
    if (end < 0) return false;
    if (hasText) this.#content(this.#at, start);
    if (run === undefined) this.#markup(start, end);
    else this.#follow(run, start);
    this.#at = end;
    this.#started = true;
    return true;
  }

  /** Whether a tag is at `start` and only blanks before it, which are not all that an element has. */
  #isLayout(start: number): boolean {
    const text = this.#text;
    if (text.charCodeAt(this.#at) > 0x20) return false;
    const kind = text.charCodeAt(start + 1);
    if (kind === 0x21 || kind === 0x3f || (kind === 0x2f && this.#isFresh)) return false;
    return text.slice(this.#at, start).trim() === '';
  }

  /** Takes the tags of a run that was read before: they stand as they did, but their elements may be others. */
  #follow({ steps }: TagRun<Tag>, start: number): void {
    for (let each = 0; each < steps.length; each += 1) {
      const step = steps[each];
      if (step === undefined) break;
      const { tag, ends, at } = step;
      this.#at = start + at;
      if (!ends) this.#openTag(tag);
      else if (this.#opened[this.#opened.length - 1]?.written === tag.written) this.#close(tag);
      else this.#closeTag(this.#at + 2, this.#text.indexOf('>', this.#at));
    }
  }

  /** Where the markup at `start` ends; -1 where that is not there yet. */
  #markupEnd(start: number): number {
    const text = this.#text;
    const kind = text.charCodeAt(start + 1);
    if (kind === 0x2f) {
      const end = text.indexOf('>', start);
      return end < 0 ? -1 : end + 1;
    }
    if (kind === 0x21) {
      // <! waits until it is known what it is.
      if (text.length < start + 9 && !text.startsWith('<!--', start)) return -1;
      const close = text.startsWith('<!--', start)
        ? '-->'
        : text.startsWith('<![CDATA[', start)
          ? ']]>'
          : undefined;
      if (close === undefined) return this.#fail(noDoctype);
      const end = text.indexOf(close, start + (close === '-->' ? 4 : 9));
      return end < 0 ? -1 : end + 3;
    }
    if (kind === 0x3f) {
      const end = text.indexOf('?>', start + 2);
      return end < 0 ? -1 : end + 2;
    }
    let end = text.indexOf('>', start);
    // A > may stand in a quoted value.
    while (end >= 0 && !this.#isWholeTag(text.slice(start + 1, end))) {
      if (end - start > maxTag) this.#fail(`a tag is longer than ${String(maxTag)} characters`);
      end = text.indexOf('>', end + 1);
    }
    return end < 0 ? -1 : end + 1;
  }

  /** Returns true if the text between `<` and a `>` leaves no quote open, so that the tag ends there. */
  #isWholeTag(inside: string): boolean {
    this.#tag = this.#tags.get(inside);
    if (this.#tag !== undefined || (!inside.includes('"') && !inside.includes("'"))) return true;
    return /^[^"']*(?:"[^"]*"[^"']*|'[^']*'[^"']*)*$/.test(inside);
  }

  #markup(start: number, end: number): void {
    const text = this.#text;
    const kind = text.charCodeAt(start + 1);
    if (kind === 0x2f) {
      this.#runs.add(this.#closeTag(start + 2, end - 1), true, start);
      return;
    }
    if (kind !== 0x21 && kind !== 0x3f) {
      const tag = this.#tag ?? this.#readTag(text.slice(start + 1, end - 1));
      this.#openTag(tag);
      this.#runs.add(tag, false, start);
      return;
    }
    this.#runs.end(text, this.#at);
    if (kind === 0x21) {
      if (text.startsWith('<![', start)) this.#addText(text.slice(start + 9, end - 3));
      else if (text.slice(start + 4, end - 3).includes('--')) this.#fail('a comment has --');
    } else {
      if (/^<\?xml\s/i.test(text.slice(start, start + 6)) && (this.#started || start > this.#at)) {
        this.#fail('the XML declaration is not at the beginning');
      }
    }
  }

  #openTag(tag: Tag): void {
    const depth = this.#open.length;
    if (depth === 0 && this.#rooted) this.#fail('it has more than one root element');
    if (depth >= maxDepth) this.#fail('it has too many levels');
    this.#rooted = true;
    this.#isFresh = true;
    const parent = this.#open[depth - 1];
    const gone = parent === undefined && this.#receiver.open(tag.name, depth, namespaceOf(tag));
    if (gone) {
      this.#open.push(undefined);
      this.#held = 0;
    } else this.#open.push(this.#nodeOf(tag, parent, depth));
    this.#opened.push(tag);
    this.#last.push(undefined);
    if (tag.empty) this.#close(tag);
  }

  #nodeOf({ name, attributes }: Tag, parent: XmlNode | undefined, depth: number): XmlNode {
    const node: XmlNode = { name, text: '', attributes, first: undefined, next: undefined };
    const before = this.#last[depth - 1];
    if (before !== undefined) before.next = node;
    else if (parent !== undefined) parent.first = node;
    if (parent !== undefined) this.#last[depth - 1] = node;
    this.#nodes += 1;
    if (this.#nodes > maxNodes) this.#fail(`one element has more than ${String(maxNodes)} others`);
    return node;
  }

  #readTag(inside: string): Tag {
    const found = tagPattern.exec(inside);
    if (found === null) return this.#fail(`<${inside.slice(0, 60)}> is not a tag`);
    const [, written = '', pairs = '', empty] = found;
    const attributes = new Map<string, string>();
    for (const [, name = '', double, single] of pairs.matchAll(attributePattern)) {
      if (attributes.has(name)) this.#fail(`the attribute ${name} occurs twice`);
      const value = decodeText(double ?? single ?? '', (why) => this.#fail(why));
      attributes.set(name, value);
    }
    const name = asKey(written.slice(written.indexOf(':') + 1));
    const tag: Tag = { name, written: asKey(written), attributes, empty: empty === '/' };
    // A message has few different tags; one with values of its own in each would fill the memory.
    if (this.#tags.size < 1000 && inside.length < 100) this.#tags.set(inside, tag);
    return tag;
  }

  /** Takes the end tag between `start` and `end`, and returns the tag that began its element. */
  #closeTag(start: number, end: number): Tag {
    const tag = this.#opened.at(-1);
    const text = this.#text;
    const same = tag !== undefined && text.startsWith(tag.written, start);
    const length = tag?.written.length ?? 0;
    if (
      tag === undefined ||
      !same ||
      (start + length !== end && text.slice(start + length, end).trim() !== '')
    ) {
      const wanted = tag === undefined ? 'no element is open' : `${tag.written} is open`;
      return this.#fail(`</${text.slice(start, Math.min(end, start + 60))}> is not expected, ${wanted}`);
    }
    this.#close(tag);
    return tag;
  }

  #close(tag: Tag): void {
    this.#opened.pop();
    this.#last.pop();
    this.#isFresh = false;
    const node = this.#open.pop();
    const depth = this.#open.length;
    if (node === undefined) this.#receiver.close(tag.name, depth);
    else {
      if (node.first !== undefined) node.text = '';
      if (this.#open[depth - 1] !== undefined) return;
      this.#receiver.element(node, depth);
    }
    this.#held = 0;
    this.#nodes = 0;
  }

  #content(start: number, end: number): void {
    const text = this.#text.slice(start, end);
    if (this.#hasEnd && text.includes(']]>')) this.#fail(']]> stands in a text');
    if (this.#open.length === 0 && text.trim() !== '') {
      if (this.#started || text.trim() !== '\ufeff') this.#fail('there is text outside the root element');
    }
    if (text.includes('&')) this.#addText(decodeText(text, (why) => this.#fail(why)));
    else this.#addText(text);
  }

  #addText(text: string): void {
    const node = this.#open.at(-1);
    if (node !== undefined) node.text += text;
  }

  #fail(why: string): never {
    throw new XmlFault(this.#code, why, { line: 1 + this.#lines + linesIn(this.#text, 0, this.#at) });
  }
}

/** Returns a name as V8 keeps the names of members, each once: so two of them are compared without reading them. */
function asKey(name: string): string {
  const [key = name] = Object.keys({ [name]: true });
  return key;
}

function linesIn(text: string, from: number, end: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

/** The namespace that a tag declares for itself. */
function namespaceOf({ written, attributes }: Tag): string | undefined {
  return attributes.get(written.includes(':') ? `xmlns:${written.slice(0, written.indexOf(':'))}` : 'xmlns');
}
