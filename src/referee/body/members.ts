/** How bodies in JSON are described and judged: a member, its need, and the check of its value. */
import { nearest } from '../../base/nearest.ts';
import { JsonNumber, isJsonObject } from '../../standard/xs2a/json-value.ts';
import type { JsonObject, JsonValue } from '../../standard/xs2a/json-value.ts';
import type { Checked } from '../../standard/xs2a/ip-address.ts';
import type { CallPlace, Otherwise, RefereeFinding } from '../finding.ts';
import type { RuleId } from '../rules.ts';

/** Judges a value at its place in a body. */
export type Check = (value: JsonValue, at: CallPlace) => void;

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

/** The place of a pointer as people and tppMessages write it: `payments[0].creditorAccount.iban`. */
export const pathOf = (pointer: string): string =>
  pointer
    .slice(1)
    .split('/')
    .map((part) => (/^[0-9]+$/.test(part) ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');

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

/** A value by its pointer, as the subject of a sentence. */
export const nameOf = ({ pointer }: Pick<CallPlace, 'pointer'>): string =>
  pointer === '' ? 'The body' : pointer.slice(1);

/**
 * The text of a finding with another name for its place, such as `payments[0].creditorName is missing.` or
 * `creditorAgent: it is not a BIC of 8 or 11 characters.`; a sentence that does not begin with the place stays as it is.
 */
export function toldOf(finding: Pick<RefereeFinding, 'pointer' | 'what'>, name: string): string {
  const { what } = finding;
  const usual = nameOf(finding);
  const why = / is not right: (.*)/s.exec(what)?.[1];
  if (why !== undefined) return `${name}: ${why}`;
  return what.startsWith(`${usual} `) ? name + what.slice(usual.length) : what;
}

/** Says that a value has another type than it must. */
export function wrongType(at: CallPlace, value: JsonValue, wanted: string): void {
  at.add('body-type', `${nameOf(at)} is ${typeOf(value)}, and must be ${wanted}.`);
}

/** An object with these members; `also` looks at them together. */
export function object(shape: Shape, also?: (fields: JsonObject, at: CallPlace) => void): Check {
  return (value, at) => {
    if (!isJsonObject(value)) {
      wrongType(at, value, 'an object');
      return;
    }
    judgeMembers(value, shape, at);
    also?.(value, at);
  };
}

function judgeMembers(fields: JsonObject, shape: Shape, at: CallPlace): void {
  for (const [name, { need }] of Object.entries(shape))
    if (need === 'm' && fields[name] === undefined)
      at.in(name).add('body-member-missing', `${nameOf(at.in(name))} is missing.`);
  for (const [name, value] of Object.entries(fields)) {
    const known = Object.hasOwn(shape, name) ? shape[name] : undefined;
    const place = at.in(name);
    if (known === undefined) {
      const [meant] = nearest(name.slice(0, 80), Object.keys(shape));
      const probably = meant === undefined ? '' : `; ${meant} was probably meant`;
      place.add('body-member-unknown', `The interface has no member ${name.slice(0, 80)} here${probably}.`);
      continue;
    }
    if (known.later === true) place.add('body-member-later', `This framework has no member ${name} here.`);
    known.check(value, place);
  }
}

/** A text that passes a check of the facts. */
export function text(rule: RuleId, check: (value: string) => Checked, otherwise?: Otherwise): Check {
  return (value, at) => {
    if (typeof value !== 'string') {
      wrongType(at, value, 'a text');
      return;
    }
    const checked = check(value);
    if (!checked.ok) at.add(rule, `${nameOf(at)} is not right: ${checked.why}.`, otherwise);
    // A check of what people type puts right what a bank does not.
    else if (checked.value !== value)
      at.add(rule, `${nameOf(at)} is not right: it has blanks or small letters.`, otherwise);
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
  return (value, at) => {
    if (!Array.isArray(value)) {
      wrongType(at, value, 'a list');
      return;
    }
    if (value.length === 0 && !mayBeEmpty) at.add('body-list', `${nameOf(at)} is empty.`);
    for (const [index, one] of value.entries()) item(one, at.in(index));
  };
}

/** true or false, as JSON and not as text. */
export const flag: Check = (value, at) => {
  if (typeof value !== 'boolean') wrongType(at, value, 'true or false');
};
