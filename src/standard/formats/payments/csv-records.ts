import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { ObkError } from '../../../base/errors.ts';
import { csvLayout, csvTextOf } from './csv-text.ts';
import type { ByteSource } from '../text/text-source.ts';

const maxBytes = 256 * 1024 * 1024;
// The apostrophe that stands before what a spreadsheet would take for a formula, where a cell begins or a spreadsheet may begin one.
const guard = /(^|[;\t\r\n])'(?=[\s"]*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/g;

/**
 * Reads the rows of a CSV file with a header line, by the names of its columns, without the apostrophes before formulas; an empty
 * cell says nothing. Throws ObkError INPUT_INVALID with the line where it cannot be read.
 */
export async function readCsvRecords(
  source: ByteSource,
): Promise<Readonly<Partial<Record<string, string>>>[]> {
  let text = '';
  for await (const piece of csvTextOf(source, { maxBytes })) text += piece;
  const { delimiter, skipped } = csvLayout(text);
  try {
    return parse(text, {
      columns: true,
      delimiter,
      from_line: skipped + 1,
      skip_empty_lines: true,
      trim: true,
      on_record: (record: Readonly<Record<string, string>>) =>
        Object.fromEntries(
          Object.entries(record).flatMap(([name, cell]) =>
            cell === '' ? [] : [[name, cell.replace(guard, '$1')]],
          ),
        ),
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new ObkError({ code: 'INPUT_INVALID', title: 'The CSV cannot be read.', detail: error.message });
  }
}
