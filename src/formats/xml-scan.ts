/** A fast reader of large XML messages that were decoded already; `walkXml` is the one that knows every place exactly. */
import type { FaultCode } from './text-source.ts';
import { decodeText } from './xml-entities.ts';
import { XmlFault } from './xml-fault.ts';

/** An element of a message: its local name, what is in it, and its attributes by their names as written. */
export interface XmlNode {
  readonly name: string;
  text: string;
  children: readonly XmlNode[];
  readonly attributes: ReadonlyMap<string, string>;
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
  /** Line ends within it. */
  readonly lines: number;
}

/** The children of an element that has none, shared by all of them; never added to. */
const noChildren: readonly XmlNode[] = [];

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
  /** The names of the open elements as written; the end tags must repeat them. */
  readonly #written: string[] = [];
  /** The node of each open element; undefined if its children are passed on one by one. */
  readonly #open: (XmlNode | undefined)[] = [];
  readonly #tags = new Map<string, Tag>();
  /** The tag whose end was found last, where it is one of them. */
  #tag: Tag | undefined;
  #text = '';
  #at = 0;
  #line = 1;
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
    this.#text = this.#text.slice(this.#at) + piece;
    this.#at = 0;
    this.#held += piece.length;
    for (;;) {
      const start = this.#text.indexOf('<', this.#at);
      if (start < 0) break;
      const end = this.#markupEnd(start);
      if (end < 0) break;
      if (start > this.#at) this.#content(this.#text.slice(this.#at, start));
      this.#markup(start, end);
      this.#at = end;
      this.#started = true;
    }
    if (this.#text.length - this.#at > maxText)
      this.#fail(`a text or a tag is longer than ${String(maxText)} characters`);
    if (this.#held > maxElement) this.#fail(`one element is longer than ${String(maxElement)} characters`);
  }

  end(): void {
    const rest = this.#text.slice(this.#at);
    if (rest.includes('<')) this.#fail('it ends within a tag');
    if (rest !== '') this.#content(rest);
    const inner = this.#written.at(-1);
    if (inner !== undefined) this.#fail(`it ends within the element ${inner}`);
    if (!this.#rooted) this.#fail('it has no element');
  }

  /** Where the markup at `start` ends; -1 where that is not there yet. */
  #markupEnd(start: number): number {
    const text = this.#text;
    const kind = text.charCodeAt(start + 1);
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
    // A > may stand in a quoted value, but not in an end tag.
    while (end >= 0 && kind !== 0x2f && !this.#isWholeTag(text.slice(start + 1, end))) {
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
    if (kind === 0x2f) this.#closeTag(text.slice(start + 2, end - 1));
    else if (kind === 0x21) {
      if (text.startsWith('<![', start)) this.#addText(text.slice(start + 9, end - 3));
      else if (text.slice(start + 4, end - 3).includes('--')) this.#fail('a comment has --');
      this.#count(start, end);
    } else if (kind === 0x3f) {
      if (/^<\?xml\s/i.test(text.slice(start, start + 6)) && (this.#started || start > this.#at)) {
        this.#fail('the XML declaration is not at the beginning');
      }
      this.#count(start, end);
    } else this.#openTag(this.#tag ?? this.#readTag(text.slice(start + 1, end - 1)));
  }

  #openTag(tag: Tag): void {
    this.#line += tag.lines;
    const depth = this.#open.length;
    if (depth === 0 && this.#rooted) this.#fail('it has more than one root element');
    if (depth >= maxDepth) this.#fail('it has too many levels');
    this.#rooted = true;
    const parent = this.#open[depth - 1];
    const gone = parent === undefined && this.#receiver.open(tag.name, depth, namespaceOf(tag));
    const { name, attributes } = tag;
    const node: XmlNode | undefined = gone ? undefined : { name, text: '', children: noChildren, attributes };
    if (node !== undefined) {
      if (parent?.children === noChildren) parent.children = [node];
      else (parent?.children as XmlNode[] | undefined)?.push(node);
      this.#nodes += 1;
      if (this.#nodes > maxNodes) this.#fail(`one element has more than ${String(maxNodes)} others`);
    }
    this.#written.push(tag.written);
    this.#open.push(node);
    if (gone) this.#held = 0;
    if (tag.empty) this.#closeTag(tag.written);
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
    const name = written.slice(written.indexOf(':') + 1);
    const tag = { name, written, attributes, empty: empty === '/', lines: linesIn(inside) };
    // A message has few different tags; one with values of its own in each would fill the memory.
    if (this.#tags.size < 1000 && inside.length < 100) this.#tags.set(inside, tag);
    return tag;
  }

  #closeTag(written: string): void {
    const opened = this.#written.pop();
    if (opened === undefined || (opened !== written && opened !== written.trimEnd())) {
      const wanted = opened === undefined ? 'no element is open' : `${opened} is open`;
      return this.#fail(`</${written.slice(0, 60)}> is not expected, ${wanted}`);
    }
    const node = this.#open.pop();
    const depth = this.#open.length;
    if (node === undefined) this.#receiver.close(opened.slice(opened.indexOf(':') + 1), depth);
    else {
      if (node.children !== noChildren) node.text = '';
      if (this.#open[depth - 1] === undefined) this.#receiver.element(node, depth);
      else return;
    }
    this.#held = 0;
    this.#nodes = 0;
  }

  #content(text: string): void {
    if (text.includes(']]>')) this.#fail(']]> stands in a text');
    if (this.#open.length === 0 && text.trim() !== '') {
      if (this.#started || text.trim() !== '\ufeff') this.#fail('there is text outside the root element');
    }
    if (text.includes('&')) this.#addText(decodeText(text, (why) => this.#fail(why)));
    else this.#addText(text);
    this.#line += linesIn(text);
  }

  #addText(text: string): void {
    const node = this.#open.at(-1);
    if (node !== undefined) node.text += text;
  }

  #count(start: number, end: number): void {
    this.#line += linesIn(this.#text.slice(start, end));
  }

  #fail(why: string): never {
    throw new XmlFault(this.#code, why, { line: this.#line });
  }
}

function linesIn(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

/** The namespace that a tag declares for itself. */
function namespaceOf({ written, attributes }: Tag): string | undefined {
  return attributes.get(written.includes(':') ? `xmlns:${written.slice(0, written.indexOf(':'))}` : 'xmlns');
}
