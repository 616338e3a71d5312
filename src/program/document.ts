import type { DataOutcome, Row, RowsOutcome, WholeOutcome } from '../outcome.ts';
import { flatten, memberAt, pickFields } from '../render/fields.ts';
import type { Format } from '../render/format.ts';
import { toJson } from '../render/json.ts';
import type { Style } from '../render/style.ts';
import { csvLine, tableLines, tsvLine, valueIn } from '../render/table.ts';

/** How an Outcome is to be printed; `auto` is text for a person, and tab-separated lines where a list is piped. */
export interface Printing {
  format: Format | 'auto';
  fields?: readonly string[];
  style: Style;
}

/** The text of an Outcome in pieces of whole lines. */
export function render(outcome: WholeOutcome, printing: Printing): AsyncIterable<string> | Iterable<string> {
  return outcome.kind === 'data' ? [document(outcome, printing)] : list(outcome, printing);
}

function document(outcome: DataOutcome, { format, fields, style }: Printing): string {
  const data = fields === undefined ? outcome.data : pickFields(outcome.data, fields);
  switch (format) {
    case 'json':
      return `${toJson(data, { pretty: style.tty })}\n`;
    case 'ndjson':
      return `${toJson(data, { pretty: false })}\n`;
    case 'name':
      return outcome.name === undefined ? '' : `${outcome.name}\n`;
    case 'tsv':
      return lines(flatten(data).map(tsvLine));
    case 'csv':
      return lines(flatten(data).map(csvLine), '\r\n');
    case 'auto':
    case 'table':
    case 'wide': {
      const text = outcome.text(style);
      return text === '' || text.endsWith('\n') ? text : `${text}\n`;
    }
  }
}

/** One of many results on one line: compact JSON, or its values in the order of its members. */
export function changeLine(outcome: DataOutcome, printing: Printing): string {
  const { format, fields } = printing;
  if (format === 'json') return document(outcome, { ...printing, format: 'ndjson' });
  if (format !== 'tsv' && format !== 'csv') return document(outcome, printing);
  const data = fields === undefined ? outcome.data : pickFields(outcome.data, fields);
  const values = flatten(data).map(([, value]) => value);
  return format === 'tsv' ? `${tsvLine(values)}\n` : `${csvLine(values)}\r\n`;
}

async function* list(outcome: RowsOutcome, { format, fields, style }: Printing): AsyncGenerator<string> {
  const how = howOf(outcome, format === 'auto' ? (style.tty ? 'table' : 'tsv') : format);
  const columns =
    fields?.map((key) => ({ key, title: key })) ??
    outcome.columns.filter((column) => how !== 'table' || column.wide !== true);
  const pick = (row: unknown) => (fields === undefined ? row : pickFields(row, fields));
  switch (how) {
    case 'table':
    case 'wide':
      for await (const line of tableLines(columns, chosen(outcome.rows, fields), style, outcome))
        yield `${line}\n`;
      return;
    case 'json':
      yield* jsonArray(outcome.rows, pick, style.tty);
      return;
    case 'csv':
      yield `${csvLine(columns.map((column) => column.key))}\r\n`;
      break;
    case 'tsv':
    case 'ndjson':
    case 'name':
      break;
  }
  for await (const row of chosen(outcome.rows, how === 'ndjson' || how === 'name' ? undefined : fields)) {
    if (how === 'ndjson') yield `${toJson(pick(row), { pretty: false })}\n`;
    else if (how === 'name') yield `${tsvLine([row[outcome.nameKey]])}\n`;
    else if (how === 'csv') yield `${csvLine(columns.map((column) => valueIn(column, row)))}\r\n`;
    else yield `${tsvLine(columns.map((column) => valueIn(column, row)))}\n`;
  }
}

/** What is watched is never an array or a table, which would be whole only at its end. */
function howOf({ live }: RowsOutcome, format: Format): Format {
  if (live !== true) return format;
  if (format === 'json') return 'ndjson';
  return format === 'table' || format === 'wide' ? 'tsv' : format;
}

/** The rows with a column for each path of `--fields`. */
function chosen(rows: RowsOutcome['rows'], fields: readonly string[] | undefined): RowsOutcome['rows'] {
  return fields === undefined ? rows : withPaths(rows, fields);
}

async function* withPaths(rows: RowsOutcome['rows'], fields: readonly string[]): AsyncGenerator<Row> {
  for await (const row of rows) yield Object.fromEntries(fields.map((path) => [path, memberAt(row, path)]));
}

/** A JSON array that streams; where the list breaks off, its end is missing, so that nobody takes it for whole. */
async function* jsonArray(
  rows: RowsOutcome['rows'],
  pick: (row: unknown) => unknown,
  pretty: boolean,
): AsyncGenerator<string> {
  let first = true;
  for await (const row of rows) {
    const text = toJson(pick(row), { pretty });
    const lead = first ? '[' : ',';
    first = false;
    yield pretty ? `${lead}\n${text.replace(/^/gm, '  ')}` : lead + text;
  }
  if (first) yield '[]\n';
  else yield pretty ? '\n]\n' : ']\n';
}

function lines(all: readonly string[], end = '\n'): string {
  return all.map((line) => line + end).join('');
}
