/** Reads the payments of a bulk from CSV (RFC 4180; comma, semicolon, tab or what `sep=` names), streaming, with the line of each error. */
import { defined } from '../../../base/defined.ts';
import { pipeline, Readable } from 'node:stream';
import { parse, CsvError } from 'csv-parse';
import { csvColumns } from './csv-columns.ts';
import { readRow } from './csv-row.ts';
import type { CsvFinding, CsvRow, CsvTerms } from './csv-row.ts';
import { csvLayout, csvTextOf } from './csv-text.ts';
import type { ByteSource } from '../text/text-source.ts';

/** How the cells are read, and the cap of the file (256 MiB by default). */
export interface CsvOptions extends CsvTerms {
  /** The characters of the file, a name that `charsetOf` knows, where they are not its mark's or UTF-8. */
  readonly charset?: string;
  readonly maxBytes?: number;
}

const maxRow = 64 * 1024;

/**
 * Reads the rows of a file one by one, each with what is wrong with it; a wrong header or a broken quote ends it with a row of
 * findings. Throws ObkError INPUT_INVALID where the bytes are not of the set of characters, or too many.
 */
export async function* readCsv(
  source: ByteSource,
  { maxBytes = 256 * 1024 * 1024, charset, ...terms }: CsvOptions,
): AsyncGenerator<CsvRow> {
  const texts = csvTextOf(source, { maxBytes, ...defined({ charset }) });
  let start = '';
  while (!hasTwoLines(start) && start.length < maxRow) {
    const { done, value } = await texts.next();
    if (done === true) break;
    start += value;
  }
  const { delimiter, skipped } = csvLayout(start);
  /** Where the last row ended, and how many empty lines were passed over until there. */
  let before: Passed = { lines: skipped, empty_lines: 0 };
  let header: readonly string[] | undefined;
  const parser = parse({
    delimiter,
    // With `info` and `raw` it gets them beside the record, which its type does not say.
    on_record: (row: unknown) => {
      const { info, record } = row as ParsedRow;
      before = info;
      header ??= record;
      return row as string[];
    },
    from_line: skipped + 1,
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
  /** The columns at the end of the header that have no name. */
  let unnamed = 0;
  try {
    for await (const { record, info, raw } of parser as AsyncIterable<ParsedRow>) {
      const line = info.lines - (raw.trim().split('\n').length - 1);
      if (names === undefined) {
        const written = record.map((name) => name.toLowerCase());
        // Spreadsheets write columns that once held something: without a name, and empty in each row.
        names = written.slice(0, written.findLastIndex((name) => name !== '') + 1);
        unnamed = written.length - names.length;
        const findings = [...headerFaults(names)].map((fault) => ({ line, ...fault }));
        if (findings.length === 0) continue;
        yield { line, findings };
        return;
      }
      // Empty rows that spreadsheets leave below the last one.
      if (record.every((cell) => cell === '')) continue;
      const isSpare =
        unnamed > 0 &&
        record.length === names.length + unnamed &&
        record.slice(names.length).every((cell) => cell === '');
      yield readRow(isSpare ? record.slice(0, names.length) : record, names, line, terms);
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // A quote that is not closed swallows the lines behind it: the row with the fault is where it begins.
    const line = before.lines + 1 + numberIn(error['empty_lines']) - before.empty_lines;
    const isOpen = error.code === 'CSV_QUOTE_NOT_CLOSED';
    const column = isOpen ? header?.[numberIn(error['column'])]?.toLowerCase() : undefined;
    const text = isOpen ? 'the quote that begins the cell is not closed before the file ends' : error.message;
    yield { line, findings: [{ line, column, text }] };
    return;
  }
  if (names === undefined)
    yield { line: 1, findings: [{ line: 1, column: undefined, text: 'the file is empty' }] };
}

/** Whether a text has two line ends behind its first sign; an expression would look at a long line once from each of its signs. */
function hasTwoLines(text: string): boolean {
  const begin = text.search(/\S/);
  const end = begin < 0 ? -1 : text.indexOf('\n', begin);
  return end >= 0 && text.includes('\n', end + 1);
}

interface ParsedRow {
  readonly record: readonly string[];
  readonly raw: string;
  readonly info: Passed;
}

interface Passed {
  readonly lines: number;
  readonly empty_lines: number;
}

const numberIn = (value: unknown): number => (typeof value === 'number' ? value : 0);

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
