/** XML from outside, read without trusting it: small messages as a tree, large ones element by element. */
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { SaxesParser } from 'saxes';
import { textOf } from '../text/text-source.ts';
import type { ByteSource, FaultCode } from '../text/text-source.ts';
import { decodeText } from './xml-entities.ts';
import { XmlFault } from './xml-fault.ts';
import { outermostScope, resolveTag } from './xml-tree.ts';
import type { NamespaceScope, XmlElement } from './xml-tree.ts';

/** The limits of a reader, and which error a fault is: a bank's answer (default) or a person's input. */
export interface ReadXmlOptions {
  readonly code?: FaultCode;
  /** The limit of the whole document: 1 MiB for `readXml`, 2 GiB for `walkXml`. */
  readonly maxBytes?: number;
  /** Levels of elements; 64 by default. */
  readonly maxDepth?: number;
  /** The limit, in characters, of one element that `walkXml` returns whole; 1 MiB by default. */
  readonly maxElement?: number;
}

const mebibyte = 1024 * 1024;
const noDoctype = 'it has a DOCTYPE or an ENTITY, which no message of a bank needs';
// Characters that XML 1.0 forbids everywhere (section 2.2); lone surrogates cannot come out of UTF-8.
// eslint-disable-next-line no-control-regex
const illegal = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

/**
 * Reads a small XML document (XML 1.0), its bytes in UTF-8 or its text, as a tree. Throws XmlFault for anything malformed, for a DOCTYPE, for
 * entities beyond the five named and the numeric ones, and for more than `maxBytes` or `maxDepth`.
 */
export function readXml(source: Uint8Array | string, options: ReadXmlOptions = {}): XmlElement {
  const { code = 'ANSWER_UNREADABLE', maxBytes = mebibyte, maxDepth = 64 } = options;
  const fail = (why: string, place?: { line?: number; column?: number }): never => {
    throw new XmlFault(code, why, place);
  };
  if (source.length > maxBytes) fail(`it is longer than ${String(maxBytes)} bytes`);
  let text = '';
  try {
    text = typeof source === 'string' ? source : new TextDecoder('utf-8', { fatal: true }).decode(source);
  } catch {
    fail('it is not UTF-8');
  }
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) fail(noDoctype);
  if (illegal.test(text)) fail('it has a character that XML does not allow');
  if (typeof source !== 'string') checkDeclaration(/^<\?xml\s[^>]*/.exec(text)?.[0], fail);
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- its successor is one more package for the same code
  const verdict = XMLValidator.validate(text);
  if (verdict !== true) fail(firstLine(verdict.err.msg), { line: verdict.err.line, column: verdict.err.col });
  // The validator lets text and more roots pass after an empty root, and the parser drops them: in an element of ours
  // they are seen.
  const body = text.replace(/^<\?xml\s[^>]*>/, '');
  let nodes: readonly ParsedNode[] = [];
  try {
    [{ [wrapper]: nodes }] = parserOf(maxDepth).parse(`<${wrapper}>${body}</${wrapper}>`) as [Wrapped];
  } catch (cause) {
    fail(firstLine(cause instanceof Error ? cause.message : String(cause)));
  }
  const roots = nodes.filter((node) => textOfNode(node, fail)?.trim() !== '');
  const [root] = roots;
  if (roots.length !== 1 || root === undefined || textOfNode(root, fail) !== undefined) {
    return fail('it does not have exactly one root element');
  }
  return elementOf(root, outermostScope, maxDepth, fail);
}

type Fail = (why: string) => never;

function checkDeclaration(declaration: string | undefined, fail: Fail): void {
  const encoding = /\sencoding\s*=\s*["']([^"']*)/.exec(declaration ?? '')?.[1] ?? 'UTF-8';
  if (encoding.toUpperCase() !== 'UTF-8')
    fail(`its encoding is ${firstLine(encoding)}, and only UTF-8 is read`);
}

/** A node of fast-xml-parser in document order: a text, a CDATA section, or one tag with its children. */
type ParsedNode = Readonly<Record<string, unknown>>;
const wrapper = '_';
type Wrapped = Readonly<Record<typeof wrapper, readonly ParsedNode[]>>;
const textKey = '#text';
const cdataKey = '#cdata';
const attributesKey = ':@';
const attributePrefix = '@';

const parserOf = (maxDepth: number): XMLParser =>
  new XMLParser({
    preserveOrder: true,
    parseTagValue: false,
    parseAttributeValue: false,
    processEntities: false,
    trimValues: false,
    ignoreAttributes: false,
    ignoreDeclaration: true,
    ignorePiTags: true,
    attributeNamePrefix: attributePrefix,
    textNodeName: textKey,
    cdataPropName: cdataKey,
    // It counts open tags and no empty elements, so the depth is checked again below.
    maxNestedTags: maxDepth + 1,
    // The tree is ordered and has no names as keys of its own, so a tag may be called toString.
    onDangerousProperty: (name) => name,
  });

/** The decoded text of a text or CDATA node, undefined for a tag. */
function textOfNode(node: ParsedNode, fail: Fail): string | undefined {
  const text = node[textKey];
  if (typeof text === 'string') {
    if (text.includes(']]>')) fail(']]> stands in a text');
    return decodeText(text, fail);
  }
  const cdata = node[cdataKey] as readonly { readonly [textKey]?: string }[] | undefined;
  return cdata?.map((part) => part[textKey] ?? '').join('');
}

function elementOf(node: ParsedNode, outer: NamespaceScope, levels: number, fail: Fail): XmlElement {
  if (levels === 0) fail('it has too many levels');
  const written = Object.keys(node).find((key) => key !== attributesKey) ?? '';
  const pairs = Object.entries((node[attributesKey] ?? {}) as Record<string, string>).map(([name, value]) => {
    if (value.includes('<')) fail('an attribute has a <');
    return [name.slice(attributePrefix.length), decodeText(value.replace(/[\t\n]/g, ' '), fail)] as const;
  });
  const tag = resolveTag(written, pairs, outer);
  if (typeof tag === 'string') return fail(tag);
  const children: XmlElement[] = [];
  let text = '';
  for (const part of node[written] as readonly ParsedNode[]) {
    const own = textOfNode(part, fail);
    if (own === undefined) children.push(elementOf(part, tag.scope, levels - 1, fail));
    else text += own;
  }
  return { name: tag.name, ns: tag.ns, attributes: tag.attributes, children, text: ownText(text, children) };
}

function ownText(text: string, children: readonly XmlElement[]): string {
  return children.length > 0 && text.trim() === '' ? '' : text;
}

const firstLine = (text: string): string => (text.split('\n', 1)[0] ?? '').slice(0, 200);

/** The events of `walkXml`: a container that begins, one whole element in a container, or a container that ends. */
export type XmlEvent = { readonly kind: 'open' | 'element' | 'close'; readonly element: XmlElement };

/** An element whose end has not come; its children are made with the first of them, since most elements have none. */
interface OpenElement {
  readonly element: { -readonly [K in keyof XmlElement]: XmlElement[K] };
  children: XmlElement[] | undefined;
  readonly scope: NamespaceScope;
  readonly walked: boolean;
}
const noChildren: readonly XmlElement[] = [];

/** So much of a text beside the elements of a container is kept. */
const maxStray = 100;

/**
 * Walks through an XML document of any size in constant memory. The root, and every element in it whose local name is
 * in `containers` and whose parents are, is opened and closed; all else beneath them comes whole. Throws as `readXml`.
 */
export async function* walkXml(
  source: ByteSource,
  containers: ReadonlySet<string>,
  options: ReadXmlOptions = {},
): AsyncGenerator<XmlEvent> {
  const { code = 'ANSWER_UNREADABLE', maxDepth = 64, maxElement = mebibyte } = options;
  const parser = new SaxesParser({ forceXMLVersion: true, defaultXMLVersion: '1.0' });
  const fail = (why: string): never => {
    throw new XmlFault(code, why, { line: parser.line, column: parser.column + 1 });
  };
  let events: XmlEvent[] = [];
  const open: OpenElement[] = [];
  let line = 1;
  let column: number | undefined;
  let settled = 0;

  parser.on('error', (error) => fail(error.message.replace(/^[0-9]+:[0-9]+: /, '').replace(/\.$/, '')));
  parser.on('doctype', () => fail(noDoctype));
  parser.on('xmldecl', ({ encoding }) => {
    checkDeclaration(encoding === undefined ? undefined : ` encoding="${encoding}"`, fail);
  });
  parser.on('opentagstart', ({ name }) => {
    const begun = parser.column - name.length - 1;
    // A line end right after the name has been read already.
    line = begun >= 1 ? parser.line : parser.line - 1;
    column = begun >= 1 ? begun : undefined;
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length >= maxDepth) fail('it has too many levels');
    const parent = open.at(-1);
    const tag = resolveTag(name, Object.entries(attributes), parent?.scope ?? outermostScope);
    if (typeof tag === 'string') return fail(tag);
    const walked = parent === undefined || (parent.walked && containers.has(tag.name));
    const element = {
      name: tag.name,
      ns: tag.ns,
      attributes: tag.attributes,
      children: noChildren,
      text: '',
      line,
      column,
    };
    open.push({ element, children: undefined, scope: tag.scope, walked });
    if (walked) events.push({ kind: 'open', element });
  });
  const addText = (text: string): void => {
    const last = open.at(-1);
    if (last === undefined) return;
    if (!last.walked) last.element.text += text;
    // A container has blanks between its elements, of any length; what else stands there is kept as far as it is shown.
    else if (last.element.text.length < maxStray) last.element.text += text.trim().slice(0, maxStray);
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const ended = open.pop();
    const parent = open.at(-1);
    if (ended === undefined) return;
    const { element, walked, children } = ended;
    if (children !== undefined) {
      element.children = children;
      element.text = ownText(element.text, children);
    }
    if (walked) events.push({ kind: 'close', element });
    else if (parent?.walked === true) events.push({ kind: 'element', element });
    else if (parent !== undefined) (parent.children ??= []).push(element);
    if (walked || parent?.walked === true) settled = parser.position;
  });

  const settings = { code, maxBytes: options.maxBytes ?? 2 * 1024 * mebibyte, what: 'The XML' };
  for await (const text of textOf(source, settings)) {
    parser.write(text);
    if (parser.position - settled > maxElement)
      fail(`one element is longer than ${String(maxElement)} characters`);
    yield* events;
    events = [];
  }
  parser.close();
  yield* events;
}
