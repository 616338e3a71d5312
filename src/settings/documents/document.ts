import { Lexer, LineCounter, isAlias, isMap, isScalar, isSeq, parseDocument } from 'yaml';
import type { Node as YamlNode } from 'yaml';
import { ObkError } from '../../base/errors.ts';
import { readJson } from '../../standard/xs2a/json.ts';
import { tooDeepAt } from './depth.ts';

/** A place in a file, both numbers from 1. */
export interface Place {
  line: number;
  column: number;
}

/** A place with the path that leads to it, such as `people[0].otp`. */
export interface PathPlace extends Place {
  path: string;
}

/** One value of a file with its place; every scalar is a text as written. */
export type Node = PathPlace &
  (
    | { kind: 'text'; text: string }
    | { kind: 'list'; items: readonly Node[] }
    | { kind: 'map'; members: ReadonlyMap<string, { key: PathPlace; value: Node }> }
  );

/** One thing that is wrong with a file. */
export interface Fault extends PathPlace {
  why: string;
}

/** No file that a person writes is larger, and none repeats so much by aliases. */
const mostValues = 1_000_000;
const mostRepeated = 50_000;
const deepest = 64;

/**
 * Reads a file that is YAML 1.2 with the failsafe schema (every scalar is a text: `012345` stays what it is) or JSON, by its
 * name. `needs` is what it cannot do without. Returns the root, or what is wrong with the file.
 */
export function readDocument(
  text: string,
  name: string,
  needs: string,
): { root: Node } | { faults: Fault[] } {
  // YAML 1.2 (5.4) has a CR alone for the end of a line; its reader does not know that.
  const source = text.replace(/^\ufeff/, '').replace(/\r(?!\n)/g, '\n');
  const isJson = name.toLowerCase().endsWith('.json');
  const unread = isJson ? jsonFault(source) : undefined;
  if (unread !== undefined) return { faults: [unread] };
  const deep = isJson ? undefined : tooDeepAt(source, deepest, (text) => new Lexer().lex(text));
  if (deep !== undefined) {
    const why = `it holds more than ${String(deepest)} levels`;
    return { faults: [{ ...placeIn(source, deep), path: '', why }] };
  }
  // The reader of YAML takes them as they stand; that of JSON has refused them.
  const control = isJson ? -1 : source.search(controlCharacter);
  if (control >= 0)
    return { faults: [{ ...placeIn(source, control), path: '', why: whyNoControl(source, control) }] };
  const lines = new LineCounter();
  const document = parseDocument(source, {
    schema: 'failsafe',
    // Nor any value of another type by a tag of YAML 1.1, such as !!binary.
    resolveKnownTags: false,
    lineCounter: lines,
    prettyErrors: false,
    keepSourceTokens: false,
    // A key that is there twice is told of with its place below.
    uniqueKeys: false,
  });
  const wrong = [...document.errors, ...document.warnings];
  if (wrong.length > 0) {
    const faults = wrong.map(({ pos, code, message }) => ({
      ...placeOf(lines, pos[0]),
      path: '',
      why: whyNot(code, message, isListAfterName(source, pos[0])),
    }));
    const isSaid = ({ line, why }: Fault, at: number) =>
      faults.findIndex((one) => one.line === line && one.why === why) < at;
    return { faults: faults.filter((one, at) => !isSaid(one, at)) };
  }
  const reader = new Reader(lines, isJson);
  if (document.contents === null)
    return { faults: [{ line: 1, column: 1, path: '', why: `the file is empty; it needs ${needs}` }] };
  const root = reader.node(document.contents, '', 0);
  return reader.faults.length > 0 ? { faults: reader.faults } : { root };
}

/** What keeps a text from being JSON (RFC 8259); a YAML reader would take more than that. */
function jsonFault(text: string): Fault | undefined {
  try {
    readJson(text, { code: 'INPUT_INVALID', maxBytes: Infinity, maxValues: mostValues, maxDepth: deepest });
    return undefined;
  } catch (error) {
    if (!(error instanceof ObkError)) throw error;
    const why = (error.detail ?? error.title).replace(/^The JSON cannot be read: |\.$/g, '');
    const [, line = '1', column = '1'] = /line ([0-9]+), column ([0-9]+)/.exec(why) ?? [];
    return { line: Number(line), column: Number(column), path: '', why: `it is not JSON: ${why}` };
  }
}

/** `a[0]` in a map of braces, where [ begins a list: the reader stumbles over the bracket, and then over what follows. */
const isListAfterName = (source: string, at: number): boolean =>
  /\{[^{}\n]*[\w*]\[[^{}\n]*$/.test(source.slice(source.lastIndexOf('\n', at - 1) + 1, at + 1));

function whyNot(code: string, message: string, isBracketed: boolean): string {
  if (isBracketed) return 'a name with [ ] stands in quotes between braces, or is written with dots: a.0.b';
  if (code === 'MULTIPLE_DOCS') return 'a second document begins here; a file has one';
  if (code === 'BLOCK_AS_IMPLICIT_KEY')
    return 'a second key on the line: it goes on a line of its own, or both into { }';
  if (code === 'TAB_AS_INDENT') return 'tabs are not allowed as indentation; use blanks';
  if (/call stack/i.test(message)) return `it holds more than ${String(deepest)} levels`;
  const [line = ''] = message.split('\n');
  return line.charAt(0).toLowerCase() + line.slice(1);
}

/** The characters that YAML 1.2 does not have unescaped. */
// eslint-disable-next-line no-control-regex -- these are meant
const controlCharacter = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/;

function whyNoControl(source: string, at: number): string {
  const code = source.charCodeAt(at).toString(16).padStart(2, '0');
  return `a control character stands here, which YAML has in double quotes alone, as "\\x${code}"`;
}

function placeIn(source: string, at: number): Place {
  const before = source.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

function placeOf(lines: LineCounter, offset: number): Place {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
}

/** The value of a key without one, which stands where the key does. */
const emptyAt = ({ range }: { range?: readonly number[] | null }) => ({ value: '', range });

/** Takes the nodes of the YAML reader apart; an alias stands for a copy of what it names. */
class Reader {
  readonly faults: Fault[] = [];
  readonly #lines: LineCounter;
  readonly #isJson: boolean;
  /** What aliases stand for: an anchor comes before them. */
  readonly #anchors = new Map<string, YamlNode>();
  #values = 0;
  #repeated = 0;

  constructor(lines: LineCounter, isJson: boolean) {
    this.#lines = lines;
    this.#isJson = isJson;
  }

  node(found: unknown, path: string, depth: number, repeats = isAlias(found)): Node {
    const node = isAlias(found) ? this.#anchors.get(found.source) : (found as YamlNode | null);
    const anchor = isMap(node) || isSeq(node) || isScalar(node) ? node.anchor : undefined;
    if (node && anchor !== undefined) this.#anchors.set(anchor, node);
    const place = this.#place(found ?? node);
    if (isAlias(found) && node === undefined)
      this.faults.push({ ...place, path, why: `no anchor &${found.source} comes before this alias` });
    this.#values += 1;
    if (repeats) this.#repeated += 1;
    if (depth > deepest || this.#values > mostValues || this.#repeated > mostRepeated) {
      const why = depth > deepest ? `more than ${String(deepest)} levels` : 'too many values';
      if (this.faults.length === 0) this.faults.push({ ...place, path, why: `it holds ${why}` });
      return { ...place, path, kind: 'text', text: '' };
    }
    if (isMap(node)) {
      const members = new Map<string, { key: PathPlace; value: Node }>();
      for (const { key, value } of node.items) {
        const at = this.#place(key);
        if (!isScalar(key) || typeof key.value !== 'string') {
          this.faults.push({ ...at, path, why: 'a key is a text' });
          continue;
        }
        if (key.value === '<<' && (key as { type?: string }).type === 'PLAIN')
          this.faults.push({ ...at, path, why: 'a merge key (<<) is not read; write the members out' });
        const inside = path === '' ? key.value : `${path}.${key.value}`;
        if (members.has(key.value)) this.faults.push({ ...at, path: inside, why: 'it is there twice' });
        members.set(key.value, {
          key: { ...at, path: inside },
          value: this.node(value ?? emptyAt(key), inside, depth + 1, repeats || isAlias(value)),
        });
      }
      return { ...place, path, kind: 'map', members };
    }
    if (isSeq(node)) {
      const items = node.items.map((item, index) =>
        this.node(item, `${path}[${String(index)}]`, depth + 1, repeats || isAlias(item)),
      );
      return { ...place, path, kind: 'list', items };
    }
    const value = (node as { value?: unknown } | null | undefined)?.value;
    if (this.#isJson && value === 'null' && (node as { type?: string }).type === 'PLAIN')
      this.faults.push({ ...place, path, why: 'null is no value; leave the member out' });
    return { ...place, path, kind: 'text', text: typeof value === 'string' ? value : '' };
  }

  #place(node: unknown): Place {
    const range = (node as { range?: readonly number[] | null } | null)?.range;
    return placeOf(this.#lines, range?.[0] ?? 0);
  }
}
