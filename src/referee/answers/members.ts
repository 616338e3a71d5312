import { distance } from '../../base/nearest.ts';
import {
  answerMembers,
  everAnswerMember,
  isAnswerObject,
  mustBeThere,
} from '../../standard/xs2a/answer-shapes.ts';
import type { AnswerMember } from '../../standard/xs2a/answer-shapes.ts';
import type { AnswerType } from '../../standard/xs2a/answer-objects.ts';
import { JsonNumber, isJsonObject, wholeNumber } from '../../standard/xs2a/json.ts';
import type { JsonObject, JsonValue } from '../../standard/xs2a/json.ts';
import { quoted } from './finding.ts';
import type { AnswerPlace } from './finding.ts';
import { judgeLinkForms } from './links.ts';
import { judgeText, judgeTogether } from './values.ts';
import type { TypedMember } from './values.ts';

/** Judges the members of an object of the answer, and all that is in them. */
export function judgeObject(place: AnswerPlace, object: string, json: JsonObject): void {
  const members = answerMembers(place.framework, object);
  const misspelt = judgeNames(place, object, members, json);
  for (const [name, fact] of members) {
    const required = mustBeThere(object, name, fact);
    const value = json[name];
    const at = place.in(name);
    // One that is spelt otherwise was told already.
    if (misspelt.has(name)) continue;
    if (value === null && !required) at.add('answer-member-null', `${name} is null.`);
    else if (value === undefined || value === null) {
      if (required) at.add('answer-member-missing', `${name} is missing.`);
    } else judgeValue(at, { name, type: fact.type }, value);
  }
  judgeTogether(place, object, json);
}

function judgeValue(at: AnswerPlace, { name, type }: TypedMember, value: JsonValue): void {
  const wrong = (due: string) => {
    const rule = type === 'amountValue' ? 'answer-amount' : 'answer-member-type';
    at.add(rule, `${name} is ${kindOf(value)} where ${due} is due.`);
  };
  if (type === 'object' || type === 'any') return;
  if (type.startsWith('[')) {
    const item = type.slice(1, -1);
    if (!Array.isArray(value)) wrong('a list');
    else for (const [index, one] of value.entries()) judgeValue(at.in(index), { name, type: item }, one);
  } else if (type === 'links' || type.startsWith('links ')) {
    if (isJsonObject(value)) judgeLinkForms(at, value, linksDue(type));
    else wrong('an object of links');
  } else if (isAnswerObject(type)) {
    if (isJsonObject(value)) judgeObject(at, type, value);
    else wrong('an object');
  } else {
    const due = plainValueDue({ name, type }, value);
    if (due !== undefined) wrong(due);
    else if (typeof value === 'string') judgeText(at, { name, type }, value);
  }
}

/** What a member must be whose value is no list and no object; undefined where it is that. */
function plainValueDue({ name, type }: TypedMember, value: JsonValue): string | undefined {
  if (type === 'boolean') return typeof value === 'boolean' ? undefined : 'true or false';
  if (type !== 'integer') return typeof value === 'string' ? undefined : 'a text';
  const whole = value instanceof JsonNumber ? wholeNumber(value) : undefined;
  if (whole === undefined) return 'a whole number';
  return name === 'frequencyPerDay' && whole < 1 ? 'a number from 1' : undefined;
}

const linksDue = (type: AnswerType): readonly string[] =>
  type
    .split(' ')
    .slice(1)
    .map((name) => name.replace('*', ''));

/**
 * A bank may add members; one that is nearly spelt like one of the schema was meant to be that one. Returns those that were meant,
 * each of which is told here alone: what must be there must be spelt so.
 */
function judgeNames(
  place: AnswerPlace,
  object: string,
  members: ReadonlyMap<string, AnswerMember>,
  json: JsonObject,
): ReadonlySet<string> {
  const ever = everAnswerMember(object);
  const absent = [...members.keys()].filter((name) => !Object.hasOwn(json, name));
  const all = new Set<string>();
  for (const name of Object.keys(json)) {
    if (ever.has(name)) continue;
    const meant = absent.find((one) => isNearly(one, name));
    const fact = meant === undefined ? undefined : members.get(meant);
    if (meant === undefined || fact === undefined) continue;
    all.add(meant);
    const what = `${quoted(name)} is no member; ${meant} was probably meant.`;
    place.in(name).add('answer-member-name', what, mustBeThere(object, meant, fact) ? 'must' : undefined);
  }
  return all;
}

/** Short names differ by little. */
const isNearly = (one: string, name: string): boolean =>
  one.toLowerCase() === name.toLowerCase() ||
  (name.length >= 5 && distance(one, name) <= (one.length < 9 ? 1 : 2));

function kindOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (value instanceof JsonNumber) return 'a number';
  if (typeof value === 'string') return 'a text';
  return typeof value === 'boolean' ? 'true or false' : 'an object';
}
