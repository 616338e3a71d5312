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

/** Checks an ISO date `YYYY-MM-DD` that exists in the calendar. */
export function checkIsoDate(text: string): Checked {
  const parts = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(text);
  if (parts === null) return refuse('a date is written YYYY-MM-DD');
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number];
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  return day >= 1 && day <= days ? { ok: true, value: text } : refuse('there is no such day');
}
