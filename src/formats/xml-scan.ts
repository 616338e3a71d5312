/** A fast reader of large XML messages that were decoded already; `walkXml` is the one that knows every place exactly. */
import type { FaultCode } from './text-source.ts';
import { decodeText } from './xml-entities.ts';
import { XmlFault } from './xml.ts';

/** An element of a message: its local name, what is in it, and its attributes as they are written. */
export interface XmlNode {
  readonly name: string;
  text: string;
  readonly children: XmlNode[];
  readonly attributes: string;
}

/** What the scanner meets: `open` tells whether an element is gone through (true) or given whole by `element`. */
export interface XmlReceiver {
  /** `namespace` is the one that the element itself declares for its name. */
  open(name: string, depth: number, namespace: string | undefined): boolean;
  element(node: XmlNode, depth: number): void;
  close(name: string, depth: number): void;
}

interface OpenTag {
  /** The name as written, which the end tag must repeat. */
  readonly written: string;
  /** Undefined where the element is gone through. */
  readonly node: XmlNode | undefined;
}

interface Tag {
  readonly name: string;
  readonly written: string;
  readonly attributes: string;
  readonly empty: boolean;
}

const maxDepth = 64;
const maxTag = 64 * 1024;
const maxText = 1024 * 1024;
const maxElement = 16 * 1024 * 1024;
const maxNodes = 500_000;
// What XML 1.0 allows nowhere (section 2.2).
// eslint-disable-next-line no-control-regex
const illegal = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;
const tagPattern =
  /^([\p{L}_][\p{L}\p{N}_.\-·]*(?::[\p{L}_][\p{L}\p{N}_.\-·]*)?)((?:\s+[^\s=<>"'/]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)$/u;
const attributePattern = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const noDoctype = 'it has a DOCTYPE or an ENTITY, which no message of a bank needs';

/** Gives the value of an attribute of a node by the name as written, decoded; undefined where it has none. */
export function attributeOf(node: XmlNode, name: string): string | undefined {
  for (const [, found, double, single] of node.attributes.matchAll(attributePattern)) {
    if (found === name) return double ?? single;
  }
  return undefined;
}

/**
 * Scans XML 1.0 text in pieces of any size. Throws XmlFault with the line for anything that is not well-formed, for a
 * DOCTYPE, unknown entities, more than 64 levels, a text of more than 1 MiB and an element of
 * more than 16 MiB or 500,000 others.
 */
export class XmlScanner {
  readonly #receiver: XmlReceiver;
  readonly #code: FaultCode;
  readonly #open: OpenTag[] = [];
  readonly #tags = new Map<string, Tag>();
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
    const inner = this.#open.at(-1);
    if (inner !== undefined) this.#fail(`it ends within the element ${inner.written}`);
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
    // A > may stand in a quoted value.
    while (end >= 0 && !isWholeTag(text, start, end)) {
      if (end - start > maxTag) this.#fail(`a tag is longer than ${String(maxTag)} characters`);
      end = text.indexOf('>', end + 1);
    }
    return end < 0 ? -1 : end + 1;
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
        this.#fail('the XML declaration does not stand at the beginning');
      }
      this.#count(start, end);
    } else this.#openTag(text.slice(start + 1, end - 1));
  }

  #openTag(inside: string): void {
    const tag = this.#tags.get(inside) ?? this.#readTag(inside);
    if (inside.includes('\n')) this.#countIn(inside);
    const depth = this.#open.length;
    if (depth === 0 && this.#rooted) this.#fail('it has more than one root element');
    if (depth >= maxDepth) this.#fail('it has too many levels');
    this.#rooted = true;
    const parent = this.#open.at(-1)?.node;
    const walked = depth === 0 || parent === undefined;
    const gone = walked && this.#receiver.open(tag.name, depth, namespaceOf(tag));
    const node = gone ? undefined : { name: tag.name, text: '', children: [], attributes: tag.attributes };
    if (node !== undefined) {
      parent?.children.push(node);
      this.#nodes += 1;
      if (this.#nodes > maxNodes) this.#fail(`one element has more than ${String(maxNodes)} others`);
    }
    this.#open.push({ written: tag.written, node });
    if (gone) this.#held = 0;
    if (tag.empty) this.#closeTag(tag.written);
  }

  #readTag(inside: string): Tag {
    const found = tagPattern.exec(inside);
    if (found === null) return this.#fail(`<${inside.slice(0, 60)}> is not a tag`);
    const [, written = '', attributes = '', empty] = found;
    const names = new Set<string>();
    for (const [, name = '', double, single] of attributes.matchAll(attributePattern)) {
      if (names.has(name)) this.#fail(`the attribute ${name} is there twice`);
      names.add(name);
      decodeText(double ?? single ?? '', (why) => this.#fail(why));
    }
    const name = written.slice(written.indexOf(':') + 1);
    const tag = { name, written, attributes, empty: empty === '/' };
    // A message has few different tags; one with values of its own in each would fill the memory.
    if (this.#tags.size < 1000 && inside.length < 100) this.#tags.set(inside, tag);
    return tag;
  }

  #closeTag(written: string): void {
    const last = this.#open.pop();
    if (last === undefined || (last.written !== written && last.written !== written.trimEnd())) {
      const wanted = last === undefined ? 'no element is open' : `${last.written} is open`;
      return this.#fail(`</${written.slice(0, 60)}> is not expected, ${wanted}`);
    }
    const depth = this.#open.length;
    if (last.node === undefined)
      this.#receiver.close(written.slice(written.indexOf(':') + 1).trimEnd(), depth);
    else {
      if (last.node.children.length > 0) last.node.text = '';
      if (this.#open.at(-1)?.node === undefined) this.#receiver.element(last.node, depth);
      else return;
    }
    this.#held = 0;
    this.#nodes = 0;
  }

  #content(text: string): void {
    if (text.includes(']]>')) this.#fail(']]> stands in a text');
    if (this.#open.length === 0 && text.trim() !== '') {
      if (this.#started || text.trim() !== '\ufeff') this.#fail('a text stands outside of the root element');
    }
    if (text.includes('&')) this.#addText(decodeText(text, (why) => this.#fail(why)));
    else this.#addText(text);
    if (text.includes('\n')) this.#countIn(text);
  }

  #addText(text: string): void {
    const node = this.#open.at(-1)?.node;
    if (node !== undefined) node.text += text;
  }

  #count(start: number, end: number): void {
    this.#countIn(this.#text.slice(start, end));
  }

  #countIn(text: string): void {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#line += 1;
  }

  #fail(why: string): never {
    throw new XmlFault(this.#code, why, { line: this.#line });
  }
}

/** Tells whether the `>` at `end` is outside of quotes. */
function isWholeTag(text: string, start: number, end: number): boolean {
  const tag = text.slice(start, end);
  if (!tag.includes('"') && !tag.includes("'")) return true;
  return /^[^"']*(?:"[^"]*"[^"']*|'[^']*'[^"']*)*$/.test(tag);
}

/** The namespace that a tag declares for itself. */
function namespaceOf({ written, attributes }: Tag): string | undefined {
  const prefix = written.includes(':') ? `xmlns:${written.slice(0, written.indexOf(':'))}` : 'xmlns';
  return attributes === ''
    ? undefined
    : attributeOf({ name: '', text: '', children: [], attributes }, prefix);
}
