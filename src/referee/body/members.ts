/** How bodies in JSON are described and judged: a member, its need, and the check of its value. */
import { nearest } from '../../base/nearest.ts';
import { JsonNumber, isJsonObject } from '../../standard/xs2a/json-value.ts';
import type { JsonObject, JsonValue } from '../../standard/xs2a/json-value.ts';
import type { Checked } from '../../standard/xs2a/ip-address.ts';
import type { RefereeFinding, Findings, Otherwise } from '../finding.ts';
import type { RuleId } from '../rules.ts';

/** Judges a value at a JSON pointer. */
export type Check = (value: JsonValue, at: string, found: Findings) => void;

/** A member of an object. */
export interface Member {
  readonly check: Check;
  readonly need: 'm' | 'o';
  /** The framework in words, where this one does not have the member yet. */
  readonly later?: true;
}

/** The members of an object by name. */
export type Shape = Readonly<Record<string, Member>>;

export const must = (check: Check): Member => ({ check, need: 'm' });
export const may = (check: Check): Member => ({ check, need: 'o' });
export const later = (check: Check): Member => ({ check, need: 'o', later: true });

/** The pointer of a member (RFC 6901). */
export const below = (at: string, name: string | number): string =>
  `${at}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** The place of a pointer as people and tppMessages write it: `payments[0].creditorAccount.iban`. */
export const pathOf = (pointer: string): string =>
  pointer
    .slice(1)
    .split('/')
    .map((part) => (/^[0-9]+$/.test(part) ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');

/** Tells a finding of the body. */
export function tell(found: Findings, rule: RuleId, at: string, what: string, otherwise?: Otherwise): void {
  found.add(rule, 'body', at, what, otherwise);
}

const typeOf = (value: JsonValue): string =>
  value === null
    ? 'null'
    : value instanceof JsonNumber
      ? 'a number'
      : Array.isArray(value)
        ? 'a list'
        : typeof value === 'string'
          ? 'a text'
          : typeof value === 'boolean'
            ? `a boolean`
            : 'an object';

const nameOf = (at: string): string => (at === '' ? 'The body' : at.slice(1));

/**
 * The text of a finding with another name for its place, such as `payments[0].creditorName is missing.` or
 * `creditorAgent: it is not a BIC of 8 or 11 characters.`; a sentence that does not begin with the place stays as it is.
 */
export function toldOf({ pointer, what }: Pick<RefereeFinding, 'pointer' | 'what'>, name: string): string {
  const usual = nameOf(pointer);
  const why = / is not right: (.*)/s.exec(what)?.[1];
  if (why !== undefined) return `${name}: ${why}`;
  return what.startsWith(`${usual} `) ? name + what.slice(usual.length) : what;
}

/** Says that a value has another type than it must. */
export function wrongType(found: Findings, at: string, value: JsonValue, wanted: string): void {
  tell(found, 'body-type', at, `${nameOf(at)} is ${typeOf(value)}, and must be ${wanted}.`);
}

/** An object with these members; `also` looks at them together. */
export function object(
  shape: Shape,
  also?: (fields: JsonObject, at: string, found: Findings) => void,
): Check {
  return (value, at, found) => {
    if (!isJsonObject(value)) {
      wrongType(found, at, value, 'an object');
      return;
    }
    judgeMembers(value, shape, at, found);
    also?.(value, at, found);
  };
}

function judgeMembers(fields: JsonObject, shape: Shape, at: string, found: Findings): void {
  for (const [name, { need }] of Object.entries(shape))
    if (need === 'm' && fields[name] === undefined)
      tell(found, 'body-member-missing', below(at, name), `${nameOf(below(at, name))} is missing.`);
  for (const [name, value] of Object.entries(fields)) {
    const known = Object.hasOwn(shape, name) ? shape[name] : undefined;
    const pointer = below(at, name);
    if (known === undefined) {
      const [meant] = nearest(name.slice(0, 80), Object.keys(shape));
      const probably = meant === undefined ? '' : `; ${meant} was probably meant`;
      tell(
        found,
        'body-member-unknown',
        pointer,
        `The interface has no member ${name.slice(0, 80)} here${probably}.`,
      );
      continue;
    }
    if (known.later === true)
      tell(found, 'body-member-later', pointer, `This framework has no member ${name} here.`);
    known.check(value, pointer, found);
  }
}

/** A text that passes a check of the facts. */
export function text(rule: RuleId, check: (value: string) => Checked, otherwise?: Otherwise): Check {
  return (value, at, found) => {
    if (typeof value !== 'string') {
      wrongType(found, at, value, 'a text');
      return;
    }
    const checked = check(value);
    if (!checked.ok) tell(found, rule, at, `${nameOf(at)} is not right: ${checked.why}.`, otherwise);
    // A check of what people type puts right what a bank does not.
    else if (checked.value !== value)
      tell(found, rule, at, `${nameOf(at)} is not right: it has blanks or small letters.`, otherwise);
  };
}

/** One of some codes. */
export function codeOf(codes: readonly string[]): Check {
  const shown = codes.length > 12 ? 'a code of the list' : codes.join(', ');
  return text('body-code', (value) =>
    codes.includes(value) ? { ok: true, value } : { ok: false, why: `it is not one of ${shown}` },
  );
}

/** A list with something in it, each item by one check. */
export function list(item: Check, { mayBeEmpty = false }: { mayBeEmpty?: boolean } = {}): Check {
  return (value, at, found) => {
    if (!Array.isArray(value)) {
      wrongType(found, at, value, 'a list');
      return;
    }
    if (value.length === 0 && !mayBeEmpty) tell(found, 'body-list', at, `${nameOf(at)} is empty.`);
    for (const [index, one] of value.entries()) item(one, below(at, index), found);
  };
}

/** true or false, as JSON and not as text. */
export const flag: Check = (value, at, found) => {
  if (typeof value !== 'boolean') wrongType(found, at, value, 'true or false');
};
