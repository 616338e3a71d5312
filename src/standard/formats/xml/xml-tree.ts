/** XML elements as their readers return them, and functions that find their parts. */

/** One element: local name, namespace, attributes by the name as written, and what is in it. */
export interface XmlElement {
  readonly name: string;
  readonly ns: string | undefined;
  /** Without the declarations of namespaces. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** The text between the tags as it is, blanks kept; empty where there are only children and blanks. */
  readonly text: string;
  /** Where its tag begins, from 1, columns in characters; the streaming reader alone knows it, mostly. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** Returns the first child of a local name, or undefined. */
export function childOf(element: XmlElement, name: string): XmlElement | undefined {
  return element.children.find((child) => child.name === name);
}

/** Returns all children of a local name, in their order. */
export function childrenOf(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children.filter((child) => child.name === name);
}

/** Returns the first element at a path of local names such as `Id/IBAN`, or undefined. */
export function elementAt(element: XmlElement, path: string): XmlElement | undefined {
  let found: XmlElement | undefined = element;
  for (const name of path.split('/')) {
    if (found === undefined) return undefined;
    found = childOf(found, name);
  }
  return found;
}

/** Returns the text of the first element at a path, or undefined where there is none. */
export function textAt(element: XmlElement, path: string): string | undefined {
  return elementAt(element, path)?.text;
}

/** The namespaces in force at an element, by prefix; the default one by the empty prefix. */
export type NamespaceScope = ReadonlyMap<string, string>;

/** The namespaces in force before any declaration (Namespaces in XML 1.0, section 3). */
export const outermostScope: NamespaceScope = new Map([
  ['', ''],
  ['xml', 'http://www.w3.org/XML/1998/namespace'],
]);

const noAttributes: ReadonlyMap<string, string> = new Map();

/** A tag with its names resolved: what an element takes over, and the scope for what is in it. */
export interface ResolvedTag {
  readonly name: string;
  readonly ns: string | undefined;
  readonly attributes: ReadonlyMap<string, string>;
  readonly scope: NamespaceScope;
}

/**
 * Resolves the names of a tag by the declarations in it and round it (Namespaces in XML 1.0). Returns a sentence instead
 * where a prefix is not declared or a name has two colons.
 */
export function resolveTag(
  written: string,
  pairs: readonly (readonly [string, string])[],
  outer: NamespaceScope,
): ResolvedTag | string {
  let scope = outer;
  let attributes = noAttributes;
  if (pairs.length > 0) {
    const declared: [string, string][] = [];
    const own = new Map<string, string>();
    for (const [name, value] of pairs) {
      if (name === 'xmlns' || name.startsWith('xmlns:')) declared.push([name.slice('xmlns:'.length), value]);
      else own.set(name, value);
    }
    if (declared.length > 0) scope = new Map([...outer, ...declared]);
    attributes = own;
    for (const name of own.keys()) {
      const wrong = wrongName(name, scope);
      if (wrong !== undefined) return wrong;
    }
  }
  const wrong = wrongName(written, scope);
  if (wrong !== undefined) return wrong;
  const colon = written.indexOf(':');
  const ns = scope.get(colon < 0 ? '' : written.slice(0, colon));
  return { name: written.slice(colon + 1), ns: ns === '' ? undefined : ns, attributes, scope };
}

function wrongName(name: string, scope: NamespaceScope): string | undefined {
  const colon = name.indexOf(':');
  if (colon < 0) return undefined;
  if (colon === 0 || colon === name.length - 1 || name.includes(':', colon + 1))
    return `${name} is not a name`;
  return scope.get(name.slice(0, colon)) ? undefined : `the prefix of ${name} is not declared`;
}
