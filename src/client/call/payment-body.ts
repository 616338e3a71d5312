import { ObkError } from '../../base/errors.ts';
import type { BankDescriptor } from '../../settings/records/bank-descriptor.ts';
import { checkCharset } from '../../standard/xs2a/check.ts';
import { isJsonObject, readJson, stringMember, writeJson } from '../../standard/xs2a/json.ts';
import type { JsonObject, JsonValue } from '../../standard/xs2a/json.ts';

type Forms = NonNullable<BankDescriptor['payments']>;

/**
 * The JSON of a payment as the bank wants it: required members filled in, values and names in its words; amounts keep their
 * digits. Throws INPUT_INVALID for what the bank would refuse; the request was not sent then.
 */
export function paymentAsWanted(bytes: Uint8Array, forms: Forms, product: string | undefined): Uint8Array {
  const { requiredFields = [], rename = {}, enums = {}, limits } = forms;
  const changes = requiredFields.length + Object.keys(rename).length + Object.keys(enums).length;
  if (changes === 0 && limits === undefined && forms.debtorAccount !== 'required') return bytes;
  const json = readJson(bytes, { code: 'INPUT_INVALID' });
  if (!isJsonObject(json)) return bytes;
  const whole = copied(json) as JsonObject;
  const entries = Array.isArray(whole['payments']) ? whole['payments'].filter(isJsonObject) : [whole];
  const missing = entries.flatMap((entry) =>
    requiredFields
      .filter(({ products }) => products === undefined || product === undefined || products.includes(product))
      .filter(({ field, default: usual }) => !isThere(entry, whole, field) && !filledIn(entry, field, usual))
      .map(({ field }) => field),
  );
  const lacksDebtor = forms.debtorAccount === 'required' && whole['debtorAccount'] === undefined;
  const faults = [
    ...new Set(missing.map((field) => `the bank requires ${field}`)),
    ...(lacksDebtor ? ['the bank requires /debtorAccount'] : []),
    ...entries.flatMap((entry) => beyond(entry, limits)),
  ];
  if (faults.length > 0) {
    throw new ObkError({
      code: 'INPUT_INVALID',
      title: 'The payment cannot be sent.',
      detail: `${faults.join('; ')}; the request was not sent.`,
      hint: missing.slice(0, 3).map((field) => `--set '${field.split('/')[1] ?? 'NAME'}=JSON'`),
    });
  }
  for (const entry of entries) {
    for (const [pointer, words] of Object.entries(enums)) inWords(entry, pointer, words);
    // The innermost first: the pointer of one member may lead through another.
    for (const [pointer, name] of Object.entries(rename).sort(([a], [b]) => b.length - a.length))
      renamed(entry, pointer, name);
  }
  return Buffer.from(writeJson(whole), 'utf8');
}

function beyond(entry: JsonObject, { remittance, charset }: NonNullable<Forms['limits']> = {}): string[] {
  const text = stringMember(entry, 'remittanceInformationUnstructured') ?? '';
  const long = [...text].length;
  const name = stringMember(entry, 'creditorName') ?? '';
  const foreign = charset === 'sepa' ? (checkCharset(text) ?? checkCharset(name)) : undefined;
  return [
    ...(remittance !== undefined && long > remittance
      ? [`its text has ${String(long)} characters, and the bank takes ${String(remittance)}`]
      : []),
    ...(foreign === undefined
      ? []
      : [`the bank does not take the character ${JSON.stringify(foreign.character)}`]),
  ];
}

const parts = (pointer: string): string[] =>
  pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

/** The object that holds the last part of a pointer; with `make`, those on the way are made. */
function holder(entry: JsonObject, names: readonly string[], make = false): JsonObject | undefined {
  let at: JsonObject = entry;
  for (const name of names.slice(0, -1)) {
    const next = Object.hasOwn(at, name) ? at[name] : undefined;
    if (next !== undefined && !isJsonObject(next)) return undefined;
    if (next === undefined && !make) return undefined;
    at = next ?? (at[name] = Object.create(null) as JsonObject);
  }
  return at;
}

function isThere(entry: JsonObject, whole: JsonObject, pointer: string): boolean {
  const names = parts(pointer);
  const last = names.at(-1) ?? '';
  return [entry, whole].some((one) => {
    const at = holder(one, names);
    return at !== undefined && Object.hasOwn(at, last) && at[last] !== null;
  });
}

function filledIn(entry: JsonObject, pointer: string, value: string | undefined): boolean {
  const names = parts(pointer);
  const at = value === undefined ? undefined : holder(entry, names, true);
  if (at === undefined || value === undefined) return false;
  at[names.at(-1) ?? ''] = value;
  return true;
}

function inWords(entry: JsonObject, pointer: string, words: Readonly<Record<string, string>>): void {
  const names = parts(pointer);
  const last = names.at(-1) ?? '';
  const at = holder(entry, names);
  const value = at?.[last];
  if (at !== undefined && typeof value === 'string' && Object.hasOwn(words, value))
    at[last] = words[value] ?? value;
}

function renamed(entry: JsonObject, pointer: string, name: string): void {
  const names = parts(pointer);
  const last = names.at(-1) ?? '';
  const at = holder(entry, names);
  if (at === undefined || !Object.hasOwn(at, last) || Object.hasOwn(at, name)) return;
  at[name] = at[last] ?? null;
  // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- a copy of JSON, whose members have any name
  delete at[last];
}

function copied(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(copied);
  if (!isJsonObject(value)) return value;
  const copy = Object.create(null) as JsonObject;
  for (const [name, inner] of Object.entries(value)) copy[name] = copied(inner);
  return copy;
}

/** The parts of a standing order under the names that the bank has for them. */
export function inParts(bytes: Uint8Array, names: NonNullable<Forms['multipartParts']>): Uint8Array {
  const { xml = usualParts.xml, json = usualParts.json } = names;
  // The first of each is the head of its part: the JSON comes last, and the XML begins behind its own head.
  const text = Buffer.from(bytes)
    .toString('latin1')
    .replace(`name="${usualParts.xml}"`, () => `name="${xml}"`)
    .replace(`name="${usualParts.json}"`, () => `name="${json}"`);
  return Buffer.from(text, 'latin1');
}

const usualParts = { xml: 'xml_sct', json: 'json_standingorderType' } as const;
