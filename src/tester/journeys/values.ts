import { JsonNumber } from '../../standard/xs2a/json.ts';

/** The text of a value as a journey compares and passes it on; a number is as exact as the document has it. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof JsonNumber) return value.text;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

const part = /^(?:\.?([^.[\]]+)|\[([0-9]+|\*)\])/;

/** The parts of a pointer such as `accounts[0].iban`; undefined where it is none. */
export function pointerParts(pointer: string): readonly string[] | undefined {
  const parts: string[] = [];
  for (let rest = pointer; rest !== '';) {
    const [whole = '', name, index] = part.exec(rest) ?? [];
    if (whole === '' || (whole.startsWith('.') && parts.length === 0)) return undefined;
    parts.push(name ?? index ?? '');
    rest = rest.slice(whole.length);
  }
  return parts.length === 0 ? undefined : parts;
}

/** The value at a pointer; `*` gives a list with the value of each element, several of them one list of all. Undefined where nothing is. */
export function valueAt(document: unknown, pointer: string): unknown {
  return pointer === '' ? document : at(document, pointerParts(pointer) ?? []);
}

function at(value: unknown, [first, ...rest]: readonly string[]): unknown {
  if (first === undefined) return value;
  if (first === '*') {
    if (!Array.isArray(value)) return undefined;
    const found = value.map((one: unknown) => at(one, rest)).filter((one) => one !== undefined);
    return rest.includes('*') ? found.flat() : found;
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, first)) return undefined;
  if (Array.isArray(value) && !/^[0-9]+$/.test(first)) return undefined;
  return at((value as Readonly<Record<string, unknown>>)[first], rest);
}
