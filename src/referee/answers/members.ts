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
import type { Framework } from '../../standard/xs2a/variants.ts';
import type { AnswerFindings } from './finding.ts';
import { quoted } from './finding.ts';
import { judgeLinkForms } from './links.ts';
import { judgeText, judgeTogether } from './values.ts';

/** Judges the members of an object of the answer, and all that is in them. */
export function judgeObject(
  found: AnswerFindings,
  framework: Framework,
  object: string,
  json: JsonObject,
  pointer = '',
): void {
  const members = answerMembers(framework, object);
  const misspelt = judgeNames(found, object, members, json, pointer);
  for (const [name, fact] of members) {
    const required = mustBeThere(object, name, fact);
    const { type } = fact;
    const value = json[name];
    const at = `${pointer}/${escaped(name)}`;
    // One that is spelt otherwise was told already.
    if (misspelt.has(name)) continue;
    if (value === null && !required) found.add('answer-member-null', 'body', at, `${name} is null.`);
    else if ((value ?? null) === null) {
      if (required) found.add('answer-member-missing', 'body', at, `${name} is missing.`);
    } else judgeValue(found, framework, { pointer: at, name, type }, value as JsonValue);
  }
  judgeTogether(found, object, pointer, json);
}

interface At {
  readonly pointer: string;
  readonly name: string;
  readonly type: AnswerType;
}

function judgeValue(found: AnswerFindings, framework: Framework, at: At, value: JsonValue): void {
  const { pointer, name, type } = at;
  const wrong = (due: string) => {
    const rule = type === 'amountValue' ? 'answer-amount' : 'answer-member-type';
    found.add(rule, 'body', pointer, `${name} is ${kindOf(value)} where ${due} is due.`);
  };
  if (type.startsWith('[')) {
    if (!Array.isArray(value)) {
      wrong('a list');
      return;
    }
    const item = type.slice(1, -1);
    for (const [index, one] of value.entries())
      judgeValue(found, framework, { pointer: `${pointer}/${String(index)}`, name, type: item }, one);
  } else if (type === 'links' || type.startsWith('links ')) {
    if (isJsonObject(value)) judgeLinkForms(found, pointer, value, linksDue(type));
    else wrong('an object of links');
  } else if (isAnswerObject(type)) {
    if (isJsonObject(value)) judgeObject(found, framework, type, value, pointer);
    else wrong('an object');
  } else if (type === 'boolean') {
    if (typeof value !== 'boolean') wrong('true or false');
  } else if (type === 'integer') {
    const whole = value instanceof JsonNumber ? wholeNumber(value) : undefined;
    if (whole === undefined) wrong('a whole number');
    else if (name === 'frequencyPerDay' && whole < 1) wrong('a number from 1');
  } else if (type !== 'object' && type !== 'any') {
    if (typeof value === 'string') judgeText(found, framework, at, value);
    else wrong('a text');
  }
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
  found: AnswerFindings,
  object: string,
  members: ReadonlyMap<string, AnswerMember>,
  json: JsonObject,
  pointer: string,
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
    found.add(
      'answer-member-name',
      'body',
      `${pointer}/${escaped(name)}`,
      `${quoted(name)} is no member; ${meant} was probably meant.`,
      mustBeThere(object, meant, fact) ? 'must' : undefined,
    );
  }
  return all;
}

/** Short names differ by little. */
const isNearly = (one: string, name: string): boolean =>
  one.toLowerCase() === name.toLowerCase() ||
  (name.length >= 5 && distance(one, name) <= (one.length < 9 ? 1 : 2));

/** A name in a JSON pointer. */
const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

function kindOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (value instanceof JsonNumber) return 'a number';
  if (typeof value === 'string') return 'a text';
  return typeof value === 'boolean' ? 'true or false' : 'an object';
}
