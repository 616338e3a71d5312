import { JsonNumber } from '../../standard/xs2a/json.ts';
import { textOf } from './values.ts';

/** The operators of a condition and what each says of a value; `wanted` is the text of the journey. */
const operators = {
  is: { about: 'The same text or number.', holds: (value, [wanted = '']) => same(value, wanted) },
  not: { about: 'Another text or number.', holds: (value, [wanted = '']) => !same(value, wanted) },
  in: { about: 'One of a list.', holds: (value, wanted) => wanted.some((one) => same(value, one)) },
  contains: {
    about: 'A text with this in it, or a list with this among its elements.',
    holds: (value, [wanted = '']) =>
      Array.isArray(value) ? value.some((one) => same(one, wanted)) : textOf(value).includes(wanted),
  },
  matches: {
    about: 'A text that this regular expression (with the flag u) finds something in.',
    // What a reference stands for may be no regular expression: then nothing matches it.
    holds: (value, [wanted = '']) =>
      isThere(value) && wrongPattern(wanted) === undefined && new RegExp(wanted, 'u').test(textOf(value)),
  },
  exists: {
    about: 'true: it is there; false: it is not.',
    holds: (value, [wanted]) => isThere(value) === (wanted !== 'false'),
  },
  count: {
    about: 'The number of elements of a list.',
    holds: (value, [wanted = '']) => Array.isArray(value) && String(value.length) === wanted,
  },
  atLeast: { about: 'A number that is not below this.', holds: ordered((order) => order >= 0) },
  atMost: { about: 'A number that is not above this.', holds: ordered((order) => order <= 0) },
  above: { about: 'A number above this.', holds: ordered((order) => order > 0) },
  below: { about: 'A number below this.', holds: ordered((order) => order < 0) },
} satisfies Record<string, { about: string; holds: (value: unknown, wanted: readonly string[]) => boolean }>;

export type Operator = keyof typeof operators;

/** What must be true of a value, each with the texts of the journey; references are resolved before it is judged. */
export type Condition = readonly { operator: Operator; wanted: readonly string[] }[];

/** The names of the operators, each with a sentence. */
export const operatorNames = Object.keys(operators) as readonly Operator[];

/** The sentence of an operator. */
export const aboutOperator = (operator: Operator): string => operators[operator].about;

/** What is wrong with the text of an operator; undefined where nothing is. */
export function wrongWanted(operator: Operator, wanted: string): string | undefined {
  const text = wanted.replaceAll('$$', '');
  if (text.includes('$')) return undefined;
  switch (operator) {
    case 'exists':
      return wanted === 'true' || wanted === 'false' ? undefined : 'it is true or false';
    case 'count':
      return /^[0-9]{1,9}$/.test(wanted) ? undefined : 'it is a whole number';
    case 'atLeast':
    case 'atMost':
    case 'above':
    case 'below':
      return decimal(wanted) === undefined ? 'it is a number, such as 12.50' : undefined;
    case 'matches':
      return wrongPattern(wanted.replaceAll('$$', '$'));
    default:
      return undefined;
  }
}

function wrongPattern(text: string): string | undefined {
  try {
    new RegExp(text, 'u');
    return undefined;
  } catch (error) {
    return `it is no regular expression: ${(error as Error).message}`;
  }
}

/** Operators that are about a list and not about each of its elements. */
const ofLists: readonly Operator[] = ['count', 'contains', 'exists'];

/**
 * The parts of a condition that do not hold of a value, in words. With `each` the value is a list, and each of its elements must
 * be so; an empty one is not.
 */
export function failures(value: unknown, condition: Condition, each = false): string[] {
  return condition.flatMap(({ operator, wanted }) => {
    const { holds } = operators[operator];
    const all = each && Array.isArray(value) && !ofLists.includes(operator) ? (value as unknown[]) : [value];
    // A list of what each element has at a place is not there where none has anything.
    const isNone = each && operator === 'exists' && Array.isArray(value) && value.length === 0;
    const judged = isNone ? [undefined] : all;
    return judged.length > 0 && judged.every((one) => holds(one, wanted))
      ? []
      : `${operator} ${wanted.join(', ')}`;
  });
}

const isThere = (value: unknown) => value !== undefined && value !== null;

function same(value: unknown, wanted: string): boolean {
  if (!isThere(value)) return false;
  const text = textOf(value);
  if (text === wanted) return true;
  // 12.5 and 12.50 are one amount where the document has a number.
  return (
    (typeof value === 'number' || value instanceof JsonNumber) &&
    decimal(wanted) !== undefined &&
    order(text, wanted) === 0
  );
}

function ordered(judge: (order: number) => boolean) {
  return (value: unknown, [wanted = '']: readonly string[]): boolean => {
    const found = isThere(value) ? order(textOf(value), wanted) : undefined;
    return found !== undefined && judge(found);
  };
}

/** Compares two decimal numbers exactly; undefined where one is none. */
function order(one: string, other: string): number | undefined {
  const [a, b] = [decimal(one), decimal(other)];
  if (a === undefined || b === undefined) return undefined;
  const scale = Math.max(a.scale, b.scale);
  const [x, y] = [a, b].map(({ units, scale: own }) => units * 10n ** BigInt(scale - own)) as [
    bigint,
    bigint,
  ];
  return x < y ? -1 : x > y ? 1 : 0;
}

function decimal(text: string): { units: bigint; scale: number } | undefined {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)([0-9]{1,40})(?:\.([0-9]{1,40}))?$/.exec(text) ?? [];
  if (whole === '') return undefined;
  return { units: BigInt(`${sign}${whole}${fraction}`), scale: fraction.length };
}
