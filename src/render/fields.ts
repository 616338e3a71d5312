import { JsonNumber } from '../xs2a/json.ts';

type Tree = Map<string, Tree>;

/** The paths of `--fields a,b.c`, as a tree of names. */
export function parseFields(text: string): readonly string[] {
  return text
    .split(',')
    .map((field) => field.trim())
    .filter((field) => field !== '');
}

/** The chosen members of a document, or of each element of a list; what is not there is null. */
export function pickFields(value: unknown, fields: readonly string[]): unknown {
  const tree: Tree = new Map();
  for (const field of fields) {
    let at = tree;
    for (const name of field.split('.')) {
      const next = at.get(name) ?? new Map<string, Tree>();
      at.set(name, next);
      at = next;
    }
  }
  return pick(value, tree);
}

function pick(value: unknown, tree: Tree): unknown {
  if (tree.size === 0) return value ?? null;
  if (Array.isArray(value)) return value.map((item) => pick(item, tree));
  if (typeof value !== 'object' || value === null) return null;
  const own = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    [...tree].map(([name, below]) => [name, pick(Object.hasOwn(own, name) ? own[name] : undefined, below)]),
  );
}

/** The member at one path, or null. */
export function memberAt(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (at, name) =>
        typeof at === 'object' && at !== null && Object.hasOwn(at, name)
          ? (at as Readonly<Record<string, unknown>>)[name]
          : null,
      value,
    );
}

/** A document as `name, value` pairs: nested members by dotted names, list elements by their index. */
export function flatten(value: unknown, name = ''): [name: string, value: unknown][] {
  if (typeof value !== 'object' || value === null || value instanceof JsonNumber) return [[name, value]];
  return Object.entries(value).flatMap(([key, member]) =>
    flatten(member, name === '' ? key : `${name}.${key}`),
  );
}
