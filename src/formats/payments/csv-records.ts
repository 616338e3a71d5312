import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { ObkError } from '../../errors.ts';

/**
 * Reads the rows of a CSV text with a header line, by the names of its columns; commas or semicolons divide them. Throws ObkError
 * INPUT_INVALID with the line where it cannot be read.
 */
export function readCsvRecords(text: string): Readonly<Record<string, string>>[] {
  const [header = ''] = text.split('\n', 1);
  try {
    return parse(text, {
      bom: true,
      columns: true,
      delimiter: header.includes(';') ? ';' : ',',
      skip_empty_lines: true,
      trim: true,
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new ObkError({ code: 'INPUT_INVALID', title: 'The CSV cannot be read.', detail: error.message });
  }
}
