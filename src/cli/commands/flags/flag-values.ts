import { ObkError } from '../../../base/errors.ts';
import type { Flags } from '../../command.ts';
import { milliseconds, readRate } from '../../../settings/profile/rate.ts';
import type { Rate } from '../../../settings/profile/rate.ts';
import { nearest } from '../../../base/nearest.ts';

/** A wrong call: what is wrong, and what would be right. */
export function usageError(title: string, ...hint: string[]): ObkError {
  return new ObkError({ code: 'USAGE', title, hint });
}

/** Adds flags where `has` is true; elsewhere their options, which must be optional, stay undefined. */
export function flagsIf<Own, All>(
  has: boolean,
  command: Flags<Own>,
  add: (command: Flags<Own>) => Flags<All>,
) {
  return has ? add(command) : (command as Flags as Flags<All>);
}

/** Reads a flag with a closed list of values and suggests the nearest one; completion takes the list from `choices`. */
export function oneOf<T extends string>(
  flag: string,
  choices: readonly T[],
): ((text: string) => T) & { choices: readonly T[] } {
  const read = (text: string): T => {
    const found = choices.find((value) => value === text);
    if (found !== undefined) return found;
    const meant = nearest(text, choices).map((value) => (flag.startsWith('--') ? `${flag} ${value}` : value));
    throw usageError(`${flag} takes ${choices.join(', ')}; not ${JSON.stringify(text)}.`, ...meant);
  };
  return Object.assign(read, { choices });
}

/** Reads a flag that is yes or no. */
export const yesNo = (flag: string) => oneOf(flag, ['yes', 'no']);

/** As `oneOf`; an empty value removes a setting. */
export function oneOrNone<T extends string>(
  flag: string,
  choices: readonly T[],
): ((text: string) => T | '') & { choices: readonly T[] } {
  const read = oneOf(flag, choices);
  return Object.assign((text: string) => (text === '' ? '' : read(text)), { choices });
}

/** Reads a duration such as 90s, 2m or 500ms (seconds without a unit) as milliseconds. */
export function duration(flag: string): (text: string) => number {
  return (text) => {
    const ms = milliseconds(text);
    if (ms !== undefined) return ms;
    throw usageError(`${flag} takes a duration such as 30s or 2m; not ${JSON.stringify(text)}.`);
  };
}

const sizes: Readonly<Record<string, number>> = { '': 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3 };

/** Reads a size such as 500M or 2G (bytes without a unit) as bytes. */
export function size(flag: string): (text: string) => number {
  return (text) => {
    const [, digits, unit = ''] = /^(\d{1,12})([KMG]?)$/i.exec(text) ?? [];
    const bytes = Number(digits) * (sizes[unit.toUpperCase()] ?? Number.NaN);
    if (bytes > 0 && Number.isSafeInteger(bytes)) return bytes;
    throw usageError(`${flag} takes a size such as 500M or 2G; not ${JSON.stringify(text)}.`);
  };
}

/** Reads how often an operation may be called: 90 a minute, 90/6s, or off. */
export function rate(flag: string): (text: string) => Rate | 'off' {
  return (text) => {
    const found = readRate(text);
    if (found !== undefined) return found;
    throw usageError(
      `${flag} takes calls per minute (90), calls per time (90/6s), or off; not ${JSON.stringify(text)}.`,
    );
  };
}

/** Reads a number of days: 30d, 4w, or 30. */
export function days(flag: string): (text: string) => number {
  return (text) => {
    const [, digits, unit = 'd'] = /^(\d{1,5})(d|w)?$/.exec(text) ?? [];
    if (digits !== undefined) return Number(digits) * (unit === 'w' ? 7 : 1);
    throw usageError(`${flag} takes days such as 30d or 4w; not ${JSON.stringify(text)}.`);
  };
}

/** Reads a whole number in a range. */
export function integer(flag: string, least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw usageError(`${flag} takes a number from ${least} to ${most}; not ${JSON.stringify(text)}.`);
  };
}

/** Reads a reference to a secret; an empty one takes a setting away. */
export function reference(flag: string): (text: string) => string {
  return (text) => {
    if (text === '' || /^(prompt|stdin|(env|file|cmd|keyring):.+)$/s.test(text)) return text;
    // The value is not repeated: it may be the secret itself.
    throw usageError(`${flag} takes a reference, never the secret itself.`, 'obk help references');
  };
}

/** Reads names with commas between them. */
export function names(flag: string): (text: string) => readonly string[] {
  return (text) => {
    const list = text.split(',').map((name) => name.trim());
    if (!list.includes('')) return list;
    throw usageError(
      `${flag} takes names with commas between them, such as A,B; not ${JSON.stringify(text)}.`,
    );
  };
}

/** Reads a flag that may be given several times. */
export function several(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), text];
}

/** As `several`, of texts that `check` throws at where they are wrong: the parser refuses them before anything is done. */
export function severalOf(
  check: (text: string) => unknown,
): (text: string, before: readonly string[] | undefined) => readonly string[] {
  return (text, before) => {
    check(text);
    return several(text, before);
  };
}

/** Counts a flag: -v, -vv, -vvv. */
export function count(_: string, before: number | undefined): number {
  return (before ?? 0) + 1;
}

/** Throws one error that names everything that is missing. */
export function demand(missing: readonly (string | false | undefined)[], ...hint: string[]): void {
  const flags = missing.filter((flag) => typeof flag === 'string');
  if (flags.length === 0) return;
  throw usageError(
    flags.length === 1 ? `Missing ${flags[0] ?? ''}.` : `Missing: ${flags.join(', ')}.`,
    ...hint,
  );
}
