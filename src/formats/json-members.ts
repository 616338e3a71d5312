/** Members of parsed JSON that may have any shape. */
import { JsonNumber } from '../xs2a/json.ts';

/** Gives the member of an object; undefined where there is none, or no object. */
export function at(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}

/** Gives the member as a text: a string that is not empty, or a number as it was written. */
export function textAt(value: unknown, key: string): string | undefined {
  const found = at(value, key);
  if (typeof found === 'string') return found === '' ? undefined : found;
  return found instanceof JsonNumber ? found.text : undefined;
}

/** Gives the number of an account reference, whatever its kind (guidelines 14.2). */
export function accountOf(value: unknown): string | undefined {
  return (
    textAt(value, 'iban') ??
    textAt(value, 'bban') ??
    textAt(value, 'maskedPan') ??
    textAt(value, 'pan') ??
    textAt(value, 'msisdn') ??
    textAt(at(value, 'other'), 'identification')
  );
}

/** Gives the texts of a list, or the one text, joined by a blank; structured references by their reference. */
export function joinedText(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  if (!Array.isArray(value)) return textAt(value, 'reference');
  const texts = (value as unknown[]).map(joinedText).filter((text) => text !== undefined);
  return texts.length === 0 ? undefined : texts.join(' ');
}
