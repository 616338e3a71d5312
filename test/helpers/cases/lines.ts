import type { Ran } from '../obk.ts';

/** What a name in double braces may stand for. */
const kinds: Readonly<Record<string, string>> = {
  uuid: '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
  time: '\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?(?:Z|[+-]\\d{2}:\\d{2})',
  day: '\\d{4}-\\d{2}-\\d{2}',
  number: '\\d+',
  hex: '[0-9a-f]+',
  word: '[^\\s"\']+',
  rest: '.*',
};

/**
 * What a run printed, as it stands below its command: stdout, then stderr behind `!`, then an exit code that is not 0. Lines are
 * laid out as wide as they are with names in place of `values`: a folder has another length on another machine.
 */
export function transcript({ code, stdout, stderr }: Ran, values: Values = new Map()): string[] {
  const width = (text: string) => withNames(text, values).length;
  const lay = (text: string) => linesOf(text).flatMap((line) => laidOut(line, width));
  const out = lay(stdout).map(marked);
  const err = lay(stderr).map((line) => (line === '' ? '!' : `! ${line}`));
  const lines = [...out, ...err];
  return code === 0 && lines.at(-1) !== '' ? lines : [...lines, `[exit ${String(code)}]`];
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  // eslint-disable-next-line no-control-regex
  const shown = text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, (one) =>
    one === '\r' ? '\\r' : `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const lines = shown.split('\n');
  const last = lines.pop();
  return last === '' ? lines : [...lines, last ?? '', '(no end of line)'];
}

/** A line of stdout that could be taken for something else. */
const marked = (line: string): string =>
  /^([!$\\|]|file |\[(exit|with|changed) )/.test(line) ? `\\${line}` : line;

const widest = 100;

/** A long line of JSON over several lines; all else as it is. */
function laidOut(line: string, width: (text: string) => number): string[] {
  if (width(line) <= widest || !/^[[{]/.test(line)) return [line];
  try {
    const value = JSON.parse(line) as unknown;
    return JSON.stringify(value) === line ? layOut(value, '', '', width) : [line];
  } catch {
    return [line];
  }
}

function layOut(value: unknown, name: string, end: string, width: (text: string) => number): string[] {
  const short = `${name}${JSON.stringify(value)}${end}`;
  if (width(short) <= widest || typeof value !== 'object' || value === null) return [short];
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const entries: [string, unknown][] = Array.isArray(value)
    ? value.map((one: unknown) => ['', one])
    : Object.entries(value).map(([key, one]) => [`${JSON.stringify(key)}: `, one]);
  const inner = entries.flatMap(([key, one], at) =>
    layOut(one, key, at === entries.length - 1 ? '' : ',', width),
  );
  return [`${name}${open}`, ...inner.map((one) => `  ${one}`), `${close}${end}`];
}

/** The names and values that a case has met so far. */
export type Values = Map<string, string>;

/**
 * Whether a printed line is the expected one. `{{kind}}` stands for any value of the kind, `{{name: kind}}` also keeps it, and
 * `{{name}}` stands for the kept one; what was kept is in the result.
 */
export function matchLine(expected: string, printed: string, values: Values): Values | undefined {
  const names: string[] = [];
  const pattern = expected
    .split(/(\{\{\w+(?:: \w+)?\}\})/)
    .map((piece) => {
      const [, name = '', kind] = /^\{\{(\w+)(?:: (\w+))?\}\}$/.exec(piece) ?? [];
      if (name === '') return escaped(piece);
      if (kind === undefined) return values.has(name) ? escaped(values.get(name) ?? '') : anyOf(name);
      names.push(name);
      return `(${anyOf(kind)})`;
    })
    .join('');
  const found = new RegExp(`^${pattern}$`, 'u').exec(printed);
  return found === null ? undefined : new Map(names.map((name, at) => [name, found[at + 1] ?? '']));
}

function anyOf(kind: string): string {
  const pattern = kinds[kind];
  if (pattern === undefined)
    throw new Error(`nothing is known as {{${kind}}}: a kind is one of ${Object.keys(kinds).join(', ')}`);
  return pattern;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** Expected and printed lines side by side; keeps in `values` what the lines that fit name. */
export function compare(
  expected: readonly string[],
  printed: readonly string[],
  values: Values,
): { fits: boolean; wanted: string[]; updated: string[] } {
  const pairs = pairsOf(expected, printed, values);
  const wanted: string[] = [];
  let next = 0;
  for (const [left, right] of pairs) {
    wanted.push(...expected.slice(next, left), printed[right] ?? '');
    for (const [name, value] of matchLine(expected[left] ?? '', printed[right] ?? '', values) ?? [])
      values.set(name, value);
    next = left + 1;
  }
  wanted.push(...expected.slice(next));
  const kept = new Map(pairs.map(([left, right]) => [right, expected[left] ?? '']));
  const updated = printed.map((line, at) => kept.get(at) ?? named(line, values));
  return { fits: pairs.length === expected.length && pairs.length === printed.length, wanted, updated };
}

/** The longest series of lines that fit, by their places on both sides. */
function pairsOf(
  expected: readonly string[],
  printed: readonly string[],
  values: Values,
): [left: number, right: number][] {
  const seen: Values = new Map(values);
  const fit = expected.map((line) =>
    printed.map((one) => {
      const kept = matchLine(line, one, seen);
      for (const [name, value] of kept ?? []) seen.set(name, value);
      return kept !== undefined;
    }),
  );
  const lengths = Array.from({ length: expected.length + 1 }, () =>
    new Array<number>(printed.length + 1).fill(0),
  );
  const length = (left: number, right: number) => lengths[left]?.[right] ?? 0;
  for (let left = expected.length - 1; left >= 0; left -= 1)
    for (let right = printed.length - 1; right >= 0; right -= 1) {
      const best =
        fit[left]?.[right] === true
          ? length(left + 1, right + 1) + 1
          : Math.max(length(left + 1, right), length(left, right + 1));
      (lengths[left] ?? [])[right] = best;
    }
  const pairs: [number, number][] = [];
  for (let [left, right] = [0, 0]; left < expected.length && right < printed.length;) {
    if (fit[left]?.[right] === true) {
      pairs.push([left, right]);
      left += 1;
      right += 1;
    } else if (length(left + 1, right) >= length(left, right + 1)) left += 1;
    else right += 1;
  }
  return pairs;
}

/** A printed line as an expectation: what is known or is another one at each run stands as its name. */
function named(line: string, values: Values): string {
  const kind = (name: string) => new RegExp(kinds[name] ?? '', 'g');
  return withNames(line, values).replace(kind('uuid'), '{{uuid}}').replace(kind('time'), '{{time}}');
}

function withNames(line: string, values: Values): string {
  const known = [...values]
    .filter(([, value]) => value.length > 3)
    .sort(([, a], [, b]) => b.length - a.length);
  return known.reduce((text, [name, value]) => text.replaceAll(value, `{{${name}}}`), line);
}
