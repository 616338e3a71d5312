import { nearest } from '../../base/nearest.ts';
import { error, isObject } from './finding.ts';
import type { SettingFinding } from './finding.ts';
import { checkNote, isNote, withoutNotes } from './notes.ts';
import type { GroupRow, MapRow, SettingRow, TextRow } from './row.ts';

/**
 * Returns the findings about the value of a setting; `at` is its dotted key, empty for a whole profile. Any object may hold
 * notes (`why`, `source`).
 */
export function check(row: SettingRow, value: unknown, at: string): readonly SettingFinding[] {
  const wrong = (why: string | undefined) =>
    why === undefined ? [] : [error(at, withGiven(row, value, why))];
  switch (row.kind) {
    case 'choice':
      return wrong(checkChoice(row.values, value));
    case 'yes-no':
      return wrong(typeof value === 'boolean' ? undefined : 'It must be true or false.');
    case 'number':
    case 'duration':
      return wrong(typeof value === 'number' && row.isRight(value) ? undefined : row.must);
    case 'list':
      if (!Array.isArray(value)) return wrong('It must be a list.');
      return value.flatMap((inner, index) => check(row.of, inner, `${at}[${String(index)}]`));
    case 'map':
      return checkMap(row, value, at);
    case 'group':
      return checkGroup(row, value, at);
    default:
      return wrong(checkText(row, value));
  }
}

/**
 * Returns the findings about the kind of a value alone, not its content; for a list, also about the kinds of its
 * entries.
 */
export function checkKind(row: SettingRow, value: unknown, at: string): readonly SettingFinding[] {
  switch (row.kind) {
    case 'map':
    case 'group':
      return isObject(value) ? [] : [error(at, 'It must be an object.')];
    case 'list':
      if (!Array.isArray(value)) return check(row, value, at);
      return value.flatMap((inner, index) => checkKind(row.of, inner, `${at}[${String(index)}]`));
    case 'number':
    case 'duration':
      return typeof value === 'number' ? [] : [error(at, row.must)];
    case 'yes-no':
      return check(row, value, at);
    default:
      return typeof value === 'string' ? [] : check(row, value, at);
  }
}

/**
 * The message with the value that it is about, cut. What stands in the place of a reference may be the secret itself, and an
 * address may hold one: neither is repeated.
 */
function withGiven(row: SettingRow, value: unknown, why: string): string {
  const shown = value === undefined ? 'nothing' : cut(JSON.stringify(value));
  const isSecret = row.kind === 'reference' || (row.kind === 'url' && /[@?]/.test(shown));
  return isSecret || why.includes(shown) ? why : `${why} Given: ${shown}.`;
}

const cut = (text: string): string => (text.length > 60 ? `${text.slice(0, 59)}…` : text);

function checkText({ wrong }: TextRow, value: unknown): string | undefined {
  return typeof value === 'string' ? wrong?.(value) : 'It must be text.';
}

function checkChoice(values: readonly string[], value: unknown): string | undefined {
  if (typeof value !== 'string') return `It must be text, one of: ${values.join(', ')}.`;
  return values.includes(value)
    ? undefined
    : `It must be one of: ${values.join(', ')}.${meant(value, values)}`;
}

const below = (at: string, name: string) => (at === '' ? name : `${at}.${name}`);

function checkMap(row: MapRow, value: unknown, at: string): readonly SettingFinding[] {
  if (!isObject(value)) return [error(at, withGiven(row, value, 'It must be an object.'))];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (isNote(row, name)) return checkNote(inner, below(at, name));
    const bad = row.name(name);
    return bad === undefined ? check(row.of, inner, below(at, name)) : [error(below(at, name), bad)];
  });
}

function checkGroup(row: GroupRow, value: unknown, at: string): readonly SettingFinding[] {
  if (!isObject(value)) return [error(at, withGiven(row, value, 'It must be an object.'))];
  const known = Object.keys(row.members);
  const found = Object.entries(value).flatMap(([name, inner]) => {
    const member = Object.hasOwn(row.members, name) ? row.members[name] : undefined;
    if (member !== undefined) return check(member, inner, below(at, name));
    if (isNote(row, name)) return checkNote(inner, below(at, name));
    const text =
      row.other?.(name) ?? `There is no such setting.${meant(name, known)} There are: ${known.join(', ')}.`;
    return [error(below(at, name), text)];
  });
  if (found.length > 0) return found;
  const missing = row.needs.filter((name) => value[name] === undefined);
  if (missing.length > 0) return [error(at, `It has no ${missing.join(', ')}.`)];
  return (row.whole?.(withoutNotes(row, value), at) ?? []).concat(row.together?.(value, at) ?? []);
}

function meant(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`;
}
