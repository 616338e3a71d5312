import { JsonNumber, isJsonObject } from './json.ts';
import type { JsonObject, JsonValue } from './json.ts';
import type { Tolerate } from './tolerated.ts';

/** Members that name something: as a number their digits are the id; a fraction or an exponent is none. */
const ids: ReadonlySet<string> = new Set([
  'paymentId',
  'consentId',
  'basketId',
  'authorisationId',
  'authenticationMethodId',
  'resourceId',
]);
const idLists: ReadonlySet<string> = new Set(['authorisationIds', 'cancellationIds']);
/** Where further ids stand; lists of entries may be long and are read as they come. */
const inside: ReadonlySet<string> = new Set([
  ...['scaMethods', 'chosenScaMethod', 'accounts', 'cardAccounts', 'account', 'cardAccount'],
]);

const digits = /^(0|[1-9][0-9]*)$/;

/** Returns an answer whose ids are texts: the digits of a number as they stand in the body; notes each kind once. */
export function withIdTexts(json: JsonValue, tolerate: Tolerate): JsonValue {
  return read(json, '', tolerate);
}

function read(value: JsonValue, at: string, tolerate: Tolerate): JsonValue {
  if (Array.isArray(value)) return value.map((item, index) => read(item, `${at}/${String(index)}`, tolerate));
  if (!isJsonObject(value)) return value;
  const result = Object.create(null) as JsonObject;
  for (const [name, member] of Object.entries(value)) {
    const place = `${at}/${name}`;
    if (ids.has(name)) result[name] = idText(name, member, place, tolerate);
    else if (idLists.has(name) && Array.isArray(member))
      result[name] = member.map((one, index) => idText(name, one, `${place}/${String(index)}`, tolerate));
    else result[name] = inside.has(name) ? read(member, place, tolerate) : member;
  }
  return result;
}

function idText(name: string, value: JsonValue, at: string, tolerate: Tolerate): JsonValue {
  if (!(value instanceof JsonNumber) || !digits.test(value.text)) return value;
  tolerate(at, `${name} is a number and not a string`);
  return value.text;
}
