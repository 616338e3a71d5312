import { isJsonObject } from '../../standard/xs2a/json.ts';
import type { JsonObject, JsonValue } from '../../standard/xs2a/json.ts';
import type { Dialect } from './dialect.ts';

type Direction = 'to-standard' | 'to-bank';

/** Renames the members and values of a payment by their JSON pointers: into the words of the standard, or of the bank. */
export function paymentWords(dialect: Dialect, json: JsonValue, direction: Direction): JsonValue {
  if (!isJsonObject(json)) return json;
  const whole = inWords(dialect, json, direction);
  const { payments } = whole;
  if (!Array.isArray(payments)) return whole;
  // The pointers are those of one payment, and hold for each of a bulk.
  return { ...whole, payments: payments.map((one) => paymentWords(dialect, one, direction)) };
}

/**
 * Writes each structured reference of a payment as the object of the guidelines, or as the text that some banks have in its place
 * (payments.remittanceStructured); apart from the other words, since what the bank was sent is judged first.
 */
export function referenceForms(dialect: Dialect, json: JsonValue, direction: Direction): JsonValue {
  if (dialect.settings.payments?.remittanceStructured !== 'string' || !isJsonObject(json)) return json;
  const form = (value: JsonValue): JsonValue => {
    if (direction === 'to-standard') return typeof value === 'string' ? { reference: value } : value;
    return isJsonObject(value) ? (value['reference'] ?? value) : value;
  };
  const forms = {
    remittanceInformationStructured: form,
    remittanceInformationStructuredArray: each(form),
    payments: each((one) => referenceForms(dialect, one, direction)),
  };
  return Object.entries(forms).reduce((whole, [name, change]) => changed(whole, [name], change), json);
}

const each =
  (change: (value: JsonValue) => JsonValue) =>
  (list: JsonValue): JsonValue =>
    Array.isArray(list) ? list.map(change) : list;

function inWords({ settings }: Dialect, json: JsonObject, direction: Direction): JsonObject {
  const { rename = {}, enums = {} } = settings.payments ?? {};
  const toStandard = direction === 'to-standard';
  let value: JsonObject = json;
  // Values have the pointers of the standard, so they are changed while the members have its names.
  const words = () => {
    for (const [pointer, own] of Object.entries(enums))
      value = changed(value, partsOf(pointer), (text) => {
        if (typeof text !== 'string') return text;
        const back = Object.entries(own).find(([, theirs]) => theirs === text)?.[0];
        return toStandard ? (back ?? text) : (own[text] ?? text);
      });
  };
  if (!toStandard) words();
  for (const [pointer, name] of Object.entries(rename)) {
    const parts = partsOf(pointer);
    const last = parts.at(-1) ?? '';
    const place = parts.slice(0, -1);
    value = toStandard ? renamed(value, place, name, last) : renamed(value, place, last, name);
  }
  if (toStandard) words();
  return value;
}

/** Whether payments have words of the bank's own. */
export const hasOwnWords = ({ settings: { payments } }: Dialect): boolean =>
  payments?.rename !== undefined || payments?.enums !== undefined;

const partsOf = (pointer: string): string[] => pointer.slice(1).split('/');

function renamed(json: JsonObject, place: readonly string[], from: string, to: string): JsonObject {
  return within(json, place, (object) =>
    Object.fromEntries(Object.entries(object).map(([name, value]) => [name === from ? to : name, value])),
  );
}

function changed(
  json: JsonObject,
  parts: readonly string[],
  change: (value: JsonValue) => JsonValue,
): JsonObject {
  const last = parts.at(-1) ?? '';
  return within(json, parts.slice(0, -1), (object) =>
    Object.hasOwn(object, last) ? { ...object, [last]: change(object[last] ?? null) } : object,
  );
}

/** Changes the object at a place. */
function within(
  json: JsonObject,
  [part, ...rest]: readonly string[],
  change: (object: JsonObject) => JsonObject,
): JsonObject {
  if (part === undefined) return change(json);
  const inner = json[part];
  return isJsonObject(inner) ? { ...json, [part]: within(inner, rest, change) } : json;
}
