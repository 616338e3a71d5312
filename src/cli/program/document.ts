import { clean, cleanLine } from '../../base/clean.ts';
import type { Column, DataOutcome, PrintedRow, Rows, RowsOutcome, WholeOutcome } from '../outcome.ts';
import { fieldPicker, flatten, memberReader } from '../render/fields.ts';
import type { Format } from '../render/format.ts';
import { toJson } from '../render/json.ts';
import type { Style } from '../render/style.ts';
import { batchOf, cellText, csvCell, csvLine, lineOf, tableText, tsvCell, tsvLine } from '../render/table.ts';

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
  for await (const some of rows) for (const row of batchOf(some)) made.see(row);
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

function list(outcome: RowsOutcome, { format, fields, style }: Printing): AsyncIterable<string> {
  const { rows, nameKey } = outcome;
  const usual = outcome.linesOfJson === true ? 'ndjson' : style.tty ? 'table' : 'tsv';
  const how = howOf(outcome, format === 'auto' ? usual : format);
  const columns = columnsFor(outcome, how, fields);
  const pick = fields === undefined ? (row: PrintedRow) => row : fieldPicker(fields);
  switch (how) {
    case 'table':
    case 'wide':
      return footed(outcome, style, (all) =>
        tableText(columns, all, style, { ...tableOf(outcome), exact: how === 'wide' }),
      );
    case 'json':
      return jsonArray(rows, pick, style.tty);
    case 'yaml':
      return yamlSequence(rows, pick);
    case 'html':
      return htmlPage(outcome);
    case 'ndjson':
      return eachLine(rows, '\n', (row) => toJson(pick(row), { pretty: false }));
    case 'name':
      return eachLine(rows, '\n', (row) => tsvCell(row[nameKey]));
    case 'csv':
      return csvText(columns, rows, style);
    case 'tsv':
      return eachLine(rows, '\n', lineOf(columns, tsvCell, '\t'));
  }
}

const columnsFor = (
  { columns }: RowsOutcome,
  how: Format,
  fields: readonly string[] | undefined,
): readonly Column[] =>
  fields?.map((key) => ({ key, title: key, cell: memberReader(key) })) ??
  columns.filter(({ wide }) => how !== 'table' || wide !== true);

async function* csvText(columns: readonly Column[], rows: Rows, style: Style): AsyncGenerator<string> {
  const end = csvEnd(style);
  yield csvLine(columns.map((column) => column.key)) + end;
  yield* eachLine(rows, end, lineOf(columns, csvCellFor(style), ','));
}

/** A table with the line below it, for a person alone: a script gets rows and nothing else. */
function footed(
  { rows, foot }: RowsOutcome,
  style: Style,
  table: (rows: Rows) => AsyncIterable<string>,
): AsyncIterable<string> {
  if (foot === undefined || !style.tty) return table(rows);
  const { see, line } = foot();
  async function* seen(): AsyncGenerator<readonly PrintedRow[]> {
    for await (const some of rows) {
      const batch = batchOf(some);
      for (const row of batch) see(row);
      yield batch;
    }
  }
  async function* both(): AsyncGenerator<string> {
    yield* table(seen());
    const last = line();
    if (last !== undefined) yield `${style.dim(last)}\n`;
  }
  return both();
}

const tableOf = ({ nameKey, atOnce }: RowsOutcome) => ({ nameKey, atOnce });

/** Exact in a pipe; at a terminal a cell is on one line, and none of it is obeyed. */
const csvFor = (style: Style) => (cells: readonly unknown[]) => cells.map(csvCellFor(style)).join(',');
const csvCellFor = ({ tty }: Style): ((cell: unknown) => string) =>
  tty ? (cell) => csvCell(cleanLine(cellText(cell), Infinity)) : csvCell;
const csvEnd = ({ tty }: Style) => (tty ? '\n' : '\r\n');

async function* eachLine(rows: Rows, end: string, line: (row: PrintedRow) => string): AsyncGenerator<string> {
  for await (const some of rows) {
    let text = '';
    for (const row of batchOf(some)) text += line(row) + end;
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
async function* jsonArray(
  rows: Rows,
  pick: (row: PrintedRow) => unknown,
  pretty: boolean,
): AsyncGenerator<string> {
  let lead = '[';
  const item = (row: PrintedRow) => {
    const text = toJson(pick(row), { pretty });
    const led = pretty ? `${lead}\n${text.replace(/^/gm, '  ')}` : lead + text;
    lead = ',';
    return led;
  };
  yield* eachLine(rows, '', item);
  if (lead === '[') yield '[]\n';
  else yield pretty ? '\n]\n' : ']\n';
}

/** A sequence that streams, an item for each row. */
async function* yamlSequence(rows: Rows, pick: (row: PrintedRow) => unknown): AsyncGenerator<string> {
  const { toYaml } = await import('../render/yaml.ts');
  let empty = true;
  for await (const text of eachLine(rows, '', (row) => toYaml([pick(row)]))) {
    empty = false;
    yield text;
  }
  if (empty) yield toYaml([]);
}

function lines(all: readonly string[], end = '\n'): string {
  return all.map((line) => line + end).join('');
}
