import { defined } from '../../base/defined.ts';
import { nearest } from '../../base/nearest.ts';
import type { Schema } from '../../base/schema.ts';
import type { Fault, Node, PathPlace } from './document.ts';

/** What is wrong with a file, gathered while all of it is read. */
export class Report {
  readonly faults: Fault[] = [];

  add({ line, column, path }: PathPlace, why: string): void {
    this.faults.push({ line, column, path, why });
  }
}

/** The form of a value: how it is read from a file, and what an editor is told of it. */
export interface Shape<Value> {
  /** Reports what is wrong, and then returns undefined. */
  read(node: Node, report: Report): Value | undefined;
  schema: Schema;
}

/** The value that a shape reads. */
export type ValueOf<S> = S extends Shape<infer Value> ? Value : never;

const article = { text: 'one value', list: 'a list', map: 'a map of keys and values' } as const;

/** Reports a value of another kind than what is due; tells whether it was one. */
function isMistaken<Kind extends Node['kind']>(
  node: Node,
  wanted: Kind,
  report: Report,
): node is Exclude<Node, { kind: Kind }> {
  if (node.kind === wanted) return false;
  report.add(node, `it is ${article[node.kind]}, and ${article[wanted]} is due here`);
  return true;
}

/** The outcome of a check of a text: the value, or a clause that says what is wrong and what would be right. */
export type Judged<Value> = { ok: true; value: Value } | { ok: false; why: string };

/** A text that a check turns into a value. In an editor it may look like a number, since only there it has a type. */
export function checked<Value>(schema: Schema, check: (text: string) => Judged<Value>): Shape<Value> {
  return {
    schema: { type: ['string', 'number', 'boolean'], ...schema },
    read(node, report) {
      if (isMistaken(node, 'text', report)) return undefined;
      const judged = check(node.text);
      if (judged.ok) return judged.value;
      report.add(node, judged.why);
      return undefined;
    },
  };
}

/** One of some words. */
export function oneOf<const Words extends readonly string[]>(words: Words): Shape<Words[number]> {
  const shape = checked<Words[number]>({ enum: words }, (text) => {
    const value =
      words.find((word) => word === text) ??
      (isShort(words) ? words.find((word) => isSpelt(word, text)) : undefined);
    return value === undefined ? { ok: false, why: notOne(text, words) } : { ok: true, value };
  });
  // Words that look like a boolean are one for an editor.
  const plain = words.flatMap((word) => (word === 'true' || word === 'false' ? [word === 'true'] : []));
  return { ...shape, schema: { enum: [...words, ...plain] } };
}

/** Words such as EMBEDDED are known in whatever case; true and false are those of YAML, and codes of long lists are exact. */
const isSpelt = (word: string, text: string): boolean =>
  !/^(?:true|false)$/.test(word) && word.toLowerCase() === text.toLowerCase();

/** At most this many words are listed. */
const mostListed = 20;

const isShort = (words: readonly string[]): boolean => words.length <= mostListed;

/** Says that a text is none of some words, and which was probably meant. */
export function notOne(text: string, words: readonly string[]): string {
  if (words.includes('true') && /^(?:yes|no|on|off|y|n|0|1)$/i.test(text))
    return `${text} is a text here; write ${/^(?:yes|on|y|1)$/i.test(text) ? 'true' : 'false'}`;
  const meant = nearest(text, words);
  const all = !isShort(words) ? [...words.slice(0, mostListed), '...'] : words;
  const known = `must be one of: ${all.join(', ')}`;
  return meant.length > 0 ? `${known}; did you mean ${meant.join(' or ')}?` : known;
}

const truth = oneOf(['true', 'false']);

/** `true` or `false`. */
export const flag: Shape<boolean> = {
  schema: truth.schema,
  read(node, report) {
    const word = truth.read(node, report);
    return word === undefined ? undefined : word === 'true';
  },
};

/** A list of values of one shape; with `least` it may not be shorter. */
export function listOf<Value>(shape: Shape<Value>, least = 0): Shape<Value[]> {
  return {
    schema: { type: 'array', items: shape.schema, ...(least > 0 && { minItems: least }) },
    read(node, report) {
      if (isMistaken(node, 'list', report)) return undefined;
      if (node.items.length < least) report.add(node, 'the list is empty');
      // What is wrong is told of; the rest is looked at further.
      return node.items.flatMap((item) => shape.read(item, report) ?? []);
    },
  };
}

/** A list of values of one shape that is not empty, or one value alone. */
export function oneOrMore<Value>(shape: Shape<Value>): Shape<Value[]> {
  const list = listOf(shape, 1);
  return {
    schema: { anyOf: [list.schema, shape.schema] },
    read(node, report) {
      if (node.kind === 'list') return list.read(node, report);
      if (node.kind === 'map') report.add(node, 'it is a map, and one value or a list is due here');
      const value = node.kind === 'text' ? shape.read(node, report) : undefined;
      return value === undefined ? undefined : [value];
    },
  };
}

/** A map with keys of any name; each is read with the shape that its key has. */
export function anyKeys<Value>(
  keys: readonly string[],
  shapeOf: (key: string) => Shape<Value>,
): Shape<Record<string, Value>> {
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(keys.map((key) => [key, shapeOf(key).schema])),
      additionalProperties: false,
    },
    read(node, report) {
      if (isMistaken(node, 'map', report)) return undefined;
      const read: Record<string, Value> = {};
      for (const [name, { key, value }] of node.members) {
        if (!keys.includes(name)) report.add(key, unknownKey(name, keys));
        else {
          const one = shapeOf(name).read(value, report);
          if (one !== undefined) read[name] = one;
        }
      }
      return read;
    },
  };
}

function unknownKey(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  return meant.length > 0
    ? `there is no such key; did you mean ${meant.join(' or ')}?`
    : `there is no such key here; there are ${known.join(', ')}`;
}

/** One key of a map: its shape, one sentence, and whether it must be there, or else its value without it. */
export interface Member<Value, IsThere extends boolean = boolean> {
  shape: Shape<Value>;
  about: string;
  needed: boolean;
  otherwise?: Value;
  /** Exists in types only. */
  isThere?: IsThere;
}

/** A key that must be there. */
export const needed = <Value>(about: string, shape: Shape<Value>): Member<Value, true> => ({
  shape,
  about,
  needed: true,
});

/** A key that may be left out. */
export const may = <Value>(about: string, shape: Shape<Value>): Member<Value, false> => ({
  shape,
  about,
  needed: false,
});

/** A key that may be left out, and then has this value. */
export const usual = <Value>(about: string, shape: Shape<Value>, otherwise: Value): Member<Value, true> => ({
  shape,
  about,
  needed: false,
  otherwise,
});

type Members = Readonly<Record<string, Member<unknown>>>;

type Read<M extends Members> = {
  [Key in keyof M as M[Key] extends Member<unknown, true> ? Key : never]: ValueOf<M[Key]['shape']>;
} & {
  [Key in keyof M as M[Key] extends Member<unknown, true> ? never : Key]?: ValueOf<M[Key]['shape']>;
};

/** The values of a map, with the place of each for what is found wrong later. */
export type Mapped<M extends Members> = Read<M> & { where: Located };

/** Reports what is wrong with a key of the map at hand, or with another place. */
export type Wrong = (where: string | PathPlace, why: string) => void;

/** Where a map stands, and each of its keys. */
export interface Located extends PathPlace {
  /** The place of a key's value; that of the map where the key is not there. */
  of(key: string): PathPlace;
}

/** Reports what is wrong in a map that stands there. */
export const wrongIn =
  (report: Report, map: Located): Wrong =>
  (where, why) => {
    report.add(typeof where === 'string' ? map.of(where) : where, why);
  };

/**
 * A map with these keys and no others. `rule` looks at the whole once all keys are right; what is needed of it is returned
 * even where something else is wrong, so that the rest of the file can be looked at.
 */
export function mapOf<M extends Members>(
  members: M,
  about?: string,
  rule?: (value: Mapped<M>, wrong: Wrong) => void,
): Shape<Mapped<M>> {
  const names = Object.keys(members);
  return {
    schema: {
      type: 'object',
      ...defined({ description: about }),
      properties: Object.fromEntries(
        Object.entries(members).map(([name, { shape, about: sentence }]) => [
          name,
          { description: sentence, ...shape.schema },
        ]),
      ),
      ...(names.some((name) => members[name]?.needed === true) && {
        required: names.filter((name) => members[name]?.needed === true),
      }),
      additionalProperties: false,
    },
    read(node, report) {
      if (isMistaken(node, 'map', report)) return undefined;
      const before = report.faults.length;
      const read: Record<string, unknown> = {};
      for (const [name, { key, value }] of node.members) {
        const member = Object.hasOwn(members, name) ? members[name] : undefined;
        if (member === undefined) report.add(key, unknownKey(name, names));
        else read[name] = member.shape.read(value, report);
      }
      for (const name of names)
        if (members[name]?.needed === true && !node.members.has(name))
          report.add(node, `${name} is missing: ${members[name].about}`);
      for (const [name, { otherwise }] of Object.entries(members))
        if (otherwise !== undefined) read[name] ??= otherwise;
      const of = (key: string) => {
        const { line, column, path } = node.members.get(key)?.value ?? node;
        return { line, column, path };
      };
      const value = { ...read, where: { line: node.line, column: node.column, path: node.path, of } };
      const whole = value as unknown as Mapped<M>;
      if (report.faults.length === before) rule?.(whole, wrongIn(report, whole.where));
      const isThere = (name: string) => members[name]?.needed !== true || read[name] !== undefined;
      return names.every(isThere) ? whole : undefined;
    },
  };
}
