import { ObkError } from '../../base/errors.ts';
import type { ErrorParts } from '../../base/errors.ts';
import { nearest } from '../../base/nearest.ts';
import type { Template } from './journey.ts';
import { standsInstead } from './absent.ts';
import { textOf, valueAt } from './values.ts';

/** What `$name` stands for, by name. */
export type Scope = ReadonlyMap<string, unknown>;

const reference =
  /\$(?:\$|\{([A-Za-z_][\w-]*)((?:\.[^.[\]{}$]+|\[(?:[0-9]+|\*)\])*)\}|([A-Za-z_][\w-]*)((?:\.(?:[A-Za-z_][\w-]*|[0-9]+|\*)|\[(?:[0-9]+|\*)\])*))/g;

interface Reference {
  name: string;
  path: string;
}

/** Name and path of a match of `reference`, with braces or without; both are empty for `$$`. */
const partsOf = ([, braced, bracedPath, plain, plainPath]: readonly (string | undefined)[]): Reference => ({
  name: braced ?? plain ?? '',
  path: bracedPath ?? plainPath ?? '',
});

/** The names that a text refers to; `$$` is a dollar. */
export function namesIn(text: string): string[] {
  return [...text.matchAll(reference)].map(partsOf).flatMap(({ name }) => (name === '' ? [] : [name]));
}

/** The dollars of a text that begin no reference: `$` is written `$$`. */
export function strayDollar(text: string): boolean {
  return text.replace(reference, '').includes('$');
}

/** The text of a template. Throws INPUT_INVALID where nothing of that name or at that path is known. */
export function resolveText(template: Template, scope: Scope): string {
  return replaceNames(template, scope, (text) => text);
}

/** The same, with each value as `write` makes it fit what stands around it. */
export function replaceNames(template: Template, scope: Scope, write: (value: string) => string): string {
  return template.text.replace(reference, (...match: string[]) =>
    match[0] === '$$' ? '$' : write(textOf(known(template, scope, partsOf(match)))),
  );
}

/** The value that a template stands for: that of its one reference, of whatever type, or its text. */
export function resolveValue(template: Template, scope: Scope): unknown {
  const [only] = template.text.matchAll(reference);
  if (only?.[0] !== template.text || only[0] === '$$') return resolveText(template, scope);
  return known(template, scope, partsOf(only));
}

/** What `$name.path` stands for is not known. */
export class NothingKnown extends ObkError {
  /** The name of the reference, without its path. */
  readonly of: string;

  constructor(of: string, parts: Omit<ErrorParts, 'code'>) {
    super({ ...parts, code: 'INPUT_INVALID' });
    this.of = of;
  }
}

function known({ line, column }: Template, scope: Scope, { name, path }: Reference): unknown {
  const pointer = path.replace(/^\./, '');
  const whole = scope.get(name);
  const value = valueAt(whole, pointer);
  if (value !== undefined && value !== null && !isOfNone(whole, pointer, value)) return value;
  const place = `line ${String(line)}, column ${String(column)}`;
  throw new NothingKnown(name, {
    title: `Nothing is known of $${name}${path}.`,
    detail: scope.has(name)
      ? `${place}: ${absentIn(name, whole, pointer)}`
      : `${place}: there are ${[...scope.keys()].map((one) => `$${one}`).join(', ')}.`,
    hint: scope.has(name) ? [] : nearest(name, [...scope.keys()]).map((one) => `$${one}${path}`),
  });
}

/** That a saved value has nothing at a pointer, with what was probably meant. */
export function absentIn(name: string, whole: unknown, pointer: string): string {
  const has = `$${name} has no ${pointer}`;
  if (typeof whole !== 'object' || whole === null) return `${has}; it has no members.`;
  const instead = standsInstead(whole, pointer, (other) => `$${name}.${other}`);
  return instead === '' ? `${has}.` : `${has}; ${instead}${instead.endsWith('?') ? '' : '.'}`;
}

/** Whether a pointer leads through elements of a list of which none has anything there. */
function isOfNone(whole: unknown, pointer: string, value: unknown): boolean {
  if (!Array.isArray(value) || value.length > 0) return false;
  const [, list] = /^(.*?)\.?(?:\*|\[\*\])\./.exec(pointer) ?? [];
  const elements = list === undefined ? undefined : valueAt(whole, list);
  return Array.isArray(elements) && elements.length > 0;
}
