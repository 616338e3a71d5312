import { clean, cleanLine } from '../clean.ts';
import type { DataOutcome, Row, Rows, RowsOutcome, WholeOutcome } from '../outcome.ts';
import { fieldPicker, flatten, memberReader } from '../render/fields.ts';
import type { Format } from '../render/format.ts';
import { toJson } from '../render/json.ts';
import type { Style } from '../render/style.ts';
import { batchesOf, cellText, csvLine, tableText, tsvLine, valueIn } from '../render/table.ts';

/** How an Outcome is to be printed; `auto` is text for a person, and tab-separated lines where a list is piped. */
export interface Printing {
  format: Format | 'auto';
  fields?: readonly string[];
  style: Style;
}

type Textual = Printing & { format: Exclude<Printing['format'], 'yaml' | 'html'> };

/** The text of an Outcome in pieces of whole lines. */
export function render(outcome: WholeOutcome, printing: Printing): AsyncIterable<string> | Iterable<string> {
  if (outcome.kind === 'rows') return list(outcome, printing);
  const { format } = printing;
  if (format === 'yaml') return yaml(outcome, printing);
  if (format === 'html') return htmlText(outcome, printing);
  return [document(outcome, { ...printing, format })];
}

/** A result in place of the list whose page was asked for: a consent that waits for the PSU, or a call that was only shown. */
async function* htmlText(outcome: DataOutcome, printing: Printing): AsyncGenerator<string> {
  const { textPage } = await import('../render/html.ts');
  yield textPage(document(outcome, { ...printing, format: 'auto' }));
}

async function* htmlPage({ rows, page }: RowsOutcome): AsyncGenerator<string> {
  if (page === undefined) throw new Error('a list without a page was to be one');
  const made = await page();
  for await (const some of batchesOf(rows)) for (const row of some) made.see(row);
  yield made.text();
}

async function* yaml({ data }: DataOutcome, { fields }: Printing): AsyncGenerator<string> {
  const { toYaml } = await import('../render/yaml.ts');
  yield toYaml(fields === undefined ? data : fieldPicker(fields)(data));
}

function document(outcome: DataOutcome, { format, fields, style }: Textual): string {
  const data = fields === undefined ? outcome.data : fieldPicker(fields)(outcome.data);
  switch (format) {
    case 'json':
      return `${toJson(data, { pretty: style.tty })}\n`;
    case 'ndjson':
      return `${toJson(data, { pretty: false })}\n`;
    case 'name':
      return outcome.name === undefined ? '' : `${style.tty ? clean(outcome.name) : outcome.name}\n`;
    case 'tsv':
      return lines(flatten(data).map(tsvLine));
    case 'csv':
      return lines(flatten(data).map(csvFor(style)), csvEnd(style));
    case 'auto':
    case 'table':
    case 'wide': {
      const text = outcome.text(style);
      return text === '' || text.endsWith('\n') ? text : `${text}\n`;
    }
  }
}

/** One of many results on one line: compact JSON, or its values in the order of its members; in YAML a document of its own. */
export async function changeLine(outcome: DataOutcome, printing: Printing): Promise<string> {
  const { format, fields } = printing;
  if (format === 'yaml') {
    let text = '---\n';
    for await (const part of yaml(outcome, printing)) text += part;
    return text;
  }
  if (format === 'json' || format === 'html') return document(outcome, { ...printing, format: 'ndjson' });
  if (format !== 'tsv' && format !== 'csv') return document(outcome, { ...printing, format });
  const data = fields === undefined ? outcome.data : fieldPicker(fields)(outcome.data);
  const values = flatten(data).map(([, value]) => value);
  const { style } = printing;
  return format === 'tsv' ? `${tsvLine(values)}\n` : `${csvFor(style)(values)}${csvEnd(style)}`;
}

async function* list(outcome: RowsOutcome, { format, fields, style }: Printing): AsyncGenerator<string> {
  const usual = outcome.linesOfJson === true ? 'ndjson' : style.tty ? 'table' : 'tsv';
  const how = howOf(outcome, format === 'auto' ? usual : format);
  const columns =
    fields?.map((key) => ({ key, title: key, cell: memberReader(key) })) ??
    outcome.columns.filter((column) => how !== 'table' || column.wide !== true);
  const pick = fields === undefined ? (row: Row) => row : fieldPicker(fields);
  const cells = (row: Row) => columns.map((column) => valueIn(column, row));
  switch (how) {
    case 'table':
    case 'wide':
      yield* footed(outcome, style, (rows) =>
        tableText(columns, rows, style, { ...tableOf(outcome), exact: how === 'wide' }),
      );
      return;
    case 'json':
      yield* jsonArray(outcome.rows, pick, style.tty);
      return;
    case 'yaml':
      yield* yamlSequence(outcome.rows, pick);
      return;
    case 'html':
      yield* htmlPage(outcome);
      return;
    case 'ndjson':
      yield* eachLine(outcome.rows, (row) => `${toJson(pick(row), { pretty: false })}\n`);
      return;
    case 'name':
      yield* eachLine(outcome.rows, (row) => `${tsvLine([row[outcome.nameKey]])}\n`);
      return;
    case 'csv':
      yield `${csvLine(columns.map((column) => column.key))}${csvEnd(style)}`;
      yield* eachLine(outcome.rows, (row) => `${csvFor(style)(cells(row))}${csvEnd(style)}`);
      return;
    case 'tsv':
      yield* eachLine(outcome.rows, (row) => `${tsvLine(cells(row))}\n`);
  }
}

/** A table with the line below it, for a person alone: a script gets rows and nothing else. */
async function* footed(
  { rows, foot }: RowsOutcome,
  style: Style,
  table: (rows: Rows) => AsyncIterable<string>,
): AsyncGenerator<string> {
  if (foot === undefined || !style.tty) {
    yield* table(rows);
    return;
  }
  const { see, line } = foot();
  async function* seen(): AsyncGenerator<readonly Row[]> {
    for await (const some of batchesOf(rows)) {
      for (const row of some) see(row);
      yield some;
    }
  }
  yield* table(seen());
  const last = line();
  if (last !== undefined) yield `${style.dim(last)}\n`;
}

const tableOf = ({ nameKey, atOnce }: RowsOutcome) => ({ nameKey, atOnce });

/** Exact in a pipe; at a terminal a cell is on one line, and none of it is obeyed. */
const csvFor =
  ({ tty }: Style) =>
  (cells: readonly unknown[]) =>
    csvLine(tty ? cells.map((cell) => cleanLine(cellText(cell), Infinity)) : cells);
const csvEnd = ({ tty }: Style) => (tty ? '\n' : '\r\n');

async function* eachLine(rows: Rows, line: (row: Row) => string): AsyncGenerator<string> {
  for await (const some of batchesOf(rows)) {
    let text = '';
    for (const row of some) text += line(row);
    if (text !== '') yield text;
  }
}

/** A watched result is never an array or a table, which would be whole only at its end. */
function howOf({ live }: RowsOutcome, format: Format): Format {
  if (live !== true) return format;
  if (format === 'json') return 'ndjson';
  return format === 'table' || format === 'wide' ? 'tsv' : format;
}

/** A JSON array that streams; if the list breaks off, its end is missing, so that it is not taken for whole. */
async function* jsonArray(rows: Rows, pick: (row: Row) => unknown, pretty: boolean): AsyncGenerator<string> {
  let lead = '[';
  const item = (row: Row) => {
    const text = toJson(pick(row), { pretty });
    const led = pretty ? `${lead}\n${text.replace(/^/gm, '  ')}` : lead + text;
    lead = ',';
    return led;
  };
  yield* eachLine(rows, item);
  if (lead === '[') yield '[]\n';
  else yield pretty ? '\n]\n' : ']\n';
}

/** A sequence that streams, an item for each row. */
async function* yamlSequence(rows: Rows, pick: (row: Row) => unknown): AsyncGenerator<string> {
  const { toYaml } = await import('../render/yaml.ts');
  let empty = true;
  for await (const text of eachLine(rows, (row) => toYaml([pick(row)]))) {
    empty = false;
    yield text;
  }
  if (empty) yield toYaml([]);
}

function lines(all: readonly string[], end = '\n'): string {
  return all.map((line) => line + end).join('');
}
