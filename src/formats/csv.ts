/** Reads the payments of a bulk from CSV (RFC 4180, comma or semicolon), streaming, with the line of each error. */
import { pipeline, Readable } from 'node:stream';
import { parse, CsvError } from 'csv-parse';
import { csvColumns, readRow } from './csv-row.ts';
import type { CsvFinding, CsvRow, CsvTerms } from './csv-row.ts';
import { textOf } from './text-source.ts';
import type { ByteSource } from './text-source.ts';

/** How the cells are read, and the cap of the file (256 MiB by default). */
export interface CsvOptions extends CsvTerms {
  readonly maxBytes?: number;
}

const maxRow = 64 * 1024;

/**
 * Reads the rows of a file in UTF-8, one by one. A wrong row is given with its findings and reading goes on; a wrong
 * header or a broken quote ends it with one. Throws ObkError INPUT_INVALID where the bytes are no UTF-8 or too many.
 */
export async function* readCsv(
  source: ByteSource,
  { maxBytes, ...terms }: CsvOptions,
): AsyncGenerator<CsvRow> {
  const limits = {
    code: 'INPUT_INVALID',
    maxBytes: maxBytes ?? 256 * 1024 * 1024,
    what: 'The CSV file',
  } as const;
  const texts = withNewlines(textOf(source, limits));
  let start = '';
  while (!/\S.*\n/.test(start) && start.length < maxRow) {
    const { done, value } = await texts.next();
    if (done === true) break;
    start += value;
  }
  const parser = parse({
    // No name of a column has a delimiter in it.
    delimiter: /\S.*/.exec(start)?.[0].includes(';') === true ? ';' : ',',
    record_delimiter: '\n',
    info: true,
    raw: true,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
    max_record_size: maxRow,
  });
  pipeline(Readable.from(both(start, texts)), parser, () => undefined);
  let names: readonly string[] | undefined;
  try {
    for await (const { record, info, raw } of parser as AsyncIterable<ParsedRow>) {
      const line = info.lines - (raw.trim().split('\n').length - 1);
      if (names === undefined) {
        names = record.map((name) => name.toLowerCase());
        const findings = [...headerFaults(names)].map((fault) => ({ line, ...fault }));
        if (findings.length === 0) continue;
        yield { line, findings };
        return;
      }
      // Empty rows that spreadsheets leave below the last one.
      if (record.every((cell) => cell === '')) continue;
      yield readRow(record, names, line, terms);
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = typeof error['lines'] === 'number' ? error['lines'] : 1;
    yield { line, findings: [{ line, column: undefined, text: error.message }] };
    return;
  }
  if (names === undefined)
    yield { line: 1, findings: [{ line: 1, column: undefined, text: 'the file is empty' }] };
}

interface ParsedRow {
  readonly record: readonly string[];
  readonly raw: string;
  readonly info: { readonly lines: number };
}

// The parser counts CRLF in a quoted cell as two lines, and takes the first line end for that of the whole file.
async function* withNewlines(texts: AsyncIterable<string>): AsyncGenerator<string, void> {
  let held = '';
  for await (const text of texts) {
    const whole = held + text;
    held = whole.endsWith('\r') ? '\r' : '';
    yield whole.slice(0, whole.length - held.length).replace(/\r\n?/g, '\n');
  }
  if (held !== '') yield '\n';
}

async function* both(start: string, rest: AsyncIterable<string>): AsyncGenerator<string, void> {
  yield start;
  yield* rest;
}

type Fault = Omit<CsvFinding, 'line'>;

function* headerFaults(names: readonly string[]): Generator<Fault> {
  const known: readonly string[] = csvColumns.map(({ name }) => name);
  for (const [at, column] of names.entries()) {
    if (!known.includes(column)) {
      yield {
        column,
        text: `there is no column ${JSON.stringify(column)}; the columns are ${known.join(', ')}`,
      };
    } else if (names.indexOf(column) < at) yield { column, text: `the column ${column} occurs twice` };
  }
  for (const { name, needed } of csvColumns) {
    if (needed && !names.includes(name)) yield { column: name, text: `the column ${name} is missing` };
  }
}
