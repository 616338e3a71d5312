/** Reads the answers of a bank that writes its values otherwise than the standard, as the description of the bank says. */
import { JsonNumber, isJsonObject } from './json.ts';
import type { JsonObject, JsonValue } from './json.ts';
import type { LinkAliases } from './links.ts';
import type { Tolerate, Tolerated } from './tolerated.ts';

/** How values depart from the standard. */
export interface Decoding {
  /** Amounts are JSON numbers; their digits are taken as they stand. */
  readonly numberAmounts?: boolean;
  /** The IANA zone of times without one. */
  readonly naiveZone?: string;
  /** Absent members are null. */
  readonly nulls?: boolean;
  /** Texts of remittance information are objects with a reference. */
  readonly remittanceObject?: boolean;
  /** Numbers about an OTP are texts. */
  readonly otpAsString?: boolean;
  /** challengeData.data is one text and no list of texts. */
  readonly challengeText?: boolean;
  /** Links are texts, as in 1.3 of January 2019, or stand in a list. */
  readonly linkTexts?: boolean;
  readonly linkList?: boolean;
}

/** What is known of the answers to one operation of a bank. */
export interface AnswerDialect {
  readonly aliases?: LinkAliases;
  /** The bank's words for statuses by member, each with its code. */
  readonly statuses?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly authTypes?: Readonly<Record<string, string>>;
  /** The id of the resource, where it is that of the authorisation too. */
  readonly authorisationId?: string;
  /** The link that leads to the certificate by which passwords are encrypted. */
  readonly certificateLink?: string;
  /** Nothing starts an authorisation at this bank, whatever its links say. */
  readonly withoutStart?: boolean;
  /** A JSON pointer to what the answer should be. */
  readonly wrapper?: string;
  readonly decode?: Decoding;
  /** What a status means where it is not what HTTP says; the statuses that say that a deletion is done are among them. */
  readonly meaning?: Readonly<Record<string, 'done' | 'refused' | 'unknown'>>;
  /** The forms of errors that this bank has, beside that of the guidelines. */
  readonly errorShapes?: readonly string[];
  /** Headers by which the bank finds a call again. */
  readonly traceHeaders?: readonly string[];
}

/** The departures of values: what they are, and the setting that describes them. */
const departures: Readonly<
  Record<keyof Decoding, readonly [what: string, setting: NonNullable<Tolerated['setting']>]>
> = {
  numberAmounts: ['amounts are numbers', ['decode.numberAmounts', 'true']],
  naiveZone: ['times have no zone', ['decode.naiveZone', 'ZONE']],
  nulls: ['absent members are null', ['decode.nulls', 'true']],
  remittanceObject: ['remittance information is an object', ['decode.remittanceObject', 'true']],
  otpAsString: ['numbers about an OTP are texts', ['decode.otpAsString', 'true']],
  challengeText: ['the data of the challenge are a text', ['sca.challengeData', 'text']],
  linkTexts: ['links are texts', ['links.shape', 'string']],
  linkList: ['links stand in a list', ['links.shape', 'list']],
};

/** Returns the JSON of an answer as the standard writes it; notes what departs from it and is not described. */
export function translated(json: JsonValue, dialect: AnswerDialect = {}, tolerate?: Tolerate): JsonValue {
  const inner = unwrapped(json, dialect.wrapper);
  const decoded = decodedValue(inner, dialect.decode ?? {}, tolerate);
  return isJsonObject(decoded) ? withOwnWords(decoded, dialect) : decoded;
}

function unwrapped(json: JsonValue, pointer: string | undefined): JsonValue {
  if (pointer === undefined) return json;
  let value: JsonValue | undefined = json;
  for (const part of pointer.slice(1).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return value ?? json;
}

function withOwnWords(
  json: JsonObject,
  { statuses = {}, authTypes, authorisationId }: AnswerDialect,
): JsonObject {
  const read = objectOf(json);
  for (const [name, words] of Object.entries(statuses)) {
    const value = read[name];
    if (typeof value === 'string' && Object.hasOwn(words, value)) read[name] = words[value] ?? value;
  }
  if (authTypes !== undefined)
    for (const name of ['scaMethods', 'chosenScaMethod'])
      if (read[name] !== undefined) read[name] = withTypes(read[name], authTypes);
  const begins = read['scaStatus'] !== undefined || isJsonObject(read['_links']);
  if (authorisationId !== undefined && read['authorisationId'] === undefined && begins)
    read['authorisationId'] = authorisationId;
  return read;
}

function withTypes(value: JsonValue, types: Readonly<Record<string, string>>): JsonValue {
  if (Array.isArray(value)) return value.map((one) => withTypes(one, types));
  if (!isJsonObject(value)) return value;
  const own = value['authenticationType'];
  if (typeof own !== 'string' || !Object.hasOwn(types, own)) return value;
  return { ...objectOf(value), authenticationType: types[own] ?? own };
}

/** Returns one value of an answer, with what is in it, as the standard writes it; notes what is not described. */
export function decodedValue(value: JsonValue, how: Decoding, tolerate?: Tolerate, at = ''): JsonValue {
  if (Array.isArray(value))
    return value.map((one, index) => decodedValue(one, how, tolerate, `${at}/${String(index)}`));
  if (!isJsonObject(value)) return value;
  const read = Object.create(null) as JsonObject;
  for (const [name, inner] of Object.entries(value)) {
    const place = `${at}/${name}`;
    const departure = departureOf(name, inner, at);
    if (departure !== undefined && (how[departure] ?? false) === false)
      tolerate?.(place, ...departures[departure]);
    if (departure === 'nulls' && how.nulls === true) continue;
    const kept = departure === undefined ? undefined : decodedMember(departure, inner, how);
    read[name] = kept ?? decodedValue(inner, how, tolerate, place);
  }
  return read;
}

const naive = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?$/;

function departureOf(name: string, value: JsonValue, at: string): keyof Decoding | undefined {
  if (value === null) return 'nulls';
  if (name === '_links' && Array.isArray(value)) return 'linkList';
  if (name === '_links' && isJsonObject(value) && Object.values(value).some((one) => typeof one === 'string'))
    return 'linkTexts';
  if (name === 'data' && typeof value === 'string' && at.endsWith('/challengeData')) return 'challengeText';
  if (name === 'amount' && value instanceof JsonNumber) return 'numberAmounts';
  if (/DateTime$/.test(name) && typeof value === 'string' && naive.test(value)) return 'naiveZone';
  if (/^remittanceInformation(Unstructured|Structured)$/.test(name) && isJsonObject(value))
    return 'remittanceObject';
  return /^o(tp|pt)MaxLength$/.test(name) && typeof value === 'string' ? 'otpAsString' : undefined;
}

/** The value of a member as the standard writes it; undefined where its departure is not described. */
function decodedMember(departure: keyof Decoding, value: JsonValue, how: Decoding): JsonValue | undefined {
  if (departure === 'numberAmounts' && how.numberAmounts === true && value instanceof JsonNumber)
    return plainDigits(value.text);
  if (departure === 'naiveZone' && how.naiveZone !== undefined && typeof value === 'string')
    return zoned(value, how.naiveZone);
  if (departure === 'remittanceObject' && how.remittanceObject === true && isJsonObject(value)) {
    const texts = [value['reference'], ...Object.values(value)].filter((one) => typeof one === 'string');
    return texts[0];
  }
  if (departure === 'challengeText' && how.challengeText === true) return [value];
  if (departure === 'linkTexts' && how.linkTexts === true && isJsonObject(value)) return linkObjects(value);
  return departure === 'otpAsString' &&
    how.otpAsString === true &&
    typeof value === 'string' &&
    /^\d{1,9}$/.test(value)
    ? new JsonNumber(String(Number(value)))
    : undefined;
}

/** Links as objects with an href; their names stay the bank's. */
function linkObjects(links: JsonObject): JsonObject {
  const read = Object.create(null) as JsonObject;
  for (const [name, link] of Object.entries(links))
    read[name] = typeof link === 'string' ? { href: link } : link;
  return read;
}

/** The digits of a JSON number without an exponent, none added and none lost: 1.25E2 is 125. */
function plainDigits(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text) ?? [];
  if (whole === '') return text;
  const shift = Number(exponent);
  if (shift === 0) return text.replace(/[eE].*$/, '');
  const digits = whole + fraction;
  const point = whole.length + shift;
  const padded = digits.padEnd(point, '0').padStart(digits.length + Math.max(0, 1 - point), '0');
  const at = Math.max(1, point);
  const head = padded.slice(0, at).replace(/^0+(?=\d)/, '');
  const tail = padded.slice(at);
  return sign + head + (tail === '' ? '' : `.${tail}`);
}

/** A local time with the offset that its zone had then. */
function zoned(local: string, zone: string): string {
  const asUtc = Date.parse(`${local}${local.length === 16 ? ':00' : ''}Z`);
  if (Number.isNaN(asUtc)) return local;
  // Twice, since the first guess may stand on the other side of a change of the clocks.
  const first = asUtc - offsetAt(asUtc, zone);
  const minutes = Math.round(offsetAt(first, zone) / 60_000);
  const size = Math.abs(minutes);
  const two = (part: number) => String(part).padStart(2, '0');
  const offset =
    minutes === 0 ? 'Z' : `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
  return local + offset;
}

function offsetAt(instant: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    ...({ year: 'numeric', month: 'numeric', day: 'numeric' } as const),
    ...({ hour: 'numeric', minute: 'numeric', second: 'numeric' } as const),
  }).formatToParts(instant);
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value ?? 0);
  const wall = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return wall - Math.floor(instant / 1000) * 1000;
}

const objectOf = (json: JsonObject): JsonObject => Object.assign(Object.create(null) as JsonObject, json);
