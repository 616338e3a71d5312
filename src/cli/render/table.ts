import { clean } from '../../base/clean.ts';
import type { Column, PrintedRow } from '../../base/fields.ts';
import { writeJson } from '../../standard/xs2a/json.ts';
import type { Style } from './style.ts';

export type { Column, PrintedRow } from '../../base/fields.ts';

/** The rows of a list: an array, or a stream of single rows or batches. */
export type Rows = Iterable<PrintedRow> | AsyncIterable<PrintedRow | readonly PrintedRow[]>;

/** The least and greatest number of rows that decide the widths; later rows do not wait. */
const [fewest, firstScreenful] = [20, 200];
const gap = '  ';

/** The value that a column shows of a row. */
function valueIn(column: Column, row: PrintedRow): unknown {
  return column.cell === undefined ? row[column.key] : column.cell(row);
}

/** The text of one cell: a list by commas, an object as JSON, empty for an absent value. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(cellText).join(', ');
  return writeJson(value);
}

type Measure = (text: string) => number;

// Each of these takes one column: ASCII, Latin-1 and the Latin of Europe.
const narrow = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u024f…⏎]*$/;

/** The width of a text in columns; the Unicode tables are loaded only when a text of the first screen needs them. */
async function measureFor(texts: readonly string[]): Promise<Measure> {
  if (texts.every((text) => narrow.test(text))) return (text) => text.length;
  const { default: stringWidth } = await import('string-width');
  return (text) => (narrow.test(text) ? text.length : stringWidth(text));
}

function line(text: string): string {
  if (narrow.test(text)) return text;
  return clean(text).replace(/\n/g, '⏎').replace(/\t/g, ' ');
}

/** Words, and account numbers in groups of four, which are one word each. */
const word = /(?<!\S)[A-Z]{2}\d{2}(?: [0-9A-Z]{4})+(?: [0-9A-Z]{1,3}(?![^\s,]))?,?|\S+/g;

/** The width of the longest word: a column of this width breaks none. */
const longestWord = (text: string, measure: Measure): number =>
  Math.max(0, ...(text.match(word) ?? []).map((one) => measure(one)));

function cut(text: string, width: number, measure: Measure): string {
  let end = 0;
  for (const { 0: one, index } of text.matchAll(word)) {
    if (measure(text.slice(0, index + one.length)) > width - 1) break;
    end = index + one.length;
  }
  if (end > 0) return `${text.slice(0, end)}…`;
  if (narrow.test(text)) return `${text.slice(0, width - 1)}…`;
  let kept = '';
  for (const character of text) {
    if (measure(kept + character) > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

const narrowest = 8;

/** Returns the widths of the columns: as wide as the text; where that is too much, the widest shrink first, none below `least`. */
function fit(natural: readonly number[], least: readonly number[], room: number): number[] {
  const widths = [...natural];
  let excess = widthOf(widths) - room;
  const mayGive = (at: number) => (widths[at] ?? 0) > (least[at] ?? 0);
  for (; excess > 0; excess -= 1) {
    let chosen = -1;
    for (let at = 0; at < widths.length; at += 1)
      if (mayGive(at) && (widths[at] ?? 0) >= (widths[chosen] ?? 0)) chosen = at;
    if (chosen < 0) break;
    widths[chosen] = (widths[chosen] ?? 0) - 1;
  }
  return widths;
}

const widthOf = (widths: readonly number[]) =>
  widths.reduce((sum, width) => sum + width, 0) + gap.length * (widths.length - 1);

/** The places of the columns that are shown: without those that can be spared, where the rest would not fit. */
function placesIn(columns: readonly Shaped[], least: readonly number[], room: number): number[] {
  let places = [...columns.keys()];
  const spare = places
    .filter((at) => columns[at]?.spare !== undefined)
    .sort((one, other) => (columns[one]?.spare ?? 0) - (columns[other]?.spare ?? 0));
  for (const at of spare) {
    if (widthOf(places.map((place) => least[place] ?? 0)) <= room) break;
    places = places.filter((place) => place !== at);
  }
  return places;
}

/** Returns what a stream of rows gives at once: awaiting each of a million rows would take longer than showing them. */
export const batchOf = (some: PrintedRow | readonly PrintedRow[]): readonly PrintedRow[] =>
  isBatch(some) ? some : [some];

const isBatch = (some: PrintedRow | readonly PrintedRow[]): some is readonly PrintedRow[] =>
  Array.isArray(some);

interface TableOptions {
  nameKey?: string;
  atOnce?: number | undefined;
  exact?: boolean;
}

/**
 * Plain columns for a person, in blocks of whole lines: titles, no borders, texts cut at the width of the terminal, but
 * nothing that is copied. If there are more than `atOnce` rows, the first ones decide the widths. `exact` shows the values
 * as they are, and every column.
 */
export async function* tableText(
  columns: readonly Column[],
  rows: Rows,
  style: Style,
  { nameKey, atOnce = firstScreenful, exact: isExact = false }: TableOptions = {},
): AsyncGenerator<string> {
  const waitFor = Math.min(Math.max(atOnce, fewest), firstScreenful);
  // A pipe has no width: its reader needs every cell whole.
  const room = style.tty ? style.width : Infinity;
  const isShort = style.tty && !isExact;
  const shape = columns.map((column) => ({
    ...column,
    whole: column.whole === true || column.key === nameKey,
    ...(isShort ? {} : { spare: undefined }),
  }));
  const textOf = (column: Column, row: PrintedRow) => {
    const text = line(cellText(valueIn(column, row)));
    return isShort && column.forPerson !== undefined && text !== ''
      ? line(column.forPerson(text, row))
      : text;
  };
  const head: string[][] = [];
  let layout: Layout | undefined;
  const begin = async () => {
    layout = await layoutFor(shape, head, room);
    const title = `${style.bold(layout(columns.map((column) => column.title)))}\n`;
    return head.reduce((text, cells) => `${text}${layout?.(cells) ?? ''}\n`, title);
  };
  try {
    for await (const some of rows) {
      let text = '';
      for (const row of batchOf(some)) {
        const cells = columns.map((column) => textOf(column, row));
        if (layout !== undefined) text += `${layout(cells)}\n`;
        else if (head.push(cells) >= waitFor) text = await begin();
      }
      if (text !== '') yield text;
    }
  } finally {
    // Print the rows read so far, even if the source fails.
    if (layout === undefined && head.length > 0) yield await begin();
  }
}

type Layout = (cells: readonly string[]) => string;
type Shaped = Omit<Column, 'spare'> & { spare?: number | undefined };

async function layoutFor(
  columns: readonly Shaped[],
  head: readonly (readonly string[])[],
  room: number,
): Promise<Layout> {
  const all = [columns.map((column) => column.title), ...head];
  const measure = await measureFor(all.flat());
  const natural = columns.map((_, at) => Math.max(...all.map((cells) => measure(cells[at] ?? ''))));
  // A cut day or amount would be a different one.
  const isWhole = columns.map(
    ({ whole }, at) => whole === true || head.every((cells) => exact.test(cells[at] ?? '')),
  );
  const leastOf = (narrowestOf: (at: number) => number) =>
    natural.map((width, at) => (isWhole[at] === true ? width : Math.min(width, narrowestOf(at))));
  // One more for the sign that says that there is more; a very long word may be broken before columns are left out for it.
  const wordsOf = (at: number) => Math.max(...all.map((cells) => longestWord(cells[at] ?? '', measure))) + 1;
  const least = leastOf((at) => Math.max(narrowest, Math.min(wordsOf(at), Math.floor(room / 3))));
  const places = placesIn(columns, least, room);
  const fitted = (at: readonly number[]) =>
    fit(
      places.map((place) => natural[place] ?? 0),
      places.map((place) => at[place] ?? 0),
      room,
    );
  const unbroken = fitted(least);
  const widths = widthOf(unbroken) <= room ? unbroken : fitted(leastOf(() => narrowest));
  const shown = places.map((at, place) => {
    const { whole, align } = columns[at] ?? {};
    const isWhole = room === Infinity || whole === true;
    return { at, width: widths[place] ?? 0, isWhole, align, lead: place === 0 ? '' : gap };
  });
  return (cells) => {
    let text = '';
    for (const { at, width, isWhole, align, lead } of shown) {
      const cell = cells[at] ?? '';
      const isShown = isWhole || measure(cell) <= width || exact.test(cell);
      const part = isShown ? cell : cut(cell, width, measure);
      const length = width - measure(part) + part.length;
      text += lead + (align === 'right' ? part.padStart(length) : part.padEnd(length));
    }
    return text.trimEnd();
  };
}

/**
 * Returns what makes the line of a row: its cells as `write` makes texts of them, which is empty for an absent one, and
 * `between` between them. Most rows have half of the columns, so that their members are gone through, and not the columns.
 */
export function lineOf(
  columns: readonly Column[],
  write: (cell: unknown) => string,
  between: string,
): (row: PrintedRow) => string {
  const places = new Map(columns.map(({ key }, at) => [key, at]));
  if (places.size < columns.length || columns.some(({ cell }) => cell !== undefined))
    return (row) => columns.map((column) => write(valueIn(column, row))).join(between);
  const empty = columns.map(() => '');
  return (row) => {
    const cells = empty.slice();
    for (const key in row) {
      const place = places.get(key);
      if (place !== undefined) cells[place] = write(row[key]);
    }
    return cells.join(between);
  };
}

/** A cell of tab-separated values; tabs and newlines within it become visible marks. */
export const tsvCell = (cell: unknown): string => line(cellText(cell));

/** One line of tab-separated values. */
export function tsvLine(cells: readonly unknown[]): string {
  return cells.map(tsvCell).join('\t');
}

// An amount as in reports: up to 18 digits, and up to 18 decimals.
const amount = /^-?\d{1,18}(\.\d{1,18})?$/;
/** A cell that is shown whole or not at all: an amount, a day, or an empty one. */
const exact = /^(?:-?\d{1,18}(?:\.\d{1,18})?|\d{4}-\d{2}-\d{2})?$/;
const formula = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;
// Where a spreadsheet divides cells by semicolons or tabs, a cell begins behind one, and behind a line end within a text, too.
// What stands between such a place and the sign is matched with it, so that a long text of blanks is looked at once.
const cellsWithin = /[;\t\r\n][\s"]*[=+\-@\uff1d\uff0b\uff0d\uff20]?/g;
const guardedCells = (found: string): string =>
  /[=+\-@\uff1d\uff0b\uff0d\uff20]$/.test(found) ? found.replace(/[;\t\r\n]/g, "$&'") : found;
// A quick test that suffices for nearly every cell: no formula, no need for quotes.
const special = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[",;\t\r\n]/;

/** One line of CSV (RFC 4180). */
export function csvLine(cells: readonly unknown[]): string {
  return cells.map(csvCell).join(',');
}

/** A cell of CSV; an apostrophe guards text that a spreadsheet would take for a formula. */
export function csvCell(cell: unknown): string {
  const plain = cellText(cell);
  if (!special.test(plain) || amount.test(plain)) return plain;
  const guarded = plain.replace(cellsWithin, guardedCells);
  const text = formula.test(plain) ? `'${guarded}` : guarded;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
