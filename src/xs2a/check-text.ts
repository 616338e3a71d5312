import type { Checked } from './ip-address.ts';

const refuse = (why: string): { ok: false; why: string } => ({ ok: false, why });

/** Takes the blanks out of a number, those that pages of banks put between its groups (U+00A0, U+202F) and those without width, too. */
export function withoutBlanks(text: string): string {
  return text.replace(/[\s\p{Zs}\u200b\u2060]/gu, '');
}

/** Checks a text of 1 to `max` characters without control characters and not of blanks alone. */
export function checkText(text: string, max: number): Checked {
  if (text.trim() === '') return refuse('it is empty');
  if (/\p{Cc}/u.test(text)) return refuse('it has control characters');
  const length = [...text].length;
  return length <= max
    ? { ok: true, value: text }
    : refuse(`it has ${String(length)} characters, at most ${String(max)} are allowed`);
}
