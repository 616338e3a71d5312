import { defined } from '../../base/defined.ts';

/** The values that a switch takes besides the fixed ones: all of one form, with a number or a list in it. */
export interface OpenValues {
  /** The form as people write it, such as of-N. */
  readonly form: string;
  /** The form in words, with its bounds; it completes "It takes ...". */
  readonly takes: string;
  /** A regular expression of the whole form, for schemas. It also fits some values that `isRight` refuses. */
  readonly pattern: string;
  /** Given for a list: the words of which it is made. */
  readonly words?: readonly string[];
  /** The word that a list cannot do without. */
  readonly must?: string;
  /** Given where a value may be a bare number: the JSON Schema of those. */
  readonly numbers?: Readonly<Record<string, unknown>>;
  /** Whether a value that fits the pattern is within the bounds. */
  isRight(value: string): boolean;
  /** What the value means; it completes the sentence that `about` of the switch begins. */
  meaning(value: string): string;
}

/** Tells whether a switch takes a value of this form. */
export function isOpenValue(open: OpenValues | undefined, value: string): open is OpenValues {
  return open !== undefined && new RegExp(`^(?:${open.pattern})$`).test(value) && open.isRight(value);
}

/** The whole number in a value such as of-50, 30-days or 3. */
export const numberIn = (value: string): number => Number(/[0-9]+/.exec(value)?.[0]);

/** A form with one whole number N, such as of-N. */
export function counted(
  form: string,
  [least, most]: readonly [number, number],
  meaning: (count: number) => string,
): OpenValues {
  return {
    form,
    takes: `${form === 'N' ? 'a whole number' : `${form} with N`} from ${String(least)} to ${String(most)}`,
    pattern: form.replace('N', '[1-9][0-9]{0,5}'),
    ...(form === 'N' && { numbers: { type: 'integer', minimum: least, maximum: most } }),
    isRight: (value) => numberIn(value) >= least && numberIn(value) <= most,
    meaning: (value) => meaning(numberIn(value)),
  };
}

const units = { second: 1000, minute: 60_000, hour: 3_600_000 } as const;

/** A span such as 90-seconds, 10-minutes or 1-hour in milliseconds. */
export function spanMs(value: string): number {
  const unit = Object.entries(units).find(([name]) => value.includes(name));
  return numberIn(value) * (unit?.[1] ?? 0);
}

/** A span of time of at most `most` hours. */
export function span(most: number, meaning: (inWords: string) => string): OpenValues {
  return {
    form: 'N-minutes',
    takes: `N-seconds, N-minutes or N-hours, up to ${String(most)} hours`,
    pattern: '[1-9][0-9]{0,5}-(?:second|minute|hour)s?',
    isRight: (value) => spanMs(value) <= most * units.hour,
    meaning: (value) => meaning(value.replace('-', ' ')),
  };
}

/** A regular expression of these words. */
const anyOf = (words: readonly string[]) => `(?:${words.join('|').replaceAll('.', '\\.')})`;

/** A list of different words, divided by commas; `must` has to be among them. */
export function listOfWords(
  words: readonly string[],
  meaning: (chosen: string) => string,
  must?: string,
): OpenValues {
  const word = anyOf(words);
  return {
    form: 'LIST',
    takes: `a list of ${words.join(', ')}, divided by commas${must === undefined ? '' : ` and with ${must}`}`,
    pattern: `${word}(?:,${word})*`,
    words,
    ...defined({ must }),
    isRight(value) {
      const chosen = value.split(',');
      return new Set(chosen).size === chosen.length && (must === undefined || chosen.includes(must));
    },
    meaning: (value) => meaning(value.replaceAll(',', ', ')),
  };
}

/** An amount of euros, written after a word such as `from-`. */
export function euros(before: string, meaning: (amount: string) => string): OpenValues {
  return {
    form: `${before}AMOUNT`,
    takes: `${before}AMOUNT with an amount of euros above 0, such as ${before}1000.00`,
    pattern: `${before}(?:0|[1-9][0-9]{0,9})(?:\\.[0-9]{1,2})?`,
    ...(before === '' && {
      numbers: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1e10 },
    }),
    isRight: (value) => centsIn(value) > 0n,
    meaning: (value) => meaning(`${value.slice(before.length)} EUR`),
  };
}

/** The amount in a value such as from-1000.00 or 1.5, in cents. */
export function centsIn(value: string): bigint {
  const [whole = '0', part = ''] = /[0-9.]+$/.exec(value)?.[0].split('.') ?? [];
  return BigInt(whole) * 100n + BigInt(part.padEnd(2, '0'));
}

/** A list of pairs NAME:WORD, with each name once. */
export function pairs(
  names: readonly string[],
  words: readonly string[],
  meaning: (chosen: string) => string,
): OpenValues {
  const pair = `${anyOf(names)}:${anyOf(words)}`;
  const all = names.flatMap((name) => words.map((word) => `${name}:${word}`));
  return {
    form: 'NAME:WORD,...',
    takes: `pairs such as ${all[0] ?? ''}, divided by commas, of ${names.join(', ')} and ${words.join(', ')}`,
    pattern: `${pair}(?:,${pair})*`,
    words: all,
    isRight(value) {
      const named = value.split(',').map((one) => one.split(':')[0]);
      return new Set(named).size === named.length;
    },
    meaning: (value) => meaning(value.replaceAll(':', ': ').replaceAll(',', ', ')),
  };
}
