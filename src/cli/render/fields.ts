import { JsonNumber } from '../../standard/xs2a/json.ts';

type Tree = Map<string, Tree>;

/** The paths of `--fields a,b.c`. */
export function parseFields(text: string): readonly string[] {
  return text
    .split(',')
    .map((field) => field.trim())
    .filter((field) => field !== '');
}

/** Returns the chosen members of a document, or of each element of a list; missing ones are null. */
export function fieldPicker(fields: readonly string[]): (value: unknown) => unknown {
  const tree: Tree = new Map();
  for (const field of fields) {
    let at = tree;
    for (const name of field.split('.')) {
      const next = at.get(name) ?? new Map<string, Tree>();
      at.set(name, next);
      at = next;
    }
  }
  return (value) => pick(value, tree);
}

function pick(value: unknown, tree: Tree): unknown {
  if (tree.size === 0) return value ?? null;
  if (Array.isArray(value)) return value.map((item) => pick(item, tree));
  if (typeof value !== 'object' || value === null) return null;
  const own = value as Members;
  return Object.fromEntries(
    [...tree].map(([name, below]) => [name, pick(Object.hasOwn(own, name) ? own[name] : undefined, below)]),
  );
}

/** Returns the member of a document at a path, or null. */
export function memberReader(path: string): (value: unknown) => unknown {
  const names = path.split('.');
  return (value) => {
    let at = value;
    for (const name of names)
      at = typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? (at as Members)[name] : null;
    return at;
  };
}

type Members = Readonly<Record<string, unknown>>;

/** A document as `name, value` pairs: nested members by dotted names, list elements by their index. */
export function flatten(value: unknown, name = ''): [name: string, value: unknown][] {
  if (typeof value !== 'object' || value === null || value instanceof JsonNumber) return [[name, value]];
  return Object.entries(value).flatMap(([key, member]) =>
    flatten(member, name === '' ? key : `${name}.${key}`),
  );
}
