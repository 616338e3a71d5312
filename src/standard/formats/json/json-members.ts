/** Members of parsed JSON that may have any shape. */
import { JsonNumber } from '../../xs2a/json.ts';

/** Any object by its members; what is none has none. Named access keeps reading a million entries fast. */
export type Members = Readonly<Record<string, unknown>>;

const none: Members = {};

/** Returns the members of a value. */
export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : none;
}

/** Returns a member as a text: a string that is not empty, or a number as it was written. */
export function text(member: unknown): string | undefined {
  if (typeof member === 'string') return member === '' ? undefined : member;
  return member instanceof JsonNumber ? member.text : undefined;
}

/** Returns the number of an account reference, whatever its kind (guidelines 14.2). */
export function accountOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string') return text(value);
  const { iban, bban, maskedPan, pan, msisdn, other } = membersOf(value);
  return (
    text(iban) ??
    text(bban) ??
    text(maskedPan) ??
    text(pan) ??
    text(msisdn) ??
    text(membersOf(other).identification)
  );
}

/** Returns all numbers that an account reference has for its one account. */
export function numbersOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  const { iban, bban, maskedPan, pan, msisdn, other } = membersOf(value);
  return [iban, bban, maskedPan, pan, msisdn, membersOf(other).identification]
    .map(text)
    .filter((number) => number !== undefined);
}

/** Returns the BIC of a bank: a bare text, or an object with one. */
export function agentOf(value: unknown): string | undefined {
  const { bicfi, bicFi, bic } = membersOf(value);
  return text(value) ?? text(bicfi) ?? text(bicFi) ?? text(bic);
}

/** Returns the texts of a list, or the one text, joined by a blank; structured references by their reference. */
export function joinedText(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string') return value === '' ? undefined : value;
  if (!Array.isArray(value)) return text(membersOf(value).reference);
  const texts = (value as unknown[]).map(joinedText).filter((part) => part !== undefined);
  return texts.length === 0 ? undefined : texts.join(' ');
}

/** Passes on each text, number and truth value within a value, with the path of its member; nothing is told of null. */
export function eachText(value: unknown, path: string, take: (path: string, text: string) => void): void {
  if (typeof value === 'object' && value !== null && !(value instanceof JsonNumber)) {
    if (Array.isArray(value)) for (const one of value as unknown[]) eachText(one, path, take);
    else for (const [name, one] of Object.entries(value)) eachText(one, `${path}.${name}`, take);
    return;
  }
  const told = typeof value === 'boolean' ? String(value) : text(value);
  if (told !== undefined) take(path, told);
}

/** Returns the address of a link: an object with `href`, or a bare text. */
export function hrefOf(link: unknown): string | undefined {
  return typeof link === 'string' ? text(link) : text(membersOf(link).href);
}
