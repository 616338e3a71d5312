import { JsonNumber, isJsonObject } from '../../standard/xs2a/json.ts';
import type { JsonObject, JsonValue } from '../../standard/xs2a/json.ts';
import type { Dialect } from './dialect.ts';

type Shapes = NonNullable<Dialect['settings']['decode']>;

/** The values of an answer as a bank writes them that departs from the standard in their forms. */
export function decoded(json: JsonValue, shapes: Shapes): JsonValue {
  if (Object.keys(shapes).length === 0) return json;
  const written = valueIn('', json, shapes);
  return shapes.nulls === true && isJsonObject(written) ? withNulls(written) : written;
}

function valueIn(name: string, value: JsonValue, shapes: Shapes): JsonValue {
  if (Array.isArray(value)) return value.map((one) => valueIn(name, one, shapes));
  if (isJsonObject(value)) {
    const members = Object.entries(value).map(([key, one]) => [key, valueIn(key, one, shapes)] as const);
    const object: JsonObject = Object.fromEntries(members);
    return shapes.nulls === true && object['transactionAmount'] !== undefined ? withNulls(object) : object;
  }
  if (shapes.numberAmounts === true && name === 'amount' && typeof value === 'string')
    return new JsonNumber(value);
  if (shapes.naiveZone !== undefined && /DateTime$/.test(name) && typeof value === 'string')
    return localTime(value, shapes.naiveZone);
  if (shapes.remittanceObject === true && /^remittanceInformation(Uns|S)tructured$/.test(name))
    return typeof value === 'string' ? { reference: value } : value;
  if (shapes.otpAsString === true && name === 'otpMaxLength' && value instanceof JsonNumber)
    return value.text;
  return value;
}

/** What such a bank says of members that are not there. */
const absent = ['psuMessage', 'tppMessages', 'creditorName', 'debtorName', 'mandateId'];

const withNulls = (object: JsonObject): JsonObject => ({
  ...Object.fromEntries(absent.map((name) => [name, null])),
  ...object,
});

/** An instant as the clocks of a zone show it, without saying which zone. */
function localTime(instant: string, timeZone: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return instant;
  // Swedish writes dates as ISO 8601 does.
  return at.toLocaleString('sv-SE', { timeZone }).replace(' ', 'T');
}
